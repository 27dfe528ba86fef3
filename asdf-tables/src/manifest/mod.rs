//! Manifests: where the bytes of the arrays of files are, for programs that read zarr.
//!
//! A [`Manifest`] lists the chunks of arrays as ranges of bytes of ASDF files. Programs such as zarr-python, xarray and
//! dask read the arrays through it straight from the files, without a reader of ASDF. The metadata of the arrays are
//! those of zarr, version 2. [`Manifest::write_json`] writes the references as JSON of kerchunk, version 1. With the
//! feature `parquet`, `Manifest::write_parquet` writes them as a folder of Parquet files.
//!
//! ```
//! use asdf_core::{File, NdArray};
//! use asdf_tables::manifest::Manifest;
//!
//! let mut file = File::new();
//! file.set("/data", &NdArray::new(&[2, 3], &[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0])?)?;
//! let file = File::from_bytes(file.to_bytes()?)?;
//!
//! let manifest = Manifest::of(&file, |_| Ok("s3://bucket/image.asdf".to_owned()));
//! let mut json = Vec::new();
//! manifest.write_json(&mut json)?;
//! let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
//! let reference = &json["refs"]["data/0.0"];
//! assert_eq!((&reference[0], &reference[2]), (&"s3://bucket/image.asdf".into(), &24.into()));
//! # Ok::<(), asdf_core::Error>(())
//! ```
//!
//! # What can be mapped
//!
//! | data | chunks |
//! |---|---|
//! | uncompressed, packed in C order | of about 4 MiB that divide the axes, else one |
//! | `lz4` | one for each frame, if equal frames divide the axes |
//! | `zlib`, `bzp2`, `zstd`, `xz`, `blsc` | one: the whole block |
//! | chunked arrays (`core/chunked-ndarray`) | the same, if they are equal and fill the array |
//! | inline, up to 64 KiB | one, in the manifest |
//! | in an HDU of a FITS file that stores the values as they are | as uncompressed |
//!
//! A compressed block has to hold one array and nothing more. Zarr requires that all chunks have the same shape, also the
//! last one. These arrays are left out, and [`Manifest::left_out`] says why: arrays with masks, other strides,
//! `lz4f` and `bls2` blocks, blocks that are damaged, HDUs that are scaled or compressed, and datatypes that zarr lacks.
//!
//! # Groups and dimensions
//!
//! The path of an array in the tree is its path in the zarr groups. `/` and `%` in a key become `%2F` and `%25`. The
//! dimensions of an array `data` are named `data_dim0`, `data_dim1` and so on, since xarray requires that a dimension
//! has one length in a group.

mod array;
mod chunk_shape;
mod chunked;
mod chunks;
mod compressor;
mod contents;
mod document;
mod dtype;
mod json;
mod location;
mod names;
mod ndarray;
#[cfg(feature = "parquet")]
mod parquet;
mod stored;

pub use contents::Manifest;
pub use location::Location;
