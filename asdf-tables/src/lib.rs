//! Converts tables and arrays of [ASDF](https://docs.rs/asdf-core) files to and from other formats.
//!
//! A [`Dataset`] is an array, a table or a FITS file. [`Dataset::at`] finds one in an ASDF file, and [`WriteOptions`]
//! writes it in another [`Format`]. [`ReadOptions`] reads a file of another format. The result can be set as a value
//! in an ASDF file.
//!
//! ```
//! use asdf_core::File;
//! use asdf_schemas::table::{Column, Table};
//! use asdf_tables::{Dataset, Format, ReadOptions, WriteOptions};
//!
//! // A table as CSV.
//! let id = Column::from_array("id", asdf_core::NdArray::new(&[2], &[1_u32, 2])?)?;
//! let flux = Column::from_array("flux", asdf_core::NdArray::new(&[2], &[1.5_f32, 0.1])?)?.with_unit("mJy")?;
//! let mut file = File::new();
//! file.set("/sources", &Table::from_columns([id, flux])?)?;
//! let mut csv = Vec::new();
//! WriteOptions::new().write(&Dataset::at(&file, "/sources")?, Format::Csv, &mut csv)?;
//! assert_eq!(csv, b"id,flux\n1,1.5\n2,0.1\n");
//!
//! // A column as npy, and back.
//! let mut npy = Vec::new();
//! WriteOptions::new().write(&Dataset::at(&file, "/sources/flux")?, Format::Npy, &mut npy)?;
//! let reading = ReadOptions::new().read(npy, Format::Npy)?;
//! file.set("/flux", &reading.contents)?;
//! assert_eq!(file.get::<asdf_core::NdArray>("/flux")?.read::<f32>()?, [1.5, 0.1]);
//! # Ok::<(), asdf_core::Error>(())
//! ```
//!
//! # Formats
//!
//! | format | written | read | units | missing values |
//! |---|---|---|---|---|
//! | npy | arrays; tables as records | arrays of every datatype that ASDF supports | no | filled |
//! | raw | elements or rows without a header | no | no | filled |
//! | CSV | tables; arrays with up to two axes | tables, with inferred datatypes | no | empty |
//! | ECSV | tables with `meta` | tables with `meta` | yes | empty |
//! | JSON, one row per line or an array of rows | tables and arrays | tables and arrays | no | null |
//! | VOTable 1.4 | tables | the first table: TABLEDATA, BINARY, BINARY2 | yes | empty |
//! | FITS | arrays, tables, several of them, FITS files of a tree | whole files, or arrays and tables | yes | filled, or masked integers |
//! | HDF5 | arrays; tables in the layout of h5py and astropy | no | yes | filled |
//! | Parquet, Arrow | tables | tables | yes | null |
//!
//! "Filled" means NaN for floats, an empty string for text, and the number of [`WriteOptions::fill`] for other datatypes.
//!
//! Rows are written in pieces, so memory use does not grow with the data. There are two exceptions: some compressed
//! blocks must be decoded whole, and HDF5 files are built in memory. Files are always read into memory as a whole. A
//! table that would take far more memory than its file is an error ([`Limit`](asdf_core::error::Kind::Limit)).
//!
//! # Features
//!
#![doc = include_str!("features.md")]

mod advice;
#[cfg(feature = "arrow")]
pub mod arrow;
#[cfg(feature = "arrow")]
pub mod catalog;
mod column;
mod columns;
mod dataset;
mod fill;
mod filled;
mod format;
pub mod json;
pub mod manifest;
mod of_file;
mod output;
mod read;
#[cfg(feature = "wcs")]
pub mod wcs;
mod write;
#[cfg(feature = "parquet")]
mod written;

pub use advice::Advice;
pub use column::Column;
pub use columns::{Columns, LeftOut};
pub use dataset::{Dataset, column_name};
pub use fill::Fill;
pub use format::Format;
pub use read::{Contents, ReadOptions, Reading, catches_panic, numpy_datatype};
pub use write::{WriteOptions, safe_cell};

/// The README's example compiles.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
