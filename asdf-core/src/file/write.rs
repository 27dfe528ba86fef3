//! Writing files.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use super::{File, Header, Version, atomic, blocks, library};
use crate::array::NdArray;
use crate::block::codec::{Codecs, Encoding};
use crate::block::{self, Codec, Compression, Label, index, md5};
use crate::error::{Error, Result};
use crate::tree::{ASDF_TAG, Block, Kind, NodeId, NodeRef, Stored, Tree};
use crate::value::FromNode;
use crate::yaml;

/// The tag of a root made here.
pub(super) const ROOT_TAG: &str = "tag:stsci.edu:asdf/core/asdf-1.1.0";

/// How a file is written.
#[derive(Debug, Clone)]
pub struct WriteOptions {
    compression: Option<Compression>,
    checksums: bool,
    index: bool,
    sign: bool,
    codecs: Codecs,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self { compression: None, checksums: true, index: true, sign: true, codecs: Codecs::new() }
    }
}

impl WriteOptions {
    /// The defaults: each block with the codec that it has, checksums, a block index,
    /// `asdf_library` and `history.extensions` set.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A codec for all blocks, instead of each array's own.
    #[must_use]
    pub fn compression(mut self, compression: Compression) -> Self {
        self.compression = Some(compression);
        self
    }

    /// Adds a codec of the program's own, for blocks of its label. Those that the file was opened
    /// with are there already. See [`Codec`].
    #[must_use]
    pub fn codec(mut self, codec: Arc<dyn Codec>) -> Self {
        self.codecs.add(codec);
        self
    }

    /// Whether to store the MD5 of each block's bytes.
    #[must_use]
    pub fn checksums(mut self, yes: bool) -> Self {
        self.checksums = yes;
        self
    }

    /// Whether to end the file with a block index.
    #[must_use]
    pub fn index(mut self, yes: bool) -> Self {
        self.index = yes;
        self
    }

    /// Whether to set `asdf_library` to this library and list the core extension in
    /// `history.extensions`. Without it the tree is written as it is.
    #[must_use]
    pub fn sign(mut self, yes: bool) -> Self {
        self.sign = yes;
        self
    }

    /// Writes a file, atomically: a new file is made in the same folder, put on the disk and renamed.
    /// What stood at the path before is whole until then, and stays on any error.
    ///
    /// Blocks are written one after the other, in the order of their numbers. Those of the opened
    /// file that no array refers to any more are left out, and the others numbered anew, unless the
    /// file has blocks that never were an array's: then an unknown tag may refer to them by number,
    /// and all keep their numbers.
    ///
    /// # Errors
    /// When the file cannot be written, the tree is too deep or too large, or a block of the opened
    /// file cannot be read.
    pub fn write(&self, file: &File, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        let plan = self.plan(file).map_err(|error| file.named(error))?;
        atomic::replace(path, |out| plan.write(out).map_err(|error| error.at_file(path)))
    }

    /// The bytes of a file.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn to_bytes(&self, file: &File) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        self.plan(file)?.write(&mut out)?;
        Ok(out)
    }

    fn plan(&self, file: &File) -> Result<Plan<'_>> {
        let mut tree = file.tree().clone();
        tree.set_standard((file.standard().major, file.standard().minor, file.standard().patch));
        let (blocks, arrays) = number(file, &mut tree)?;
        let mut text = file.header().emit();
        if tree.root().is_some() {
            if self.sign {
                library::sign(&mut tree, file.standard())?;
            }
            if tree.handles().is_empty() {
                tree.set_handle("!", ASDF_TAG);
            }
            // A tree that was read keeps its text, but for what was changed in it.
            let tree_text = yaml::write(&tree)?;
            text.push_str(&tree_text);
            if !text.ends_with('\n') {
                text.push('\n');
            }
        }
        let mut codecs = self.codecs.clone();
        if let Some(blocks) = &file.blocks {
            codecs.add_all(blocks.codecs());
        }
        Ok(Plan { options: self, text, blocks, tree, arrays, codecs })
    }
}

/// The first array of each block, by the number that the block is written under.
type Arrays = BTreeMap<u64, NodeId>;

/// Decides which blocks are written under which number, and says so in the tree.
fn number(file: &File, tree: &mut Tree) -> Result<(Vec<Arc<dyn Block>>, Arrays)> {
    let count = tree.blocks().count()?;
    let of_file = tree.blocks().file().map_or(Ok(0), |file| file.count())?;
    let referenced = file.referenced();
    let owned = file.owned.as_ref().unwrap_or(&referenced);
    // A block of the file that was nobody's may be known by number to a tag that we do not know.
    let foreign = (0..of_file).any(|number| !owned.contains(&number));
    let kept: Vec<u64> =
        (0..count).filter(|number| referenced.contains(number) || (foreign && *number < of_file)).collect();
    let new: BTreeMap<u64, u64> = kept.iter().zip(0..).map(|(&old, new)| (old, new)).collect();
    let mut arrays = Arrays::new();
    let moves: Vec<_> = tree
        .root()
        .into_iter()
        .flat_map(NodeRef::walk)
        .filter_map(|node| {
            let source = node.block_reference()?;
            let old = source.as_i64()?;
            let old = u64::try_from(old).ok().or_else(|| count.checked_sub(old.unsigned_abs()))?;
            let new = *new.get(&old)?;
            arrays.entry(new).or_insert(node.id());
            (source.as_u64() != Some(new)).then_some((node.id(), new))
        })
        .collect();
    for (id, number) in moves {
        let number = tree.add_int(number);
        tree.insert(id, "source", number);
    }
    let signed = |number: u64| i64::try_from(number).map_err(|_| Error::limit("there are too many blocks"));
    let blocks =
        kept.into_iter().map(|number| tree.blocks().block(signed(number)?)).collect::<Result<_>>()?;
    Ok((blocks, arrays))
}

