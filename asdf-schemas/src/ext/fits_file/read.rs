//! Bytes to units.

use asdf_core::array::Field;
use asdf_core::{ByteOrder, Bytes, Datatype, Error, NdArray, Nullable, Result};

use super::{CARD, PIECE, card};
use crate::fits::{Card, Fits, Hdu, HduData};
use crate::table::{Column, Table};

pub(super) fn file(bytes: &Bytes) -> Result<Fits> {
    if !bytes.starts_with(b"SIMPLE  =") {
        return Err(Error::malformed("no FITS file: it does not begin with SIMPLE").at_offset(0));
    }
    let mut units = Vec::new();
    let mut at = 0;
    // What follows the last unit is no unit, and is left.
    while bytes.get(at..).is_some_and(|rest| units.is_empty() || rest.starts_with(b"XTENSION")) {
        let place = |error: Error| error.under("header").under(units.len());
        let (header, start) = header(bytes, at).map_err(place)?;
        let mut hdu = Hdu::new(header);
        let size = size(&hdu).map_err(|error| place(error.at_offset(at as u64)))?;
        let end = start.checked_add(size).filter(|&end| end <= bytes.len()).ok_or_else(|| {
            let message =
                format!("the data is {size} bytes, but only {} follow", bytes.len().saturating_sub(start));
            Error::malformed(message).at_offset(start as u64).under("data").under(units.len())
        })?;
        let data = data(&hdu, &bytes.slice(start..end));
        hdu.data = data
            .map_err(|error| error.at_offset(start as u64).under("data").under(units.len()))?
            .map(Nullable::Value);
        units.push(hdu);
        at = end.div_ceil(PIECE).saturating_mul(PIECE);
    }
    Ok(Fits::new(units))
}

/// The cards, and where the data begins.
fn header(bytes: &Bytes, start: usize) -> Result<(Vec<Card>, usize)> {
    let mut cards = Vec::new();
    let mut at = start;
    loop {
        let card = bytes.get(at..).and_then(|rest| rest.get(..CARD));
        let card = card.ok_or_else(|| Error::malformed("the file ends in a header").at_offset(at as u64))?;
        let text = std::str::from_utf8(card).ok().filter(|text| text.is_ascii());
        let text = text.ok_or_else(|| Error::malformed("a card that is not ASCII").at_offset(at as u64))?;
        at += CARD;
        if text.trim_end() == "END" {
            return Ok((cards, at.div_ceil(PIECE).saturating_mul(PIECE)));
        }
        card::parse(text, &mut cards)
            .map_err(|error| error.at_offset((at - CARD) as u64).under(cards.len()))?;
    }
}

fn whole(hdu: &Hdu, keyword: &str) -> Result<usize> {
    let value = hdu.value(keyword).and_then(|value| value.as_i64());
    value
        .and_then(|value| usize::try_from(value).ok())
        .ok_or_else(|| Error::malformed(format!("the header has no {keyword}, or it is no number from 0 on")))
}

fn axes(hdu: &Hdu) -> Result<Vec<usize>> {
    match whole(hdu, "NAXIS")? {
        count @ 0..=999 => (1..=count).map(|axis| whole(hdu, &format!("NAXIS{axis}"))).collect(),
        count => Err(Error::malformed(format!("NAXIS is {count}, which is at most 999"))),
    }
}

fn bits(hdu: &Hdu) -> Result<i64> {
    let value = hdu.value("BITPIX").and_then(|value| value.as_i64());
    value
        .filter(|bits| matches!(bits, 8 | 16 | 32 | 64 | -32 | -64))
        .ok_or_else(|| Error::malformed("BITPIX is none of 8, 16, 32, 64, -32 and -64"))
}

/// The bytes of the data, without padding.
fn size(hdu: &Hdu) -> Result<usize> {
    let axes = axes(hdu)?;
    if axes.is_empty() {
        return Ok(0);
    }
    let item = usize::try_from(bits(hdu)?.unsigned_abs() / 8).unwrap_or(0);
    let extra = if hdu.card("PCOUNT").is_some() { whole(hdu, "PCOUNT")? } else { 0 };
    let elements = axes.iter().try_fold(1_usize, |product, &axis| product.checked_mul(axis));
    elements
        .and_then(|elements| elements.checked_add(extra)?.checked_mul(item))
        .ok_or_else(|| Error::malformed("the data is larger than any memory"))
}

fn data(hdu: &Hdu, bytes: &Bytes) -> Result<Option<HduData>> {
    let axes = axes(hdu)?;
    match hdu.value("XTENSION").and_then(|value| value.as_str()).map(str::trim_end) {
        Some("BINTABLE") => table(hdu, &axes, bytes).map(|table| Some(HduData::Table(table))),
        None | Some("IMAGE" | "IUEIMAGE") if axes.is_empty() => Ok(None),
        None if hdu.value("GROUPS").and_then(|value| value.as_bool()) == Some(true) => {
            Err(Error::unsupported("random groups are not read"))
        }
        None | Some("IMAGE" | "IUEIMAGE") => {
            let datatype = match bits(hdu)? {
                8 => Datatype::Uint8,
                16 => Datatype::Int16,
                32 => Datatype::Int32,
                64 => Datatype::Int64,
                -32 => Datatype::Float32,
                _ => Datatype::Float64,
            };
            let shape: Vec<u64> = axes.iter().rev().map(|&axis| axis as u64).collect();
            NdArray::from_bytes(datatype, ByteOrder::Big, &shape, bytes.clone())
                .map(|image| Some(HduData::NdArray(image)))
        }
        Some(other) => {
            Err(Error::unsupported(format!("extensions of the kind {} are not read", other.escape_debug()))
                .with_hint("images and binary tables are"))
        }
    }
}

