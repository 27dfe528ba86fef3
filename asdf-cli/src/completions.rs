//! `asdf completions`: what a shell needs to complete commands.

use std::io::Write;

use asdf_core::Result;
use clap::CommandFactory as _;
use clap_complete::Shell;

use crate::commands::{Cli, Outcome, output};

/// Print the completions of commands, options and file names for a shell.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf completions bash > ~/.local/share/bash-completion/completions/asdf
  asdf completions zsh > ~/.zfunc/_asdf
  asdf completions fish > ~/.config/fish/completions/asdf.fish")]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome> {
    // What is printed may be refused, which the generator takes for a fault of its own.
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "asdf", &mut text);
    out.write_all(&text).map_err(output)?;
    Ok(Outcome::Fine)
}
