//! Integers of any size: `core/integer-1.x`.

use num_bigint::{BigInt, BigUint, Sign};

use super::{ByteOrder, NdArray};
use crate::error::Result;
use crate::tree::{NodeId, NodeRef, Tree};
use crate::value::{Asdf, Extra, FromNode, KeptTag, Kinds, OwnTag, ToNode, derived};

/// An integer of any size, stored as an array of 32-bit words, the least significant first.
///
/// The original array is kept, so an integer that does not change is written back unchanged.
///
/// # Examples
/// ```
/// use asdf_core::array::Integer;
/// use asdf_core::File;
///
/// let mut file = File::new();
/// file.set("/count", &Integer::from(u128::MAX))?;
/// let count: Integer = File::from_bytes(file.to_bytes()?)?.get("/count")?;
/// assert_eq!(u128::try_from(&count)?, u128::MAX);
/// assert!(u64::try_from(&count).is_err());
/// assert_eq!("-340282366920938463463374607431768211456".parse::<Integer>()?.value().bits(), 129);
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Integer {
    value: BigInt,
    tag: KeptTag,
    words: Option<NdArray>,
    text: Option<String>,
    extra: Extra,
}

impl Integer {
    /// Returns the number.
    #[must_use]
    pub fn value(&self) -> &BigInt {
        &self.value
    }
}

impl From<BigInt> for Integer {
    fn from(value: BigInt) -> Self {
        let text = Some(value.magnitude().to_string());
        Self { value, tag: KeptTag::Newest, words: None, text, extra: Extra::new() }
    }
}

macro_rules! machine_integers {
    ($($integer:ty),*) => {$(
        impl From<$integer> for Integer {
            fn from(value: $integer) -> Self {
                BigInt::from(value).into()
            }
        }

        impl TryFrom<&Integer> for $integer {
            type Error = crate::error::Error;

            fn try_from(integer: &Integer) -> Result<Self> {
                Self::try_from(&integer.value).map_err(|_| {
                    crate::error::Error::mismatch(format!(
                        "an integer of {} bits does not fit {}",
                        integer.value.bits(),
                        stringify!($integer)
                    ))
                })
            }
        }
    )*};
}

machine_integers!(i32, u32, i64, u64, i128, u128);

impl std::str::FromStr for Integer {
    type Err = crate::error::Error;

    /// Parses decimal digits with an optional sign.
    fn from_str(text: &str) -> Result<Self> {
        let value = text.parse::<BigInt>();
        value.map(Self::from).map_err(|_| crate::error::Error::mismatch("expected a decimal integer"))
    }
}

impl std::fmt::Display for Integer {
    /// Writes decimal digits.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.value.fmt(f)
    }
}

impl PartialEq for Integer {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl FromNode for Integer {
    const TYPES: Kinds = Kinds::MAPPING;
    const OWN_TAG: OwnTag = OwnTag::OneOf(&[Self::TAG, "tag:stsci.edu:asdf/core/integer-1.0.0"]);

    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        derived::check_tag(node, Self::TAG, Self::ACCEPTS)?;
        let mut fields = derived::Fields::open(node, "Integer", &["words", "sign", "string"])?;
        let words: Option<NdArray> = fields.take("words");
        let sign: Option<String> = fields.take("sign");
        let text: Option<Option<String>> = fields.take("string");
        let extra = fields.rest();
        match (fields.finish(), words, sign, text, extra) {
            (Ok(()), Some(words), Some(sign), Some(text), Some(extra)) => {
                let sign = match sign.as_str() {
                    "+" => Sign::Plus,
                    "-" => Sign::Minus,
                    _ => {
                        return Err(node
                            .error(format!("found the sign '{}', expected + or -", sign.escape_debug()))
                            .with_hint("use + or -"));
                    }
                };
                let values = words.elements().map_err(|error| error.under("words"))?;
                let digits = values.map(|value| match value {
                    super::Value::Int(word) => {
                        u32::try_from(word).map_err(|_| node.error("found a word of more than 32 bits"))
                    }
                    _ => Err(node.error("found a word that is not an integer")),
                });
                let magnitude = BigUint::new(digits.collect::<Result<_>>()?);
                let value = BigInt::from_biguint(sign, magnitude);
                Ok(Self {
                    value,
                    tag: KeptTag::new(node.own_tag(), Self::TAG),
                    words: Some(words),
                    text,
                    extra,
                })
            }
            (fault, ..) => Err(fault.err().unwrap_or_else(|| derived::incomplete(node, "Integer"))),
        }
    }

    fn accepts_tag(tag: &str) -> bool {
        derived::accepts(Self::TAG, Self::ACCEPTS, tag)
    }
}

impl ToNode for Integer {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        let words = match &self.words {
            Some(words) => words.clone(),
            None => {
                let mut digits = self.value.magnitude().to_u32_digits();
                if digits.is_empty() {
                    digits.push(0);
                }
                let words = NdArray::new(&[digits.len() as u64], &digits)?;
                debug_assert_eq!(words.byteorder(), ByteOrder::NATIVE);
                words
            }
        };
        let sign = if self.value.sign() == Sign::Minus { "-" } else { "+" };
        let mut writer = derived::MappingWriter::new(tree);
        writer.put("words", &words);
        writer.put("sign", sign);
        writer.put("string", &self.text);
        writer.rest(&self.extra);
        let id = writer.finish()?;
        let own = match tree.standard() {
            (0, ..) | (1, ..=5, _) => "tag:stsci.edu:asdf/core/integer-1.0.0",
            (1, 6, _) => Self::TAG,
            _ => "tag:stsci.edu:asdf/core/integer-1.2.0",
        };
        self.tag.apply(tree, id, own);
        Ok(id)
    }
}

impl Asdf for Integer {
    const TAG: &'static str = "tag:stsci.edu:asdf/core/integer-1.1.0";
    const ACCEPTS: &'static [&'static str] = &["tag:stsci.edu:asdf/core/integer-1.*"];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machine_integers_convert() {
        let large: Integer = "18446744073709551615".parse().unwrap();
        assert_eq!(u64::try_from(&large).unwrap(), u64::MAX);
        assert_eq!(large, Integer::from(u64::MAX));
        let error = i64::try_from(&large).unwrap_err();
        assert_eq!(error.message(), "an integer of 64 bits does not fit i64");
        assert_eq!(Integer::from(-5_i32).to_string(), "-5");
        assert!("1e5".parse::<Integer>().is_err());
    }

    #[test]
    fn any_size_round_trips() {
        for text in [
            "0",
            "-1",
            "4294967296",
            "1193942770599561143856918438330",
            "-340282366920938463463374607431768211456",
        ] {
            let integer = Integer::from(text.parse::<BigInt>().unwrap());
            let mut tree = Tree::new();
            let id = integer.to_node(&mut tree).unwrap();
            tree.set_root(id);
            assert_eq!(tree.get::<Integer>("").unwrap().value().to_string(), text);
        }
    }
}
