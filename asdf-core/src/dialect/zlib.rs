//! `zlib`: one zlib stream (RFC 1950), of a length that only its decoding tells.

use crate::error::{Error, Hint, Result};

/// How many bytes a compressor makes at most of so many: with room for one that flushes often.
pub(super) fn most_encoded(bytes: u64) -> u64 {
    bytes.saturating_add(bytes / 8).saturating_add(1 << 12)
}

/// Decodes one stream into at most `most` bytes, and never more than `limit`. Memory is taken as bytes
/// arrive.
#[cfg(feature = "zlib")]
pub(super) fn decode(bytes: &[u8], most: u64, limit: u64) -> Result<Vec<u8>> {
    use zlib_rs::{Inflate, InflateFlush, Status};

    /// How much is decoded at first; then as much as there is.
    const PIECE: usize = 64 << 10;
    let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
    let mut decoder = Inflate::new(true, 15);
    let mut data = Vec::new();
    let bound = most.min(limit);
    loop {
        let (read, written) = (decoder.total_in(), decoder.total_out());
        // One more than is wanted tells that there are more.
        let room = place(bound.saturating_add(1) - written).min(data.len().max(PIECE));
        data.resize(data.len() + room, 0);
        let into = data.get_mut(place(written)..).unwrap_or_default();
        let status =
            decoder.decompress(bytes.get(place(read)..).unwrap_or_default(), into, InflateFlush::NoFlush);
        data.truncate(place(decoder.total_out()));
        let what = match status {
            Ok(Status::StreamEnd) => break,
            Ok(_) if data.len() as u64 > bound => break,
            Ok(_) if (read, written) != (decoder.total_in(), decoder.total_out()) => continue,
            Ok(_) => "incomplete deflate stream",
            Err(error) => error.as_str(),
        };
        return Err(Error::malformed(format!(
            "the zlib stream of {} bytes is cut or damaged after {} decoded bytes: {what}",
            bytes.len(),
            data.len()
        )));
    }
    if data.len() as u64 > bound {
        let message = format!("the zlib stream of {} bytes holds more than {bound} bytes", bytes.len());
        return Err(if bound < most {
            Error::limit(message).with_hint(Hint::Raise {
                limit: crate::error::LimitName::DecodedSize,
                from: limit,
                to: None,
            })
        } else {
            Error::malformed(message)
        });
    }
    let rest = bytes.len() as u64 - decoder.total_in();
    if rest > 0 {
        return Err(Error::malformed(format!(
            "the zlib stream ends {rest} bytes before the data does: expected one stream and nothing more"
        )));
    }
    Ok(data)
}

/// Without the feature there is no decoder.
#[cfg(not(feature = "zlib"))]
pub(super) fn decode(_bytes: &[u8], _most: u64, _limit: u64) -> Result<Vec<u8>> {
    Err(Error::unsupported("this build cannot decode zlib").with_hint(Hint::EnableFeature("zlib".into())))
}
