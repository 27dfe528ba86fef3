//! `Table`: named columns of equal length.

use asdf_core::{Error, NdArray, Result};

/// A table: named columns with the same number of rows.
///
/// # Examples
/// ```
/// use asdf_core::NdArray;
/// use asdf_fits::{Column, Table};
///
/// let flux = Column::new("flux", NdArray::new(&[3], &[1.5_f32, 2.5, 3.5])?).with_unit("Jy");
/// let id = Column::new("id", NdArray::new(&[3], &[1_i32, 2, 3])?);
/// let table = Table::new(vec![id, flux])?;
/// assert_eq!(table.rows()?, 3);
/// assert_eq!(table.column("flux").and_then(|column| column.unit.as_deref()), Some("Jy"));
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[doc(alias = "BinTableHDU")]
#[doc(alias = "FITS_rec")]
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// The columns, in order.
    pub columns: Vec<Column>,
}

/// A column of a table.
#[derive(Debug, Clone)]
pub struct Column {
    /// The name (`TTYPEn`).
    pub name: String,
    /// The unit (`TUNITn`), which can be any text.
    pub unit: Option<String>,
    /// The cells. The first axis is that of the rows.
    pub data: NdArray,
}

impl Column {
    /// Creates a column without a unit.
    #[must_use]
    pub fn new(name: &str, data: NdArray) -> Self {
        Self { name: name.to_owned(), unit: None, data }
    }

    /// Returns the same column with a unit.
    #[must_use]
    pub fn with_unit(self, unit: &str) -> Self {
        Self { unit: Some(unit.to_owned()), ..self }
    }

    /// Returns the number of rows: the length of the first axis, or 1 if the array has no axes.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.data.shape().first().copied().unwrap_or(1)
    }
}

impl Table {
    /// Creates a table from its columns.
    ///
    /// # Errors
    /// [`Mismatch`](asdf_core::error::Kind::Mismatch) if the columns have different numbers of rows.
    pub fn new(columns: Vec<Column>) -> Result<Self> {
        let table = Self { columns };
        table.rows().map(|_| table)
    }

    /// Returns the number of rows; 0 if the table has no columns.
    ///
    /// # Errors
    /// [`Mismatch`](asdf_core::error::Kind::Mismatch) if the columns have different numbers of rows.
    pub fn rows(&self) -> Result<u64> {
        let Some(first) = self.columns.first() else { return Ok(0) };
        match self.columns.iter().find(|column| column.rows() != first.rows()) {
            None => Ok(first.rows()),
            Some(other) => Err(Error::mismatch(format!(
                "column '{}' has {} rows, but '{}' has {}",
                other.name.escape_debug(),
                other.rows(),
                first.name.escape_debug(),
                first.rows()
            ))),
        }
    }

    /// Returns the column with this name.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }
}
