//! Rust values that are stored as arrays: fields with `#[asdf(array)]` or `#[asdf(records)]`.

use super::{Datatype, Element, NdArray, Record};
use crate::block::Compression;
use crate::error::{Error, Result};
use crate::tree::{Node, NodeId, NodeRef, Tree};
use crate::value::description::Form;
use crate::value::{Description, ToNode, read};
#[cfg(feature = "ndarray")]
use crate::value::{FromNode, Kinds, OwnTag};

/// A Rust value that is stored as an array and read whole, for a field with `#[asdf(array)]`.
///
/// `[T; N]` and the rows of `Vec<[T; N]>` have a fixed length, and the type refuses an array of another
/// length. A schema made from the type does not give the length: ASDF schemas have keywords for the datatype
/// and the number of axes of an array, but not for its shape. So a validator allows arrays that the type
/// refuses.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not stored as an array",
    label = "not a `Vec<T>`, `Vec<[T; N]>`, `Box<[T]>`, `[T; N]` of numbers, nor an array of the crate `ndarray`",
    note = "use `NdArray` without the attribute; use `#[asdf(records)]` for a `Vec` of structs that derive `Record`"
)]
pub trait Held: Sized {
    /// Returns the datatype of the elements.
    #[must_use]
    fn datatype() -> Datatype;

    /// Returns the number of axes, if it is always the same.
    #[must_use]
    fn axes() -> Option<usize> {
        Some(1)
    }

    /// Reads the elements, converted if that loses nothing.
    ///
    /// # Errors
    /// As [`NdArray::read`]; [`Mismatch`](crate::error::Kind::Mismatch) if the number of axes is another.
    fn from_array(array: &NdArray) -> Result<Self>;

    /// Copies the elements into an array.
    ///
    /// # Errors
    /// [`Limit`](crate::error::Kind::Limit) if there is not enough memory for the bytes.
    fn to_array(&self) -> Result<NdArray>;

    /// Reads a field.
    ///
    /// # Errors
    /// As [`from_array`](Self::from_array), with the position of the node.
    fn read_field(node: NodeRef<'_>) -> Result<Self> {
        let array: NdArray = read(node)?;
        Self::from_array(&array).map_err(|error| placed(error, node))
    }

    /// Writes a field to a block with this compression.
    ///
    /// # Errors
    /// As [`to_array`](Self::to_array).
    fn write_field(&self, compression: Compression, tree: &mut Tree) -> Result<NodeId> {
        self.to_array()?.with_compression(compression)?.to_node(tree)
    }

    /// Describes a field.
    #[must_use]
    fn describe_field() -> Description {
        let datatype = schema_datatype(&Self::datatype());
        Description::new(Form::Array { datatype, exact: false, axes: Self::axes(), max_axes: None })
    }
}

/// Records that are stored as an array and read whole, for a field with `#[asdf(records)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not stored as an array of records",
    label = "not a `Vec` of structs that derive `Record`",
    note = "`#[asdf(array)]` stores numbers"
)]
pub trait HeldRecords: Sized {
    /// Reads a field.
    ///
    /// # Errors
    /// As [`NdArray::records`], with the position of the node.
    fn read_field(node: NodeRef<'_>) -> Result<Self>;

    /// Writes a field to a block with this compression.
    ///
    /// # Errors
    /// As [`NdArray::from_records`].
    fn write_field(&self, compression: Compression, tree: &mut Tree) -> Result<NodeId>;

    /// Describes a field.
    #[must_use]
    fn describe_field() -> Description {
        Description::new(Form::Array { datatype: None, exact: false, axes: Some(1), max_axes: None })
    }
}

impl<T: Record> HeldRecords for Vec<T> {
    fn read_field(node: NodeRef<'_>) -> Result<Self> {
        let array: NdArray = read(node)?;
        if array.shape().len() != 1 {
            return Err(placed(other_shape(&array, "one axis"), node));
        }
        Ok(array.records().map_err(|error| placed(error, node))?.collect())
    }

    fn write_field(&self, compression: Compression, tree: &mut Tree) -> Result<NodeId> {
        write_records(self, compression, tree)
    }
}

fn other_shape(array: &NdArray, expected: &str) -> Error {
    Error::mismatch(format!("found an array of shape {:?}, expected {expected}", array.shape()))
}

fn one_axis<T: Element>(array: &NdArray) -> Result<Vec<T>> {
    if array.shape().len() == 1 { array.read() } else { Err(other_shape(array, "one axis")) }
}

fn length(elements: usize) -> u64 {
    elements as u64
}

impl<T: Element> Held for Vec<T> {
    fn datatype() -> Datatype {
        T::DATATYPE
    }

    fn from_array(array: &NdArray) -> Result<Self> {
        one_axis(array)
    }

    fn to_array(&self) -> Result<NdArray> {
        NdArray::new(&[length(self.len())], self)
    }
}

impl<T: Element> Held for Box<[T]> {
    fn datatype() -> Datatype {
        T::DATATYPE
    }

