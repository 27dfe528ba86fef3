//! `asdf convert`: rewrites files for another version of the standard, or with another compression or layout.

use std::collections::{BTreeSet, HashSet};
use std::io::Write;
use std::path::{Path, PathBuf};

use asdf_core::block::Label;
use asdf_core::block::codec;
use asdf_core::file::{Padding, Storage};
use asdf_core::tree::NodeRef;
use asdf_core::value::FromNode;
use asdf_core::{Compression, Error, File, NdArray, Result, WriteOptions};
use asdf_schemas::Validator;

use crate::accept_damage::{AcceptDamage, hinted};
use crate::codec::CODEC;
use crate::context::{Context, refuse_missed_blocks};
use crate::failures::Failures;
use crate::input::{Input, inputs};
use crate::new_file::{self, free};
use crate::outcome::{Outcome, output, usage};
use crate::sources::Sources;
use crate::standard_streams::is_std;
use crate::standard_version::Standard;
use crate::warning::Warnings;
use crate::{bytes, grouped_warnings, printable, remote};

/// Rewrite files with another compression, layout or standard version.
///
/// Reads files of every version, of the pre-release format 0.1.0, and inside FITS files. Several files are written into
/// a folder. A tag that is not in the new version is kept, with a warning. Arrays of float16 become float32 for
/// standards before 1.6.0. Writes nothing if a block of IN is damaged or cannot be decoded.
///
/// Files for standards before 1.6.0 can omit properties that have their default. If the new version is 1.6.0 or
/// later, these defaults are written out, because its readers do not fill them in.
///
/// References to other files still lead to the same files if OUT is in another folder. Array data in other files stays
/// there if these files are in OUT's folder or below; otherwise it is copied into OUT.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "asdf convert [OPTIONS] <IN>... <OUT>",
    after_help = "Examples:
  asdf convert old.asdf new.asdf
  asdf convert --compression zstd:9 image.asdf small.asdf
  asdf convert --compression zstd --frame-rows 64 image.asdf rows.asdf     fast to read in parts
  asdf convert jw01234_cal.fits cal.asdf        an ASDF file inside a FITS file
  asdf convert --alignment 4096 --padding 10% --force image.asdf image.asdf
  asdf convert --standard 1.5.0 archive/ converted/"
)]
pub(crate) struct Args {
    /// The files to read, and last the file or folder to write
    ///
    /// IN can be files, folders (every *.asdf below), patterns, URLs, or - for standard input. OUT can be a file, an
    /// existing folder (for files of the same names), or - for standard output. With --force, OUT can be IN.
    // A single argument, because clap does not allow options between the values of two arguments.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    #[command(flatten)]
    standard: Standard,

    #[command(flatten)]
    sources: Sources,

    /// Compress all blocks, as in lz4 or zlib:9; none to decompress them
    ///
    /// By default, each block keeps its compression.
    #[arg(short, long, value_name = "CODEC[:LEVEL]", value_parser = CODEC)]
    compression: Option<Compression>,

    /// Compress blocks in chunks of up to BYTES, cut between rows
    ///
    /// A part of an array can then be read without the rest. K, M and G are powers of 1024. For lz4, zstd and bls2.
    #[arg(long, value_name = "BYTES", requires = "compression", value_parser = bytes::parse)]
    chunk: Option<u64>,

    /// Compress blocks in frames of N rows, to read slices quickly
    ///
    /// A row is one entry of the first axis. Reading a slice then fetches and decodes only its frames. For lz4, zstd and
    /// bls2: choose one with --compression, or blocks that have one keep it.
    #[arg(long, value_name = "N", conflicts_with = "chunk", value_parser = clap::value_parser!(u64).range(1..))]
    frame_rows: Option<u64>,

    /// Write all arrays as lists in the tree
    ///
    /// Every NaN becomes .nan, without its sign bit and payload.
    #[arg(long)]
    inline: bool,

    /// Write arrays of fewer than N elements as lists in the tree
    #[arg(long, value_name = "N", conflicts_with = "inline")]
    inline_below: Option<u64>,

    /// Leave BYTES, or N% of the size, free after the tree and each block
    #[arg(long, value_name = "BYTES|N%", value_parser = padding)]
    padding: Option<Padding>,

