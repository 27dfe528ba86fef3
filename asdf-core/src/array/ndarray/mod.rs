//! The array type [`NdArray`].

mod mask;

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;

use super::datatype::to_usize;
use super::layout::Layout;
use super::needs::Needs;
use super::{ByteOrder, Datatype, Element, MemoryBlock, copy, debug, gather};
use crate::block::Compression;
use crate::error::{Error, Result};
use crate::threads::Threads;
use crate::tree::{Block, BlockTable, Blocks, Node, REPEATED_ELEMENTS};
use crate::value::{Extra, KeptTag};
pub(super) use mask::broadcast;
pub use mask::{Mask, MaskValue};

/// An array: the value of a `core/ndarray-1.x` node.
///
/// Reading an `NdArray` from the tree reads no data. Bytes are read when elements are requested. Of an
/// uncompressed block, only the bytes between the first and the last element are read; of `lz4` and `bls2`
/// blocks, and of `zstd` blocks in chunks, only the chunks that hold them are decoded. Cloning shares the data.
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
#[doc(alias = "NDArrayType")]
#[doc(alias = "lazy_load")]
pub struct NdArray {
    pub(super) tag: KeptTag,
    pub(super) datatype: Datatype,
    pub(super) byteorder: ByteOrder,
    pub(super) shape: Vec<u64>,
    /// The first axis is `*` in the file: its length is the number of whole rows in the block.
    pub(super) streamed: bool,
    pub(super) offset: u64,
    pub(super) strides: Option<Vec<i64>>,
    pub(super) data: Data,
    pub(super) mask: Option<Mask>,
    pub(super) extra: Extra,
}

/// Keeps a vector of elements alive while its bytes are borrowed.
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

/// Where the bytes of an array are stored.
#[derive(Clone)]
pub(super) enum Data {
    /// In a block that the tree refers to by number.
    Numbered { blocks: BlockTable, source: i64 },
    /// In the first block of another file.
    External { blocks: BlockTable, uri: String },
    /// In a block that belongs to the array, made by a program.
    Own(Arc<dyn Block>),
    /// In the tree itself. `missing` flags the elements that are `null`.
    Inline { inline: Arc<Inline>, missing: Option<Box<NdArray>> },
}

/// Inline data: the lists as written, and their elements as packed little-endian bytes.
#[derive(Debug, Clone)]
pub(super) struct Inline {
    pub(super) data: Node,
    pub(super) bytes: Bytes,
    /// The lists are the tagged node itself, not its `data` property.
    pub(super) bare: bool,
    /// The node gives the datatype instead of leaving it to inference.
    pub(super) typed: bool,
    /// The node gives the shape.
    pub(super) shaped: bool,
}

