//! Reads, writes and edits files of ASDF, the Advanced Scientific Data Format.
//!
//! An ASDF file has a tree of tagged YAML nodes and binary blocks, which hold the elements of arrays. This page is a tour.
//!
//! | to | start with |
//! |---|---|
//! | open a file and read values | [`File::open`], [`File::get`], [`File::array`] |
//! | make and write a file | [`File::new`], [`File::set`], [`File::write`] |
//! | change a file | [`File::update`], [`tree::Tree::edit`] |
//! | map your own types | the derive of [`Asdf`], [`value`] |
//! | work with arrays | [`NdArray`], [`array`](mod@array) |
//! | search a tree, compare files | [`tree::Tree::search`], [`File::difference`] |
//! | append rows | [`file::StreamWriter`] |
//! | check and repair files | [`File::verify`], [`file::repair`] |
//! | choose limits, memory maps, threads | [`OpenOptions`], [`Limits`] |
//! | choose compression and storage | [`WriteOptions`], [`Compression`] |
//! | handle errors | [`Error`], [`error`] |
//! | validate against schemas | the crate `asdf-schemas` |
//!
//! # Reading
//!
//! ```no_run
//! use asdf_core::File;
//!
//! let file = File::open("r0000101.asdf")?;
//! let seconds: f64 = file.get("/roman/meta/exposure/exposure_time")?;
//! let data = file.array("/roman/data")?;            // does not read the elements yet
//! let pixels = data.view::<f32>()?;                 // borrowed from the block
//! println!("{seconds} s, {:?}: {:?}", data.shape(), pixels.get(&[0, 0]));
//! # Ok::<(), asdf_core::Error>(())
//! ```
//!
//! # Writing
//!
//! ```
//! use asdf_core::{Compression, File, NdArray};
//!
//! let mut file = File::new();
//! file.set("/target", "M31")?;
//! let image = NdArray::new(&[2, 2], &[1.0_f32, 2.0, 3.0, 4.0])?;
//! file.set("/data", &image.with_compression(Compression::ZLIB)?)?;
//! let bytes = file.to_bytes()?;                     // or `file.write("m31.asdf")?`
//! assert_eq!(File::from_bytes(bytes)?.array("/data")?.read::<f32>()?, [1.0, 2.0, 3.0, 4.0]);
//! # Ok::<(), asdf_core::Error>(())
//! ```
//!
//! [`File::update`] writes back only the changes. [`WriteOptions`] sets compression, alignment, padding and storage.
//! [`StreamWriter`](file::StreamWriter) appends rows in constant memory.
//!
//! # Your own types
//!
//! ```
//! use asdf_core::{Asdf, File};
//!
//! /// A filter in the wheel.
//! #[derive(Asdf)]
//! #[asdf(tag = "asdf://example.org/camera/tags/filter-1.0.0")]
//! struct Filter {
//!     name: String,
//!     width: Option<f64>,
//! }
//!
//! let mut file = File::new();
//! file.set("/filter", &Filter { name: "F150W".into(), width: None })?;
//! assert_eq!(file.get::<Filter>("/filter")?.name, "F150W");
//! # Ok::<(), asdf_core::Error>(())
//! ```
//!
//! Any serde type can be stored without a tag, with `File::serialize` and `File::deserialize` (feature `serde`).
//!
//! # Parts of arrays, and records
//!
//! ```
//! use asdf_core::array::{Ascii, Record, Slice};
//! use asdf_core::NdArray;
//!
//! #[derive(Record)]
//! struct Star {
//!     name: Ascii<8>,
//!     flux: f32,
//! }
//!
//! let stars = [Star { name: Ascii::new("Vega")?, flux: 1.0 }, Star { name: Ascii::new("Deneb")?, flux: 0.3 }];
//! let table = NdArray::from_records(&stars)?;
//! assert_eq!(table.field("flux")?.read::<f64>()?[0], 1.0);        // converts if that is exact
//! let last = table.slice(&Slice::parse("-1:")?)?;                 // shares the bytes
//! assert_eq!(last.records::<Star>()?.next().map(|star| star.name.to_string()), Some("Deneb".into()));
//! # Ok::<(), asdf_core::Error>(())
//! ```
//!
//! # Finding, comparing, editing
//!
//! ```
//! use asdf_core::File;
//! use asdf_core::tree::DifferenceOptions;
//!
//! let mut file = File::new();
//! file.set("/meta", &std::collections::BTreeMap::from([("gain", 2.0), ("old_time", 12.5)]))?;
//! let before = File::from_bytes(file.to_bytes()?)?;
//!
//! file.tree_mut().edit("/meta/old_time").rename("exposure_time")?;
//! file.tree_mut().edit("/meta/gain").remove()?;
//! let found = file.tree().search().key_matching("_time$")?.next().unwrap();
//! assert_eq!(found.path.as_str(), "/meta/exposure_time");
//!
//! let options = DifferenceOptions::new().writer(false);
//! for difference in before.difference(&file, &options)? {
//!     println!("{difference}"); // /meta/gain: missing: the float 2.0
//! }
//! # Ok::<(), asdf_core::Error>(())
//! ```
//!
//! # Untrusted files
//!
//! A file cannot make the reader use much memory: every size is checked against [`Limits`] before it is used. Only files
//! in the folder of the opened file, and below it, are read, unless [`OpenOptions::allow_folder`] allows another folder.
//! The crate opens no network connections.
//!
//! ```
//! use asdf_core::{File, Limits, OpenOptions, error};
//!
//! let mut limits = Limits::default();
//! limits.tree_size = 10; // bytes
//! let bytes = File::new().to_bytes()?;
//! let error = OpenOptions::new().limits(limits).open_bytes(bytes).unwrap_err();
//! assert_eq!(error.kind(), error::Kind::Limit);
//! # Ok::<(), asdf_core::Error>(())
//! ```
//!
//! # Python's names
//!
//! The search of this documentation knows the names of Python's asdf: `AsdfFile`, `write_to`, `all_array_compression`,
//! `memmap` and others lead to their counterparts.
//!
//! # Features
//!
//! All codecs are on by default. Only `zstd`, `blsc` and `bls2` need a C compiler.
//!
#![doc = include_str!("features.md")]
//!
//! # Layers
//!
//! Modules only use those of lower layers; modules of the same layer do not import each other.
//!
//! | layer | modules | contents |
//! |---|---|---|
//! | 6 | [`file`](mod@file) | opening and writing files; lazy blocks; limits |
//! | 5 | [`array`](mod@array) `dialect` | arrays; conversion of the pre-release format 0.1.0 |
//! | 4 | [`yaml`] [`value`] | conversion between text and tree, and between Rust values and nodes |
//! | 3 | [`tree`] | nodes, tags, paths, spans; references to blocks |
//! | 2 | [`block`] | the header, bytes and codec of a block |
//! | 1 | [`source`] [`threads`] | ranges of bytes; parallel work |
//! | 0 | [`error`] [`printable`] | errors with place, message and hint; untrusted text for terminals and logs |
//!
//! The crate root has the names that most programs use. The others are in the modules of their subjects:
//! [`error::Kind`], [`tree::DifferenceOptions`], [`array::Array`], [`value::Extra`].

// Derived code uses the name of the crate, also inside of the crate.
extern crate self as asdf_core;

#[doc(hidden)]
pub mod __private;
pub mod array;
pub mod block;
mod dialect;
pub mod error;
pub mod file;
pub mod printable;
pub mod source;
pub mod threads;
pub mod tree;
pub mod value;
pub mod yaml;

pub use array::{Datatype, NdArray};
pub use block::Compression;
pub use error::{Error, Result};
pub use file::{File, Limits, OpenOptions, WriteOptions};
pub use threads::Threads;
pub use tree::{Node, NodeId, NodeRef, Tree};
pub use value::{Asdf, FromNode, Tagged, ToNode};

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
