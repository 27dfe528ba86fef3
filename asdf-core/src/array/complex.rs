//! Complex numbers in the tree: `core/complex-1.0.0`.

use std::fmt;

use num_complex::Complex64;

use crate::error::Result;
use crate::tree::{NodeId, NodeRef, Tree};
use crate::value::{Asdf, FromNode, Kinds, OwnTag, ToNode, derived};

/// A complex number in the tree, written as `1.5-2i`, `(1+2j)` or `nan+infj`.
///
/// The original text is kept, so a number that does not change is written back unchanged. New numbers are
/// written with `i`, as the standard recommends.
///
/// # Examples
/// ```
/// use asdf_core::array::Complex;
/// use asdf_core::{Node, yaml};
///
/// let tree = yaml::parse("gain: !<tag:stsci.edu:asdf/core/complex-1.0.0> 1.5+2j")?;
/// let gain: Complex = tree.get("/gain")?;
/// assert_eq!((gain.value().re, gain.value().im), (1.5, 2.0));
/// assert_eq!(Node::new(&gain)?.view().text(), Some("1.5+2j"));
/// assert_eq!(Complex::new(1.5, -2.0).to_string(), "1.5-2i");
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Clone)]
pub struct Complex {
    value: Complex64,
    text: Option<Box<str>>,
}

impl Complex {
    /// Makes a complex number from its parts.
    #[must_use]
    pub fn new(re: f64, im: f64) -> Self {
        Self { value: Complex64::new(re, im), text: None }
    }

    /// Returns the number.
    #[must_use]
    pub fn value(&self) -> Complex64 {
        self.value
    }

    /// Parses a number by the grammar of the schema, with or without parentheses. The suffix is one of `i`,
    /// `j`, `I` and `J`.
    pub(crate) fn number(text: &str) -> Option<Complex64> {
        let text = match text.strip_prefix('(') {
            Some(inner) => inner.strip_suffix(')')?,
            None => text,
        };
        let first = part_end(text, 0);
        let (head, tail) = text.split_at_checked(first)?;
        match (tail, head.strip_suffix(['i', 'j', 'I', 'J'])) {
            ("", Some(imaginary)) => Some(Complex64::new(0.0, part(imaginary, true)?)),
            ("", None) => Some(Complex64::new(part(head, false)?, 0.0)),
            (_, None) => {
                let imaginary = tail.strip_suffix(['i', 'j', 'I', 'J'])?;
                Some(Complex64::new(part(head, false)?, part(imaginary, true)?))
            }
            _ => None,
        }
    }
}

impl From<Complex64> for Complex {
    fn from(value: Complex64) -> Self {
        Self { value, text: None }
    }
}

impl From<Complex> for Complex64 {
    fn from(complex: Complex) -> Self {
        complex.value
    }
}

impl std::str::FromStr for Complex {
    type Err = crate::error::Error;

    /// Parses the text of `core/complex`, such as `1.5-2i`, and keeps it.
    fn from_str(text: &str) -> Result<Self> {
        let value = Self::number(text);
        let value =
            value.ok_or_else(|| crate::error::Error::mismatch("expected a complex number such as 1.5-2i"))?;
        Ok(Self { value, text: Some(text.into()) })
    }
}

/// Returns the end of the part that begins at `start`: before the next sign that is not part of an exponent.
fn part_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    (start + 1..bytes.len())
        .find(|&at| {
            let exponent = matches!(bytes.get(at - 1), Some(b'e' | b'E'));
            matches!(bytes.get(at), Some(b'+' | b'-')) && !exponent
        })
        .unwrap_or(bytes.len())
}

fn part(text: &str, imaginary: bool) -> Option<f64> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1.0, digits),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    let size = match digits {
        "" if imaginary => 1.0,
        "inf" | "INF" => f64::INFINITY,
        "nan" | "NAN" => f64::NAN,
        _ if digits.ends_with('.') => return None,
        _ if digits.bytes().all(|b| b.is_ascii_digit() || b".eE+-".contains(&b)) => digits.parse().ok()?,
        _ => return None,
    };
    Some(sign * size)
}

