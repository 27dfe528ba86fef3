//! The input file of a command that writes it in another form.

use std::path::PathBuf;

use asdf_core::{File, Result};

use crate::accept_damage::AcceptDamage;
use crate::context::Context;

/// The input file of a command that writes it in another form.
#[derive(Debug, clap::Args)]
pub(crate) struct SourceFile {
    /// Replace references, {$ref: URI}, by their targets
    #[arg(short, long)]
    resolve_references: bool,

    #[command(flatten)]
    pub(crate) accept: AcceptDamage,

    /// The file, or - for standard input
    pub(crate) file: PathBuf,
}

impl SourceFile {
    /// Opens the file to write another ASDF file.
    pub(crate) fn open(&self, context: &Context) -> Result<File> {
        self.resolved(context.open_to_rewrite(&self.file, self.accept)?)
    }

    /// Opens the file to write its values as text.
    pub(crate) fn open_verified(&self, context: &Context) -> Result<File> {
        self.resolved(context.open_verified(&self.file, self.accept)?)
    }

    fn resolved(&self, mut file: File) -> Result<File> {
        if self.resolve_references {
            file.resolve_references()?;
        }
        Ok(file)
    }
}
