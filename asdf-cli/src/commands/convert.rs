//! `asdf convert`: files written for another version of the standard, with another compression, or laid out
//! anew.

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
use crate::{bytes, grouped_warnings, printable};

/// Rewrite files with another compression, layout or version of the standard.
///
/// Reads files of every version, and drafts 0.1.0. Several files are written into a folder. A tag that
/// does not fit the new version stays, with a warning. Arrays of float16 become float32 for standards before
/// 1.6.0. Writes nothing if a block of IN is damaged or cannot be decoded.
///
/// Files older than standard 1.6.0 may leave out properties that have their default. If the new version is 1.6.0
/// or later, these are written out, because readers do not fill them in there.
///
/// References to other files lead to the same files when OUT is in another folder. Data of arrays in other
/// files stay there if they are in OUT's folder or below it; else they come along in OUT.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "asdf convert [OPTIONS] <IN>... <OUT>",
    after_help = "Examples:
  asdf convert old.asdf new.asdf
  asdf convert --compression zstd:9 image.asdf small.asdf
  asdf convert --compression lz4 --chunk 256K image.asdf rows.asdf     small parts are read fast
  asdf convert --alignment 4096 --padding 10% --force image.asdf image.asdf
  asdf convert --standard 1.5.0 archive/ converted/"
)]
pub(crate) struct Args {
    /// The files to read (files, folders with every *.asdf below, patterns, or - for standard input), and last
    /// the file to write (or - for standard output), which may be IN with --force; a folder that is there takes
    /// files of the same names
    // One argument, since clap takes no options between the files of one and the next.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    #[command(flatten)]
    standard: Standard,

    #[command(flatten)]
    sources: Sources,

    /// Compress all blocks: none, or a codec and its level as in zlib:9 [default: each block keeps its own]
    #[arg(short, long, value_name = "CODEC[:LEVEL]", value_parser = CODEC)]
    compression: Option<Compression>,

    /// Compress blocks in chunks of up to BYTES, cut between rows
    ///
    /// A part of an array is then read without the rest. K, M and G are powers of 1024. For lz4 and bls2.
    #[arg(long, value_name = "BYTES", requires = "compression", value_parser = bytes::parse)]
    chunk: Option<u64>,

    /// Write all arrays as lists in the tree
    #[arg(long)]
    inline: bool,

    /// Write arrays of fewer than N elements as lists in the tree
    #[arg(long, value_name = "N", conflicts_with = "inline")]
    inline_below: Option<u64>,

    /// Leave free space after the tree and each block, in bytes or as a share of their size
    #[arg(long, value_name = "BYTES|N%", value_parser = padding)]
    padding: Option<Padding>,

    /// Align the data of each block to a multiple of BYTES, a power of two [default: 8]
    #[arg(long, value_name = "BYTES", value_parser = bytes::parse)]
    alignment: Option<u64>,

    /// Write no checksums
    #[arg(long)]
    no_checksums: bool,

    /// Write no block index
    #[arg(long)]
    no_index: bool,

    /// Write over files that are there
    #[arg(short, long)]
    force: bool,
}

fn padding(text: &str) -> std::result::Result<Padding, String> {
    match text.strip_suffix('%') {
        Some(percent) => percent
            .parse()
            .map(Padding::Percent)
            .map_err(|_| "expected bytes, or hundredths as in 10%".to_owned()),
        None => bytes::parse(text).map(Padding::Bytes),
    }
}

impl Args {
    fn options(&self, context: &Context) -> Result<WriteOptions> {
        let mut options = context.write_options().checksums(!self.no_checksums).index(!self.no_index);
        if let Some(compression) = self.compression {
            // Told before anything is read; what this build cannot write is not the file's fault.
            if !compression.label().is_none() {
                codec::find_to_write(compression.label()).map_err(|error| refused(compression, error))?;
            }
            let chunked = self.chunk.map_or(compression, |chunk| compression.with_chunk(chunk));
            options = options.compression(chunked);
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

    /// The files to read and the one to write.
    fn split(&self) -> Result<(&[PathBuf], &Path)> {
        match self.paths.split_last() {
            Some((output, inputs)) if !inputs.is_empty() => Ok((inputs, output)),
            _ => Err(Error::usage("there is no file to write").with_hint("asdf convert IN OUT")),
        }
    }

    /// Which file a file becomes.
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
            None => Err(Error::usage("standard input has no name for a file in a folder").at_file(output)),
        }
    }
}

