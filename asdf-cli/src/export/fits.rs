//! FITS files of one array or table.

use std::io::Write;

use asdf_core::{ByteOrder, Datatype, NdArray, Nullable, Result};
use asdf_schemas::fits::{Card, Fits, Hdu, HduData};
use asdf_schemas::table::{self, Table};

use crate::columns::Columns;
use crate::gaps::{Fill, filled};

/// The array as the primary image.
pub(super) fn image(
    array: &NdArray,
    unit: Option<&str>,
    fill: Option<Fill>,
    out: &mut dyn Write,
) -> Result<()> {
    let header = match unit {
        Some(unit) => vec![Card::of("BUNIT", unit, "unit of the values")?],
        None => Vec::new(),
    };
    let mut hdu = Hdu::new(header);
    let array = fitting(&filled(array, fill)?)?;
    let array = match array.datatype() {
        // Images have no truth values.
        Datatype::Bool8 => NdArray::from_bytes(
            Datatype::Uint8,
            ByteOrder::Big,
            array.shape(),
            array.packed_bytes(ByteOrder::Big)?,
        )?,
        _ => array,
    };
    hdu.data = Some(Nullable::Value(HduData::NdArray(array)));
    Fits::new(vec![hdu]).write_fits_to(out)
}

/// The table as a binary table, behind an empty primary unit.
pub(super) fn table(columns: &Columns, fill: Option<Fill>, out: &mut dyn Write) -> Result<()> {
    let mut list = Vec::new();
    for column in &columns.list {
        let array = filled(&column.array, fill).and_then(|array| fitting(&array));
        let array = array.map_err(|error| error.under(&column.name))?;
        let own = table::Column::of(&column.name, array)?;
        list.push(match &column.unit {
            Some(unit) => own.with_unit(unit)?,
            None => own,
        });
    }
    let mut hdu = Hdu::new(Vec::new());
    hdu.data = Some(Nullable::Value(HduData::Table(Table::of(list)?)));
    Fits::new(vec![Hdu::new(Vec::new()), hdu]).write_fits_to(out)
}

/// The nearest datatype of FITS that has all of its numbers.
fn fitting(array: &NdArray) -> Result<NdArray> {
    match array.datatype() {
        Datatype::Float16 => NdArray::new(array.shape(), &array.read::<f32>()?),
        Datatype::Complex32 => NdArray::new(array.shape(), &array.read::<num_complex::Complex32>()?),
        _ => Ok(array.clone()),
    }
}
