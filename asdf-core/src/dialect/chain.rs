//! The chain of encodings at the beginning of an encoded block.
//!
//! It is a YAML document that ends with `...`, followed by the encoded data. The document is a list in the
//! order in which a writer applies the encodings. Each is a name, or a name and its arguments.
//!
//! ```yaml
//! [[tile, {shape: [32, 32], original_shape: [100, 80], item_size: 4}], [quantize, {dtype: 32,
//!   original_shape: [12288]}], zlib]
//! ```
//!
//! `tile` converts an array to an array, `quantize` an array to bytes, and `zlib` bytes to bytes, so they can
//! occur in this order only. Any of them can be missing. `tile` and `zlib` can occur more than once.

use std::borrow::Cow;

use super::arguments::Arguments;
use super::quantize::Quantize;
use super::tile::Tile;
use super::zlib;
use crate::error::{Error, Kind, Result};
use crate::tree::{self, NodeRef};
use crate::yaml;

/// The maximum size of a chain's text.
const MOST_TEXT: usize = 1 << 20;

/// The maximum number of encodings in a chain, so that the overhead allowed for each stays small in total.
const MOST_STEPS: usize = 32;

/// The maximum size of tiles: a multiple of the array's size, plus a number of bytes. A small array in a tile
/// too large for memory is not realistic.
const MOST_PADDING: (u64, u64) = (64, 16 << 20);

/// The encodings of a block, in the order in which they were applied.
#[derive(Debug)]
pub(super) struct Chain(Vec<Step>);

#[derive(Debug)]
enum Step {
    Tile(Tile),
    Quantize(Quantize),
    Zlib,
}

impl Chain {
    /// Splits stored bytes into their chain and the encoded bytes after it.
    pub(super) fn split(stored: &[u8]) -> Result<(Self, &[u8])> {
        let (text, data) = document(stored)?;
        let text = std::str::from_utf8(text)
            .map_err(|_| Error::malformed("the list of encodings of the block is not UTF-8"))?;
        let tree = yaml::parse(text).map_err(|error| {
            let message = format!("the list of encodings of the block is not YAML: {}", error.message());
            // The code `Yaml` and the line belong to this list, not to the file's tree.
            Error::new(error.kind(), message).with_source(error)
        })?;
        let list = tree.root().filter(|root| root.kind() == tree::Kind::Sequence);
        let Some(list) = list else {
            let found = tree.root().map_or_else(|| "nothing".to_owned(), NodeRef::describe);
            return Err(Error::malformed(format!(
                "the block begins with {found}, expected a list of encodings"
            )));
        };
        if list.len() > MOST_STEPS {
            return Err(Error::limit(format!(
                "the block has {} encodings, more than the limit of {MOST_STEPS}",
                list.len()
            )));
        }
        let steps: Vec<Step> = list.items().map(step).collect::<Result<_>>()?;
        for (before, after) in steps.iter().zip(steps.iter().skip(1)) {
            if !before.may_precede(after) {
                return Err(Error::malformed(format!(
                    "the encoding `{}` follows `{}`, which produces bytes, not an array",
                    after.name(),
                    before.name()
                )));
            }
        }
        Ok((Self(steps), data))
    }

    /// Returns whether the data is compressed.
    pub(super) fn compresses(&self) -> bool {
        self.0.iter().any(|step| matches!(step, Step::Zlib))
    }

    /// Decodes into exactly `size` bytes, starting with the last encoding.
    ///
    /// Numbers produced by `quantize` get the given byte order. No step can produce more than its plausible
    /// input size, or more than `limit`.
    pub(super) fn decode(&self, data: &[u8], size: u64, limit: u64, little: bool) -> Result<Vec<u8>> {
        // The input size of each step: exact for arrays, a maximum for bytes.
        let mut given = Vec::with_capacity(self.0.len());
        let mut bytes = size;
        for step in &self.0 {
            given.push(bytes);
            bytes = step.most_encoded(bytes)?;
        }
        let mut bytes = Cow::Borrowed(data);
        for (step, &most) in self.0.iter().zip(&given).rev() {
            let decoded = match step {
                Step::Tile(tile) => tile.decode(&bytes)?,
                Step::Quantize(quantize) => quantize.decode(&bytes, little)?,
                Step::Zlib => zlib::decode(&bytes, most, limit)?,
            };
            bytes = Cow::Owned(decoded);
        }
        if bytes.len() as u64 != size {
            return Err(Error::malformed(format!(
                "the encoded data decodes to {} bytes, expected {size}",
                bytes.len()
            )));
        }
        Ok(bytes.into_owned())
    }
}

