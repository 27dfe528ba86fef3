//! The plan of a file to be written: the text of its tree and its blocks in order.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use super::atomic::Output;
use super::encoder::Encoder;
use super::placement::{self, Sibling};
use super::prepared::{Checksums, Prepared, Slot, zeros};
use super::relocate_uris::Move;
use super::survey::Survey;
use super::{File, WriteOptions, provenance};
use crate::block::codec::Codecs;
use crate::block::{self, index};
use crate::error::{Error, Result};
use crate::tree::{ASDF_TAG, Block, NodeId, Tree};
use crate::yaml;

/// The default alignment. A map can lend all elements that are aligned to it, except those of 128 bits.
pub(super) const USUAL_ALIGNMENT: u64 = 8;

/// The tree of a file with its arrays moved to where they will be stored. It is copied only if it has to change.
pub(super) struct Arranged<'f> {
    file: &'f File,
    pub(super) tree: Cow<'f, Tree>,
    pub(super) survey: Survey,
    /// The blocks of the file that arrays referred to before the tree was changed.
    owned: Cow<'f, BTreeSet<u64>>,
    /// Other files that hold arrays of this one.
    pub(super) siblings: Vec<Sibling>,
}

impl<'f> Arranged<'f> {
    /// `path` is the path of the file to be written.
    pub(super) fn new(options: &WriteOptions, file: &'f File, path: Option<&Path>) -> Result<Self> {
        if let Some(blocks) = file.blocks.as_ref().filter(|_| !options.accept_damage) {
            blocks.refuse_other_numbers()?;
        }
        let moved = Move::between(file, path);
        let mut tree = Cow::Borrowed(file.tree());
        let mut survey = Survey::of(&tree, moved.is_some());
        let owned = match &file.owned {
            Some(owned) => Cow::Borrowed(owned),
            None => Cow::Owned(survey.referenced(&tree)),
        };
        let standard = (file.standard().major, file.standard().minor, file.standard().patch);
        if tree.standard() != standard {
            tree.to_mut().set_standard(standard);
        }
        let mut siblings = Vec::new();
        if moved.is_some() || !options.keeps_storage() || file.container().is_some() {
            siblings = placement::arrange(tree.to_mut(), &survey, options, moved.as_ref(), path)?;
            survey = Survey::of(&tree, false);
        }
        Ok(Self { file, tree, survey, owned, siblings })
    }

    /// The blocks of the table that are written: those that arrays refer to.
    ///
    /// If some blocks of the file never belonged to an array, all of its blocks are written: a node with an unknown tag can
    /// refer to a block by number.
    pub(super) fn kept(&self) -> Result<Vec<u64>> {
        let count = self.tree.blocks().count()?;
        // A new file whose first array is from another file has the blocks of that file in its table, but not as its own.
        let own = self.tree.blocks().file().filter(|_| self.file.blocks.is_some());
        let of_file = own.map_or(Ok(0), |file| file.count())?;
        let referenced = self.survey.referenced(&self.tree);
        let foreign = (0..of_file).any(|number| !self.owned.contains(&number));
        Ok((0..count)
            .filter(|number| referenced.contains(number) || (foreign && *number < of_file))
            .collect())
    }

    /// Decides which blocks are written, and writes their new numbers into the tree.
    fn number(&mut self) -> Result<Vec<Arc<dyn Block>>> {
        let kept = self.kept()?;
        self.renumber(&kept.iter().copied().zip(0..).collect())?;
        kept.into_iter().map(|number| self.tree.blocks().block(signed(number)?)).collect()
    }

    /// Writes new numbers of blocks into the tree. `new` maps old numbers to new ones.
    pub(super) fn renumber(&mut self, new: &BTreeMap<u64, u64>) -> Result<()> {
        let count = self.tree.blocks().count()?;
        for array in &mut self.survey.blocks {
            let number = u64::try_from(array.source).ok();
            let old = number.or_else(|| count.checked_sub(array.source.unsigned_abs()));
            let Some(&new) = old.and_then(|old| new.get(&old)).filter(|&&new| number != Some(new)) else {
                continue;
            };
            array.written = Some(new);
            let tree = self.tree.to_mut();
            let number = tree.add_int(new);
            tree.insert(array.node, "source", number);
        }
        Ok(())
    }

