//! Units to bytes.

use std::io::Write;

use asdf_core::array::Slice;
use asdf_core::{ByteOrder, Datatype, Error, NdArray, Result};

use super::scale::flip_signs;
use super::{PIECE, card};
use crate::fits::{Card, CardItem, Fits, Hdu, HduData};
use crate::table::{Column, Table};

/// How many bytes of data are made at once.
const AT_ONCE: u64 = 8 << 20;

pub(super) fn file(fits: &Fits, out: &mut dyn Write) -> Result<()> {
    let first_is_table = matches!(fits.primary().and_then(Hdu::contents), Some(HduData::Table(_)));
    if fits.0.is_empty() || first_is_table {
        return Err(Error::mismatch("the first unit of a FITS file is an image, or a header alone"));
    }
    for (index, hdu) in fits.0.iter().enumerate() {
        unit(hdu, index == 0, out).map_err(|error| error.under(index))?;
    }
    Ok(())
}

fn unit(hdu: &Hdu, primary: bool, out: &mut dyn Write) -> Result<()> {
    let mut made = Made { cards: Vec::new(), hdu };
    match hdu.contents() {
        None => {
            made.begin(primary, "IMAGE", 8, &[])?;
            made.header(out)
        }
        Some(HduData::NdArray(image)) => {
            let form = Form::of(image).map_err(|error| error.under("data"))?;
            if form.bits == 0 || image.shape().is_empty() {
                let message = format!(
                    "FITS has no images of {} and of the shape {:?}",
                    image.datatype(),
                    image.shape()
                );
                return Err(Error::unsupported(message).under("data"));
            }
            made.begin(primary, "IMAGE", form.bits, image.shape())?;
            if let Some(zero) = form.zero {
                made.fixed("BSCALE", 1)?;
                made.fixed("BZERO", zero)?;
            }
            made.header(out)?;
            pixels(image, &form, out).map_err(|error| error.under("data"))
        }
        Some(HduData::Table(table)) => {
            let forms = made.table(table)?;
            made.header(out)?;
            rows(table, &forms, out).map_err(|error| error.under("data"))
        }
    }
}

/// The elements of an image, some rows at a time.
fn pixels(image: &NdArray, form: &Form, out: &mut dyn Write) -> Result<()> {
    let rows = image.shape().first().copied().unwrap_or(1);
    let row = (image.len() / rows.max(1)).saturating_mul(form.size);
    let mut size = 0;
    for piece in image.rows((AT_ONCE / row.max(1)).max(1))? {
        let bytes = form.bytes(&piece?)?;
        size += bytes.len();
        put(&bytes, out)?;
    }
    fill(size, 0, out)
}

/// The rows of a table, one behind the other.
fn rows(table: &Table, forms: &[Form], out: &mut dyn Write) -> Result<()> {
    let rows = table.rows()?;
    let width = table.known_columns().zip(forms).map(|(column, form)| form.width_of(column)).sum::<u64>();
    let step = (AT_ONCE / width.max(1)).max(1);
    let mut size = 0;
    let mut start = 0;
    while start < rows {
        let end = start.saturating_add(step).min(rows);
        let index = |at: u64| i64::try_from(at).ok();
        let range = Slice::Range { start: index(start), end: index(end), step: 1 };
        let mut cells = Vec::with_capacity(forms.len());
        for (number, (column, form)) in table.known_columns().zip(forms).enumerate() {
            let piece = match column.data.shape() {
                // A column without axes has one row.
                [] => Ok(column.data.clone()),
                _ => column.data.slice(&[range]),
            };
            let bytes = piece.and_then(|piece| form.bytes(&piece));
            cells.push(bytes.map_err(|error| error.under(number).under("columns"))?);
        }
        let count = usize::try_from(end - start).map_err(|_| Error::limit("more rows than memory holds"))?;
        let mut bytes = Vec::with_capacity(cells.iter().map(Vec::len).sum());
        for row in 0..count {
            for cells in &cells {
                let width = cells.len() / count;
                bytes.extend_from_slice(cells.get(row * width..(row + 1) * width).unwrap_or_default());
            }
        }
        size += bytes.len();
        put(&bytes, out)?;
        start = end;
    }
    fill(size, 0, out)
}

fn put(bytes: &[u8], out: &mut dyn Write) -> Result<()> {
    out.write_all(bytes).map_err(|error| Error::io("writing", error))
}

