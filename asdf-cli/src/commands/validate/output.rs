//! How findings are told: the part of a command line that `asdf validate` and `asdf schema check` share.

use std::sync::Arc;

use asdf_schemas::Registry;

use super::formats::{Format, Printer};
use crate::colour::Colours;

#[derive(Debug, clap::Args)]
pub(crate) struct Output {
    /// How findings are printed
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,

    /// The same as --format jsonl; bytes of file names that are not UTF-8 are U+FFFD
    #[arg(long, conflicts_with = "format")]
    json: bool,

    /// Print violations only: no warnings, notes and valid files
    #[arg(short, long)]
    quiet: bool,

    /// Print valid files of folders too, which are only counted otherwise
    #[arg(short, long, conflicts_with = "quiet")]
    verbose: bool,

    /// Treat warnings as errors
    #[arg(long)]
    pub(crate) strict: bool,
}

impl Output {
    fn format(&self) -> Format {
        if self.json { Format::Jsonl } else { self.format }
    }

    /// Whether the lines of files are shown.
    pub(crate) fn shows_lines(&self) -> bool {
        self.format().shows_lines()
    }

    pub(crate) fn printer(&self, registry: Arc<Registry>, colours: Colours) -> Box<dyn Printer> {
        self.format().printer(self.quiet, self.verbose, registry, colours)
    }
}
