//! The pieces of an array, to read it without all of it in memory.

use super::{NdArray, Rows, Slice};
use crate::error::Result;

/// An iterator over an array in pieces of a limited number of elements; see [`NdArray::pieces`].
#[derive(Debug, Clone)]
pub struct Pieces {
    most: u64,
    /// The array, if it is a piece itself.
    whole: Option<NdArray>,
    /// The rows that are passed on, those of the array first. Each is an entry of the one before, so there are at most
    /// as many as axes.
    open: Vec<Rows>,
}

impl NdArray {
    /// Returns an iterator over the array in pieces of at most `most` elements, in C order.
    ///
    /// A piece has some entries of one axis. Each piece is read separately, on demand, so arrays of any shape can be
    /// processed with little memory. Some compressed blocks are decoded whole. An array without elements is one piece.
    ///
    /// ```
    /// use asdf_core::NdArray;
    ///
    /// let array = NdArray::new(&[2, 5], &[1_u8, 2, 3, 4, 5, 6, 7, 8, 9, 10])?;
    /// let pieces: Vec<Vec<u8>> = array.pieces(3)?.map(|piece| piece?.read()).collect::<Result<_, _>>()?;
    /// assert_eq!(pieces, [vec![1, 2, 3], vec![4, 5], vec![6, 7, 8], vec![9, 10]]);
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`check`](Self::check).
    #[doc(alias = "chunks")]
    pub fn pieces(&self, most: u64) -> Result<Pieces> {
        self.check()?;
        let most = most.max(1);
        if self.len() <= most {
            return Ok(Pieces { most, whole: Some(self.clone()), open: Vec::new() });
        }
        Ok(Pieces { most, whole: None, open: vec![self.in_rows(most)?] })
    }

    /// Returns the rows of an array with several elements: as many at a time as fit in a piece, but at least one.
    fn in_rows(&self, most: u64) -> Result<Rows> {
        let count = self.shape().first().copied().unwrap_or(1).max(1);
        let row = self.len() / count;
        self.rows((most / row.max(1)).max(1))
    }
}

impl Iterator for Pieces {
    type Item = Result<NdArray>;

    fn next(&mut self) -> Option<Result<NdArray>> {
        if let Some(whole) = self.whole.take() {
            return Some(Ok(whole));
        }
        while let Some(rows) = self.open.last_mut() {
            let piece = match rows.next() {
                None => {
                    self.open.pop();
                    continue;
                }
                Some(Ok(piece)) => piece,
                Some(Err(error)) => return Some(Err(error)),
            };
            if piece.len() <= self.most {
                return Some(Ok(piece));
            }
            // One row, which is larger than a piece.
            match piece.slice(&[Slice::Index(0)]).and_then(|row| row.in_rows(self.most)) {
                Ok(rows) => self.open.push(rows),
                Err(error) => return Some(Err(error)),
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_in_order_and_small() {
        for shape in [&[60][..], &[3, 20], &[2, 3, 10], &[1, 1, 60, 1], &[60, 1, 1]] {
            let elements: Vec<u8> = (0..60).collect();
            let array = NdArray::new(shape, &elements).unwrap();
            for most in [0, 1, 3, 7, 20, 59, 60, 1000] {
                let mut found = Vec::new();
                for piece in array.pieces(most).unwrap() {
                    let piece: Vec<u8> = piece.unwrap().read().unwrap();
                    assert!(!piece.is_empty() && piece.len() as u64 <= most.max(1), "{shape:?} {most}");
                    found.extend(piece);
                }
                assert_eq!(found, elements, "{shape:?} {most}");
            }
        }
    }

    #[test]
    fn an_array_without_elements_is_one_piece() {
        let long = isize::MAX.unsigned_abs() as u64;
        for shape in [&[0][..], &[long, 0], &[0, long]] {
            let array = NdArray::new::<u8>(shape, &[]).unwrap();
            assert_eq!(array.pieces(1).unwrap().count(), 1, "{shape:?}");
        }
        let single = NdArray::new(&[], &[1_u8]).unwrap();
        assert_eq!(single.pieces(1).unwrap().count(), 1);
    }
}
