//! `asdf validate`: checks files against the standard and their schemas.

mod baseline;
pub(crate) mod formats;
pub(crate) mod judgement;
pub(crate) mod output;

use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use asdf_core::{Error, Result, Threads};
use asdf_schemas::Validator;

use crate::context::Context;
use crate::input::inputs;
use crate::outcome::{self, Outcome};
use crate::progress::{Bar, Files};
use crate::sources::{Sources, with_schema};
use crate::thread_count;

use baseline::Baseline;
use formats::Summary;
use judgement::{Judge, Judgement};
use output::Output;

/// Check files against the standard and their schemas.
///
/// Checks the layout, every tagged node against its schema, arrays against their blocks, and checksums. Each finding
/// has a code, which `asdf explain CODE` explains.
///
/// Exit codes: 0, all files are valid; 1, some are invalid or not ASDF; 2, wrong usage, or some could not be opened.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf validate image.asdf
  asdf validate --format concise archive/          every *.asdf below the folder
  asdf validate --package rad --no-blocks r*.asdf  with the schemas of an installed Python package
  asdf validate --schema tree.yaml new.asdf        also the whole tree against your own schema
  asdf validate --format sarif archive/ > findings.sarif")]
pub(crate) struct Args {
    #[command(flatten)]
    output: Output,

    /// Also validate each tree against this schema
    #[arg(long, alias = "custom-schema", value_name = "FILE")]
    schema: Option<PathBuf>,

    #[command(flatten)]
    sources: Sources,

    /// Do not read blocks, so skip checksums and decoding
    #[arg(long, alias = "skip-block-validation")]
    no_blocks: bool,

    /// Stop after N findings per file; 0 for no limit
    #[arg(long, value_name = "N", default_value_t = 1000)]
    max_errors: usize,

    /// Stop checking a file after SECONDS
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,

    /// Ignore findings listed in FILE
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,

    /// Write all findings to FILE as a baseline for later runs
    #[arg(long, value_name = "FILE", conflicts_with = "baseline")]
    write_baseline: Option<PathBuf>,

    /// Check up to N files at once [default: number of processors, 32 for URLs]
    #[arg(short, long, value_name = "N", value_parser = thread_count::parse)]
    jobs: Option<Threads>,

    /// Files, folders (every *.asdf below), patterns, URLs, or - for stdin
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
}

fn seconds(text: &str) -> std::result::Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number of seconds".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "expected a positive number of seconds".to_owned())
}

pub(crate) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Outcome> {
    let registry = args.sources.registry(context)?;
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
        validator = validator.max_findings(args.max_errors);
    }
    if let Some(time) = args.timeout {
        validator = validator.max_time(time);
    }
    let mut baseline = match (&args.baseline, &args.write_baseline) {
        (Some(path), _) => Baseline::read(path)?,
        (None, Some(_)) => Baseline::recording(),
        (None, None) => Baseline::none(),
    };
    let judge = Judge { validator, lines: args.output.shows_lines(), strict: args.output.strict };
    let threads = args.jobs.unwrap_or_else(|| context.remote.jobs(&args.paths, context.threads));
    let mut summary = Summary::default();
    let mut unreadable: Option<Error> = None;
    let files = Arc::new(Files::default());
    let bar = Bar::of_files(&context.progress, files.clone());
    let mut printer = args.output.printer(judge.validator.registry().clone(), context.colours);
    printer.begin(out).map_err(outcome::output)?;
    threads.in_order(
        inputs(args.paths.clone(), &context.remote),
        |input| judge.judge(input, context),
        |judgement: Judgement| {
            files.done.fetch_add(1, Ordering::Relaxed);
            files.wrong.store(summary.invalid as u64, Ordering::Relaxed);
            let judgement = baseline.filter(judgement);
            summary.count(&judgement);
            printer.file(&judgement, out).map_err(outcome::output)?;
            // A file that cannot be read does not stop the others from being checked.
            if let Some(error) = judgement.failure {
                unreadable = Some(match unreadable.take() {
                    None => error,
                    Some(first) => first.and(error),
                });
            }
            Ok(ControlFlow::Continue(()))
        },
    )?;
    drop(bar);
    summary.gone = baseline.gone();
    printer.end(&summary, out).map_err(outcome::output)?;
    if let Some(path) = &args.write_baseline {
        baseline.write(path, &context.remote)?;
        return unreadable.map_or(Ok(Outcome::Fine), Err);
    }
    match unreadable {
        Some(error) => Err(error),
        None if summary.invalid > 0 => Ok(Outcome::NotFine),
        None => Ok(Outcome::Fine),
    }
}
