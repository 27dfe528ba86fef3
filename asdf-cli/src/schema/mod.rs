//! `asdf schema`: for those who write schemas, and those who read them.

mod check;
mod export;
mod list;
mod show;

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use asdf_core::Result;
use asdf_schemas::Registry;

use crate::commands::Outcome;
use crate::validate::schemas::registry;

/// Check schemas, look at them, and make JSON Schema of them for editors.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Check(check::Args),
    Show(show::Args),
    Export(export::Args),
    List(list::Args),
}

/// Where schemas are taken from, beside those of the standard.
#[derive(Debug, clap::Args)]
struct Sources {
    /// Add the schemas and manifests of a folder and below; may be given several times
    #[arg(long, value_name = "DIR")]
    schemas: Vec<PathBuf>,

    /// Add the schemas of an installed Python package, such as rad; may be given several times
    #[arg(long, value_name = "NAME")]
    package: Vec<String>,
}

impl Sources {
    fn registry(&self) -> Result<Arc<Registry>> {
        registry(&self.schemas, &self.package)
    }
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome> {
    match &args.command {
        Command::Check(args) => check::run(args, out),
        Command::Show(args) => show::run(args, out),
        Command::Export(args) => export::run(args, out),
        Command::List(args) => list::run(args, out),
    }
}
