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
    use std::ops::Range;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use asdf_core::array::ByteOrder;
    use asdf_core::source::{Bytes, MemorySource, Source};
    use asdf_core::{Datatype, File, OpenOptions};

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

    /// Output that fails at once.
    struct Full;

    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::StorageFull.into())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    /// A file that counts the bytes that are read.
    #[derive(Debug)]
    struct Counting(MemorySource, Arc<AtomicU64>);

    impl Source for Counting {
        fn len(&self) -> u64 {
            self.0.len()
        }

        fn read(&self, range: Range<u64>) -> Result<Bytes> {
            self.1.fetch_add(range.end - range.start, Ordering::Relaxed);
            self.0.read(range)
        }
    }

    #[test]
    fn elements_are_read_when_they_are_written() {
        let mut file = File::new();
        file.set("/data", &NdArray::from_vec(&[4 << 20], vec![1_u8; 4 << 20]).unwrap()).unwrap();
        let read = Arc::new(AtomicU64::new(0));
        let source = Counting(MemorySource::new(file.to_bytes().unwrap()), read.clone());
        let file = OpenOptions::new().open_from(source).unwrap();
        let array = file.array("/data").unwrap();
        // The output takes the beginning only.
        let mut out = std::io::BufWriter::with_capacity(1 << 10, Full);
        assert!(write_array(&array, &mut out).is_err());
        let read = read.load(Ordering::Relaxed);
        assert!((PIECE..1 << 20).contains(&read), "{read}");
        drop(out.into_parts());
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
