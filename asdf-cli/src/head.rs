//! `asdf head`: the first elements of an array.

use std::io::Write;
use std::path::PathBuf;

use asdf_core::array::{Datatype, Slice};
use asdf_core::{NdArray, Result};
use serde_json::{Value as Json, json};

use crate::colour::bold;
use crate::commands::{Outcome, output};
use crate::complete_path::PLACE;
use crate::files::Input;
use crate::printable::{line, short};
use crate::{arrays, canonical, elements, opening, place};

/// Print the first rows of an array: an element, a record or a row of an image a line.
///
/// Reads no more of the file than that. Missing elements are --; of long rows the first columns are shown.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf head catalog.asdf                                of the only array in the file
  asdf head -n 3 --columns 6 image.asdf /roman/data
  asdf head --slice '100:110, ::1000' image.asdf /roman/data
  asdf head --json catalog.asdf /sources | jq -c '.data[]'")]
pub(crate) struct Args {
    /// How many rows
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10)]
    rows: u32,

    /// How many elements along the other axes
    #[arg(long, value_name = "N", default_value_t = 10)]
    columns: u32,

    /// Only a part of the array, as between numpy's brackets
    #[arg(long, value_name = "SLICES")]
    slice: Option<String>,

    /// Print JSON: {"asdf_head": 1, "path", "datatype", "shape", "data"}; the shape is that of the whole
    /// array
    #[arg(long)]
    json: bool,

    /// The file, or - for standard input
    file: PathBuf,

    /// The array; may be left out where there is only one
    #[arg(value_hint = PLACE)]
    path: Option<String>,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome> {
    let input = Input::named(args.file.clone());
    let file = input.open()?;
    for warning in file.missed_blocks()? {
        opening::warn(&warning.at_file(input.name()));
    }
    print(args, &file, out).map_err(|error| match error.kind() {
        asdf_core::ErrorKind::Io => error,
        _ => error.at_file(input.name()),
    })
}

fn print(args: &Args, file: &asdf_core::File, out: &mut dyn Write) -> Result<Outcome> {
    let (path, mut array) = arrays::one(file, args.path.as_deref())?;
    if let Some(slice) = &args.slice {
        array = array.slice(&Slice::parse(slice)?).map_err(|error| error.at_path(&path))?;
    }
    let shape = array.shape().to_vec();
    let mut slices = vec![up_to(args.columns); shape.len()];
    if let Some(first) = slices.first_mut() {
        *first = up_to(args.rows);
    }
    let part = array.slice(&slices).map_err(|error| error.at_path(&path))?;
    let data = elements::json(&part).map_err(|error| error.at_path(&path))?;
    let data = data.get("data").cloned().unwrap_or_default();
    if args.json {
        let datatype = canonical::datatype(array.datatype());
        let told = json!({"asdf_head": 1, "path": path, "datatype": datatype, "shape": shape, "data": data});
        writeln!(out, "{told}").map_err(output)?;
        return Ok(Outcome::Fine);
    }
    rows(&path, &array, &part, &data, out).map_err(output)?;
    Ok(Outcome::Fine)
}

fn up_to(count: u32) -> Slice {
    Slice::Range { start: None, end: Some(count.into()), step: 1 }
}

fn rows(
    path: &str,
    array: &NdArray,
    part: &NdArray,
    data: &Json,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let datatype = short(&array.datatype().to_string(), 200);
    writeln!(out, "{}: {datatype} {:?}", bold(line(place::shown(path))), array.shape())?;
    if let Datatype::Struct(fields) = array.datatype() {
        let names: Vec<String> =
            fields.iter().map(|field| line(field.name.as_deref().unwrap_or("?"))).collect();
        writeln!(out, "{}", bold(names.join("  ")))?;
    }
    let Some((&all, &shown)) = array.shape().first().zip(part.shape().first()) else {
        return writeln!(out, "{}", text(data));
    };
    let cut = array.shape().iter().zip(part.shape()).skip(1).any(|(all, shown)| shown < all);
    for row in data.as_array().into_iter().flatten() {
        match row {
            Json::Array(cells) => {
                let cells: Vec<String> = cells.iter().map(text).collect();
                writeln!(out, "{}{}", cells.join("  "), if cut { "  …" } else { "" })?;
            }
            one => writeln!(out, "{}", text(one))?,
        }
    }
    if shown < all { writeln!(out, "… {} more", all - shown) } else { Ok(()) }
}

/// An element, or a list of them; missing ones are --.
fn text(value: &Json) -> String {
    match value {
        Json::Null => "--".to_owned(),
        Json::String(text) => line(text),
        Json::Array(values) => format!("[{}]", values.iter().map(text).collect::<Vec<_>>().join(", ")),
        Json::Object(parts) => {
            let part = |name: &str| parts.get(name).map(text).unwrap_or_default();
            format!("({}, {})", part("re"), part("im"))
        }
        other => other.to_string(),
    }
}
