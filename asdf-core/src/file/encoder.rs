//! Encoding the data of new blocks.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;

use super::survey::{Survey, path_of};
use super::watch::Watch;
use super::{File, WriteOptions};
use crate::array::{ChunkedArray, NdArray};
use crate::block::codec::{Codecs, Encoding, LARGEST_PART};
use crate::block::{Compression, Label};
use crate::error::{Error, Hint, Result};
use crate::threads::Threads;
use crate::tree::{Block, NodeId, NodeRef, Stored, Tree};
use crate::value::FromNode;

/// The available codecs, and the arrays of the tree, which say how long the rows in each block are.
#[derive(Debug)]
pub(super) struct Encoder<'t> {
    /// The compression of all blocks, if one was requested.
    wanted: Option<Compression>,
    /// The number of rows in each frame, if it was requested.
    frame_rows: Option<u64>,
    /// Whether damaged blocks get a new checksum.
    pub(super) accept_damage: bool,
    codecs: Codecs,
    tree: &'t Tree,
    /// The first array of each block.
    arrays: BTreeMap<u64, NodeId>,
    /// The arrays of each block that can be written in frames of rows; empty unless that was requested.
    in_frames: BTreeMap<u64, Vec<NodeId>>,
    /// Counts encoded bytes.
    pub(super) watch: Watch,
}

impl<'t> Encoder<'t> {
    /// Makes an encoder, which identifies blocks by their numbers in the new file.
    pub(super) fn new(options: &WriteOptions, codecs: Codecs, tree: &'t Tree, survey: &Survey) -> Self {
        let arrays = survey.first_arrays();
        let mut in_frames = BTreeMap::<_, Vec<_>>::new();
        if options.frame_rows.is_some() {
            let chunks = chunks(tree);
            for (number, node) in survey.numbered().filter(|(_, node)| !chunks.contains(node)) {
                in_frames.entry(number).or_default().push(node);
            }
        }
        Self {
            wanted: options.compression,
            frame_rows: options.frame_rows,
            accept_damage: options.accept_damage,
            codecs,
            tree,
            arrays,
            in_frames,
            watch: options.watch.clone(),
        }
    }

    /// The threads for encoding and for computing checksums.
    pub(super) fn threads(&self) -> Threads {
        self.codecs.threads
    }

    /// Returns an error if a block is damaged that would get a new checksum, unless that is accepted.
    pub(super) fn refuse_damage(&self, number: u64, block: &dyn Block) -> Result<()> {
        let error = match block.damage() {
            Ok(Some(damage)) if !self.accept_damage => damage.replace_hint(Hint::AcceptDamage),
            Ok(_) => return Ok(()),
            Err(error) => error,
        };
        let array = self.arrays.get(&number).filter(|_| error.path().is_none());
        Err(match array.and_then(|&array| path_of(self.tree, array)) {
            Some(path) => error.at_path(&path),
            None => error,
        })
    }

    /// Returns the requested compression of a block; `None` if it keeps what it is stored with.
    pub(super) fn requested(&self, number: u64, stored: &Stored) -> Result<Option<Compression>> {
        let (kept, size, own) = match stored {
            Stored::Plain { bytes, compression } => (None, bytes.len() as u64, *compression),
            Stored::Encoded { label, data_size, .. } | Stored::InPlace { label, data_size, .. } => {
                (Some(*label), *data_size, Compression::new(*label))
            }
        };
        let wanted = self.wanted.filter(|wanted| kept != Some(wanted.label()));
        let compression = self.wanted.unwrap_or(own);
        let frame = self.frame(number, size, compression.label())?;
        Ok(frame.map(|frame| compression.with_chunk(frame)).or(wanted))
    }

    /// Returns the bytes of data in each frame of a block; `None` if it is not written in frames of rows.
    fn frame(&self, number: u64, size: u64, label: Label) -> Result<Option<u64>> {
        let Some(rows) = self.frame_rows.filter(|_| !label.is_none()) else { return Ok(None) };
        if !self.codecs.find(label).is_ok_and(|codec| codec.has_chunks()) {
            return Ok(None);
        }
        let Some((node, array)) = self.whole(number, size) else { return Ok(None) };
        let count = array.shape().first().copied().unwrap_or(0);
        let row = size.checked_div(count).filter(|&row| row > 0 && count > 1);
        let Some(frame) = row.map(|row| row.saturating_mul(rows).min(size)) else { return Ok(None) };
        if frame <= LARGEST_PART as u64 {
            return Ok(Some(frame));
        }
        let error = Error::usage(format!(
            "found frames of {} rows with {frame} bytes, expected at most {LARGEST_PART} bytes",
            rows.min(count)
        ));
        let error = error.with_hint("use fewer rows in each frame");
        Err(match path_of(self.tree, node) {
            Some(path) => error.at_path(&path),
            None => error,
        })
    }

    /// Returns the first array that consists of all data of a block in C order, if blocks are written in frames.
    fn whole(&self, number: u64, size: u64) -> Option<(NodeId, NdArray)> {
        let nodes = self.in_frames.get(&number)?;
        nodes.iter().find_map(|&id| {
            let array = NdArray::from_node(self.tree.node(id)).ok()?;
            let packed = array.strides().is_none() && array.offset() == 0;
            let bytes = array.datatype().size().ok()?.checked_mul(array.len())?;
            (packed && bytes == size).then_some((id, array))
        })
    }

    /// Encodes the data of a block, and passes the stored bytes to `out` in pieces as they are ready.
    pub(super) fn encode(
        &self,
        number: u64,
        bytes: Bytes,
        compression: Compression,
        out: &mut dyn FnMut(Bytes) -> Result<()>,
    ) -> Result<()> {
        let label = compression.label();
        if label.is_none() {
            return out(bytes);
        }
        let codec = self.codecs.find_to_write(label)?;
        let how = Encoding::from(compression);
        let (item, row) = self.rows(number, bytes.len() as u64, how.chunk.unwrap_or(Encoding::CHUNK));
        codec.encode_pieces(&bytes, &how.with_rows(item, row).with_threads(self.codecs.threads), out)
    }

    /// The size of an element of a block's array, and of its largest part (row, plane, ...) that fits into a chunk.
    ///
    /// An unknown size is 0.
    fn rows(&self, number: u64, size: u64, chunk: u64) -> (u64, u64) {
        let first = || NdArray::from_node(self.tree.node(*self.arrays.get(&number)?)).ok();
        let Some(array) = self.whole(number, size).map(|(_, array)| array).or_else(first) else {
            return (0, 0);
        };
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

/// Returns the nodes in chunked arrays, whose chunks are arrays too.
fn chunks(tree: &Tree) -> BTreeSet<NodeId> {
    let chunked = |node: &NodeRef<'_>| node.own_tag().is_some_and(ChunkedArray::accepts_tag);
    let nodes = tree.root().into_iter().flat_map(NodeRef::walk).filter(chunked);
    nodes.flat_map(NodeRef::walk).map(NodeRef::id).collect()
}

impl WriteOptions {
    /// The codecs for writing a file: these, and those that it was opened with.
    pub(super) fn codecs_for(&self, file: &File) -> Codecs {
        let mut codecs = self.codecs.clone();
        codecs.threads = self.threads_for(file);
        if let Some(blocks) = &file.blocks {
            codecs.add_all(&blocks.reading().codecs());
        }
        file.extensions.with_codecs(codecs)
    }

    /// The threads for writing a file: those of the options, or those that it was opened with.
    pub(super) fn threads_for(&self, file: &File) -> Threads {
        self.threads.unwrap_or_else(|| file.threads())
    }
}
