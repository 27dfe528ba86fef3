//! The names and units of arrays, from the columns, quantities and coordinates that contain them.

use std::collections::HashMap;

use asdf_core::tree::NodeRef;
use asdf_core::value::FromNode as _;
use asdf_core::{NdArray, Tree};
use asdf_tables::{Column, Columns, Dataset, column_name};

use crate::place;

/// The properties that hold the array of a value.
const ARRAYS: [&str; 3] = ["value", "data", "array"];

/// Finds the names of arrays, and caches tables.
pub(super) struct Names<'t> {
    tree: &'t Tree,
    tables: HashMap<String, Option<Columns>>,
}

/// The name and unit of an array.
pub(super) struct Name {
    /// The path of the array, or of the column or value that contains it.
    pub(super) path: String,
    pub(super) unit: Option<String>,
}

impl<'t> Names<'t> {
    pub(super) fn new(tree: &'t Tree) -> Self {
        Self { tree, tables: HashMap::new() }
    }

    /// Returns the name of the array at a path.
    pub(super) fn of(&mut self, path: &str) -> Name {
        let found = self.of_column(path).or_else(|| self.of_value(path));
        found.unwrap_or_else(|| Name { path: place::shown(path).to_owned(), unit: None })
    }

    /// Returns the name of a column, such as `/cat/ra` for `/cat/columns/1/value`.
    fn of_column(&mut self, path: &str) -> Option<Name> {
        path.rmatch_indices("/columns/").find_map(|(at, between)| {
            let (table, rest) = (path.get(..at)?, path.get(at + between.len()..)?);
            let (index, rest) = rest.split_once('/')?;
            let node = self.tree.find(table)?;
            let column = node.get("columns")?.item(index.parse().ok()?)?;
            let name = column_name(node.get("colnames"), index.parse().ok()?, column);
            let inner = rest.split('/').filter(|step| !ARRAYS.contains(step));
            let name = std::iter::once(name.as_str()).chain(inner).collect::<Vec<_>>().join(".");
            let columns = self.tables.entry(table.to_owned()).or_insert_with(|| columns(node)).as_ref()?;
            let column = columns.as_slice().iter().find(|column| column.name == name)?;
            Some(Name { path: format!("{table}/{name}"), unit: column.unit.clone() })
        })
    }

    /// Returns the name of a value, such as `/flux` for `/flux/value`.
    fn of_value(&self, path: &str) -> Option<Name> {
        let (above, last) = path.rsplit_once('/')?;
        let value = self.tree.find(above).filter(|_| ARRAYS.contains(&last))?;
        let is_value = value.own_tag().is_some_and(|tag| !NdArray::accepts_tag(tag));
        let column = Column::from_node(value).filter(|_| is_value)?;
        Some(Name { path: place::shown(above).to_owned(), unit: column.unit })
    }
}

fn columns(node: NodeRef<'_>) -> Option<Columns> {
    match Dataset::from_node(node) {
        Ok(Dataset::Table { columns, .. }) => Some(columns),
        _ => None,
    }
}
