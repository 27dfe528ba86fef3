//! `asdf export`: arrays and tables as files of other formats.

mod format;

use std::io::Write;
use std::path::PathBuf;

use asdf_core::array::Slice;
use asdf_core::tree::Kind;
use asdf_core::{Error, NdArray, Result, error};
use asdf_fits::cards_of;
#[cfg(feature = "picture")]
use asdf_picture::{Annotations, Bounds, Labels};
use asdf_tables::{Dataset, Fill, LeftOut, WriteOptions, json};

#[cfg(not(feature = "picture"))]
use crate::commands::left_out;
use crate::complete_path::PLACE;
use crate::context::Context;
use crate::hint::Words;
use crate::input::Input;
use crate::outcome::Outcome;
#[cfg(feature = "picture")]
use crate::picture_options::{LookArgs, worded};
#[cfg(feature = "picture")]
use crate::printable::line;
use crate::stdout_or_file::StdoutOrFile;
use crate::{place, tables};
use format::Format;

/// Write an array, a table or a FITS file of the tree as a file of another format.
///
/// The place is an array, a quantity, a column, a table (the standard's, astropy's, an array of records or a
/// mapping of arrays of equal length) or a FITS file. Data is read and written in pieces, so memory does not grow
/// with it. The exceptions are a compressed block that must be decoded whole, and hdf5, which is built in memory.
///
/// Formats: npy (numpy), raw (the elements alone, little-endian, in C order), csv, ecsv, json, jsonl, votable, png
/// (as `asdf preview`), fits, hdf5, parquet and arrow (a file of Arrow's IPC format, also called Feather). An array
/// becomes an image in FITS, a dataset in HDF5, and a table of one column in ecsv, votable, parquet and arrow. Units
/// go into fits, hdf5, ecsv, votable, parquet and arrow. Scales and formats of times, frames of coordinates and the
/// like go into hdf5, ecsv, parquet and arrow, and a table's `meta` into hdf5 and ecsv.
///
/// Keywords of FITS files are the scalars of --meta: `exposure` becomes EXPOSURE, and longer names and those of
/// mappings inside become HIERARCH keywords, as in HIERARCH INSTRUMENT NAME. Lists and arrays are left out.
///
/// Missing elements are empty or null in csv, ecsv, json, votable, parquet and arrow. In the other formats they are
/// NaN for floats, and the number of --fill for the rest.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf export image.asdf /roman/data -o data.npy
  asdf export image.asdf /roman/data --slice '0:100, ::4' -o part.fits
  asdf export image.asdf /roman/data --stretch asinh --colormap magma -o data.png
  asdf export catalog.asdf /roman/source_catalog -o catalog.parquet
  asdf export catalog.asdf /sources --to csv | head
  asdf export catalog.asdf /sources --to jsonl | head -n 3
  asdf export jwst.asdf /fits -o jwst.fits
  asdf export image.asdf /roman --hdus data,err,dq -o image.fits
  asdf export catalog.asdf /sources --fill -99 --checksum -o catalog.fits
  asdf export catalog.asdf /sources -o catalog.h5")]
pub(crate) struct Args {
    /// The format to write [default: by the ending of OUT]
    #[arg(long, visible_alias = "format", value_enum, value_name = "FORMAT")]
    to: Option<Format>,

    /// Take only a part of the array or some rows, as between numpy's brackets
    #[arg(long, value_name = "SLICES", allow_hyphen_values = true)]
    slice: Option<String>,

    /// Write this number for missing elements where the format has no mask; FITS also gets it as BLANK or TNULLn
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    fill: Option<Fill>,

    /// Write these members of the mapping at PATH as the units of a FITS file, as in data,err,dq
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    hdus: Vec<String>,

    /// Write the scalars of this mapping as keywords of the FITS file; with --hdus, `meta` if it exists
    #[arg(long, value_name = "PATH")]
    meta: Option<String>,

    /// Write DATASUM and CHECKSUM into the FITS file
    #[arg(long)]
    checksum: bool,

    #[command(flatten)]
    destination: StdoutOrFile,

    /// The file, or - for standard input
    file: PathBuf,

    /// The place in the tree, as in /roman/data
    #[arg(value_hint = PLACE)]
    path: String,

    // Behind the arguments, which would come under its heading.
    #[cfg(feature = "picture")]
    #[command(flatten)]
    look: LookArgs,
}

