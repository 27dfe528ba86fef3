//! Arrays: the data of a block, interpreted by an `ndarray` node of the tree.
//!
//! [`NdArray`] is the value of a `core/ndarray-1.x` node: datatype, shape, byte order, strides, and bytes
//! that are read on demand. [`View`] gives its elements as Rust numbers, borrowed from the block. [`Element`]
//! lists the Rust type of each [`Datatype`]. Shapes are in C order: the last axis varies fastest. Offsets and
//! strides are in bytes.
//!
//! [`Slice`] selects a part of an array, which is an array over the same bytes. [`NdArray::rows`] reads
//! arrays larger than memory piece by piece. [`Record`] converts structured arrays to Rust structs.
//! [`ChunkedArray`] is an array stored in chunks, as asdf-cxx and ASDF.jl write it.
//!
//! [`Complex`] (`core/complex-1.0.0`) and [`Integer`] (`core/integer-1.x`), the number types with tags of
//! their own, are here too.
//!
//! # Threads
//!
//! An [`NdArray`] is `Send` and `Sync`, and a clone shares the data. Reading locks only the block that is
//! being decoded. So several threads can read arrays in parallel, for example with rayon's `par_iter` over a
//! list of arrays:
//!
//! ```
//! use asdf_core::NdArray;
//!
//! let images = (0..4_u8).map(|n| NdArray::new(&[2], &[n, n])).collect::<Result<Vec<_>, _>>()?;
//! let sum = |image: &NdArray| image.read::<u64>().map(|pixels| pixels.iter().sum::<u64>());
//! let sums = std::thread::scope(|scope| {
//!     let threads: Vec<_> = images.iter().map(|image| scope.spawn(move || sum(image))).collect();
//!     threads.into_iter().map(|thread| thread.join().expect("it does not panic")).collect::<Result<Vec<_>, _>>()
//! })?;
//! assert_eq!(sums, [0, 2, 4, 6]);
//! # Ok::<(), asdf_core::Error>(())
//! ```
//!
//! By default, large blocks are decoded and large arrays copied on all processors.
//! [`Threads`](crate::Threads) limits this for the arrays of a file. Arrays made by a program always use all
//! processors.
#![cfg_attr(feature = "ndarray", doc = "")]
#![cfg_attr(feature = "ndarray", doc = include_str!("bridge.md"))]

#[cfg(feature = "ndarray")]
mod bridge;
mod byteorder;
mod cast;
mod chunked;
mod chunks;
mod complex;
mod convert;
mod copy;
#[cfg(test)]
mod counted;
mod datatype;
mod debug;
mod difference;
mod direct;
mod element;
mod elements;
pub(crate) mod field;
mod gather;
mod inline;
mod integer;
mod layout;
mod memory;
mod ndarray;
mod needs;
mod node;
mod part;
mod pieces;
mod quantiles;
mod read_budget;
mod real;
mod record;
mod safe;
mod shown;
mod slice;
mod statistics;
mod stored;
mod swap;
mod text;
mod typed;
mod view;

pub use byteorder::ByteOrder;
pub use chunked::{Chunk, ChunkedArray};
pub use complex::Complex;
pub use datatype::{Datatype, Field};
pub use element::Element;
pub use elements::{Elements, Value};
pub use integer::Integer;
pub use memory::MemoryBlock;
pub use ndarray::{Mask, MaskValue, NdArray};
pub use part::Rows;
pub use pieces::Pieces;
pub use quantiles::Clipped;
pub use read_budget::ReadBudget;
pub use record::{Record, Records};
pub use slice::Slice;
pub use statistics::Statistics;
pub use stored::Stored;
pub use text::{Ascii, Ucs4};
pub use typed::{AnyDatatype, Array, Holds, Safely};
pub use view::{ANY_AXES, Iter, View};

/// Element types that Rust's standard library lacks.
pub use half::f16;
pub use num_complex::{Complex32, Complex64};

/// Derives [`Record`] for a struct; see the crate `asdf-derive`.
#[cfg(feature = "derive")]
pub use asdf_derive::Record;