/// All that is to be written.
struct Plan<'o> {
    options: &'o WriteOptions,
    text: String,
    blocks: Vec<Arc<dyn Block>>,
    tree: Tree,
    arrays: Arrays,
    codecs: Codecs,
}

impl Plan<'_> {
    fn write(&self, out: &mut dyn Write) -> Result<()> {
        let io = |error| Error::io("writing", error);
        out.write_all(self.text.as_bytes()).map_err(io)?;
        let mut at = self.text.len() as u64;
        let mut offsets = Vec::with_capacity(self.blocks.len());
        for (number, block) in (0..).zip(&self.blocks) {
            let (header, bytes) = self.encode(number, block.as_ref())?;
            let header = header.emit();
            out.write_all(&header).map_err(io)?;
            out.write_all(&bytes).map_err(io)?;
            offsets.push(at);
            at += (header.len() + bytes.len()) as u64;
        }
        if self.options.index {
            out.write_all(index::emit(&offsets).as_bytes()).map_err(io)?;
        }
        out.flush().map_err(io)
    }

    /// The header and the stored bytes of a block. Bytes that are encoded already are not encoded
    /// again, unless another codec is asked for.
    fn encode(&self, number: u64, block: &dyn Block) -> Result<(block::Header, bytes::Bytes)> {
        let (bytes, label, data_size) = match (block.stored()?, self.options.compression) {
            (Stored::Encoded { bytes, label, data_size }, None) => (bytes, blocks::label(label), data_size),
            (Stored::Encoded { bytes, label, data_size }, Some(wanted))
                if wanted.label().bytes() == label =>
            {
                (bytes, blocks::label(label), data_size)
            }
            (Stored::Encoded { .. }, Some(wanted)) => {
                self.compress(number, block.read(0..block.size())?, wanted.label(), &encoding(wanted))?
            }
            (Stored::Plain { bytes, .. }, Some(wanted)) => {
                self.compress(number, bytes, wanted.label(), &encoding(wanted))?
            }
            (Stored::Plain { bytes, label, level, chunk }, None) => {
                let how = Encoding { level, chunk, ..Encoding::new() };
                self.compress(number, bytes, blocks::label(label), &how)?
            }
        };
        let used = bytes.len() as u64;
        let header = block::Header {
            header_size: block::Header::MIN_SIZE,
            flags: 0,
            compression: label,
            allocated_size: used,
            used_size: used,
            data_size,
            checksum: if self.options.checksums { md5(&bytes) } else { [0; 16] },
        };
        Ok((header, bytes))
    }

    fn compress(
        &self,
        number: u64,
        bytes: bytes::Bytes,
        label: Label,
        how: &Encoding,
    ) -> Result<(bytes::Bytes, Label, u64)> {
        let size = bytes.len() as u64;
        if label.is_none() {
            return Ok((bytes, label, size));
        }
        let codec = self.codecs.find(label)?;
        let (item, row) = self.rows(number, how.chunk.unwrap_or(Encoding::CHUNK));
        Ok((codec.encode(&bytes, &how.with_rows(item, row))?.into(), label, size))
    }

    /// Bytes of an element of the array that a block is of, and of the largest part (row, plane, and
    /// so on) that fits into a chunk; 0 for what is not known.
    fn rows(&self, number: u64, chunk: u64) -> (u64, u64) {
        let node = self.arrays.get(&number).map(|&id| self.tree.node(id));
        let Some(array) = node.and_then(|node| NdArray::from_node(node).ok()) else { return (0, 0) };
        let item = array.datatype().size().unwrap_or(0);
        // A view of a part of the block says nothing about its rows.
        let packed = array.strides().is_none() && array.offset() == 0;
        let inner = array.shape().get(1..).filter(|_| packed).unwrap_or_default();
        let row = inner
            .iter()
            .rev()
            .try_fold(item, |row, &n| row.checked_mul(n).filter(|&row| row <= chunk).ok_or(row));
        (item, row.unwrap_or_else(|fitting| fitting))
    }
}

fn encoding(wanted: Compression) -> Encoding {
    Encoding { level: wanted.level(), chunk: wanted.chunk(), ..Encoding::new() }
}

impl File {
    /// Adds an entry to the file's history: what was done to it, when (an ISO 8601 time in UTC, such
    /// as `2026-11-20 12:30:00`), and by which program.
    ///
    /// # Errors
    /// [`Mismatch`](crate::ErrorKind::Mismatch) when the history that is there is of another form.
    pub fn add_history(
        &mut self,
        description: &str,
        time: Option<&str>,
        software: Option<&super::Software>,
    ) -> Result<()> {
        library::add_entry(self.tree_mut(), description, time, software)
    }

    /// Sets the version of the ASDF Standard to write, for a file without a tree or with one made
    /// here. The tags of values that are in the tree already stay.
    pub fn set_standard(&mut self, version: Version) {
        let comments = std::mem::take(&mut self.header.comments);
        self.header = Header::new(version);
        self.header.comments = comments;
        self.tree.set_standard((version.major, version.minor, version.patch));
        let root =
            self.tree.root().filter(|root| root.kind() == Kind::Mapping && root.tag() == Some(ROOT_TAG));
        if let (Some(root), true) = (root.map(|root| root.id()), version < Version::new(1, 2, 0)) {
            self.tree.set_tag(root, Some("tag:stsci.edu:asdf/core/asdf-1.0.0"));
        }
    }
}
