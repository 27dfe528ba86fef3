//! ASDF, the Advanced Scientific Data Format: a tree of tagged nodes over blocks of bytes.
//!
//! # Reading
//!
//! ```no_run
//! use asdf_core::File;
//!
//! let file = File::open("r0000101.asdf")?;
//! let seconds: f64 = file.get("/roman/meta/exposure/exposure_time")?;
//! let data = file.array("/roman/data")?;            // nothing is read yet
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
//! assert_eq!(table.field("flux")?.read::<f64>()?[0], 1.0);        // converted, if exact
//! let last = table.slice(&Slice::parse("-1:")?)?;                 // the same bytes
//! assert_eq!(last.records::<Star>()?.next().map(|star| star.name.to_string()), Some("Deneb".into()));
//! # Ok::<(), asdf_core::Error>(())
//! ```
//! [`File::update`] writes back only what changed; [`WriteOptions`] says how blocks are aligned, padded
//! and stored; [`StreamWriter`](file::StreamWriter) appends rows in constant memory.
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
//! Types of serde go in and out by `File::serialize` and `File::deserialize` (feature `serde`).
//!
//! # Features
//!
#![doc = include_str!("features.md")]
//!
//! # Layers
//!
//! Modules only use those of lower layers; modules of the same layer do not import each other.
//!
//! | layer | modules | |
//! |---|---|---|
//! | 6 | [`file`](mod@file) | open, write; lazy blocks; limits |
//! | 5 | [`array`](mod@array) `dialect` | what bytes mean; converts drafts 0.1.0 to the current format |
//! | 4 | [`yaml`] [`value`] | text and tree; Rust value and node |
//! | 3 | [`tree`] | nodes, tags, paths, spans; which node refers to which block |
//! | 2 | [`block`] | one block's header, bytes and codecs |
//! | 1 | [`source`] [`threads`] | bytes at a range; parallel work |
//! | 0 | [`error`] | where, what, what to do |
//!
//! The crate root has the names that most programs use. The others are in the module of their subject:
//! [`error::Kind`], [`tree::DifferenceOptions`], [`array::Array`], [`value::Extra`].
//!
//! What this crate does not do: it knows no schemas (that is `asdf-schemas`), opens no network
//! connections, and reads no file outside the folder of the one that it was given, unless
//! [`OpenOptions::allow_folder`] allows another one.

// The derive names this crate by its own name, here too.
extern crate self as asdf_core;

#[doc(hidden)]
pub mod __private;
pub mod array;
pub mod block;
mod dialect;
pub mod error;
pub mod file;
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

/// The README's example compiles.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
