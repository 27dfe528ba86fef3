//! `asdf stats`: statistics of arrays.

use std::io::Write;
use std::path::PathBuf;

use asdf_core::array::{Clipped, Datatype, ReadBudget, Slice, Statistics, Value};
use asdf_core::{Error, File, NdArray, Result};
use asdf_tables::json::Printable;
use asdf_tables::{Advice, Dataset, json};
use serde_json::{Value as Json, json};

use crate::colour::Colours;
use crate::complete_path::PLACE;
use crate::context::Context;
use crate::failures::Failures;
use crate::input::Input;
use crate::outcome::{Outcome, output};
use crate::printable::line;
use crate::{place, tables, value_text};

/// The most rounds of sigma clipping, as in astropy.
const ROUNDS: u32 = 5;

/// Show the minimum, maximum, mean, median and more of arrays.
///
/// Also shows the sum, the standard deviation, and the number of missing, NaN and infinite elements. Minimum, maximum
/// and sum of integers are exact. The deviation is that of the population, as in numpy's `std` with ddof=0. Of tables,
/// each column of numbers is shown. Quantities and columns have their units. Arrays of strings and of complex numbers
/// are skipped unless they are named.
///
/// Arrays are read in pieces, so they can be larger than memory. The median and percentiles of more than 16 million
/// elements (8 million of uint64) take several passes over the array.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf stats image.asdf                                 all arrays
  asdf stats image.asdf /roman/data /roman/err
  asdf stats catalog.asdf /cat/flux                     one column of a table
  asdf stats --percentiles 1,5,95,99 --clip image.asdf /roman/data
  asdf stats --histogram 20 image.asdf /roman/data
  asdf stats --slice '0:100, 0:100' image.asdf /roman/data
  asdf stats --each 0 cube.asdf /cube                   each plane of a cube
  asdf stats --json image.asdf | jq '.arrays[].mean'")]
pub(crate) struct Args {
    /// Show these percentiles too, interpolated linearly as in numpy
    #[arg(long, value_name = "P,P,...", value_delimiter = ',')]
    percentiles: Vec<f64>,

    /// Show mean, median and deviation without outliers
    ///
    /// Removes elements farther than SIGMA deviations from the median, up to 5 times, as astropy's sigma_clipped_stats
    /// does. SIGMA is 3 if it is omitted.
    #[arg(long, value_name = "SIGMA", num_args = 0..=1, require_equals = true, default_missing_value = "3")]
    clip: Option<f64>,

    /// Count the elements in BINS bins between minimum and maximum
    #[arg(long, value_name = "BINS")]
    histogram: Option<usize>,

    /// Use only a part of the arrays or tables, as in numpy's brackets
    #[arg(long, value_name = "SLICES", allow_hyphen_values = true, requires = "paths")]
    slice: Option<String>,

    /// Show statistics for each index along AXIS; -1 is the last axis
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true, requires = "paths")]
    each: Option<i64>,

    /// Print JSON: {"asdf_stats": 1, "file", "arrays"}
    ///
    /// The keys of each of the arrays are "path", "field", "index", "unit", "datatype", "shape", "count", "missing",
    /// "nan", "infinite", "minimum", "maximum", "sum", "mean", "median", "deviation", "percentiles", "clipped" and
    /// "histogram".
    #[arg(long)]
    json: bool,

    /// The file, or - for standard input
    file: PathBuf,

    /// Arrays, quantities, tables or columns [default: all]
    #[arg(value_name = "ARRAY", value_hint = PLACE)]
    paths: Vec<String>,
}

/// One array, or one column of a table.
struct Column {
    path: String,
    field: Option<String>,
    /// The slice that --each selects, as between numpy's brackets.
    index: Option<String>,
    unit: Option<String>,
    array: NdArray,
}

/// The statistics of a [`Column`].
struct Found {
    statistics: Statistics,
    median: Option<f64>,
    percentiles: Option<Vec<f64>>,
    clipped: Option<Clipped>,
    histogram: Option<Vec<u64>>,
}

pub(crate) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Outcome> {
    let input = Input::named(args.file.clone());
    let file = context.open(&input.path).map_err(|error| args.with_clip_hint(error, &input.name()))?;
    let slices = args.slice.as_deref().map(Slice::parse).transpose()?.unwrap_or_default();
    let mut failures = Failures::default();
    let located = |error: Error| error.at_file(input.name());
    let chosen = if args.paths.is_empty() {
        everything(&file, |error| failures.add(located(error)))
    } else {
        let mut chosen = Vec::new();
        for path in &args.paths {
            let (at, dataset) =
                tables::at(&file, path).map_err(|error| args.with_clip_hint(located(error), path))?;
            let part = dataset.slice(&slices).map_err(|error| located(error.at_path(&at)))?;
            for column in columns(at, part).map_err(located)? {
                match args.each {
                    Some(axis) => chosen.extend(column.each(axis).map_err(located)?),
                    None => chosen.push(column),
                }
            }
        }
        chosen
    };
    let mut all: Vec<Json> = Vec::new();
    let count = chosen.len();
    let mut budget = ReadBudget::of(file.tree());
    for column in chosen {
        match budget.take(&column.array).and_then(|()| args.statistics(&column.array)) {
            Ok(found) if args.json => all.push(args.as_json(&column, &found)),
            Ok(found) => args.print(&column, &found, context.colours, out).map_err(output)?,
            Err(error) => failures.add(error.at_path(&column.path).at_file(input.name())),
        }
    }
    if args.json {
        let report = json!({"asdf_stats": 1, "file": input.name(), "arrays": all});
        writeln!(out, "{}", Printable(&report)).map_err(output)?;
    } else if count == 0 && failures.is_empty() {
        // No output at all would look like a failure.
        let error = Error::mismatch("the file has no array of numbers").with_hint(Advice::Contents);
        return Err(located(error));
    }
    failures.end().map(|()| Outcome::Fine)
}

