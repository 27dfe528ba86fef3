//! `Columns`: the named columns of a table, independent of how it is stored.

use asdf_core::array::Slice;
use asdf_core::{Datatype, Error, NdArray, Result};
use asdf_schemas::table::Table;

use crate::Column;
use crate::advice::Advice;

/// The columns of a table, all with the same number of rows.
///
/// Cloning does not copy elements.
///
/// # Examples
/// ```
/// use asdf_core::NdArray;
/// use asdf_core::array::Slice;
/// use asdf_tables::{Column, Columns};
///
/// let id = Column::new("id", NdArray::new(&[3], &[1_u32, 2, 3])?);
/// let pair = Column::new("pair", NdArray::new(&[3, 2], &[0.5, 1.5, 2.5, 3.5, 4.5, 5.5])?);
/// let columns = Columns::new(vec![id, pair])?;
/// assert_eq!((columns.rows(), columns.as_slice()[1].cell()), (3, &[2][..]));
///
/// let first = columns.slice(Slice::Range { start: None, end: Some(1), step: 1 })?;
/// assert_eq!(first.as_slice()[1].array.read::<f64>()?, [0.5, 1.5]);
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[doc(alias = "DataFrame")]
#[doc(alias = "QTable")]
#[derive(Debug, Clone)]
pub struct Columns {
    list: Vec<Column>,
    rows: u64,
    left_out: Vec<LeftOut>,
}

/// A column of a table that [`Columns`] does not support.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct LeftOut {
    /// The name of the column.
    pub name: String,
    /// The kind of its values, or the reason why it is left out.
    pub kind: String,
}

/// The maximum depth of nested records.
const MAX_DEPTH: usize = 8;

impl Columns {
    /// Creates a table from columns.
    ///
    /// A column of records becomes one column for each field, named `column.field`.
    ///
    /// # Errors
    /// [`Mismatch`](asdf_core::error::Kind::Mismatch) if the columns do not have the same number of rows, or an array
    /// has no axes. [`Limit`](asdf_core::error::Kind::Limit) if records nest too deeply.
    pub fn new(columns: Vec<Column>) -> Result<Self> {
        Self::with_left_out(columns, Vec::new())
    }

    pub(crate) fn with_left_out(columns: Vec<Column>, left_out: Vec<LeftOut>) -> Result<Self> {
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

    /// Creates a table from the fields of an array of records, without reading or copying.
    ///
    /// # Errors
    /// The errors of [`new`](Self::new); [`Unsupported`](asdf_core::error::Kind::Unsupported) if a field has no name.
    pub fn from_records(array: &NdArray) -> Result<Self> {
        let mut list = Vec::new();
        fields(array, "", 0, &mut list)?;
        Self::new(list)
    }

    /// Creates a table from the columns of a table of the standard.
    ///
    /// Columns of other types, such as astropy's columns of times, are left out. Use
    /// [`Dataset::from_node`](crate::Dataset::from_node) to get these too.
    ///
    /// # Examples
    /// ```
    /// use asdf_tables::{Columns, Contents, Format, ReadOptions};
    ///
    /// let reading = ReadOptions::new().read(&b"ra,dec\n10.5,-1.5\n"[..], Format::Csv)?;
    /// let Contents::Table { table, .. } = reading.contents else { panic!("CSV is a table") };
    /// let columns = Columns::from_table(&table)?;
    /// assert_eq!(columns.find("dec").unwrap().array.read::<f64>()?, [-1.5]);
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`new`](Self::new).
    pub fn from_table(table: &Table) -> Result<Self> {
        let list = table.known_columns().map(|own| {
            let mut column = Column::new(own.name.get(), own.data.clone());
            column.unit = own.unit.as_ref().map(|unit| unit.get().to_owned()).filter(|unit| !unit.is_empty());
            column.description = own.description.clone().filter(|text| !text.is_empty());
            column
        });
        Self::new(list.collect())
    }

    /// Creates a table with one column. An array without axes becomes a table with one row.
    ///
    /// # Errors
    /// The errors of [`new`](Self::new).
    pub fn from_array(name: &str, array: &NdArray, unit: Option<&str>) -> Result<Self> {
        let array = match array.shape() {
            [] => array.slice(&[Slice::NewAxis])?,
            _ => array.clone(),
        };
        let unit = unit.map(str::to_owned);
        Self::new(vec![Column { unit, ..Column::new(name, array) }])
    }

