//! Masks: which elements of an array are missing.

use super::NdArray;
use crate::array::datatype::to_usize;
use crate::array::{Complex, Datatype};
use crate::error::{Error, Result};
use crate::tree::{NodeId, NodeRef, Tree};
use crate::value::{FromNode, Kinds, Number, ToNode};

/// Which elements of an array are missing: the standard's `mask`.
///
/// # Examples
/// ```
/// use asdf_core::array::{Mask, MaskValue, Value};
/// use asdf_core::value::Number;
/// use asdf_core::NdArray;
///
/// let counts = NdArray::new(&[3], &[10_i16, -999, 12])?;
/// let masked = counts.with_mask(Mask::Value(MaskValue::Number(Number::from(-999))))?;
/// assert_eq!(masked.elements()?.nth(1), Some(Value::Missing));
/// assert_eq!(masked.read::<i16>()?, [10, -999, 12]); // does not apply the mask
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
#[doc(alias = "masked_array")]
#[doc(alias = "fill_value")]
pub enum Mask {
    /// Elements equal to this number are missing. NaN means every NaN.
    Value(MaskValue),
    /// An element is missing if this array is not zero there. Its shape broadcasts to the array's.
    Array(Box<NdArray>),
}

/// The number of a [`Mask::Value`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum MaskValue {
    /// An integer or a float.
    Number(Number),
    /// A complex number.
    Complex(Complex),
}

impl NdArray {
    /// Sets the mask, which says which elements are missing.
    ///
    /// # Examples
    /// ```
    /// use asdf_core::NdArray;
    /// use asdf_core::array::Mask;
    ///
    /// let flags = NdArray::new(&[3], &[false, true, false])?;
    /// let masked = NdArray::new(&[3], &[1_u8, 2, 3])?.with_mask(Mask::Array(Box::new(flags)))?;
    /// assert_eq!(masked.missing()?, Some(vec![false, true, false]));
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Mismatch`](crate::error::Kind::Mismatch) if the mask is an array whose shape does not broadcast to
    /// this one's, or whose elements are neither numbers nor `bool`.
    pub fn with_mask(mut self, mask: Mask) -> Result<Self> {
        if let Mask::Array(flags) = &mask {
            check(flags, &self.shape)?;
        }
        self.mask = Some(mask);
        Ok(self)
    }
}

/// Refuses a mask of text or records, or of a shape that does not broadcast to `shape`.
fn check(flags: &NdArray, shape: &[u64]) -> Result<()> {
    if matches!(flags.datatype(), Datatype::Ascii(_) | Datatype::Ucs4(_) | Datatype::Struct(_)) {
        return Err(Error::mismatch(format!(
            "found a mask of {}, expected numbers or bool8",
            flags.datatype()
        )));
    }
    fits(flags.shape(), shape)
}

/// Refuses the shape of a mask that does not broadcast to its array's.
fn fits(from: &[u64], to: &[u64]) -> Result<()> {
    let fits = from.len() <= to.len()
        && from.iter().rev().zip(to.iter().rev()).all(|(&mask, &array)| mask == array || mask == 1);
    if fits {
        return Ok(());
    }
    Err(Error::mismatch(format!(
        "a mask of shape {from:?} does not broadcast to the shape {to:?} of its array"
    )))
}

/// Repeats the flags of a mask to the shape of its array. Axes are aligned at the end, and an axis of length
/// 1 applies to every index.
pub(in crate::array) fn broadcast(flags: &[bool], from: &[u64], to: &[u64]) -> Result<Vec<bool>> {
    fits(from, to).map_err(|error| error.under("mask"))?;
    if from == to {
        return Ok(flags.to_vec());
    }
    let mut out = flags.to_vec();
    // Repeats the elements below each axis, from the last axis to the first.
    let mut below: usize = 1;
    for (axis, &wanted) in to.iter().enumerate().rev() {
        let wanted = to_usize(wanted)?;
        let own = (axis + from.len()).checked_sub(to.len()).and_then(|at| from.get(at)).copied().unwrap_or(1);
        if own == 1 && wanted != 1 {
            out = out.chunks(below.max(1)).flat_map(|chunk| chunk.repeat(wanted)).collect();
        }
        below = below.saturating_mul(wanted);
    }
    Ok(out)
}

impl FromNode for Mask {
    const TYPES: Kinds = Kinds::ANY;

    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        if NdArray::matches(node) && !node.kind().is_scalar() {
            return NdArray::from_node(node).map(|array| Self::Array(Box::new(array)));
        }
        if node.own_tag().is_some() {
            return Complex::from_node(node).map(|value| Self::Value(MaskValue::Complex(value)));
        }
        Number::from_node(node)
            .map(|number| Self::Value(MaskValue::Number(number)))
            .map_err(|_| node.expected("a number or an array"))
    }

    fn accepts_tag(_tag: &str) -> bool {
        true
    }
}

impl ToNode for Mask {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        match self {
            Self::Value(MaskValue::Number(number)) => number.to_node(tree),
            Self::Value(MaskValue::Complex(value)) => value.to_node(tree),
            Self::Array(array) => array.to_node(tree),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Mask, MaskValue, broadcast};
    use crate::array::{ByteOrder, Datatype, NdArray};
    use crate::tree::Node;
    use crate::value::FromNode as _;

    #[test]
    fn masks_broadcast_as_in_numpy() {
        assert_eq!(broadcast(&[true, false], &[2], &[2, 2]).unwrap(), [true, false, true, false]);
        assert_eq!(broadcast(&[true, false], &[2, 1], &[2, 2]).unwrap(), [true, true, false, false]);
        assert_eq!(broadcast(&[true], &[], &[2, 2]).unwrap(), [true; 4]);
        assert!(broadcast(&[true; 3], &[3], &[2]).is_err());
        assert!(broadcast(&[true; 2], &[1, 2], &[2]).is_err());
    }

    #[test]
    fn masks_that_do_not_fit_are_refused() {
        let array = NdArray::new(&[2, 3], &[1_u8; 6]).unwrap();
        let mask = |flags: NdArray| array.clone().with_mask(Mask::Array(Box::new(flags)));
        for shape in [&[3][..], &[1, 3], &[2, 1], &[]] {
            let flags = vec![true; shape.iter().product::<u64>().try_into().unwrap()];
            assert!(mask(NdArray::from_vec(shape, flags).unwrap()).is_ok(), "{shape:?}");
        }
        for (flags, expected) in [
            (
                NdArray::new(&[2], &[1_u8, 0]).unwrap(),
                "a mask of shape [2] does not broadcast to the shape [2, 3] of its array",
            ),
            (NdArray::new(&[1, 2, 3], &[0_u8; 6]).unwrap(), "a mask of shape [1, 2, 3] does not broadcast"),
            (
                NdArray::from_bytes(Datatype::Ascii(1), ByteOrder::Little, &[3], vec![0; 3]).unwrap(),
                "[ascii, 1]",
            ),
        ] {
            let error = mask(flags).unwrap_err();
            assert!(error.message().contains(expected), "{error}");
        }
    }

    #[test]
    fn a_mask_of_a_list_is_written() {
        let number = crate::value::Number::Int(2.into());
        let list: NdArray =
            crate::yaml::parse("!<tag:stsci.edu:asdf/core/ndarray-1.1.0> [1, 2]").unwrap().get("").unwrap();
        let masked = list.with_mask(Mask::Value(MaskValue::Number(number))).unwrap();
        let node = Node::new(&masked).unwrap();
        assert_eq!(NdArray::from_node(node.view()).unwrap(), masked);
    }
}
