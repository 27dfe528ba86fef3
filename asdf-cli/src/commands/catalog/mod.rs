//! `asdf catalog`: a table with one row for each file.

mod columns;
mod problems;
mod read;

use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use asdf_core::{Error, Result, Threads};
use asdf_schemas::Validator;
use asdf_tables::Format as TableFormat;
use asdf_tables::catalog::{Field, Known, Layout, Previous, Reader, Reading, Writer};
use clap::ValueEnum;

use crate::context::Context;
use crate::failures::Failures;
use crate::input::inputs;
use crate::outcome::{Outcome, output};
use crate::progress::{Bar, Files};
use crate::remote;
use crate::sources::Sources;
use crate::stdout_or_file::StdoutOrFile;
use crate::thread_count;

use problems::Problems;

/// Write a table with one row for each file.
///
/// The columns are the values at paths (--field), all values of a schema (--schema), or those that the schemas of a package
/// assign to a table (--table). Without these options they are the values that the first 100 files have. Reads trees, and no
/// arrays. A value that does not exist is null. So is one that does not fit its column, and a warning says so.
///
/// Each row also has _file, _size (in bytes), _modified (in UTC), _standard (the version of the ASDF Standard) and _problems
/// (why values are null). A file that cannot be read has a row, too; the exit code is then 1 or 2.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf catalog night/ -o night.parquet
  asdf catalog night/ -o night.csv --field /roman/meta/exposure/exposure_time:float64
  asdf catalog night/ -o night.parquet --schema wfi_image --package rad
  asdf catalog night/ -o night.parquet --table WFIExposure --package rad
  asdf catalog night/ -o night.parquet --update      only read new and changed files
  asdf catalog --table WFIExposure --package rad --columns")]
pub(crate) struct Args {
    /// Add a column: [NAME=]PATH[:TYPE]; can be repeated
    #[arg(long, value_name = "FIELD", help_heading = "Columns", long_help = FIELD)]
    field: Vec<Field>,

    /// Add a column for each value that the schema of TAG describes
    ///
    /// TAG can be the end of a tag, such as wfi_image. The values belong to the first node of a file with this tag, in any
    /// version.
    #[arg(long, value_name = "TAG", conflicts_with = "table", help_heading = "Columns")]
    schema: Option<String>,

    /// Add the columns that schemas assign to TABLE
    ///
    /// Schemas do so with the keyword archive_catalog, as those of the package rad.
    #[arg(long, value_name = "TABLE", help_heading = "Columns")]
    table: Option<String>,

    /// Show the columns of --field, --schema and --table, and read no files
    #[arg(long, help_heading = "Columns")]
    columns: bool,

    /// Validate each file, and add the column _valid
    #[arg(long)]
    validate: bool,

    /// Do not read blocks to validate
    #[arg(long, requires = "validate")]
    no_blocks: bool,

    /// Keep the rows in OUT of files whose size and time have not changed
    ///
    /// OUT must be a catalogue in Parquet; it is created if it does not exist, and not written if no file has changed. Rows
    /// of files that no longer exist are removed. Without options for columns, the columns stay the same. Other columns
    /// need all files to be read.
    #[arg(long)]
    update: bool,

    /// Write this format [default: by the extension of OUT, csv for standard output]
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<Format>,

    /// Put ' before texts in csv that spreadsheets would calculate
    #[arg(long)]
    csv_safe: bool,

    #[command(flatten)]
    destination: StdoutOrFile,

    #[command(flatten)]
    sources: Sources,

    /// Open up to N files at once [default: number of processors, 32 for URLs]
    #[arg(short, long, value_name = "N", value_parser = thread_count::parse)]
    jobs: Option<Threads>,

    /// Files, folders (every *.asdf below), patterns, URLs, or - for stdin
    #[arg(required_unless_present = "columns", value_name = "PATH")]
    paths: Vec<PathBuf>,
}

/// The long help of --field. In a comment, its angle brackets would be HTML.
const FIELD: &str = "Add a column: [NAME=]PATH[:TYPE]; can be repeated

Without a type, it is that of at least four fifths of the first values, or json. Types: boolean, uint8, int16, int32, int64, \
                     float32, float64, string, timestamp, json, list<TYPE>, struct<NAME: TYPE, ...>. A path that contains : \
                     needs one at its end too.";

/// The format of a catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Parquet
    Parquet,
    /// An Arrow IPC file, also called Feather
    Arrow,
    /// Comma-separated values, with lists and structs as JSON
    Csv,
}

pub(crate) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Outcome> {
    let named = args.named(context)?;
    if args.columns {
        let Some((layout, left_out)) = named else {
            let error = Error::usage("--columns needs options for columns");
            return Err(error.with_hint("pass --field, --schema or --table"));
        };
        return columns::show(&layout, &left_out, out).map_err(output).map(|()| Outcome::Fine);
    }
    let format = args.format()?;
    if args.csv_safe && format != TableFormat::Csv {
        return Err(Error::usage("--csv-safe needs the format csv").with_hint("pass --format csv"));
    }
    let previous = args.previous(format)?;
    if previous.is_none() && !args.update {
        args.destination.check(format != TableFormat::Csv, &context.remote)?;
    }
    if let Some((_, left_out)) = named.as_ref().filter(|(_, left_out)| !left_out.is_empty()) {
        context.warnings.note(&format!(
            "note: {} values of the schemas have no column; --columns lists them\n",
            left_out.len()
        ));
    }
    let layout = match (named, &previous) {
        (Some((layout, _)), _) => Some(layout),
        (None, Some((_, known))) => Some(known.layout().clone()),
        (None, None) => None,
    };
    let layout = match layout {
        Some(layout) => layout,
        None => args.valid(read::infer(args, context)?),
    };
    let previous = previous.filter(|(_, known)| {
        let is_same = layout.matches(known.layout());
        if !is_same {
            context
                .warnings
                .note("note: the columns differ from those of the catalogue, so all files are read\n");
        }
        is_same
    });
    args.write(previous, layout, format, context, out)
}

