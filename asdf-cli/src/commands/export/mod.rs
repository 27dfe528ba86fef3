//! `asdf export`: writes arrays and tables in other formats.

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
#[cfg(feature = "wcs")]
use crate::wcs_cards::WcsCards;
use crate::{place, tables};
use format::Format;

/// Export an array, a table or a FITS file to another format.
///
/// PATH is an array, a quantity, a column, a table or a FITS file. A table is one of the standard or of astropy, an
/// array of records, or a mapping of arrays of equal length. Data is read and written in pieces, so it can be larger
/// than memory. The exceptions are compressed blocks that must be decoded as a whole, and hdf5, which is built in
/// memory.
///
/// Formats: npy (numpy), raw (only the elements, little-endian, in C order), csv, ecsv, json, jsonl, votable, png (as
/// `asdf preview`), fits, hdf5, parquet and arrow (Arrow's IPC file format, also called Feather). An array becomes an
/// image in FITS, a dataset in HDF5, and a table with one column in ecsv, votable, parquet and arrow. Units are
/// written to fits, hdf5, ecsv, votable, parquet and arrow. Scales and formats of times, frames of coordinates and
/// similar metadata are written to hdf5, ecsv, parquet and arrow, and a table's `meta` to hdf5 and ecsv.
///
/// FITS keywords are the scalars of --meta: `exposure` becomes EXPOSURE. Longer names and names in nested mappings
/// become HIERARCH keywords, as in HIERARCH INSTRUMENT NAME. Lists and arrays are left out.
///
/// Images of a file with world coordinates get them as SIP keywords in FITS.
///
/// Missing elements are empty or null in csv, ecsv, json, votable, parquet and arrow. In other formats, missing floats
/// are NaN, and other missing elements are the number of --fill.
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
    /// Write this format [default: by the extension of OUT]
    #[arg(long, visible_alias = "format", value_enum, value_name = "FORMAT")]
    to: Option<Format>,

    /// Export only a part of the array or table, as in numpy's brackets
    #[arg(long, value_name = "SLICES", allow_hyphen_values = true)]
    slice: Option<String>,

    /// Write this number for missing elements if the format has no mask
    ///
    /// A FITS file also gets it as BLANK or TNULLn.
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    fill: Option<Fill>,

    /// Write these members of PATH as HDUs of a FITS file, as in data,err,dq
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    hdus: Vec<String>,

    /// Write the scalars of this mapping as FITS keywords
    ///
    /// With --hdus, the default is `meta` if it exists.
    #[arg(long, value_name = "PATH")]
    meta: Option<String>,

    /// Write DATASUM and CHECKSUM into the FITS file
    #[arg(long)]
    checksum: bool,

    /// Put ' before texts in csv that spreadsheets would calculate
    ///
    /// These are texts and names of columns that begin with =, +, -, @, a tab or a line break. Numbers are unchanged.
    #[arg(long)]
    csv_safe: bool,

    #[cfg(feature = "wcs")]
    #[command(flatten)]
    wcs_cards: WcsCards,

    #[command(flatten)]
    destination: StdoutOrFile,

    /// The file, or - for standard input
    file: PathBuf,

    /// The path in the tree, as in /roman/data
    #[arg(value_hint = PLACE)]
    path: String,

    // After the arguments, which would otherwise be under its heading.
    #[cfg(feature = "picture")]
    #[command(flatten)]
    look: LookArgs,
}

