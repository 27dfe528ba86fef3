//! FITS files of arrays, tables and keywords.

use std::io::Write;

use asdf_core::tree::{NodeRef, Path};
use asdf_core::value::Number;
use asdf_core::{BigInt, ByteOrder, Datatype, Error, NdArray, Result};
use asdf_fits::{Card, Column, Data, Fits, Hdu, Table, WriteOptions, cards_of};

use crate::columns::Columns;
use crate::gaps::{Fill, filled};
use crate::subject::Subject;

/// How to write FITS files.
#[derive(Debug, Default, clap::Args)]
pub(super) struct FitsArgs {
    /// Write these members of the mapping at PATH as the units of a FITS file, as in data,err,dq
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(super) hdus: Vec<String>,

    /// Write the scalars of this mapping as keywords of the FITS file; with --hdus, `meta` if it exists
    #[arg(long, value_name = "PATH")]
    pub(super) meta: Option<String>,

    /// Write DATASUM and CHECKSUM into the FITS file
    #[arg(long)]
    pub(super) checksum: bool,
}

impl FitsArgs {
    /// Whether anything here was given.
    pub(super) fn is_given(&self) -> bool {
        !self.hdus.is_empty() || self.meta.is_some() || self.checksum
    }

    fn options(&self, fill: Option<Fill>) -> WriteOptions {
        let fill = fill.map(|fill| match fill {
            Fill::Int(number) => Number::Int(BigInt::from(number)),
            Fill::Float(number) => Number::Float(number),
        });
        WriteOptions::default().fill(fill).checksums(self.checksum)
    }

    /// An array as the primary image, a table after a primary unit without data, or a FITS file of the tree.
    pub(super) fn one(
        &self,
        subject: &Subject,
        meta: Option<NodeRef<'_>>,
        fill: Option<Fill>,
        out: &mut dyn Write,
    ) -> Result<()> {
        if let Subject::Fits(fits) = subject {
            return self.options(fill).write(fits, out);
        }
        let cards = meta.map(cards_of).unwrap_or_default();
        let hdu = unit(subject, fill)?;
        let hdus = match hdu.data {
            Some(Data::Image(_)) => {
                let mut hdu = hdu;
                hdu.header.extend(cards);
                vec![hdu]
            }
            _ => vec![Hdu::new(cards), hdu],
        };
        let written = self.options(fill).write(&Fits::new(hdus), out);
        written.map_err(|error| error.map_path(|path| place(path, |_| Some((Path::root(), subject)))))
    }

    /// A primary unit of keywords, and a unit for each of several values.
    pub(super) fn several(
        &self,
        subjects: &[(String, Subject)],
        meta: Option<NodeRef<'_>>,
        fill: Option<Fill>,
        out: &mut dyn Write,
    ) -> Result<()> {
        let mut hdus = vec![Hdu::new(meta.map(cards_of).unwrap_or_default())];
        for (name, subject) in subjects {
            let mut hdu = unit(subject, fill).map_err(|error| error.under(name))?;
            hdu.header.insert(0, Card::new("EXTNAME", name.to_uppercase(), ""));
            hdus.push(hdu);
        }
        let written = self.options(fill).write(&Fits::new(hdus), out);
        let of_unit = |index: usize| {
            let (name, subject) = subjects.get(index.checked_sub(1)?)?;
            let mut place = Path::root();
            place.push(name);
            Some((place, subject))
        };
        written.map_err(|error| error.map_path(|path| place(path, of_unit)))
    }
}

/// The place of a value in the tree by its path in the FITS file, which is `/UNIT/data` or `/UNIT/data/columns/INDEX`.
fn place<'s>(path: &str, of_unit: impl Fn(usize) -> Option<(Path, &'s Subject)>) -> String {
    let mut steps = path.split('/').skip(1);
    let unit = steps.next().and_then(|step| of_unit(step.parse().ok()?));
    let Some((mut place, subject)) = unit else { return path.to_owned() };
    let steps: Vec<&str> = steps.collect();
    if let (Subject::Table { columns, .. }, ["data", "columns", index, ..]) = (subject, steps.as_slice()) {
        let column = index.parse::<usize>().ok().and_then(|index| columns.list.get(index));
        column.inspect(|column| place.push(&column.name));
    }
    place.to_string()
}

fn unit(subject: &Subject, fill: Option<Fill>) -> Result<Hdu> {
    match subject {
        Subject::Array { array, unit, .. } => {
            let header = match unit {
                Some(unit) => vec![Card::new("BUNIT", unit.as_str(), "unit of the values")],
                None => Vec::new(),
            };
            let array = fitting(array, fill)?;
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
            Ok(Hdu::new(header).with_data(Data::Image(array)))
        }
        Subject::Table { columns, .. } => {
            let table = table(columns, fill)?;
            Ok(Hdu::new(Vec::new()).with_data(Data::Table(table)))
        }
        Subject::Fits(_) => Err(Error::usage("a FITS file cannot be a unit of another")),
    }
}

fn table(columns: &Columns, fill: Option<Fill>) -> Result<Table> {
    let mut list = Vec::new();
    for column in &columns.list {
        let data = fitting(&column.array, fill).map_err(|error| error.under(&column.name))?;
        list.push(Column { name: column.name.clone(), unit: column.unit.clone(), data });
    }
    Table::new(list)
}

/// The array in the nearest datatype of FITS that has all of its numbers. Missing integers stay missing.
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
