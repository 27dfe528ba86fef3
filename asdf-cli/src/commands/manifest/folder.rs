//! Writes a manifest as a folder of Parquet files.

use std::path::Path;

use asdf_core::{Error, Result};
use asdf_tables::manifest::Manifest;

use crate::context::Context;

#[cfg(not(feature = "tables"))]
pub(super) fn write(_: &Manifest, _: Option<&Path>, _: &Context) -> Result<()> {
    Err(Error::usage("this build lacks the feature `tables`, needed for Parquet references")
        .with_hint("enable the feature `tables` of asdf-cli, or pass --format kerchunk"))
}

/// Writes the files of a manifest to a new folder. The last file is the one that readers open first.
#[cfg(feature = "tables")]
pub(super) fn write(manifest: &Manifest, folder: Option<&Path>, context: &Context) -> Result<()> {
    use std::path::PathBuf;

    use crate::new_file::write_text;
    use crate::remote;

    let Some(folder) = folder else {
        return Err(Error::usage("Parquet references are a folder, which cannot be standard output")
            .with_hint("pass --output FOLDER"));
    };
    // Old files in the folder could be read with the new ones.
    if remote::url(folder).is_none() && folder.symlink_metadata().is_ok() {
        return Err(Error::usage("the folder already exists")
            .at_file(folder)
            .with_hint("remove it, or choose another name with --output"));
    }
    manifest.write_parquet(|name, bytes| {
        let path = match remote::url(folder) {
            Some(url) => PathBuf::from(format!("{}/{name}", url.trim_end_matches('/'))),
            None => folder.join(name),
        };
        if let (None, Some(parent)) = (remote::url(&path), path.parent()) {
            std::fs::create_dir_all(parent)
                .map_err(|error| Error::io("creating the folder", error).at_file(parent))?;
        }
        write_text(bytes, &path, &context.remote)
    })
}
