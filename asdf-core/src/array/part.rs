//! Parts of an array, as arrays over the same bytes.

use super::ndarray::Data;
use super::{ByteOrder, Datatype, Mask, NdArray, Slice, layout};
use crate::error::{Error, Result};
use crate::value::{Extra, KeptTag};

/// The shape, strides and offset of a part of an array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) shape: Vec<u64>,
    pub(super) strides: Vec<i64>,
    pub(super) offset: u64,
}

impl Part {
    fn of(array: &NdArray) -> Result<Self> {
        let strides = match &array.strides {
            Some(strides) => strides.clone(),
            None => layout::packed(&array.shape, array.datatype.size()?).ok_or_else(too_large)?,
        };
        Ok(Self { shape: array.shape.clone(), strides, offset: array.offset })
    }

    /// Takes slices. There can be fewer slices than axes.
    pub(super) fn slice(&self, slices: &[Slice]) -> Result<Self> {
        let slices = expand(slices, &self.shape)?;
        let mut part = Self { shape: Vec::new(), strides: Vec::new(), offset: self.offset };
        let mut axes = self.shape.iter().copied().zip(self.strides.iter().copied()).enumerate();
        for slice in slices {
            if slice == Slice::NewAxis {
                part.push(1, 0);
                continue;
            }
            let Some((axis, (n, stride))) = axes.next() else { continue };
            let (first, step, count) = slice.resolve(axis, n)?;
            // Nothing is read from an empty axis, so its offset does not matter.
            if count != Some(0) {
                part.shift(stride, first)?;
            }
            if let Some(count) = count {
                // With a single entry, any step is right.
                let step = if count > 1 { step } else { 1 };
                part.push(count, stride.checked_mul(step).ok_or_else(too_large)?);
            }
        }
        Ok(part)
    }

    fn push(&mut self, n: u64, stride: i64) {
        self.shape.push(n);
        self.strides.push(stride);
    }

    fn shift(&mut self, stride: i64, by: u64) -> Result<()> {
        let offset = i128::from(self.offset) + i128::from(stride) * i128::from(by);
        self.offset = u64::try_from(offset).map_err(|_| too_large())?;
        Ok(())
    }

    /// Repeats the part to a larger shape. Axes are aligned at the end; those of length 1 and missing ones
    /// get a stride of 0.
    fn broadcast(mut self, to: &[u64]) -> Option<Self> {
        let missing = to.len().checked_sub(self.shape.len())?;
        self.shape.splice(0..0, std::iter::repeat_n(1, missing));
        self.strides.splice(0..0, std::iter::repeat_n(0, missing));
        for ((n, stride), &wanted) in self.shape.iter_mut().zip(&mut self.strides).zip(to) {
            if *n != wanted {
                if *n != 1 {
                    return None;
                }
                (*n, *stride) = (wanted, 0);
            }
        }
        Some(self)
    }
}

/// Returns the slices with one for each axis: the ellipsis and missing slices become whole axes.
pub(super) fn expand(slices: &[Slice], shape: &[u64]) -> Result<Vec<Slice>> {
    let ellipses = slices.iter().filter(|&&slice| slice == Slice::Ellipsis).count();
    let taken = slices.iter().filter(|slice| !matches!(slice, Slice::Ellipsis | Slice::NewAxis)).count();
    if ellipses > 1 {
        return Err(Error::usage("found several `...`, expected at most one"));
    }
    let Some(rest) = shape.len().checked_sub(taken) else {
        return Err(Error::mismatch(format!(
            "found {taken} slices, expected at most {} for an array of shape {shape:?}",
            shape.len()
        )));
    };
    let mut all = Vec::with_capacity(slices.len() + rest);
    for &slice in slices {
        match slice {
            Slice::Ellipsis => all.extend(std::iter::repeat_n(Slice::ALL, rest)),
            _ => all.push(slice),
        }
    }
    if ellipses == 0 {
        all.extend(std::iter::repeat_n(Slice::ALL, rest));
    }
    Ok(all)
}

fn too_large() -> Error {
    Error::limit("the array is too large for strides of 64 bits")
}

