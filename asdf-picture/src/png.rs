//! Writes pictures as PNG.

use std::io::Write;

use asdf_core::{Error, Result};

/// Writes pixels that are levels of a palette: one byte per pixel before compression. Pixels of the level
/// `transparent` are transparent.
pub(crate) fn write_levels(
    pixels: &[u8],
    (width, height): (usize, usize),
    palette: &[[u8; 3]],
    transparent: Option<u8>,
    out: impl Write,
) -> Result<()> {
    let mut encoder = png::Encoder::new(out, side(width)?, side(height)?);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(palette.concat());
    if let Some(level) = transparent {
        let mut opacity = vec![255; usize::from(level)];
        opacity.push(0);
        encoder.set_trns(opacity);
    }
    encoder.set_compression(png::Compression::Balanced);
    // The compression level also sets a filter. Filters do not help: adjacent levels of a stretch differ too much.
    encoder.set_filter(png::Filter::NoFilter);
    let mut writer = encoder.write_header().map_err(failed)?;
    writer.write_image_data(pixels).map_err(failed)?;
    writer.finish().map_err(failed)
}

/// Writes pixels of red, green and blue: three bytes per pixel before compression.
pub(crate) fn write_colours(pixels: &[u8], (width, height): (usize, usize), out: impl Write) -> Result<()> {
    let mut encoder = png::Encoder::new(out, side(width)?, side(height)?);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Balanced);
    let mut writer = encoder.write_header().map_err(failed)?;
    writer.write_image_data(pixels).map_err(failed)?;
    writer.finish().map_err(failed)
}

fn side(n: usize) -> Result<u32> {
    u32::try_from(n).map_err(|_| Error::limit("the picture is too large for PNG"))
}

fn failed(error: png::EncodingError) -> Error {
    match error {
        png::EncodingError::IoError(error) => Error::io("writing the output", error),
        other => Error::limit(format!("cannot write the picture as PNG: {other}")),
    }
}
