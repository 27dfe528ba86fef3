//! Reads tables from Arrow IPC files.

use std::io::Cursor;

use arrow_ipc::reader::{FileReader, read_footer_length};
use arrow_ipc::root_as_footer;
use asdf_core::source::Bytes;
use asdf_core::{Error, Result};
use asdf_schemas::table::Table;

/// Returns the table of a file.
pub(super) fn table(bytes: Bytes) -> Result<Table> {
    if let Some(size) = too_long(&bytes) {
        let message = format!("a block of {size} bytes does not fit in the file of {} bytes", bytes.len());
        return Err(failed(message));
    }
    let reader = FileReader::try_new(Cursor::new(bytes), None).map_err(failed)?;
    crate::arrow::table(&reader.schema(), reader.map(|batch| batch.map_err(failed)))
}

fn failed(error: impl std::fmt::Display) -> Error {
    Error::malformed(format!("cannot read the file as Arrow: {error}"))
}

/// Returns the size of a block that is longer than the file. The reader would allocate its memory first.
fn too_long(bytes: &[u8]) -> Option<i64> {
    let (rest, trailer) = bytes.split_last_chunk()?;
    let footer = rest.get(rest.len().checked_sub(read_footer_length(*trailer).ok()?)?..)?;
    let footer = root_as_footer(footer).ok()?;
    let blocks = footer.dictionaries().into_iter().chain(footer.recordBatches()).flatten();
    let mut sizes = blocks.map(|block| block.bodyLength().saturating_add(block.metaDataLength().into()));
    sizes.find(|size| usize::try_from(*size).is_ok_and(|size| size > bytes.len()))
}
