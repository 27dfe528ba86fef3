//! The array of a unit, as its header describes it.

use asdf_core::array::Field;
use asdf_core::{Datatype, Error, Result};

use crate::form::{Form, FormKind};
use crate::hdu::Hdu;
use crate::read::{axes, bits, count, datatype_of, groups, unknown_bits};
use crate::scale::{Place, Scale};

/// The datatype and shape of the values of a unit.
#[derive(Debug, Clone)]
pub(super) struct Description {
    pub(super) datatype: Datatype,
    pub(super) shape: Vec<u64>,
    /// Whether the data begins with these values, as they are.
    pub(super) is_stored: bool,
}

impl Description {
    /// Describes the values of a unit from its header alone.
    pub(super) fn of(hdu: &Hdu) -> Result<Self> {
        let axes = axes(hdu)?;
        match hdu.text("XTENSION") {
            Some("BINTABLE" | "A3DTABLE") if is_compressed(hdu) => Self::of_tiles(hdu),
            Some("BINTABLE" | "A3DTABLE") => Self::of_table(hdu, &axes),
            None if groups(hdu, &axes) => Err(Error::unsupported("random groups are not supported")),
            None | Some("IMAGE" | "IUEIMAGE") => Self::of_image(hdu, &axes),
            Some(other) => Err(Error::unsupported(format!(
                "arrays in extensions of the type '{}' are not supported",
                other.escape_debug()
            ))),
        }
    }

    fn of_image(hdu: &Hdu, axes: &[usize]) -> Result<Self> {
        if axes.is_empty() {
            return Err(Error::mismatch("the HDU has no data"));
        }
        let stored = datatype_of(bits(hdu)?).unwrap_or(Datatype::Uint8);
        let scale = Scale::of_image(hdu)?;
        let datatype = scale.datatype(&stored, Place::Image);
        let is_stored = scale.is_identity() && datatype == stored;
        Ok(Self { datatype, shape: shape(axes), is_stored })
    }

    /// Describes a compressed image, whose header is that of the table that holds its tiles.
    fn of_tiles(hdu: &Hdu) -> Result<Self> {
        let axes = match count(hdu, "ZNAXIS")? {
            n @ 1..=999 => {
                (1..=n).map(|axis| count(hdu, &format!("ZNAXIS{axis}"))).collect::<Result<Vec<_>>>()?
            }
            n => return Err(Error::malformed(format!("ZNAXIS is {n}, expected 1 to 999"))),
        };
        let value = hdu.value("ZBITPIX").and_then(|value| value.as_i64());
        let stored = value.and_then(datatype_of).ok_or_else(|| unknown_bits("ZBITPIX", value))?;
        let datatype = Scale::of_image(hdu)?.datatype(&stored, Place::Image);
        Ok(Self { datatype, shape: shape(&axes), is_stored: false })
    }

    fn of_table(hdu: &Hdu, axes: &[usize]) -> Result<Self> {
        let [width, rows] = *axes else {
            return Err(Error::malformed(format!("found a table with {} axes, expected 2", axes.len())));
        };
        let columns = match count(hdu, "TFIELDS")? {
            0 => return Err(Error::mismatch("the table has no columns")),
            n @ 1..=999 => n,
            n => return Err(Error::malformed(format!("TFIELDS is {n}, expected at most 999"))),
        };
        let (mut fields, mut is_stored, mut length) = (Vec::new(), true, 0_u64);
        for column in 1..=columns {
            let keyword = format!("TFORM{column}");
            let form = hdu.text(&keyword).ok_or_else(|| Error::malformed(format!("{keyword} is missing")))?;
            let placed = |error: Error| {
                let message = format!("column {column}: {}", error.message());
                error.with_message(message)
            };
            let form = Form::parse(form).map_err(placed)?;
            let (stored, cell) = form.stored(hdu.text(&format!("TDIM{column}"))).map_err(placed)?;
            length = cell
                .iter()
                .fold(stored.size()?, |size, &axis| size.saturating_mul(axis))
                .saturating_add(length);
            let (datatype, shape) = match &form.kind {
                FormKind::Plain(Datatype::Bool8) => (Datatype::Bool8, cell),
                FormKind::Plain(_) => (Scale::of_column(hdu, column)?.datatype(&stored, Place::Column), cell),
                FormKind::Bits => (Datatype::Bool8, vec![form.repeat]),
                FormKind::Heap { .. } => {
                    return Err(Error::unsupported(format!(
                        "column {column} has arrays of variable length, which are not supported here"
                    ))
                    .with_hint("read the HDU with `asdf import --hdu`"));
                }
            };
            is_stored &= matches!(&form.kind, FormKind::Plain(kind) if *kind != Datatype::Bool8)
                && Scale::of_column(hdu, column)?.is_identity()
                && datatype == stored;
            let name = hdu.text(&format!("TTYPE{column}")).filter(|name| !name.is_empty());
            let name = name.map_or_else(|| format!("col{column}"), str::to_owned);
            fields.push(Field { shape, ..Field::new(name, datatype) });
        }
        // Rows can have bytes after their last column.
        is_stored &= length == width as u64;
        Ok(Self { datatype: Datatype::Struct(fields), shape: vec![rows as u64], is_stored })
    }

    /// Returns the number of bytes of the values.
    pub(super) fn size(&self) -> Result<u64> {
        let size = self.shape.iter().try_fold(self.datatype.size()?, |size, &axis| size.checked_mul(axis));
        size.ok_or_else(|| Error::limit("the size of the data overflows"))
    }
}

/// Whether a table holds a compressed image.
fn is_compressed(hdu: &Hdu) -> bool {
    hdu.value("ZIMAGE").and_then(|value| value.as_bool()) == Some(true)
}

/// Returns the lengths of axes in the order of ASDF.
fn shape(axes: &[usize]) -> Vec<u64> {
    axes.iter().rev().map(|&axis| axis as u64).collect()
}
