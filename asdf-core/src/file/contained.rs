//! The arrays of an ASDF file that are in its container.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::contained_block::ContainedBlock;
use super::container::{ContainedArray, Container};
use super::reading::Reading;
use crate::array::{ByteOrder, Datatype, NdArray};
use crate::error::{Error, Result};
use crate::tree::{NodeRef, Tree};
use crate::value::{FromNode as _, ToNode as _};

/// The container of a file, and the arrays in it.
#[derive(Debug)]
pub(super) struct Contained {
    pub(super) container: Arc<dyn Container>,
    /// The sources of arrays whose shape in the tree is not that in the container.
    misfits: HashMap<String, Misfit>,
    /// The blocks by the address of their arrays, which they keep.
    blocks: Mutex<HashMap<usize, Arc<ContainedBlock>>>,
}

/// An array whose shape in the tree is not that in the container.
#[derive(Debug)]
struct Misfit {
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
        let mut known: HashMap<String, Option<Arc<ContainedArray>>> = HashMap::new();
        let mut wrong = Vec::new();
        for node in tree.root().into_iter().flat_map(NodeRef::walk) {
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
        let named = |error: Error| reading.named(error);
        let Some(array) = self.container.array(source).map_err(named)? else { return Ok(None) };
        if let Some(Misfit { shape, contained }) = self.misfits.get(source) {
            let source = source.escape_debug();
            let message = format!("the array has the shape {shape:?}, but '{source}' has {contained:?}");
            return Err(named(Error::mismatch(message)));
        }
        let mut blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        let address = Arc::as_ptr(&array).addr();
        if let Some(block) = blocks.get(&address) {
            return Ok(Some(block.clone()));
        }
        let block = Arc::new(ContainedBlock::new(source, array, reading.clone()).map_err(named)?);
        blocks.insert(address, block.clone());
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use bytes::Bytes;

    use super::*;
    use crate::error::{Code, Kind};
    use crate::file::{ContainerFormat, Storage};
    use crate::source::{MemorySource, Source};
    use crate::{File, Limits, OpenOptions, WriteOptions};

    /// A format whose files are the word `BOX!` and an ASDF file, and which has three arrays of two big-endian uint16.
    #[derive(Debug, Default)]
    struct BoxFormat(Arc<AtomicUsize>);

    #[derive(Debug)]
    struct BoxFile(Bytes, Vec<(&'static str, Arc<ContainedArray>)>);

    impl ContainerFormat for BoxFormat {
        fn matches(&self, first: &[u8]) -> bool {
            first.starts_with(b"BOX!")
        }

        fn open(&self, source: Arc<dyn Source>) -> Result<Arc<dyn Container>> {
            let arrays = ["stored", "encoded", "short", "other"].map(|name| (name, self.array(name)));
            Ok(Arc::new(BoxFile(source.read(4..source.len())?, arrays.to_vec())))
        }
    }

    impl Container for BoxFile {
        fn format(&self) -> &str {
            "BOX"
        }

        fn asdf(&self) -> Arc<dyn Source> {
            Arc::new(MemorySource::new(self.0.clone()))
        }

        fn array(&self, source: &str) -> Result<Option<Arc<ContainedArray>>> {
            let Some(wanted) = source.strip_prefix("box:") else { return Ok(None) };
            let found = self.1.iter().find(|(name, _)| *name == wanted.trim());
            found
                .map(|(_, array)| Some(array.clone()))
                .ok_or_else(|| Error::mismatch("the box has no such array"))
        }
    }

    impl BoxFormat {
        fn array(&self, name: &str) -> Arc<ContainedArray> {
            let (datatype, order, shape) = (Datatype::Uint16, ByteOrder::Big, vec![2]);
            let bytes = Bytes::from_static(if name == "short" { &[0, 1, 2] } else { &[0, 1, 2, 0] });
            let count = self.0.clone();
            Arc::new(match name {
                "stored" => {
                    ContainedArray::stored(datatype, order, shape, Arc::new(MemorySource::new(bytes)))
                }
                _ => ContainedArray::encoded(datatype, order, shape, move || {
                    count.fetch_add(1, Ordering::Relaxed);
                    Ok(bytes.clone())
                }),
            })
        }
    }

    fn boxed(sources: &[(&str, &str)]) -> Vec<u8> {
        let mut text =
            "BOX!#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n---\n".to_owned();
        for (source, rest) in sources {
            let key = source.trim_start_matches("box:");
            text += &format!("{key}: !core/ndarray-1.1.0 {{source: '{source}', {rest}}}\n");
        }
        (text + "...\n").into_bytes()
    }

    const RIGHT: &str = "datatype: uint16, byteorder: big, shape: [2]";

    fn open(bytes: Vec<u8>, limits: Limits) -> (File, Arc<AtomicUsize>) {
        let format = BoxFormat::default();
        let count = format.0.clone();
        let options = OpenOptions::new().limits(limits).container(Arc::new(format));
        (options.open_bytes(bytes).unwrap(), count)
    }

    #[test]
    fn elements_are_decoded_once_and_only_if_they_are_read() {
        let (file, count) = open(boxed(&[("box:stored", RIGHT), ("box:encoded", RIGHT)]), Limits::default());
        let (stored, encoded) = (file.array("/stored").unwrap(), file.array("/encoded").unwrap());
        stored.check().unwrap();
        encoded.check().unwrap();
        assert_eq!(count.load(Ordering::Relaxed), 0);
        for _ in 0..2 {
            assert_eq!(stored.read::<u16>().unwrap(), [1, 512]);
            assert_eq!(encoded.read::<u16>().unwrap(), [1, 512]);
        }
        assert_eq!(count.load(Ordering::Relaxed), 1);
        let block = file.tree().blocks().file().unwrap().external("box:encoded").unwrap();
        let again = file.tree().blocks().file().unwrap().external("box: encoded ").unwrap();
        assert!(Arc::ptr_eq(&block, &again), "other spellings do not lead around the limits");
        assert_eq!((block.size(), block.describe().as_str(), block.is_at_hand()), (4, "box:encoded", true));
        assert_eq!(block.read(3..5).unwrap_err().kind(), Kind::Malformed);
        assert_eq!(block.read_many(&[0..1, 2..4]).unwrap(), [&[0][..], &[2, 0]]);
        // Blocks of the container are not blocks of an ASDF file.
        assert_eq!(file.external_block("box:stored").unwrap_err().kind(), Kind::Unsupported);
        assert_eq!(file.blocks().unwrap().len(), 0);
    }

    #[test]
    fn faults_of_one_array_are_its_own() {
        let sources = [
            ("box:none", RIGHT),
            ("box:short", RIGHT),
            ("box:stored", "datatype: uint16, byteorder: big, shape: [2, 1]"),
            ("box:encoded", "datatype: float64, byteorder: little, shape: [2]"),
        ];
        let (file, _) = open(boxed(&sources), Limits::default());
        let fault = |path: &str| file.array(path).unwrap().read::<u16>().unwrap_err().to_string();
        assert!(fault("/none").contains("the box has no such array"));
        assert!(fault("/short").contains("'box:short': found 3 bytes, expected 4"), "{}", fault("/short"));
        let shape = fault("/stored");
        assert!(shape.contains("the array has the shape [2, 1], but 'box:stored' has [2]"), "{shape}");
        // The container knows the datatype.
        assert_eq!(file.array("/encoded").unwrap().read::<u16>().unwrap(), [1, 512]);
        assert!(file.to_bytes().is_err());
    }

    #[test]
    fn decoded_arrays_count_for_the_limits() {
        let limits = Limits { decoded_size: 3, ..Limits::default() };
        let (file, count) = open(boxed(&[("box:encoded", RIGHT), ("box:stored", RIGHT)]), limits);
        let error = file.array("/encoded").unwrap().read::<u16>().unwrap_err();
        assert_eq!((error.kind(), error.code()), (Kind::Limit, Some(Code::DecodedSize)));
        assert_eq!(count.load(Ordering::Relaxed), 0);
        file.array("/stored").unwrap().read::<u16>().unwrap();
        let limits = Limits { decoded_total: Some(7), ..Limits::default() };
        let (file, _) = open(boxed(&[("box:encoded", RIGHT), ("box:other", RIGHT)]), limits);
        file.array("/encoded").unwrap().read::<u16>().unwrap();
        assert_eq!(file.array("/other").unwrap().read::<u16>().unwrap_err().kind(), Kind::Limit);
    }

    #[test]
    fn arrays_are_written_into_blocks_of_every_storage() {
        let folder = tempfile::tempdir().unwrap();
        let sources = [("box:stored", RIGHT), ("box:encoded", "datatype: int16, byteorder: big, shape: [2]")];
        let path = folder.path().join("x.box");
        std::fs::write(&path, boxed(&sources)).unwrap();
        let mut file = OpenOptions::new().container(Arc::new(BoxFormat::default())).open(&path).unwrap();
        for storage in [Storage::Kept, Storage::Internal, Storage::Inline, Storage::External] {
            let to = folder.path().join(format!("{storage:?}.asdf"));
            WriteOptions::new().storage(storage).write(&file, &to).unwrap();
            let plain = File::open(&to).unwrap();
            for path in ["/stored", "/encoded"] {
                assert_eq!(plain.array(path).unwrap().read::<u16>().unwrap(), [1, 512], "{storage:?} {path}");
                assert_eq!(plain.array(path).unwrap().is_inline(), storage == Storage::Inline);
            }
        }
        // Nor is the container changed.
        file.set("/a", &1).unwrap();
        let refused = "the ASDF file is inside a BOX file, which cannot be changed";
        assert_eq!(file.update().unwrap_err().message(), refused);
        assert_eq!(file.write(&path).unwrap_err().message(), refused);
        assert_eq!(std::fs::read(&path).unwrap(), boxed(&sources));
        // An array keeps its elements in the tree of another file.
        let mut other = File::new();
        other.set("/a", &file.array("/encoded").unwrap()).unwrap();
        let other = File::from_bytes(other.to_bytes().unwrap()).unwrap();
        assert_eq!(other.array("/a").unwrap().read::<u16>().unwrap(), [1, 512]);
    }

    #[test]
    fn references_lead_into_containers() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("x.box"), boxed(&[("box:stored", RIGHT)])).unwrap();
        let mut file = File::new();
        file.set("/a", &crate::value::Reference::new("x.box#/stored")).unwrap();
        let path = folder.path().join("x.asdf");
        file.write(&path).unwrap();
        assert!(File::open(&path).unwrap().resolve_references().is_err());
        let mut file = OpenOptions::new().container(Arc::new(BoxFormat::default())).open(&path).unwrap();
        assert_eq!(file.resolve_references().unwrap(), 1);
        assert_eq!(file.array("/a").unwrap().read::<u16>().unwrap(), [1, 512]);
        assert_eq!(
            File::from_bytes(file.to_bytes().unwrap()).unwrap().array("/a").unwrap().source(),
            Some(0)
        );
    }
}
