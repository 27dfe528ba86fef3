//! `asdf stats`: what the elements of arrays come to.

use std::io::Write;
use std::path::PathBuf;

use asdf_core::array::{Datatype, Statistics};
use asdf_core::{NdArray, Result};
use serde_json::{Value as Json, json};

use crate::arrays;
use crate::canonical::plain_float;
use crate::colour::bold;
use crate::commands::{Outcome, output};
use crate::complete_path::PLACE;
use crate::files::Input;
use crate::many::Failures;
use crate::place;
use crate::printable::line;

/// Show minimum, maximum, mean and standard deviation of arrays, and how many elements are missing, NaN or
/// infinite.
///
/// Arrays are read in pieces, so that they may be larger than memory. Of tables, each column of numbers is
/// shown; arrays of texts and complex numbers are passed over unless they are named.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf stats image.asdf                                 all arrays
  asdf stats image.asdf /roman/data /roman/err
  asdf stats --histogram 20 image.asdf /roman/data
  asdf stats --json image.asdf | jq '.arrays[].mean'")]
pub(crate) struct Args {
    /// Count the elements in so many parts of equal width between minimum and maximum
    #[arg(long, value_name = "BINS")]
    histogram: Option<usize>,

    /// Print JSON: {"asdf_stats": 1, "file", "arrays": [{"path", "field", "datatype", "shape", "count",
    /// "missing", "nan", "infinite", "minimum", "maximum", "mean", "deviation", "histogram"}]}
    #[arg(long)]
    json: bool,

    /// The file, or - for standard input
    file: PathBuf,

    /// The arrays; all of them when none is named
    #[arg(value_name = "ARRAY", value_hint = PLACE)]
    paths: Vec<String>,
}

/// One array, or one field of a table.
struct Column {
    path: String,
    field: Option<String>,
    array: NdArray,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome> {
    let input = Input::named(args.file.clone());
    let file = input.open()?;
    let chosen = arrays::chosen(&file, &args.paths).map_err(|error| error.at_file(input.name()))?;
    let mut failures = Failures::default();
    let mut all: Vec<Json> = Vec::new();
    let mut count = 0;
    for column in chosen.into_iter().flat_map(columns) {
        if args.paths.is_empty() && !is_real(column.array.datatype()) {
            continue;
        }
        count += 1;
        let found = column.array.statistics().and_then(|found| {
            let bins = args.histogram.zip(found.minimum.zip(found.maximum));
            let counts =
                bins.map(|(bins, (low, high))| column.array.histogram(low, high, bins)).transpose()?;
            Ok((found, counts))
        });
        match found {
            Ok((found, counts)) if args.json => all.push(as_json(&column, &found, counts.as_deref())),
            Ok((found, counts)) => print(&column, &found, counts.as_deref(), out).map_err(output)?,
            Err(error) => failures.add(error.at_path(&column.path).at_file(input.name())),
        }
    }
    if args.json {
        writeln!(out, "{}", json!({"asdf_stats": 1, "file": input.name(), "arrays": all})).map_err(output)?;
    } else if count == 0 {
        // Silence would look as if something had gone wrong.
        return Err(arrays::none("array of numbers").at_file(input.name()));
    }
    failures.end().map(|()| Outcome::Fine)
}

fn columns((path, array): (String, NdArray)) -> Vec<Column> {
    let Datatype::Struct(fields) = array.datatype() else {
        return vec![Column { path, field: None, array }];
    };
    let names: Vec<String> = fields.iter().filter_map(|field| field.name.clone()).collect();
    let column = |name: String| {
        let array = array.field(&name).ok()?;
        Some(Column { path: path.clone(), field: Some(name), array })
    };
    names.into_iter().filter_map(column).filter(|column| is_real(column.array.datatype())).collect()
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

fn print(
    column: &Column,
    found: &Statistics,
    counts: Option<&[u64]>,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let Column { path, field, array } = column;
    let field = field.as_ref().map(|name| format!("[{}]", line(name))).unwrap_or_default();
    let name = format!("{}{field}", line(place::shown(path)));
    writeln!(out, "{}: {} {:?}", bold(name), array.datatype(), array.shape())?;
    let numbers = [
        ("minimum", found.minimum),
        ("maximum", found.maximum),
        ("mean", found.mean),
        ("deviation", found.deviation),
    ];
    for (name, number) in numbers {
        if let Some(number) = number {
            writeln!(out, "  {name:<10}{number}")?;
        }
    }
    for (name, count) in [("missing", found.missing), ("NaN", found.nan), ("infinite", found.infinite)] {
        if count > 0 {
            writeln!(out, "  {name:<10}{count} of {}", array.len())?;
        }
    }
    match (counts, found.minimum.zip(found.maximum)) {
        (Some(counts), Some((low, high))) => histogram(counts, low, high, out),
        _ => Ok(()),
    }
}

/// One line for each bin: where it begins, a bar, and how many there are.
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

fn as_json(column: &Column, found: &Statistics, counts: Option<&[u64]>) -> Json {
    let number = |number: Option<f64>| number.map_or(Json::Null, plain_float);
    json!({
        "path": column.path,
        "field": column.field,
        "datatype": crate::canonical::datatype(column.array.datatype()),
        "shape": column.array.shape(),
        "count": found.count,
        "missing": found.missing,
        "nan": found.nan,
        "infinite": found.infinite,
        "minimum": number(found.minimum),
        "maximum": number(found.maximum),
        "mean": number(found.mean),
        "deviation": number(found.deviation),
        "histogram": counts,
    })
}