/// Returns all arrays of numbers in a file, and the columns of its tables by name.
fn everything(file: &File, mut fail: impl FnMut(Error)) -> Vec<Column> {
    let mut all = Vec::new();
    for found in Dataset::all_of(file) {
        match found.and_then(|(path, dataset)| columns(path, dataset)) {
            Ok(columns) => all.extend(columns.into_iter().filter(|column| is_real(column.array.datatype()))),
            Err(error) => fail(error),
        }
    }
    all
}

/// Returns an array, or the columns of numbers of a table.
fn columns(path: String, dataset: Dataset) -> Result<Vec<Column>> {
    match dataset {
        Dataset::Array { array, unit, .. } => {
            Ok(vec![Column { path, field: None, index: None, unit, array }])
        }
        Dataset::Table { columns, .. } => {
            let real = columns.into_vec().into_iter().filter(|column| is_real(column.array.datatype()));
            let column = |column: asdf_tables::Column| Column {
                path: path.clone(),
                field: Some(column.name),
                index: None,
                unit: column.unit,
                array: column.array,
            };
            Ok(real.map(column).collect())
        }
        Dataset::Fits(_) => {
            let error = Error::usage("found a FITS file, expected an array or a table");
            Err(error.with_hint("run `asdf info` to see the paths of its parts").at_path(&path))
        }
    }
}

fn is_real(datatype: &Datatype) -> bool {
    !matches!(
        datatype,
        Datatype::Struct(_)
            | Datatype::Ascii(_)
            | Datatype::Ucs4(_)
            | Datatype::Complex32
            | Datatype::Complex64
            | Datatype::Complex128
    )
}

impl Args {
    /// Adds a hint about --clip=SIGMA if a path that does not exist is a number.
    fn with_clip_hint(&self, error: Error, word: &str) -> Error {
        if self.clip.is_none() || word.parse::<f64>().is_err() {
            return error;
        }
        error.replace_hint(format!("write --clip={word}"))
    }

    fn statistics(&self, array: &NdArray) -> Result<Found> {
        let statistics = array.statistics()?;
        let mut wanted = vec![50.0];
        wanted.extend(&self.percentiles);
        let mut percentiles = array.percentiles(&wanted)?;
        let median = percentiles.as_mut().map(|list| list.remove(0));
        let clipped = self.clip.map(|sigma| array.clipped(sigma, ROUNDS)).transpose()?;
        let bins = self.histogram.zip(bounds(&statistics));
        let histogram = bins.map(|(bins, (low, high))| array.histogram(low, high, bins)).transpose()?;
        Ok(Found { statistics, median, percentiles, clipped, histogram })
    }

    fn print(
        &self,
        column: &Column,
        found: &Found,
        colours: Colours,
        out: &mut dyn Write,
    ) -> std::io::Result<()> {
        let array = &column.array;
        let unit = column.unit.as_ref().map(|unit| format!(" in {}", line(unit))).unwrap_or_default();
        writeln!(
            out,
            "{}: {} {:?}{unit}",
            colours.bold(line(&column.name())),
            array.datatype(),
            array.shape()
        )?;
        let datatype = array.datatype();
        let Found { statistics, median, percentiles, clipped, histogram: counts } = found;
        let shown = |value: &Option<Value>| value.as_ref().map(|value| value_text::shown(value, datatype));
        let mut numbers = vec![
            ("minimum".to_owned(), shown(&statistics.minimum)),
            ("maximum".to_owned(), shown(&statistics.maximum)),
            ("sum".to_owned(), statistics.sum.as_ref().map(|sum| value_text::shown(sum, &Datatype::Float64))),
            ("mean".to_owned(), statistics.mean.map(value_text::float)),
            ("median".to_owned(), median.map(value_text::float)),
            ("deviation".to_owned(), statistics.deviation.map(value_text::float)),
        ];
        let percents = self.percentiles.iter().zip(percentiles.iter().flatten());
        numbers.extend(
            percents.map(|(percent, value)| (format!("{percent}%"), Some(value_text::float(*value)))),
        );
        for (name, number) in numbers {
            if let Some(number) = number {
                writeln!(out, "  {name:<10}{number}")?;
            }
        }
        if let Some(Clipped {
            count,
            mean: Some(mean),
            median: Some(median),
            deviation: Some(deviation),
            ..
        }) = clipped
        {
            let [mean, median, deviation] = [*mean, *median, *deviation].map(value_text::float);
            writeln!(
                out,
                "  clipped   mean {mean}, median {median}, deviation {deviation} of {count} elements"
            )?;
        }
        let counted =
            [("missing", statistics.missing), ("NaN", statistics.nan), ("infinite", statistics.infinite)];
        for (name, count) in counted {
            if count > 0 {
                writeln!(out, "  {name:<10}{count} of {}", array.len())?;
            }
        }
        match (counts, bounds(statistics)) {
            (Some(counts), Some((low, high))) => histogram(counts, low, high, out),
            _ => Ok(()),
        }
    }