/// What is missing behind so many bytes to the end of the piece.
fn fill(size: usize, with: u8, out: &mut dyn Write) -> Result<()> {
    put(&vec![with; size.next_multiple_of(PIECE) - size], out)
}

/// Whether a card describes the layout of data, perhaps of other data than there is now.
fn describes(keyword: &str) -> bool {
    let name = keyword.trim_end_matches(|c: char| c.is_ascii_digit());
    let numbered = name.len() < keyword.len();
    matches!(keyword, "SIMPLE" | "XTENSION" | "BITPIX" | "NAXIS" | "PCOUNT" | "GCOUNT" | "TFIELDS" | "THEAP")
        || (numbered && matches!(name, "NAXIS" | "TFORM" | "TTYPE" | "TUNIT" | "TDIM"))
}

struct Made<'a> {
    cards: Vec<Card>,
    hdu: &'a Hdu,
}

impl Made<'_> {
    /// The cards that were made, then those of the unit that say nothing else, to the end of the piece.
    fn header(&self, out: &mut dyn Write) -> Result<()> {
        let mut bytes = Vec::new();
        for card in &self.cards {
            card::write(card, &mut bytes)?;
        }
        let is_made = |card: &Card| self.cards.iter().any(|own| own.keyword() == card.keyword());
        for (index, card) in self.hdu.header.iter().enumerate() {
            let keyword = card.keyword();
            let remark = matches!(keyword, "" | "COMMENT" | "HISTORY");
            if keyword != "END" && (remark || !(is_made(card) || describes(keyword))) {
                card::write(card, &mut bytes).map_err(|error| error.under(index).under("header"))?;
            }
        }
        bytes.extend_from_slice(format!("{:80}", "END").as_bytes());
        put(&bytes, out)?;
        fill(bytes.len(), b' ', out)
    }

    fn push(&mut self, keyword: &str, value: impl TryInto<CardItem, Error = Error>) -> Result<()> {
        let comment = self.hdu.card(keyword).and_then(Card::comment).unwrap_or_default();
        self.cards.push(Card::of(keyword, value, comment)?);
        Ok(())
    }

    /// A card that says how numbers are stored, which the header may not say otherwise.
    fn fixed(&mut self, keyword: &str, value: i128) -> Result<()> {
        #[allow(clippy::cast_precision_loss, reason = "powers of two are exact")]
        let float = value as f64;
        if let Some(own) = self.hdu.value(keyword).filter(|own| own.as_f64() != Some(float)) {
            return Err(Error::mismatch(format!(
                "{keyword} has to be {value} for unsigned integers, but is {own:?}"
            ))
            .under("header"));
        }
        match i64::try_from(value) {
            Ok(value) => self.push(keyword, value),
            Err(_) => self.push(keyword, float),
        }
    }

    fn begin(&mut self, primary: bool, kind: &str, bits: i64, shape: &[u64]) -> Result<()> {
        if primary {
            self.push("SIMPLE", true)?;
        } else {
            self.push("XTENSION", kind)?;
        }
        self.push("BITPIX", bits)?;
        let number =
            |number: u64| i64::try_from(number).map_err(|_| Error::unsupported("an axis longer than 2^63"));
        self.push("NAXIS", number(shape.len() as u64)?)?;
        for (index, &axis) in shape.iter().rev().enumerate() {
            self.push(&format!("NAXIS{}", index + 1), number(axis)?)?;
        }
        if !primary {
            self.push("PCOUNT", 0_i64)?;
            self.push("GCOUNT", 1_i64)?;
        }
        Ok(())
    }

    /// The cards of a table, and how its columns are stored.
    fn table(&mut self, table: &Table) -> Result<Vec<Form>> {
        table.check().map_err(|error| error.under("data"))?;
        if table.known_columns().count() != table.columns.len() {
            return Err(Error::unsupported("a column has a tag that is not the standard's").under("data"));
        }
        let rows = table.rows()?;
        let mut forms = Vec::new();
        for (index, column) in table.known_columns().enumerate() {
            let place = |error: Error| error.under(index).under("columns").under("data");
            forms.push(Form::of(&column.data).map_err(place)?);
        }
        let widths = table.known_columns().zip(&forms).map(|(column, form)| form.width_of(column));
        let width = widths.fold(0_u64, u64::saturating_add);
        self.begin(false, "BINTABLE", 8, &[rows, width])?;
        self.push("TFIELDS", i64::try_from(forms.len()).unwrap_or(i64::MAX))?;
        for (index, (column, form)) in table.known_columns().zip(&forms).enumerate() {
            let number = index + 1;
            let shape = column.data.shape().get(1..).unwrap_or_default();
            let repeat: u64 = shape.iter().product();
            let count = if form.code == 'A' { repeat.saturating_mul(form.size) } else { repeat };
            self.push(&format!("TTYPE{number}"), column.name.get().as_str())?;
            let letters = format!("{count}{}", form.code);
            // A 1 may be left out; the header may have it either way.
            let own = self.hdu.value(&format!("TFORM{number}")).and_then(CardItem::as_str);
            let own = own.filter(|own| letters.strip_prefix('1') == Some(own.trim_end())).map(str::to_owned);
            self.push(&format!("TFORM{number}"), own.unwrap_or(letters).as_str())?;
            if let Some(unit) = column.unit.as_ref().filter(|unit| !unit.get().is_empty()) {
                self.push(&format!("TUNIT{number}"), unit.get().as_str())?;
            }
            let mut axes: Vec<String> = shape.iter().rev().map(u64::to_string).collect();
            if form.code == 'A' && !axes.is_empty() {
                axes.insert(0, form.size.to_string());
            }
            if axes.len() > 1 {
                self.push(&format!("TDIM{number}"), format!("({})", axes.join(",")).as_str())?;
            }
            if let Some(zero) = form.zero {
                self.fixed(&format!("TSCAL{number}"), 1)?;
                self.fixed(&format!("TZERO{number}"), zero)?;
            }
        }
        Ok(forms)
    }
}