pub(crate) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Outcome> {
    let format = args.format()?;
    args.destination.check(format.is_binary(), &context.remote)?;
    let slices = args.slice.as_deref().map(Slice::parse).transpose()?.unwrap_or_default();
    let input = Input::named(args.file.clone());
    let file = context.open(&input.path)?;
    let path = file.tree().resolve_path(&args.path);
    let located = |error: Error| match error.kind() {
        error::Kind::Io => error,
        _ => error.at_path(path.as_str()).at_file(input.name()),
    };
    // Fails for a column by name, which does not have its own node.
    let node = place::at(&file, &args.path);
    let for_fits = !args.hdus.is_empty() || args.meta.is_some() || args.checksum;
    if for_fits && format != Format::Fits {
        return Err(Error::usage("--hdus, --meta and --checksum need the format fits"));
    }
    if args.csv_safe && format != Format::Csv {
        return Err(Error::usage("--csv-safe needs the format csv").with_hint("pass --to csv"));
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
        .checksums(args.checksum)
        .safe_cells(args.csv_safe);
    if !args.hdus.is_empty() {
        let node = node.map_err(|error| error.at_file(input.name()))?;
        let mut units = Vec::new();
        for name in &args.hdus {
            let member = node.get(name).ok_or_else(|| {
                located(Error::mismatch(format!("the member '{}' does not exist", name.escape_debug())))
            })?;
            let dataset = Dataset::from_node(member).and_then(|dataset| dataset.slice(&slices));
            units.push((name.clone(), dataset.map_err(|error| located(error.under(name)))?));
        }
        #[cfg(feature = "wcs")]
        let options =
            match args.hdus.iter().find_map(|name| image_shape(node.get(name)?).map(|shape| (name, shape))) {
                Some((name, shape)) => {
                    let path = format!("{}/{name}", path.as_str());
                    args.wcs_cards.add_to(options, &file, &path, &shape, &slices, &context.warnings)
                }
                None => options,
            };
        args.destination.write(context, out, |out| options.write_units(&units, out).map_err(located))?;
        return Ok(Outcome::Fine);
    }
    let (_, dataset) = tables::at(&file, &args.path).map_err(|error| {
        let several = "pass --hdus NAME,NAME to write several members of a mapping";
        let hint = error.hint().map(|hint| format!("{}; {several}", Words(hint)));
        let error = match (format, hint) {
            (Format::Fits, Some(hint)) if node.as_ref().is_ok_and(|node| node.kind() == Kind::Mapping) => {
                error.replace_hint(hint)
            }
            _ => error,
        };
        error.at_file(input.name())
    })?;
    #[cfg(feature = "wcs")]
    let options = match &dataset {
        Dataset::Array { array, .. } if format == Format::Fits => {
            let shape = array.shape();
            args.wcs_cards.add_to(options, &file, path.as_str(), shape, &slices, &context.warnings)
        }
        _ => options,
    };
    let dataset = dataset.slice(&slices).map_err(located)?;
    if let Dataset::Table { columns, .. } = &dataset {
        for LeftOut { name, kind, .. } in columns.left_out() {
            let error =
                Error::unsupported(format!("the column '{name}' ({kind}) is not supported and is left out"));
            context.warnings.tell(error.at_file(input.name()));
        }
    }
    let node = node.ok().filter(|_| matches!(format, Format::Ecsv | Format::Hdf5));
    let options = options.metadata(node.and_then(|node| node.get("meta")).map(json::node));
    args.destination
        .write(context, out, |out| args.write(&dataset, &options, format, out).map_err(located))?;
    Ok(Outcome::Fine)
}

/// Returns the shape of an array with two axes or more.
#[cfg(feature = "wcs")]
fn image_shape(node: asdf_core::tree::NodeRef<'_>) -> Option<Vec<u64>> {
    match Dataset::from_node(node) {
        Ok(Dataset::Array { array, .. }) if array.shape().len() > 1 => Some(array.shape().to_vec()),
        _ => None,
    }
}

impl Args {
    fn format(&self) -> Result<Format> {
        let path = self.destination.path();
        let ending = path.and_then(Format::of_ending);
        self.to.or(ending).ok_or_else(|| {
            let error = Error::usage("unknown output format");
            let error = match path {
                Some(path) => error.at_file(path),
                None => error,
            };
            error.with_hint(
                "pass --to FORMAT, or use one of these extensions for --output: .npy, .raw, .csv, .ecsv, .json, \
                 .jsonl, .vot, .png, .fits, .h5, .parquet, .arrow",
            )
        })
    }

    /// Returns the last part of the path, as the name of a column or an image.
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
                Err(Error::usage("a FITS file can only be written as FITS")
                    .with_hint("pass --to fits, or name one of its arrays, as in /fits/1/data"))
            }
            (dataset, Some(format)) => options.write(dataset, format, out),
            (Dataset::Array { array, unit, .. }, None) => self.picture(array, unit.as_deref(), out),
            (_, None) => Err(Error::usage("found a table, expected an array to draw")
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
                return Err(Error::usage(format!(
                    "found an array with {axes} axes, expected 1 or 2 to draw"
                ))
                .with_hint("take two axes, as in --slice '0, :, :'"));
            }
        };
        shown.and_then(|shown| shown.picture.write(asdf_picture::Format::Png, out)).map_err(worded)
    }
}
