//! Writes tables as Arrow IPC files.

use std::io::Write;

use arrow_ipc::writer::FileWriter;
use asdf_core::Result;

use crate::Columns;
use crate::arrow::{batches, failed, schema};

/// Writes the rows, one piece at a time.
pub(super) fn table(columns: &Columns, out: &mut dyn Write) -> Result<()> {
    let mut writer = FileWriter::try_new(out, &schema(columns)?).map_err(failed)?;
    for batch in batches(columns)? {
        writer.write(&batch?).map_err(failed)?;
    }
    writer.finish().map_err(failed)
}
