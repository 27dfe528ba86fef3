//! Decompresses files that are compressed as a whole.

use std::io::Read as _;

use asdf_core::source::Bytes;
use asdf_core::{Error, Result};
use flate2::read::MultiGzDecoder;

use super::check_growth;
use crate::card::{self, CARD, MAX_CARDS};

/// Returns whether the bytes are those of a FITS file, plain or compressed with gzip.
#[must_use]
pub fn is_fits(bytes: &[u8]) -> bool {
    const START: &[u8] = b"SIMPLE  =";
    let mut start = [0; START.len()];
    bytes.starts_with(START)
        || (bytes.starts_with(&[0x1f, 0x8b])
            && MultiGzDecoder::new(bytes).read_exact(&mut start).is_ok_and(|()| start == START))
}

/// Returns whether the first bytes of a file, plain or compressed with gzip, have all of its first header.
///
/// # Errors
/// [`Limit`](asdf_core::error::Kind::Limit) if that header is too long.
pub(crate) fn has_header(first: &[u8]) -> Result<bool> {
    const PIECE: u64 = 1 << 16;
    if !first.starts_with(&[0x1f, 0x8b]) {
        return card::end(first, 0).map(|end| end.is_some());
    }
    let mut decoder = MultiGzDecoder::new(first).take((MAX_CARDS * CARD) as u64);
    let (mut bytes, mut searched) = (Vec::new(), 0);
    loop {
        // The first bytes can end inside of the gzip data. Damaged data is reported when all of it is read.
        let read = decoder.by_ref().take(PIECE).read_to_end(&mut bytes);
        if card::end(&bytes, searched)?.is_some() {
            return Ok(true);
        }
        if read.map_or(true, |count| count == 0) {
            return Ok(false);
        }
        searched = bytes.len();
    }
}

/// Returns the bytes of the FITS file, decompressed if they are gzip data.
pub(crate) fn unpacked(bytes: Bytes) -> Result<Bytes> {
    match bytes.as_ref() {
        [0x1f, 0x8b, ..] => {
            // A small file can decompress to endless zeros.
            if is_fits(&bytes) {
                has_header(&bytes)?;
            }
            gunzip(&bytes).map(Bytes::from)
        }
        [0x1f, 0x9d, ..] | [b'B', b'Z', b'h', ..] => {
            Err(Error::unsupported("FITS files compressed with `compress` or `bzip2` are not supported")
                .with_hint("decompress the file first, with `uncompress` or `bunzip2`"))
        }
        _ => Ok(bytes),
    }
}

pub(super) fn gunzip(bytes: &[u8]) -> Result<Vec<u8>> {
    const PIECE: usize = 1 << 20;
    let mut decoder = MultiGzDecoder::new(bytes);
    let mut out = Vec::new();
    loop {
        let read = decoder.by_ref().take(PIECE as u64).read_to_end(&mut out);
        match read.map_err(|error| Error::malformed(format!("the gzip data is damaged: {error}")))? {
            0 => return Ok(out),
            _ => check_growth(Some(out.len()), bytes.len())?,
        };
    }
}
