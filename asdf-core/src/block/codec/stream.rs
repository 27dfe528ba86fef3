//! What the codecs of one compressed stream share.

use super::Codec;
use super::promise::{grow, promise};
use crate::error::{Error, Result};

/// One call of a decoder: how many bytes it has read, and whether its stream is over.
pub(super) struct Step {
    pub(super) read: usize,
    pub(super) ended: bool,
}

/// Decodes one stream that is all of `stored` into exactly `data_size` bytes. `call` decodes from
/// the given bytes into the spare capacity of the vector, without growing it; its error says what
/// is wrong with the bytes.
pub(super) fn decode(
    codec: &dyn Codec,
    stored: &[u8],
    data_size: u64,
    mut call: impl FnMut(&[u8], &mut Vec<u8>) -> Result<Step, String>,
) -> Result<Vec<u8>> {
    let label = codec.label();
    let expected = promise(codec, stored.len() as u64, data_size)?;
    let mut data = Vec::new();
    // Where a byte too many shows: the data are full, but the end of the stream is still to come.
    let mut beyond = Vec::with_capacity(1);
    let mut rest = stored;
    loop {
        if data.len() == data.capacity() {
            grow(&mut data, 1, expected)?;
        }
        let before = data.len();
        let target = if before < expected { &mut data } else { &mut beyond };
        let step = call(rest, target).map_err(|what| {
            Error::malformed(format!(
                "the {label} stream of {} bytes is damaged after {} of the expected {expected} bytes: {what}",
                stored.len(),
                data.len()
            ))
        })?;
        rest = rest.get(step.read..).unwrap_or_default();
        if data.len() > expected || !beyond.is_empty() {
            return Err(Error::malformed(format!(
                "the {label} stream holds more than the expected {expected} bytes"
            )));
        }
        if step.ended {
            break;
        }
        if step.read == 0 && data.len() == before {
            return Err(Error::malformed(format!(
                "the {label} stream of {} bytes is cut: it holds {} of the expected {expected} bytes",
                stored.len(),
                data.len()
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
