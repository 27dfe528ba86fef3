//! The rows of a table as packed records.

use asdf_core::array::{ByteOrder, Field};
use asdf_core::{Error, Result};

use crate::table::Table;

/// Returns the rows of a table, big-endian. The columns must be those of the fields.
pub(super) fn rows(table: &Table, fields: &[Field], count: u64) -> Result<Vec<u8>> {
    let count = usize::try_from(count).map_err(|_| Error::limit("the rows do not fit in memory"))?;
    let mut columns = Vec::new();
    for (column, field) in table.columns.iter().zip(fields) {
        let data = &column.data;
        if *data.datatype() != field.datatype || data.shape().get(1..) != Some(&field.shape) {
            return Err(Error::malformed(format!(
                "column '{}' has cells of {} {:?}, expected {} {:?}",
                column.name.escape_debug(),
                data.datatype(),
                data.shape().get(1..).unwrap_or_default(),
                field.datatype,
                field.shape
            )));
        }
        let bytes = data.packed_bytes(ByteOrder::Big)?;
        let width = bytes.len().checked_div(count).unwrap_or(0);
        columns.push((bytes, width));
    }
    let width: usize = columns.iter().map(|(_, width)| width).sum();
    let mut rows = Vec::with_capacity(width.saturating_mul(count));
    for row in 0..count {
        for (bytes, width) in &columns {
            let start = row.saturating_mul(*width);
            rows.extend_from_slice(bytes.get(start..start.saturating_add(*width)).unwrap_or_default());
        }
    }
    Ok(rows)
}