impl NdArray {
    /// Makes an array from a slice of elements in C order.
    ///
    /// It will be written as a block. The elements are copied; [`from_vec`](Self::from_vec) takes ownership of a
    /// vector instead.
    ///
    /// # Examples
    /// ```
    /// use asdf_core::NdArray;
    ///
    /// let image = NdArray::new(&[2, 3], &[1_u16, 2, 3, 4, 5, 6])?;
    /// assert_eq!(image.shape(), [2, 3]);
    /// assert_eq!(image.datatype().to_string(), "uint16");
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Mismatch`](crate::error::Kind::Mismatch) if the number of elements is not that of the shape.
    pub fn new<T: Element>(shape: &[u64], elements: &[T]) -> Result<Self> {
        check_count(shape, elements.len(), &T::DATATYPE)?;
        Self::from_vec(shape, elements.to_vec())
    }

    /// Makes an array from a vector of elements in C order.
    ///
    /// It will be written as a block. The elements are not copied, and
    /// [`View::as_slice`](super::View::as_slice) borrows them again.
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
    /// [`Mismatch`](crate::error::Kind::Mismatch) if the number of elements is not that of the shape.
    pub fn from_vec<T: Element>(shape: &[u64], elements: Vec<T>) -> Result<Self> {
        check_count(shape, elements.len(), &T::DATATYPE)?;
        let bytes = Bytes::from_owner(Owner(elements));
        Self::from_bytes(T::DATATYPE, ByteOrder::NATIVE, shape, bytes)
    }

    /// Makes an array from the bytes of its elements, packed in C order and in the given byte order.
    ///
    /// The bytes are shared, not copied.
    ///
    /// # Examples
    /// ```
    /// use asdf_core::array::ByteOrder;
    /// use asdf_core::{Datatype, NdArray};
    ///
    /// let array = NdArray::from_bytes(Datatype::Int16, ByteOrder::Big, &[2], vec![0, 1, 1, 0])?;
    /// assert_eq!(array.read::<i16>()?, [1, 256]);
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Mismatch`](crate::error::Kind::Mismatch) if the number of bytes does not follow from the shape and
    /// the datatype.
    #[doc(alias = "frombuffer")]
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
                "found {} bytes, expected {} for an array of shape {shape:?} and datatype {datatype}",
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

    /// Returns the datatype of the elements.
    #[must_use]
    #[doc(alias = "dtype")]
    pub fn datatype(&self) -> &Datatype {
        &self.datatype
    }

    /// Returns the byte order in which the elements are stored.
    #[must_use]
    pub fn byteorder(&self) -> ByteOrder {
        self.byteorder
    }

    /// Returns the shape in C order; it is empty for a single value.
    ///
    /// A first length `*` in the file is the number of whole rows in the block.
    #[must_use]
    #[doc(alias = "ndim")]
    pub fn shape(&self) -> &[u64] {
        &self.shape
    }

    /// Returns the number of elements, or `u64::MAX` if it does not fit.
    #[must_use]
    #[doc(alias = "size")]
    pub fn len(&self) -> u64 {
        self.shape.iter().fold(1, |product, &n| product.saturating_mul(n))
    }

    /// Returns whether the array has no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.shape.contains(&0)
    }

    /// Returns the strides in bytes, if the file gives them.
    #[must_use]
    pub fn strides(&self) -> Option<&[i64]> {
        self.strides.as_deref()
    }

    /// Returns the offset of the first element in the block, in bytes.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the mask, which says which elements are missing.
    ///
    /// The mask does not cover `null` in inline data: see [`missing`](Self::missing).
    #[must_use]
    pub fn mask(&self) -> Option<&Mask> {
        self.mask.as_ref()
    }

    /// Returns the number of the block, if the file gives one.
    #[must_use]
    pub fn source(&self) -> Option<i64> {
        match self.data {
            Data::Numbered { source, .. } => Some(source),
            _ => None,
        }
    }

    /// Returns the URI of the other file that holds the data, if there is one.
    #[must_use]
    pub fn external(&self) -> Option<&str> {
        match &self.data {
            Data::External { uri, .. } => Some(uri),
            _ => None,
        }
    }

    /// Returns whether the data is in the tree.
    #[must_use]
    pub fn is_inline(&self) -> bool {
        matches!(self.data, Data::Inline { .. })
    }

    /// Returns the same array, to be stored with a compression.
    ///
    /// Inline data stays inline. A part of a larger array is [packed](Self::packed) first.
    ///
    /// # Examples
    /// ```
    /// use asdf_core::{Compression, File, NdArray};
    ///
    /// let image = NdArray::from_vec(&[256, 256], vec![0_u16; 65_536])?;
    /// let mut file = File::new();
    /// file.set("/image", &image.clone().with_compression(Compression::ZLIB)?)?;
    ///
    /// let bytes = file.to_bytes()?;
    /// assert!(bytes.len() < 2_000);
    /// assert_eq!(File::from_bytes(bytes)?.get::<NdArray>("/image")?, image);
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the bytes cannot be read.
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

    /// Compares the block that holds the data with its checksum, and returns the error of a mismatch, without a path.
    pub(crate) fn damage(&self) -> Result<Option<Error>> {
        self.block()?.map_or(Ok(None), |block| block.damage()).map_err(Error::without_path)
    }

    /// Returns the block that holds the data; `None` for inline data.
    pub(super) fn block(&self) -> Result<Option<Arc<dyn Block>>> {
        Ok(match &self.data {
            Data::Numbered { blocks, source } => Some(blocks.block(*source)?),
            Data::External { blocks, uri } => {
                let file = blocks.file().ok_or_else(|| {
                    Error::unsupported(format!(
                        "the data is in '{uri}', but the tree was not read from a file"
                    ))
                })?;
                Some(file.external(uri)?)
            }
            Data::Own(block) => Some(block.clone()),
            Data::Inline { .. } => None,
        })
    }

    /// Returns the number of the array's block and the blocks of the file that it is in.
    pub(super) fn numbered_block(&self) -> Option<(&dyn Blocks, u64)> {
        let Data::Numbered { blocks, source } = &self.data else { return None };
        Some((blocks.file()?.as_ref(), u64::try_from(*source).ok()?))
    }

    /// Returns the maximum number of threads for copies of the elements.
    pub(super) fn threads(&self) -> Threads {
        match &self.data {
            Data::Numbered { blocks, .. } | Data::External { blocks, .. } => blocks.threads(),
            Data::Own(block) => block.threads(),
            Data::Inline { .. } => Threads::ALL,
        }
    }

