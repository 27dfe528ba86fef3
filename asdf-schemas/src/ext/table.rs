//! `Table` and `Column`: columns by name, rows, and what a table has to hold to.

use std::collections::BTreeSet;

use asdf_core::array::{Element, Slice, Value};
use asdf_core::{Error, NdArray, Result, Tagged};

use crate::table::{Column, ColumnName, Table};
use crate::unit::{Quantity, QuantityValue, Unit};

/// Checks before a table is written that its columns have equally many rows.
pub(crate) fn columns_fit(table: &Table) -> Result<()> {
    table.rows().map(drop)
}

impl Column {
    /// A column of an array whose first axis runs over the rows.
    ///
    /// # Errors
    /// [`Mismatch`](asdf_core::error::Kind::Mismatch) when the name has no letter or underscore, which the
    /// schema asks for.
    pub fn from_array(name: &str, data: NdArray) -> Result<Self> {
        Ok(Self::new(ColumnName::new(name)?, data))
    }

    /// The same column with a unit, which is any text.
    ///
    /// # Errors
    /// As [`Unit::new`](crate::unit::Unit::new).
    pub fn with_unit(self, unit: &str) -> Result<Self> {
        Ok(Self { unit: Some(unit.parse()?), ..self })
    }

    /// The number of rows: the length of the first axis, 1 for an array without axes.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.data.shape().first().copied().unwrap_or(1)
    }

    /// The values with their unit, which is empty where the column has none. The array is not copied.
    ///
    /// # Errors
    /// As [`Unit::new`](crate::unit::Unit::new).
    pub fn quantity(&self) -> Result<Quantity> {
        let unit = self.unit.clone().map_or_else(|| Unit::new(""), Ok)?;
        Ok(Quantity::new(QuantityValue::NdArray(self.data.clone()), unit))
    }
}

impl Table {
    /// A table of columns, which have to have different names and equally many rows.
    ///
    /// ```
    /// use asdf_core::NdArray;
    /// use asdf_schemas::table::{Column, Table};
    ///
    /// let id = Column::from_array("id", NdArray::new(&[3], &[1_u32, 2, 3])?)?;
    /// let flux = Column::from_array("flux", NdArray::new(&[3], &[1.5_f32, 2.5, 0.5])?)?.with_unit("mJy")?;
    /// let table = Table::from_columns([id, flux])?;
    ///
    /// assert_eq!((table.names(), table.rows()?), (vec!["id", "flux"], 3));
    /// assert_eq!(table.read::<f32>("flux")?, [1.5, 2.5, 0.5]);
    /// assert_eq!(table.column("flux")?.quantity()?.numbers_in("Jy")?[1], 0.0025);
    ///
    /// let error = table.column("fluxes").unwrap_err();
    /// assert_eq!(error.to_string(), "there is no column 'fluxes'\n  hint: the columns are id, flux");
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`check`](Self::check).
    pub fn from_columns(columns: impl IntoIterator<Item = Column>) -> Result<Self> {
        let table = Self::new(columns.into_iter().map(Tagged::Known).collect());
        table.check()?;
        Ok(table)
    }

    /// The columns whose type is the standard's, in their order. Others, such as a column of times that
    /// astropy stored by its own tag, are in the field `columns`.
    pub fn known_columns(&self) -> impl Iterator<Item = &Column> {
        self.columns.iter().filter_map(Tagged::known)
    }

    /// The names of the columns, in their order.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        self.known_columns().map(|column| column.name.get().as_str()).collect()
    }

    /// A column by its name.
    ///
    /// # Errors
    /// [`Mismatch`](asdf_core::error::Kind::Mismatch) when there is none.
    pub fn column(&self, name: &str) -> Result<&Column> {
        self.known_columns().find(|column| column.name.get() == name).ok_or_else(|| {
            let names = self.names();
            let names: Vec<_> = names.into_iter().take(50).collect();
            let error = Error::mismatch(format!("there is no column '{}'", name.escape_debug()));
            error.with_hint(format!("the columns are {}", names.join(", ")))
        })
    }

    /// The array of a column; the first axis runs over the rows. Nothing is read yet.
    ///
    /// # Errors
    /// [`Mismatch`](asdf_core::error::Kind::Mismatch) when there is no such column.
    pub fn array(&self, name: &str) -> Result<&NdArray> {
        self.column(name).map(|column| &column.data)
    }

    /// The elements of a column in C order, copied and converted as by [`NdArray::read`].
    ///
    /// # Errors
    /// When there is no such column, or it does not hold such numbers or cannot be read.
    pub fn read<T: Element>(&self, name: &str) -> Result<Vec<T>> {
        self.array(name)?.read::<T>().map_err(|error| self.in_column(name, "data", error))
    }

    /// The number of rows that all columns have; 0 for a table without columns.
    ///
    /// # Errors
    /// [`Mismatch`](asdf_core::error::Kind::Mismatch) when the columns have different numbers of rows.
    pub fn rows(&self) -> Result<u64> {
        let Some(first) = self.known_columns().next() else { return Ok(0) };
        match self.known_columns().find(|column| column.rows() != first.rows()) {
            None => Ok(first.rows()),
            Some(other) => Err(self.in_column(
                other.name.get(),
                "data",
                Error::mismatch(format!(
                    "the column '{}' has {} rows, but '{}' has {}",
                    other.name.get().escape_debug(),
                    other.rows(),
                    first.name.get().escape_debug(),
                    first.rows()
                )),
            )),
        }
    }

    /// One row: the elements of each column in it, in the columns' order. A cell that is an array itself
    /// is a [`Value::List`] of its elements in C order.
    ///
    /// # Errors
    /// [`Mismatch`](asdf_core::error::Kind::Mismatch) when there is no such row; also when a column cannot be
    /// read.
    pub fn row(&self, index: u64) -> Result<Vec<Value>> {
        let rows = self.rows()?;
        let at = i64::try_from(index).ok().filter(|_| index < rows);
        let Some(at) = at else {
            return Err(Error::mismatch(format!("there is no row {index}: the table has {rows}")));
        };
        self.known_columns()
            .map(|column| {
                let whole = column.data.shape().is_empty();
                let slice = if whole { Slice::Ellipsis } else { Slice::Index(at) };
                let cell = column.data.slice(&[slice]).and_then(|cell| {
                    let mut values = cell.elements()?;
                    Ok(match values.next() {
                        Some(value) if cell.shape().is_empty() => value,
                        first => Value::List(first.into_iter().chain(values).collect()),
                    })
                });
                cell.map_err(|error| self.in_column(column.name.get(), "data", error))
            })
            .collect()
    }

    /// Checks what the schema cannot say: no two columns have the same name, and all have equally many
    /// rows.
    ///
    /// # Errors
    /// [`Mismatch`](asdf_core::error::Kind::Mismatch) that names the columns.
    pub fn check(&self) -> Result<()> {
        let mut met = BTreeSet::new();
        for name in self.names() {
            if !met.insert(name) {
                return Err(Error::mismatch(format!("two columns are called '{}'", name.escape_debug())));
            }
        }
        self.rows().map(|_| ())
    }

    /// Places an error below the column's place in the table.
    fn in_column(&self, name: &str, property: &str, error: Error) -> Error {
        let is_it = |column: &Column| column.name.get() == name;
        match self.columns.iter().position(|column| column.known().is_some_and(is_it)) {
            Some(index) => error.under(property).under(index).under("columns"),
            None => error,
        }
    }
}
