//! Reads and writes FITS files, and keeps them in ASDF trees (FITS Standard 4.0).
//!
//! A [`Fits`] is a list of header/data units ("units" below, HDUs in astropy): each [`Hdu`] has a header of
//! [`Card`]s and [`Data`], which is an image or a [`Table`]. [`open`] reads a file, [`Fits::to_bytes`] and
//! [`Fits::write_to`] write one. [`ReadOptions`] selects units and reads damaged files as far as possible;
//! [`WriteOptions`] sets the number for missing integers and asks for checksums. In a tree, a [`Fits`] has the
//! tag that asdf-astropy uses for an `HDUList`.
//!
//! ```
//! use asdf_core::{File, NdArray};
//! use asdf_fits::{Card, Data, Fits, Hdu};
//!
//! let image = NdArray::new(&[2, 2], &[1.5_f32, 2.5, 3.5, 4.5])?;
//! let hdu = Hdu::new(vec![Card::new("OBJECT", "M31", "target")]).with_data(Data::Image(image));
//! let mut file = File::new();
//! file.set("/fits", &Fits::new(vec![hdu]))?;
//!
//! let fits: Fits = File::from_bytes(file.to_bytes()?)?.get("/fits")?;
//! assert!(fits.to_bytes()?.starts_with(b"SIMPLE  =                    T"));
//! # Ok::<(), asdf_core::Error>(())
//! ```
//!
//! # Supported data
//!
//! | in the FITS file | in [`Data`] |
//! |---|---|
//! | images | arrays with the values that astropy shows: scaled, unsigned, NaN for `BLANK` |
//! | compressed images (`RICE_1`, `GZIP_1`, `GZIP_2`, `HCOMPRESS_1`, `PLIO_1`) | arrays, with the header of the image |
//! | binary tables | columns: scaled, unsigned, with the axes of `TDIMn`, bits as booleans |
//! | columns of arrays of variable length | arrays as long as the longest one; the added elements are masked |
//! | ASCII tables | columns of `int64`, `float64` and text |
//! | files `*.fits.gz` | the same as the decompressed file |
//! | long strings, `CONTINUE`, `HIERARCH` | cards with the whole text |
//! | random groups, unknown extensions | no data: the header and the bytes; [`Reading::problems`] says why |
//!
//! asdf-astropy 0.11 cannot read a list of units if an extension has no data. Python then gets plain lists.
//!
//! # ASDF in FITS
//!
//! Files of the James Webb Space Telescope are FITS files with an extension `ASDF`, which holds an ASDF file. Its arrays
//! are in other units: `source: "fits:SCI,1"`. [`open_asdf`] opens them, and [`AsdfInFits`] makes all calls of
//! [`OpenOptions`](asdf_core::OpenOptions) recognise them.
//!
//! # Features
//!
#![doc = include_str!("features.md")]

mod card;
mod cut_off;
mod embedded;
mod fits;
mod form;
mod hdu;
mod meta;
mod node;
mod read;
mod scale;
mod table;
mod write;

pub use card::{Card, CardValue};
pub use embedded::{AsdfInFits, open_asdf};
pub use fits::Fits;
pub use hdu::{Data, Hdu};
pub use meta::cards_of;
pub use read::{ReadOptions, Reading, Selector, is_fits, open};
pub use table::{Column, Table};
pub use write::WriteOptions;

/// The README's example compiles.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
