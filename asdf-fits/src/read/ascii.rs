//! Reads ASCII tables.

use asdf_core::array::{ByteOrder, Mask};
use asdf_core::source::Bytes;
use asdf_core::{Datatype, Error, NdArray, Result};

use super::{Decoded, count};
use crate::hdu::{Data, Hdu};
use crate::scale::Scale;
use crate::table::{Column, Table};

pub(super) fn table(hdu: &Hdu, axes: &[usize], bytes: &Bytes, masks: bool) -> Result<Decoded> {
    let [width, rows] = *axes else {
        return Err(Error::malformed(format!("found a table with {} axes, expected 2", axes.len())));
    };
    let fields = count(hdu, "TFIELDS")?;
    if fields > 999 {
        return Err(Error::malformed(format!("TFIELDS is {fields}, expected at most 999")));
    }
    let mut columns = Vec::new();
    for number in 1..=fields {
        let read = || {
            let start = count(hdu, &format!("TBCOL{number}"))?;
            let form = hdu.text(&format!("TFORM{number}")).unwrap_or_default();
            let (code, length) = parts(form).ok_or_else(|| {
                let form = form.escape_debug();
                Error::malformed(format!("found '{form}', expected a column format such as I4 or A8"))
            })?;
            let start = start.checked_sub(1).filter(|start| start.saturating_add(length) <= width);
            let start =
                start.ok_or_else(|| Error::malformed("the column extends beyond the end of the row"))?;
            let rows = bytes.chunks_exact(width.max(1)).take(rows);
            let cells: Vec<&[u8]> =
                rows.map(|row| row.get(start..start + length).unwrap_or_default()).collect();
            let null = hdu.text(&format!("TNULL{number}"));
            values(code, length, &cells, null, Scale::of_column(hdu, number)?, masks)
        };
        let data = read().map_err(|error| error.under(format!("column {number}")))?;
        let name = hdu.text(&format!("TTYPE{number}")).filter(|name| !name.is_empty());
        let name = name.map_or_else(|| format!("col{number}"), str::to_owned);
        let unit = hdu.text(&format!("TUNIT{number}")).filter(|unit| !unit.is_empty()).map(str::to_owned);
        columns.push(Column { name, unit, data });
    }
    Ok(Decoded::new(Some(Data::Table(Table::new(columns)?)), false))
}

/// Splits `TFORMn` into the letter and the number of characters.
fn parts(form: &str) -> Option<(char, usize)> {
    let mut letters = form.chars();
    let code = letters.next()?.to_ascii_uppercase();
    let width = letters.as_str().split('.').next()?;
    let width = if width.is_empty() { 1 } else { width.parse().ok()? };
    matches!(code, 'A' | 'I' | 'F' | 'E' | 'D').then_some((code, width))
}

fn values(
    code: char,
    length: usize,
    cells: &[&[u8]],
    null: Option<&str>,
    scale: Scale,
    masks: bool,
) -> Result<NdArray> {
    let shape = [cells.len() as u64];
    if code == 'A' {
        let width = length.max(1);
        let mut bytes = Vec::new();
        for cell in cells {
            bytes.extend_from_slice(cell);
            bytes.resize(bytes.len() + width - cell.len(), b' ');
        }
        return NdArray::from_bytes(Datatype::Ascii(width as u64), ByteOrder::Big, &shape, bytes);
    }
    let mut missing = Vec::with_capacity(cells.len());
    let mut texts = Vec::with_capacity(cells.len());
    for cell in cells {
        let text: String = cell.iter().map(|&byte| char::from(byte)).filter(|&c| c != '\0').collect();
        let text = text.trim().to_owned();
        missing.push(text.is_empty() || Some(text.as_str()) == null);
        texts.push(text);
    }
    let bad = |text: &str| Error::malformed(format!("found '{}', expected a number", text.escape_debug()));
    let is_scaled = scale.factor != 1.0 || scale.zero != 0.0;
    let array = if code == 'I' && !is_scaled {
        let mut numbers = Vec::with_capacity(texts.len());
        for (text, missing) in texts.iter().zip(&missing) {
            let text = text.strip_prefix('+').unwrap_or(text);
            numbers.push(if *missing { 0 } else { text.parse::<i64>().map_err(|_| bad(text))? });
        }
        NdArray::new(&shape, &numbers)?
    } else {
        let mut numbers = Vec::with_capacity(texts.len());
        for (text, missing) in texts.iter().zip(&missing) {
            let value: f64 = match missing {
                true if code == 'I' => 0.0,
                true => f64::NAN,
                false => text.replace(['D', 'd'], "E").parse().map_err(|_| bad(text))?,
            };
            numbers.push(value * scale.factor + scale.zero);
        }
        NdArray::new(&shape, &numbers)?
    };
    // Missing floats are NaN and need no mask.
    match masks && code == 'I' && missing.contains(&true) {
        true => array.with_mask(Mask::Array(Box::new(NdArray::from_vec(&shape, missing)?))),
        false => Ok(array),
    }
}
