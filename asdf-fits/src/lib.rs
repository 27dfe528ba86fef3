//! FITS files to and from ASDF: headers, images, tables and compressed images (FITS Standard 4.0).
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
//! # What is read
//!
//! | in the file | here |
//! |---|---|
//! | images | arrays of the values that astropy has: scaled, unsigned, NaN for `BLANK` |
//! | compressed images (`RICE_1`, `GZIP_1`, `GZIP_2`, `HCOMPRESS_1`, `PLIO_1`) | arrays, with the header of the image |
//! | binary tables | columns: scaled, unsigned, with the axes of `TDIMn`, bits as truth values |
//! | columns of arrays of variable length | arrays as long as the longest, the rest masked |
//! | ASCII tables | columns of `int64`, `float64` and text |
//! | files `*.fits.gz` | as if decompressed |
//! | long strings, `CONTINUE`, `HIERARCH` | cards with the whole text |
//! | random groups, unknown extensions | the header and the bytes; [`Reading::problems`] says why |
//!
//! asdf-astropy 0.11 cannot read a list of units in which an extension has no data: Python then gets plain lists.
//!
//! # Features
//!
#![doc = include_str!("features.md")]

mod card;
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
