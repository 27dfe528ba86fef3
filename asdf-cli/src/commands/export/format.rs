//! The formats that arrays are written in.

use std::path::Path;

use clap::ValueEnum;

/// A format of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// An array as numpy saves it; tables as records
    Npy,
    /// Elements, or rows, one behind the other: little-endian, in C order
    Raw,
    /// Comma-separated values
    Csv,
    /// Comma-separated values below a header with datatypes, units and descriptions, as astropy has them
    Ecsv,
    /// An array of JSON: an object for each row
    Json,
    /// Lines of JSON: an object for each row
    Jsonl,
    /// The tables of the Virtual Observatory, in XML
    #[value(name = "votable")]
    VoTable,
    /// A picture of an image or a line
    Png,
    /// FITS
    Fits,
    /// HDF5, as h5py and astropy read it
    Hdf5,
    /// Apache Parquet
    Parquet,
    /// A file of Arrow's IPC format
    Arrow,
}

impl Format {
    /// The format of a file by the ending of its name.
    pub(crate) fn of_ending(path: &Path) -> Option<Self> {
        if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png")) {
            return Some(Self::Png);
        }
        let found = asdf_tables::Format::from_path(path)?;
        Self::value_variants().iter().copied().find(|format| format.of_tables() == Some(found))
    }

    /// The format of tables and arrays; `None` for pictures.
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

    /// Whether the format is binary.
    pub(crate) fn is_binary(self) -> bool {
        self.of_tables().is_none_or(|format| !format.is_text())
    }
}
