//! Decoding, for codecs whose stored bytes are one stream.

use super::declared_size::{declared_size, grow};
use super::{Codec, Wanted};
use crate::error::{Error, Result};

/// The result of one call of a decoder: bytes read, bytes written, and whether the stream has ended.
pub(super) struct Step {
    pub(super) read: usize,
    pub(super) written: usize,
    pub(super) ended: bool,
}

/// The bytes that are decoded at a time: their memory is filled with zeros first.
const STEP: usize = 1 << 20;

/// Decodes one stream, which is all of `stored`, into exactly `data_size` bytes, as long as they are
/// `wanted`. `call` decodes from the first slice into the second; its error describes the damage.
pub(super) fn decode(
    codec: &dyn Codec,
    stored: &[u8],
    data_size: u64,
    wanted: Wanted<'_>,
    mut call: impl FnMut(&[u8], &mut [u8]) -> Result<Step, String>,
) -> Result<Vec<u8>> {
    let label = codec.label();
    let expected = declared_size(codec, stored.len() as u64, data_size)?;
    let mut data = Vec::new();
    let mut rest = stored;
    loop {
        wanted()?;
        let before = data.len();
        if before == data.capacity() && before < expected {
            grow(&mut data, 1, expected)?;
        }
        let room = data.capacity().min(expected).min(before.saturating_add(STEP));
        data.resize(room, 0);
        // Detects a byte too many: the data is complete, but the stream has not ended.
        let mut beyond = [0];
        let target = if before < expected { data.get_mut(before..).unwrap_or_default() } else { &mut beyond };
        let step = call(rest, target).map_err(|what| {
            Error::malformed(format!(
                "the {label} stream of {} bytes is damaged after {before} of the expected {expected} bytes: \
                 {what}",
                stored.len(),
            ))
        })?;
        rest = rest.get(step.read..).unwrap_or_default();
        if before + step.written > expected {
            return Err(Error::malformed(format!(
                "the {label} stream holds more than the expected {expected} bytes"
            )));
        }
        data.truncate(before + step.written);
        if step.ended {
            break;
        }
        if step.read == 0 && step.written == 0 {
            return Err(Error::malformed(format!(
                "the {label} stream of {} bytes is truncated: it holds {before} of the expected {expected} bytes",
                stored.len(),
            )));
        }
    }
    if !rest.is_empty() {
        return Err(Error::malformed(format!(
            "the {label} stream ends after {} bytes, but {} are stored: expected one stream and nothing more",
            stored.len() - rest.len(),
            stored.len()
        )));
    }
    if data.len() != expected {
        return Err(Error::malformed(format!(
            "the {label} stream holds {} bytes, expected {expected}",
            data.len()
        )));
    }
    Ok(data)
}
