//! `asdf validate`: whether files are what the standard and their schemas ask for.

mod baseline;
pub(crate) mod formats;
pub(crate) mod judgement;
mod progress;
mod snippet;

use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use asdf_core::{Error, OpenOptions, Result};
use asdf_schemas::Validator;

use crate::commands::{Outcome, output};
use crate::files::inputs;
use crate::parallel::in_order;
use crate::sources::{Sources, with_schema};

use baseline::Baseline;
use formats::{Format, Summary};
use judgement::{Judge, Judgement};
use progress::Progress;

/// Check files: their layout, every tagged node against its schema, arrays against their blocks, and
/// checksums.
///
/// Each finding has a code; `asdf explain CODE` says what it means. Exit codes: 0, all files are valid; 1, some
/// are not; 2, some could not be read, or the command line is wrong.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf validate image.asdf
  asdf validate --format concise archive/          every *.asdf below the folder
  asdf validate --package rad --no-blocks r*.asdf  with the schemas of an installed Python package
  asdf validate --schema tree.yaml new.asdf        the whole tree against a schema of your own
  asdf validate --format sarif archive/ > findings.sarif")]
pub(crate) struct Args {
    /// How findings are printed
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,

    /// The same as --format jsonl
    #[arg(long, conflicts_with = "format")]
    json: bool,

    /// Print violations only: no warnings, notes and valid files
    #[arg(short, long)]
    quiet: bool,

    /// Print valid files of folders too, which are only counted otherwise
    #[arg(short, long, conflicts_with = "quiet")]
    verbose: bool,

    /// Take warnings for violations
    #[arg(long)]
    strict: bool,

    /// Hold the whole tree of each file against this schema too
    #[arg(long, alias = "custom-schema", value_name = "FILE")]
    schema: Option<PathBuf>,

    #[command(flatten)]
    sources: Sources,

    /// Do not read blocks: no checksums, no decoding
    #[arg(long, alias = "skip-block-validation")]
    no_blocks: bool,

    /// Look for so many findings in each file at most; 0 for all
    #[arg(long, value_name = "N", default_value_t = 1000)]
    max_errors: usize,

    /// Spend at most so many seconds on checking one file
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,

    /// Pass over findings that this file lists
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,

    /// Write all findings to this file, as a baseline for later runs
    #[arg(long, value_name = "FILE", conflicts_with = "baseline")]
    write_baseline: Option<PathBuf>,

    /// Check so many files at once; as many as there are processors by default
    #[arg(short, long, value_name = "N")]
    jobs: Option<std::num::NonZeroUsize>,

    /// Files, folders (every *.asdf below), patterns, or - for standard input
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
}

fn seconds(text: &str) -> std::result::Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "not a positive number of seconds".to_owned())
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome> {
    let registry = args.sources.registry()?;
    let mut validator = match &args.schema {
        None => Validator::new(registry),
        Some(path) => {
            let (registry, id) = with_schema(registry, path)?;
            Validator::new(registry).with_schema(&id).map_err(|error| error.at_file(path))?
        }
    };
    if args.no_blocks {
        validator = validator.without_blocks();
    }
    if args.max_errors > 0 {
        validator = validator.most_findings(args.max_errors);
    }
    if let Some(time) = args.timeout {
        validator = validator.most_time(time);
    }
    let mut baseline = match (&args.baseline, &args.write_baseline) {
        (Some(path), _) => Baseline::read(path)?,
        (None, Some(_)) => Baseline::recording(),
        (None, None) => Baseline::none(),
    };
    let format = if args.json { Format::Jsonl } else { args.format };
    let judge =
        Judge { validator, options: OpenOptions::new(), lines: format.shows_lines(), strict: args.strict };
    let threads = args.jobs.map_or_else(
        || std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        std::num::NonZero::get,
    );
    let mut summary = Summary::default();
    let mut unreadable: Option<Error> = None;
    let mut progress = Progress::new();
    let mut printer = format.printer(args.quiet, args.verbose, judge.validator.registry().clone());
    printer.begin(out).map_err(output)?;
    in_order(
        inputs(args.paths.clone()),
        threads,
        |input| judge.judge(input),
        |judgement: Judgement| {
            progress.step(&summary);
            let judgement = baseline.filter(judgement);
            summary.count(&judgement);
            match judgement.failure {
                // A file that is not there does not keep the others from being checked.
                Some(error) => {
                    unreadable = Some(match unreadable.take() {
                        None => error,
                        Some(first) => first.and(error),
                    });
                }
                None => progress.aside(|| printer.file(&judgement, out)).map_err(output)?,
            }
            Ok(ControlFlow::Continue(()))
        },
    )?;
    progress.end();
    summary.gone = baseline.gone();
    printer.end(&summary, out).map_err(output)?;
    if let Some(path) = &args.write_baseline {
        baseline.write(path)?;
        return unreadable.map_or(Ok(Outcome::Fine), Err);
    }
    match unreadable {
        Some(error) => Err(error),
        None if summary.invalid > 0 => Ok(Outcome::NotFine),
        None => Ok(Outcome::Fine),
    }
}
