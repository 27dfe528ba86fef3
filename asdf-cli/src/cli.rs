//! The command line: its commands, and the exit code of each result.

use std::ffi::OsString;
use std::io::Write;

use asdf_core::Result;
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use crate::colour::Colours;
#[cfg(feature = "tables")]
use crate::commands::catalog;
#[cfg(not(all(feature = "picture", feature = "query", feature = "tables", feature = "wcs")))]
use crate::commands::left_out;
#[cfg(feature = "picture")]
use crate::commands::preview;
#[cfg(feature = "query")]
use crate::commands::query;
use crate::commands::{
    completions, convert, defragment, diff, dump, edit, explain, explode, export, extensions, get, head,
    history, implode, import, info, ls, man, manifest, new, repair, schema, search, set, sql, stats, tags,
    to_yaml, unset, validate,
};
#[cfg(feature = "wcs")]
use crate::commands::{cutout, footprint, wcs};
use crate::config::Config;
use crate::context::Context;
use crate::opening_options::Opening;
use crate::outcome::{Outcome, is_about_content};
use crate::program::Program;
use crate::program_name::ProgramName;
use crate::progress::{Bar, Progress};
use crate::remote_options::RemoteOptions;
use crate::signals::Signals;
use crate::warning::Warnings;
use crate::{colour, message, printable};

/// Inspect, validate, edit, convert and repair ASDF files.
///
/// Exit codes: 0, success; 1, a file is invalid, cannot be read as ASDF, or differs; 2, wrong usage, or an input or
/// output failed. A file named - is standard input or output; write ./- for a file of that name.
#[derive(Debug, Parser)]
#[command(name = "asdf", version, max_term_width = 100)]
pub(crate) struct Cli {
    /// Colour the output [default: auto]
    #[arg(long, global = true, value_enum, value_name = "WHEN")]
    color: Option<colour::Choice>,

    /// Do not read configuration files
    ///
    /// The files are .asdf.toml in the current folder or the nearest parent folder that has one, and
    /// $XDG_CONFIG_HOME/asdf/config.toml (by default ~/.config/asdf/config.toml). Keys: packages (a list of Python
    /// packages with schemas), schemas (a list of folders) and color.
    #[arg(long, global = true, hide_short_help = true, display_order = 1000)]
    no_config: bool,

    /// Accepted for asdftool scripts; has no effect
    #[arg(short, long, hide = true)]
    verbose: bool,

    #[command(flatten)]
    opening: Opening,

    #[command(flatten)]
    remote: RemoteOptions,

    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Info(info::Args),
    Ls(ls::Args),
    Head(head::Args),
    Stats(stats::Args),
    #[cfg(feature = "picture")]
    Preview(Box<preview::Args>),
    #[cfg(not(feature = "picture"))]
    #[command(hide = true)]
    Preview(left_out::Args),
    #[cfg(feature = "wcs")]
    Wcs(wcs::Args),
    #[cfg(not(feature = "wcs"))]
    #[command(hide = true)]
    Wcs(left_out::Args),
    #[cfg(feature = "wcs")]
    Footprint(footprint::Args),
    #[cfg(not(feature = "wcs"))]
    #[command(hide = true)]
    Footprint(left_out::Args),
    #[cfg(feature = "wcs")]
    Cutout(Box<cutout::Args>),
    #[cfg(not(feature = "wcs"))]
    #[command(hide = true)]
    Cutout(left_out::Args),
    Search(search::Args),
    Tags(tags::Args),
    Extensions(extensions::Args),
    History(history::Args),
    Diff(diff::Args),
    Get(get::Args),
    #[cfg(feature = "query")]
    Query(query::Args),
    #[cfg(not(feature = "query"))]
    #[command(hide = true)]
    Query(left_out::Args),
    Set(set::Args),
    Unset(unset::Args),
    Dump(dump::Args),
    Validate(Box<validate::Args>),
    Explain(explain::Args),
    Schema(schema::Args),
    Convert(convert::Args),
    Explode(explode::Args),
    Implode(implode::Args),
    Defragment(defragment::Args),
    #[command(name = "to_yaml", alias = "to-yaml")]
    ToYaml(to_yaml::Args),
    Edit(edit::Args),
    Repair(repair::Args),
    New(new::Args),
    Export(Box<export::Args>),
    Import(import::Args),
    Manifest(manifest::Args),
    #[cfg(feature = "tables")]
    Catalog(Box<catalog::Args>),
    #[cfg(not(feature = "tables"))]
    #[command(hide = true)]
    Catalog(left_out::Args),
    Sql(sql::Args),
    Completions(completions::Args),
    Man(man::Args),
}