    /// The text of the header and the tree.
    pub(super) fn text(&mut self, options: &WriteOptions) -> Result<String> {
        text(options, self.file, &mut self.tree, &self.survey)
    }
}

/// Everything that is to be written.
pub(super) struct Plan<'o> {
    options: &'o WriteOptions,
    pub(super) text: String,
    pub(super) tree: Cow<'o, Tree>,
    survey: Survey,
    codecs: Codecs,
    blocks: Vec<Arc<dyn Block>>,
    /// Other files that hold arrays of this one.
    pub(super) siblings: Vec<Sibling>,
    /// Whether the last block is streamed.
    streamed: bool,
}

impl<'o> Plan<'o> {
    /// Decides what is written; `path` names the siblings of an exploded file.
    pub(super) fn new(options: &'o WriteOptions, file: &'o File, path: Option<&Path>) -> Result<Self> {
        let mut arranged = Arranged::new(options, file, path)?;
        let blocks = arranged.number()?;
        Self::of(options, arranged, blocks, false)
    }

    /// Adds a streamed block at the end, for the array of a node of the file's tree whose `source` is not set yet.
    pub(super) fn streaming(
        options: &'o WriteOptions,
        file: &'o File,
        path: &Path,
        array: NodeId,
    ) -> Result<Self> {
        let mut arranged = Arranged::new(options, file, Some(path))?;
        let blocks = arranged.number()?;
        let tree = arranged.tree.to_mut();
        let last = tree.add_int(-1);
        tree.insert(array, "source", last);
        Self::of(options, arranged, blocks, true)
    }

    fn of(
        options: &'o WriteOptions,
        mut arranged: Arranged<'o>,
        blocks: Vec<Arc<dyn Block>>,
        streamed: bool,
    ) -> Result<Self> {
        let text = arranged.text(options)?;
        let codecs = options.codecs_for(arranged.file);
        let Arranged { tree, survey, siblings, .. } = arranged;
        Ok(Self { options, text, tree, survey, codecs, blocks, siblings, streamed })
    }

    /// Plans a file that holds only one block, for an array of another file.
    pub(super) fn sibling(options: &'o WriteOptions, file: &File, block: Arc<dyn Block>) -> Result<Self> {
        let mut empty = File::new();
        empty.set_standard(file.standard());
        let (mut tree, survey) = (Cow::Owned(empty.tree().clone()), Survey::default());
        let text = text(options, &empty, &mut tree, &survey)?;
        let codecs = options.codecs_for(file);
        let (blocks, siblings) = (vec![block], Vec::new());
        Ok(Self { options, text, tree, survey, codecs, blocks, siblings, streamed: false })
    }

    pub(super) fn write(&self, out: &mut dyn Output) -> Result<()> {
        let io = |error| Error::io("writing", error);
        out.write_all(self.text.as_bytes()).map_err(io)?;
        let mut at = self.text.len() as u64;
        let space = self.options.padding.of(at);
        if space > 0 && (self.streamed || !self.blocks.is_empty()) {
            zeros(space, out)?;
            at += space;
        }
        let mut offsets = Vec::with_capacity(self.blocks.len());
        let mut checksums = Checksums::new(self.codecs.threads);
        let encoder = Encoder::new(self.options, self.codecs.clone(), &self.tree, &self.survey);
        let mut blocks = (0..).zip(&self.blocks);
        loop {
            let some = Prepared::some(&mut blocks, &encoder, self.options.checksums, out.is_stream())?;
            if some.is_empty() {
                break;
            }
            for prepared in some {
                let mut slot = self.options.slot(at, prepared.used())?;
                // A block that does not move keeps its header size.
                if let Some(size) = prepared.header_size_at(at).filter(|_| self.options.alignment.is_none()) {
                    slot.header_size = size;
                }
                let later = prepared.write_once(slot, out)?;
                checksums.add(later, out)?;
                offsets.push(at);
                at = slot.end();
            }
        }
        if self.streamed {
            let slot = Slot { allocated: 0, ..self.options.slot(at, 0)? };
            Prepared::streamed().write(slot, out)?;
        } else if self.options.index {
            out.write_all(index::emit(&offsets).as_bytes()).map_err(io)?;
        }
        checksums.finish(out)?;
        out.flush().map_err(io)
    }
}

