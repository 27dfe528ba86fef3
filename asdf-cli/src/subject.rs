//! What a place of a tree holds that can be shown or taken out: an array, a table, a FITS file.

use asdf_core::array::{ChunkedArray, Slice};
use asdf_core::tree::NodeRef;
use asdf_core::value::FromNode;
use asdf_core::{Datatype, Error, Kind, NdArray, Result};
use asdf_fits::Fits;
use asdf_schemas::unit::{self, Quantity};
use asdf_schemas::{core, table};

use crate::columns::{Column, Columns};

/// An array, a table or a FITS file.
#[derive(Debug)]
pub(crate) enum Subject {
    Array {
        array: NdArray,
        unit: Option<String>,
    },
    /// Columns; where they are the fields of an array of records, that one too.
    Table {
        columns: Columns,
        records: Option<NdArray>,
    },
    Fits(Fits),
}

impl Subject {
    /// What a node holds.
    pub(crate) fn of(node: NodeRef<'_>) -> Result<Self> {
        if let Some((array, unit)) = array(node)? {
            return Ok(match array.datatype() {
                Datatype::Struct(_) if array.shape().len() == 1 => {
                    Self::Table { columns: Columns::of_records(&array)?, records: Some(array) }
                }
                _ => Self::Array { array, unit },
            });
        }
        let is = |accepts: fn(&str) -> bool| node.tag().is_some_and(accepts);
        if is(Fits::accepts_tag) {
            return Fits::from_node(node).map(Self::Fits);
        }
        if let Some(column) = column(node, None)? {
            return Ok(Self::Array { array: column.array, unit: column.unit });
        }
        match columns(node)? {
            Some(columns) => Ok(Self::Table { columns, records: None }),
            None => node.fail("an array, a table or a FITS file"),
        }
    }

    /// A part of an array, or some rows of a table.
    pub(crate) fn slice(self, slices: &[Slice]) -> Result<Self> {
        Ok(match self {
            subject if slices.is_empty() => subject,
            Self::Array { array, unit } => Self::Array { array: array.slice(slices)?, unit },
            Self::Table { columns, records } => {
                let range = columns.rows_of(slices)?;
                let records = records.map(|records| records.slice(&[range])).transpose()?;
                Self::Table { columns: columns.slice(range)?, records }
            }
            Self::Fits(_) => return Err(Error::usage("a FITS file has no slices")),
        })
    }
}

/// An array, or a quantity that has one, with its unit.
fn array(node: NodeRef<'_>) -> Result<Option<(NdArray, Option<String>)>> {
    let Some(tag) = node.tag() else { return Ok(None) };
    if NdArray::accepts_tag(tag) {
        return Ok(Some((NdArray::from_node(node)?, None)));
    }
    if ChunkedArray::accepts_tag(tag) {
        return Ok(Some((ChunkedArray::from_node(node)?.array()?, None)));
    }
    let found = if Quantity::accepts_tag(tag) {
        let quantity = Quantity::from_node(node)?;
        quantity.array().cloned().map(|array| (array, quantity.unit))
    } else if unit::quantity::v1_1_0::Quantity::accepts_tag(tag) {
        let quantity = unit::quantity::v1_1_0::Quantity::from_node(node)?;
        quantity.array().cloned().map(|array| (array, quantity.unit))
    } else {
        None
    };
    Ok(found.map(|(array, unit)| (array, Some(unit.get().to_owned()).filter(|unit| !unit.is_empty()))))
}

/// A column by itself, or an array that is one by its place.
fn column(node: NodeRef<'_>, name: Option<&str>) -> Result<Option<Column>> {
    let is = |accepts: fn(&str) -> bool| node.tag().is_some_and(accepts);
    macro_rules! named {
        ($column:expr) => {{
            let column = $column;
            Some(Column {
                name: column.name.get().clone(),
                unit: column.unit.map(|unit| unit.get().to_owned()).filter(|unit| !unit.is_empty()),
                description: column.description.filter(|text| !text.is_empty()),
                array: column.data,
            })
        }};
    }
    if is(table::Column::accepts_tag) {
        return Ok(named!(table::Column::from_node(node)?));
    }
    if is(core::Column::accepts_tag) {
        return Ok(named!(core::Column::from_node(node)?));
    }
    let Some(name) = name else { return Ok(None) };
    Ok(array(node)?.map(|(array, unit)| Column { name: name.to_owned(), unit, description: None, array }))
}

/// A table: the standard's, astropy's, whose columns may be arrays with names beside them, or a mapping of
/// arrays that are equally long.
fn columns(node: NodeRef<'_>) -> Result<Option<Columns>> {
    let mut found = Vec::new();
    let mut left_out = Vec::new();
    if let Some(list) = node.get("columns").filter(|list| list.kind() == Kind::Sequence) {
        let names = node.get("colnames");
        for (index, item) in list.items().enumerate() {
            let name = names.and_then(|names| names.item(index)).and_then(NodeRef::as_str);
            let place = |error: Error| error.under(index).under("columns");
            match column(item, name).map_err(place)? {
                Some(column) => found.push(column),
                None => left_out.push(name.map_or_else(|| index.to_string(), str::to_owned)),
            }
        }
    } else {
        for (key, value) in node.entries() {
            let Some(name) = key.text() else { return Ok(None) };
            match array(value).map_err(|error| error.under(name))? {
                Some((array, unit)) if !array.shape().is_empty() => {
                    found.push(Column { name: name.to_owned(), unit, description: None, array });
                }
                _ => return Ok(None),
            }
        }
        let rows = |column: &Column| column.array.shape().first().copied();
        if found.iter().any(|column| Some(rows(column)) != found.first().map(rows)) {
            return Ok(None);
        }
    }
    if found.is_empty() { Ok(None) } else { Columns::of(found, left_out).map(Some) }
}
