//! `asdf schema check`: checks schemas and manifests.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use asdf_core::Result;
use asdf_schemas::package::Package;

use crate::commands::validate::formats::Summary;
use crate::commands::validate::judgement::{Judge, Judgement};
use crate::commands::validate::output::Output;
use crate::context::Context;
use crate::outcome::{Outcome, output};
use crate::sources::Sources;

/// Check schemas and manifests for errors.
///
/// Checks them against their metaschema, and checks their references, examples, ids and tags. They can refer to each
/// other, to the standard's schemas, and to those of --schemas and --package.
///
/// Exit codes: 0, all are valid; 1, some are invalid; 2, wrong usage, or some could not be read.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf schema check camera/
  asdf schema check --strict --format github camera/exposure.yaml")]
pub(super) struct Args {
    #[command(flatten)]
    output: Output,

    #[command(flatten)]
    sources: Sources,

    /// Files, or folders (every *.yaml and *.yml below)
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
}

pub(super) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Outcome> {
    let package = Package::read(&args.paths, Arc::unwrap_or_clone(args.sources.registry(context)?))?;
    let mut printer = args.output.printer(package.registry().clone(), context.colours);
    let mut summary = Summary::default();
    printer.begin(out).map_err(output)?;
    for file in package.check() {
        let findings =
            Judge::findings(&file.report, file.tree.as_ref(), args.output.shows_lines(), args.output.strict);
        let judgement = Judgement {
            name: file.path.display().to_string(),
            file: file.path.as_os_str().to_owned(),
            found: file.found,
            findings,
            validated: file.report.validated(),
            noun: "example",
            complete: true,
            unknown: Vec::new(),
            unchecked: 0,
            has_tree: true,
            failure: None,
        };
        summary.count(&judgement);
        printer.file(&judgement, out).map_err(output)?;
    }
    printer.end(&summary, out).map_err(output)?;
    Ok(if summary.invalid > 0 { Outcome::NotFine } else { Outcome::Fine })
}
