//! Writes FITS files of arrays, tables and keywords.

use std::io::Write;

use asdf_core::array::ByteOrder;
use asdf_core::tree::Path;
use asdf_core::value::{BigInt, Number};
use asdf_core::{Datatype, Error, NdArray, Result};
use asdf_fits::{Card, Column, Data, Fits, Hdu, Table};

use super::WriteOptions;
use crate::fill::{Fill, filled};
use crate::{Columns, Dataset};

impl WriteOptions {
    fn for_fits(&self) -> asdf_fits::WriteOptions {
        let fill = self.fill.map(|fill| match fill {
            Fill::Int(number) => Number::Int(BigInt::from(number)),
            Fill::Float(number) => Number::Float(number),
        });
        asdf_fits::WriteOptions::new().fill(fill).checksums(self.checksums)
    }

    /// Writes an array as the primary image, a table after a primary unit without data, or a FITS file of the tree.
    pub(super) fn fits(&self, dataset: &Dataset, out: &mut dyn Write) -> Result<()> {
        if let Dataset::Fits(fits) = dataset {
            return self.for_fits().write(fits, out);
        }
        let cards = self.cards.clone();
        let hdu = self.with_image_cards(unit(dataset, self.fill)?);
        let hdus = match hdu.data {
            Some(Data::Image(_)) => {
                let mut hdu = hdu;
                let is_new = |card: &Card| card.is_commentary() || hdu.card(&card.keyword).is_none();
                let cards: Vec<Card> = cards.into_iter().filter(is_new).collect();
                hdu.header.extend(cards);
                vec![hdu]
            }
            _ => vec![Hdu::new(cards), hdu],
        };
        let written = self.for_fits().write(&Fits::new(hdus), out);
        written.map_err(|error| error.map_path(|path| place(path, |_| Some((Path::root(), dataset)))))
    }

    /// Adds the cards for images of this shape.
    fn with_image_cards(&self, mut hdu: Hdu) -> Hdu {
        let shape = hdu.image().and_then(|image| image.shape().last_chunk::<2>().copied());
        if let Some((_, cards)) = self.image_cards.as_ref().filter(|(of, _)| Some(*of) == shape) {
            hdu.header.extend(cards.iter().cloned());
        }
        hdu
    }

    /// Writes several arrays and tables as one FITS file.
    ///
    /// The primary unit holds only cards. Each array or table is a unit after it, with its name in capitals.
    ///
    /// # Errors
    /// The errors of [`write`](Self::write); the path of the error begins with the name.
    pub fn write_units(&self, units: &[(String, Dataset)], out: &mut dyn Write) -> Result<()> {
        let mut hdus = vec![Hdu::new(self.cards.clone())];
        for (name, dataset) in units {
            let hdu = unit(dataset, self.fill).map_err(|error| error.under(name))?;
            let mut hdu = self.with_image_cards(hdu);
            hdu.header.insert(0, Card::new("EXTNAME", name.to_uppercase(), ""));
            hdus.push(hdu);
        }
        let written = self.for_fits().write(&Fits::new(hdus), out);
        let of_unit = |index: usize| {
            let (name, dataset) = units.get(index.checked_sub(1)?)?;
            let mut place = Path::root();
            place.push(name);
            Some((place, dataset))
        };
        written.map_err(|error| error.map_path(|path| place(path, of_unit)))
    }
}

/// Converts a path in the FITS file, `/UNIT/data` or `/UNIT/data/columns/INDEX`, to the path of the value in the tree.
fn place<'s>(path: &str, of_unit: impl Fn(usize) -> Option<(Path, &'s Dataset)>) -> String {
    let mut steps = path.split('/').skip(1);
    let unit = steps.next().and_then(|step| of_unit(step.parse().ok()?));
    let Some((mut place, dataset)) = unit else { return path.to_owned() };
    let steps: Vec<&str> = steps.collect();
    if let (Dataset::Table { columns, .. }, ["data", "columns", index, ..]) = (dataset, steps.as_slice()) {
        let column = index.parse::<usize>().ok().and_then(|index| columns.as_slice().get(index));
        column.inspect(|column| place.push(&column.name));
    }
    place.to_string()
}

fn unit(dataset: &Dataset, fill: Option<Fill>) -> Result<Hdu> {
    match dataset {
        Dataset::Array { array, unit, .. } => {
            let header = match unit {
                Some(unit) => vec![Card::new("BUNIT", unit.as_str(), "unit of the values")],
                None => Vec::new(),
            };
            let array = fitting(array, fill)?;
            let array = match array.datatype() {
                // FITS images cannot hold booleans.
                Datatype::Bool8 => NdArray::from_bytes(
                    Datatype::Uint8,
                    ByteOrder::Big,
                    array.shape(),
                    array.packed_bytes(ByteOrder::Big)?,
                )?,
                _ => array,
            };
            Ok(Hdu::new(header).with_data(Data::Image(array)))
        }
        Dataset::Table { columns, .. } => {
            let table = table(columns, fill)?;
            Ok(Hdu::new(Vec::new()).with_data(Data::Table(table)))
        }
        Dataset::Fits(_) => Err(Error::usage("cannot write a FITS file as a unit of another")),
    }
}

fn table(columns: &Columns, fill: Option<Fill>) -> Result<Table> {
    let mut list = Vec::new();
    for column in columns.as_slice() {
        let data = fitting(&column.array, fill).map_err(|error| error.under(&column.name))?;
        list.push(Column { name: column.name.clone(), unit: column.unit.clone(), data });
    }
    Table::new(list)
}

/// Converts an array to the nearest FITS datatype that holds all its numbers. Missing integers stay missing.
fn fitting(array: &NdArray, fill: Option<Fill>) -> Result<NdArray> {
    match array.datatype() {
        Datatype::Float16 => {
            let array = filled(array, fill)?;
            NdArray::new(array.shape(), &array.read::<f32>()?)
        }
        Datatype::Complex32 => {
            let array = filled(array, fill)?;
            NdArray::new(array.shape(), &array.read::<num_complex::Complex32>()?)
        }
        Datatype::Bool8 => filled(array, fill),
        _ => Ok(array.clone()),
    }
}
