//! `blsc`: one chunk of c-blosc.

use super::blosc::{self, BLOSC, Chunk, MAX_EXPANSION, Pace};
use super::declared_size::declared_size;
use super::{Codec, Encoding};
use crate::block::Label;
use crate::error::{Error, Kind, Result};

/// One chunk of c-blosc (format 2), of data below 2 GiB. Not in the standard.
///
/// Read with any inner codec and shuffling. Written shuffled by the bytes of an element, in blocks of 256 KiB
/// that are not split.
#[derive(Debug)]
pub(super) struct Blsc;

impl Codec for Blsc {
    fn label(&self) -> Label {
        Label::BLSC
    }

    fn encode(&self, data: &[u8], how: &Encoding) -> Result<Vec<u8>> {
        how.whole(self.label())?;
        let pace = Pace::of(how.own_level(self.label(), 3)?);
        blosc::encode(data, how.item, pace, false).map_err(|error| match error.kind() {
            Kind::Limit => {
                Error::limit(format!("found {} bytes, expected less than 2 GiB for a blsc block", data.len()))
                    .with_hint("use bls2 or zstd, which hold more")
            }
            _ => error,
        })
    }

    fn decode(&self, stored: &[u8], data_size: u64) -> Result<Vec<u8>> {
        let expected = declared_size(self, stored.len() as u64, data_size)?;
        let mut data = Vec::new();
        Chunk::new(stored, expected, BLOSC)
            .and_then(|chunk| chunk.decode(&mut data, expected))
            .map_err(|fault| fault.of("the blosc chunk"))?;
        Ok(data)
    }

    fn max_expansion(&self) -> u64 {
        MAX_EXPANSION
    }
}
