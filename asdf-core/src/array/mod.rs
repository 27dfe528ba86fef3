//! Arrays: what the bytes of a block mean ("ndarray" in the standard's core schemas).
//!
//! [`NdArray`] is the value of a `core/ndarray-1.x` node: datatype, shape, byte order, strides, and
//! bytes that are read when they are asked for. [`View`] gives its elements as Rust numbers, borrowed
//! from the block; [`Element`] lists the Rust type of each [`Datatype`]. Shapes are in C order: the
//! last axis varies fastest. Offsets and strides are in bytes.
//!
//! [`Complex`] (`core/complex-1.0.0`) and [`Integer`] (`core/integer-1.x`) are here too: they have a
//! grammar and an array behind them.

mod byteorder;
mod cast;
mod complex;
mod convert;
mod copy;
mod datatype;
mod difference;
mod element;
mod elements;
mod gather;
mod inline;
mod integer;
mod layout;
mod mask;
mod memory;
mod ndarray;
mod node;
mod part;
mod slice;
mod view;

pub use byteorder::ByteOrder;
pub use complex::Complex;
pub use datatype::{Datatype, Field};
pub use element::Element;
pub use elements::{Elements, Value};
pub use integer::Integer;
pub use mask::Mask;
pub use memory::MemoryBlock;
pub use ndarray::NdArray;
pub use part::Rows;
pub use slice::Slice;
pub use view::{Iter, View};
