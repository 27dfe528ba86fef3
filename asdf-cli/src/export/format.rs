//! The formats that arrays are written in.

use std::path::Path;

/// A format of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
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
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        Some(match ending.as_str() {
            "npy" => Self::Npy,
            "raw" | "bin" | "dat" => Self::Raw,
            "csv" => Self::Csv,
            "ecsv" => Self::Ecsv,
            "json" => Self::Json,
            "jsonl" | "ndjson" => Self::Jsonl,
            "vot" | "votable" => Self::VoTable,
            "png" => Self::Png,
            "fits" | "fit" | "fts" => Self::Fits,
            "h5" | "hdf5" | "hdf" | "he5" => Self::Hdf5,
            "parquet" | "pq" => Self::Parquet,
            "arrow" | "feather" | "ipc" => Self::Arrow,
            _ => return None,
        })
    }

    /// Whether it is no text.
    pub(crate) fn is_binary(self) -> bool {
        !matches!(self, Self::Csv | Self::Ecsv | Self::Json | Self::Jsonl | Self::VoTable)
    }
}
