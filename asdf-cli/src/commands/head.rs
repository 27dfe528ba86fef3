//! `asdf head`: prints the first rows of an array or a table.

use std::io::Write;
use std::path::PathBuf;

use asdf_core::array::{Datatype, Slice};
use asdf_core::{Error, NdArray, Result};
use asdf_tables::json::Printable;
use asdf_tables::{Columns, Dataset, json};
use serde_json::{Value as Json, json};
use unicode_width::UnicodeWidthStr as _;

use crate::colour::Colours;
use crate::complete_path::PLACE;
use crate::context::Context;
use crate::input::Input;
use crate::outcome::{Outcome, output};
use crate::printable::{line, short};
use crate::terminal::{Window, table};
use crate::{place, tables, value_text};

/// Print the first rows of an array or a table.
///
/// Each line is an element, a row of an image or a row of a table. Only these parts of the file are read. Missing
/// elements are --. Floats have the fewest digits that identify them in their datatype.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf head catalog.asdf                                the table or image in the file
  asdf head catalog.asdf /cat/flux                      one column
  asdf head -n 3 --columns 6 image.asdf /roman/data
  asdf head --slice '100:110, ::1000' image.asdf /roman/data
  asdf head --json catalog.asdf /sources | jq -c '.data[]'")]
pub(crate) struct Args {
    /// Print at most N rows
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10)]
    rows: u32,

    /// Print at most N elements along each of the other axes
    #[arg(long, value_name = "N", default_value_t = 10)]
    columns: u32,

    /// Print only a part of the array, as between numpy's brackets
    #[arg(long, value_name = "SLICES")]
    slice: Option<String>,

    /// Print JSON: {"asdf_head": 1, "path", "datatype", "shape", "data"}
    ///
    /// A table has "columns" instead of "datatype". The shape is that of the whole array.
    #[arg(long)]
    json: bool,

    /// The file, or - for standard input
    file: PathBuf,

    /// The array, quantity, table or column
    ///
    /// The default is the array or table that preview shows, or else the only array.
    #[arg(value_hint = PLACE)]
    path: Option<String>,
}

pub(crate) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Outcome> {
    let input = Input::named(args.file.clone());
    let file = context.open(&input.path)?;
    print(args, &file, context.colours, out).map_err(|error| match error.kind() {
        asdf_core::error::Kind::Io => error,
        _ => error.at_file(input.name()),
    })
}

fn print(args: &Args, file: &asdf_core::File, colours: Colours, out: &mut dyn Write) -> Result<Outcome> {
    let (path, dataset) = chosen(file, args.path.as_deref())?;
    let located = |error: Error| error.at_path(&path);
    let slices = args.slice.as_deref().map(Slice::parse).transpose()?.unwrap_or_default();
    match dataset.slice(&slices).map_err(located)? {
        Dataset::Array { array, unit, .. } => {
            args.array(&array, unit.as_deref(), &path, colours, out).map_err(located)?
        }
        Dataset::Table { records: Some(array), .. } if args.json => {
            args.array(&array, None, &path, colours, out).map_err(located)?;
        }
        Dataset::Table { columns, .. } if args.json => {
            let report = args.rows_as_json(&columns, &path).map_err(located)?;
            writeln!(out, "{}", Printable(&report)).map_err(output)?;
        }
        Dataset::Table { columns, .. } => {
            let window = Window::of_terminal();
            table::print(&columns, &path, args.rows.into(), &window, colours, out).map_err(located)?;
        }
        Dataset::Fits(_) => {
            let error = Error::usage("found a FITS file, expected an array or a table");
            return Err(located(error.with_hint("run `asdf info` to see the paths of its parts")));
        }
    }
    Ok(Outcome::Fine)
}

/// Returns the array or table at a path. Without a path, returns what `preview` shows, or else the only array.
fn chosen(file: &asdf_core::File, path: Option<&str>) -> Result<(String, Dataset)> {
    match tables::at_or_default(file, path) {
        Err(_) if path.is_none() => {
            let (path, array) = Dataset::only_array(file)?;
            Ok((path, Dataset::Array { array, unit: None, metadata: Default::default() }))
        }
        found => found,
    }
}

