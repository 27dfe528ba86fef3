//! `asdf wcs`: converts between pixels and world coordinates.

mod coordinate;
mod points;
mod steps;
mod summary;

use std::io::Write;
use std::path::PathBuf;

use asdf_core::{Error, File, Result};
use asdf_gwcs::{Axis, Frame, Inverse, Transform, Wcs};
use asdf_tables::json::{self, Printable};
use clap::ValueEnum;
use serde_json::{Value as Json, json};

use crate::complete_path::PLACE;
use crate::context::Context;
use crate::input::Input;
use crate::outcome::{Outcome, output};
use crate::value_text;

/// Convert pixels to world coordinates and back, or describe them.
///
/// Evaluates the gwcs of Roman, JWST and DKIST files. X and Y are pixels: X counts along the last axis of the array,
/// and 0 is the centre of the first pixel. With --world the numbers are world coordinates, such as RA and DEC in degrees,
/// and the output has pixels. Angles can also be written as 17:45:40.03 or 17h45m40.03s. With colons, right ascensions
/// are in hours. One point is printed per line, in the units that the file gives. A point outside the image is NaN.
///
/// Without points, the frames, units, bounding box, footprint and pixel scale are shown. PATH is only needed if the file
/// has several world coordinate systems.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf wcs image.asdf
  asdf wcs image.asdf 2043.5 2043.5
  asdf wcs image.asdf /roman/meta/wcs 0 0 100 0
  asdf wcs image.asdf --world 269.83 66.03
  asdf wcs image.asdf --world 17:45:40.03 -29:00:28.1
  asdf wcs image.asdf --points stars.csv --world > pixels.csv
  asdf wcs image.asdf --steps")]
pub(crate) struct Args {
    /// Convert world coordinates to pixels
    #[arg(long)]
    world: bool,

    /// Convert the points of a CSV file, or - for standard input
    ///
    /// The first line is a header. Columns with the names of the axes are used; if there are none, the first columns
    /// are, in the order of the axes. Prints CSV with up to 17 digits, so that numbers are exact, and NaN.
    #[arg(long, value_name = "CSV", conflicts_with_all = ["json", "steps"])]
    points: Option<PathBuf>,

    /// Choose the way from world coordinates to pixels
    #[arg(long, value_enum, default_value_t, value_name = "WAY")]
    inverse: Way,

    /// Show the steps, their frames and transforms
    #[arg(long)]
    steps: bool,

    /// Print JSON
    ///
    /// For points: {"asdf_wcs": 1, "file", "path", "input", "output", "points": [{"input", "output"}]}. Else: {"asdf_wcs":
    /// 1, "file", "path", "name", "pixel", "world", "pixel_shape", "bounding_box", "footprint", "pixel_scale", "steps"}.
    #[arg(long)]
    json: bool,

    /// The file, or - for standard input
    file: PathBuf,

    /// The path of the world coordinate system, then coordinates
    #[arg(value_name = "PATH|NUMBER", value_hint = PLACE, allow_negative_numbers = true)]
    words: Vec<String>,
}

/// The way from world coordinates to pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Way {
    /// The inverse of the transform to 1e-9 pixel; NaN outside the bounding box
    #[default]
    Exact,
    /// The inverse stored in the file, and NaN at the edges as in gwcs
    Stored,
}

/// The way that points are converted.
struct Conversion<'w> {
    transform: &'w Transform,
    from: &'w Frame,
    to: &'w Frame,
}

pub(crate) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Outcome> {
    let input = Input::named(args.file.clone());
    let located = |error: Error| match error.file() {
        Some(_) => error,
        None => error.at_file(input.name()),
    };
    let (path, numbers) = args.path_and_numbers();
    let file = context.open(&input.path)?;
    let wcs = open(&file, path).map_err(located)?.threads(context.threads);
    if args.points.is_none() && numbers.is_empty() {
        let shown = match (args.json, args.steps) {
            (true, _) => summary::json(&wcs, &input.name(), context, out),
            (false, true) => steps::print(&wcs, context.colours, out),
            (false, false) => summary::print(&wcs, &input.name(), context, out),
        };
        return shown.map(|()| Outcome::Fine).map_err(located);
    }
    if args.steps {
        return Err(Error::usage("--steps shows no points").with_hint("leave out --steps, or the points"));
    }
    let conversion = args.conversion(&wcs).map_err(located)?;
    match &args.points {
        Some(_) if !numbers.is_empty() => {
            return Err(Error::usage("found both --points and coordinates, expected one of them"));
        }
        Some(points) => points::run(&conversion, points, context, out)?,
        None => args.print(&conversion, &wcs, numbers, &input, out)?,
    }
    Ok(Outcome::Fine)
}

