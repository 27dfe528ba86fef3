//! The output options that `asdf validate` and `asdf schema check` share.

use std::sync::Arc;

use asdf_schemas::Registry;

use super::formats::{Format, Printer};
use crate::colour::Colours;

#[derive(Debug, clap::Args)]
pub(crate) struct Output {
    /// Print findings in this format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,

    /// The same as --format jsonl
    ///
    /// Bytes of file names that are not UTF-8 become U+FFFD.
    #[arg(long, conflicts_with = "format")]
    json: bool,

    /// Print only violations, not warnings, notes and valid files
    #[arg(short, long)]
    quiet: bool,

    /// Print valid files in folders too, instead of only their number
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

    /// Returns whether lines of the files are shown.
    pub(crate) fn shows_lines(&self) -> bool {
        self.format().shows_lines()
    }

    pub(crate) fn printer(&self, registry: Arc<Registry>, colours: Colours) -> Box<dyn Printer> {
        self.format().printer(self.quiet, self.verbose, registry, colours)
    }
}
