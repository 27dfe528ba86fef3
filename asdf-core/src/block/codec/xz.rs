//! `xz`: one xz stream.

use std::io::Write;

use bytes::Bytes;
use lzma_rust2::{Action, Status, XzOptions, XzStream, XzWriter};

use super::pieces::{Show, in_pieces, whole};
use super::stream::{self, Step};
use super::{Codec, Encoding, Wanted};
use crate::block::Label;
use crate::error::{Error, Result};
use crate::source::Source;
use crate::threads::Threads;

/// One xz stream with a CRC-64, of any number of blocks. Not in the standard.
#[derive(Debug)]
pub(super) struct Xz;

impl Codec for Xz {
    fn label(&self) -> Label {
        Label::XZ
    }

    fn encode(&self, data: &[u8], how: &Encoding) -> Result<Vec<u8>> {
        whole(|show| encode(data, how, show))
    }

    fn encode_pieces(
        &self,
        data: &[u8],
        how: &Encoding,
        out: &mut dyn FnMut(Bytes) -> Result<()>,
    ) -> Result<()> {
        in_pieces(data.len(), out, |show| encode(data, how, show))
    }

    fn decode(&self, stored: &[u8], data_size: u64) -> Result<Vec<u8>> {
        decode(stored, data_size, &|| Ok(()))
    }

    fn decode_from(&self, stored: &dyn Source, data_size: u64, _threads: Threads) -> Result<Bytes> {
        let bytes = stored.read(0..stored.len())?;
        decode(&bytes, data_size, &|| stored.wanted()).map(Bytes::from)
    }

    /// A match of 273 bytes takes 14 decisions of at least 0.022 bits each: a factor of 7,090.
    fn max_expansion(&self) -> u64 {
        8192
    }
}

fn encode(data: &[u8], how: &Encoding, show: Show<'_>) -> Result<()> {
    /// Bytes of data between two calls of `show`: xz encodes some megabytes in a second.
    const STEP: usize = 1 << 20;
    how.whole(Label::XZ)?;
    let mut options = XzOptions::with_preset(how.own_level(Label::XZ, 6)?);
    // A dictionary larger than the data wastes memory.
    let enough = u32::try_from(data.len()).unwrap_or(u32::MAX).max(1 << 16);
    let dictionary = &mut options.lzma_options.dict_size;
    *dictionary = enough.checked_next_power_of_two().map_or(*dictionary, |n| n.min(*dictionary));
    let fail = |e| Error::io("compressing with xz", e);
    let mut writer = XzWriter::new(Vec::new(), options).map_err(fail)?;
    for part in data.chunks(STEP) {
        writer.write_all(part).map_err(fail)?;
        show(writer.inner())?;
        writer.inner_mut().clear();
    }
    show(&writer.finish().map_err(fail)?)
}

fn decode(stored: &[u8], data_size: u64, wanted: Wanted<'_>) -> Result<Vec<u8>> {
    let mut decoder = XzStream::new(false);
    stream::decode(&Xz, stored, data_size, wanted, |from, into| {
        let done = decoder.process(from, into, Action::Run).map_err(|e| e.to_string())?;
        let ended = done.status == Status::StreamEnd;
        Ok(Step { read: done.bytes_consumed, written: done.bytes_produced, ended })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_python_wrote() {
        // Python 3.11, lzma.compress(bytes(range(10)) * 6)
        let stored = b"\xfd\x37\x7a\x58\x5a\x00\x00\x04\xe6\xd6\xb4\x46\x02\x00\x21\x01\x16\x00\x00\x00\x74\x2f\xe5\xa3\
            \xe0\x00\x3b\x00\x10\x5d\x00\x00\x00\x52\x50\x0a\x84\xf9\x9b\xb2\x80\x39\x40\x0c\xc0\x40\x00\x00\
            \x07\x93\x98\x35\x68\xc2\x9c\xee\x00\x01\x2c\x3c\x02\xa2\xd8\x36\x1f\xb6\xf3\x7d\x01\x00\x00\x00\
            \x00\x04\x59\x5a";
        let data: Vec<u8> = (0..10).cycle().take(60).collect();
        assert_eq!(Xz.decode(stored, 60).unwrap(), data);
    }

    #[test]
    fn constant_data_expand_most() {
        let data = vec![0; 32 << 20];
        let stored = Xz.encode(&data, &Encoding::new()).unwrap();
        assert!(stored.len() * 6500 < data.len(), "{}", stored.len());
        assert!(Xz.decode(&stored, data.len() as u64).unwrap() == data);
    }

    #[test]
    fn a_wrong_checksum_is_damage() {
        let data = b"some bytes that are stored as they are";
        let stored = Xz.encode(data, &Encoding::new()).unwrap();
        for at in [7, 30, stored.len() - 25, stored.len() - 1] {
            let mut stored = stored.clone();
            stored[at] ^= 1;
            let error = Xz.decode(&stored, data.len() as u64).unwrap_err();
            assert!(error.message().contains("damaged"), "{at}: {error}");
        }
    }
}
