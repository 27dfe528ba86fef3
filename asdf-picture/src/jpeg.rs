//! Writes pictures as JPEG.

use std::io::Write;

use asdf_core::{Error, Result};
use jpeg_encoder::{ColorType, Encoder, EncodingError};

use crate::problem::Problem;

/// At this quality the encoder stores colours for each pixel, and noise keeps its grain.
const QUALITY: u8 = 92;

/// Writes pixels of red, green and blue. JPEG has neither a palette nor transparency.
pub(crate) fn write(pixels: &[u8], (width, height): (usize, usize), out: impl Write) -> Result<()> {
    let side = |n: usize| u16::try_from(n).map_err(|_| Problem::TooLargeForJpeg(n).error());
    let (width, height) = (side(width)?, side(height)?);
    Encoder::new(out, QUALITY).encode(pixels, width, height, ColorType::Rgb).map_err(failed)
}

fn failed(error: EncodingError) -> Error {
    match error {
        EncodingError::IoError(error) => Error::io("writing the output", error),
        other => Error::limit(format!("cannot write the picture as JPEG: {other}")),
    }
}