impl Args {
    /// Returns the columns of the options, and the values that have none; `None` without such options.
    fn named(&self, context: &Context) -> Result<Option<columns::Named>> {
        if self.field.is_empty() && self.schema.is_none() && self.table.is_none() {
            return Ok(None);
        }
        let fields = Layout::new(self.field.iter().cloned())?;
        let (layout, left_out) = match (&self.schema, &self.table) {
            (Some(tag), _) => {
                (fields.and(Layout::from_schema(&self.sources.registry(context)?, tag)?)?, Vec::new())
            }
            (_, Some(table)) => {
                let (layout, left_out) = Layout::from_table(&self.sources.registry(context)?, table)?;
                (fields.and(layout)?, left_out)
            }
            (None, None) => (fields, Vec::new()),
        };
        Ok(Some((self.valid(layout), left_out)))
    }

    fn valid(&self, layout: Layout) -> Layout {
        if self.validate { layout.with_valid() } else { layout }
    }

    fn format(&self) -> Result<TableFormat> {
        if let Some(format) = self.format {
            return Ok(match format {
                Format::Parquet => TableFormat::Parquet,
                Format::Arrow => TableFormat::Arrow,
                Format::Csv => TableFormat::Csv,
            });
        }
        let Some(path) = self.destination.path() else { return Ok(TableFormat::Csv) };
        match TableFormat::from_path(path) {
            Some(format @ (TableFormat::Parquet | TableFormat::Arrow | TableFormat::Csv)) => Ok(format),
            _ => Err(Error::usage("cannot tell the format from the extension of the output")
                .at_file(path)
                .with_hint("end the name with .parquet, .arrow or .csv, or pass --format")),
        }
    }

    /// Returns the catalogue to update, if there is one.
    fn previous(&self, format: TableFormat) -> Result<Option<(Previous, Known)>> {
        if !self.update {
            return Ok(None);
        }
        let path = self.destination.path().filter(|path| remote::url(path).is_none());
        let Some(path) = path.filter(|_| format == TableFormat::Parquet) else {
            let error = Error::usage("--update needs a catalogue in Parquet on this machine");
            return Err(error.with_hint("pass --output FILE.parquet"));
        };
        Previous::open_file(path)
    }

    fn write(
        &self,
        previous: Option<(Previous, Known)>,
        layout: Layout,
        format: TableFormat,
        context: &Context,
        out: &mut dyn Write,
    ) -> Result<Outcome> {
        let (previous, known) = previous.unzip();
        // The types that the earlier catalogue found are kept.
        let layout = known.as_ref().map_or(layout, |known| known.layout().clone());
        // An earlier catalogue can have the column, too.
        let validator = match layout.has_valid() {
            true => Some(Validator::new(self.sources.registry(context)?)),
            false => None,
        };
        let validator =
            validator.map(|validator| if self.no_blocks { validator.without_blocks() } else { validator });
        let reader = Reader::new(&layout).known(known.as_ref()).validator(validator.as_ref());
        let mut problems = Problems::new(&context.warnings);
        let mut failures = Failures::default();
        let (mut read, mut kept, mut is_unchanged) = (0, 0, false);
        let files = Arc::new(Files::default());
        let bar = Bar::of_files(&context.progress, files.clone());
        let threads = self.jobs.unwrap_or_else(|| context.remote.jobs(&self.paths, context.threads));
        let written = self.destination.write(context, out, |out| {
            let mut writer = Writer::new(layout.clone(), format, out)?.safe_cells(self.csv_safe);
            if let Some(previous) = previous {
                writer = writer.previous(previous);
            }
            let mut inputs = inputs(self.paths.clone(), &context.remote);
            let together = reader.files_at_once(self.paths.iter().any(|path| remote::url(path).is_some()));
            threads.in_order(
                std::iter::from_fn(|| {
                    Some(inputs.by_ref().take(together).collect::<Vec<_>>()).filter(|some| !some.is_empty())
                }),
                |inputs| {
                    inputs.into_iter().map(|input| read::row(&reader, input, context)).collect::<Vec<_>>()
                },
                |readings| {
                    for reading in readings {
                        files.done.fetch_add(1, Ordering::Relaxed);
                        match reading {
                            Ok(Reading::Kept(row)) => problems.tell(writer.keep(row)?),
                            Ok(Reading::New(row, error)) => {
                                problems.tell(writer.push(row)?);
                                error.into_iter().for_each(|error| failures.add(error));
                            }
                            Err(error) => failures.add(error),
                        }
                    }
                    Ok(ControlFlow::Continue(()))
                },
            )?;
            (read, kept, is_unchanged) = (writer.pushed(), writer.kept(), writer.is_unchanged());
            if is_unchanged {
                // An error leaves the earlier catalogue as it is.
                return Err(Error::usage("nothing changed"));
            }
            problems.tell(writer.finish()?);
            Ok(())
        });
        if !is_unchanged {
            written?;
        }
        drop(bar);
        problems.end();
        if let Some(known) = &known {
            let gone = (known.len() as u64).saturating_sub(kept);
            let text = format!("read {read} files, kept {kept} rows, replaced or removed {gone}\n");
            context.warnings.note(&text);
        }
        failures.end().map(|()| Outcome::Fine)
    }
}
