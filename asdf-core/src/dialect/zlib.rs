//! `zlib`: one zlib stream (RFC 1950), whose length is known only after decoding.

use crate::error::{Error, Hint, Result};

/// Returns the maximum number of bytes that a compressor produces from `bytes`, even if it flushes often.
pub(super) fn most_encoded(bytes: u64) -> u64 {
    bytes.saturating_add(bytes / 8).saturating_add(1 << 12)
}

/// Decodes one stream into at most `most` bytes, and never more than `limit`. Allocates memory as bytes are
/// decoded.
#[cfg(feature = "zlib")]
pub(super) fn decode(bytes: &[u8], most: u64, limit: u64) -> Result<Vec<u8>> {
    use zlib_rs::{Inflate, InflateFlush, Status};

    /// The size of the first step. Later steps double the buffer.
    const PIECE: usize = 64 << 10;
    let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
    let mut decoder = Inflate::new(true, 15);
    let mut data = Vec::new();
    let bound = most.min(limit);
    loop {
        let (read, written) = (decoder.total_in(), decoder.total_out());
        // One byte more than wanted, to detect a longer stream.
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
            "the zlib stream of {} bytes is truncated or damaged after {} decoded bytes: {what}",
            bytes.len(),
            data.len()
        )));
    }
    if data.len() as u64 > bound {
        let message = format!(
            "the zlib stream of {} bytes decodes to more than the limit of {bound} bytes",
            bytes.len()
        );
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
            "the zlib stream ends {rest} bytes before the data does: expected only one stream"
        )));
    }
    Ok(data)
}

/// Fails, because this build has no decoder.
#[cfg(not(feature = "zlib"))]
pub(super) fn decode(_bytes: &[u8], _most: u64, _limit: u64) -> Result<Vec<u8>> {
    Err(Error::unsupported("this build lacks the feature `zlib`")
        .with_hint(Hint::EnableFeature("zlib".into())))
}
