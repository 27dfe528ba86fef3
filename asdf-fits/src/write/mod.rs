//! Writes FITS files.

mod checksum;
mod column;
mod gaps;
mod header;

use std::io::Write;

use asdf_core::array::{ByteOrder, Slice};
use asdf_core::source::Bytes;
use asdf_core::value::Number;
use asdf_core::{Error, NdArray, Result};

use crate::fits::Fits;
use crate::hdu::{Data, Hdu};
use crate::read::{self, BLOCK};
use crate::table::Table;
use column::Form;
use header::Made;

/// The number of bytes of data that are encoded at once.
const AT_ONCE: u64 = 8 << 20;

impl Fits {
    /// Encodes the units as the bytes of a FITS file.
    ///
    /// Cards that describe the data, such as `NAXISn` and `TFORMn`, are made from the data. All other cards are
    /// written unchanged.
    ///
    /// # Examples
    /// ```
    /// use asdf_core::NdArray;
    /// use asdf_fits::{Card, Data, Fits, Hdu};
    ///
    /// let image = NdArray::new(&[2, 3], &[1_u16, 2, 3, 4, 5, 60_000])?;
    /// let hdu = Hdu::new(vec![Card::new("OBJECT", "M31", "target")]).with_data(Data::Image(image));
    /// let bytes = Fits::new(vec![hdu]).to_bytes()?;
    /// assert_eq!(bytes.len(), 2 * 2880);
    ///
    /// let fits = Fits::from_bytes(bytes)?;
    /// let primary = fits.primary().unwrap();
    /// assert_eq!(primary.value("OBJECT").and_then(|value| value.as_str()), Some("M31"));
    /// assert_eq!(primary.value("BZERO").and_then(|value| value.as_i64()), Some(32_768));
    /// assert_eq!(primary.image().unwrap().read::<u16>()?, [1, 2, 3, 4, 5, 60_000]);
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Unsupported`](asdf_core::error::Kind::Unsupported) for data that FITS cannot store;
    /// [`Mismatch`](asdf_core::error::Kind::Mismatch) for cards that FITS cannot hold; also if an array cannot be
    /// read. The path of the error leads to the unit.
    #[doc(alias = "writeto")]
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.write_to(&mut bytes)?;
        Ok(bytes)
    }

    /// Writes the units as a FITS file, some rows at a time.
    ///
    /// # Errors
    /// The errors of [`to_bytes`](Self::to_bytes), and if the bytes cannot be written. Some bytes can have been
    /// written before an error.
    #[doc(alias = "writeto")]
    pub fn write_to(&self, out: &mut dyn Write) -> Result<()> {
        WriteOptions::new().write(self, out)
    }
}

/// Options for writing FITS files.
///
/// # Examples
/// ```
/// use asdf_fits::{Card, Fits, Hdu, WriteOptions};
///
/// let fits = Fits::new(vec![Hdu::new(vec![Card::new("OBJECT", "M31", "")])]);
/// let mut bytes = Vec::new();
/// WriteOptions::new().checksums(true).write(&fits, &mut bytes)?;
/// assert!(Fits::from_bytes(bytes)?.hdus[0].value("CHECKSUM").is_some());
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct WriteOptions {
    fill: Option<Number>,
    checksums: bool,
}

impl WriteOptions {
    /// Creates the default options: no number for missing integers, and no new checksums.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the number that is stored for missing integers.
    ///
    /// It is also written as `BLANK` or `TNULLn`, so that readers recognize it. `None`, the default, uses the
    /// number in the header or the mask.
    #[must_use]
    pub fn fill(mut self, fill: Option<Number>) -> Self {
        self.fill = fill;
        self
    }

    /// Sets whether `DATASUM` and `CHECKSUM` are computed for every unit (default: false).
    #[must_use]
    pub fn checksums(mut self, checksums: bool) -> Self {
        self.checksums = checksums;
        self
    }

