//! How two arrays differ.

use super::{ByteOrder, NdArray, Value, layout};
use crate::error::Result;
use crate::tree::{Change, ElementsDifference, Tolerance};

impl NdArray {
    /// What differs between this array and another: their datatypes (byte order does not matter),
    /// their shapes, or, where both are the same, elements that are farther apart than the
    /// tolerance; nothing when they are equal. NaN is equal to NaN; masked elements to masked ones.
    /// A complex number is close when both of its parts are, a record when all of its fields are.
    ///
    /// Reads both arrays into memory whole.
    ///
    /// # Errors
    /// As [`elements`](Self::elements).
    pub fn difference(&self, other: &Self, tolerance: Tolerance) -> Result<Vec<Change>> {
        let mut changes = Vec::new();
        if self.datatype.without_byteorder() != other.datatype.without_byteorder() {
            changes.push(Change::Datatype(self.datatype.to_string(), other.datatype.to_string()));
        }
        if self.shape != other.shape {
            changes.push(Change::Shape(self.shape.clone(), other.shape.clone()));
        }
        if changes.is_empty() && !self.is_identical(other)? {
            changes.extend(self.compare(other, tolerance)?.map(Change::Elements));
        }
        Ok(changes)
    }

    /// Whether there are no masks and the bytes are the same: the quick way to be equal.
    fn is_identical(&self, other: &Self) -> Result<bool> {
        let whole = |array: &Self| Ok(array.mask.is_none() && array.missing()?.is_none());
        Ok(whole(self)?
            && whole(other)?
            && self.packed_bytes(ByteOrder::Little)? == other.packed_bytes(ByteOrder::Little)?)
    }

    fn compare(&self, other: &Self, tolerance: Tolerance) -> Result<Option<ElementsDifference>> {
        let mut found: Option<ElementsDifference> = None;
        let mut largest: Option<(f64, u64)> = None;
        for (place, (left, right)) in (0_u64..).zip(self.elements()?.zip(other.elements()?)) {
            let mut distance = None;
            if is_close(&left, &right, tolerance, &mut distance) {
                continue;
            }
            if let Some(far) = distance.filter(|far| largest.is_none_or(|(most, _)| *far > most)) {
                largest = Some((far, place));
            }
            match &mut found {
                Some(found) => found.different += 1,
                None => {
                    found = Some(ElementsDifference {
                        different: 1,
                        of: self.len(),
                        first: layout::index_of(self.shape.iter().copied(), place),
                        left: shown(&left),
                        right: shown(&right),
                        largest: None,
                    });
                }
            }
        }
        if let Some(found) = &mut found {
            found.largest =
                largest.map(|(far, place)| (far, layout::index_of(self.shape.iter().copied(), place)));
        }
        Ok(found)
    }
}

/// Whether two elements are equal within the tolerance; also the largest distance of finite numbers
/// in them.
fn is_close(left: &Value, right: &Value, tolerance: Tolerance, distance: &mut Option<f64>) -> bool {
    match (left, right) {
        (Value::Int(a), Value::Int(b)) => {
            a == b || {
                let (a, b) = (float(*a), float(*b));
                far(a, b, distance);
                tolerance != Tolerance::EXACT && tolerance.accepts(a, b)
            }
        }
        (Value::Float(a), Value::Float(b)) => {
            far(*a, *b, distance);
            tolerance.accepts(*a, *b)
        }
        (Value::Complex(a), Value::Complex(b)) => {
            far(a.re, b.re, distance);
            far(a.im, b.im, distance);
            tolerance.accepts(a.re, b.re) && tolerance.accepts(a.im, b.im)
        }
        (Value::Record(a), Value::Record(b)) | (Value::List(a), Value::List(b)) => {
            let mut close = a.len() == b.len();
            for (a, b) in a.iter().zip(b) {
                close &= is_close(a, b, tolerance, distance);
            }
            close
        }
        _ => left == right,
    }
}

fn far(a: f64, b: f64, distance: &mut Option<f64>) {
    let new = (a - b).abs();
    if new.is_finite() && new > distance.unwrap_or(0.0) {
        *distance = Some(new);
    }
}

#[allow(clippy::cast_precision_loss, reason = "a distance is told as a float")]
fn float(value: i128) -> f64 {
    value as f64
}