impl PartialEq for Complex {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl fmt::Display for Complex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.text {
            Some(text) => f.write_str(text),
            None => {
                let sign = if self.value.im.is_sign_negative() { '-' } else { '+' };
                let im = self.value.im.abs();
                write!(f, "{}{sign}{}i", Part(self.value.re), Part(im))
            }
        }
    }
}

impl fmt::Debug for Complex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

struct Part(f64);

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            value if value.is_nan() => f.write_str("nan"),
            value if value.is_infinite() => f.write_str(if value > 0.0 { "inf" } else { "-inf" }),
            value => write!(f, "{value}"),
        }
    }
}

impl FromNode for Complex {
    const TYPES: Kinds = Kinds::STRING.or(Kinds::NUMBER);
    const OWN_TAG: OwnTag = OwnTag::OneOf(&[Self::TAG]);

    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        derived::check_tag(node, Self::TAG, Self::ACCEPTS)?;
        let text = node.text().unwrap_or_default();
        match Self::number(text) {
            Some(value) => Ok(Self { value, text: Some(text.into()) }),
            None => node.fail("a complex number such as 1.5-2i"),
        }
    }

    fn accepts_tag(tag: &str) -> bool {
        derived::accepts(Self::TAG, Self::ACCEPTS, tag)
    }
}

impl ToNode for Complex {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        let id = tree.add_scalar_text(&self.to_string());
        tree.set_tag(id, Some(Self::TAG));
        Ok(id)
    }
}

/// Reads a [`Complex`] without keeping its text.
impl FromNode for num_complex::Complex64 {
    const TYPES: Kinds = Complex::TYPES;
    const OWN_TAG: OwnTag = Complex::OWN_TAG;

    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        Complex::from_node(node).map(|complex| complex.value)
    }

    fn accepts_tag(tag: &str) -> bool {
        Complex::accepts_tag(tag)
    }
}

impl ToNode for num_complex::Complex64 {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        Complex::from(*self).to_node(tree)
    }
}

impl Asdf for Complex {
    const TAG: &'static str = "tag:stsci.edu:asdf/core/complex-1.0.0";
    const ACCEPTS: &'static [&'static str] = &[];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grammar_of_the_schema() {
        for (text, re, im) in [
            ("1-1j", 1.0, -1.0),
            ("1J", 0.0, 1.0),
            ("-1", -1.0, 0.0),
            ("(1+2j)", 1.0, 2.0),
            ("1E3-2E-3J", 1000.0, -0.002),
            (".5i", 0.0, 0.5),
            ("-inf+INFi", f64::NEG_INFINITY, f64::INFINITY),
            ("j", 0.0, 1.0),
            ("1.5e+10+2.5e-10i", 1.5e10, 2.5e-10),
        ] {
            assert_eq!(Complex::number(text), Some(Complex64::new(re, im)), "{text}");
        }
        assert!(Complex::number("nan+nanj").unwrap().im.is_nan());
        for text in
            ["", "junk", "1 + 2j", "infinity", "1+2", "1j+2j", "(1", "1)", "1.", "é", "1+2jj", "--1", "é+1j"]
        {
            assert_eq!(Complex::number(text), None, "{text}");
        }
    }

    #[test]
    fn text_is_kept() {
        let complex: Complex = "(1.50-2J)".parse().unwrap();
        assert_eq!(complex.to_string(), "(1.50-2J)");
        assert_eq!(Complex64::from(complex), Complex64::new(1.5, -2.0));
        assert!("1 + 2j".parse::<Complex>().is_err());
    }

    #[test]
    fn written_numbers_read_back() {
        for (re, im) in [(1.5, -2.0), (0.0, -0.0), (f64::NAN, f64::INFINITY), (1e300, 1e-300)] {
            let text = Complex::new(re, im).to_string();
            let back = Complex::number(&text).unwrap();
            assert_eq!((back.re.to_bits(), back.im.to_bits()), (re.to_bits(), im.to_bits()), "{text}");
        }
    }
}