    /// Align block data to a multiple of BYTES, a power of 2 [default: 8]
    #[arg(long, value_name = "BYTES", value_parser = bytes::parse)]
    alignment: Option<u64>,

    /// Write no checksums
    #[arg(long)]
    no_checksums: bool,

    /// Write no block index
    #[arg(long)]
    no_index: bool,

    #[command(flatten)]
    accept: AcceptDamage,

    /// Replace files that exist
    #[arg(short, long)]
    force: bool,
}

fn padding(text: &str) -> std::result::Result<Padding, String> {
    match text.strip_suffix('%') {
        Some(percent) => percent
            .parse()
            .map(Padding::Percent)
            .map_err(|_| "expected a number of bytes, or a percentage as in 10%".to_owned()),
        None => bytes::parse(text).map(Padding::Bytes),
    }
}

impl Args {
    fn options(&self, context: &Context) -> Result<WriteOptions> {
        let mut options = context
            .write_options()
            .checksums(!self.no_checksums)
            .index(!self.no_index)
            .accept_damage(self.accept.yes);
        if let Some(compression) = self.compression {
            // Fails before anything is read: a codec that this build lacks is not the file's fault.
            if !compression.label().is_none() {
                codec::find_to_write(compression.label()).map_err(|error| refused(compression, error))?;
            }
            let chunked = self.chunk.map_or(compression, |chunk| compression.with_chunk(chunk));
            options = options.compression(chunked);
        }
        if let Some(rows) = self.frame_rows {
            match self.compression {
                Some(compression) if !has_frames(compression.label()) => {
                    return Err(without_frames(format!(
                        "--frame-rows needs a compression in frames, but {compression} has none"
                    )));
                }
                _ => options = options.frame_rows(rows),
            }
        }
        if self.inline {
            options = options.storage(Storage::Inline);
        }
        if let Some(elements) = self.inline_below {
            options = options.inline_below(elements);
        }
        if let Some(padding) = self.padding {
            options = options.padding(padding);
        }
        if let Some(bytes) = self.alignment {
            options = options.alignment(bytes);
        }
        Ok(options)
    }

    /// Splits the paths into those to read and the one to write.
    fn split(&self) -> Result<(&[PathBuf], &Path)> {
        match self.paths.split_last() {
            Some((output, inputs)) if !inputs.is_empty() => Ok((inputs, output)),
            _ => Err(Error::usage("found one path, expected IN and OUT")
                .with_hint("name the file to write after the files to read")),
        }
    }

    /// Returns the path to write an input to.
    fn target(&self, input: &Input) -> Result<PathBuf> {
        let (inputs, output) = self.split()?;
        if !output.is_dir() {
            return Ok(output.to_path_buf());
        }
        let folder = inputs.iter().find(|folder| input.found && input.path.starts_with(folder));
        let name = match folder {
            Some(folder) => input.path.strip_prefix(folder).ok(),
            None => input.path.file_name().map(Path::new),
        };
        match name.filter(|_| !input.is_stdin()) {
            Some(name) => Ok(output.join(name)),
            None => Err(Error::usage("cannot write standard input into a folder: it has no file name")
                .at_file(output)),
        }
    }
}

pub(crate) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Outcome> {
    let options = args.options(context)?;
    let validator = Validator::new(args.sources.registry(context)?);
    let (paths, target) = args.split()?;
    let one =
        matches!(paths, [input] if !input.is_dir() && !remote::url(input).is_some_and(remote::names_many));
    if !one && !target.is_dir() {
        return Err(Error::usage("found several files to write, expected an existing folder")
            .at_file(target)
            .with_hint("create the folder first; the last path is the one to write to"));
    }
    let mut failures = Failures::default();
    let mut written = HashSet::new();
    for input in inputs(paths.to_vec(), &context.remote) {
        let done = input.and_then(|input| {
            let target = args.target(&input)?;
            if !written.insert(target.clone()) {
                return Err(Error::usage("another input was already written to this file").at_file(&target));
            }
            free(&target, args.force, "replace it with --force", &context.remote)?;
            convert(args, context, &options, &validator, &input, &target, out)
        });
        match done {
            Ok(()) => {}
            // Output that cannot be written ends the program; it is not the fault of a file.
            Err(error) if error.file().is_none() => return Err(error),
            Err(error) => failures.add(error),
        }
    }
    failures.end().map(|()| Outcome::Fine)
}

