//! The formats that arrays and tables are written in.

use std::path::Path;

use clap::ValueEnum;

/// A format of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A numpy array; tables as records
    Npy,
    /// Only the elements or rows, little-endian, in C order
    Raw,
    /// Comma-separated values
    Csv,
    /// Comma-separated values with astropy's header of datatypes, units and descriptions
    Ecsv,
    /// A JSON array with an object for each row
    Json,
    /// JSON Lines: an object for each row
    Jsonl,
    /// The XML tables of the Virtual Observatory
    #[value(name = "votable")]
    VoTable,
    /// A picture of an image or a line
    Png,
    /// FITS
    Fits,
    /// HDF5, for h5py and astropy
    Hdf5,
    /// Apache Parquet
    Parquet,
    /// Arrow's IPC file format
    Arrow,
}

impl Format {
    /// Returns the format for the extension of a file.
    pub(crate) fn of_ending(path: &Path) -> Option<Self> {
        if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png")) {
            return Some(Self::Png);
        }
        let found = asdf_tables::Format::from_path(path)?;
        Self::value_variants().iter().copied().find(|format| format.of_tables() == Some(found))
    }

    /// Returns the format for tables and arrays; `None` for pictures.
    pub(crate) fn of_tables(self) -> Option<asdf_tables::Format> {
        use asdf_tables::Format;
        Some(match self {
            Self::Npy => Format::Npy,
            Self::Raw => Format::Raw,
            Self::Csv => Format::Csv,
            Self::Ecsv => Format::Ecsv,
            Self::Json => Format::Json,
            Self::Jsonl => Format::JsonLines,
            Self::VoTable => Format::VoTable,
            Self::Png => return None,
            Self::Fits => Format::Fits,
            Self::Hdf5 => Format::Hdf5,
            Self::Parquet => Format::Parquet,
            Self::Arrow => Format::Arrow,
        })
    }

    /// Returns whether the format is binary.
    pub(crate) fn is_binary(self) -> bool {
        self.of_tables().is_none_or(|format| !format.is_text())
    }
}
