//! `zstd`: one Zstandard frame.

mod blocks;
mod fse;
mod independent;
mod parts;
mod sequences;
#[cfg(test)]
mod splitting;

use std::ops::Range;

use bytes::Bytes;
use zstd::bulk::Decompressor;
use zstd::stream::raw::{DParameter, Decoder, InBuffer, Operation, OutBuffer};
use zstd::zstd_safe::find_frame_compressed_size;

use super::buffer::Buffer;
use super::declared_size::declared_size;
use super::stream::{self, Step};
use super::{Codec, Encoding, Piece, Wanted};
use crate::block::Label;
use crate::error::{Error, Result};
use crate::source::Source;
use crate::threads::Threads;

/// One Zstandard frame (RFC 8878), with its content size if written here. Not in the standard.
///
/// Blocks are written in chunks only if it is requested. They are still one frame, because Python's asdf-compression 0.1.0
/// reads only one. See [`parts`].
#[derive(Debug)]
pub(super) struct Zstd;

impl Codec for Zstd {
    fn label(&self) -> Label {
        Label::ZSTD
    }

    fn encode(&self, data: &[u8], how: &Encoding) -> Result<Vec<u8>> {
        let mut stored = Vec::new();
        self.encode_pieces(data, how, &mut |piece| {
            match stored.is_empty() {
                true => stored = piece.into(),
                false => stored.extend_from_slice(&piece),
            }
            Ok(())
        })?;
        Ok(stored)
    }

    fn encode_pieces(
        &self,
        data: &[u8],
        how: &Encoding,
        out: &mut dyn FnMut(Bytes) -> Result<()>,
    ) -> Result<()> {
        let level = how.own_level(self.label(), 3)?;
        let level = i32::try_from(level).unwrap_or(3);
        if how.chunk.is_some() && parts::encode(data, how.chunk(self.label())?, level, how.threads, out)? {
            return Ok(());
        }
        let stored = zstd::bulk::compress(data, level).map_err(|e| Error::io("compressing with zstd", e))?;
        out(stored.into())
    }

    fn decode(&self, stored: &[u8], data_size: u64) -> Result<Vec<u8>> {
        match at_once(stored, declared_size(self, stored.len() as u64, data_size)?)? {
            Some(data) => Ok(data.into()),
            None => in_steps(stored, data_size, &|| Ok(())),
        }
    }

    fn decode_from(&self, stored: &dyn Source, data_size: u64, threads: Threads) -> Result<Bytes> {
        let expected = declared_size(self, stored.len(), data_size)?;
        if threads != Threads::ONE {
            if let Some(data) = parts::decode_all(stored, data_size, threads)? {
                return Ok(data);
            }
        }
        let whole = || stored.read(0..stored.len());
        let found = if stored.lends() { at_once(&whole()?, expected) } else { in_pieces(stored, expected) };
        match found? {
            Some(data) => Ok(data),
            None => Ok(in_steps(&whole()?, data_size, &|| stored.wanted())?.into()),
        }
    }

    /// Decodes the chunks in the range, if the frame has a table of them.
    fn decode_range(&self, stored: &dyn Source, data_size: u64, range: Range<u64>) -> Result<Option<Piece>> {
        parts::decode_range(stored, data_size, &range)
    }

    fn has_chunks(&self) -> bool {
        true
    }

    fn max_expansion(&self) -> u64 {
        MAX_EXPANSION
    }
}

/// A block of 128 KiB of one byte takes 4 bytes, which is the maximum ratio.
const MAX_EXPANSION: u64 = 32_768;

/// Decodes one frame directly, the usual case. `None` if anything is wrong; then decoding in steps finds the
/// fault.
fn at_once(stored: &[u8], expected: usize) -> Result<Option<Bytes>> {
    if find_frame_compressed_size(stored) != Ok(stored.len()) {
        return Ok(None);
    }
    // Memory that is allocated as it is written to, so a frame with a false size takes little of it.
    let mut room = Buffer::new(expected)?;
    let found = Decompressor::new().and_then(|mut z| z.decompress_to_buffer(stored, room.bytes()));
    Ok(found.is_ok_and(|found| found == expected).then(|| room.into()))
}

