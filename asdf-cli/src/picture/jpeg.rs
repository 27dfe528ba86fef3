//! Pictures as JPEG.

use std::io::Write;

use asdf_core::{Error, Result};
use jpeg_encoder::{ColorType, Encoder, EncodingError};

use super::Picture;

/// At this quality colours are stored for each pixel, and noise keeps its grain.
const QUALITY: u8 = 92;

/// Writes a picture; JPEG has neither a palette nor transparency.
pub(super) fn write(picture: &Picture, out: &mut dyn Write) -> Result<()> {
    if picture.see_through {
        return Err(
            Error::usage("JPEG has no transparent pixels").with_hint("give --bad a colour, or write PNG")
        );
    }
    let pixels: Vec<u8> = picture.pixels.iter().flat_map(|&level| picture.colour(level)).collect();
    write_colours(&pixels, (picture.width, picture.height), out)
}

/// Writes pixels of red, green and blue.
pub(super) fn write_colours(
    pixels: &[u8],
    (width, height): (usize, usize),
    out: &mut dyn Write,
) -> Result<()> {
    let side = |n: usize| {
        u16::try_from(n).map_err(|_| {
            Error::limit(format!("a JPEG picture has at most {} pixels a side, not {n}", u16::MAX))
                .with_hint("give a smaller --size, or write PNG")
        })
    };
    let (width, height) = (side(width)?, side(height)?);
    Encoder::new(out, QUALITY).encode(pixels, width, height, ColorType::Rgb).map_err(failed)
}

fn failed(error: EncodingError) -> Error {
    match error {
        EncodingError::IoError(error) => crate::outcome::output(error),
        other => Error::limit(format!("the picture cannot be written as JPEG: {other}")),
    }
}