impl Args {
    fn array(
        &self,
        array: &NdArray,
        unit: Option<&str>,
        path: &str,
        colours: Colours,
        out: &mut dyn Write,
    ) -> Result<()> {
        let shape = array.shape().to_vec();
        let mut slices = vec![up_to(self.columns); shape.len()];
        if let Some(first) = slices.first_mut() {
            *first = up_to(self.rows);
        }
        let part = array.slice(&slices)?;
        if self.json {
            let data = json::array(&part)?.get("data").cloned().unwrap_or_default();
            let datatype = json::datatype(array.datatype());
            let mut report =
                json!({"asdf_head": 1, "path": path, "datatype": datatype, "shape": shape, "data": data});
            if let (Some(unit), Some(members)) = (unit, report.as_object_mut()) {
                members.insert("unit".to_owned(), unit.into());
            }
            return writeln!(out, "{}", Printable(&report)).map_err(output);
        }
        let datatype = short(&array.datatype().to_string(), 200);
        let unit = unit.map(|unit| format!(" in {}", line(unit))).unwrap_or_default();
        writeln!(out, "{}: {datatype} {shape:?}{unit}", colours.bold(line(place::shown(path))))
            .map_err(output)?;
        let cells: Vec<String> =
            part.elements()?.map(|value| line(&value_text::shown(&value, array.datatype()))).collect();
        rows(array, &part, &cells, out).map_err(output)
    }

    /// Returns the first rows of a table and the description of its columns.
    fn rows_as_json(&self, columns: &Columns, path: &str) -> Result<Json> {
        let part = columns.slice(up_to(self.rows))?;
        let mut data: Vec<Vec<Json>> = vec![Vec::new(); usize::try_from(part.rows()).unwrap_or(0)];
        let mut described = Vec::new();
        for column in part.as_slice() {
            described.push(json!({
                "name": column.name,
                "unit": column.unit,
                "datatype": json::datatype(column.array.datatype()),
                "cell": column.cell(),
            }));
            let cells = json::array(&column.array).map_err(|error| error.under(&column.name))?;
            for (row, cell) in
                data.iter_mut().zip(cells.get("data").and_then(Json::as_array).into_iter().flatten())
            {
                row.push(cell.clone());
            }
        }
        Ok(json!({
            "asdf_head": 1, "path": path, "shape": [columns.rows()], "columns": described, "data": data,
        }))
    }
}

fn up_to(count: u32) -> Slice {
    Slice::Range { start: None, end: Some(count.into()), step: 1 }
}

/// Writes a line for each entry of the first axis, with aligned columns.
fn rows(array: &NdArray, part: &NdArray, cells: &[String], out: &mut dyn Write) -> std::io::Result<()> {
    let Some((&all, &shown)) = array.shape().first().zip(part.shape().first()) else {
        return cells.iter().try_for_each(|cell| writeln!(out, "{cell}"));
    };
    let is_text = matches!(array.datatype(), Datatype::Ascii(_) | Datatype::Ucs4(_) | Datatype::Struct(_));
    let cut = array.shape().iter().zip(part.shape()).skip(1).any(|(all, shown)| shown < all);
    let size = |shape: &[u64]| usize::try_from(shape.iter().product::<u64>()).unwrap_or(usize::MAX).max(1);
    let (row, cell) = (part.shape().get(1..).unwrap_or_default(), part.shape().get(2..).unwrap_or_default());
    let lines: Vec<Vec<String>> = cells
        .chunks(size(row))
        .map(|row| row.chunks(size(cell)).map(|cells| nested(cells, cell)).collect())
        .collect();
    let mut widths: Vec<usize> = Vec::new();
    for line in &lines {
        widths.resize(widths.len().max(line.len()), 0);
        widths.iter_mut().zip(line).for_each(|(width, cell)| *width = (*width).max(cell.width()));
    }
    for line in &lines {
        let padded: Vec<String> = line
            .iter()
            .zip(&widths)
            .map(|(cell, width)| {
                let gap = " ".repeat(width.saturating_sub(cell.width()));
                if is_text { format!("{cell}{gap}") } else { format!("{gap}{cell}") }
            })
            .collect();
        writeln!(out, "{}{}", padded.join("  ").trim_end(), if cut { "  …" } else { "" })?;
    }
    if shown < all { writeln!(out, "… {} more", all - shown) } else { Ok(()) }
}

/// Returns the cells of further axes in brackets.
fn nested(cells: &[String], shape: &[u64]) -> String {
    let Some((_, inner)) = shape.split_first() else { return cells.join(", ") };
    let size = usize::try_from(inner.iter().product::<u64>()).unwrap_or(usize::MAX).max(1);
    let parts: Vec<String> = cells.chunks(size).map(|cells| nested(cells, inner)).collect();
    format!("[{}]", parts.join(", "))
}
