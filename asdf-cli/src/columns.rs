//! A table as columns by name, however it is stored.

use asdf_core::array::Slice;
use asdf_core::{Datatype, Error, NdArray, Result};

/// The values of one thing for every row.
#[derive(Debug, Clone)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) unit: Option<String>,
    pub(crate) description: Option<String>,
    /// The first axis runs over the rows; further ones make each cell an array. No records.
    pub(crate) array: NdArray,
}

/// Columns of equally many rows.
#[derive(Debug, Clone)]
pub(crate) struct Columns {
    pub(crate) list: Vec<Column>,
    pub(crate) rows: u64,
    /// The names of columns that are no arrays, such as moments in time.
    pub(crate) left_out: Vec<String>,
}

/// Records nest at most this deep.
const DEEPEST: usize = 8;

impl Columns {
    /// The columns of a table; those of records become a column for each field.
    pub(crate) fn of(columns: Vec<Column>, left_out: Vec<String>) -> Result<Self> {
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
        Self::of(vec![Column { name: name.to_owned(), unit, description: None, array }], Vec::new())
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
        flatten(Column { name, unit: None, description: None, array: own }, depth + 1, list)?;
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
