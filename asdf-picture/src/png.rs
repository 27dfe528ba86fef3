//! Pictures as PNG.

use std::io::Write;

use asdf_core::{Error, Result};

use crate::picture::Picture;
use crate::rgb::RgbPicture;

/// Writes a picture with its palette: a byte a pixel before compression.
pub(crate) fn write(picture: &Picture, out: impl Write) -> Result<()> {
    let (width, height) = (side(picture.width)?, side(picture.height)?);
    let mut encoder = png::Encoder::new(out, width, height);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(picture.palette.concat());
    if picture.is_transparent {
        let mut opacity = [255; Picture::NO_VALUE as usize + 1];
        if let Some(last) = opacity.last_mut() {
            *last = 0;
        }
        encoder.set_trns(opacity.to_vec());
    }
    encoder.set_compression(png::Compression::Balanced);
    // Which sets a filter too; levels that a stretch has made are hardly predicted by their neighbours.
    encoder.set_filter(png::Filter::NoFilter);
    let mut writer = encoder.write_header().map_err(failed)?;
    writer.write_image_data(&picture.pixels).map_err(failed)?;
    writer.finish().map_err(failed)
}

/// Writes a picture with three bytes a pixel before compression.
pub(crate) fn write_colours(picture: &RgbPicture, out: impl Write) -> Result<()> {
    let mut encoder = png::Encoder::new(out, side(picture.width)?, side(picture.height)?);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Balanced);
    let mut writer = encoder.write_header().map_err(failed)?;
    writer.write_image_data(picture.pixels.as_flattened()).map_err(failed)?;
    writer.finish().map_err(failed)
}

fn side(n: usize) -> Result<u32> {
    u32::try_from(n).map_err(|_| Error::limit("the picture is too large for PNG"))
}

fn failed(error: png::EncodingError) -> Error {
    match error {
        png::EncodingError::IoError(error) => Error::io("writing the output", error),
        other => Error::limit(format!("the picture cannot be PNG: {other}")),
    }
}
