//! Colour pictures of three images.

use std::io::{IsTerminal, Write};
use std::str::FromStr;

use asdf_core::array::Slice;
use asdf_core::{Error, File, NdArray, Result};
use asdf_picture::{Bounds, RenderedRgb};
use asdf_tables::json::Printable;
use asdf_tables::{Dataset, json};
use serde_json::json;

use super::{Args, last_axes};
use crate::context::Context;
use crate::outcome::output;
use crate::place;
use crate::printable::line;
use crate::tables;
use crate::terminal::Window;

/// The paths of the red, green and blue images.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Channels([String; 3]);

impl FromStr for Channels {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let places: Vec<String> = text.split(',').map(|place| place.trim().to_owned()).collect();
        let places = places
            .try_into()
            .ok()
            .filter(|places: &[String; 3]| places.iter().all(|place| !place.is_empty()));
        places.map(Self).ok_or_else(|| "expected three paths, as in /i,/r,/g".to_owned())
    }
}

/// Draws the colour picture of three images in the terminal or into a file.
pub(super) fn run(
    args: &Args,
    channels: &Channels,
    file: &File,
    slices: &[Slice],
    context: &Context,
    out: &mut dyn Write,
) -> Result<()> {
    let mut found: Vec<(String, NdArray)> = Vec::new();
    for word in &channels.0 {
        let (path, array) = image(file, word, slices)?;
        if let Some((other, first)) = found.first().filter(|(_, first)| first.shape() != array.shape()) {
            let error = Error::mismatch(format!(
                "found an image of shape {:?}, expected shape {:?} as in {}",
                array.shape(),
                first.shape(),
                line(other)
            ));
            return Err(error.with_hint("name three images of the same shape").at_path(&path));
        }
        found.push((path, array));
    }
    let (paths, arrays): (Vec<String>, Vec<NdArray>) = found.into_iter().unzip();
    let Ok(arrays) = <[NdArray; 3]>::try_from(arrays) else { return Ok(()) };
    let shape = arrays.first().map(|array| array.shape().to_vec()).unwrap_or_default();
    let look = args.look.look();
    if args.destination.is_given() {
        let coloured = look.rgb(&arrays, args.look.bounds(Bounds::Within(1024, 1024)))?;
        let format = args.format()?;
        args.destination.write(context, out, |out| coloured.picture.write(format, out))?;
        return tell(args, &coloured, &paths, &shape, out);
    }
    let graphics = args.graphics(std::io::stdout().is_terminal(), context.colours)?;
    let coloured = look.rgb(&arrays, args.look.bounds(graphics.bounds(&Window::of_terminal())))?;
    writeln!(out, "{}", title(args, &paths, &shape)).map_err(output)?;
    graphics.draw_rgb(&coloured.picture, out)?;
    writeln!(out, "{}", scale(&coloured)).map_err(output)
}

/// Returns the image at a path, or its shown part.
fn image(file: &File, word: &str, slices: &[Slice]) -> Result<(String, NdArray)> {
    let (path, dataset) = tables::at(file, word)?;
    let part = |dataset: Dataset| match dataset.slice(slices)? {
        Dataset::Array { array, .. } => match last_axes(array)?.0 {
            array if array.shape().len() == 2 => Ok(array),
            array => {
                let shape = array.shape();
                let error =
                    format!("found an array of shape {shape:?}, expected an image with two axes for --rgb");
                Err(Error::usage(error).with_hint("name three images of the same shape"))
            }
        },
        Dataset::Table { .. } => Err(Error::usage("found a table, expected an image for --rgb")
            .with_hint("name three images of the same shape")),
        Dataset::Fits(_) => Err(Error::usage("found a FITS file, expected an image for --rgb")
            .with_hint("name its images, as in /fits/1/data")),
    };
    match part(dataset) {
        Ok(array) => Ok((path, array)),
        Err(error) => Err(error.at_path(&path)),
    }
}

/// Returns a line such as `/i, /r, /g: [100, 100] of [0]`.
fn title(args: &Args, paths: &[String], shape: &[u64]) -> String {
    let paths: Vec<String> = paths.iter().map(|path| line(place::shown(path))).collect();
    let part = args.slice.as_deref().map(|slice| line(&format!(" of [{slice}]"))).unwrap_or_default();
    format!("{}: {shape:?}{part}", paths.join(", "))
}

/// Returns a line such as `zscale: from 1, 2, 1.5 on, stretch 20`.
fn scale(coloured: &RenderedRgb) -> String {
    let [red, green, blue] = coloured.minimum;
    format!("{}: from {red}, {green}, {blue} on, stretch {}", coloured.limits, coloured.stretch)
}

fn tell(
    args: &Args,
    coloured: &RenderedRgb,
    paths: &[String],
    shape: &[u64],
    out: &mut dyn Write,
) -> Result<()> {
    let Some(file) = args.destination.path() else { return Ok(()) };
    let (width, height) = (coloured.picture.width(), coloured.picture.height());
    if !args.json {
        let name = line(&file.display().to_string());
        let title = title(args, paths, shape);
        return writeln!(out, "{name}: {width} x {height} pixels of {title}\n{}", scale(coloured))
            .map_err(output);
    }
    let report = json!({
        "asdf_preview": 1,
        "rgb": paths,
        "shape": shape,
        "slice": args.slice,
        "width": width,
        "height": height,
        "limits": coloured.limits.to_string(),
        "minimum": coloured.minimum.map(json::float),
        "stretch": json::float(coloured.stretch),
        "output": file.display().to_string(),
    });
    writeln!(out, "{}", Printable(&report)).map_err(output)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_are_three_paths() {
        let channels: Channels = "/i, /r,g".parse().unwrap();
        assert_eq!(channels.0, ["/i", "/r", "g"]);
        for wrong in ["", "/i", "/i,/r", "/i,/r,", "/i,/r,/g,/z"] {
            assert!(wrong.parse::<Channels>().is_err(), "{wrong}");
        }
    }
}
