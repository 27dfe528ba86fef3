//! `Format`: the file formats.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use asdf_core::{Error, Result};

/// A file format for arrays and tables.
///
/// # Examples
/// ```
/// use asdf_tables::Format;
///
/// assert_eq!(Format::from_path("sources.parquet"), Some(Format::Parquet));
/// assert_eq!(Format::from_bytes(b"\x93NUMPY\x01\x00"), Some(Format::Npy));
/// assert_eq!("jsonl".parse::<Format>()?, Format::JsonLines);
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// The format of `numpy.save`. Tables are arrays of records.
    #[doc(alias = "savez")]
    Npy,
    /// Elements or rows without a header and without gaps: little-endian, in C order.
    #[doc(alias = "tofile")]
    Raw,
    /// Comma-separated values.
    #[doc(alias = "savetxt")]
    Csv,
    /// Comma-separated values after a header with datatypes, units and descriptions, as in astropy.
    Ecsv,
    /// A JSON array with one object for each row.
    Json,
    /// Lines of JSON with one object for each row.
    #[doc(alias = "ndjson")]
    JsonLines,
    /// VOTable, the XML format of the Virtual Observatory.
    VoTable,
    /// FITS.
    Fits,
    /// HDF5, in the layout of h5py and astropy.
    Hdf5,
    /// Apache Parquet.
    Parquet,
    /// The Arrow IPC file format, also called Feather.
    #[doc(alias = "feather")]
    Arrow,
}

impl Format {
    /// All formats.
    pub const ALL: &[Self] = &[
        Self::Npy,
        Self::Raw,
        Self::Csv,
        Self::Ecsv,
        Self::Json,
        Self::JsonLines,
        Self::VoTable,
        Self::Fits,
        Self::Hdf5,
        Self::Parquet,
        Self::Arrow,
    ];

    /// Returns the format for the extension of a path; `None` if the extension is unknown.
    #[must_use]
    pub fn from_path(path: impl AsRef<Path>) -> Option<Self> {
        let ending = path.as_ref().extension()?.to_str()?.to_ascii_lowercase();
        Some(match ending.as_str() {
            "npy" => Self::Npy,
            "raw" | "bin" | "dat" => Self::Raw,
            "csv" => Self::Csv,
            "ecsv" => Self::Ecsv,
            "json" => Self::Json,
            "jsonl" | "ndjson" => Self::JsonLines,
            "vot" | "votable" => Self::VoTable,
            "fits" | "fit" | "fts" => Self::Fits,
            "h5" | "hdf5" | "hdf" | "he5" => Self::Hdf5,
            "parquet" | "pq" => Self::Parquet,
            "arrow" | "feather" | "ipc" => Self::Arrow,
            _ => return None,
        })
    }

    /// Recognizes the format of a file by its first bytes, also compressed FITS files (`*.fits.gz`).
    ///
    /// Returns `None` for other formats, and for formats without a signature, such as CSV.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        Some(match bytes {
            _ if bytes.starts_with(b"\x93NUMPY") => Self::Npy,
            _ if asdf_fits::is_fits(bytes) => Self::Fits,
            _ if bytes.starts_with(b"# %ECSV ") => Self::Ecsv,
            _ if bytes.starts_with(b"PAR1") => Self::Parquet,
            _ if bytes.starts_with(b"ARROW1\0\0") => Self::Arrow,
            _ if bytes.starts_with(b"<VOTABLE") => Self::VoTable,
            _ => return None,
        })
    }

    /// Returns the name of the format in lower case, such as `votable`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Npy => "npy",
            Self::Raw => "raw",
            Self::Csv => "csv",
            Self::Ecsv => "ecsv",
            Self::Json => "json",
            Self::JsonLines => "jsonl",
            Self::VoTable => "votable",
            Self::Fits => "fits",
            Self::Hdf5 => "hdf5",
            Self::Parquet => "parquet",
            Self::Arrow => "arrow",
        }
    }

    /// Returns whether files of the format are text.
    #[must_use]
    pub fn is_text(self) -> bool {
        matches!(self, Self::Csv | Self::Ecsv | Self::Json | Self::JsonLines | Self::VoTable)
    }

    /// Returns whether [`ReadOptions`](crate::ReadOptions) can read the format. All formats can be written.
    #[must_use]
    pub fn can_be_read(self) -> bool {
        !matches!(self, Self::Raw | Self::Hdf5)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Format {
    type Err = Error;

    fn from_str(word: &str) -> Result<Self> {
        Self::ALL.iter().copied().find(|format| format.name() == word).ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|format| format.name()).collect();
            let error = Error::usage(format!("unknown format '{}'", word.escape_debug()));
            error.with_hint(format!("use one of {}", names.join(", ")))
        })
    }
}
