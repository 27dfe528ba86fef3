//! A table as columns by name, however it is stored.

use std::collections::BTreeMap;

use asdf_core::array::Slice;
use asdf_core::tree::NodeRef;
use asdf_core::value::nearest;
use asdf_core::{Datatype, Error, NdArray, Result};
use asdf_schemas::Component;

use crate::subject::Subject;

/// The values of one thing for every row.
#[derive(Debug, Clone)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) unit: Option<String>,
    pub(crate) description: Option<String>,
    /// What else is said of the values, such as `frame` or `scale`.
    pub(crate) metadata: BTreeMap<String, String>,
    /// The first axis runs over the rows; further ones make each cell an array. No records.
    pub(crate) array: NdArray,
}

/// Columns of equally many rows.
#[derive(Debug, Clone)]
pub(crate) struct Columns {
    pub(crate) list: Vec<Column>,
    pub(crate) rows: u64,
    /// The columns whose values are not arrays of a known kind.
    pub(crate) left_out: Vec<LeftOut>,
}

/// A column that is not among the others.
#[derive(Debug, Clone)]
pub(crate) struct LeftOut {
    pub(crate) name: String,
    /// What its values are, or why it is left out.
    pub(crate) kind: String,
}

/// Records nest at most this deep.
const DEEPEST: usize = 8;

impl Columns {
    /// The columns of a table; those of records become a column for each field.
    pub(crate) fn of(columns: Vec<Column>, left_out: Vec<LeftOut>) -> Result<Self> {
        let mut list = Vec::new();
        for column in columns {
            flatten(column, 0, &mut list)?;
        }
        let mut rows = None;
        for column in &list {
            let own = column.array.shape().first().copied().ok_or_else(|| {
                Error::mismatch(format!("the column '{}' is a single value", column.name.escape_debug()))
            })?;
            if let Some(rows) = rows.filter(|rows| *rows != own) {
                return Err(Error::mismatch(format!(
                    "the column '{}' has {own} rows, but '{}' has {rows}",
                    column.name.escape_debug(),
                    list.first().map(|first| first.name.escape_debug().to_string()).unwrap_or_default()
                )));
            }
            rows = Some(own);
        }
        Ok(Self { list, rows: rows.unwrap_or(0), left_out })
    }

    /// The fields of an array of records.
    pub(crate) fn of_records(array: &NdArray) -> Result<Self> {
        let mut list = Vec::new();
        fields(array, "", 0, &mut list)?;
        Self::of(list, Vec::new())
    }

    /// An array as a table of one column.
    pub(crate) fn of_array(name: &str, array: &NdArray, unit: Option<&str>) -> Result<Self> {
        let array = match array.shape() {
            [] => array.slice(&[Slice::NewAxis])?,
            _ => array.clone(),
        };
        let unit = unit.map(str::to_owned);
        Self::of(vec![Column { unit, ..Column::new(name, array) }], Vec::new())
    }

    /// The column of a name as an array, or those whose names begin with it and a dot as a table.
    pub(crate) fn select(&self, name: &str) -> Result<Subject> {
        if let Some(column) = self.list.iter().find(|column| column.name == name) {
            return Ok(Subject::array(column.clone()));
        }
        let parts: Vec<Column> = self.list.iter().filter(|column| column.is_part_of(name)).cloned().collect();
        if !parts.is_empty() {
            return Ok(Subject::Table { columns: Self::of(parts, Vec::new())?, records: None });
        }
        let shown = name.escape_debug();
        if let Some(left_out) = self.left_out.iter().find(|left_out| left_out.name == name) {
            return Err(Error::unsupported(format!(
                "the column '{shown}' is not an array: {}",
                left_out.kind
            )));
        }
        const MOST: usize = 50;
        let names: Vec<&str> = self.list.iter().map(|column| column.name.as_str()).collect();
        let error = Error::mismatch(format!("the table has no column '{shown}'"));
        Err(match nearest(name, &names) {
            Some(near) => error.with_hint(format!("did you mean '{}'?", near.escape_debug())),
            None => {
                let more = if names.len() > MOST { ", ..." } else { "" };
                let names: Vec<String> =
                    names.iter().take(MOST).map(|name| name.escape_debug().to_string()).collect();
                error.with_hint(format!("the columns are {}{more}", names.join(", ")))
            }
        })
    }

    /// The range of rows that slices mean: one row stays a table.
    pub(crate) fn rows_of(&self, slices: &[Slice]) -> Result<Slice> {
        match *slices {
            [] => Ok(Slice::ALL),
            [range @ Slice::Range { .. }] => Ok(range),
            [Slice::Index(at)] => {
                let rows = i128::from(self.rows);
                if !(-rows..rows).contains(&i128::from(at)) {
                    return Err(Error::mismatch(format!("there is no row {at}: the table has {rows}")));
                }
                Ok(Slice::Range { start: Some(at), end: at.checked_add(1).filter(|&end| end != 0), step: 1 })
            }
            _ => Err(Error::usage("of a table only rows can be sliced").with_hint("as in --slice 0:100")),
        }
    }