    /// Returns the columns in order.
    #[must_use]
    pub fn as_slice(&self) -> &[Column] {
        &self.list
    }

    /// Converts the table into its columns.
    #[must_use]
    pub fn into_vec(self) -> Vec<Column> {
        self.list
    }

    /// Returns the number of rows; 0 without columns.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Returns the columns of the table that are not supported and therefore left out.
    #[must_use]
    pub fn left_out(&self) -> &[LeftOut] {
        &self.left_out
    }

    /// Returns the column with this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Column> {
        self.list.iter().find(|column| column.name == name)
    }

    /// Returns the range of rows that slices select. An index selects a table with one row.
    pub(crate) fn rows_of(&self, slices: &[Slice]) -> Result<Slice> {
        match *slices {
            [] => Ok(Slice::ALL),
            [range @ Slice::Range { .. }] => Ok(range),
            [Slice::Index(at)] => {
                let rows = i128::from(self.rows);
                if !(-rows..rows).contains(&i128::from(at)) {
                    return Err(Error::mismatch(format!(
                        "row {at} does not exist: the table has {rows} rows"
                    )));
                }
                Ok(Slice::Range { start: Some(at), end: at.checked_add(1).filter(|&end| end != 0), step: 1 })
            }
            _ => Err(Error::usage("only the rows of a table can be sliced").with_hint(Advice::Rows)),
        }
    }

    /// Selects some of the rows without reading or copying.
    ///
    /// # Errors
    /// The errors of [`NdArray::slice`].
    pub fn slice(&self, range: Slice) -> Result<Self> {
        let mut list = Vec::new();
        for column in &self.list {
            list.push(Column { array: column.array.slice(&[range])?, ..column.clone() });
        }
        Self::with_left_out(list, self.left_out.clone())
    }

    /// Splits the table into pieces of up to `rows` rows, in order, without reading or copying.
    pub fn pieces(&self, rows: u64) -> impl Iterator<Item = Result<Self>> + '_ {
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

    /// Returns the size of a row in bytes, without gaps between its cells.
    ///
    /// # Errors
    /// [`Limit`](asdf_core::error::Kind::Limit) if the size is more than 2^64 bytes.
    pub fn row_size(&self) -> Result<u64> {
        let too_large = || Error::limit("a row of the table is larger than 2^64 bytes");
        self.list.iter().try_fold(0_u64, |sum, column| {
            let cell: u64 =
                column.cell().iter().try_fold(1_u64, |all, &n| all.checked_mul(n)).ok_or_else(too_large)?;
            let size = cell.checked_mul(column.array.datatype().size()?).ok_or_else(too_large)?;
            sum.checked_add(size).ok_or_else(too_large)
        })
    }

    /// Returns the number of rows to read at once: up to 65,536, and about 4 MiB.
    ///
    /// With pieces of this size, memory use does not grow with the table.
    ///
    /// # Errors
    /// The errors of [`row_size`](Self::row_size).
    pub fn rows_at_once(&self) -> Result<u64> {
        const PIECE: u64 = 4 << 20;
        const MOST: u64 = 1 << 16;
        Ok((PIECE / self.row_size()?.max(1)).clamp(1, MOST))
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
    if depth > MAX_DEPTH {
        return Err(Error::limit(format!("the records nest deeper than {MAX_DEPTH} levels")));
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
        let columns = Columns::from_array("a", &array, None).unwrap();
        for (slice, expected) in
            [("1", vec![2_u8]), ("-1", vec![3]), ("::-2", vec![3, 1]), ("", vec![1, 2, 3])]
        {
            let range = columns.rows_of(&Slice::parse(slice).unwrap()).unwrap();
            let part = columns.slice(range).unwrap();
            assert_eq!(part.as_slice()[0].array.read::<u8>().unwrap(), expected, "{slice}");
        }
        for wrong in
            [&[Slice::Index(3)][..], &[Slice::Index(-4)], &[Slice::ALL, Slice::ALL], &[Slice::NewAxis]]
        {
            assert!(columns.rows_of(wrong).is_err(), "{wrong:?}");
        }
        assert_eq!(columns.pieces(2).map(|piece| piece.unwrap().rows()).collect::<Vec<_>>(), [2, 1]);
    }
}