/// How FITS stores the elements of an array.
struct Form {
    /// `BITPIX`, for an image; 0 for what only tables have.
    bits: i64,
    /// The letter of `TFORMn`.
    code: char,
    /// The bytes of an element: of a text, its characters.
    size: u64,
    /// What is to be added to the stored integers.
    zero: Option<i128>,
}

impl Form {
    fn of(array: &NdArray) -> Result<Self> {
        let (bits, code, size, zero) = match array.datatype() {
            Datatype::Uint8 => (8, 'B', 1, None),
            Datatype::Int16 => (16, 'I', 2, None),
            Datatype::Int32 => (32, 'J', 4, None),
            Datatype::Int64 => (64, 'K', 8, None),
            Datatype::Float32 => (-32, 'E', 4, None),
            Datatype::Float64 => (-64, 'D', 8, None),
            Datatype::Int8 => (8, 'B', 1, Some(-128)),
            Datatype::Uint16 => (16, 'I', 2, Some(1 << 15)),
            Datatype::Uint32 => (32, 'J', 4, Some(1 << 31)),
            Datatype::Uint64 => (64, 'K', 8, Some(1 << 63)),
            Datatype::Bool8 => (0, 'L', 1, None),
            Datatype::Complex64 => (0, 'C', 8, None),
            Datatype::Complex128 => (0, 'M', 16, None),
            Datatype::Ascii(length) | Datatype::Ucs4(length) => (0, 'A', *length, None),
            other => return Err(Error::unsupported(format!("FITS has no {other}"))),
        };
        if array.mask().is_some() || array.missing()?.is_some() {
            return Err(Error::unsupported("FITS files with missing values are not written")
                .with_hint("give missing values a number first"));
        }
        Ok(Self { bits, code, size, zero })
    }

    /// The bytes of a cell of a column.
    fn width_of(&self, column: &Column) -> u64 {
        let cell = column.data.shape().get(1..).unwrap_or_default();
        cell.iter().fold(self.size, |all, &n| all.saturating_mul(n))
    }

    /// The elements as FITS has them.
    fn bytes(&self, array: &NdArray) -> Result<Vec<u8>> {
        let mut bytes = array.packed_bytes(ByteOrder::Big)?;
        match array.datatype() {
            Datatype::Ucs4(_) => {
                let ascii = |character: &[u8]| match character {
                    [0, 0, 0, letter @ 0..=0x7e] => Some(*letter),
                    _ => None,
                };
                let text: Option<Vec<u8>> = bytes.chunks_exact(4).map(ascii).collect();
                bytes = text.ok_or_else(|| Error::unsupported("FITS has no text that is not ASCII"))?;
            }
            Datatype::Bool8 => bytes.iter_mut().for_each(|b| *b = if *b == 0 { b'F' } else { b'T' }),
            _ if self.zero.is_some() => flip_signs(&mut bytes, self.size),
            _ => {}
        }
        Ok(bytes)
    }
}
