//! `Table` and `Column`: columns by name, rows, and the rules that schemas cannot express.

use std::collections::BTreeSet;

use asdf_core::array::{Element, Slice, Value};
use asdf_core::{Error, NdArray, Result, Tagged};

use crate::table::{Column, ColumnName, Table};
use crate::unit::{Quantity, QuantityValue, Unit};

/// Checks, before a table is written, that its columns have the same number of rows.
pub(crate) fn columns_fit(table: &Table) -> Result<()> {
    table.rows().map(drop)
}

impl Column {
    /// Makes a column from an array whose first axis is the rows.
    ///
    /// # Errors
    /// [`Mismatch`](asdf_core::error::Kind::Mismatch) if the name does not match the pattern of the schema: it needs a letter
    /// or an underscore.
    pub fn from_array(name: &str, data: NdArray) -> Result<Self> {
        Ok(Self::new(ColumnName::new(name)?, data))
    }

    /// Sets the unit, which can be any text.
    ///
    /// # Errors
    /// Fails like [`Unit::new`](crate::unit::Unit::new).
    pub fn with_unit(self, unit: &str) -> Result<Self> {
        Ok(Self { unit: Some(unit.parse()?), ..self })
    }

    /// Returns the number of rows: the length of the first axis, or 1 for an array without axes.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.data.shape().first().copied().unwrap_or(1)
    }

    /// Returns the values with their unit, which is empty if the column has none. The array is not copied.
    ///
    /// # Errors
    /// Fails like [`Unit::new`](crate::unit::Unit::new).
    pub fn quantity(&self) -> Result<Quantity> {
        let unit = self.unit.clone().map_or_else(|| Unit::new(""), Ok)?;
        Ok(Quantity::new(QuantityValue::NdArray(self.data.clone()), unit))
    }
}

impl Table {
    /// Makes a table from columns with different names and the same number of rows.
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
    /// assert_eq!(error.to_string(), "unknown column 'fluxes'\n  hint: use one of id, flux");
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails like [`check`](Self::check).
    pub fn from_columns(columns: impl IntoIterator<Item = Column>) -> Result<Self> {
        let table = Self::new(columns.into_iter().map(Tagged::Known).collect());
        table.check()?;
        Ok(table)
    }

    /// Returns the columns with the standard's tag, in their order.
    ///
    /// Other columns, such as times that astropy stored with its own tag, are in the field `columns`.
    pub fn known_columns(&self) -> impl Iterator<Item = &Column> {
        self.columns.iter().filter_map(Tagged::known)
    }

    /// Returns the names of the columns, in their order.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        self.known_columns().map(|column| column.name.get().as_str()).collect()
    }

    /// Returns the column with a name.
    ///
    /// # Errors
    /// [`Mismatch`](asdf_core::error::Kind::Mismatch) if no column has this name.
    pub fn column(&self, name: &str) -> Result<&Column> {
        self.known_columns().find(|column| column.name.get() == name).ok_or_else(|| {
            let names = self.names();
            let names: Vec<_> = names.into_iter().take(50).collect();
            let error = Error::mismatch(format!("unknown column '{}'", name.escape_debug()));
            error.with_hint(format!("use one of {}", names.join(", ")))
        })
    }

    /// Returns the array of a column, without reading its data. The first axis is the rows.
    ///
    /// # Errors
    /// [`Mismatch`](asdf_core::error::Kind::Mismatch) if no column has this name.
    pub fn array(&self, name: &str) -> Result<&NdArray> {
        self.column(name).map(|column| &column.data)
    }

    /// Reads the elements of a column in C order, copied and converted like [`NdArray::read`].
    ///
    /// # Errors
    /// [`Mismatch`](asdf_core::error::Kind::Mismatch) if no column has this name, and those of [`NdArray::read`].
    pub fn read<T: Element>(&self, name: &str) -> Result<Vec<T>> {
        self.array(name)?.read::<T>().map_err(|error| self.in_column(name, "data", error))
    }

    /// Returns the number of rows, which is 0 for a table without columns.
    ///
    /// # Errors
    /// [`Mismatch`](asdf_core::error::Kind::Mismatch) if the columns have different numbers of rows.
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

    /// Returns one row: its element of each column, in the order of the columns.
    ///
    /// A cell that is an array is a [`Value::List`] of its elements in C order.
    ///
    /// # Errors
    /// [`Mismatch`](asdf_core::error::Kind::Mismatch) if the row does not exist. Also fails if a column cannot be read.
    pub fn row(&self, index: u64) -> Result<Vec<Value>> {
        let rows = self.rows()?;
        let at = i64::try_from(index).ok().filter(|_| index < rows);
        let Some(at) = at else {
            return Err(Error::mismatch(format!("row {index} does not exist: the table has {rows} rows")));
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

    /// Checks that the columns have different names and the same number of rows.
    ///
    /// The schema cannot express these rules.
    ///
    /// # Errors
    /// [`Mismatch`](asdf_core::error::Kind::Mismatch) if they do not. It names the columns.
    pub fn check(&self) -> Result<()> {
        let mut met = BTreeSet::new();
        for name in self.names() {
            if !met.insert(name) {
                return Err(Error::mismatch(format!("duplicate column '{}'", name.escape_debug())));
            }
        }
        self.rows().map(|_| ())
    }

    /// Adds the path of the column to an error.
    fn in_column(&self, name: &str, property: &str, error: Error) -> Error {
        let is_it = |column: &Column| column.name.get() == name;
        match self.columns.iter().position(|column| column.known().is_some_and(is_it)) {
            Some(index) => error.under(property).under(index).under("columns"),
            None => error,
        }
    }
}
