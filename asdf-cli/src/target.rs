//! Where a command writes a new file.

use std::path::{Path, PathBuf};

use asdf_core::{Error, Result};

/// The file that a command makes.
#[derive(Debug, clap::Args)]
pub(crate) struct Target {
    /// The new file
    #[arg(short, long)]
    output: Option<PathBuf>,

    /// Replace files that are there already
    #[arg(short, long)]
    pub(crate) force: bool,
}

impl Target {
    /// The path of the new file: the one that was asked for, or the input's name with an addition.
    pub(crate) fn path(&self, input: &Path, addition: &str) -> Result<PathBuf> {
        let path = self.output.clone().unwrap_or_else(|| {
            let mut name = input.file_stem().unwrap_or_default().to_owned();
            name.push(addition);
            name.push(".asdf");
            input.with_file_name(name)
        });
        if !self.force && path.symlink_metadata().is_ok() {
            return Err(Error::usage("this file is there already")
                .at_file(&path)
                .with_hint("choose another name with --output, or replace it with --force"));
        }
        Ok(path)
    }
}
