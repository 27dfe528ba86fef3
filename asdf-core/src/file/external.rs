//! Arrays whose data is in another file ("Exploded form").

use std::path::Path;
use std::sync::Arc;

use super::{FileBlock, OpenOptions, neighbour};
use crate::error::Result;

/// The first block of a [neighbouring](super::neighbour) file. What that file refers to is not
/// followed.
pub(super) fn first_block(file: &Path, uri: &str, options: &OpenOptions) -> Result<Arc<FileBlock>> {
    let path = neighbour::locate(file, uri, "the array's data is in")?;
    options.open_front(&path)?.file_block(0)
}
