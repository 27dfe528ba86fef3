//! `quantize`: floats as integers of a few bits with a scale and an offset.
//!
//! Chunks follow each other up to the end of the data:
//!
//! ```text
//! +0   bits    u8    bits of each encoded value, 1 to 64
//! +1   offset  f64
//! +9   scale   f64
//! +17  count   u64   number of values
//! +25  the values: two's complement, packed without gaps from the highest bit on, zeros up to a byte
//! ```
//!
//! All numbers are big-endian. A value is `encoded * scale + offset`, computed in 64 bits.

use super::arguments::{Arguments, size};
use crate::error::{Error, Result};

/// The size of a chunk's header in bytes.
const HEADER: usize = 25;

/// The arguments of `quantize`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Quantize {
    /// Whether the values have 64 bits instead of 32.
    double: bool,
    /// The shape of the array, in C order.
    shape: Vec<u64>,
}

impl Quantize {
    pub(super) fn new(arguments: Arguments<'_>) -> Result<Self> {
        let double = match arguments.number("dtype")? {
            32 => false,
            64 => true,
            bits => {
                return Err(Error::malformed(format!(
                    "`dtype` of the encoding `quantize` is {bits}, expected 32 or 64"
                )));
            }
        };
        Ok(Self { double, shape: arguments.numbers("original_shape")? })
    }

    /// Returns the number of values.
    fn count(&self) -> Result<u64> {
        size(&self.shape, 1)
    }

    /// Returns the size of the array in bytes.
    pub(super) fn size(&self) -> Result<u64> {
        size(&self.shape, if self.double { 8 } else { 4 })
    }

    /// Returns the maximum size of all chunks: one for each value, and some that are empty.
    pub(super) fn most_encoded(&self) -> Result<u64> {
        Ok(self.count()?.saturating_mul(HEADER as u64 + 8).saturating_add(1 << 16))
    }

    /// Decodes the values in the given byte order. Allocates memory only for values that exist.
    pub(super) fn decode(&self, bytes: &[u8], little: bool) -> Result<Vec<u8>> {
        let expected = self.count()?;
        let mut found: u64 = 0;
        let mut data = Vec::new();
        let mut rest = bytes;
        while !rest.is_empty() {
            let at = bytes.len() - rest.len();
            let fail = |what: String| Error::malformed(format!("the quantized chunk at byte {at} {what}"));
            let cut = || {
                fail(format!("is truncated: found {} bytes, expected {HEADER} and its values", rest.len()))
            };
            let (chunk, after) = Chunk::split(rest).ok_or_else(cut)?;
            if !(1..=64).contains(&chunk.bits) {
                return Err(fail(format!("has values of {} bits, expected 1 to 64", chunk.bits)));
            }
            found = found.saturating_add(chunk.count);
            if found > expected {
                return Err(fail(format!("ends with value {found}, but the array has {expected} values")));
            }
            let len = chunk.count.checked_mul(u64::from(chunk.bits)).map(|bits| bits.div_ceil(8));
            let len = len.and_then(|len| usize::try_from(len).ok());
            let Some((packed, next)) = len.and_then(|len| after.split_at_checked(len)) else {
                return Err(fail(format!(
                    "has {} values of {} bits, but only {} bytes follow",
                    chunk.count,
                    chunk.bits,
                    after.len()
                )));
            };
            for encoded in Packed::new(packed, chunk.bits).take(usize::try_from(chunk.count).unwrap_or(0)) {
                self.push(&mut data, encoded * chunk.scale + chunk.offset, little);
            }
            rest = next;
        }
        if found != expected {
            return Err(Error::malformed(format!(
                "the quantized chunks hold {found} values, expected {expected}"
            )));
        }
        Ok(data)
    }

    #[allow(
        clippy::cast_possible_truncation,
        reason = "the nearest float of 32 bits is what the array holds"
    )]
    fn push(&self, data: &mut Vec<u8>, value: f64, little: bool) {
        match (self.double, little) {
            (true, false) => data.extend(value.to_be_bytes()),
            (true, true) => data.extend(value.to_le_bytes()),
            (false, false) => data.extend((value as f32).to_be_bytes()),
            (false, true) => data.extend((value as f32).to_le_bytes()),
        }
    }
}

/// The header of a chunk.
struct Chunk {
    bits: u8,
    offset: f64,
    scale: f64,
    count: u64,
}

impl Chunk {
    fn split(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (&bits, rest) = bytes.split_first()?;
        let (offset, rest) = rest.split_first_chunk()?;
        let (scale, rest) = rest.split_first_chunk()?;
        let (count, rest) = rest.split_first_chunk()?;
        let chunk = Self {
            bits,
            offset: f64::from_be_bytes(*offset),
            scale: f64::from_be_bytes(*scale),
            count: u64::from_be_bytes(*count),
        };
        Some((chunk, rest))
    }
}

/// The integers of a chunk, as floats.
struct Packed<'b> {
    bytes: std::slice::Iter<'b, u8>,
    bits: u8,
    /// Bits that were read but not used yet, in the low bits.
    held: u128,
    holds: u8,
}

impl<'b> Packed<'b> {
    fn new(bytes: &'b [u8], bits: u8) -> Self {
        Self { bytes: bytes.iter(), bits, held: 0, holds: 0 }
    }
}

