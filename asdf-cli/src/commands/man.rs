//! `asdf man`: prints manual pages.

use std::io::Write;
use std::path::{Path, PathBuf};

use asdf_core::{Error, Result};
use clap::Command;
use clap_mangen::Man;

use crate::outcome::{Outcome, output};
use crate::program_name::ProgramName;

/// Print a manual page, or write all of them.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf man validate | man -l -
  asdf man --dir ~/.local/share/man/man1")]
pub(crate) struct Args {
    /// Write the pages of all commands into DIR
    ///
    /// The files are asdf.1, asdf-info.1 and so on. Existing ones are replaced.
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    dir: Option<PathBuf>,

    /// The command [default: the page of the whole program]
    command: Option<String>,
}

pub(crate) fn run(args: &Args, name: ProgramName, cli: Command, out: &mut dyn Write) -> Result<Outcome> {
    // Pages show all options, but `clap_mangen` omits those that are hidden in the short help.
    let mut cli = cli.mut_args(|arg| arg.hide_short_help(false));
    cli.build();
    if let Some(folder) = &args.dir {
        write_all(&cli, name, folder)?;
        return Ok(Outcome::Fine);
    }
    let page = match &args.command {
        None => cli,
        Some(wanted) => cli.find_subcommand(wanted).cloned().ok_or_else(|| {
            Error::usage(format!("unknown command '{wanted}'"))
                .with_hint("run `asdf --help` to see all commands")
        })?,
    };
    let mut text = Vec::new();
    of(page, name).render(&mut text).map_err(output)?;
    out.write_all(&text).map_err(output)?;
    Ok(Outcome::Fine)
}

/// Returns the page of a command, with the program's version in its footer.
fn of(command: Command, name: ProgramName) -> Man {
    Man::new(command).source(format!("{} {}", name.0, env!("CARGO_PKG_VERSION")))
}

/// Writes the pages of a command and its subcommands.
fn write_all(command: &Command, name: ProgramName, folder: &Path) -> Result<()> {
    let shown = |below: &&Command| !below.is_hide_set() && below.get_name() != "help";
    for below in command.get_subcommands().filter(shown) {
        write_all(below, name, folder)?;
    }
    let page = of(command.clone(), name);
    let path = folder.join(page.get_filename());
    let fault = |error| Error::io("writing the page", error).at_file(&path);
    let mut text = Vec::new();
    page.render(&mut text).map_err(fault)?;
    asdf_core::file::replace(&path, |out| out.write_all(&text).map_err(fault))
}
