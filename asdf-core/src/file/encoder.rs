//! How the data of new blocks is encoded.

use std::collections::BTreeMap;

use bytes::Bytes;

use super::survey::Survey;
use super::watch::Watch;
use super::{File, WriteOptions};
use crate::array::NdArray;
use crate::block::Compression;
use crate::block::codec::{Codecs, Encoding};
use crate::error::Result;
use crate::threads::Threads;
use crate::tree::{NodeId, Tree};
use crate::value::FromNode;

/// The codecs at hand, and what the tree says about the arrays in blocks: where their rows are.
#[derive(Debug)]
pub(super) struct Encoder<'t> {
    /// The compression asked for, whatever each block has.
    pub(super) wanted: Option<Compression>,
    codecs: Codecs,
    tree: &'t Tree,
    /// The first array of each block.
    arrays: BTreeMap<u64, NodeId>,
    /// Learns of encoded bytes.
    pub(super) watch: Watch,
}

impl<'t> Encoder<'t> {
    /// Blocks are known by the numbers that they will have in the file.
    pub(super) fn new(options: &WriteOptions, codecs: Codecs, tree: &'t Tree, survey: &Survey) -> Self {
        let arrays = survey.first_arrays();
        Self { wanted: options.compression, codecs, tree, arrays, watch: options.watch.clone() }
    }

    /// On how many threads to encode, and to make checksums.
    pub(super) fn threads(&self) -> Threads {
        self.codecs.threads
    }

    /// The bytes to store for the data of a block, in pieces that come while others are made.
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

impl WriteOptions {
    /// The codecs to write a file with: these, and those that it was opened with.
    pub(super) fn codecs_for(&self, file: &File) -> Codecs {
        let mut codecs = self.codecs.clone();
        codecs.threads = self.threads_for(file);
        if let Some(blocks) = &file.blocks {
            codecs.add_all(&blocks.reading().codecs());
        }
        file.extensions.with_codecs(codecs)
    }

    /// The threads to write a file on: those asked for, or those that it was opened with.
    pub(super) fn threads_for(&self, file: &File) -> Threads {
        self.threads.unwrap_or_else(|| file.threads())
    }
}
