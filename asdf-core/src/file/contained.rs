//! The arrays of an ASDF file that are in its container.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;

use super::container::{ContainedArray, Container, Elements};
use super::reading::Reading;
use crate::array::{ByteOrder, Datatype, NdArray};
use crate::block::{Header, Label};
use crate::error::{Code, Error, Hint, LimitName, Result};
use crate::source::Source;
use crate::threads::Threads;
use crate::tree::{Block, NodeRef, Path, Stored, Tree};
use crate::value::{FromNode as _, ToNode as _};

/// The container of a file, and the arrays in it.
#[derive(Debug)]
pub(super) struct Contained {
    pub(super) container: Arc<dyn Container>,
    /// The sources of arrays whose shape in the tree is not that in the container.
    misfits: HashMap<String, Misfit>,
    blocks: Mutex<HashMap<String, Arc<ContainedBlock>>>,
}

/// An array whose shape in the tree is not that in the container.
#[derive(Debug)]
struct Misfit {
    path: Path,
    shape: Vec<u64>,
    contained: Vec<u64>,
}

impl Contained {
    /// Compares the array nodes of a tree with the arrays of the container, and corrects their datatypes.
    ///
    /// The container knows better how its elements are stored: stdatamodels writes the datatypes of tables before their
    /// columns are scaled, and ignores those of the tree when it reads.
    pub(super) fn new(container: Arc<dyn Container>, tree: &mut Tree) -> Result<Self> {
        let mut misfits = HashMap::new();
        let mut known: HashMap<String, Option<ContainedArray>> = HashMap::new();
        let mut wrong = Vec::new();
        let mut walk = tree.root().map(NodeRef::walk);
        while let Some((walk, node)) = walk.as_mut().and_then(|walk| walk.next().map(|node| (walk, node))) {
            let source = node.tag().filter(|tag| NdArray::accepts_tag(tag)).and_then(|_| node.get("source"));
            let Some(source) = source.filter(|source| source.as_i64().is_none()).and_then(NodeRef::as_str)
            else {
                continue;
            };
            // Errors come again when the array is read.
            let found =
                known.entry(source.to_owned()).or_insert_with(|| container.array(source).ok().flatten());
            let (Some(found), Ok(array)) = (found.as_ref(), NdArray::from_node(node)) else { continue };
            if array.shape() != found.shape {
                misfits.entry(source.to_owned()).or_insert_with(|| Misfit {
                    path: walk.path(),
                    shape: array.shape().to_vec(),
                    contained: found.shape.clone(),
                });
            } else if !is_as(&array, found) {
                wrong.push((node.id(), source.to_owned()));
            }
        }
        for (id, source) in wrong {
            let Some(Some(found)) = known.get(&source) else { continue };
            let datatype = found.datatype.to_node(tree)?;
            tree.insert(id, "datatype", datatype);
            let byteorder = found.byteorder.to_node(tree)?;
            tree.insert(id, "byteorder", byteorder);
        }
        Ok(Self { container, misfits, blocks: Mutex::default() })
    }

    /// Returns the block of the array with this source, or `None` if the source is the URI of a file.
    pub(super) fn block(&self, source: &str, reading: &Arc<Reading>) -> Result<Option<Arc<ContainedBlock>>> {
        let mut blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(block) = blocks.get(source) {
            return Ok(Some(block.clone()));
        }
        let named = |error: Error| reading.named(error);
        let Some(array) = self.container.array(source).map_err(named)? else { return Ok(None) };
        if let Some(Misfit { path, shape, contained }) = self.misfits.get(source) {
            let source = source.escape_debug();
            let message = format!("the array has the shape {shape:?}, but '{source}' has {contained:?}");
            return Err(named(Error::mismatch(message).at_path(path.as_str())));
        }
        let size = array.shape.iter().try_fold(array.datatype.size()?, |size, &axis| size.checked_mul(axis));
        let size = size.ok_or_else(|| named(Error::limit("the size of the array overflows")))?;
        let (name, reading) = (source.to_owned(), reading.clone());
        let block = Arc::new(ContainedBlock {
            reading,
            name,
            size,
            elements: array.elements,
            kept: Mutex::default(),
            is_counted: AtomicBool::new(false),
        });
        blocks.insert(source.to_owned(), block.clone());
        Ok(Some(block))
    }
}

/// Whether an array node describes the elements as the container stores them.
fn is_as(array: &NdArray, found: &ContainedArray) -> bool {
    array.datatype().without_byteorder() == found.datatype.without_byteorder()
        && is_in_order(array.datatype(), array.byteorder(), found.byteorder)
}

/// Whether all numbers of a datatype have a byte order.
fn is_in_order(datatype: &Datatype, default: ByteOrder, wanted: ByteOrder) -> bool {
    match datatype {
        Datatype::Struct(fields) => fields
            .iter()
            .all(|field| is_in_order(&field.datatype, field.byteorder.unwrap_or(default), wanted)),
        _ => default == wanted,
    }
}

/// An array of a container as a block.
pub(super) struct ContainedBlock {
    reading: Arc<Reading>,
    /// The source in the tree.
    name: String,
    size: u64,
    elements: Elements,
    /// The decoded elements.
    kept: Mutex<Option<Bytes>>,
    /// Whether the elements are counted as decoded.
    is_counted: AtomicBool,
}

impl ContainedBlock {
    fn place(&self, error: Error) -> Error {
        let message = format!("'{}': {}", self.name.escape_debug(), error.message());
        self.reading.named(error.with_message(message))
    }

