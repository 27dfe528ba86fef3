//! The array value.

mod mask;

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;

use super::datatype::to_usize;
use super::layout::Layout;
use super::{ByteOrder, Datatype, Element, MemoryBlock, copy, debug, gather};
use crate::block::Compression;
use crate::error::{Error, Result};
use crate::threads::Threads;
use crate::tree::{Block, BlockTable, Node};
use crate::value::{Extra, KeptTag};
pub(super) use mask::broadcast;
pub use mask::{Mask, MaskValue};

/// An array: the value of a `core/ndarray-1.x` node.
///
/// Reading one from the tree reads no data. Bytes are read when elements are asked for, and only
/// those between the first and the last element where the block is not compressed; of `lz4` and
/// `bls2` blocks, only the chunks that they lie in are decoded. Cloning shares the data.
///
/// ```
/// use asdf_core::NdArray;
///
/// let array = NdArray::new(&[2, 3], &[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0])?;
/// let view = array.view::<f32>()?;
/// assert_eq!(view.get(&[1, 0]), Some(4.0));
/// assert_eq!(array.read::<f32>()?, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Clone)]
pub struct NdArray {
    pub(super) tag: KeptTag,
    pub(super) datatype: Datatype,
    pub(super) byteorder: ByteOrder,
    pub(super) shape: Vec<u64>,
    /// The first axis was `*`: as many rows as the block holds.
    pub(super) streamed: bool,
    pub(super) offset: u64,
    pub(super) strides: Option<Vec<i64>>,
    pub(super) data: Data,
    pub(super) mask: Option<Mask>,
    pub(super) extra: Extra,
}

/// A vector of elements that lends its bytes.
struct Owner<T>(Vec<T>);

impl<T: Element> AsRef<[u8]> for Owner<T> {
    fn as_ref(&self) -> &[u8] {
        T::bytes(&self.0)
    }
}

fn check_count(shape: &[u64], count: usize, datatype: &Datatype) -> Result<()> {
    let wanted = shape.iter().try_fold(1_u64, |product, &n| product.checked_mul(n));
    if wanted == Some(count as u64) {
        return Ok(());
    }
    let wanted = wanted.map_or_else(|| "more than 2^64".to_owned(), |wanted| wanted.to_string());
    Err(Error::mismatch(format!(
        "found {count} elements of {datatype}, expected {wanted} for an array of shape {shape:?}"
    )))
}

/// Where an array's bytes are.
#[derive(Clone)]
pub(super) enum Data {
    /// In a block that the tree refers to by number.
    Numbered { blocks: BlockTable, source: i64 },
    /// In the first block of another file.
    External { blocks: BlockTable, uri: String },
    /// In a block of its own, made by a program.
    Own(Arc<dyn Block>),
    /// In the tree itself; where there are nulls, an array of flags says where.
    Inline { inline: Arc<Inline>, missing: Option<Box<NdArray>> },
}

/// Inline data: the lists as they stand, and their elements as packed little-endian bytes.
#[derive(Debug, Clone)]
pub(super) struct Inline {
    pub(super) data: Node,
    pub(super) bytes: Bytes,
    /// The lists are the tagged node itself, not its `data` property.
    pub(super) bare: bool,
    /// The node says the datatype, instead of leaving it to inference.
    pub(super) typed: bool,
    /// The node says the shape.
    pub(super) shaped: bool,
}

impl NdArray {
    /// Makes an array of elements in C order, to be written as a block. The elements are copied;
    /// [`from_vec`](Self::from_vec) takes them over.
    ///
    /// # Errors
    /// [`Mismatch`](crate::error::Kind::Mismatch) when the shape does not hold as many elements.
    pub fn new<T: Element>(shape: &[u64], elements: &[T]) -> Result<Self> {
        check_count(shape, elements.len(), &T::DATATYPE)?;
        Self::from_vec(shape, elements.to_vec())
    }