/// An element in a few words.
fn shown(value: &Value) -> String {
    const SHOWN: usize = 60;
    let list = |values: &[Value]| values.iter().take(SHOWN).map(shown).collect::<Vec<_>>().join(", ");
    let text = match value {
        Value::Missing => "missing".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Uint(value) => value.to_string(),
        Value::Float(value) => format!("{value:?}"),
        Value::Complex(value) => value.to_string(),
        Value::Text(text) => format!("'{}'", text.escape_debug()),
        Value::Record(values) => format!("({})", list(values)),
        Value::List(values) => format!("[{}]", list(values)),
    };
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::array::Mask;

    fn told(a: &NdArray, b: &NdArray, tolerance: Tolerance) -> Vec<Change> {
        a.difference(b, tolerance).unwrap()
    }

    #[test]
    fn datatype_and_shape_come_first() {
        let a = NdArray::new(&[2, 2], &[1_i32, 2, 3, 4]).unwrap();
        let b = NdArray::new(&[4], &[1.0_f32, 2.0, 3.0, 4.0]).unwrap();
        assert_eq!(
            told(&a, &b, Tolerance::EXACT),
            [Change::Datatype("int32".to_owned(), "float32".to_owned()), Change::Shape(vec![2, 2], vec![4])]
        );
        let swapped: Vec<u8> = [1_i32, 2, 3, 4].into_iter().flat_map(i32::to_be_bytes).collect();
        let swapped = NdArray::from_bytes(a.datatype().clone(), ByteOrder::Big, &[2, 2], swapped).unwrap();
        assert_eq!(told(&a, &swapped, Tolerance::EXACT), []);
        assert_eq!(told(&a, &a.clone().inlined().unwrap(), Tolerance::EXACT), []);
    }

    #[test]
    fn the_first_and_the_largest_difference_are_told() {
        let a = NdArray::new(&[2, 3], &[1.0, 2.0, f64::NAN, 4.0, 5.0, f64::INFINITY]).unwrap();
        let b = NdArray::new(&[2, 3], &[1.0, 2.125, f64::NAN, 4.0, 6.0, 0.0]).unwrap();
        let elements = ElementsDifference {
            different: 3,
            of: 6,
            first: vec![0, 1],
            left: "2.0".to_owned(),
            right: "2.125".to_owned(),
            largest: Some((1.0, vec![1, 1])),
        };
        assert_eq!(told(&a, &b, Tolerance::EXACT), [Change::Elements(elements)]);
        let loose = Tolerance { relative: 0.25, absolute: 0.0 };
        let Change::Elements(left) = told(&a, &b, loose).remove(0) else { panic!("not elements") };
        assert_eq!((left.different, left.largest), (1, None));
    }

    #[test]
    fn masked_elements_are_equal() {
        let mask = |flags: &[bool]| Mask::Array(Box::new(NdArray::new(&[2], flags).unwrap()));
        let a = NdArray::new(&[2], &[1_u8, 2]).unwrap().with_mask(mask(&[false, true]));
        let b = NdArray::new(&[2], &[1_u8, 7]).unwrap().with_mask(mask(&[false, true]));
        assert_eq!(told(&a, &b, Tolerance::EXACT), []);
        let Change::Elements(all) =
            told(&a, &NdArray::new(&[2], &[1_u8, 2]).unwrap(), Tolerance::EXACT).remove(0)
        else {
            panic!("not elements")
        };
        assert_eq!((all.left.as_str(), all.right.as_str()), ("missing", "2"));
    }

    proptest! {
        #[test]
        fn as_many_differ_as_differ(pairs in prop::collection::vec((-3..3_i64, -3..3_i64), 0..30)) {
            let shape = [u64::try_from(pairs.len()).unwrap()];
            let (a, b): (Vec<i64>, Vec<i64>) = pairs.iter().copied().unzip();
            let (a, b) = (NdArray::new(&shape, &a).unwrap(), NdArray::new(&shape, &b).unwrap());
            let different = pairs.iter().filter(|(a, b)| a != b).count();
            let found = match told(&a, &b, Tolerance::EXACT).pop() {
                Some(Change::Elements(elements)) => elements.different,
                _ => 0,
            };
            prop_assert_eq!(found, u64::try_from(different).unwrap());
            let loose = Tolerance { relative: 0.0, absolute: 6.0 };
            prop_assert!(told(&a, &b, loose).is_empty());
        }
    }
}