    fn from_array(array: &NdArray) -> Result<Self> {
        one_axis(array).map(Vec::into_boxed_slice)
    }

    fn to_array(&self) -> Result<NdArray> {
        NdArray::new(&[length(self.len())], self)
    }
}

impl<T: Element, const N: usize> Held for [T; N] {
    fn datatype() -> Datatype {
        T::DATATYPE
    }

    fn from_array(array: &NdArray) -> Result<Self> {
        let wrong = || other_shape(array, &format!("[{N}]"));
        if array.shape() != [length(N)] {
            return Err(wrong());
        }
        Self::try_from(array.read::<T>()?).map_err(|_| wrong())
    }

    fn to_array(&self) -> Result<NdArray> {
        NdArray::new(&[length(N)], self)
    }
}

impl<T: Element, const N: usize> Held for Vec<[T; N]> {
    fn datatype() -> Datatype {
        T::DATATYPE
    }

    fn axes() -> Option<usize> {
        Some(2)
    }

    fn from_array(array: &NdArray) -> Result<Self> {
        if array.shape().len() != 2 || array.shape().last() != Some(&length(N)) {
            return Err(other_shape(array, &format!("[*, {N}]")));
        }
        let elements = array.read::<T>()?;
        Ok(elements.chunks_exact(N.max(1)).filter_map(|row| row.try_into().ok()).collect())
    }

    fn to_array(&self) -> Result<NdArray> {
        NdArray::new(&[length(self.len()), length(N)], self.as_flattened())
    }
}

#[cfg(feature = "ndarray")]
impl<T: Element, D: ndarray::Dimension> Held for ndarray::Array<T, D> {
    fn datatype() -> Datatype {
        T::DATATYPE
    }

    fn axes() -> Option<usize> {
        D::NDIM
    }

    fn from_array(array: &NdArray) -> Result<Self> {
        let wrong = |_| other_shape(array, &format!("{} axes", D::NDIM.unwrap_or_default()));
        array.to_ndarray::<T>()?.into_dimensionality::<D>().map_err(wrong)
    }

    fn to_array(&self) -> Result<NdArray> {
        NdArray::try_from(self)
    }
}

/// Reads a whole array, as a field with `#[asdf(array)]` does.
#[cfg(feature = "ndarray")]
impl<T: Element, D: ndarray::Dimension> FromNode for ndarray::Array<T, D> {
    const TYPES: Kinds = NdArray::TYPES;
    const OWN_TAG: OwnTag = NdArray::OWN_TAG;

    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        Self::from_array(&NdArray::from_node(node)?).map_err(|error| placed(error, node))
    }

    fn accepts_tag(tag: &str) -> bool {
        NdArray::accepts_tag(tag)
    }
}

#[cfg(feature = "ndarray")]
impl<T: Element, D: ndarray::Dimension> ToNode for ndarray::Array<T, D> {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        self.to_array()?.to_node(tree)
    }
}

/// Returns the datatype for a schema. For records it is left out, since schemas do not compare names.
pub(super) fn schema_datatype(datatype: &Datatype) -> Option<Node> {
    if matches!(datatype, Datatype::Struct(_)) { None } else { Node::new(datatype).ok() }
}

/// Writes records to a block with this compression, for a field that is only written.
///
/// # Errors
/// As [`NdArray::from_records`].
pub fn write_records<T: Record>(records: &[T], compression: Compression, tree: &mut Tree) -> Result<NodeId> {
    NdArray::from_records(records)?.with_compression(compression)?.to_node(tree)
}

fn placed(error: Error, node: NodeRef<'_>) -> Error {
    match node.position() {
        Some((line, column)) if error.line().is_none() => error.at_position(line, column),
        _ => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip<T: Held + PartialEq + std::fmt::Debug>(value: &T, shape: &[u64]) {
        let array = value.to_array().unwrap();
        assert_eq!(array.shape(), shape);
        assert_eq!(&T::from_array(&array).unwrap(), value);
    }

    #[test]
    fn vectors_and_arrays_round_trip() {
        round_trip(&vec![1.5_f32, -2.0], &[2]);
        round_trip(&vec![[1_u16, 2, 3], [4, 5, 6]], &[2, 3]);
        round_trip(&[1_i64, 2], &[2]);
        round_trip(&Vec::<u8>::new().into_boxed_slice(), &[0]);
        let matrix = vec![[1_u8, 2]].to_array().unwrap();
        assert!(
            Vec::<u8>::from_array(&matrix).unwrap_err().to_string().contains("[1, 2], expected one axis")
        );
        assert!(Vec::<[u8; 3]>::from_array(&matrix).is_err() && <[u8; 2]>::from_array(&matrix).is_err());
        assert_eq!(Vec::<[f64; 2]>::from_array(&matrix).unwrap(), [[1.0, 2.0]]);
    }
}
