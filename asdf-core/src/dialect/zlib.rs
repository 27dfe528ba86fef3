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
    use std::io::Read as _;

    let mut decoder = flate2::bufread::ZlibDecoder::new(bytes);
    let mut data = Vec::new();
    let bound = most.min(limit);
    decoder.by_ref().take(bound.saturating_add(1)).read_to_end(&mut data).map_err(|error| {
        Error::malformed(format!(
            "the zlib stream of {} bytes is cut or damaged after {} decoded bytes: {error}",
            bytes.len(),
            data.len()
        ))
    })?;
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
    let rest = decoder.into_inner().len();
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