    fn as_json(&self, column: &Column, found: &Found) -> Json {
        let number = |number: Option<f64>| number.map_or(Json::Null, json::float);
        let exact = |value: &Option<Value>| value.as_ref().map(json::element);
        let all = &found.statistics;
        let percentiles: Vec<Json> = self
            .percentiles
            .iter()
            .zip(found.percentiles.iter().flatten())
            .map(|(percent, value)| json!({"percent": percent, "value": json::float(*value)}))
            .collect();
        let clipped = found.clipped.as_ref().map(|clipped| {
            json!({
                "sigma": self.clip,
                "count": clipped.count,
                "mean": number(clipped.mean),
                "median": number(clipped.median),
                "deviation": number(clipped.deviation),
            })
        });
        json!({
            "path": column.path,
            "field": column.field,
            "index": column.index,
            "unit": column.unit,
            "datatype": json::datatype(column.array.datatype()),
            "shape": column.array.shape(),
            "count": all.count,
            "missing": all.missing,
            "nan": all.nan,
            "infinite": all.infinite,
            "minimum": exact(&all.minimum),
            "maximum": exact(&all.maximum),
            "sum": exact(&all.sum),
            "mean": number(all.mean),
            "median": number(found.median),
            "deviation": number(all.deviation),
            "percentiles": percentiles,
            "clipped": clipped,
            "histogram": found.histogram,
        })
    }
}

impl Column {
    /// Returns the path, with the name of the column as its last step.
    fn name(&self) -> String {
        let index = self.index.as_ref().map(|index| format!("[{index}]")).unwrap_or_default();
        match &self.field {
            Some(field) => format!("{}/{field}{index}", self.path),
            None => format!("{}{index}", place::shown(&self.path)),
        }
    }

    /// Splits the array along an axis.
    fn each(self, axis: i64) -> Result<Vec<Self>> {
        let axes = self.array.shape().len();
        let from_end = axis.checked_add_unsigned(axes as u64).filter(|_| axis < 0).unwrap_or(axis);
        let at = usize::try_from(from_end).ok().filter(|at| *at < axes);
        let count = at.and_then(|at| self.array.shape().get(at).copied());
        let (Some(at), Some(count)) = (at, count) else {
            let axes = if axes == 1 { "1 axis".to_owned() } else { format!("{axes} axes") };
            let error = Error::usage(format!("axis {axis} does not exist: the array has {axes}"));
            return Err(error.at_path(&self.name()));
        };
        /// More parts would use too much memory, and nobody could read them.
        const MOST: u64 = 100_000;
        if count > MOST {
            let error =
                Error::limit(format!("axis {axis} has {count} entries, expected at most {MOST} for --each"));
            return Err(error.with_hint("take a part with --slice").at_path(&self.name()));
        }
        let mut parts = Vec::new();
        for index in 0..i64::try_from(count).unwrap_or(i64::MAX) {
            let mut slices = vec![Slice::ALL; at];
            slices.push(Slice::Index(index));
            let index: Vec<String> = slices.iter().map(Slice::to_string).collect();
            parts.push(Self {
                path: self.path.clone(),
                field: self.field.clone(),
                index: Some(index.join(", ")),
                unit: self.unit.clone(),
                array: self.array.slice(&slices)?,
            });
        }
        Ok(parts)
    }
}

/// Returns the minimum and maximum as floats.
fn bounds(found: &Statistics) -> Option<(f64, f64)> {
    let float = |value: &Option<Value>| value.as_ref().and_then(Value::to_f64);
    float(&found.minimum).zip(float(&found.maximum))
}

/// Writes a line for each bin: its lower bound, a bar, and its count.
#[allow(clippy::cast_precision_loss, reason = "the place of a bin for people to read")]
fn histogram(counts: &[u64], low: f64, high: f64, out: &mut dyn Write) -> std::io::Result<()> {
    const WIDTH: u128 = 40;
    let most = u128::from(counts.iter().copied().max().unwrap_or(0).max(1));
    let bins = counts.len() as f64;
    for (bin, &count) in counts.iter().enumerate() {
        let part = bin as f64 / bins;
        let start = low * (1.0 - part) + high * part;
        let length = usize::try_from((u128::from(count) * WIDTH).div_ceil(most)).unwrap_or(0);
        writeln!(out, "  {start:>12.5e} │{:<40}│ {count}", "█".repeat(length))?;
    }
    Ok(())
}
