//! `asdf diff`: compares files.

mod forms;
mod ignored;
mod pairs;

use std::io::Write;
use std::path::{Path, PathBuf};

use asdf_core::tree::{DifferenceOptions, Tolerance};
use asdf_core::{File, Result};
use asdf_schemas::{Defaults, Registry};

use crate::complete_path::PLACE;
use crate::context::Context;
use crate::failures::Failures;
use crate::outcome::{Outcome, output};

use forms::{Compared, Form};
use pairs::Pair;

/// Compare two files or folders, node by node and element by element.
///
/// The storage of arrays does not matter: compression, byte order, strides, inline or external. The writing software
/// (`asdf_library` and the extensions in `history`) is ignored without --all. So are the versions of tags if the two
/// files are written for different versions of the standard.
///
/// Elements are compared by value, even if the datatypes differ. A different datatype is a difference too, except with
/// a tolerance or --values. If shapes differ, the common part is compared. Tables are compared by the names of their
/// columns. Properties that a file for a standard before 1.6.0 omits have the defaults of their schemas, as the
/// standard requires.
///
/// Exit codes: 0, no differences; 1, the files differ, or one is not valid ASDF; 2, wrong usage, or a file could not
/// be opened.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf diff raw.asdf calibrated.asdf
  asdf diff --rtol 1e-6 --ignore /history --ignore '**/date' before/ after/
  asdf diff --format unified old.asdf new.asdf
  asdf diff -m old.asdf new.asdf                        paths only, without the values")]
pub(crate) struct Args {
    /// Treat numbers as equal if |a - b| <= X * max(|a|, |b|)
    #[arg(long, value_name = "X", default_value_t = 0.0, value_parser = tolerance)]
    rtol: f64,

    /// Treat numbers as equal if |a - b| <= X
    #[arg(long, value_name = "X", default_value_t = 0.0, value_parser = tolerance)]
    atol: f64,

    /// Ignore a path and everything below it; can be repeated
    ///
    /// In a path, * matches any characters except /, and ** any characters. A path with dots, a.b[0], works too.
    #[arg(short, long, value_name = "PATH", value_parser = ignored::pattern, value_hint = PLACE)]
    ignore: Vec<String>,

    /// Compare values only, not datatypes or the order of columns
    ///
    /// int32 equals float64, and 1 equals 1.0.
    #[arg(long)]
    values: bool,

    /// Ignore the versions of tags
    ///
    /// `core/ndarray-1.0.0` equals `core/ndarray-1.1.0`.
    #[arg(long)]
    ignore_versions: bool,

    /// Compare the writing software and all versions of tags too
    #[arg(long)]
    all: bool,

    /// Print differences in this format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Form,

    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,

    /// Print only the paths that differ
    #[arg(short, long, conflicts_with_all = ["format", "json"])]
    minimal: bool,

    /// Stop after N differences per pair of files
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    max: usize,

    /// The first file or folder, or - for standard input
    #[arg(value_name = "A")]
    left: PathBuf,

    /// The second file or folder, or - for standard input
    #[arg(value_name = "B")]
    right: PathBuf,
}

fn tolerance(text: &str) -> std::result::Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number >= 0.0 => Ok(number),
        _ => Err("expected a number of at least 0".to_owned()),
    }
}

pub(crate) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Outcome> {
    let form = match (args.minimal, args.json) {
        (true, _) => Form::Paths,
        (_, true) => Form::Json,
        _ => args.format,
    };
    let tolerance = Tolerance { relative: args.rtol, absolute: args.atol };
    let mut options = DifferenceOptions::new().tolerance(tolerance).max_differences(args.max);
    options = options.writer(args.all).datatypes(!args.values);
    for pattern in &args.ignore {
        options = options.ignore(pattern);
    }
    let defaults = Defaults::new(Registry::standard());
    let mut failures = Failures::default();
    let (mut same, mut first, mut ignored) = (true, true, false);
    let mut standards = None;
    let folders = pairs::is_folder(&args.left) && pairs::is_folder(&args.right);
    form.begin(out).map_err(output)?;
    for pair in pairs::pairs(&args.left, &args.right, &context.remote)? {
        let versions = |left: &File, right: &File| {
            if left.standard() != right.standard() && !args.all && !args.ignore_versions {
                standards = Some((left.standard(), right.standard()));
                return false;
            }
            !args.ignore_versions
        };
        match compare(&pair, &options, versions, &defaults, context, |compared| {
            same &= compared.is_same();
            ignored |= compared.has_ignored();
            form.pair(&pair, compared, folders, std::mem::take(&mut first), context.colours, out)
        }) {
            Ok(()) => {}
            // Output that cannot be written ends the program; it is not the fault of a file.
            Err(error) if error.file().is_none() => return Err(error),
            Err(error) => failures.add(error),
        }
    }
    form.end(same, out).map_err(output)?;
    if ignored && form != Form::Json {
        // The exit code does not cover these differences.
        context.warnings.note(
            "ignored: the writing software (asdf_library, history/extensions); pass --all to compare it\n",
        );
    }
    if let Some((left, right)) = standards.filter(|_| form != Form::Json) {
        context.warnings.note(&format!(
            "ignored: the versions of tags in files for different standards ({left} and {right}); pass --all to compare them\n"
        ));
    }
    failures.end()?;
    Ok(if same { Outcome::Fine } else { Outcome::NotFine })
}

/// Opens a file and fills in its defaults.
fn complete(path: &Path, defaults: &Defaults, context: &Context) -> Result<File> {
    let mut file = context.open(path)?;
    if let Some(tree) = defaults.filled(file.tree()).map_err(|error| error.at_file(path))? {
        *file.tree_mut() = tree;
    }
    Ok(file)
}

fn compare(
    pair: &Pair,
    options: &DifferenceOptions,
    versions: impl FnOnce(&File, &File) -> bool,
    defaults: &Defaults,
    context: &Context,
    tell: impl FnOnce(&Compared<'_>) -> std::io::Result<()>,
) -> Result<()> {
    let (left, right) = match (&pair.left, &pair.right) {
        (Some(left), Some(right)) => {
            (complete(left, defaults, context)?, complete(right, defaults, context)?)
        }
        (Some(_), None) => return tell(&Compared::OnlyLeft).map_err(output),
        _ => return tell(&Compared::OnlyRight).map_err(output),
    };
    let options = options.clone().versions(versions(&left, &right));
    let differences =
        left.difference(&right, &options).map_err(|error| match (&pair.left, error.file()) {
            (Some(path), None) => error.at_file(path),
            _ => error,
        })?;
    tell(&Compared::Both(&differences)).map_err(output)
}
