//! `asdf import`: converts arrays and tables of other formats to ASDF.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use asdf_core::block::codec;
use asdf_core::source::Bytes;
use asdf_core::{Compression, Error, File, Result};
use asdf_tables::ReadOptions;
use clap::ValueEnum;

use crate::codec::CODEC;
use crate::context::Context;
use crate::outcome::{Outcome, usage};
use crate::standard_streams::{STDIN, is_std};
use crate::{new_file, place};

/// Convert a file in another format, such as CSV or FITS, to ASDF.
///
/// The formats are npy, csv, ecsv, votable, parquet, arrow, json, jsonl and fits. The file is read into memory.
///
/// npy: an array of any datatype that ASDF has. Byte order, Fortran order and records are kept.
///
/// csv: a table (core/table) whose first row has the names of the columns. A column is bool8 if all its values are
/// true or false, and int64 (or uint64 if needed) if all are whole numbers without leading zeros. It is float64 if
/// all are numbers, NaN or inf, and otherwise strings of the length of the longest. Empty values are NaN in float
/// columns, missing (masked) in integer and boolean columns, and empty strings in string columns.
///
/// ecsv, votable, parquet, arrow: a table with the datatypes of the file, and with its units, descriptions and missing
/// values. The `meta` of ECSV is kept too. Of a VOTable, the first table is read, in TABLEDATA, BINARY or BINARY2.
///
/// json, jsonl: an array of rows, or one row per line. Objects are the rows of a table. Their keys are columns, and
/// keys of nested objects get names with dots. Numbers, strings and lists are the elements of an array. Integers
/// become int64 or uint64, "NaN" and "Infinity" among numbers are floats, {"re", "im"} is a complex number, and null
/// is missing.
///
/// fits: a list of HDUs with all cards, as asdf-astropy writes it. With --as arrays, a mapping of HDU names to arrays
/// and tables, without cards. Both have the values that astropy reads: scaled, unsigned, decompressed. Missing
/// integers (BLANK, TNULLn) are masked with --as arrays. Otherwise they become NaN in images and are kept in tables,
/// as in astropy. HDUs that do not fit a list of cards and values, such as compressed images, also keep their bytes,
/// so that export writes the same FITS file again.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf import data.npy data.asdf
  asdf import catalog.csv catalog.asdf --path /sources
  asdf import gaia.vot gaia.asdf --compression lz4
  asdf import m31.fits m31.asdf --path /fits
  asdf import m31.fits m31.asdf --as arrays --compression lz4
  asdf import jwst.fits.gz sci.asdf --hdu 0 --hdu SCI,1
  gunzip -c stars.csv.gz | asdf import - stars.asdf --from csv")]
pub(crate) struct Args {
    /// Read this format [default: by the first bytes, or the extension]
    #[arg(long, value_enum, value_name = "FORMAT")]
    from: Option<Format>,

    /// Put the data at PATH in the new tree
    #[arg(short, long, value_name = "PATH", default_value = "/data")]
    path: String,

    /// Import only this HDU of a FITS file; can be repeated
    ///
    /// HDU is a number, NAME or NAME,VERSION.
    #[arg(long, value_name = "HDU")]
    hdu: Vec<asdf_fits::Selector>,

    /// Convert a FITS file to this kind of value
    #[arg(long = "as", value_enum, value_name = "KIND", default_value_t)]
    kind: Kind,

    /// Compress all blocks, as in lz4 or zlib:9
    #[arg(long, value_name = "CODEC[:LEVEL]", value_parser = CODEC)]
    compression: Option<Compression>,

    /// Split the values of CSV at CHARACTER [default: comma; tab for *.tsv]
    #[arg(long, value_name = "CHARACTER", value_parser = delimiter)]
    delimiter: Option<u8>,

    /// Read the first row of CSV as values
    ///
    /// The columns are named column1, column2 and so on.
    #[arg(long)]
    no_header: bool,

    /// Replace OUT if it exists
    #[arg(short, long)]
    force: bool,

    /// The file to read, or - for standard input
    #[arg(value_name = "IN")]
    input: PathBuf,

    /// The new ASDF file, or - for standard output
    #[arg(value_name = "OUT", required_unless_present = "output")]
    out: Option<PathBuf>,

    /// The same as OUT
    #[arg(short, long, value_name = "OUT", conflicts_with = "out")]
    output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Npy,
    Csv,
    Ecsv,
    #[value(name = "votable")]
    VoTable,
    Parquet,
    /// Arrow's IPC file format
    Arrow,
    /// A JSON array of rows
    Json,
    /// JSON Lines: one row per line
    Jsonl,
    Fits,
}