    /// Some of the rows.
    pub(crate) fn slice(&self, range: Slice) -> Result<Self> {
        let mut list = Vec::new();
        for column in &self.list {
            list.push(Column { array: column.array.slice(&[range])?, ..column.clone() });
        }
        Self::of(list, self.left_out.clone())
    }

    /// So many rows at a time.
    pub(crate) fn pieces(&self, rows: u64) -> impl Iterator<Item = Result<Self>> + '_ {
        let step = i64::try_from(rows.max(1)).unwrap_or(i64::MAX);
        let all = i64::try_from(self.rows).unwrap_or(i64::MAX);
        let mut start = 0_i64;
        std::iter::from_fn(move || {
            let end = start.saturating_add(step).min(all);
            let range = Slice::Range { start: Some(start), end: Some(end), step: 1 };
            let more = start < all;
            start = end;
            more.then(|| self.slice(range))
        })
    }

    /// The bytes that a row has when its cells stand one behind the other.
    pub(crate) fn row_size(&self) -> Result<u64> {
        let too_large = || Error::limit("a row of the table is larger than 2^64 bytes");
        self.list.iter().try_fold(0_u64, |sum, column| {
            let cell: u64 =
                column.cell().iter().try_fold(1_u64, |all, &n| all.checked_mul(n)).ok_or_else(too_large)?;
            let size = cell.checked_mul(column.array.datatype().size()?).ok_or_else(too_large)?;
            sum.checked_add(size).ok_or_else(too_large)
        })
    }

    /// How many rows to read at once.
    pub(crate) fn rows_at_once(&self) -> Result<u64> {
        const PIECE: u64 = 4 << 20;
        const MOST: u64 = 1 << 16;
        Ok((PIECE / self.row_size()?.max(1)).clamp(1, MOST))
    }
}

impl Column {
    pub(crate) fn new(name: &str, array: NdArray) -> Self {
        Self { name: name.to_owned(), unit: None, description: None, metadata: BTreeMap::new(), array }
    }

    /// One of the arrays of a value.
    pub(crate) fn of(component: Component) -> Self {
        let Component { name, array, unit, description, metadata } = component;
        let unit = unit.map(|unit| unit.get().to_owned()).filter(|unit| !unit.is_empty());
        Self { name, unit, description, metadata, array }
    }

    /// The array that a tagged value consists of; `None` for other values and those of several arrays.
    pub(crate) fn only(node: NodeRef<'_>) -> Option<Self> {
        match <[Component; 1]>::try_from(Component::all_of(node).ok()?) {
            Ok([one]) if one.name.is_empty() => Some(Self::of(one)),
            _ => None,
        }
    }

    /// The same column of a value of this name.
    pub(crate) fn under(self, name: &str) -> Self {
        let name = if self.name.is_empty() { name.to_owned() } else { format!("{name}.{}", self.name) };
        Self { name, ..self }
    }

    fn is_part_of(&self, name: &str) -> bool {
        self.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'))
    }

    /// The shape of one cell.
    pub(crate) fn cell(&self) -> &[u64] {
        self.array.shape().get(1..).unwrap_or_default()
    }
}

fn flatten(column: Column, depth: usize, list: &mut Vec<Column>) -> Result<()> {
    match column.array.datatype() {
        Datatype::Struct(_) => fields(&column.array, &format!("{}.", column.name), depth, list),
        _ => {
            list.push(column);
            Ok(())
        }
    }
}

fn fields(array: &NdArray, before: &str, depth: usize, list: &mut Vec<Column>) -> Result<()> {
    let Datatype::Struct(fields) = array.datatype() else { return Ok(()) };
    if depth > DEEPEST {
        return Err(Error::limit(format!("the records nest deeper than {DEEPEST} levels")));
    }
    for field in fields {
        let Some(name) = &field.name else {
            return Err(Error::unsupported("a field of the records has no name"));
        };
        let name = format!("{before}{name}");
        let own = array.field(field.name.as_deref().unwrap_or_default())?;
        flatten(Column::new(&name, own), depth + 1, list)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_row_stays_a_table() {
        let array = NdArray::new(&[3], &[1_u8, 2, 3]).unwrap();
        let columns = Columns::of_array("a", &array, None).unwrap();
        for (slice, expected) in
            [("1", vec![2_u8]), ("-1", vec![3]), ("::-2", vec![3, 1]), ("", vec![1, 2, 3])]
        {
            let range = columns.rows_of(&Slice::parse(slice).unwrap()).unwrap();
            let part = columns.slice(range).unwrap();
            assert_eq!(part.list[0].array.read::<u8>().unwrap(), expected, "{slice}");
        }
        for wrong in
            [&[Slice::Index(3)][..], &[Slice::Index(-4)], &[Slice::ALL, Slice::ALL], &[Slice::NewAxis]]
        {
            assert!(columns.rows_of(wrong).is_err(), "{wrong:?}");
        }
        assert_eq!(columns.pieces(2).map(|piece| piece.unwrap().rows).collect::<Vec<_>>(), [2, 1]);
    }
}
