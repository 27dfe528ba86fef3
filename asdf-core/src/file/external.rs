//! The data of arrays in other files.

use std::sync::Arc;

use super::reading::Reading;
use super::{FileBlock, OpenOptions};
use crate::error::{Error, Result};

/// The first block of another file, in an [allowed folder](super::allowed_folders) or in the same store.
///
/// References of that file are not followed.
pub(super) fn first_block(uri: &str, reading: &Reading) -> Result<Arc<FileBlock>> {
    let place = reading.place.locate(&reading.folders, uri, "the array's data is in")?.ok_or_else(|| {
        let uri = uri.escape_debug();
        Error::unsupported(format!("the data is in '{uri}', but this file was not opened from a path"))
            .with_hint("open the file from its path to read arrays of other files")
    })?;
    let blocks = OpenOptions::reached_from(reading).open_front(&place)?;
    let found = blocks.file_block(0);
    blocks.report_missed();
    blocks.refuse_missed()?;
    found
}
