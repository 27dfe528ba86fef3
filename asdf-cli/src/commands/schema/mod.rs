//! `asdf schema`: checks, shows, exports and lists schemas.

mod check;
mod export;
mod list;
mod show;

use std::io::Write;

use asdf_core::Result;

use crate::context::Context;
use crate::outcome::Outcome;

/// Check schemas, show them, list them, or export them for editors.
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

pub(crate) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Outcome> {
    match &args.command {
        Command::Check(args) => check::run(args, context, out),
        Command::Show(args) => show::run(args, context, out),
        Command::Export(args) => export::run(args, context, out),
        Command::List(args) => list::run(args, context, out),
    }
}
