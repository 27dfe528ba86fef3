//! Writes damaged files in other forms, which must not hide the damage.

use std::path::Path;

use asdf_core::file::Storage;
use asdf_core::{Compression, File, Result, WriteOptions};

use super::contents::{Arrays, Contents};

/// A way to write a file again.
#[derive(Debug)]
pub(crate) struct Way {
    pub(crate) name: &'static str,
    options: WriteOptions,
    in_place: bool,
}

/// Returns the ways of the commands that write: `defragment`, `convert`, `implode`, `to_yaml` and `set --in-place`.
pub(crate) fn ways() -> Vec<Way> {
    let way = |name, options| Way { name, options, in_place: false };
    vec![
        way("copied", WriteOptions::new()),
        way("compressed", WriteOptions::new().compression(Compression::ZLIB)),
        way("decompressed", WriteOptions::new().compression(Compression::NONE)),
        way("internal", WriteOptions::new().storage(Storage::Internal)),
        way("inline", WriteOptions::new().storage(Storage::Inline)),
        Way { name: "in place", options: WriteOptions::new(), in_place: true },
    ]
}

impl Way {
    /// Writes the file, and returns the arrays that the new file has. A refusal is an error.
    pub(crate) fn arrays(&self, file: &File, bytes: &[u8], folder: &Path) -> Result<Arrays> {
        let written = if self.in_place {
            let path = folder.join("in_place.asdf");
            let io = |error| asdf_core::Error::io("copying", error);
            std::fs::write(&path, bytes).map_err(io)?;
            let mut file = File::open(&path)?;
            file.set("/note_of_the_test", "some words")?;
            file.update()?;
            std::fs::read(&path).map_err(io)?
        } else {
            self.options.to_bytes(file)?
        };
        let file = super::options(true).open_bytes(written)?;
        Ok(Contents::of(&file, false).arrays)
    }
}