fn table(hdu: &Hdu, axes: &[usize], bytes: &Bytes) -> Result<Table> {
    let [width, rows] = *axes else {
        return Err(Error::malformed(format!("a table with {} axes, not 2", axes.len())));
    };
    let count = whole(hdu, "TFIELDS")?;
    if count > 999 {
        return Err(Error::malformed(format!("TFIELDS is {count}, which is at most 999")));
    }
    let text = |name: &str, column: usize| {
        hdu.value(&format!("{name}{column}")).and_then(|value| value.as_str()).map(str::trim)
    };
    let mut fields = Vec::new();
    for column in 1..=count {
        let form =
            text("TFORM", column).ok_or_else(|| Error::malformed(format!("there is no TFORM{column}")))?;
        let (repeat, datatype) = form_of(form).map_err(|error| error.under(format!("TFORM{column}")))?;
        let shape = match text("TDIM", column) {
            Some(dimensions) if !matches!(datatype, Datatype::Ascii(_)) => dimension(dimensions, repeat)
                .ok_or_else(|| Error::malformed(format!("TDIM{column} does not fit TFORM{column}")))?,
            _ if repeat == 1 => Vec::new(),
            _ => vec![repeat],
        };
        fields.push(Field { shape, ..Field::new(format!("c{column}"), datatype) });
    }
    let record = Datatype::Struct(fields.clone());
    if record.size()? != width as u64 {
        return Err(Error::malformed(format!(
            "the columns have {} bytes a row, but NAXIS1 is {width}",
            record.size()?
        )));
    }
    // Behind the rows there may be a heap, for columns that are refused above.
    let rows_end = rows.checked_mul(width).filter(|&end| end <= bytes.len());
    let rows_end = rows_end.ok_or_else(|| Error::malformed("the rows are longer than the data"))?;
    let whole = NdArray::from_bytes(record, ByteOrder::Big, &[rows as u64], bytes.slice(..rows_end))?;
    let mut columns = Vec::new();
    for (index, field) in fields.iter().enumerate() {
        let mut data = whole.field(field.name.as_deref().unwrap_or_default())?;
        if field.datatype == Datatype::Bool8 {
            let flags = data
                .packed_bytes(ByteOrder::Big)?
                .into_iter()
                .map(|b| u8::from(b == b'T'))
                .collect::<Vec<_>>();
            data = NdArray::from_bytes(Datatype::Bool8, ByteOrder::Big, data.shape(), flags)?;
        }
        let fallback = format!("col{}", index + 1);
        let name = text("TTYPE", index + 1).filter(|name| !name.is_empty()).unwrap_or(&fallback);
        let column = Column::of(name, data)?;
        columns.push(match text("TUNIT", index + 1) {
            Some(unit) => column.with_unit(unit)?,
            None => column,
        });
    }
    Table::of(columns)
}

/// How many elements of what a column has in each row.
fn form_of(form: &str) -> Result<(u64, Datatype)> {
    let at = form.find(|c: char| !c.is_ascii_digit()).unwrap_or(form.len());
    let (repeat, code) = form.split_at_checked(at).unwrap_or(("", form));
    let bad = || Error::malformed(format!("'{}' is no form of a column", form.escape_debug()));
    let repeat: u64 = if repeat.is_empty() { 1 } else { repeat.parse().map_err(|_| bad())? };
    Ok(match code.chars().next().ok_or_else(bad)? {
        'L' => (repeat, Datatype::Bool8),
        'B' => (repeat, Datatype::Uint8),
        'I' => (repeat, Datatype::Int16),
        'J' => (repeat, Datatype::Int32),
        'K' => (repeat, Datatype::Int64),
        'E' => (repeat, Datatype::Float32),
        'D' => (repeat, Datatype::Float64),
        'C' => (repeat, Datatype::Complex64),
        'M' => (repeat, Datatype::Complex128),
        'A' => (1, Datatype::Ascii(repeat)),
        'X' | 'P' | 'Q' => {
            return Err(Error::unsupported(format!("columns of the form '{form}' are not read")).with_hint(
                "bits (X) and arrays of variable length (P, Q) have no counterpart in a table of ASDF",
            ));
        }
        _ => return Err(bad()),
    })
}

/// The shape that `TDIMn` gives, in C order: `(3,2)` is `[2, 3]`.
fn dimension(text: &str, repeat: u64) -> Option<Vec<u64>> {
    let inner = text.strip_prefix('(')?.strip_suffix(')')?;
    let shape: Option<Vec<u64>> = inner.rsplit(',').map(|axis| axis.trim().parse().ok()).collect();
    let shape = shape?;
    let product = shape.iter().try_fold(1_u64, |product, &axis| product.checked_mul(axis))?;
    (product == repeat).then_some(shape)
}
