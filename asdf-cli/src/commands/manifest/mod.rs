//! `asdf manifest`: lists where the bytes of arrays are, for programs that read zarr.

mod folder;

use std::collections::HashSet;
use std::io::Write;
use std::path::Path;

use asdf_core::{Error, Result};
use asdf_tables::Advice;
use asdf_tables::manifest::{Location, Manifest};
use clap::ValueEnum;

use crate::context::Context;
use crate::input_files::InputFiles;
use crate::outcome::Outcome;
use crate::stdout_or_file::StdoutOrFile;

/// Write references to the bytes of arrays, for zarr, xarray and dask.
///
/// Programs that read zarr open the references and read the arrays straight from the ASDF files, without a reader of
/// ASDF. Reads the trees and the headers of blocks, but no data. Arrays that zarr cannot read are left out, with a
/// warning that says why: among others those with masks, with strides, and in lz4 frames that do not divide the array.
///
/// The arrays of one file have their paths in the tree, such as roman/data. With several files, each file is a group
/// with its name, or --stack adds an axis for the files.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf manifest image.asdf -o image.json
  asdf manifest night/ --stack -o night.json            one array for each path
  asdf manifest night/ --base-url s3://bucket/night -o night.parquet")]
pub(crate) struct Args {
    /// Write this format [default: by OUT and the number of chunks]
    ///
    /// An OUT that ends with .json is kerchunk, and one that ends with .parquet or / is kerchunk-parquet. Otherwise,
    /// manifests of more than 100,000 chunks are kerchunk-parquet.
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<Format>,

    /// Stack arrays with the same path on a new first axis
    ///
    /// They need the same shape, datatype and compression in all files. Others are left out. The files have the order
    /// of the command line, and those of a folder are sorted by name.
    #[arg(long)]
    stack: bool,

    /// Write URL instead of the folder of each file
    ///
    /// The default is the absolute path, or the URL that names the file.
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,

    #[command(flatten)]
    destination: StdoutOrFile,

    #[command(flatten)]
    many: InputFiles,
}

/// The format of a manifest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// JSON, as kerchunk and fsspec write it
    Kerchunk,
    /// A folder of Parquet files, as kerchunk and fsspec write it
    KerchunkParquet,
}

/// The most chunks of a manifest in JSON, if the format is not given.
const MOST: u64 = 100_000;

pub(crate) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Outcome> {
    args.destination.check(false, &context.remote)?;
    let mut files: Vec<(String, Manifest)> = Vec::new();
    let mut urls: HashSet<String> = HashSet::new();
    args.many.ask(
        context,
        |input, file| {
            if input.is_stdin() {
                let error = Error::usage("standard input has no path that a manifest can refer to");
                return Err(error.with_hint("name a file or a URL"));
            }
            let location = Location::new(&input.path);
            let location = args.base_url.iter().fold(location, Location::base_url);
            let url = location.url()?;
            let name = if args.stack { input.name() } else { location.stem() };
            Ok((url, name, Manifest::of(file, |path| location.of(path.unwrap_or(&input.path)))))
        },
        |(url, name, manifest)| {
            if args.base_url.is_some() && !urls.insert(url.clone()) {
                let error = Error::usage(format!("several files have the URL {url}"));
                return Err(error.with_hint("write a manifest for each folder"));
            }
            files.push((name, manifest));
            Ok(())
        },
    )?;
    let mut manifest = match <[_; 1]>::try_from(files) {
        Ok([(_, only)]) if !args.stack => only,
        Ok(one) => Manifest::stacked(one),
        Err(files) if args.stack => Manifest::stacked(files),
        Err(files) => Manifest::grouped(files),
    };
    manifest.take_left_out().into_iter().for_each(|error| context.warnings.tell(error));
    if manifest.is_empty() {
        let error = Error::mismatch("found no array that zarr can read");
        return Err(error.with_hint(Advice::Contents));
    }
    match args.format(&manifest)? {
        Format::Kerchunk => args.destination.write(context, out, |out| manifest.write_json(out))?,
        Format::KerchunkParquet => folder::write(&manifest, args.destination.path(), context)?,
    }
    Ok(Outcome::Fine)
}

impl Args {
    fn format(&self, manifest: &Manifest) -> Result<Format> {
        if let Some(format) = self.format {
            return Ok(format);
        }
        let path = self.destination.path();
        let ends = |ends: &[&str]| {
            let path = path.map(Path::to_string_lossy).unwrap_or_default().to_lowercase();
            ends.iter().any(|end| path.ends_with(end))
        };
        if ends(&[".json"]) {
            return Ok(Format::Kerchunk);
        }
        if ends(&[".parquet", ".parq", "/"]) {
            return Ok(Format::KerchunkParquet);
        }
        let chunks = manifest.chunks();
        if chunks <= MOST {
            return Ok(Format::Kerchunk);
        }
        match path {
            Some(_) => Ok(Format::KerchunkParquet),
            None => Err(Error::usage(format!("found {chunks} chunks, expected at most {MOST} for JSON"))
                .with_hint("pass --output FOLDER for Parquet files, or --format kerchunk for JSON")),
        }
    }
}