impl Step {
    fn name(&self) -> &'static str {
        match self {
            Self::Tile(_) => "tile",
            Self::Quantize(_) => "quantize",
            Self::Zlib => "zlib",
        }
    }

    fn may_precede(&self, next: &Self) -> bool {
        matches!((self, next), (Self::Tile(_), _) | (_, Self::Zlib))
    }

    /// Returns the maximum number of bytes that an encoding produces from `bytes`.
    fn most_encoded(&self, bytes: u64) -> Result<u64> {
        let (array, encoded) = match self {
            Self::Tile(tile) => (tile.size()?, tile.padded_size()?),
            Self::Quantize(quantize) => (quantize.size()?, quantize.most_encoded()?),
            Self::Zlib => return Ok(zlib::most_encoded(bytes)),
        };
        if array != bytes {
            return Err(Error::malformed(format!(
                "the encoding `{}` describes an array of {array} bytes, expected {bytes}",
                self.name()
            )));
        }
        let (times, more) = MOST_PADDING;
        if matches!(self, Self::Tile(_)) && encoded > array.saturating_mul(times).saturating_add(more) {
            return Err(Error::limit(format!(
                "the tiles take {encoded} bytes for an array of {array} bytes; the limit is {times} times the array \
                 and {more} bytes"
            )));
        }
        Ok(encoded)
    }
}

fn step(item: NodeRef<'_>) -> Result<Step> {
    let pair = (item.kind() == tree::Kind::Sequence && matches!(item.len(), 1 | 2)).then(|| item.item(0));
    let name = pair.flatten().unwrap_or(item);
    let arguments = pair.and_then(|_| item.item(1)).filter(|arguments| !arguments.is_null());
    let Some(name) = name.as_str() else {
        let found = item.describe();
        return Err(Error::malformed(format!(
            "found {found} as an encoding, expected a name, or a name and arguments"
        )));
    };
    if let Some(wrong) = arguments.filter(|arguments| arguments.kind() != tree::Kind::Mapping) {
        let found = wrong.describe();
        return Err(Error::malformed(format!(
            "found {found} as the arguments of an encoding, expected a mapping"
        )));
    }
    match name {
        "tile" => Tile::new(Arguments { of: "tile", mapping: arguments }).map(Step::Tile),
        "quantize" => Quantize::new(Arguments { of: "quantize", mapping: arguments }).map(Step::Quantize),
        "zlib" => Ok(Step::Zlib),
        _ => Err(Error::unsupported(format!("unknown encoding '{}'", name.escape_debug()))
            .with_hint("check the name: the pre-release format 0.1.0 defines tile, quantize and zlib")),
    }
}

