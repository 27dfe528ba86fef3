//! Units to bytes.

use asdf_core::{ByteOrder, Datatype, Error, NdArray, Result};

use super::{PIECE, card};
use crate::fits::{Card, CardItem, Fits, Hdu, HduData};
use crate::table::Table;

pub(super) fn file(fits: &Fits) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    let first_is_table = matches!(fits.primary().and_then(Hdu::contents), Some(HduData::Table(_)));
    if fits.0.is_empty() || first_is_table {
        return Err(Error::mismatch("the first unit of a FITS file is an image, or a header alone"));
    }
    for (index, hdu) in fits.0.iter().enumerate() {
        unit(hdu, index == 0, &mut out).map_err(|error| error.under(index))?;
    }
    Ok(out)
}

fn unit(hdu: &Hdu, primary: bool, out: &mut Vec<u8>) -> Result<()> {
    let mut made = Made { cards: Vec::new(), hdu };
    let data = match hdu.contents() {
        None => {
            made.begin(primary, "IMAGE", 8, &[])?;
            Vec::new()
        }
        Some(HduData::NdArray(image)) => {
            let stored = Stored::of(image).map_err(|error| error.under("data"))?;
            if stored.bits == 0 || image.shape().is_empty() {
                let message = format!(
                    "FITS has no images of {} and of the shape {:?}",
                    image.datatype(),
                    image.shape()
                );
                return Err(Error::unsupported(message).under("data"));
            }
            made.begin(primary, "IMAGE", stored.bits, image.shape())?;
            if let Some(zero) = stored.zero {
                made.fixed("BSCALE", 1)?;
                made.fixed("BZERO", zero)?;
            }
            stored.bytes
        }
        Some(HduData::Table(table)) => made.table(table)?,
    };
    for card in &made.cards {
        card::write(card, out)?;
    }
    let is_made = |card: &Card| made.cards.iter().any(|own| own.keyword() == card.keyword());
    for (index, card) in hdu.header.iter().enumerate() {
        let keyword = card.keyword();
        let remark = matches!(keyword, "" | "COMMENT" | "HISTORY");
        if keyword != "END" && (remark || !(is_made(card) || describes(keyword))) {
            card::write(card, out).map_err(|error| error.under(index).under("header"))?;
        }
    }
    out.extend_from_slice(format!("{:80}", "END").as_bytes());
    out.resize(out.len().div_ceil(PIECE) * PIECE, b' ');
    out.extend_from_slice(&data);
    out.resize(out.len().div_ceil(PIECE) * PIECE, 0);
    Ok(())
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

    /// The rows of a table, one behind the other.
    fn table(&mut self, table: &Table) -> Result<Vec<u8>> {
        table.check().map_err(|error| error.under("data"))?;
        if table.known_columns().count() != table.columns.len() {
            return Err(Error::unsupported("a column has a tag that is not the standard's").under("data"));
        }
        let rows = table.rows()?;
        let mut stored = Vec::new();
        for (index, column) in table.known_columns().enumerate() {
            let place = |error: Error| error.under(index).under("columns").under("data");
            stored.push(Stored::of(&column.data).map_err(place)?);
        }
        let count = usize::try_from(rows).map_err(|_| Error::unsupported("more rows than memory holds"))?;
        let widths: Vec<usize> = stored.iter().map(|stored| stored.bytes.len() / count.max(1)).collect();
        self.begin(false, "BINTABLE", 8, &[rows, widths.iter().sum::<usize>() as u64])?;
        self.push("TFIELDS", i64::try_from(stored.len()).unwrap_or(i64::MAX))?;
        for (index, (column, stored)) in table.known_columns().zip(&stored).enumerate() {
            let number = index + 1;
            let shape = column.data.shape().get(1..).unwrap_or_default();
            let repeat: u64 = shape.iter().product();
            let text = |width: u64| repeat.saturating_mul(width);
            let form = if stored.code == 'A' { text(stored.width) } else { repeat };
            self.push(&format!("TTYPE{number}"), column.name.get().as_str())?;
            let form = format!("{form}{}", stored.code);
            // A 1 may be left out; the header may have it either way.
            let own = self.hdu.value(&format!("TFORM{number}")).and_then(CardItem::as_str);
            let own = own.filter(|own| form.strip_prefix('1') == Some(own.trim_end())).map(str::to_owned);
            self.push(&format!("TFORM{number}"), own.unwrap_or(form).as_str())?;
            if let Some(unit) = column.unit.as_ref().filter(|unit| !unit.get().is_empty()) {
                self.push(&format!("TUNIT{number}"), unit.get().as_str())?;
            }
            let mut axes: Vec<String> = shape.iter().rev().map(u64::to_string).collect();
            if stored.code == 'A' && !axes.is_empty() {
                axes.insert(0, stored.width.to_string());
            }
            if axes.len() > 1 {
                self.push(&format!("TDIM{number}"), format!("({})", axes.join(",")).as_str())?;
            }
            if let Some(zero) = stored.zero {
                self.fixed(&format!("TSCAL{number}"), 1)?;
                self.fixed(&format!("TZERO{number}"), zero)?;
            }
        }
        let mut out = Vec::with_capacity(widths.iter().sum::<usize>() * count);
        for row in 0..count {
            for (stored, &width) in stored.iter().zip(&widths) {
                out.extend_from_slice(stored.bytes.get(row * width..(row + 1) * width).unwrap_or_default());
            }
        }
        Ok(out)
    }
}

