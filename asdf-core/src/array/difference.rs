//! Differences between two arrays.

use num_complex::Complex64;

use super::cast::{Cast as _, Wide};
use super::{ByteOrder, Datatype, Field, NdArray, Slice, Value, layout};
use crate::error::Result;
use crate::tree::{
    ArrayDifference, Change, DifferenceOptions, ElementsDifference, ShapeDifference, Tolerance,
};

impl NdArray {
    /// Returns the differences between this array and another; an empty list if they are equal.
    ///
    /// - The datatype, but not the byte order. Elements are compared by value even if the datatypes differ,
    ///   unless one array holds numbers and the other texts. With a tolerance, or without
    ///   [`DifferenceOptions::datatypes`], different datatypes of numbers are not a difference.
    /// - The shape. Then the elements of the common part are compared. If the number of axes differs, all
    ///   elements are compared in C order, if both arrays have the same number of them.
    /// - Elements farther apart than the tolerance. NaN is equal to NaN, and masked elements to masked ones.
    ///   A complex number is close if both of its parts are.
    /// - Arrays of records: each field on its own, by name.
    ///
    /// Reads both arrays whole into memory.
    ///
    /// # Errors
    /// As [`elements`](Self::elements).
    pub fn difference(&self, other: &Self, options: &DifferenceOptions) -> Result<Vec<ArrayDifference>> {
        let same_type = self.datatype.without_byteorder() == other.datatype.without_byteorder();
        if same_type && self.shape == other.shape && self.is_identical(other)? {
            return Ok(Vec::new());
        }
        let comparison = Comparison { options, depth: 0 };
        comparison.arrays(self, other)
    }