impl WriteOptions {
    /// The space for a block with `used` stored bytes at an offset.
    pub(super) fn slot(&self, offset: u64, used: u64) -> Result<Slot> {
        let header_size = aligned_header(offset, self.alignment.unwrap_or(USUAL_ALIGNMENT));
        let allocated = used
            .checked_add(self.padding.of(used))
            .ok_or_else(|| Error::limit("the padding after a block is larger than a file can be"))?;
        Ok(Slot { offset, header_size, allocated, checksum: self.checksums })
    }
}

/// The `header_size` with which the data of a block at an offset are aligned.
pub(super) fn aligned_header(offset: u64, alignment: u64) -> u16 {
    let data = offset.saturating_add(block::Header::LEN as u64);
    let more = data.checked_next_multiple_of(alignment).map_or(0, |aligned| aligned - data);
    // A checked alignment cannot be too large for the field.
    u16::try_from(more).unwrap_or(0).saturating_add(block::Header::MIN_SIZE)
}

/// The text of the header and the tree.
fn text(options: &WriteOptions, file: &File, tree: &mut Cow<'_, Tree>, survey: &Survey) -> Result<String> {
    let mut text = file.header().emit();
    if tree.root().is_some() {
        if options.sign {
            provenance::sign(tree, survey, file.standard(), &file.extensions)?;
        }
        if tree.handles().is_empty() {
            tree.to_mut().set_handle("!", ASDF_TAG);
        }
        // A tree that was read keeps its text, except for the changes.
        let tree_text = yaml::write(tree)?;
        text.push_str(&tree_text);
        if !text.ends_with('\n') {
            text.push('\n');
        }
    }
    Ok(text)
}

/// The number of a block in the type that nodes use.
pub(super) fn signed(number: u64) -> Result<i64> {
    i64::try_from(number).map_err(|_| Error::limit("too many blocks"))
}

#[cfg(test)]
#[cfg(feature = "mmap")]
mod tests {
    use super::*;
    use crate::array::{Datatype, NdArray};
    use crate::file::{OpenOptions, Padding, Storage, StreamOptions, UpdateOptions};
    use crate::tree::NodeRef;
    use crate::value::FromNode as _;

    /// The number of arrays of a mapped file, and the number of those that lend their elements.
    fn lent(path: &Path) -> (usize, usize) {
        let file = OpenOptions::new().mmap(true).open(path).unwrap();
        let arrays = file
            .tree()
            .root()
            .into_iter()
            .flat_map(NodeRef::walk)
            .filter(|node| node.own_tag().is_some_and(NdArray::accepts_tag));
        let arrays: Vec<NdArray> = arrays.map(|node| NdArray::from_node(node).unwrap()).collect();
        let lends = |array: &&NdArray| match array.view::<f64>() {
            Ok(view) => view.as_slice().is_some(),
            Err(_) => array.view::<u8>().unwrap().as_slice().is_some(),
        };
        (arrays.len(), arrays.iter().filter(lends).count())
    }

    /// A file with arrays of bytes of many lengths, each followed by an array of floats.
    fn arrays(count: u64) -> File {
        let mut file = File::new();
        for number in 0..count {
            let bytes = vec![0_u8; usize::try_from(number).unwrap()];
            file.set(&format!("/bytes{number}"), &NdArray::from_vec(&[number], bytes).unwrap()).unwrap();
            file.set(&format!("/numbers{number}"), &NdArray::from_vec(&[1], vec![1.5_f64]).unwrap()).unwrap();
        }
        file
    }