/// Decodes one frame directly while it is read, so the stored bytes are never all in memory: fresh memory for
/// them would cost more than the calls. `None` if anything is wrong with the frame.
fn in_pieces(stored: &dyn Source, expected: usize) -> Result<Option<Bytes>> {
    /// Fits in the cache of the processor.
    const PIECE: usize = 256 << 10;
    let mut room = Buffer::new(expected)?;
    let mut piece = vec![0; usize::try_from(stored.len()).unwrap_or(PIECE).min(PIECE)];
    let Ok(mut decoder) = Decoder::new() else { return Ok(None) };
    // The output buffer stays the same, so the decoder keeps no copy for later references.
    if decoder.set_parameter(DParameter::StableOutBuffer(true)).is_err() {
        return Ok(None);
    }
    let mut output = OutBuffer::around(room.bytes());
    let (mut at, mut left) = (0, 1);
    while at < stored.len() && left > 0 {
        let count = usize::try_from(stored.len() - at).unwrap_or(PIECE).min(PIECE);
        let piece = piece.get_mut(..count).unwrap_or_default();
        stored.wanted()?;
        stored.read_into(at, piece)?;
        let mut input = InBuffer::around(piece);
        while left > 0 && input.pos() < count {
            let before = (input.pos(), output.pos());
            match decoder.run(&mut input, &mut output) {
                Ok(hint) if hint == 0 || (input.pos(), output.pos()) != before => left = hint,
                _ => return Ok(None),
            }
        }
        at += input.pos() as u64;
    }
    let whole = left == 0 && at == stored.len() && output.pos() == expected;
    Ok(whole.then(|| room.into()))
}

/// Decodes in steps, up to the first fault.
fn in_steps(stored: &[u8], data_size: u64, wanted: Wanted<'_>) -> Result<Vec<u8>> {
    let failed = |e: std::io::Error| Error::no_memory("a zstd decoder").with_source(e);
    let mut decoder = Decoder::new().map_err(failed)?;
    // For frames written with a window of more than 128 MiB; the memory is touched as data arrives.
    let most = if usize::BITS > 32 { 31 } else { 30 };
    decoder.set_parameter(DParameter::WindowLogMax(most)).map_err(failed)?;
    stream::decode(&Zstd, stored, data_size, wanted, |from, into| {
        let mut input = InBuffer::around(from);
        let mut output = OutBuffer::around(into);
        let left = decoder.run(&mut input, &mut output).map_err(|e| e.to_string())?;
        Ok(Step { read: input.pos(), written: output.pos(), ended: left == 0 })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_python_wrote() {
        // zstandard 0.25 (Python), ZstdCompressor(level=3).compress(bytes(range(10)) * 6)
        let stored = b"\x28\xb5\x2f\xfd\x20\x3c\x85\x00\x00\x50\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x01\x00\x37\x2a\x48";
        let data: Vec<u8> = (0..10).cycle().take(60).collect();
        assert_eq!(Zstd.decode(stored, 60).unwrap(), data);
    }

    #[test]
    fn constant_data_expand_most() {
        let data = vec![251; 64 << 20];
        let stored = Zstd.encode(&data, &Encoding::new().with_level(19)).unwrap();
        assert!(stored.len() * 30_000 < data.len(), "{}", stored.len());
        assert!(Zstd.decode(&stored, data.len() as u64).unwrap() == data);
    }

    #[test]
    fn the_frame_has_its_size() {
        let stored = Zstd.encode(&[7; 1000], &Encoding::new()).unwrap();
        assert_eq!(zstd::zstd_safe::get_frame_content_size(&stored).unwrap(), Some(1000));
    }
}