    /// Makes an array of a vector of elements in C order, to be written as a block. Nothing is copied, and
    /// [`View::as_slice`](super::View::as_slice) lends the elements again.
    ///
    /// ```
    /// use asdf_core::NdArray;
    ///
    /// let pixels = vec![0.5_f32; 6];
    /// let address = pixels.as_ptr();
    /// let image = NdArray::from_vec(&[2, 3], pixels)?;
    /// assert_eq!(image.view::<f32>()?.as_slice().unwrap().as_ptr(), address);
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Mismatch`](crate::error::Kind::Mismatch) when the shape does not hold as many elements.
    pub fn from_vec<T: Element>(shape: &[u64], elements: Vec<T>) -> Result<Self> {
        check_count(shape, elements.len(), &T::DATATYPE)?;
        let bytes = Bytes::from_owner(Owner(elements));
        Self::from_bytes(T::DATATYPE, ByteOrder::NATIVE, shape, bytes)
    }

    /// An array over bytes that hold its elements, packed in C order, in the byte order that is
    /// said. The bytes are shared, not copied.
    ///
    /// # Errors
    /// [`Mismatch`](crate::error::Kind::Mismatch) when the number of bytes is not what shape and datatype need.
    pub fn from_bytes(
        datatype: Datatype,
        byteorder: ByteOrder,
        shape: &[u64],
        bytes: impl Into<Bytes>,
    ) -> Result<Self> {
        let bytes = bytes.into();
        let layout = Layout::new(shape, None, 0, datatype.size()?, bytes.len() as u64)?;
        if layout.count * layout.item != bytes.len() {
            return Err(Error::mismatch(format!(
                "{} bytes were given, but an array of shape {shape:?} and datatype {datatype} has {}",
                bytes.len(),
                layout.count * layout.item
            )));
        }
        Ok(Self {
            tag: KeptTag::Newest,
            datatype,
            byteorder,
            shape: shape.to_vec(),
            streamed: false,
            offset: 0,
            strides: None,
            data: Data::Own(Arc::new(MemoryBlock::new(bytes, Compression::NONE))),
            mask: None,
            extra: Extra::new(),
        })
    }

    /// The type of the elements.
    #[must_use]
    pub fn datatype(&self) -> &Datatype {
        &self.datatype
    }

    /// The order of the bytes of each element where they are stored.
    #[must_use]
    pub fn byteorder(&self) -> ByteOrder {
        self.byteorder
    }

    /// The shape in C order; empty for a single value. A `*` in the file is the number of whole
    /// rows that the block holds.
    #[must_use]
    pub fn shape(&self) -> &[u64] {
        &self.shape
    }

    /// The number of elements, or `u64::MAX` if it does not fit.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.shape.iter().fold(1, |product, &n| product.saturating_mul(n))
    }

    /// Whether there are no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.shape.contains(&0)
    }

    /// The strides in bytes, where the file gives them.
    #[must_use]
    pub fn strides(&self) -> Option<&[i64]> {
        self.strides.as_deref()
    }

    /// The offset of the first element in the block, in bytes.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// How missing values are told, if any can be missing. `null` in inline data is not told here
    /// but by [`missing`](Self::missing).
    #[must_use]
    pub fn mask(&self) -> Option<&Mask> {
        self.mask.as_ref()
    }

    /// The number of the block, where the file gives one.
    #[must_use]
    pub fn source(&self) -> Option<i64> {
        match self.data {
            Data::Numbered { source, .. } => Some(source),
            _ => None,
        }
    }

    /// The other file that holds the data, where there is one.
    #[must_use]
    pub fn external(&self) -> Option<&str> {
        match &self.data {
            Data::External { uri, .. } => Some(uri),
            _ => None,
        }
    }

    /// Whether the data is in the tree.
    #[must_use]
    pub fn is_inline(&self) -> bool {
        matches!(self.data, Data::Inline { .. })
    }

    /// The same array, to be stored with a codec. Inline data stays inline; a part of a larger array
    /// is [packed](Self::packed) first.
    ///
    /// # Errors
    /// When the bytes have to be read and cannot be.
    pub fn with_compression(mut self, compression: Compression) -> Result<Self> {
        if self.strides.is_some() || self.offset != 0 {
            self = self.packed()?;
        }
        if let Some(block) = self.block()? {
            let bytes = block.read(0..block.size())?;
            self.data = Data::Own(Arc::new(MemoryBlock::new(bytes, compression)));
        }
        Ok(self)
    }

    /// The block that holds the data; `None` for inline data.
    pub(super) fn block(&self) -> Result<Option<Arc<dyn Block>>> {
        Ok(match &self.data {
            Data::Numbered { blocks, source } => Some(blocks.block(*source)?),
            Data::External { blocks, uri } => {
                let file = blocks.file().ok_or_else(|| {
                    Error::unsupported(format!("the data is in {uri}, but the tree was not read from a file"))
                })?;
                Some(file.external(uri)?)
            }
            Data::Own(block) => Some(block.clone()),
            Data::Inline { .. } => None,
        })
    }

    /// The maximum number of threads that copies of the elements may work on.
    pub(super) fn threads(&self) -> Threads {
        match &self.data {
            Data::Numbered { blocks, .. } | Data::External { blocks, .. } => blocks.threads(),
            Data::Own(block) => block.threads(),
            Data::Inline { .. } => Threads::ALL,
        }
    }

    pub(super) fn layout(&self, bytes: u64) -> Result<Layout> {
        let item = self.datatype.size()?;
        let layout = Layout::new(&self.shape, self.strides.as_deref(), self.offset, item, bytes)?;
        self.check_padding(item, bytes)?;
        Ok(layout)
    }

    /// Refuses records that are farther apart in their block than they are long. A block may be
    /// longer than its array, which is then the beginning of a larger one. But where the rest makes
    /// every record longer by as much, or is no number of records, the records were stored with
    /// padding that the datatype does not tell: fields would be read from the wrong places.
    fn check_padding(&self, item: u64, bytes: u64) -> Result<()> {
        let count = self.len();
        let plain = self.strides.is_none() && self.offset == 0 && !self.streamed && count > 0;
        if !plain || !matches!(self.datatype, Datatype::Struct(_)) || item == 0 {
            return Ok(());
        }
        let needed = count.saturating_mul(item);
        if bytes > needed && (bytes % item != 0 || bytes % count == 0) {
            return Err(Error::mismatch(format!(
                "the block has {bytes} bytes, but {count} records of {item} bytes, as the datatype has them, \
                 are {needed}"
            ))
            .with_hint(format!(
                "the records may have been stored with padding between their fields, as Python's asdf does \
                 with aligned structured arrays: then write them anew from packed ones. If the array is \
                 meant to be the first records of a longer one, `strides: [{item}]` says so"
            )));
        }
        Ok(())
    }

    /// Checks shape, strides and offset against the data, without reading any of it.
    ///
    /// # Errors
    /// When the block is missing or its header is damaged, or the array reaches outside it.
    pub fn check(&self) -> Result<()> {
        let bytes = match (self.block()?, &self.data) {
            (Some(block), _) => block.size(),
            (None, Data::Inline { inline, .. }) => inline.bytes.len() as u64,
            (None, _) => 0,
        };
        let item = self.datatype.size()?;
        Layout::check(&self.shape, self.strides.as_deref(), self.offset, item, bytes)?;
        self.check_padding(item, bytes)
    }

    /// The bytes of its data that the elements lie in, whatever data there are. Nothing is read; for an
    /// array of a tree that was read, and not streamed.
    ///
    /// # Errors
    /// When shape, strides and offset contradict each other.
    pub(crate) fn reach(&self) -> Result<Range<u64>> {
        let item = self.datatype.size()?;
        let layout = Layout::new(&self.shape, self.strides.as_deref(), self.offset, item, u64::MAX)?;
        let extent = layout.extent();
        Ok(extent.start as u64..extent.end as u64)
    }

    /// The bytes that the elements lie in, and where they are in those bytes. Elements that lie far
    /// apart in a block that is read by position are gathered.
    pub(super) fn load(&self) -> Result<(Bytes, Layout)> {
        match (self.block()?, &self.data) {
            (Some(block), _) => {
                let layout = self.layout(block.size())?;
                if !block.is_at_hand() && gather::pays(&layout) {
                    return gather::read(&layout, block.as_ref());
                }
                let Range { start, end } = layout.extent();
                let bytes = block.read(start as u64..end as u64)?;
                Ok((bytes, layout.rebased(start)))
            }
            (None, Data::Inline { inline, .. }) => {
                Ok((inline.bytes.clone(), self.layout(inline.bytes.len() as u64)?))
            }
            (None, _) => Err(Error::usage("the array has no data")),
        }
    }

    /// Refuses to expand a small block into an array that no memory holds, which strides of zero
    /// and elements of no bytes can ask for.
    pub(super) fn check_expansion(&self, layout: &Layout) -> Result<()> {
        const ALLOWED: usize = 1 << 28;
        let size = layout.count.saturating_mul(layout.item.max(1));
        if size > ALLOWED && size / 4 > layout.extent().len() {
            return Err(Error::limit(format!(
                "the array is {size} bytes large, made of only {} stored ones",
                layout.extent().len()
            ))
            .with_hint("take single elements through `view`"));
        }
        Ok(())
    }

    /// The elements in C order, packed, in the byte order that is asked for; fields that insist on
    /// a byte order of their own are converted too.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn packed_bytes(&self, order: ByteOrder) -> Result<Vec<u8>> {
        let mut out = self.stored_bytes()?;
        let item = to_usize(self.datatype.size()?)?;
        let pieces: Vec<_> = self
            .datatype
            .pieces()?
            .into_iter()
            .filter(|&(_, width, own)| width > 1 && own.unwrap_or(self.byteorder) != order)
            .collect();
        if !pieces.is_empty() {
            for element in out.chunks_exact_mut(item.max(1)) {
                for &(at, width, _) in &pieces {
                    if let Some(piece) = element.get_mut(at..at + width) {
                        piece.reverse();
                    }
                }
            }
        }
        Ok(out)
    }
}

impl NdArray {
    /// The elements in C order, packed, in the byte orders in which they are stored.
    pub(super) fn stored_bytes(&self) -> Result<Vec<u8>> {
        let (bytes, layout) = self.load()?;
        self.check_expansion(&layout)?;
        let mut out = Vec::new();
        let size = layout.count.saturating_mul(layout.item);
        out.try_reserve_exact(size)
            .map_err(|_| Error::no_memory(format_args!("an array of {size} bytes")))?;
        copy::packed(&bytes, &layout, &mut out);
        Ok(out)
    }
}

impl PartialEq for NdArray {
    /// Same datatype, shape, mask and elements, wherever and in whatever byte order they are stored.
    /// NaN equals itself bit by bit. Reads both arrays; what cannot be read is not equal.
    fn eq(&self, other: &Self) -> bool {
        self.datatype.without_byteorder() == other.datatype.without_byteorder()
            && self.shape == other.shape
            && self.mask == other.mask
            && match (self.packed_bytes(ByteOrder::Little), other.packed_bytes(ByteOrder::Little)) {
                (Ok(a), Ok(b)) => a == b,
                _ => false,
            }
    }
}

impl fmt::Debug for NdArray {
    /// Writes one line: datatype, shape, byte order if it is not this machine's, where the data are,
    /// strides and mask if there are any. Reads nothing, so the codec of a block is missing until its
    /// header was read.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NdArray(")?;
        // Inline data has none.
        let order = if self.is_inline() { ByteOrder::NATIVE } else { self.byteorder };
        debug::elements(&self.datatype, &self.shape, order, f)?;
        match &self.data {
            Data::Numbered { blocks, source } => match blocks.known(*source) {
                Some(block) => write!(f, ", {}", block.describe())?,
                None => write!(f, ", block {source}")?,
            },
            Data::External { uri, .. } => write!(f, ", external file '{}'", uri.escape_debug())?,
            Data::Own(block) => write!(f, ", {}", block.describe())?,
            Data::Inline { .. } => f.write_str(", inline")?,
        }
        if let Some(strides) = &self.strides {
            write!(f, ", strides {strides:?}")?;
        }
        match &self.mask {
            Some(Mask::Value(MaskValue::Number(number))) => write!(f, ", mask {}", number.to_f64())?,
            Some(Mask::Value(MaskValue::Complex(number))) => write!(f, ", mask {number}")?,
            Some(Mask::Array(mask)) => write!(f, ", mask {:?}", mask.shape)?,
            None => {}
        }
        f.write_str(")")
    }
}
