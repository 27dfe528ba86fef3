//! A FITS file that holds an ASDF file.

use std::ops::Range;
use std::sync::Arc;

use asdf_core::array::ByteOrder;
use asdf_core::file::{ContainedArray, Container};
use asdf_core::source::{Bytes, Source};
use asdf_core::{Datatype, Error, Result};

use super::description::Description;
use super::part::Part;
use super::record;
use super::units::{Unit, Units};
use crate::form::{Form, FormKind};
use crate::hdu::{Data, Hdu};
use crate::read::{Selector, axes, bits, count, whole_unit};
use crate::scale::Scale;

/// The name of the extension.
const NAME: &str = "ASDF";

/// What begins the source of an array in another unit.
const PREFIX: &str = "fits:";

/// A FITS file that holds an ASDF file.
#[derive(Debug)]
pub(super) struct FitsContainer {
    units: Units,
    /// The bytes of the ASDF file.
    asdf: Range<u64>,
    /// Whether the file was decompressed, so that offsets are not those of the file.
    is_unpacked: bool,
}

impl FitsContainer {
    /// Reads the headers of all units.
    pub(super) fn new(source: Arc<dyn Source>, is_unpacked: bool) -> Result<Self> {
        let units = Units::of(source)?;
        let unit = units.find(&Selector::Name(NAME.to_owned(), None)).map_err(|error| {
            // An error of a damaged file says more.
            if error.kind() != asdf_core::error::Kind::Mismatch {
                return error;
            }
            Error::unsupported("this FITS file has no extension ASDF, so it does not hold an ASDF file")
                .with_hint("convert its HDUs to an ASDF file with `asdf import`")
        })?;
        let length = embedded(&units.header(unit)?).map_err(|error| {
            let message = format!("the extension ASDF does not hold an ASDF file: {}", error.message());
            error.with_message(message).at_offset(unit.start)
        })?;
        let start = unit.data.start;
        let end = start.checked_add(length).filter(|&end| end <= unit.data.end);
        let end = end.ok_or_else(|| {
            let message = format!("the extension ASDF has {length} bytes of data, more than the header says");
            Error::malformed(message).at_offset(unit.start)
        })?;
        Ok(Self { asdf: start..end, units, is_unpacked })
    }

    /// Describes the array of a unit.
    fn describe(&self, unit: &Unit) -> Result<ContainedArray> {
        let description = Description::of(&self.units.header(unit)?)?;
        let size = description.size()?;
        let Description { datatype, shape, is_stored } = description.clone();
        let source = self.units.source().clone();
        if is_stored {
            let end = unit.data.start.checked_add(size).filter(|&end| end <= unit.data.end);
            let end = end.ok_or_else(|| {
                let found = unit.data.end - unit.data.start;
                let message = format!("the data has {found} bytes, expected {size}");
                Error::malformed(message).at_offset(unit.data.start)
            })?;
            let part = Arc::new(Part::new(source, unit.data.start..end));
            let array = ContainedArray::stored(datatype, ByteOrder::Big, shape, part);
            return Ok(if self.is_unpacked { array } else { array.at_offset(unit.data.start) });
        }
        let Unit { start, data, .. } = unit;
        let range = *start..data.end;
        let decode = move || values(&source.read(range.clone())?, &description);
        Ok(ContainedArray::encoded(datatype, ByteOrder::Big, shape, decode))
    }
}

impl Container for FitsContainer {
    fn format(&self) -> &str {
        "FITS"
    }

    fn asdf(&self) -> Arc<dyn Source> {
        Arc::new(Part::new(self.units.source().clone(), self.asdf.clone()))
    }

    fn asdf_offset(&self) -> Option<u64> {
        (!self.is_unpacked).then_some(self.asdf.start)
    }

    fn array(&self, source: &str) -> Result<Option<Arc<ContainedArray>>> {
        let Some(text) = source.strip_prefix(PREFIX) else { return Ok(None) };
        let selector: Selector = text.parse().map_err(|_| {
            let source = source.escape_debug();
            Error::malformed(format!(
                "found the source '{source}', expected an HDU as in fits:SCI,1 or fits:3"
            ))
        })?;
        let unit = self.units.find(&selector)?;
        unit.array(|| self.describe(unit)).map(Some)
    }
}

/// Returns the number of bytes of the ASDF file in the extension.
fn embedded(hdu: &Hdu) -> Result<u64> {
    let axes = axes(hdu)?;
    let is_image = hdu.text("XTENSION") == Some("IMAGE");
    if is_image {
        let bits = bits(hdu)?;
        if bits != 8 || axes.is_empty() || !Scale::of_image(hdu)?.is_identity() {
            return Err(Error::malformed(format!(
                "found an image of {bits} bits with {} axes, expected unscaled bytes",
                axes.len()
            )));
        }
    } else {
        let columns = if hdu.text("XTENSION") == Some("BINTABLE") { count(hdu, "TFIELDS")? } else { 0 };
        let form = hdu.text("TFORM1").map(Form::parse).transpose()?;
        let is_bytes = form.is_some_and(|form| form.kind == FormKind::Plain(Datatype::Uint8));
        if columns != 1 || !is_bytes || !Scale::of_column(hdu, 1)?.is_identity() {
            return Err(Error::malformed(
                "expected a binary table with one column of bytes, or an image of bytes",
            ));
        }
    }
    let length = axes.iter().try_fold(1_u64, |length, &axis| length.checked_mul(axis as u64));
    length.ok_or_else(|| Error::malformed("the size of the data overflows"))
}

/// Decodes the values of a unit, given its bytes in the file.
fn values(bytes: &Bytes, description: &Description) -> Result<Bytes> {
    let hdu = whole_unit(bytes)?;
    match (&hdu.data, &description.datatype) {
        (Some(Data::Table(table)), Datatype::Struct(fields)) => {
            let rows = description.shape.first().copied().unwrap_or_default();
            record::rows(table, fields, rows).map(Bytes::from)
        }
        (Some(Data::Image(image)), datatype)
            if image.datatype() == datatype && image.shape() == description.shape =>
        {
            image.packed_bytes(ByteOrder::Big).map(Bytes::from)
        }
        _ => Err(Error::malformed("the data of the HDU is not what its header describes")),
    }
}