impl Iterator for Packed<'_> {
    type Item = f64;

    #[allow(clippy::cast_precision_loss, reason = "a value is computed as a float of 64 bits")]
    fn next(&mut self) -> Option<f64> {
        while self.holds < self.bits {
            self.held = self.held << 8 | u128::from(*self.bytes.next()?);
            self.holds += 8;
        }
        // At most 71 bits are held, so nothing is lost on the left.
        self.holds -= self.bits;
        let value = self.held >> self.holds;
        self.held &= (1_u128 << self.holds) - 1;
        let high = (value << (128 - u32::from(self.bits))).to_be_bytes();
        Some((i128::from_be_bytes(high) >> (128 - u32::from(self.bits))) as f64)
    }
}

#[cfg(test)]
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "small numbers of a test")]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn chunk(bits: u8, offset: f64, scale: f64, count: u64, packed: &[u8]) -> Vec<u8> {
        let mut bytes = vec![bits];
        bytes.extend(offset.to_be_bytes());
        bytes.extend(scale.to_be_bytes());
        bytes.extend(count.to_be_bytes());
        bytes.extend(packed);
        bytes
    }

    fn floats(bytes: &[u8]) -> Vec<f64> {
        bytes.chunks(8).map(|b| f64::from_be_bytes(b.try_into().unwrap())).collect()
    }

    /// Packs the values, first into a text of bits and then into bytes.
    fn pack(bits: u8, values: &[i64]) -> Vec<u8> {
        let text: String = values
            .iter()
            .flat_map(|value| (0..bits).rev().map(move |bit| if value >> bit & 1 == 1 { '1' } else { '0' }))
            .collect();
        text.as_bytes()
            .chunks(8)
            .map(|bits| {
                let text = format!("{:0<8}", std::str::from_utf8(bits).unwrap());
                u8::from_str_radix(&text, 2).unwrap()
            })
            .collect()
    }

    #[test]
    fn values_of_one_bit_are_zero_and_minus_one() {
        let quantize = Quantize { double: true, shape: vec![10] };
        let bytes = chunk(1, -3.25, 0.125, 10, &[0x84, 0x40]);
        let expected = [-3.375, -3.25, -3.25, -3.25, -3.25, -3.375, -3.25, -3.25, -3.25, -3.375];
        assert_eq!(floats(&quantize.decode(&bytes, false).unwrap()), expected);
    }

    proptest! {
        #[test]
        fn every_number_of_bits(
            bits in 1_u8..=64,
            raw in proptest::collection::vec(any::<i64>(), 0..40),
            cut in 0_usize..40,
        ) {
            let values: Vec<i64> = raw.iter().map(|value| value >> (64 - bits)).collect();
            let (a, b) = values.split_at(cut.min(values.len()));
            let bytes = [
                chunk(bits, 1.5, 0.25, a.len() as u64, &pack(bits, a)),
                chunk(bits, -8.0, 2.0, b.len() as u64, &pack(bits, b)),
            ].concat();
            let quantize = Quantize { double: true, shape: vec![values.len() as u64] };
            let expected: Vec<f64> = a.iter().map(|&v| v as f64 * 0.25 + 1.5)
                .chain(b.iter().map(|&v| v as f64 * 2.0 - 8.0)).collect();
            let found = quantize.decode(&bytes, false).unwrap();
            prop_assert!(bytes.len() as u64 <= quantize.most_encoded().unwrap());
            prop_assert_eq!(floats(&found), expected.clone());
            let single = Quantize { double: false, shape: quantize.shape.clone() };
            let little = single.decode(&bytes, true).unwrap();
            let expected: Vec<u8> = expected.iter().flat_map(|v| (*v as f32).to_le_bytes()).collect();
            prop_assert_eq!(little, expected);
            for cut in 0..bytes.len() {
                if let Ok(found) = quantize.decode(&bytes[..cut], false) {
                    prop_assert_eq!(found.len(), values.len() * 8);
                    prop_assert!(b.is_empty(), "a cut was not seen");
                }
            }
        }
    }

    #[test]
    fn inconsistencies_are_reported() {
        let quantize = Quantize { double: false, shape: vec![4] };
        for (bytes, expected) in [
            (chunk(0, 0.0, 1.0, 4, &[]), "0 bits, expected 1 to 64"),
            (chunk(255, 0.0, 1.0, 4, &[0; 200]), "255 bits"),
            (chunk(8, 0.0, 1.0, 5, &[0; 5]), "value 5, but the array has 4"),
            (chunk(8, 0.0, 1.0, 3, &[0; 3]), "hold 3 values, expected 4"),
            (chunk(8, 0.0, 1.0, 4, &[0; 3]), "only 3 bytes follow"),
            (chunk(8, 0.0, 1.0, 4, &[0; 5]), "byte 29 is truncated: found 1 bytes"),
            (chunk(64, 0.0, 1.0, u64::MAX, &[0; 5]), "the array has 4"),
            (vec![], "hold 0 values"),
        ] {
            let error = quantize.decode(&bytes, false).unwrap_err();
            assert!(error.message().contains(expected), "{error}");
        }
    }
}