impl Command {
    /// How many times the command reads all bytes of its files, for its progress bar; `None` for quick commands.
    fn passes(&self) -> Option<u64> {
        match self {
            // The first pass verifies checksums.
            Self::Convert(_) | Self::Repair(_) => Some(2),
            Self::Head(_) | Self::Stats(_) | Self::Preview(_) | Self::Diff(_) | Self::Dump(_) => Some(1),
            Self::Set(_) | Self::Unset(_) | Self::Explode(_) | Self::Implode(_) => Some(1),
            Self::Defragment(_) | Self::ToYaml(_) | Self::Export(_) | Self::Import(_) => Some(1),
            _ => None,
        }
    }
}

impl Cli {
    /// Parses the command line. Otherwise prints the help or what is wrong with it, and returns the exit code.
    ///
    /// The error is that of the escaped arguments, because shells expand patterns to names of files.
    #[allow(clippy::print_stderr, reason = "an error of the command line")]
    pub(crate) fn of_arguments(name: ProgramName, arguments: Vec<OsString>) -> std::result::Result<Self, u8> {
        #[cfg(feature = "wcs")]
        let arguments = match arguments.iter().any(|word| word == "wcs") {
            true => arguments.into_iter().map(crate::angle::as_value).collect(),
            false => arguments,
        };
        Self::parse(name, arguments.iter().cloned()).map_err(|error| {
            let escaped =
                arguments.iter().map(|argument| printable::line(&argument.to_string_lossy()).into());
            let error = match Self::parse(name, escaped) {
                Err(error) => {
                    // A failure to print cannot be reported.
                    let _ = error.print();
                    let _ = std::io::stdout().flush();
                    error
                }
                Ok(_) => {
                    eprint!("{}", printable::lines(&error.to_string()));
                    error
                }
            };
            u8::try_from(error.exit_code()).unwrap_or(2)
        })
    }