/// Opens the world coordinate system at a path, or the only one.
fn open(file: &File, path: Option<&str>) -> Result<Wcs> {
    match path {
        None => Wcs::only(file),
        Some(word) => {
            let path = file.tree().resolve_path(word);
            Wcs::open(file, path.as_str())
                .map_err(|error| crate::place::with_guess(file, path.as_str(), error))
        }
    }
}

impl Args {
    /// Splits the words: a first word that is not a coordinate is the path.
    fn path_and_numbers(&self) -> (Option<&str>, &[String]) {
        match self.words.split_first() {
            Some((first, rest)) if coordinate::parse(first).is_none() => (Some(first), rest),
            _ => (None, &self.words),
        }
    }

    fn conversion<'w>(&self, wcs: &'w Wcs) -> Result<Conversion<'w>> {
        let (pixel, world) = (wcs.pixel_frame()?, wcs.world_frame()?);
        if !self.world {
            return Ok(Conversion { transform: wcs.forward()?, from: pixel, to: world });
        }
        let way = match self.inverse {
            Way::Exact => Inverse::Exact,
            Way::Stored => Inverse::Stored,
        };
        let transform = wcs.inverse(way).map_err(|error| match (self.inverse, error.hint()) {
            (Way::Exact, Some(_)) => {
                error.replace_hint("pass --inverse stored to use the inverse of the file")
            }
            _ => error,
        })?;
        Ok(Conversion { transform, from: world, to: pixel })
    }

    /// Converts the points of the command line.
    fn print(
        &self,
        conversion: &Conversion<'_>,
        wcs: &Wcs,
        words: &[String],
        input: &Input,
        out: &mut dyn Write,
    ) -> Result<()> {
        let count = conversion.transform.inputs();
        if count == 0 || !words.len().is_multiple_of(count) {
            let names = conversion.input_names().join(", ");
            let message =
                format!("expected {count} coordinates for each point ({names}), found {}", words.len());
            return Err(Error::usage(message));
        }
        let mut points: Vec<(Vec<f64>, Vec<f64>)> = Vec::new();
        for words in words.chunks(count) {
            let axes = conversion.from.axes();
            let numbers = words.iter().enumerate().map(|(axis, word)| coordinate::read(word, axes.get(axis)));
            let numbers = numbers.collect::<Result<Vec<f64>>>()?;
            let result = conversion.transform.values(&numbers)?;
            points.push((numbers, result));
        }
        if self.json {
            let numbers = |numbers: &[f64]| numbers.iter().copied().map(json::float).collect::<Vec<Json>>();
            let points: Vec<Json> = points
                .iter()
                .map(|(from, to)| json!({"input": numbers(from), "output": numbers(to)}))
                .collect();
            let report = json!({
                "asdf_wcs": 1,
                "file": input.name(),
                "path": wcs.path(),
                "input": summary::frame_json(conversion.from),
                "output": summary::frame_json(conversion.to),
                "points": points,
            });
            return writeln!(out, "{}", Printable(&report)).map_err(output);
        }
        for (_, result) in points {
            let texts: Vec<String> = result.into_iter().map(value_text::float).collect();
            writeln!(out, "{}", texts.join(" ")).map_err(output)?;
        }
        Ok(())
    }
}

impl Conversion<'_> {
    fn input_names(&self) -> Vec<String> {
        names(self.from.axes(), self.transform.inputs())
    }

    fn output_names(&self) -> Vec<String> {
        names(self.to.axes(), self.transform.outputs())
    }
}

/// Returns a different name for each axis: its own, or else `axis1` and so on.
fn names(axes: &[Axis], count: usize) -> Vec<String> {
    let mut names: Vec<String> = Vec::with_capacity(count);
    for number in 0..count {
        let own = axes.get(number).map(Axis::name).filter(|name| !name.is_empty());
        let name = own.filter(|own| !names.iter().any(|name| name == own)).map(str::to_owned);
        names.push(name.unwrap_or_else(|| format!("axis{}", number + 1)));
    }
    names
}
