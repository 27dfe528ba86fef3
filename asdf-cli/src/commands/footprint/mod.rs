//! `asdf footprint`: the outlines of images on the sky.

mod rows;

use std::io::Write;

use asdf_core::{Error, File, Result};
use asdf_gwcs::Wcs;
use clap::ValueEnum;

use crate::complete_path::PLACE;
use crate::context::Context;
use crate::failures::Failures;
use crate::input::Input;
use crate::input_files::InputFiles;
use crate::outcome::{Outcome, output};

use rows::{Row, Rows};

/// Show the outlines of images on the sky.
///
/// Computes the corners of the bounding box from the gwcs of each file, clockwise from the bottom left, in degrees. Each
/// file can have several world coordinate systems. A file without one is reported at the end. So is a warning if the
/// metadata have an s_region that differs from the outline by more than a pixel.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf footprint image.asdf
  asdf footprint night/ --format ds9 > night.reg
  asdf footprint night/ --format geojson --points-per-edge 10 > night.json
  asdf footprint 'r*.asdf' --format csv")]
pub(crate) struct Args {
    /// Print outlines in this format
    #[arg(short, long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,

    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,

    /// Only use the world coordinate system at PATH [default: all]
    #[arg(short, long, value_name = "PATH", value_hint = PLACE)]
    path: Option<String>,

    /// Print N points along each edge of the image
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    points_per_edge: u32,

    /// Put ' before texts in csv that spreadsheets would calculate
    #[arg(long)]
    csv_safe: bool,

    #[command(flatten)]
    many: InputFiles,
}

/// The format of outlines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Format {
    /// STC-S, such as POLYGON ICRS 10 -1 10 1 8 1 8 -1
    #[default]
    Stcs,
    /// A region file of SAOImage DS9
    Ds9,
    /// A GeoJSON collection, with longitudes from -180 to 180
    Geojson,
    /// Comma-separated values with a header
    Csv,
    /// One object per line: {"asdf_footprint": 1, "file", "path", "frame", "vertices", "pixel_scale", "s_region", "difference"}
    Json,
}

/// What was found in a file: outlines, and errors about some of its coordinate systems.
struct Found {
    rows: Vec<Row>,
    failures: Vec<Error>,
}

pub(crate) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Outcome> {
    let format = if args.json { Format::Json } else { args.format };
    if args.csv_safe && format != Format::Csv {
        return Err(Error::usage("--csv-safe needs the format csv").with_hint("pass --format csv"));
    }
    let mut rows = Rows::new(format, args.csv_safe, args.many.is_many(), args.points_per_edge, out);
    rows.begin().map_err(output)?;
    let mut failures = Failures::default();
    let asked = args.many.ask(
        context,
        |input, file| args.of_file(input, file),
        |found| {
            for row in &found.rows {
                if let Some(difference) = row.difference.filter(|difference| *difference > 1.0) {
                    let message = format!("the outline differs from `s_region` by {difference:.1} pixels");
                    context.warnings.tell(Error::mismatch(message).at_path(&row.path).at_file(&row.file));
                }
                rows.add(row).map_err(output)?;
            }
            found.failures.into_iter().for_each(|failure| failures.add(failure));
            Ok(())
        },
    );
    rows.end().map_err(output)?;
    if let Err(error) = asked {
        failures.add(error);
    }
    failures.end().map(|()| Outcome::Fine)
}

impl Args {
    fn of_file(&self, input: &Input, file: &File) -> Result<Found> {
        let paths = match &self.path {
            Some(word) => vec![file.tree().resolve_path(word).as_str().to_owned()],
            None => Wcs::find(file),
        };
        if paths.is_empty() {
            return Err(Error::missing("the file has no world coordinate system (tag `gwcs/wcs`)"));
        }
        let mut found = Found { rows: Vec::new(), failures: Vec::new() };
        for path in paths {
            match self.row(input, file, &path) {
                Ok(row) => found.rows.push(row),
                Err(error) if error.file().is_some() => found.failures.push(error),
                Err(error) => found.failures.push(error.at_file(input.name())),
            }
        }
        Ok(found)
    }

    fn row(&self, input: &Input, file: &File, path: &str) -> Result<Row> {
        // Files are opened on several threads already.
        let wcs = Wcs::open(file, path)?.threads(asdf_core::Threads::ONE);
        let outline = match self.points_per_edge {
            1 => wcs.footprint_outline()?,
            count => wcs.outline(count as usize)?,
        };
        let pixel_scale = wcs.mean_pixel_scale()?;
        let s_region = wcs.s_region(file);
        let difference = s_region.as_deref().map(|region| wcs.distance_from(region)).transpose()?.flatten();
        Ok(Row { file: input.raw_name(), path: path.to_owned(), outline, pixel_scale, s_region, difference })
    }
}