/// Elements as FITS has them.
struct Stored {
    bytes: Vec<u8>,
    /// `BITPIX`, for an image.
    bits: i64,
    /// The letter of `TFORMn`.
    code: char,
    /// The characters of a text.
    width: u64,
    /// What is to be added to the stored integers.
    zero: Option<i128>,
}

impl Stored {
    fn of(array: &NdArray) -> Result<Self> {
        let (bits, code, zero) = match array.datatype() {
            Datatype::Uint8 => (8, 'B', None),
            Datatype::Int16 => (16, 'I', None),
            Datatype::Int32 => (32, 'J', None),
            Datatype::Int64 => (64, 'K', None),
            Datatype::Float32 => (-32, 'E', None),
            Datatype::Float64 => (-64, 'D', None),
            Datatype::Int8 => (8, 'B', Some(-128)),
            Datatype::Uint16 => (16, 'I', Some(1 << 15)),
            Datatype::Uint32 => (32, 'J', Some(1 << 31)),
            Datatype::Uint64 => (64, 'K', Some(1 << 63)),
            Datatype::Bool8 => (0, 'L', None),
            Datatype::Complex64 => (0, 'C', None),
            Datatype::Complex128 => (0, 'M', None),
            Datatype::Ascii(_) | Datatype::Ucs4(_) => (0, 'A', None),
            other => return Err(Error::unsupported(format!("FITS has no {other}"))),
        };
        if array.mask().is_some() || array.missing()?.is_some() {
            return Err(Error::unsupported("FITS files with missing values are not written")
                .with_hint("give missing values a number first"));
        }
        let mut bytes = array.packed_bytes(ByteOrder::Big)?;
        let mut width = 1;
        match array.datatype() {
            Datatype::Ascii(length) => width = *length,
            Datatype::Ucs4(length) => {
                width = *length;
                let ascii = |character: &[u8]| match character {
                    [0, 0, 0, letter @ 0..=0x7e] => Some(*letter),
                    _ => None,
                };
                let text: Option<Vec<u8>> = bytes.chunks_exact(4).map(ascii).collect();
                bytes = text.ok_or_else(|| Error::unsupported("FITS has no text that is not ASCII"))?;
            }
            Datatype::Bool8 => bytes.iter_mut().for_each(|b| *b = if *b == 0 { b'F' } else { b'T' }),
            _ if zero.is_some() => {
                // Less 2^(n-1): the sign bit is the other one.
                let size = usize::try_from(bits / 8).unwrap_or(1).max(1);
                bytes.iter_mut().step_by(size).for_each(|b| *b ^= 0x80);
            }
            _ => {}
        }
        Ok(Self { bytes, bits, code, width, zero })
    }
}
