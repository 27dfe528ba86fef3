//! `Advice`: what a hint of this crate asks for.

use asdf_core::Error;
use asdf_core::error::Hint;

/// What a hint of this crate asks for, so that a front end can name its own option instead.
///
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
    /// Select rows by one slice.
    Rows,
    /// Select one or two axes of an array.
    Axes,
    /// Give a number for missing elements.
    Fill,
    /// Give another number for missing elements.
    OtherFill,
    /// Say what is between the values of a row.
    Delimiter,
    /// Read the file as lines of JSON.
    JsonLines,
    /// Look which arrays and tables the file has.
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

    /// Returns what the hint of an error asks for; `None` if the error has no hint of this crate.
    #[must_use]
    pub fn from_error(error: &Error) -> Option<Self> {
        error.hint().and_then(Self::from_hint)
    }

    /// Returns what a hint asks for; `None` if it is not one of this crate.
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

    /// The hint in the words of the library.
    fn text(self) -> &'static str {
        match self {
            Self::Rows => "pass one slice, as in 0:100",
            Self::Axes => "take one or two axes, as in the slices 0, :, :",
            Self::Fill => {
                "choose one that is not in the data, with `WriteOptions::fill`; csv, parquet and arrow keep masked values"
            }
            Self::OtherFill => "give another number to `WriteOptions::fill`",
            Self::Delimiter => "`ReadOptions::delimiter` says what is between them",
            Self::JsonLines => "read it as `Format::JsonLines` if each line is a row",
            Self::Contents => "`Tree::search` finds what is in it",
            Self::Aliases => "write smaller parts of the tree",
            Self::Arrow => "build asdf-tables with the feature `arrow`",
            Self::Hdf5 => "build asdf-tables with the feature `hdf5`",
            Self::Parquet => "build asdf-tables with the feature `parquet`",
            Self::VoTable => "build asdf-tables with the feature `votable`",
        }
    }
}

impl From<Advice> for Hint {
    fn from(advice: Advice) -> Self {
        Self::Named { name: advice.name(), text: advice.text().into() }
    }
}