    /// Returns the limit on repeated elements of the file that the array was read from.
    pub(super) fn most_repeated(&self) -> u64 {
        match &self.data {
            Data::Numbered { blocks, .. } | Data::External { blocks, .. } => blocks.most_repeated(),
            Data::Own(_) | Data::Inline { .. } => REPEATED_ELEMENTS,
        }
    }

    pub(super) fn layout(&self, bytes: u64) -> Result<Layout> {
        let item = self.datatype.size()?;
        let layout = Layout::new(&self.shape, self.strides.as_deref(), self.offset, item, bytes)?;
        self.check_padding(item, bytes)?;
        Ok(layout)
    }

    /// Refuses records that are farther apart in their block than they are long. A block can be longer than
    /// its array, which is then the beginning of a larger one. But if the extra bytes are the same number for
    /// each record, or do not make up whole records, then the records were stored with padding that the
    /// datatype does not describe. Fields would be read from the wrong places.
    fn check_padding(&self, item: u64, bytes: u64) -> Result<()> {
        let count = self.len();
        let plain = self.strides.is_none() && self.offset == 0 && !self.streamed && count > 0;
        if !plain || !matches!(self.datatype, Datatype::Struct(_)) || item == 0 {
            return Ok(());
        }
        let needed = count.saturating_mul(item);
        if bytes > needed && (bytes % item != 0 || bytes % count == 0) {
            return Err(Error::mismatch(format!(
                "found a block of {bytes} bytes, expected {needed} for {count} records of {item} bytes each"
            ))
            .with_hint(format!(
                "write the file again from packed records: these records may have padding between their fields, as \
                 Python's asdf writes for aligned structured arrays. If the array holds the first records of a \
                 longer one, add `strides: [{item}]`"
            )));
        }
        Ok(())
    }

    /// Checks shape, strides and offset against the data, without reading any data.
    ///
    /// # Errors
    /// If the block is missing, its header is damaged, or the array reaches outside of it.
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

    /// Returns the range of bytes that holds the elements, without looking at the block. For an array that
    /// was read from a tree and is not streamed.
    ///
    /// # Errors
    /// If shape, strides and offset contradict each other.
    pub(crate) fn reach(&self) -> Result<Range<u64>> {
        let item = self.datatype.size()?;
        let layout = Layout::new(&self.shape, self.strides.as_deref(), self.offset, item, u64::MAX)?;
        let extent = layout.extent();
        Ok(extent.start as u64..extent.end as u64)
    }

    /// Reads the bytes that hold the elements, and returns them with the layout of the elements in them.
    /// Elements that are far apart in a block that is read by position are gathered.
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

    /// Returns what [`load`](Self::load) needs, if reads of the source take long; see [`Block::remote_part`].
    pub(super) fn needs(&self) -> Result<Option<Needs>> {
        let Some(block) = self.block()?.filter(|block| block.is_remote()) else { return Ok(None) };
        let layout = self.layout(block.size())?;
        let ranges = if !block.is_at_hand() && gather::pays(&layout) {
            gather::ranges(&layout)
        } else {
            let Range { start, end } = layout.extent();
            std::iter::once(start as u64..end as u64).collect()
        };
        let parts = ranges.into_iter().map(|range| block.remote_part(range));
        let Some(parts) = parts.collect::<Option<Vec<_>>>() else { return Ok(None) };
        let Some((source, _)) = parts.first().cloned() else { return Ok(None) };
        Ok(Some(Needs { source, ranges: parts.into_iter().map(|(_, range)| range).collect() }))
    }

    /// Refuses to expand a small block into an array too large for memory. Strides of zero and elements
    /// without bytes can ask for that.
    pub(super) fn check_expansion(&self, layout: &Layout) -> Result<()> {
        const ALLOWED: usize = 1 << 28;
        let size = layout.count.saturating_mul(layout.item.max(1));
        if size > ALLOWED && size / 4 > layout.extent().len() {
            return Err(Error::limit(format!(
                "the array has {size} bytes, but only {} are stored",
                layout.extent().len()
            ))
            .with_hint("read single elements with `view`"));
        }
        Ok(())
    }

    /// Returns the elements in C order, packed, in the given byte order.
    ///
    /// Fields with a byte order of their own are converted too.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    #[doc(alias = "tobytes")]
    #[doc(alias = "nbytes")]
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
    /// Returns the elements in C order, packed, in the byte orders in which they are stored.
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
    /// Compares datatype, shape, mask and elements, not storage and byte order. A NaN equals a NaN with the
    /// same bits. Reads both arrays; an array that cannot be read equals nothing.
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
    /// Writes one line: datatype, shape, byte order if it is not this machine's, storage, strides and mask if
    /// there are any. Reads nothing, so the codec of a block is missing until its header was read.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NdArray(")?;
        // Inline data has no byte order.
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
