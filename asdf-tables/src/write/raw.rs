//! Writes elements and rows as bytes.

use std::io::Write;

use asdf_core::array::ByteOrder;
use asdf_core::{Error, NdArray, Result};

use super::output;
use crate::Columns;
use crate::fill::{Fill, filled};

/// The number of bytes that are read at once.
const PIECE: u64 = 8 << 20;

/// Writes the elements of an array without gaps, little-endian, in C order.
pub(super) fn elements(array: &NdArray, fill: Option<Fill>, out: &mut dyn Write) -> Result<()> {
    for piece in array.pieces(PIECE / array.datatype().size()?.max(1))? {
        let bytes = filled(&piece?, fill)?.packed_bytes(ByteOrder::Little)?;
        out.write_all(&bytes).map_err(output)?;
    }
    Ok(())
}

/// Writes the rows of a table without gaps, the cells of a row in the order of the columns.
pub(super) fn rows(columns: &Columns, fill: Option<Fill>, out: &mut dyn Write) -> Result<()> {
    for piece in columns.pieces(columns.rows_at_once()?) {
        let piece = piece?;
        let rows =
            usize::try_from(piece.rows()).map_err(|_| Error::limit("the rows do not fit in memory"))?;
        let mut cells = Vec::with_capacity(piece.as_slice().len());
        for column in piece.as_slice() {
            let bytes = filled(&column.array, fill).and_then(|array| array.packed_bytes(ByteOrder::Little));
            cells.push(bytes.map_err(|error| error.under(&column.name))?);
        }
        let mut bytes = Vec::with_capacity(cells.iter().map(Vec::len).sum());
        for row in 0..rows {
            for cells in &cells {
                let width = cells.len() / rows;
                bytes.extend_from_slice(cells.get(row * width..(row + 1) * width).unwrap_or_default());
            }
        }
        out.write_all(&bytes).map_err(output)?;
    }
    Ok(())
}
