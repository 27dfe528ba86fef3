//! Writes the elements of arrays as nested lists, a piece at a time.

use std::io::Write;

use asdf_core::{Error, NdArray, Result};

use super::{Printable, element};
use crate::output::output;

/// The number of elements that are read at once.
const PIECE: u64 = 1 << 16;

/// Writes an array as [`array`](super::array) converts it, without all of its elements in memory.
///
/// # Errors
/// The errors of [`array`](super::array); and if the output fails. Some bytes can have been written before an error.
pub fn write_array(array: &NdArray, out: &mut dyn Write) -> Result<()> {
    let mut lists = Lists::new(shown_shape(array)?, out);
    lists.out.write_all(b"{\"data\":").map_err(output)?;
    if array.is_empty() {
        for _ in 0..lists.count() {
            lists.add(b"[]")?;
        }
    } else {
        let mut text = Vec::new();
        for piece in array.pieces(PIECE)? {
            for value in piece?.elements()? {
                text.clear();
                write!(text, "{}", Printable(&element(&value))).map_err(output)?;
                lists.add(&text)?;
            }
        }
    }
    lists.finish()?;
    write!(out, ",\"shape\":{}}}", serde_json::json!(array.shape())).map_err(output)
}

/// Returns the lengths of the lists: the shape, but without the axes from the first empty one on. Each of its entries is
/// an empty list.
pub(super) fn shown_shape(array: &NdArray) -> Result<&[u64]> {
    /// The maximum number of empty lists. Nothing is stored for them.
    const MOST: u64 = 1 << 24;
    let shape = array.shape();
    let Some(empty) = shape.iter().position(|&n| n == 0) else { return Ok(shape) };
    let outer = shape.get(..empty).unwrap_or_default();
    let count = outer.iter().fold(1_u64, |count, &n| count.saturating_mul(n));
    if count > MOST {
        return Err(Error::limit(format!(
            "the array of shape {shape:?} has {count} empty lists, expected at most {MOST}"
        )));
    }
    Ok(outer)
}

/// Nested lists of a shape, which are written while their leaves arrive.
struct Lists<'o> {
    out: &'o mut dyn Write,
    /// For each axis, the number of leaves in an entry of the axis above it.
    sizes: Vec<u64>,
    /// The number of leaves so far.
    done: u64,
}

impl<'o> Lists<'o> {
    fn new(shape: &[u64], out: &'o mut dyn Write) -> Self {
        let mut size = 1_u64;
        let mut sizes: Vec<u64> = shape
            .iter()
            .rev()
            .map(|&n| {
                size = size.saturating_mul(n);
                size
            })
            .collect();
        sizes.reverse();
        Self { out, sizes, done: 0 }
    }

    /// The number of leaves of the whole.
    fn count(&self) -> u64 {
        self.sizes.first().copied().unwrap_or(1)
    }

    fn add(&mut self, leaf: &[u8]) -> Result<()> {
        let at =
            |place: u64| self.sizes.iter().filter(move |&&size| place.is_multiple_of(size.max(1))).count();
        let (opened, closed) = (at(self.done), at(self.done + 1));
        let mut write = |text: &[u8]| self.out.write_all(text).map_err(output);
        if self.done > 0 {
            write(b",")?;
        }
        for _ in 0..opened {
            write(b"[")?;
        }
        write(leaf)?;
        for _ in 0..closed {
            write(b"]")?;
        }
        self.done += 1;
        Ok(())
    }

    /// Writes what has no leaves: a list of length 0.
    fn finish(self) -> Result<()> {
        if self.done > 0 {
            return Ok(());
        }
        self.out.write_all(b"[]").map_err(output)
    }
}

#[cfg(test)]
mod tests {
    use asdf_core::Datatype;
    use asdf_core::array::ByteOrder;

    use super::*;

    fn written(array: &NdArray) -> String {
        let mut text = Vec::new();
        write_array(array, &mut text).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn arrays_are_written_as_they_are_converted() {
        for shape in
            [&[][..], &[1], &[6], &[2, 3], &[3, 1, 2], &[1, 1, 1], &[0], &[2, 0], &[2, 3, 0, 5], &[0, 2]]
        {
            let count = u32::try_from(shape.iter().product::<u64>()).unwrap();
            let elements: Vec<f64> = (0..count).map(|n| f64::from(n) / 2.0).collect();
            let array = NdArray::new(shape, &elements).unwrap();
            assert_eq!(written(&array), super::super::array(&array).unwrap().to_string(), "{shape:?}");
        }
        // More than a piece, in rows that are longer than one.
        let elements: Vec<u8> = (0..200_000_u32).map(|n| n.to_le_bytes()[0]).collect();
        let array = NdArray::new(&[2, 100_000], &elements).unwrap();
        assert_eq!(written(&array), super::super::array(&array).unwrap().to_string());
    }

    #[test]
    fn empty_lists_are_limited() {
        let array =
            NdArray::from_bytes(Datatype::Uint8, ByteOrder::Little, &[1 << 13, 1 << 13, 0], vec![]).unwrap();
        let error = write_array(&array, &mut Vec::new()).unwrap_err();
        assert!(error.message().ends_with("has 67108864 empty lists, expected at most 16777216"), "{error}");
        assert!(super::super::array(&array).is_err());
    }
}