    fn parse(
        name: ProgramName,
        arguments: impl Iterator<Item = OsString>,
    ) -> std::result::Result<Self, clap::Error> {
        let mut matches = command(name).try_get_matches_from(arguments)?;
        Self::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command(name)))
    }

    /// Collects what the command line and configuration files say for all commands.
    pub(crate) fn context(
        &self,
        program: &Program,
        progress: &Progress,
        signals: &Signals,
    ) -> Result<Context> {
        let config = if self.no_config { Config::default() } else { Config::of_files()? };
        let colours = Colours::of(&std::io::stdout(), self.color, config.color);
        let warnings = Warnings {
            colours: Colours::of(&std::io::stderr(), self.color, config.color),
            progress: progress.clone(),
            program: program.name,
        };
        let mut context =
            Context::new(&self.opening, &self.remote, config, colours, warnings, signals.clone());
        context.program = program.clone();
        Ok(context)
    }

    pub(crate) fn run(&self, context: &Context, out: &mut dyn Write) -> Result<Outcome> {
        let _bar = self.command.passes().map(|passes| Bar::of_bytes(&context.progress, passes));
        match &self.command {
            Command::Info(args) => info::run(args, context, out),
            Command::Ls(args) => ls::run(args, context, out),
            Command::Head(args) => head::run(args, context, out),
            Command::Stats(args) => stats::run(args, context, out),
            #[cfg(feature = "picture")]
            Command::Preview(args) => preview::run(args, context, out),
            #[cfg(not(feature = "picture"))]
            Command::Preview(_) => left_out::run("preview", "picture"),
            #[cfg(feature = "wcs")]
            Command::Wcs(args) => wcs::run(args, context, out),
            #[cfg(not(feature = "wcs"))]
            Command::Wcs(_) => left_out::run("wcs", "wcs"),
            #[cfg(feature = "wcs")]
            Command::Footprint(args) => footprint::run(args, context, out),
            #[cfg(not(feature = "wcs"))]
            Command::Footprint(_) => left_out::run("footprint", "wcs"),
            #[cfg(feature = "wcs")]
            Command::Cutout(args) => cutout::run(args, context, out),
            #[cfg(not(feature = "wcs"))]
            Command::Cutout(_) => left_out::run("cutout", "wcs"),
            Command::Search(args) => search::run(args, context, out),
            Command::Tags(args) => tags::run(args, context, out),
            Command::Extensions(args) => extensions::run(args, context, out),
            Command::History(args) => history::run(args, context, out),
            Command::Diff(args) => diff::run(args, context, out),
            Command::Get(args) => get::run(args, context, out),
            #[cfg(feature = "query")]
            Command::Query(args) => query::run(args, context, out),
            #[cfg(not(feature = "query"))]
            Command::Query(_) => left_out::run("query", "query"),
            Command::Set(args) => set::run(args, context, out),
            Command::Unset(args) => unset::run(args, context, out),
            Command::Dump(args) => dump::run(args, context, out),
            Command::Validate(args) => validate::run(args, context, out),
            Command::Explain(args) => explain::run(args, context.colours, out),
            Command::Schema(args) => schema::run(args, context, out),
            Command::Convert(args) => convert::run(args, context, out),
            Command::Explode(args) => explode::run(args, context),
            Command::Implode(args) => implode::run(args, context),
            Command::Defragment(args) => defragment::run(args, context),
            Command::ToYaml(args) => to_yaml::run(args, context),
            Command::Edit(args) => edit::run(args, context, out),
            Command::Repair(args) => repair::run(args, context, out),
            Command::New(args) => new::run(args, context),
            Command::Export(args) => export::run(args, context, out),
            Command::Import(args) => import::run(args, context),
            Command::Manifest(args) => manifest::run(args, context, out),
            #[cfg(feature = "tables")]
            Command::Catalog(args) => catalog::run(args, context, out),
            #[cfg(not(feature = "tables"))]
            Command::Catalog(_) => left_out::run("catalog", "tables"),
            Command::Sql(args) => sql::run(args, &context.program),
            Command::Completions(args) => {
                completions::run(args, context.program.name, command(context.program.name), out)
            }
            Command::Man(args) => man::run(args, context.program.name, command(context.program.name), out),
        }
    }
}

/// Returns the definition of the command line.
pub(crate) fn command(name: ProgramName) -> clap::Command {
    name.in_command_line(Cli::command())
}

/// Returns the exit code of a result, and prints its error unless the reader of the output has gone.
pub(crate) fn exit_code(
    result: Result<Outcome>,
    colours: Colours,
    name: ProgramName,
    messages: &mut dyn Write,
) -> u8 {
    let error = match result {
        Ok(Outcome::Fine) => return 0,
        Ok(Outcome::NotFine) => return 1,
        Err(error) => error,
    };
    let source = std::error::Error::source(&error).and_then(|source| source.downcast_ref::<std::io::Error>());
    if source.is_some_and(|source| source.kind() == std::io::ErrorKind::BrokenPipe) {
        return 0;
    }
    // A failure to print an error cannot be reported.
    let _ = writeln!(messages, "{}", message::text(&error, colours, name));
    if is_about_content(&error) { 1 } else { 2 }
}
