//! Encoding the data of new blocks.

use std::collections::BTreeMap;

use bytes::Bytes;

use super::survey::{Survey, path_of};
use super::watch::Watch;
use super::{File, WriteOptions};
use crate::array::NdArray;
use crate::block::Compression;
use crate::block::codec::{Codecs, Encoding};
use crate::error::{Hint, Result};
use crate::threads::Threads;
use crate::tree::{Block, NodeId, Tree};
use crate::value::FromNode;

/// The available codecs, and the arrays of the tree, which say how long the rows in each block are.
#[derive(Debug)]
pub(super) struct Encoder<'t> {
    /// The compression of all blocks, if one was requested.
    pub(super) wanted: Option<Compression>,
    /// Whether damaged blocks get a new checksum.
    pub(super) accept_damage: bool,
    codecs: Codecs,
    tree: &'t Tree,
    /// The first array of each block.
    arrays: BTreeMap<u64, NodeId>,
    /// Counts encoded bytes.
    pub(super) watch: Watch,
}

impl<'t> Encoder<'t> {
    /// Makes an encoder, which identifies blocks by their numbers in the new file.
    pub(super) fn new(options: &WriteOptions, codecs: Codecs, tree: &'t Tree, survey: &Survey) -> Self {
        let arrays = survey.first_arrays();
        let (wanted, accept_damage) = (options.compression, options.accept_damage);
        Self { wanted, accept_damage, codecs, tree, arrays, watch: options.watch.clone() }
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

    /// Encodes the data of a block, and passes the stored bytes to `out` in pieces as they are ready.
    pub(super) fn encode(
        &self,
        number: u64,
        bytes: Bytes,
        compression: Compression,
        out: &mut dyn FnMut(Bytes),
    ) -> Result<()> {
        let label = compression.label();
        if label.is_none() {
            out(bytes);
            return Ok(());
        }
        let codec = self.codecs.find_to_write(label)?;
        let how = Encoding::from(compression);
        let (item, row) = self.rows(number, how.chunk.unwrap_or(Encoding::CHUNK));
        codec.encode_pieces(&bytes, &how.with_rows(item, row).with_threads(self.codecs.threads), out)
    }

    /// The size of an element of a block's array, and of its largest part (row, plane, ...) that fits into a chunk.
    ///
    /// An unknown size is 0.
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