    /// Writes a FITS file.
    ///
    /// # Errors
    /// The errors of [`Fits::to_bytes`], and if the bytes cannot be written. Some bytes can have been written
    /// before an error.
    pub fn write(&self, fits: &Fits, out: &mut dyn Write) -> Result<()> {
        if fits.hdus.is_empty() || fits.primary().is_some_and(|hdu| hdu.table().is_some()) {
            return Err(Error::mismatch("the first HDU of a FITS file must be an image or have no data"));
        }
        for (index, hdu) in fits.hdus.iter().enumerate() {
            self.unit(hdu, index == 0, out).map_err(|error| error.under(index))?;
        }
        Ok(())
    }

    fn unit(&self, hdu: &Hdu, primary: bool, out: &mut dyn Write) -> Result<()> {
        if let Some(mut bytes) = unchanged(hdu, primary)? {
            if self.checksums {
                bytes = checksum::renewed(&bytes)?.into();
            }
            put(&bytes, out)?;
            return fill(bytes.len(), 0, out);
        }
        let mut made = Made::new(hdu);
        match &hdu.data {
            None => {
                made.begin(primary, "IMAGE", None, &[])?;
                made.keep_scale();
                self.finish(made, &mut |_| Ok(()), out)
            }
            Some(Data::Image(image)) => {
                let (form, image) =
                    self.image(hdu, image, &mut made, primary).map_err(|error| error.under("data"))?;
                self.finish(
                    made,
                    &mut |out| pixels(&image, &form, out).map_err(|error| error.under("data")),
                    out,
                )
            }
            Some(Data::Table(table)) => {
                let (forms, table) =
                    self.table(hdu, table, &mut made).map_err(|error| error.under("data"))?;
                self.finish(
                    made,
                    &mut |out| rows(&table, &forms, out).map_err(|error| error.under("data")),
                    out,
                )
            }
        }
    }

    /// Writes header and data, with checksums if the options ask for them.
    fn finish(
        &self,
        mut made: Made<'_>,
        data: &mut dyn FnMut(&mut dyn Write) -> Result<()>,
        out: &mut dyn Write,
    ) -> Result<()> {
        if self.checksums {
            let mut sum = checksum::Sum::default();
            data(&mut sum)?;
            made.checksums(&sum)?;
        }
        put(&made.bytes()?, out)?;
        data(out)
    }

    /// Adds the cards of an image, and returns the elements to write.
    fn image(
        &self,
        hdu: &Hdu,
        image: &NdArray,
        made: &mut Made<'_>,
        primary: bool,
    ) -> Result<(Form, NdArray)> {
        if let Some(stored) = column::unscaled_image(hdu, image)? {
            let form = Form::of(stored.datatype())?;
            made.begin(primary, "IMAGE", Some(form.bits), stored.shape())?;
            made.keep_scale();
            return Ok((form, stored));
        }
        let form = Form::of(image.datatype())?;
        if form.bits == 0 || image.shape().is_empty() {
            return Err(Error::unsupported(format!(
                "FITS does not support an image of {} with the shape {:?}",
                image.datatype(),
                image.shape()
            )));
        }
        let (image, null) = gaps::filled(image, hdu.value("BLANK"), self.fill.as_ref(), &form)?;
        made.begin(primary, "IMAGE", Some(form.bits), image.shape())?;
        made.scale(&form, "BSCALE", "BZERO");
        made.null("BLANK", null);
        Ok((form, image))
    }