/// Splits stored bytes into the YAML document at their beginning, including its end marker, and the rest.
fn document(stored: &[u8]) -> Result<(&[u8], &[u8])> {
    let marks = stored.windows(5).take(MOST_TEXT).enumerate();
    for (at, window) in marks.filter(|(_, window)| window.starts_with(b"\n...")) {
        let end = match (window.get(4), stored.get(at + 5)) {
            (Some(b'\n'), _) => at + 5,
            (Some(b'\r'), Some(b'\n')) => at + 6,
            _ => continue,
        };
        if let Some(parts) = stored.split_at_checked(end) {
            return Ok(parts);
        }
    }
    Err(if stored.len() > MOST_TEXT {
        Error::new(
            Kind::Limit,
            format!("the list of encodings of the block is larger than the limit of {MOST_TEXT} bytes"),
        )
    } else {
        Error::malformed("expected a line `...` after the list of encodings of the block")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(text: &str, data: &[u8], size: u64) -> Result<Vec<u8>> {
        let stored = [text.as_bytes(), data].concat();
        let (chain, data) = Chain::split(&stored)?;
        chain.decode(data, size, 1 << 20, false)
    }

    #[cfg(feature = "zlib")]
    fn deflated(data: &[u8]) -> Vec<u8> {
        crate::block::codec::find(crate::block::Label::ZLIB)
            .unwrap()
            .encode(data, &crate::block::codec::Encoding::default())
            .unwrap()
    }

    #[test]
    #[cfg(feature = "zlib")]
    fn a_chain_is_decoded_from_its_end() {
        let data: Vec<u8> = (0..200_u8).map(|n| n % 7).collect();
        let once = deflated(&data);
        for text in [
            "[zlib]\n...\n",
            "- zlib\n...\r\n",
            "%YAML 1.1\n--- [[zlib, {}]]\n...\n",
            "[[zlib]]\r\n...\r\n",
            "[[zlib, ~]]\n...\n",
        ] {
            assert_eq!(decode(text, &once, 200).unwrap(), data, "{text}");
        }
        assert_eq!(decode("[zlib, zlib]\n...\n", &deflated(&once), 200).unwrap(), data);
        assert_eq!(decode("[]\n...\n", &data, 200).unwrap(), data);
        let tiles = deflated(&[0, 1, 3, 4, 2, 9, 5, 9]);
        let text = "[[tile, {shape: [2, 2], original_shape: [2, 3], item_size: 1}], zlib]\n...\n";
        assert_eq!(decode(text, &tiles, 6).unwrap(), [0, 1, 2, 3, 4, 5]);
        let mut chunk = vec![8];
        chunk.extend(10_f64.to_be_bytes());
        chunk.extend(0.5_f64.to_be_bytes());
        chunk.extend(4_u64.to_be_bytes());
        chunk.extend([2, 0xfe, 4, 0]);
        let text = "[[tile, {shape: [2], original_shape: [3], item_size: 4}], \
                    [quantize, {dtype: 32, original_shape: [4], quality: 4}], zlib, zlib]\n...\n";
        let found = decode(text, &deflated(&deflated(&chunk)), 12).unwrap();
        assert_eq!(found, [11_f32, 9.0, 12.0].map(f32::to_be_bytes).concat());
    }

    #[test]
    #[cfg(feature = "zlib")]
    fn inconsistencies_and_damage_are_reported() {
        let data = deflated(&[5; 100]);
        for (text, expected) in [
            ("[zlib]\n", "expected a line `...`"),
            ("[zlib] ...\n", "expected a line `...`"),
            ("{zlib: 1}\n...\n", "found a mapping of 1 entry"),
            ("zlib\n...\n", "expected a list of encodings"),
            ("[zlib\n...\n", "not YAML"),
            ("\u{1}\n...\n", "not YAML"),
            ("[rot13]\n...\n", "unknown encoding 'rot13'"),
            ("[[zlib, 5]]\n...\n", "expected a mapping"),
            ("[5]\n...\n", "expected a name"),
            ("[zlib, [tile, {shape: [1], original_shape: [100], item_size: 1}]]\n...\n", "follows `zlib`"),
            (
                "[[quantize, {dtype: 32, original_shape: [25]}], [quantize, {dtype: 32, original_shape: [25]}]]\n...\n",
                "follows `quantize`",
            ),
            ("[[tile, {shape: [1], item_size: 1}]]\n...\n", "lacks the required argument `original_shape`"),
            ("[tile]\n...\n", "lacks the required argument `shape`"),
            (
                "[[tile, {shape: [1], original_shape: [99], item_size: 1}], zlib]\n...\n",
                "of 99 bytes, expected 100",
            ),
            ("[[tile, {shape: [0], original_shape: [100], item_size: 1}], zlib]\n...\n", "a tile"),
            (
                "[[tile, {shape: [4294967296], original_shape: [4294967296], item_size: 4294967296}], zlib]\n...\n",
                "2^64",
            ),
        ] {
            let error = decode(text, &data, 100).unwrap_err();
            assert!(
                error.message().replace("the block begins with", "found").contains(expected),
                "{text}: {error}"
            );
        }
        assert!(decode("[zlib]\n...\n", &data, 99).unwrap_err().message().contains("limit of 99 bytes"));
        assert!(
            decode("[zlib]\n...\n", &data, 101).unwrap_err().message().contains("100 bytes, expected 101")
        );
        for cut in 0..data.len() {
            assert!(decode("[zlib]\n...\n", &data[..cut], 100).is_err(), "{cut}");
        }
        let bomb = deflated(&vec![0; 1 << 20]);
        let error = decode("[zlib, zlib]\n...\n", &bomb, 100).unwrap_err();
        assert!(error.message().contains("more than"), "{error}");
        let many = format!("[zlib{}]\n...\n", ", zlib".repeat(MOST_STEPS));
        assert!(decode(&many, &data, 100).unwrap_err().message().contains("33 encodings"));
        let wide = "[[tile, {shape: [1000000000], original_shape: [100], item_size: 1}], zlib]\n...\n";
        assert!(
            decode(wide, &data, 100).unwrap_err().message().contains("1000000000 bytes for an array of 100")
        );
        let long = format!("[zlib{}]\n...\n", ", zlib".repeat(MOST_TEXT / 6));
        assert_eq!(decode(&long, &data, 100).unwrap_err().kind(), Kind::Limit);
    }

    #[test]
    fn yaml_errors_of_a_chain_are_not_errors_of_the_tree() {
        let found = |text: &str| Chain::split(text.as_bytes()).unwrap_err();
        let error = found("[zlib\n...\n");
        assert_eq!((error.kind(), error.code(), error.line()), (Kind::Malformed, None, None));
        assert!(std::error::Error::source(&error).is_some());
        let error = found(&format!("{}\n...\n", "[".repeat(1 << 16)));
        assert_eq!((error.kind(), error.code(), error.line()), (Kind::Limit, None, None));
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_cause_a_panic(data in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..200)) {
            for text in [
                "", "[zlib]\n...\n", "[[quantize, {dtype: 64, original_shape: [3, 1]}]]\n...\n",
                "[[tile, {shape: [2, 2], original_shape: [3, 3], item_size: 3}]]\n...\n",
            ] {
                for size in [0, 24, 27, 200] {
                    if let Ok(found) = decode(text, &data, size) {
                        proptest::prop_assert_eq!(found.len() as u64, size);
                    }
                }
            }
        }
    }
}