impl NdArray {
    /// Returns a part of the array, over the same bytes.
    ///
    /// No data is copied or read, but the block must exist, because shape, strides and offset are checked
    /// against it. The mask is cut in the same way.
    ///
    /// Reading the part reads only the bytes that it needs. This requires a block that is read by position, and
    /// elements that are at least 4 KiB apart: row by row, or element by element. A compressed block is decoded
    /// whole.
    ///
    /// A part is written as a view: its node gives offset and strides in the block of the whole array. That
    /// block is written whole, once for all of its parts. [`packed`](Self::packed) makes the part an array of
    /// its own. A part of inline data is written as lists of its elements.
    ///
    /// # Examples
    /// ```
    /// use asdf_core::NdArray;
    /// use asdf_core::array::Slice;
    ///
    /// let image = NdArray::new(&[2, 3], &[1_u8, 2, 3, 4, 5, 6])?;
    /// let column = image.slice(&Slice::parse(":, 1")?)?;
    /// assert_eq!((column.shape(), column.read::<u8>()?), ([2].as_slice(), vec![2, 5]));
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Mismatch`](crate::error::Kind::Mismatch) if an index is outside of its axis or there are more slices
    /// than axes; [`Usage`](crate::error::Kind::Usage) for a step of 0 or two ellipses; and as
    /// [`check`](Self::check).
    pub fn slice(&self, slices: &[Slice]) -> Result<Self> {
        self.check()?;
        let part = Part::of(self)?.slice(slices)?;
        let cut = |array: &Self| array.broadcast(&self.shape)?.slice(slices);
        self.part(part, cut)
    }

    /// Returns the array with this part's layout, with its mask and its flags of missing elements cut alike.
    fn part(&self, part: Part, cut: impl Fn(&Self) -> Result<Self>) -> Result<Self> {
        let mask = match &self.mask {
            Some(Mask::Array(array)) => {
                Some(Mask::Array(Box::new(cut(array).map_err(|error| error.under("mask"))?)))
            }
            other => other.clone(),
        };
        let data = match &self.data {
            Data::Inline { inline, missing: Some(missing) } => {
                Data::Inline { inline: inline.clone(), missing: Some(Box::new(cut(missing)?)) }
            }
            other => other.clone(),
        };
        Ok(Self {
            tag: self.tag.clone(),
            datatype: self.datatype.clone(),
            byteorder: self.byteorder,
            shape: part.shape,
            streamed: false,
            offset: part.offset,
            strides: Some(part.strides),
            data,
            mask,
            extra: self.extra.clone(),
        })
    }

    /// Repeats the array to a shape, as for a mask, with strides of zero over the same bytes.
    fn broadcast(&self, shape: &[u64]) -> Result<Self> {
        if self.shape == shape {
            return Ok(self.clone());
        }
        let part = Part::of(self)?.broadcast(shape).ok_or_else(|| {
            Error::mismatch(format!(
                "an array of shape {:?} does not broadcast to the shape {shape:?}",
                self.shape
            ))
        })?;
        self.part(part, |array| array.broadcast(shape))
    }

    /// Returns the array with its axes reversed, over the same bytes: columns of an image become rows.
    ///
    /// As with [`slice`](Self::slice), no data is copied or read, and the result is written as a view. To
    /// read data in Fortran order, make an array of the reversed shape and transpose it.
    ///
    /// ```
    /// use asdf_core::NdArray;
    ///
    /// let array = NdArray::new(&[2, 3], &[1_u8, 2, 3, 4, 5, 6])?;
    /// let transposed = array.transposed()?;
    /// assert_eq!((transposed.shape(), transposed.read::<u8>()?), ([3, 2].as_slice(), vec![1, 4, 2, 5, 3, 6]));
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`check`](Self::check).
    #[doc(alias = "swapaxes")]
    pub fn transposed(&self) -> Result<Self> {
        self.check()?;
        let mut part = Part::of(self)?;
        part.shape.reverse();
        part.strides.reverse();
        self.part(part, |array| array.broadcast(&self.shape)?.transposed())
    }

    /// Returns a field of a structured array as an array of its own.
    ///
    /// It has the same bytes with other strides; nothing is copied. A field that is an array adds its axes at
    /// the end. If a record is missing, all of its fields are.
    ///
    /// # Examples
    /// ```
    /// use asdf_core::array::{ByteOrder, Field};
    /// use asdf_core::{Datatype, NdArray};
    ///
    /// let record = Datatype::Struct(vec![Field::new("id", Datatype::Uint8), Field::new("flag", Datatype::Bool8)]);
    /// let table = NdArray::from_bytes(record, ByteOrder::Little, &[2], vec![7, 1, 8, 0])?;
    /// assert_eq!(table.field("id")?.read::<u8>()?, [7, 8]);
    /// assert_eq!(table.field("flag")?.read::<bool>()?, [true, false]);
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Mismatch`](crate::error::Kind::Mismatch) if the array is not structured or has no such field.
    pub fn field(&self, name: &str) -> Result<Self> {
        let Datatype::Struct(fields) = &self.datatype else {
            return Err(Error::mismatch(format!(
                "found an array of {}, expected an array of records",
                self.datatype
            )));
        };
        self.check()?;
        let mut at = 0;
        for field in fields {
            if field.name.as_deref() != Some(name) {
                at += field.size()?;
                continue;
            }
            let mut part = Part::of(self)?;
            part.offset = part.offset.checked_add(at).ok_or_else(too_large)?;
            let inner = layout::packed(&field.shape, field.datatype.size()?).ok_or_else(too_large)?;
            part.shape.extend(&field.shape);
            part.strides.extend(inner);
            // A mask of records has the same fields. Any other mask hides whole records.
            let cut = |array: &Self| match &array.datatype {
                Datatype::Struct(_) => array.field(name),
                _ => {
                    let mut part = Part::of(&array.broadcast(&self.shape)?)?;
                    part.shape.extend(&field.shape);
                    part.strides.extend(field.shape.iter().map(|_| 0));
                    array.part(part, |_| {
                        Err(Error::unsupported("masks that are masked themselves are not supported"))
                    })
                }
            };
            let mut array = self.part(part, cut)?;
            array.mask = array.mask.filter(|mask| matches!(mask, Mask::Array(_)));
            array.tag = KeptTag::Newest;
            array.extra = Extra::new();
            array.datatype = field.datatype.clone();
            array.byteorder = field.byteorder.unwrap_or(self.byteorder);
            return Ok(array);
        }
        let names: Vec<&str> = fields.iter().filter_map(|field| field.name.as_deref()).collect();
        Err(Error::mismatch(format!("the array has no field '{}'", name.escape_debug()))
            .with_hint(format!("use one of {}", names.join(", "))))
    }

    /// Returns an iterator over the array in pieces of `count` rows (entries of the first axis), in order.
    ///
    /// The last piece can be shorter. Each piece is read separately, on demand, so arrays larger than memory
    /// can be processed, also if the first length is `*`. Only a compressed block is decoded whole.
    ///
    /// ```
    /// use asdf_core::NdArray;
    ///
    /// let array = NdArray::new(&[5, 2], &[1.0_f64, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0])?;
    /// let mut sum = 0.0;
    /// for rows in array.rows(2)? {
    ///     sum += rows?.view::<f64>()?.iter().sum::<f64>();
    /// }
    /// assert_eq!(sum, 55.0);
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Mismatch`](crate::error::Kind::Mismatch) if the array has no axis;
    /// [`Usage`](crate::error::Kind::Usage) if `count` is 0; and as [`check`](Self::check).
    pub fn rows(&self, count: u64) -> Result<Rows> {
        self.check()?;
        if count == 0 {
            return Err(Error::usage("the number of rows in a piece must not be 0"));
        }
        if self.shape.is_empty() {
            return Err(Error::mismatch("a single value has no rows")
                .with_hint("read the value with `view` or `read`"));
        }
        Ok(Rows { array: self.clone(), at: 0, count })
    }

    /// Returns the same array over bytes of its own, which hold its elements in C order and nothing else.
    ///
    /// A part needs this to be stored alone. The elements are copied unless they are already stored so.
    /// Inline data stays inline.
    ///
    /// # Errors
    /// As [`packed_bytes`](Self::packed_bytes).
    pub fn packed(&self) -> Result<Self> {
        if self.is_inline() {
            return self.packed_inline();
        }
        let mask = match &self.mask {
            Some(Mask::Array(array)) => Some(Mask::Array(Box::new(array.packed()?))),
            other => other.clone(),
        };
        let whole = self.strides.is_none() && self.offset == 0;
        if let (Data::Own(block), true) = (&self.data, whole) {
            if block.size() == self.len().saturating_mul(self.datatype.size()?) {
                return Ok(Self { mask, ..self.clone() });
            }
        }
        let bytes = self.stored_bytes()?;
        let packed = Self::from_bytes(self.datatype.clone(), self.byteorder, &self.shape, bytes)?;
        Ok(Self { tag: self.tag.clone(), extra: self.extra.clone(), mask, ..packed })
    }
}

impl NdArray {
    /// Returns the same elements, stored in a byte order.
    ///
    /// They are copied and converted unless they are already in that order. Fields of records with a byte
    /// order of their own are converted too. Inline data has no byte order and stays as it is.
    ///
    /// # Errors
    /// As [`packed_bytes`](Self::packed_bytes).
    #[doc(alias = "newbyteorder")]
    #[doc(alias = "byteswap")]
    pub fn with_byteorder(self, order: ByteOrder) -> Result<Self> {
        let datatype = self.datatype.without_byteorder();
        if self.is_inline() || (self.byteorder == order && self.datatype == datatype) {
            return Ok(self);
        }
        let swapped = Self::from_bytes(datatype, order, &self.shape, self.packed_bytes(order)?)?;
        Ok(Self { tag: self.tag, extra: self.extra, mask: self.mask, ..swapped })
    }
}

/// An iterator over an array in pieces of some rows; see [`NdArray::rows`].
#[derive(Debug, Clone)]
pub struct Rows {
    array: NdArray,
    at: u64,
    count: u64,
}

impl Iterator for Rows {
    type Item = Result<NdArray>;

    fn next(&mut self) -> Option<Result<NdArray>> {
        let all = self.array.shape.first().copied()?;
        if self.at >= all {
            return None;
        }
        let end = self.at.saturating_add(self.count).min(all);
        let index = |at: u64| i64::try_from(at).ok();
        let range = Slice::Range { start: index(self.at), end: index(end), step: 1 };
        self.at = end;
        Some(self.array.slice(&[range]))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let all = self.array.shape.first().copied().unwrap_or(0);
        let left = usize::try_from(all.saturating_sub(self.at).div_ceil(self.count)).unwrap_or(usize::MAX);
        (left, Some(left))
    }
}

impl ExactSizeIterator for Rows {}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;
    use crate::array::counted::Counted;
    use crate::array::{Field, MemoryBlock, Value};
    use crate::block::Compression;
    use crate::tree::Tree;
    use crate::value::{FromNode, ToNode};

    fn counted(shape: &[u64]) -> (NdArray, Arc<Counted>) {
        let count = shape.iter().product::<u64>();
        let bytes: Vec<u8> = (0..u32::try_from(count).unwrap()).flat_map(u32::to_le_bytes).collect();
        let block = Arc::new(Counted::new(bytes.clone()));
        let array = NdArray::from_bytes(Datatype::Uint32, ByteOrder::Little, shape, bytes).unwrap();
        (NdArray { data: Data::Own(block.clone()), ..array }, block)
    }

    fn slice(array: &NdArray, text: &str) -> Result<NdArray> {
        array.slice(&Slice::parse(text)?)
    }

    fn again(array: &NdArray) -> NdArray {
        let mut tree = Tree::new();
        let id = array.to_node(&mut tree).unwrap();
        tree.set_root(id);
        NdArray::from_node(tree.root().unwrap()).unwrap()
    }

    #[test]
    fn only_needed_bytes_are_read() {
        let (array, block) = counted(&[1000, 1000]);
        for (text, needed, most) in [
            ("10:20, 30:40", 400, 40_000),
            (":, 7", 4000, 4_100_000),
            ("::100", 40_000, 40_000),
            // The 2000 bytes between two elements are read with them.
            ("::10, ::500", 800, 200_400),
            ("999:0:-100, 5:6", 40, 40),
            ("3:3", 0, 0),
            ("-1, -1", 4, 4),
        ] {
            block.forget();
            let part = slice(&array, text).unwrap();
            assert_eq!(block.read_bytes(), 0, "{text}: a slice reads nothing");
            let values = part.read::<u32>().unwrap();
            let read = block.read_bytes();
            assert!((needed..=most).contains(&read), "{text}: {read} bytes were read");
            assert_eq!(part.len(), u64::try_from(values.len()).unwrap());
        }
        // A column of a wide array: entry by entry.
        let (wide, block) = counted(&[20, 50_000]);
        let column = slice(&wide, "::-1, 7").unwrap();
        assert_eq!(column.read::<u32>().unwrap()[..2], [19 * 50_000 + 7, 18 * 50_000 + 7]);
        assert_eq!(block.read_bytes(), 80);
    }

    #[test]
    fn rows_are_read_in_order_one_piece_at_a_time() {
        let (array, block) = counted(&[10, 50]);
        let mut all = Vec::new();
        let rows = array.rows(4).unwrap();
        assert_eq!(rows.len(), 3);
        for piece in rows {
            let before = block.read_bytes();
            let piece = piece.unwrap();
            all.extend(piece.view::<u32>().unwrap().iter());
            assert_eq!(block.read_bytes() - before, piece.len() * 4);
        }
        assert_eq!(all, array.read::<u32>().unwrap());
        assert!(array.rows(0).is_err() && slice(&array, "0, 0").unwrap().rows(1).is_err());
        assert_eq!(slice(&array, "0:0").unwrap().rows(3).unwrap().count(), 0);
    }

    #[test]
    fn errors_of_slices_name_the_fault() {
        let (array, _) = counted(&[4, 5]);
        for (text, message) in [
            ("4", "index 4 is outside axis 0, which has 4 entries"),
            ("0, -6", "index -6 is outside axis 1, which has 5 entries"),
            ("0, 0, 0", "found 3 slices, expected at most 2 for an array of shape [4, 5]"),
            ("..., ...", "found several `...`, expected at most one"),
        ] {
            assert_eq!(slice(&array, text).unwrap_err().message(), message);
        }
        assert_eq!(slice(&array, "new, 1, ..., new, ::2").unwrap().shape(), [1, 1, 3]);
        assert_eq!(slice(&array, "").unwrap(), array);
    }

    #[test]
    fn parts_are_written_as_views_and_packed_alone() {
        let whole = NdArray::new(&[3, 4], &(0..12).collect::<Vec<i32>>()).unwrap();
        let part = slice(&whole, "::-2, 1:3").unwrap();
        let mut tree = Tree::new();
        let ids = [whole.to_node(&mut tree).unwrap(), part.to_node(&mut tree).unwrap()];
        let root = tree.add_sequence(ids);
        tree.set_root(root);
        assert_eq!(tree.blocks().count().unwrap(), 1, "the block is shared");
        let back: Vec<NdArray> = tree.get("").unwrap();
        assert_eq!((back[1].offset(), back[1].strides()), (36, Some([-32, 4].as_slice())));
        assert_eq!(back[1].read::<i32>().unwrap(), [9, 10, 1, 2]);
        let alone = back[1].packed().unwrap();
        assert_eq!((alone.offset(), alone.strides(), alone.check().is_ok()), (0, None, true));
        assert_eq!(alone, part);
        let compressed = part.with_compression(Compression::NONE).unwrap();
        assert_eq!((compressed.block().unwrap().unwrap().size(), compressed), (16, alone));
    }

    #[test]
    fn masks_and_nulls_are_cut_along() {
        let flags = NdArray::new(&[3], &[false, true, false]).unwrap();
        let array = NdArray::new(&[2, 3], &[1_u8, 2, 3, 4, 5, 6])
            .unwrap()
            .with_mask(Mask::Array(Box::new(flags)))
            .unwrap();
        let part = slice(&array, "1:, 1:").unwrap();
        let expected = [Value::Missing, Value::Int(6)];
        assert_eq!(part.elements().unwrap().collect::<Vec<_>>(), expected);
        assert_eq!(again(&part).elements().unwrap().collect::<Vec<_>>(), expected);
        assert_eq!(part.packed().unwrap().elements().unwrap().collect::<Vec<_>>(), expected);

        let tree = crate::yaml::parse("!<tag:stsci.edu:asdf/core/ndarray-1.1.0> [1, null, 3, null]").unwrap();
        let inline: NdArray = tree.get("").unwrap();
        let part = slice(&inline, "2::-1").unwrap();
        let expected = [Value::Int(3), Value::Missing, Value::Int(1)];
        assert_eq!(part.elements().unwrap().collect::<Vec<_>>(), expected);
        let back = again(&part);
        assert!(back.is_inline());
        assert_eq!(
            (back.shape(), back.elements().unwrap().collect::<Vec<_>>()),
            ([3].as_slice(), expected.to_vec())
        );
    }

    #[test]
    fn masks_and_nulls_are_transposed_along() {
        let flags = NdArray::new(&[3], &[false, true, false]).unwrap();
        let array = NdArray::new(&[2, 3], &[1_u8, 2, 3, 4, 5, 6])
            .unwrap()
            .with_mask(Mask::Array(Box::new(flags)))
            .unwrap();
        let turned = array.transposed().unwrap();
        assert_eq!(turned.missing().unwrap().unwrap(), [false, false, true, true, false, false]);
        assert_eq!(again(&turned).read::<u8>().unwrap(), [1, 4, 2, 5, 3, 6]);
        assert_eq!(turned.transposed().unwrap().read::<u8>().unwrap(), [1, 2, 3, 4, 5, 6]);

        let tree =
            crate::yaml::parse("!<tag:stsci.edu:asdf/core/ndarray-1.1.0> [[1, null], [3, 4]]").unwrap();
        let inline: NdArray = tree.get("").unwrap();
        let expected = [Value::Int(1), Value::Int(3), Value::Missing, Value::Int(4)];
        assert_eq!(inline.transposed().unwrap().elements().unwrap().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn fields_of_missing_records_are_missing() {
        let datatype = Datatype::Struct(vec![
            Field::new("a", Datatype::Uint8),
            Field { shape: vec![2], ..Field::new("b", Datatype::Uint8) },
        ]);
        let flags = NdArray::new(&[2], &[true, false]).unwrap();
        let table = NdArray::from_bytes(datatype, ByteOrder::Little, &[2], vec![1, 2, 3, 4, 5, 6])
            .unwrap()
            .with_mask(Mask::Array(Box::new(flags)))
            .unwrap();
        let b = table.field("b").unwrap();
        assert_eq!(b.missing().unwrap().unwrap(), [true, true, false, false]);
        assert_eq!(slice(&table, "1").unwrap().field("b").unwrap().read::<u8>().unwrap(), [5, 6]);
        // A field of inline records is written without its record.
        let inline = table.inlined().unwrap().field("b").unwrap();
        assert_eq!(again(&inline).read::<u8>().unwrap(), [2, 3, 5, 6]);
    }

    fn any_slice() -> impl Strategy<Value = Slice> {
        let end = || prop::option::of(-7..7_i64);
        prop_oneof![
            4 => (end(), end(), prop_oneof![-3..0_i64, 1..4_i64])
                .prop_map(|(start, end, step)| Slice::Range { start, end, step }),
            1 => (-3..3_i64).prop_map(Slice::Index),
            1 => Just(Slice::NewAxis),
            1 => Just(Slice::ALL),
        ]
    }

    proptest! {
        /// A slice of slices has the elements that the indices select, gathered or borrowed.
        #[test]
        fn slices_select_the_elements_of_their_indices(
            shape in prop::collection::vec(1..6_u64, 1..4),
            first in prop::collection::vec(any_slice(), 0..4),
            second in prop::collection::vec(any_slice(), 0..3),
        ) {
            let (array, _) = counted(&shape);
            let Ok(once) = array.slice(&first) else { return Ok(()) };
            let Ok(part) = once.slice(&second) else { return Ok(()) };
            // Walks over all indices of the result and maps them back.
            let back = |slices: &[Slice], outer: &[u64], index: &[u64]| {
                let mut index = index.iter().copied();
                let mut axes = outer.iter().enumerate();
                let mut mapped = Vec::new();
                for &slice in slices {
                    if slice == Slice::NewAxis {
                        index.next();
                        continue;
                    }
                    let (axis, &n) = axes.next().unwrap();
                    let (first, step, count) = slice.resolve(axis, n).unwrap();
                    let k = if count.is_some() { index.next().unwrap() } else { 0 };
                    mapped.push(first.checked_add_signed(step * i64::try_from(k).unwrap()).unwrap());
                }
                mapped.extend(index);
                mapped
            };
            let mut expected = Vec::new();
            let count = part.shape().iter().product::<u64>();
            for place in 0..count {
                let mut rest = place;
                let mut index: Vec<u64> = part.shape().iter().rev().map(|&n| { let at = rest % n; rest /= n; at }).collect();
                index.reverse();
                let index = back(&first, &shape, &back(&second, once.shape(), &index));
                expected.push(index.iter().zip(&shape).fold(0, |sum, (i, n)| sum * n + i));
            }
            prop_assert_eq!(part.read::<u64>().unwrap(), expected.clone());
            let viewed: Vec<u64> = part.view::<u32>().unwrap().iter().map(u64::from).collect();
            prop_assert_eq!(&viewed, &expected);
            let block = part.block().unwrap().unwrap();
            let layout = layout::Layout::new(part.shape(), part.strides(), part.offset(), 4, block.size()).unwrap();
            if layout.count > 0 {
                let (bytes, gathered) = super::super::gather::read(&layout, block.as_ref()).unwrap();
                let view = crate::array::View::<u32>::new(bytes, gathered, ByteOrder::Little, crate::Threads::ALL);
                prop_assert_eq!(view.iter().map(u64::from).collect::<Vec<_>>(), expected.clone());
                prop_assert_eq!(view.to_vec().into_iter().map(u64::from).collect::<Vec<_>>(), expected);
            }
        }
    }

    #[test]
    fn transposed_and_broadcast_copies_are_in_order() {
        let (array, _) = counted(&[70, 90]);
        let transposed = NdArray { shape: vec![90, 70], strides: Some(vec![4, 360]), ..array.clone() };
        let expected: Vec<u32> = (0..90).flat_map(|c| (0..70).map(move |r| r * 90 + c)).collect();
        assert_eq!(transposed.read::<u32>().unwrap(), expected);
        assert_eq!(transposed.packed().unwrap().read::<u32>().unwrap(), expected);
        let repeated = NdArray { shape: vec![3, 2], strides: Some(vec![0, -4]), offset: 4, ..array };
        assert_eq!(repeated.read::<u32>().unwrap(), [1, 0, 1, 0, 1, 0]);
    }

    #[test]
    fn padded_records_are_refused_and_first_rows_are_not() {
        let datatype =
            Datatype::Struct(vec![Field::new("a", Datatype::Uint8), Field::new("b", Datatype::Float64)]);
        let of = |rows: u64, bytes: usize, strides: Option<Vec<i64>>| {
            let array = NdArray::from_bytes(
                datatype.clone(),
                ByteOrder::Little,
                &[rows],
                vec![0; usize::try_from(rows).unwrap() * 9],
            )
            .unwrap();
            let block = Arc::new(MemoryBlock::new(vec![0; bytes], Compression::NONE));
            NdArray { data: Data::Own(block), strides, ..array }
        };
        // With `align=True`, numpy stores 16 bytes for each record.
        for rows in [1, 2, 9] {
            let error = of(rows, usize::try_from(rows).unwrap() * 16, None).elements().unwrap_err();
            assert!(error.hint().unwrap().to_string().contains("padding"), "{error}");
        }
        assert!(of(2, 18, None).check().is_ok());
        assert!(of(2, 27, None).check().is_ok(), "the first two records of three");
        assert!(of(2, 36, None).check().is_err(), "ambiguous: two records of four, or records of 18 bytes");
        assert!(of(2, 36, Some(vec![9])).check().is_ok());
        assert!(of(3, 26, None).check().is_err(), "a byte is missing");
        assert!(of(2, 32, None).slice(&[]).is_err(), "a slice does not hide it");
        assert!(of(2, 32, Some(vec![16])).check().is_ok());
    }
}