    /// Adds the cards of a table, and returns the columns to write.
    fn table(&self, hdu: &Hdu, table: &Table, made: &mut Made<'_>) -> Result<(Vec<Form>, Table)> {
        let mut forms = Vec::new();
        let mut columns = Vec::new();
        let mut nulls = Vec::new();
        for (index, column) in table.columns.iter().enumerate() {
            let number = index + 1;
            let place = |error: Error| error.under(index).under("columns");
            let (form, data, null) = match column::unscaled(hdu, number, &column.data).map_err(place)? {
                Some(data) => (Form::of(data.datatype()).map_err(place)?.scaled(), data, None),
                None => {
                    let form = Form::of(column.data.datatype()).map_err(place)?;
                    let own = hdu.value(&format!("TNULL{number}"));
                    let (data, null) =
                        gaps::filled(&column.data, own, self.fill.as_ref(), &form).map_err(place)?;
                    (form, data, null)
                }
            };
            forms.push(form);
            nulls.push(null);
            columns.push(crate::table::Column { data, ..column.clone() });
        }
        let table = Table::new(columns)?;
        made.table(&table, &forms, &nulls)?;
        Ok((forms, table))
    }
}

/// Returns the bytes that a unit was read from; `None` if its header or data was changed since.
fn unchanged(hdu: &Hdu, primary: bool) -> Result<Option<Bytes>> {
    let Some(stored) = &hdu.stored else { return Ok(None) };
    let bytes = stored.bytes()?;
    if bytes.starts_with(b"SIMPLE") != primary {
        return Ok(None);
    }
    let Ok(read) = read::unit(&bytes) else { return Ok(None) };
    let same = read.header.iter().map(comparable).eq(hdu.header.iter().map(comparable))
        && same_data(read.data.as_ref(), hdu.data.as_ref())?;
    Ok(same.then_some(bytes))
}

/// Returns a card as it would read back from a tree, for comparison.
fn comparable(card: &crate::Card) -> crate::Card {
    use crate::CardValue;
    let value = match &card.value {
        Some(CardValue::Number(number)) => Some(CardValue::Number(Number::Float(number.to_f64()))),
        // In a commentary card, an empty text and no value are the same.
        Some(CardValue::Text(text)) if text.is_empty() && card.is_commentary() => None,
        other => other.clone(),
    };
    crate::Card { value, ..card.clone() }
}

fn same_data(one: Option<&Data>, other: Option<&Data>) -> Result<bool> {
    match (one, other) {
        (None, None) => Ok(true),
        (Some(Data::Image(one)), Some(Data::Image(other))) => same(one, other),
        (Some(Data::Table(one)), Some(Data::Table(other))) => {
            if one.columns.len() != other.columns.len() {
                return Ok(false);
            }
            for (one, other) in one.columns.iter().zip(&other.columns) {
                if one.name != other.name || !same(&one.data, &other.data)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        _ => Ok(false),
    }
}

fn same(one: &NdArray, other: &NdArray) -> Result<bool> {
    Ok(one.datatype() == other.datatype()
        && one.shape() == other.shape()
        && one.packed_bytes(ByteOrder::Big)? == other.packed_bytes(ByteOrder::Big)?
        && one.missing()? == other.missing()?)
}

/// Writes the elements of an image, some rows at a time.
fn pixels(image: &NdArray, form: &Form, out: &mut dyn Write) -> Result<()> {
    if image.is_empty() {
        return Ok(());
    }
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

/// Writes the rows of a table one after the other.
fn rows(table: &Table, forms: &[Form], out: &mut dyn Write) -> Result<()> {
    let rows = table.rows()?;
    let width = table.columns.iter().zip(forms).map(|(column, form)| form.width_of(column)).sum::<u64>();
    let step = (AT_ONCE / width.max(1)).max(1);
    let mut size = 0;
    let mut start = 0;
    while start < rows {
        let end = start.saturating_add(step).min(rows);
        let index = |at: u64| i64::try_from(at).ok();
        let range = Slice::Range { start: index(start), end: index(end), step: 1 };
        let mut cells = Vec::with_capacity(forms.len());
        for (number, (column, form)) in table.columns.iter().zip(forms).enumerate() {
            let piece = match column.data.shape() {
                // A column without axes has one row and is not sliced.
                [] => Ok(column.data.clone()),
                _ => column.data.slice(&[range]),
            };
            let bytes = piece.and_then(|piece| form.bytes(&piece));
            cells.push(bytes.map_err(|error| error.under(number).under("columns"))?);
        }
        let count =
            usize::try_from(end - start).map_err(|_| Error::limit("the rows do not fit in memory"))?;
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

/// Pads `size` bytes to whole blocks.
fn fill(size: usize, with: u8, out: &mut dyn Write) -> Result<()> {
    put(&vec![with; size.next_multiple_of(BLOCK) - size], out)
}