impl Format {
    fn of_tables(self) -> asdf_tables::Format {
        match self {
            Self::Npy => asdf_tables::Format::Npy,
            Self::Csv => asdf_tables::Format::Csv,
            Self::Ecsv => asdf_tables::Format::Ecsv,
            Self::VoTable => asdf_tables::Format::VoTable,
            Self::Parquet => asdf_tables::Format::Parquet,
            Self::Arrow => asdf_tables::Format::Arrow,
            Self::Json => asdf_tables::Format::Json,
            Self::Jsonl => asdf_tables::Format::JsonLines,
            Self::Fits => asdf_tables::Format::Fits,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Kind {
    /// A value tagged `fits`
    #[default]
    Fits,
    /// A mapping of arrays and tables
    Arrays,
}

fn delimiter(text: &str) -> std::result::Result<u8, String> {
    match text.as_bytes() {
        b"\\t" => Ok(b'\t'),
        &[byte] if byte.is_ascii() && !b"\"\r\n".contains(&byte) => Ok(byte),
        _ => Err("expected one ASCII character, as in ';', or \\t".to_owned()),
    }
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Outcome> {
    let out = args.out.as_ref().or(args.output.as_ref()).map_or(Path::new("-"), PathBuf::as_path);
    new_file::free(out, args.force, "choose another name, or replace it with --force", &context.remote)?;
    if let Some(compression) = args.compression.filter(|compression| !compression.label().is_none()) {
        // Fails before anything is read.
        codec::find_to_write(compression.label()).map_err(usage)?;
    }
    let name = if is_std(&args.input) { Path::new(STDIN) } else { &args.input };
    let bytes = args.read(context).map_err(|error| error.at_file(name))?;
    let mut file = File::new();
    let at = match place::pointer(&args.path) {
        "" => {
            return Err(Error::usage("cannot put the data at the root of the tree")
                .with_hint("name a key, as in --path /data, the default"));
        }
        pointer => pointer,
    };
    let delimiter = args.delimiter.unwrap_or(if ending(&args.input) == "tsv" { b'\t' } else { b',' });
    let options = ReadOptions::new()
        .delimiter(delimiter)
        .header(!args.no_header)
        .fits_arrays(args.kind == Kind::Arrays)
        .fits_units(args.hdu.clone())
        .header_limits(context.texts);
    let mut read = || -> Result<Vec<Error>> {
        let reading = options.read(bytes.clone(), args.format(&bytes)?)?;
        set(&mut file, at, &reading.contents)?;
        Ok(reading.problems)
    };
    let problems = read().map_err(|error| error.at_file(name))?;
    let is_whole = problems.is_empty();
    problems.into_iter().for_each(|problem| context.warnings.tell(problem.at_file(name)));
    let mut options = context.write_options();
    if let Some(compression) = args.compression {
        options = options.compression(compression);
    }
    new_file::write(&options, &file, out, &context.remote)?;
    Ok(if is_whole { Outcome::Fine } else { Outcome::NotFine })
}

/// Sets a value, and creates missing parent mappings.
fn set(file: &mut File, at: &str, value: &impl asdf_core::ToNode) -> Result<()> {
    let at = if at.starts_with('/') { at.to_owned() } else { format!("/{at}") };
    for (end, _) in at.match_indices('/').skip(1) {
        let above = at.get(..end).unwrap_or_default();
        if file.tree().find(above).is_none() {
            file.set(above, &std::collections::BTreeMap::<String, u8>::new())?;
        }
    }
    file.set(&at, value)
}

fn ending(path: &Path) -> String {
    path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase()).unwrap_or_default()
}

impl Args {
    fn read(&self, context: &Context) -> Result<Bytes> {
        if is_std(&self.input) {
            return context.read_stdin().map(Bytes::from);
        }
        let read = || {
            let mut file = std::fs::File::open(&self.input)?;
            context.progress.opened(file.metadata()?.len());
            let mut bytes = Vec::new();
            while file.by_ref().take(1 << 20).read_to_end(&mut bytes)? > 0 {
                context.progress.read(1 << 20);
            }
            Ok(bytes.into())
        };
        read().map_err(|error| Error::io("reading", error))
    }

    fn format(&self, bytes: &[u8]) -> Result<asdf_tables::Format> {
        use asdf_tables::Format;
        let by_name = || match ending(&self.input).as_str() {
            "tsv" => Some(Format::Csv),
            _ => Format::from_path(&self.input).filter(|format| format.can_be_read()),
        };
        let asked = self.from.map(self::Format::of_tables);
        asked.or_else(|| Format::from_bytes(bytes)).or_else(by_name).ok_or_else(|| {
            let error = Error::usage("unknown file format");
            error.with_hint(match bytes {
                _ if bytes.starts_with(b"#ASDF") => "use the file directly: it is already an ASDF file",
                _ if bytes.starts_with(b"PK") => "unpack this archive, and import the .npy files in it",
                _ => "pass --from FORMAT",
            })
        })
    }
}
