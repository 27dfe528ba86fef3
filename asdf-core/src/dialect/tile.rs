//! `tile`: the elements of an array in the order of its tiles.
//!
//! The tiles follow each other in C order, and so do the elements of each tile. If the array does not end
//! with a whole tile, the tiles at its far edges are padded. The padding is dropped.

use super::arguments::{Arguments, size};
use crate::error::{Error, Result};

/// The arguments of `tile`. Shapes are in C order.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Tile {
    /// The shape of one tile.
    shape: Vec<u64>,
    /// The shape of the array.
    original: Vec<u64>,
    /// The size of an element in bytes.
    item: u64,
}

impl Tile {
    pub(super) fn new(arguments: Arguments<'_>) -> Result<Self> {
        let shape = arguments.numbers("shape")?;
        let original = arguments.numbers("original_shape")?;
        let item = arguments.number("item_size")?;
        if shape.len() != original.len() {
            return Err(Error::malformed(format!(
                "a tile of shape {shape:?} has {} axes, but the array of shape {original:?} has {}",
                shape.len(),
                original.len()
            )));
        }
        if shape.contains(&0) || item == 0 {
            return Err(Error::malformed(format!(
                "a tile of shape {shape:?} with items of {item} bytes is empty, expected at least one byte"
            )));
        }
        Ok(Self { shape, original, item })
    }

    /// Returns the size of the array in bytes.
    pub(super) fn size(&self) -> Result<u64> {
        size(&self.original, self.item)
    }

    /// Returns the number of tiles along each axis.
    fn counts(&self) -> Vec<u64> {
        self.original.iter().zip(&self.shape).map(|(&whole, &tile)| whole.div_ceil(tile)).collect()
    }

    /// Returns the size of all tiles in bytes.
    pub(super) fn padded_size(&self) -> Result<u64> {
        size(&self.counts(), size(&self.shape, self.item)?)
    }

    /// Decodes the elements into the order of the array.
    pub(super) fn decode(&self, bytes: &[u8]) -> Result<Vec<u8>> {
        let padded = self.padded_size()?;
        if bytes.len() as u64 != padded {
            return Err(Error::malformed(format!(
                "found {} bytes, expected {padded} for tiles of shape {:?} of an array of shape {:?}",
                bytes.len(),
                self.shape,
                self.original
            )));
        }
        let whole = self.size()?;
        if whole == 0 {
            return Ok(Vec::new());
        }
        // From here on, no number is larger than the number of bytes.
        let length = |n: u64| usize::try_from(n).map_err(|_| Error::limit("the tiles do not fit in memory"));
        let lengths = |numbers: &[u64]| numbers.iter().map(|&n| length(n)).collect::<Result<Vec<_>>>();
        let (counts, tile, shape) =
            (lengths(&self.counts())?, lengths(&self.shape)?, lengths(&self.original)?);
        let item = length(self.item)?;
        let mut axes = Vec::with_capacity(shape.len());
        // The bytes from one tile to the next, and from one element to the next inside a tile.
        let (mut across, mut inside) = (length(size(&self.shape, self.item)?)?, item);
        for ((&count, &tile), &length) in counts.iter().zip(&tile).zip(&shape).rev() {
            axes.push(Axis { length, tile, across, inside });
            across = across.saturating_mul(count);
            inside = inside.saturating_mul(tile);
        }
        let mut data = Vec::with_capacity(length(whole)?);
        let Some((last, outer)) = axes.split_first() else { return Ok(bytes.to_vec()) };
        // The index of a row, starting with its last axis.
        let mut index = vec![0_usize; outer.len()];
        loop {
            let row: usize = outer.iter().zip(&index).map(|(axis, &at)| axis.offset(at)).sum();
            for from in (0..last.length).step_by(last.tile) {
                let count = last.tile.min(last.length - from);
                let start = row + last.offset(from);
                data.extend_from_slice(bytes.get(start..start + count * item).unwrap_or_default());
            }
            let moved = outer.iter().zip(&mut index).any(|(axis, at)| {
                *at = (*at + 1) % axis.length;
                *at != 0
            });
            if !moved {
                return Ok(data);
            }
        }
    }
}

/// The layout of the elements along an axis.
struct Axis {
    length: usize,
    tile: usize,
    across: usize,
    inside: usize,
}

impl Axis {
    fn offset(&self, at: usize) -> usize {
        at / self.tile * self.across + at % self.tile * self.inside
    }
}

#[cfg(test)]
#[allow(clippy::cast_possible_truncation, reason = "small numbers of a test")]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Encodes the bytes of an array in the order of its tiles, element by element.
    fn encode(tile: &Tile, data: &[u8]) -> Vec<u8> {
        let item = tile.item as usize;
        let mut out = Vec::new();
        let odometer = |shape: &[u64]| -> Vec<Vec<u64>> {
            shape.iter().fold(vec![vec![]], |all, &n| {
                all.iter().flat_map(|head| (0..n).map(move |i| [head.as_slice(), &[i]].concat())).collect()
            })
        };
        for place in odometer(&tile.counts()) {
            for inner in odometer(&tile.shape) {
                let at: Vec<u64> =
                    place.iter().zip(&inner).zip(&tile.shape).map(|((p, i), n)| p * n + i).collect();
                if at.iter().zip(&tile.original).all(|(at, n)| at < n) {
                    let flat = at.iter().zip(&tile.original).fold(0, |flat, (at, n)| flat * n + at) as usize;
                    out.extend(&data[flat * item..(flat + 1) * item]);
                } else {
                    out.extend(std::iter::repeat_n(0xee, item));
                }
            }
        }
        out
    }

    proptest! {
        #[test]
        fn tiles_of_any_shape_are_decoded(
            axes in proptest::collection::vec((1_u64..4, 0_u64..6), 0..4),
            item in 1_u64..4,
        ) {
            let (shape, original): (Vec<u64>, Vec<u64>) = axes.into_iter().unzip();
            let tile = Tile { shape, original, item };
            let data: Vec<u8> = (0..tile.size().unwrap()).map(|n| n as u8).collect();
            let encoded = encode(&tile, &data);
            prop_assert_eq!(encoded.len() as u64, tile.padded_size().unwrap());
            prop_assert_eq!(tile.decode(&encoded).unwrap(), data);
            prop_assert!(tile.decode(&[encoded.as_slice(), &[0]].concat()).is_err());
        }
    }

    #[test]
    fn unrealistic_sizes_are_errors() {
        let tile = |shape: &[u64], original: &[u64]| Tile {
            shape: shape.into(),
            original: original.into(),
            item: 1,
        };
        assert!(tile(&[1 << 40, 1 << 40], &[1, 1]).decode(&[0]).is_err());
        assert!(tile(&[1 << 40], &[1]).decode(&[0]).is_err());
        assert!(tile(&[1], &[1 << 60]).decode(&[0]).is_err());
        assert!(tile(&[1, 1], &[0, 1 << 60]).decode(&[]).unwrap().is_empty());
    }
}
