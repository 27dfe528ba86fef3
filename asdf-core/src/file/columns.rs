//! The columns of two tables, paired by their names.

use crate::array::NdArray;
use crate::tree::{ArrayDifference, Change, ColumnPair, DifferenceOptions, Kind, NodeRef, Special};
use crate::value::FromNode as _;

/// The keys of a table that are not compared, because its columns are.
const COLUMNS: &[&str] = &["columns", "colnames"];

/// A column: its name, its index and its node.
struct Column<'a> {
    name: &'a str,
    index: usize,
    node: NodeRef<'a>,
}

/// Pairs the columns of two tables; `None` unless both nodes are tables.
pub(super) fn tables<'a>(
    left: NodeRef<'a>,
    right: NodeRef<'a>,
    options: &DifferenceOptions,
) -> Option<Special<'a>> {
    let (lefts, rights) = (columns(left)?, columns(right)?);
    let count = |columns: &[Column<'_>]| columns.iter().find_map(|column| rows(column.node));
    let rows = count(&lefts).zip(count(&rights));
    let mut changes: Vec<ArrayDifference> = Vec::new();
    if let Some((left, right)) = rows.filter(|(left, right)| left != right) {
        changes.push(Change::Rows(left, right).into());
    }
    let find = |columns: &[Column<'a>], name: &str| {
        let column = columns.iter().find(|column| column.name == name)?;
        Some((column.index, column.node))
    };
    let order = |columns: &[Column<'a>], others: &[Column<'a>]| -> Vec<&'a str> {
        columns.iter().map(|column| column.name).filter(|name| find(others, name).is_some()).collect()
    };
    if options.counts_datatypes() && order(&lefts, &rights) != order(&rights, &lefts) {
        changes.push(Change::Order.into());
    }
    let pair = |name: &str| ColumnPair {
        name: name.to_owned(),
        rows,
        left: find(&lefts, name),
        right: find(&rights, name),
    };
    let mut pairs: Vec<ColumnPair<'a>> = lefts.iter().map(|column| pair(column.name)).collect();
    let added = rights.iter().filter(|column| find(&lefts, column.name).is_none());
    pairs.extend(added.map(|column| pair(column.name)));
    Some(Special { changes, done: Some(COLUMNS), columns: pairs })
}

/// The columns of a table: the items of `columns`, with their own names or those in `colnames`.
///
/// `None` unless each column has a name and all names differ.
fn columns(node: NodeRef<'_>) -> Option<Vec<Column<'_>>> {
    let list = node.get("columns").filter(|list| list.kind() == Kind::Sequence)?;
    let names = node.get("colnames");
    if names.is_some_and(|names| names.len() != list.len()) {
        return None;
    }
    let mut met = std::collections::HashSet::new();
    let mut columns = Vec::with_capacity(list.len());
    for (index, node) in list.items().enumerate() {
        let name = names.and_then(|names| names.item(index)).or_else(|| node.get("name"))?.as_str()?;
        if !met.insert(name) {
            return None;
        }
        columns.push(Column { name, index, node });
    }
    Some(columns)
}

/// The number of rows of a column that is an array, or has one as its data or value.
fn rows(column: NodeRef<'_>) -> Option<u64> {
    let data = || column.get("data").into_iter().chain(column.get("value"));
    let array =
        std::iter::once(column).chain(data()).find(|node| node.tag().is_some_and(NdArray::accepts_tag))?;
    // Aliases can lead to one list thousands of times, so its elements are not read. The shape of a streamed array
    // depends on the size of the file.
    let shape = array.get("shape").and_then(|shape| shape.item(0)).filter(|first| first.text() != Some("*"));
    match shape {
        Some(first) => first.as_u64(),
        None => {
            let list = array.get("data").unwrap_or(array);
            match list.kind() {
                Kind::Sequence => Some(list.len() as u64),
                _ => NdArray::from_node(array).ok()?.shape().first().copied(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The differences of two tables as a whole, and the number of their pairs of columns; `None` if one is not a table.
    fn compared(left: &str, right: &str) -> Option<(Vec<ArrayDifference>, usize)> {
        let tree = |text: &str| {
            crate::yaml::parse(&format!("%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n---\n{text}\n...\n")).unwrap()
        };
        let (left, right) = (tree(left), tree(right));
        let special = tables(left.root().unwrap(), right.root().unwrap(), &DifferenceOptions::new())?;
        Some((special.changes, special.columns.len()))
    }

    #[test]
    fn a_table_has_as_many_names_as_columns() {
        let named = "colnames: [a, b]\ncolumns: [{}, {}]";
        assert_eq!(compared(named, named), Some((Vec::new(), 2)));
        for other in [
            "colnames: [a]\ncolumns: [{}, {}]",
            "colnames: [a, a]\ncolumns: [{}, {}]",
            "columns: [{name: a}, {}]",
        ] {
            assert_eq!(compared(named, other), None, "{other}");
        }
        assert_eq!(compared(named, "columns: [{name: b}, {name: c}]"), Some((Vec::new(), 3)));
    }

    #[test]
    fn the_rows_of_a_list_are_its_items_though_they_have_no_datatype() {
        let column = |list: &str| format!("columns: [{{name: a, data: !core/ndarray-1.1.0 {list}}}]");
        let list = column("[1, [2], x]");
        assert_eq!(compared(&list, &list), Some((Vec::new(), 1)));
        let changes = compared(&list, &column("[1, [2]]")).unwrap().0;
        assert_eq!(changes, [Change::Rows(3, 2).into()]);
        let changes = compared(&list, &column("{data: [1, [2]]}")).unwrap().0;
        assert_eq!(changes, [Change::Rows(3, 2).into()]);
    }
}