pub(crate) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Outcome> {
    let options = args.options(context)?;
    let validator = Validator::new(args.sources.registry(context)?);
    let (paths, target) = args.split()?;
    let one = matches!(paths, [input] if !input.is_dir());
    if !one && !target.is_dir() {
        return Err(Error::usage("this is not an existing folder, and several files need one")
            .at_file(target)
            .with_hint("make the folder first; the last path is the one to write to"));
    }
    let mut failures = Failures::default();
    let mut written = HashSet::new();
    for input in inputs(paths.to_vec()) {
        let done = input.and_then(|input| {
            let target = args.target(&input)?;
            if !written.insert(target.clone()) {
                return Err(
                    Error::usage("another of the files has been written to this one").at_file(&target)
                );
            }
            free(&target, args.force, "--force writes over it")?;
            convert(args, context, &options, &validator, &input, &target, out)
        });
        match done {
            Ok(()) => {}
            // A reader that has gone is not a file's fault.
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
    file.refuse_damage().map_err(named)?;
    let version = args.standard.version;
    let found = asdf_schemas::convert(&mut file, version, validator).map_err(named)?;
    if let Some(folder) = target.parent().filter(|folder| input.found && !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder)
            .map_err(|error| Error::io("making the folder", error).at_file(folder))?;
    }
    new_file::write(options, &file, target).map_err(named)?;
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
    // Not one of the files that the progress bar counts.
    let new = context.open_options().open(target)?;
    let target = printable::line(&target.display().to_string());
    grouped_warnings::tell(&target, &elsewhere(&new), context.colours, out).map_err(output)?;
    for label in new.blocks()?.iter().map(|block| block.header().compression).collect::<BTreeSet<_>>() {
        unreadable(&target, label, &context.warnings);
    }
    let count = new.blocks()?.len();
    let blocks = if count == 1 { "1 block".to_owned() } else { format!("{count} blocks") };
    writeln!(out, "{target}: ASDF Standard {version}, {blocks}").map_err(output)
}

/// Why a compression cannot be written.
fn refused(compression: Compression, error: Error) -> Error {
    let label = compression.label();
    if label.is_known() {
        return usage(error);
    }
    let known = "use none, zlib, bzp2, lz4, lz4f, zstd, xz, blsc or bls2";
    Error::usage(format!("'{label}' is not a compression")).with_hint(known)
}

/// Warns of a compression that Python's asdf does not come with.
fn unreadable(file: &str, label: Label, warnings: &Warnings) {
    let hint = match label.python_package() {
        Some("asdf") => return,
        Some(package) => format!("install the package {package} there, or use zlib, bzp2 or lz4"),
        None => "use zlib, bzp2 or lz4".to_owned(),
    };
    let error = Error::unsupported(format!("Python's asdf does not read the compression {label}"));
    warnings.tell(error.at_file(file).with_hint(hint));
}

/// The files that arrays' data is in: they are not converted with the one that names them.
fn elsewhere(file: &File) -> Vec<Error> {
    let mut warnings = Vec::new();
    for node in file.tree().root().into_iter().flat_map(NodeRef::walk) {
        if !node.tag().is_some_and(NdArray::accepts_tag) {
            continue;
        }
        if let Some(uri) = node.get("source").and_then(NodeRef::as_str) {
            let uri = uri.escape_debug();
            let message = format!("the array's data stays in '{uri}', which is not converted");
            warnings.push(node.error(message).with_hint("`asdf implode` brings it into the file"));
        }
    }
    warnings
}