fn convert(
    args: &Args,
    context: &Context,
    options: &WriteOptions,
    validator: &Validator,
    input: &Input,
    target: &Path,
    out: &mut dyn Write,
) -> Result<()> {
    let name = input.name();
    let named = |error: Error| match error.file() {
        None => error.at_file(&name),
        Some(_) => error,
    };
    let mut file = context.open(&input.path)?;
    refuse_missed_blocks(&file, &input.path)?;
    if !args.accept.yes {
        file.refuse_damage().map_err(|error| named(hinted(error)))?;
    }
    if args.frame_rows.is_some()
        && args.compression.is_none()
        && !file.blocks()?.iter().any(|block| has_frames(block.header().compression))
    {
        return Err(named(without_frames(
            "--frame-rows needs a compression in frames, but no block has one".to_owned(),
        )));
    }
    let version = args.standard.version;
    let found = asdf_schemas::convert(&mut file, version, validator).map_err(named)?;
    let folder = target.parent().filter(|folder| input.found && !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|_| remote::url(target).is_none()) {
        std::fs::create_dir_all(folder)
            .map_err(|error| Error::io("creating the folder", error).at_file(folder))?;
    }
    new_file::write(options, &file, target, &context.remote).map_err(named)?;
    let shown = printable::line(&name);
    if is_std(target) {
        // A failure to write a warning cannot be reported.
        let _ = grouped_warnings::tell(
            &shown,
            file.warnings().iter().chain(&found),
            context.warnings.colours,
            &mut std::io::stderr().lock(),
        );
        return Ok(());
    }
    grouped_warnings::tell(&shown, file.warnings().iter().chain(&found), context.colours, out)
        .map_err(output)?;
    let new = context.open_again(target)?;
    let target = printable::line(&target.display().to_string());
    grouped_warnings::tell(&target, &elsewhere(&new), context.colours, out).map_err(output)?;
    for label in new.blocks()?.iter().map(|block| block.header().compression).collect::<BTreeSet<_>>() {
        unreadable(&target, label, &context.warnings);
    }
    let count = new.blocks()?.len();
    let blocks = if count == 1 { "1 block".to_owned() } else { format!("{count} blocks") };
    writeln!(out, "{target}: ASDF Standard {version}, {blocks}").map_err(output)
}

/// Whether blocks with a compression can be written in frames of rows.
fn has_frames(label: Label) -> bool {
    codec::find(label).is_ok_and(|codec| codec.has_chunks())
}

/// Returns the error for a compression, or for blocks, without frames.
fn without_frames(message: String) -> Error {
    Error::usage(message).with_hint("pass --compression lz4, zstd or bls2")
}

/// Returns the error for a compression that cannot be written.
fn refused(compression: Compression, error: Error) -> Error {
    let label = compression.label();
    if label.is_known() {
        return usage(error);
    }
    let known = "use one of none, zlib, bzp2, lz4, lz4f, zstd, xz, blsc or bls2";
    Error::usage(format!("unknown compression label '{label}'")).with_hint(known)
}

/// Warns of a compression that Python's asdf does not read by itself.
fn unreadable(file: &str, label: Label, warnings: &Warnings) {
    let hint = match label.python_package() {
        Some("asdf") => return,
        Some(package) => format!("install the package {package} there, or use zlib, bzp2 or lz4"),
        None => "use zlib, bzp2 or lz4".to_owned(),
    };
    let error = Error::unsupported(format!("Python's asdf does not support the compression {label}"));
    warnings.tell(error.at_file(file).with_hint(hint));
}

/// Returns warnings about array data in other files, which is not converted.
fn elsewhere(file: &File) -> Vec<Error> {
    let mut warnings = Vec::new();
    for node in file.tree().root().into_iter().flat_map(NodeRef::walk) {
        if !node.tag().is_some_and(NdArray::accepts_tag) {
            continue;
        }
        if let Some(uri) = node.get("source").and_then(NodeRef::as_str) {
            let uri = uri.escape_debug();
            let message = format!("the array's data stays in '{uri}', which is not converted");
            warnings.push(node.error(message).with_hint("run `asdf implode` to copy it into the file"));
        }
    }
    warnings
}