    /// Returns whether there are no masks and the bytes of arrays of the same shape are the same, which is a fast test for equality.
    fn is_identical(&self, other: &Self) -> Result<bool> {
        let whole = |array: &Self| Ok(array.mask.is_none() && array.missing()?.is_none());
        if !whole(self)? || !whole(other)? {
            return Ok(false);
        }
        for (a, b) in self.pieces(PIECE)?.zip(other.pieces(PIECE)?) {
            if a?.packed_bytes(ByteOrder::Little)? != b?.packed_bytes(ByteOrder::Little)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The number of elements whose bytes are compared at once.
const PIECE: u64 = 1 << 20;

/// The maximum nesting depth of records; deeper ones are compared as a whole.
const DEEPEST: usize = 8;

struct Comparison<'o> {
    options: &'o DifferenceOptions,
    depth: usize,
}

impl Comparison<'_> {
    fn arrays(&self, left: &NdArray, right: &NdArray) -> Result<Vec<ArrayDifference>> {
        let mut changes = Vec::new();
        let fields = fields(&left.datatype).zip(fields(&right.datatype));
        let same_type = left.datatype.without_byteorder() == right.datatype.without_byteorder();
        let comparable = fields.is_some() || is_comparable(&left.datatype, &right.datatype);
        if !same_type && fields.is_none() && (!comparable || self.type_counts(&left.datatype)) {
            changes.push(Change::Datatype(left.datatype.to_string(), right.datatype.to_string()).into());
        }
        let same_shape = left.shape == right.shape;
        let parts = if !comparable || same_shape { None } else { common(left, right)? };
        let (compared, (a, b)) = match parts {
            Some((shape, parts)) => (Some(shape), parts),
            None => (None, (left.clone(), right.clone())),
        };
        let mut below = Vec::new();
        if comparable && (same_shape || compared.is_some()) {
            match fields {
                Some((left, right)) if self.depth < DEEPEST => {
                    below = Comparison { depth: self.depth + 1, ..*self }.records(&a, left, &b, right)?;
                }
                _ => {
                    let found = elements(&a, &b, self.options.tolerance)?;
                    below.extend(found.map(|found| Change::Elements(found).into()));
                }
            }
        }
        if !same_shape {
            let equal = compared.is_some() && below.is_empty();
            let change = match (left.shape.as_slice(), right.shape.as_slice()) {
                (&[left], &[right]) if fields.is_some() => Change::Rows(left, right),
                (left, right) => {
                    let (left, right) = (left.to_vec(), right.to_vec());
                    Change::Shape(ShapeDifference { left, right, compared, equal })
                }
            };
            changes.push(change.into());
        }
        changes.append(&mut below);
        Ok(changes)
    }

    /// Returns whether different datatypes are a difference, even if the elements are equal.
    fn type_counts(&self, datatype: &Datatype) -> bool {
        let excused = is_number(datatype) && !self.options.tolerance.is_exact();
        self.options.counts_datatypes() && !excused
    }

    /// Compares field by field, in the order of the first array, then the fields that only the second has.
    fn records(
        &self,
        left: &NdArray,
        lefts: &[Field],
        right: &NdArray,
        rights: &[Field],
    ) -> Result<Vec<ArrayDifference>> {
        let name = |field: &Field| field.name.clone().unwrap_or_default();
        let mut changes = Vec::new();
        for field in lefts {
            let name = name(field);
            if !rights.iter().any(|other| other.name == field.name) {
                changes.push(ArrayDifference { field: Some(name), change: Change::Missing });
                continue;
            }
            let (a, b) = (left.field(&name)?, right.field(&name)?);
            let same_type = a.datatype.without_byteorder() == b.datatype.without_byteorder();
            if same_type && a.shape == b.shape && a.is_identical(&b)? {
                continue;
            }
            changes.extend(self.arrays(&a, &b)?.into_iter().map(|change| change.under(&name)));
        }
        for field in rights.iter().filter(|field| !lefts.iter().any(|other| other.name == field.name)) {
            changes.push(ArrayDifference { field: Some(name(field)), change: Change::Added });
        }
        let order = |fields: &[Field], others: &[Field]| -> Vec<String> {
            let both = fields.iter().filter(|field| others.iter().any(|other| other.name == field.name));
            both.map(name).collect()
        };
        if self.options.counts_datatypes() && order(lefts, rights) != order(rights, lefts) {
            changes.push(Change::Order.into());
        }
        Ok(changes)
    }
}

/// Returns the fields of records, if each has a name of its own.
fn fields(datatype: &Datatype) -> Option<&[Field]> {
    let Datatype::Struct(fields) = datatype else { return None };
    let mut names = std::collections::HashSet::new();
    let named = fields.iter().all(|field| field.name.as_ref().is_some_and(|name| names.insert(name)));
    named.then_some(fields.as_slice())
}

fn is_text(datatype: &Datatype) -> bool {
    matches!(datatype, Datatype::Ascii(_) | Datatype::Ucs4(_))
}

fn is_number(datatype: &Datatype) -> bool {
    !is_text(datatype) && !matches!(datatype, Datatype::Struct(_))
}

fn is_comparable(left: &Datatype, right: &Datatype) -> bool {
    match (left, right) {
        (Datatype::Struct(_), Datatype::Struct(_)) => left.without_byteorder() == right.without_byteorder(),
        _ => (is_text(left) && is_text(right)) || (is_number(left) && is_number(right)),
    }
}

type Parts = (Vec<u64>, (NdArray, NdArray));

/// Returns the parts of two arrays of different shapes that can be compared: the first entries along each
/// axis, or all elements in C order if the axes differ and the counts agree.
fn common(left: &NdArray, right: &NdArray) -> Result<Option<Parts>> {
    if left.shape.len() == right.shape.len() {
        let shape: Vec<u64> = left.shape.iter().zip(&right.shape).map(|(a, b)| *a.min(b)).collect();
        let slices = |array: &NdArray| -> Result<NdArray> {
            let range = |&n: &u64| {
                let end = Some(i64::try_from(n).unwrap_or(i64::MAX));
                Slice::Range { start: None, end, step: 1 }
            };
            array.slice(&shape.iter().map(range).collect::<Vec<_>>())
        };
        return Ok(Some((shape.clone(), (slices(left)?, slices(right)?))));
    }
    let same_count = left.len() == right.len() && !left.is_empty();
    Ok(same_count.then(|| (vec![left.len()], (left.clone(), right.clone()))))
}

/// Compares two arrays with the same number of elements.
fn elements(left: &NdArray, right: &NdArray, tolerance: Tolerance) -> Result<Option<ElementsDifference>> {
    let mut found: Option<ElementsDifference> = None;
    let mut largest: Option<(f64, u64)> = None;
    let index = |place| layout::index_of(left.shape.iter().copied(), place);
    for (place, (a, b)) in (0_u64..).zip(left.elements()?.zip(right.elements()?)) {
        let mut distance = None;
        if is_close(&a, &b, tolerance, &mut distance) {
            continue;
        }
        if let Some(far) = distance.filter(|far| largest.is_none_or(|(most, _)| *far > most)) {
            largest = Some((far, place));
        }
        match &mut found {
            Some(found) => found.different += 1,
            None => {
                let mut texts = (shown(&a, &left.datatype), shown(&b, &right.datatype));
                if texts.0 == texts.1 {
                    // For example, a float32 and a float64 that both round to 0.1.
                    texts = (shown(&a, &Datatype::Float64), shown(&b, &Datatype::Float64));
                }
                found = Some(ElementsDifference {
                    different: 1,
                    of: left.len(),
                    first: index(place),
                    left: texts.0,
                    right: texts.1,
                    largest: None,
                });
            }
        }
    }
    if let Some(found) = &mut found {
        found.largest = largest.map(|(far, place)| (far, index(place)));
    }
    Ok(found)
}

/// Returns whether two elements are equal within the tolerance. Also updates the largest distance of finite
/// numbers.
fn is_close(left: &Value, right: &Value, tolerance: Tolerance, distance: &mut Option<f64>) -> bool {
    match (left, right) {
        (Value::Float(a), Value::Float(b)) => {
            far(*a, *b, distance);
            tolerance.accepts(*a, *b)
        }
        (Value::Record(a), Value::Record(b)) | (Value::List(a), Value::List(b)) => {
            let mut close = a.len() == b.len();
            for (a, b) in a.iter().zip(b) {
                close &= is_close(a, b, tolerance, distance);
            }
            close
        }
        _ => match (parts(left), parts(right)) {
            (Some((a, i)), Some((b, j))) => {
                let real = is_near(a, b, tolerance, distance);
                is_near(i, j, tolerance, distance) && real
            }
            _ => left == right,
        },
    }
}

/// Returns the real and the imaginary part of a number.
fn parts(value: &Value) -> Option<(Wide, Wide)> {
    let zero = Wide::Small(0);
    Some(match *value {
        Value::Bool(flag) => (flag.to_wide(), zero),
        Value::Int(number) => (Wide::Int(number), zero),
        Value::Uint(number) => (Wide::Uint(number), zero),
        Value::Float(number) => (Wide::Float(number), zero),
        Value::Complex(Complex64 { re, im }) => (Wide::Float(re), Wide::Float(im)),
        _ => return None,
    })
}

/// Returns whether two real numbers are equal within the tolerance. An integer and a float can be exactly equal.
fn is_near(a: Wide, b: Wide, tolerance: Tolerance, distance: &mut Option<f64>) -> bool {
    let exactly = |integer: Wide, float: f64| match integer {
        Wide::Uint(number) => u128::exact(Wide::Float(float)) == Some(number),
        integer => i128::exact(Wide::Float(float)) == Some(i128::lossy(integer)),
    };
    let equal = match (a, b) {
        (Wide::Float(a), Wide::Float(b)) => a == b || (a.is_nan() && b.is_nan()),
        (Wide::Float(float), integer) | (integer, Wide::Float(float)) => exactly(integer, float),
        (Wide::Uint(a), Wide::Uint(b)) => a == b,
        (Wide::Uint(_), _) | (_, Wide::Uint(_)) => false,
        (a, b) => i128::lossy(a) == i128::lossy(b),
    };
    equal || {
        let (a, b) = (f64::lossy(a), f64::lossy(b));
        far(a, b, distance);
        !tolerance.is_exact() && tolerance.accepts(a, b)
    }
}

fn far(a: f64, b: f64, distance: &mut Option<f64>) {
    let new = (a - b).abs();
    if new.is_finite() && new > distance.unwrap_or(0.0) {
        *distance = Some(new);
    }
}

/// Returns an element as a short text.
fn shown(value: &Value, datatype: &Datatype) -> String {
    const SHOWN: usize = 60;
    let text = match value {
        Value::Text(text) => format!("'{}'", text.escape_debug()),
        value => value.to_text(datatype, "missing"),
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

    fn differences(a: &NdArray, b: &NdArray, options: &DifferenceOptions) -> Vec<Change> {
        a.difference(b, options).unwrap().into_iter().map(|difference| difference.change).collect()
    }

    fn changes(a: &NdArray, b: &NdArray, tolerance: Tolerance) -> Vec<Change> {
        differences(a, b, &DifferenceOptions::new().tolerance(tolerance))
    }

    fn shape(left: &[u64], right: &[u64], compared: &[u64], equal: bool) -> Change {
        let compared = Some(compared.to_vec()).filter(|shape| !shape.is_empty());
        Change::Shape(ShapeDifference { left: left.to_vec(), right: right.to_vec(), compared, equal })
    }

    #[test]
    fn datatype_and_shape_come_first() {
        let a = NdArray::new(&[2, 2], &[1_i32, 2, 3, 4]).unwrap();
        let b = NdArray::new(&[4], &[1.0_f32, 2.0, 3.0, 4.0]).unwrap();
        let datatype = Change::Datatype("int32".to_owned(), "float32".to_owned());
        let same = shape(&[2, 2], &[4], &[4], true);
        assert_eq!(changes(&a, &b, Tolerance::EXACT), [datatype.clone(), same.clone()]);
        assert_eq!(
            differences(&a, &b, &DifferenceOptions::new().datatypes(false)),
            std::slice::from_ref(&same)
        );
        assert_eq!(changes(&a, &b, Tolerance { relative: 1e-6, absolute: 0.0 }), [same]);
        let swapped: Vec<u8> = [1_i32, 2, 3, 4].into_iter().flat_map(i32::to_be_bytes).collect();
        let swapped = NdArray::from_bytes(a.datatype().clone(), ByteOrder::Big, &[2, 2], swapped).unwrap();
        assert_eq!(changes(&a, &swapped, Tolerance::EXACT), []);
        assert_eq!(changes(&a, &a.clone().inlined().unwrap(), Tolerance::EXACT), []);
        // The elements are compared whatever the datatype, unless one array holds texts and the other
        // numbers.
        let c = NdArray::new(&[2, 2], &[1_u8, 2, 3, 9]).unwrap();
        let found = changes(&a, &c, Tolerance::EXACT);
        assert!(matches!(found.as_slice(), [Change::Datatype(..), Change::Elements(_)]), "{found:?}");
        let text =
            NdArray::from_bytes(Datatype::Ascii(1), ByteOrder::Little, &[2, 2], b"abcd".to_vec()).unwrap();
        let found = changes(&a, &text, Tolerance { relative: 1.0, absolute: 1.0 });
        assert!(matches!(found.as_slice(), [Change::Datatype(..)]), "{found:?}");
    }

    #[test]
    fn the_common_part_of_two_shapes_is_compared() {
        let a = NdArray::new(&[2, 3], &[1, 2, 3, 4, 5, 6_i64]).unwrap();
        let b = NdArray::new(&[2, 2], &[1, 2, 4, 5_i64]).unwrap();
        assert_eq!(changes(&a, &b, Tolerance::EXACT), [shape(&[2, 3], &[2, 2], &[2, 2], true)]);
        let c = NdArray::new(&[3, 2], &[1, 2, 4, 9, 7, 8_i64]).unwrap();
        let found = changes(&a, &c, Tolerance::EXACT);
        let [Change::Shape(_), Change::Elements(elements)] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((elements.different, elements.of, elements.first.as_slice()), (1, 4, &[1_u64, 1][..]));
        let d = NdArray::new(&[5], &[1, 2, 3, 4, 5_i64]).unwrap();
        assert_eq!(changes(&a, &d, Tolerance::EXACT), [shape(&[2, 3], &[5], &[], false)]);
    }

    #[test]
    fn numbers_of_other_types_are_compared_exactly() {
        let values = DifferenceOptions::new().datatypes(false);
        let same = |a: &NdArray, b: &NdArray| differences(a, b, &values).is_empty();
        let large = NdArray::new(&[2], &[(1_i64 << 53) + 1, 3]).unwrap();
        let nearest = NdArray::new(&[2], &[2_f64.powi(53), 3.0]).unwrap();
        assert!(!same(&large, &nearest) && !same(&nearest, &large));
        assert!(same(&NdArray::new(&[2], &[2_f64.powi(53), 3.0]).unwrap(), &nearest));
        assert!(same(&large, &NdArray::new(&[2], &[(1_u64 << 53) + 1, 3]).unwrap()));
        let tenths = (NdArray::new(&[1], &[0.1_f32]).unwrap(), NdArray::new(&[1], &[0.1_f64]).unwrap());
        let found = differences(&tenths.0, &tenths.1, &values);
        let [Change::Elements(elements)] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((elements.left.as_str(), elements.right.as_str()), ("0.10000000149011612", "0.1"));
        assert!(changes(&tenths.0, &tenths.1, Tolerance { relative: 1e-6, absolute: 0.0 }).is_empty());
        let complex = NdArray::new(&[1], &[Complex64::new(2.0, 0.0)]).unwrap();
        assert!(same(&complex, &NdArray::new(&[1], &[2_u8]).unwrap()));
        assert!(same(&NdArray::new(&[1], &[true]).unwrap(), &NdArray::new(&[1], &[1_i8]).unwrap()));
    }

    #[test]
    fn the_first_and_the_largest_difference_are_reported() {
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
        assert_eq!(changes(&a, &b, Tolerance::EXACT), [Change::Elements(elements)]);
        let loose = Tolerance { relative: 0.25, absolute: 0.0 };
        let Change::Elements(left) = changes(&a, &b, loose).remove(0) else { panic!("not elements") };
        assert_eq!((left.different, left.largest), (1, None));
    }

    #[test]
    fn masked_elements_are_equal() {
        let mask = |flags: &[bool]| Mask::Array(Box::new(NdArray::new(&[2], flags).unwrap()));
        let a = NdArray::new(&[2], &[1_u8, 2]).unwrap().with_mask(mask(&[false, true])).unwrap();
        let b = NdArray::new(&[2], &[1_u8, 7]).unwrap().with_mask(mask(&[false, true])).unwrap();
        assert_eq!(changes(&a, &b, Tolerance::EXACT), []);
        let Change::Elements(all) =
            changes(&a, &NdArray::new(&[2], &[1_u8, 2]).unwrap(), Tolerance::EXACT).remove(0)
        else {
            panic!("not elements")
        };
        assert_eq!((all.left.as_str(), all.right.as_str()), ("missing", "2"));
    }

    #[test]
    fn records_are_compared_field_by_field() {
        let field = |name: &str, datatype| Field {
            name: Some(name.to_owned()),
            datatype,
            byteorder: None,
            shape: Vec::new(),
        };
        let records = |fields: Vec<Field>, rows: u64, bytes: &[u8]| {
            let datatype = Datatype::Struct(fields);
            NdArray::from_bytes(datatype, ByteOrder::Little, &[rows], bytes.to_vec()).unwrap()
        };
        let (a, b, c) =
            (field("a", Datatype::Uint8), field("b", Datatype::Uint8), field("c", Datatype::Int8));
        let one = records(vec![a.clone(), b.clone()], 2, &[1, 2, 3, 4]);
        let other = records(vec![c, a.clone()], 3, &[9, 1, 9, 7, 9, 5]);
        let found: Vec<(Option<String>, String)> = one
            .difference(&other, &DifferenceOptions::new())
            .unwrap()
            .into_iter()
            .map(|difference| (difference.field, format!("{:?}", difference.change)))
            .map(|(field, change)| (field, change.split(['(', ' ']).next().unwrap_or_default().to_owned()))
            .collect();
        let named = |name: &str, change: &str| (Some(name.to_owned()), change.to_owned());
        assert_eq!(
            found,
            [(None, "Rows".to_owned()), named("a", "Elements"), named("b", "Missing"), named("c", "Added"),]
        );
        let swapped = records(vec![b, a], 2, &[2, 1, 4, 3]);
        assert_eq!(differences(&one, &swapped, &DifferenceOptions::new()), [Change::Order]);
        assert_eq!(differences(&one, &swapped, &DifferenceOptions::new().datatypes(false)), []);
    }

    proptest! {
        #[test]
        fn the_number_of_differences_is_right(pairs in prop::collection::vec((-3..3_i64, -3..3_i64), 0..30)) {
            let shape = [u64::try_from(pairs.len()).unwrap()];
            let (a, b): (Vec<i64>, Vec<i64>) = pairs.iter().copied().unzip();
            let floats: Vec<f32> = b.iter().map(|&n| f32::from(i8::try_from(n).unwrap())).collect();
            let a = NdArray::new(&shape, &a).unwrap();
            let different = pairs.iter().filter(|(a, b)| a != b).count();
            for b in [NdArray::new(&shape, &b).unwrap(), NdArray::new(&shape, &floats).unwrap()] {
                let found = match differences(&a, &b, &DifferenceOptions::new().datatypes(false)).pop() {
                    Some(Change::Elements(elements)) => elements.different,
                    _ => 0,
                };
                prop_assert_eq!(found, u64::try_from(different).unwrap());
                let loose = Tolerance { relative: 0.0, absolute: 6.0 };
                prop_assert!(changes(&a, &b, loose).is_empty());
            }
        }
    }
}
