//! `asdf ls`: lists files, one row each.

mod condition;
mod date;
mod rows;

use std::io::Write;

use asdf_core::{Error, File, Result};
use clap::ValueEnum;

use crate::complete_path::PLACE;
use crate::context::Context;
use crate::input::Input;
use crate::input_files::InputFiles;
use crate::outcome::{Outcome, output};
use crate::place;

use condition::Condition;
use rows::{Cell, Row, Rows, Style};

/// List files, one row each, with values of their trees.
///
/// Reads only the trees. Files are listed in the order in which they are named, and those of a folder by name. Files
/// that cannot be read are reported at the end.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf ls night/ --field /roman/meta/exposure/type --field /roman/meta/exposure/start_time
  asdf ls 'r*.asdf' --where '/roman/detector = \"WFI01\"' --where '/meta/exposure_time >= 60'
  asdf ls night/ --long --sort /roman/meta/exposure/start_time
  asdf ls archive/ --where '/target ~ ^M' --format csv > targets.csv
  asdf ls archive/ --json --field /target | jq -r .file")]
pub(crate) struct Args {
    /// Show the value at PATH; can be repeated
    ///
    /// The default is the version of the standard and the keys of the root.
    #[arg(long, value_name = "PATH", value_hint = PLACE)]
    field: Vec<String>,

    /// List only files that match CONDITION; can be repeated
    ///
    /// CONDITION is a path, then =, !=, <, <=, > or >= and a value, or ~ and a regular expression. Numbers compare as
    /// numbers, all else as text. A file must match all conditions.
    #[arg(long = "where", value_name = "CONDITION", value_hint = PLACE)]
    conditions: Vec<Condition>,

    /// Show the size in bytes and the time of the last change (UTC)
    #[arg(short, long)]
    long: bool,

    /// Sort by the values at PATH, or by file, size or date
    ///
    /// Numbers sort as numbers, all else as text. Files without a value are last.
    #[arg(long, value_name = "PATH|file|size|date", value_hint = PLACE)]
    sort: Option<String>,

    /// Reverse the order; sorts by file without --sort
    #[arg(short, long)]
    reverse: bool,

    /// Print rows in this format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,

    /// Put ' before texts in csv that spreadsheets would calculate
    ///
    /// These are texts that begin with =, +, -, @, a tab or a line break. Numbers are unchanged.
    #[arg(long)]
    csv_safe: bool,

    /// The same as --format jsonl
    ///
    /// Bytes of file names that are not UTF-8 become U+FFFD.
    #[arg(long, conflicts_with = "format")]
    json: bool,

    #[command(flatten)]
    many: InputFiles,
}

impl Args {
    /// Returns the sort key.
    fn sort(&self) -> Option<&str> {
        self.sort.as_deref().or(Some("file").filter(|_| self.reverse))
    }
}

/// The format of the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Format {
    /// Columns
    #[default]
    Table,
    /// Comma-separated values with a header
    Csv,
    /// One object per line: {"asdf_ls": 1, "file", "fields": {PATH: value}}; with --long also "size" and "date"
    Jsonl,
}

pub(crate) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Outcome> {
    let format = if args.json { Format::Jsonl } else { args.format };
    if args.csv_safe && format != Format::Csv {
        return Err(Error::usage("--csv-safe needs the format csv").with_hint("pass --format csv"));
    }
    let format = Style { format, safe: args.csv_safe };
    let mut rows = Rows::new(format, &args.field, args.long, context.colours, out)?;
    let mut any = false;
    let mut held: Vec<Row> = Vec::new();
    // Whether any file has a value at each field.
    let mut known = vec![false; args.field.len()];
    // Whether any file has a value to sort by.
    let mut sorted = false;
    let asked = args.many.ask(
        context,
        |input, file| Ok(row(args, input, file)),
        |row| {
            any |= row.is_some();
            let Some(row) = row else { return Ok(()) };
            known.iter_mut().zip(&row.cells).for_each(|(known, cell)| *known |= cell.is_there());
            match args.sort() {
                Some(_) => {
                    sorted |= row.key.as_ref().is_some_and(Cell::is_there);
                    held.push(row);
                }
                None => rows.add(&row).map_err(output)?,
            }
            Ok(())
        },
    );
    held.sort_by(|a, b| a.compare(b, args.reverse));
    held.iter().try_for_each(|row| rows.add(row)).map_err(output)?;
    rows.end().map_err(output)?;
    let sort = args.sort().filter(|sort| !args.field.iter().any(|field| field == sort));
    let fields = args.field.iter().map(String::as_str).zip(known).chain(sort.map(|sort| (sort, sorted)));
    for (field, _) in fields.filter(|(_, known)| any && !known) {
        context.warnings.tell(Error::usage(format!("no file has a value at {field}")));
    }
    asked?;
    Ok(if any || args.conditions.is_empty() { Outcome::Fine } else { Outcome::NotFine })
}

/// Returns the row of a file, if the file matches all conditions.
fn row(args: &Args, input: &Input, file: &File) -> Option<Row> {
    if !args.conditions.iter().all(|condition| condition.holds(file)) {
        return None;
    }
    let cells = match args.field.as_slice() {
        [] => {
            let keys = file.tree().root().into_iter().flat_map(|root| root.entries());
            let own = |key: &&str| !matches!(*key, "asdf_library" | "history");
            let keys: Vec<&str> = keys.filter_map(|(key, _)| key.text()).filter(own).collect();
            vec![Cell::text(file.standard().to_string()), Cell::text(keys.join(", "))]
        }
        fields => fields.iter().map(|field| Cell::of(place::find(file.tree(), field))).collect(),
    };
    let found = match input.known {
        Some((size, modified)) => Some((size, Some(modified))),
        None if input.is_stdin() => None,
        None => std::fs::metadata(&input.path).ok().map(|found| (found.len(), found.modified().ok())),
    };
    let size = found.map(|(size, _)| size);
    let date = found.and_then(|(_, modified)| modified).map(date::of);
    let key = match args.sort() {
        None => None,
        Some("file") => Some(Cell::text(input.name())),
        Some("size") => size.map(Cell::number),
        Some("date") => date.clone().map(Cell::text),
        Some(path) => Some(Cell::of(place::find(file.tree(), path))),
    };
    Some(Row { file: input.raw_name(), size, date, cells, key })
}