    #[test]
    fn a_map_lends_every_array_of_a_file_that_was_written_by_default() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.asdf");
        arrays(50).write(&path).unwrap();
        assert_eq!(lent(&path), (100, 100));
        WriteOptions::new().padding(Padding::Bytes(3)).write(&arrays(50), &path).unwrap();
        assert_eq!(lent(&path), (100, 100));
        WriteOptions::new().alignment(1).write(&arrays(50), &path).unwrap();
        assert!(lent(&path).1 < 100, "without alignment some are not lent");
        WriteOptions::new()
            .storage(Storage::External)
            .write(&arrays(5), folder.path().join("y.asdf"))
            .unwrap();
        assert_eq!(lent(&folder.path().join("y.asdf")), (10, 10));
    }

    #[test]
    fn streams_and_updates_are_aligned_too() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.asdf");
        let datatype = Datatype::Float64;
        let mut stream = StreamOptions::new().create(&path, &arrays(6), "/rows", datatype, &[]).unwrap();
        stream.push(&[1.0_f64, 2.0]).unwrap();
        stream.finish().unwrap();
        assert_eq!(lent(&path), (13, 13));
        for in_place in [false, true] {
            arrays(6).write(&path).unwrap();
            let mut file = File::open(&path).unwrap();
            file.set("/bytes3", &NdArray::from_vec(&[8], vec![2.5_f64; 8]).unwrap()).unwrap();
            file.set("/bytes5", &NdArray::from_vec(&[5], vec![2_u8; 5]).unwrap()).unwrap();
            file.set("/numbers4", &NdArray::from_vec(&[4], vec![3.5_f64; 4]).unwrap()).unwrap();
            UpdateOptions::new().in_place(in_place).update(&mut file).unwrap();
            assert_eq!(lent(&path), (12, 12));
        }
    }

    /// In files of other programs, which are not aligned, a new block of the same size gets the place of the old one.
    #[test]
    fn an_update_prefers_free_space_to_alignment() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.asdf");
        let place =
            |path: &Path| File::open(path).unwrap().blocks().unwrap().iter().map(|b| b.offset()).collect();
        WriteOptions::new().alignment(1).write(&arrays(6), &path).unwrap();
        let before: Vec<u64> = place(&path);
        let len = std::fs::metadata(&path).unwrap().len();
        for (alignment, stays) in [(None, true), (Some(64), false)] {
            let options = WriteOptions { alignment, ..WriteOptions::new() };
            let mut file = File::open(&path).unwrap();
            file.set("/numbers3", &NdArray::from_vec(&[1], vec![9.5_f64]).unwrap()).unwrap();
            UpdateOptions::new().write_options(options).update(&mut file).unwrap();
            assert_eq!(file.array("/numbers3").unwrap().read::<f64>().unwrap(), [9.5]);
            let after: Vec<u64> = place(&path);
            assert_eq!((after == before, std::fs::metadata(&path).unwrap().len() == len), (stays, stays));
        }
    }

    #[test]
    fn of_the_blocks_without_an_array_only_those_of_the_old_file_are_written() {
        let mut file = File::new();
        file.set("/a", &NdArray::new(&[3], &[1_u8, 2, 3]).unwrap()).unwrap();
        let text = String::from_utf8_lossy(&file.to_bytes().unwrap()).find("core/ndarray").unwrap();
        let mut bytes = file.to_bytes().unwrap();
        // A node of another program that refers to the block.
        bytes[text..text + 12].copy_from_slice(b"core/another");
        let mut file = File::from_bytes(bytes).unwrap();
        for value in 4..7_u8 {
            file.set("/b", &NdArray::new(&[3], &[value; 3]).unwrap()).unwrap();
        }
        let written = File::from_bytes(file.to_bytes().unwrap()).unwrap();
        let blocks = written.blocks().unwrap();
        let data: Vec<Vec<u8>> = blocks.iter().map(|block| block.stored_bytes().unwrap().to_vec()).collect();
        assert_eq!(data, [[1, 2, 3], [6, 6, 6]]);
    }
}