    /// Refuses to decode more than the limits on one block and on all of them.
    fn count(&self) -> Result<()> {
        let refused = |limit: LimitName, from: u64, to: u64, what: &str| {
            let message = format!("{what} {to} bytes, more than the limit of {from} bytes");
            let hint = Hint::Raise { limit, from, to: Some(to) };
            Err(self.place(Error::limit(message).with_code(Code::DecodedSize).with_hint(hint)))
        };
        let most = self.reading.limits.decoded_size;
        if self.size > most {
            return refused(LimitName::DecodedSize, most, self.size, "the array decodes to");
        }
        if self.is_counted.swap(true, Ordering::Relaxed) {
            return Ok(());
        }
        self.reading.count_decoded(self.size).or_else(|(total, most)| {
            self.is_counted.store(false, Ordering::Relaxed);
            refused(LimitName::DecodedTotal, most, total, "with the array, blocks decode to")
        })
    }

    fn decode(&self, decode: &dyn Fn() -> Result<Bytes>) -> Result<Bytes> {
        self.count()?;
        let bytes = decode().map_err(|error| self.place(error))?;
        self.check(bytes.len() as u64)?;
        Ok(bytes)
    }

    /// Checks the number of bytes of all elements.
    fn check(&self, length: u64) -> Result<()> {
        if length == self.size {
            return Ok(());
        }
        let message = format!("found {length} bytes, expected {} for the shape of the array", self.size);
        Err(self.place(Error::malformed(message).with_code(Code::Undecodable)))
    }

    /// Returns the source of the elements, if they are stored as they are.
    fn source(&self) -> Result<Option<&Arc<dyn Source>>> {
        match &self.elements {
            Elements::Stored(source) => self.check(source.len()).map(|()| Some(source)),
            Elements::Encoded(_) => Ok(None),
        }
    }

    fn kept(&self) -> MutexGuard<'_, Option<Bytes>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Decodes the elements and keeps them.
    fn all(&self) -> Result<Bytes> {
        let Elements::Encoded(decode) = &self.elements else { return self.read(0..self.size) };
        // Locked meanwhile, so that they are decoded once.
        let mut kept = self.kept();
        if let Some(bytes) = kept.as_ref() {
            return Ok(bytes.clone());
        }
        let bytes = self.decode(decode.as_ref())?;
        self.reading.decoded.keep(self.size);
        *kept = Some(bytes.clone());
        Ok(bytes)
    }
}

impl std::fmt::Debug for ContainedBlock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ContainedBlock({}, {} bytes)", self.describe(), self.size)
    }
}

impl Block for ContainedBlock {
    fn size(&self) -> u64 {
        self.size
    }

    fn read(&self, range: Range<u64>) -> Result<Bytes> {
        if range.start > range.end || range.end > self.size {
            let message = format!(
                "the bytes {} to {} are outside the array, which has {}",
                range.start, range.end, self.size
            );
            return Err(self.place(Error::malformed(message)));
        }
        if let Some(source) = self.source()? {
            return source.read(range).map_err(|error| self.place(error));
        }
        let bytes = self.all()?;
        let place = |at: u64| usize::try_from(at).map_err(|_| Error::beyond_memory(at));
        Ok(bytes.slice(place(range.start)?..place(range.end)?))
    }

    fn read_many(&self, ranges: &[Range<u64>]) -> Result<Vec<Bytes>> {
        match self.source()? {
            Some(source) => source.read_many(ranges).map_err(|error| self.place(error)),
            None => ranges.iter().map(|range| self.read(range.clone())).collect(),
        }
    }

    fn read_into(&self, offset: u64, out: &mut [u8]) -> Result<()> {
        match self.source()? {
            Some(source) => source.read_into(offset, out).map_err(|error| self.place(error)),
            None => {
                out.copy_from_slice(&self.read(offset..offset.saturating_add(out.len() as u64))?);
                Ok(())
            }
        }
    }

    fn is_at_hand(&self) -> bool {
        match &self.elements {
            Elements::Stored(source) => source.lends(),
            Elements::Encoded(_) => true,
        }
    }

    fn is_remote(&self) -> bool {
        self.reading.source.cost().is_high()
    }

    fn remote_part(&self, range: Range<u64>) -> Option<(Arc<dyn Source>, Range<u64>)> {
        let source = self.source().ok()??;
        self.is_remote().then(|| (source.clone(), range))
    }

    fn threads(&self) -> Threads {
        self.reading.threads()
    }

    fn describe(&self) -> String {
        self.name.escape_debug().to_string()
    }

    fn stored(&self) -> Result<Stored> {
        match self.source()? {
            Some(_) => Ok(Stored::InPlace {
                size: self.size,
                label: Label::NONE,
                data_size: self.size,
                checksum: [0; 16],
                // It has no header that could be kept.
                offset: u64::MAX,
                header_size: Header::MIN_SIZE,
            }),
            None => Ok(Stored::Plain { bytes: self.decoded()?, compression: crate::Compression::NONE }),
        }
    }

    fn decoded(&self) -> Result<Bytes> {
        match &self.elements {
            Elements::Stored(_) => self.read(0..self.size),
            Elements::Encoded(decode) => match self.kept().as_ref() {
                Some(bytes) => Ok(bytes.clone()),
                None => self.decode(decode.as_ref()),
            },
        }
    }

    fn release(&self) {
        if self.reading.decoded.kept() <= self.reading.limits.decoded_size {
            return;
        }
        if self.kept().take().is_some() {
            self.reading.decoded.free(self.size);
            // To decode them again counts again.
            self.is_counted.store(false, Ordering::Relaxed);
        }
    }

    fn read_stored(&self, range: Range<u64>) -> Result<Bytes> {
        self.read(range)
    }
}
