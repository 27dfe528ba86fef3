//! `Advice`: the hints of this crate, as data.

use asdf_core::Error;
use asdf_core::error::Hint;

/// The action that a hint of this crate suggests.
///
/// A front end can use it to word the hint with the name of its own option.
///
/// # Examples
/// ```
/// use asdf_core::NdArray;
/// use asdf_tables::{Advice, Column, Dataset, Format, WriteOptions};
///
/// let cube = Dataset::from_column(Column::new("", NdArray::new(&[1, 1, 1], &[1])?));
/// let error = WriteOptions::new().write(&cube, Format::Csv, &mut Vec::new()).unwrap_err();
/// assert_eq!(Advice::from_error(&error), Some(Advice::Axes));
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Advice {
    /// Select rows with one slice.
    Rows,
    /// Select one or two axes of an array.
    Axes,
    /// Give a number for missing elements.
    Fill,
    /// Give another number for missing elements.
    OtherFill,
    /// Set the delimiter between the values of a row.
    Delimiter,
    /// Read the file as lines of JSON.
    JsonLines,
    /// List the arrays and tables of the file.
    Contents,
    /// Look at the aliases of the tree.
    Aliases,
    /// Build this crate with its feature `arrow`.
    Arrow,
    /// Build this crate with its feature `hdf5`.
    Hdf5,
    /// Build this crate with its feature `parquet`.
    Parquet,
    /// Build this crate with its feature `votable`.
    VoTable,
}

impl Advice {
    const ALL: [Self; 12] = [
        Self::Rows,
        Self::Axes,
        Self::Fill,
        Self::OtherFill,
        Self::Delimiter,
        Self::JsonLines,
        Self::Contents,
        Self::Aliases,
        Self::Arrow,
        Self::Hdf5,
        Self::Parquet,
        Self::VoTable,
    ];

    /// Returns the advice in the hint of an error; `None` if the error has no hint of this crate.
    #[must_use]
    pub fn from_error(error: &Error) -> Option<Self> {
        error.hint().and_then(Self::from_hint)
    }

    /// Returns the advice in a hint; `None` if the hint is not one of this crate.
    #[must_use]
    pub fn from_hint(hint: &Hint) -> Option<Self> {
        let Hint::Named { name, .. } = hint else { return None };
        Self::ALL.into_iter().find(|advice| advice.name() == *name)
    }

    fn name(self) -> &'static str {
        match self {
            Self::Rows => "asdf-tables/rows",
            Self::Axes => "asdf-tables/axes",
            Self::Fill => "asdf-tables/fill",
            Self::OtherFill => "asdf-tables/other-fill",
            Self::Delimiter => "asdf-tables/delimiter",
            Self::JsonLines => "asdf-tables/json-lines",
            Self::Contents => "asdf-tables/contents",
            Self::Aliases => "asdf-tables/aliases",
            Self::Arrow => "asdf-tables/arrow",
            Self::Hdf5 => "asdf-tables/hdf5",
            Self::Parquet => "asdf-tables/parquet",
            Self::VoTable => "asdf-tables/votable",
        }
    }

    /// Returns the hint with the names of this crate's API.
    fn text(self) -> &'static str {
        match self {
            Self::Rows => "pass one slice, such as 0:100",
            Self::Axes => "select one or two axes, as with the slices 0, :, :",
            Self::Fill => {
                "give a number that does not occur in the data to `WriteOptions::fill`, or write csv, parquet or arrow, \
                 which keep masked values"
            }
            Self::OtherFill => "give another number to `WriteOptions::fill`",
            Self::Delimiter => "set the delimiter of the values with `ReadOptions::delimiter`",
            Self::JsonLines => "read it as `Format::JsonLines` if each line is a row",
            Self::Contents => "use `Tree::search` to list its contents",
            Self::Aliases => "write smaller parts of the tree",
            Self::Arrow => "enable the feature `arrow` of asdf-tables",
            Self::Hdf5 => "enable the feature `hdf5` of asdf-tables",
            Self::Parquet => "enable the feature `parquet` of asdf-tables",
            Self::VoTable => "enable the feature `votable` of asdf-tables",
        }
    }
}

impl From<Advice> for Hint {
    fn from(advice: Advice) -> Self {
        Self::Named { name: advice.name(), text: advice.text().into() }
    }
}
