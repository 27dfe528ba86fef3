//! Reads binary tables.

use asdf_core::array::{ByteOrder, Field};
use asdf_core::source::Bytes;
use asdf_core::{Datatype, Error, NdArray, Result};

use super::flags::flags;
use super::image::returns;
use super::{Decoded, count, heap};
use crate::form::{Form, FormKind};
use crate::hdu::{Data, Hdu};
use crate::scale::{Place, Scale};
use crate::table::{Column, Table};

/// The rows of a table, and the formats of their columns.
pub(super) struct Rows {
    pub(super) forms: Vec<Form>,
    fields: Vec<Field>,
    whole: NdArray,
    /// The heap.
    pub(super) heap: Bytes,
    /// Whether the rows have bytes after their last column.
    padded: bool,
}

impl Rows {
    pub(super) fn of(hdu: &Hdu, axes: &[usize], bytes: &Bytes) -> Result<Self> {
        let [width, rows] = *axes else {
            return Err(Error::malformed(format!("found a table with {} axes, expected 2", axes.len())));
        };
        let columns = count(hdu, "TFIELDS")?;
        if columns > 999 {
            return Err(Error::malformed(format!("TFIELDS is {columns}, expected at most 999")));
        }
        let (mut forms, mut fields) = (Vec::new(), Vec::new());
        for column in 1..=columns {
            let keyword = format!("TFORM{column}");
            let form = hdu.text(&keyword).ok_or_else(|| Error::malformed(format!("{keyword} is missing")))?;
            let form = Form::parse(form).map_err(|error| error.under(&keyword))?;
            let (datatype, shape) =
                form.stored(hdu.text(&format!("TDIM{column}"))).map_err(|error| error.under(&keyword))?;
            fields.push(Field { shape, ..Field::new(format!("c{column}"), datatype) });
            forms.push(form);
        }
        let size = Datatype::Struct(fields.clone()).size()?;
        let padding = (width as u64).checked_sub(size).ok_or_else(|| {
            Error::malformed(format!("the columns take {size} bytes per row, but NAXIS1 is {width}"))
        })?;
        let mut record = fields.clone();
        if padding > 0 {
            record.push(Field { shape: vec![padding], ..Field::new("padding", Datatype::Uint8) });
        }
        let end = rows.checked_mul(width).filter(|&end| end <= bytes.len());
        let end = end.ok_or_else(|| Error::malformed("the rows extend beyond the end of the data"))?;
        let whole = NdArray::from_bytes(
            Datatype::Struct(record),
            ByteOrder::Big,
            &[rows as u64],
            bytes.slice(..end),
        )?;
        let start = super::count_or(hdu, "THEAP", end)?;
        let heap = if start <= bytes.len() { bytes.slice(start..) } else { Bytes::new() };
        Ok(Self { forms, fields, whole, heap, padded: padding > 0 })
    }

    /// Returns the cells of a column as the rows store them. Columns are counted from 0.
    pub(super) fn column(&self, index: usize) -> Result<NdArray> {
        let name = self.fields.get(index).and_then(|field| field.name.as_deref()).unwrap_or_default();
        let column = self.whole.field(name)?;
        // An empty array needs no offset and no strides, and numpy refuses them.
        if column.is_empty() {
            return NdArray::from_bytes(
                column.datatype().clone(),
                ByteOrder::Big,
                column.shape(),
                Vec::new(),
            );
        }
        Ok(column)
    }
}

pub(super) fn table(hdu: &Hdu, axes: &[usize], bytes: &Bytes, masks: bool) -> Result<Decoded> {
    let rows = Rows::of(hdu, axes, bytes)?;
    let mut exact =
        !rows.padded && rows.whole.len().saturating_mul(rows.whole.datatype().size()?) == bytes.len() as u64;
    let mut columns = Vec::new();
    for (index, form) in rows.forms.iter().enumerate() {
        let number = index + 1;
        let read = || {
            let stored = rows.column(index)?;
            let scale = Scale::of_column(hdu, number)?;
            values(form, &stored, scale, &rows.heap, hdu.text(&format!("TDIM{number}")), masks)
        };
        let (data, own) = read().map_err(|error| error.under(format!("column {number}")))?;
        exact &= own;
        let name = hdu.text(&format!("TTYPE{number}")).filter(|name| !name.is_empty());
        let name = name.map_or_else(|| format!("col{number}"), str::to_owned);
        let unit = hdu.text(&format!("TUNIT{number}")).filter(|unit| !unit.is_empty()).map(str::to_owned);
        columns.push(Column { name, unit, data });
    }
    Ok(Decoded::new(Some(Data::Table(Table::new(columns)?)), exact))
}

/// Returns the values of a column, and whether the stored bytes can be made from them again.
fn values(
    form: &Form,
    stored: &NdArray,
    scale: Scale,
    heap: &Bytes,
    dim: Option<&str>,
    masks: bool,
) -> Result<(NdArray, bool)> {
    match &form.kind {
        FormKind::Plain(Datatype::Bool8) => flags(stored),
        FormKind::Plain(_) => {
            let values = scale.values(stored, Place::Column, masks)?;
            let exact = masks || returns(scale, stored, &values, Place::Column)?;
            Ok((values, exact))
        }
        FormKind::Bits => Ok((bits(stored, form.repeat)?, false)),
        FormKind::Heap { element, .. } => {
            Ok((heap::values(stored, element, scale, heap, dim, masks)?, false))
        }
    }
}

/// Returns the bits of each row as booleans, the most significant bit of a byte first.
fn bits(stored: &NdArray, repeat: u64) -> Result<NdArray> {
    let rows = stored.shape().first().copied().unwrap_or(0);
    let bytes = stored.packed_bytes(ByteOrder::Big)?;
    let repeat =
        usize::try_from(repeat).map_err(|_| Error::limit("the bits of a row do not fit in memory"))?;
    let mut flags = Vec::new();
    for row in bytes.chunks_exact(repeat.div_ceil(8).max(1)) {
        let bits = row.iter().flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1));
        flags.extend(bits.take(repeat));
    }
    NdArray::from_bytes(Datatype::Bool8, ByteOrder::Big, &[rows, repeat as u64], flags)
}
