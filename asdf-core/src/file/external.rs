//! Arrays whose data is in another file ("Exploded form").

use std::path::Path;
use std::sync::Arc;

use super::reading::Reading;
use super::{FileBlock, OpenOptions};
use crate::error::Result;

/// The first block of another file in an [allowed folder](super::allowed_folders). Its own references are not followed.
pub(super) fn first_block(file: &Path, uri: &str, reading: &Reading) -> Result<Arc<FileBlock>> {
    let path = reading.folders.locate(file, uri, "the array's data is in")?;
    let blocks = OpenOptions::reached_from(reading).open_front(&path)?;
    let found = blocks.file_block(0);
    blocks.report_missed();
    blocks.refuse_missed()?;
    found
}