pub(crate) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Outcome> {
    let format = args.format()?;
    args.destination.check(format.is_binary())?;
    let slices = args.slice.as_deref().map(Slice::parse).transpose()?.unwrap_or_default();
    let input = Input::named(args.file.clone());
    let file = context.open(&input.path)?;
    let path = file.tree().resolve_path(&args.path);
    let located = |error: Error| match error.kind() {
        error::Kind::Io => error,
        _ => error.at_path(path.as_str()).at_file(input.name()),
    };
    // A column by name has no node of its own.
    let node = place::at(&file, &args.path);
    let for_fits = !args.hdus.is_empty() || args.meta.is_some() || args.checksum;
    if for_fits && format != Format::Fits {
        return Err(Error::usage("--hdus, --meta and --checksum are for FITS files only"));
    }
    let meta = match &args.meta {
        Some(path) => Some(place::at(&file, path).map_err(|error| error.at_file(input.name()))?),
        None if args.hdus.is_empty() => None,
        None => node.as_ref().ok().and_then(|node| node.get("meta")),
    };
    let options = WriteOptions::default()
        .name(args.name())
        .fill(args.fill)
        .cards(meta.map(cards_of).unwrap_or_default())
        .checksums(args.checksum);
    if !args.hdus.is_empty() {
        let node = node.map_err(|error| error.at_file(input.name()))?;
        let mut units = Vec::new();
        for name in &args.hdus {
            let member = node.get(name).ok_or_else(|| {
                located(Error::mismatch(format!("there is no '{}' here", name.escape_debug())))
            })?;
            let dataset = Dataset::from_node(member).and_then(|dataset| dataset.slice(&slices));
            units.push((name.clone(), dataset.map_err(|error| located(error.under(name)))?));
        }
        args.destination
            .write(&context.progress, out, |out| options.write_units(&units, out).map_err(located))?;
        return Ok(Outcome::Fine);
    }
    let (_, dataset) = tables::at(&file, &args.path).map_err(|error| {
        let several = "--hdus NAME,NAME writes several members of a mapping";
        let hint = error.hint().map(|hint| format!("{}; {several}", Words(hint)));
        let error = match (format, hint) {
            (Format::Fits, Some(hint)) if node.as_ref().is_ok_and(|node| node.kind() == Kind::Mapping) => {
                error.replace_hint(hint)
            }
            _ => error,
        };
        error.at_file(input.name())
    })?;
    let dataset = dataset.slice(&slices).map_err(located)?;
    if let Dataset::Table { columns, .. } = &dataset {
        for LeftOut { name, kind, .. } in columns.left_out() {
            let error = Error::unsupported(format!("column '{name}' ({kind}) cannot be exported: left out"));
            context.warnings.tell(error.at_file(input.name()));
        }
    }
    let node = node.ok().filter(|_| matches!(format, Format::Ecsv | Format::Hdf5));
    let options = options.metadata(node.and_then(|node| node.get("meta")).map(json::node));
    args.destination
        .write(&context.progress, out, |out| args.write(&dataset, &options, format, out).map_err(located))?;
    Ok(Outcome::Fine)
}

impl Args {
    fn format(&self) -> Result<Format> {
        let path = self.destination.path();
        let ending = path.and_then(Format::of_ending);
        self.to.or(ending).ok_or_else(|| {
            let error = Error::usage("cannot tell the format to write");
            let error = match path {
                Some(path) => error.at_file(path),
                None => error,
            };
            error.with_hint(
                "name one with --to, or by the ending of --output: .npy, .raw, .csv, .ecsv, .json, .jsonl, .vot, .png, \
                 .fits, .h5, .parquet, .arrow",
            )
        })
    }

    /// The last part of the path, which names a column or an image.
    fn name(&self) -> &str {
        let ends = if self.path.contains('/') { ['/', '['] } else { ['.', '['] };
        let last = self.path.rsplit(ends).next().unwrap_or_default();
        let last = last.strip_suffix(']').unwrap_or(last).trim_matches(['\'', '"']);
        if last.is_empty() { "data" } else { last }
    }

    fn write(
        &self,
        dataset: &Dataset,
        options: &WriteOptions,
        format: Format,
        out: &mut dyn Write,
    ) -> Result<()> {
        match (dataset, format.of_tables()) {
            (Dataset::Fits(_), format) if format != Some(asdf_tables::Format::Fits) => {
                Err(Error::usage("a FITS file can be written as FITS alone")
                    .with_hint("--to fits; or name one of its arrays, as in /fits/1/data"))
            }
            (dataset, Some(format)) => options.write(dataset, format, out),
            (Dataset::Array { array, unit, .. }, None) => self.picture(array, unit.as_deref(), out),
            (_, None) => Err(Error::usage("a table has no picture")
                .with_hint("name a column, as in /table/columns/0/data")),
        }
    }

    #[cfg(not(feature = "picture"))]
    fn picture(&self, _: &NdArray, _: Option<&str>, _: &mut dyn Write) -> Result<()> {
        Err(left_out::error("PNG files", "picture"))
    }

    #[cfg(feature = "picture")]
    fn picture(&self, array: &NdArray, unit: Option<&str>, out: &mut dyn Write) -> Result<()> {
        let mut labels = Labels::default();
        labels.title = line(&self.path);
        labels.unit = unit.map(line);
        let look = self.look.look();
        let shown = match array.shape().len() {
            1 => look.line(array, None, &labels, self.look.bounds(Bounds::Within(1024, 1024))),
            2 => look.image(array, &Annotations::default(), self.look.bounds(Bounds::Full)),
            axes => {
                return Err(Error::usage(format!("an array with {axes} axes has no picture"))
                    .with_hint("take two axes, as in --slice '0, :, :'"));
            }
        };
        shown.and_then(|shown| shown.picture.write(asdf_picture::Format::Png, out)).map_err(worded)
    }
}
