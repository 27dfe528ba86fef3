//! Reads FITS files, as a whole or as arrays and tables.

use std::collections::BTreeSet;

use asdf_core::source::Bytes;
use asdf_core::tree::{NodeId, Tree};
use asdf_core::{Error, Result, ToNode};
use asdf_fits::{Card, Data, Fits, Hdu, ReadOptions, Reading, Selector};
use asdf_schemas::table;

/// Reads the selected units. Missing integers are masked if the file is read as arrays.
pub(super) fn read(bytes: Bytes, masks: bool, selected: Vec<Selector>) -> Result<Reading> {
    ReadOptions::new().masks(masks).select(selected).read(bytes)
}

/// Returns all units that were read, after an empty primary unit if theirs was not selected.
pub(super) fn whole(reading: &Reading) -> Fits {
    let mut fits = reading.fits.clone();
    if reading.numbers.first() != Some(&0) {
        let cards = [
            Card::new("SIMPLE", true, "conforms to FITS standard"),
            Card::new("BITPIX", 8_i64, "array data type"),
            Card::new("NAXIS", 0_i64, "number of array dimensions"),
            Card::new("EXTEND", true, ""),
        ];
        fits.hdus.insert(0, Hdu::new(cards.into()));
    }
    fits
}

/// Returns the data of the units that have any, by name.
pub(super) fn arrays(reading: &mut Reading) -> Result<Vec<(String, Data)>> {
    let mut taken = BTreeSet::new();
    let mut units = Vec::new();
    for (hdu, number) in reading.fits.hdus.iter().zip(&reading.numbers) {
        let Some(data) = &hdu.data else { continue };
        let plain = match (hdu.name(), number) {
            (Some(name), _) => name.to_owned(),
            (_, 0) => "PRIMARY".to_owned(),
            _ => format!("HDU{number}"),
        };
        // Units can share a name, such as the SCI of each detector.
        let mut name = plain.clone();
        if taken.contains(&name) {
            name = format!("{plain}_{}", hdu.version());
        }
        while !taken.insert(name.clone()) {
            name.push_str(&format!("_{number}"));
        }
        units.push((name, data.clone()));
    }
    if units.is_empty() {
        let problem = std::mem::take(&mut reading.problems).into_iter().next();
        return Err(problem.unwrap_or_else(|| Error::mismatch("the file has only headers and no data")));
    }
    Ok(units)
}

/// Adds the data of a unit to a tree.
pub(super) fn add(data: &Data, tree: &mut Tree) -> Result<NodeId> {
    match data {
        Data::Table(own) => match standard(own) {
            Ok(table) => table.to_node(tree),
            // Only astropy's tables allow such names.
            Err(_) => own.to_node(tree),
        },
        other => other.to_node(tree),
    }
}

/// Converts a table to one of the standard.
fn standard(table: &asdf_fits::Table) -> Result<table::Table> {
    let mut columns = Vec::new();
    for column in &table.columns {
        let own = table::Column::from_array(&column.name, column.data.clone())?;
        columns.push(match &column.unit {
            Some(unit) => own.with_unit(unit)?,
            None => own,
        });
    }
    table::Table::from_columns(columns)
}
