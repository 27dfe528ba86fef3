//! Symbols: one factor of a unit, with a prefix and a name.

use std::fmt;
use std::sync::Arc;

use super::Unit;
use crate::dimension::{Axis, Dimension};
use crate::error::Result;
use crate::known::{BINARY, DECIMAL, KNOWN, Known, SPELLINGS, WORDS};
use crate::rational::Rational;
use crate::scale::Scale;

/// One factor of a unit: a known unit such as `km`, an unknown unit, or a function of a unit.
///
/// # Examples
///
/// ```
/// use asdf_units::Unit;
///
/// let unit = Unit::parse("km.s**-1")?;
/// let symbols: Vec<_> =
///     unit.symbols().map(|(symbol, power)| (symbol.prefix(), symbol.name(), power.numerator())).collect();
/// assert_eq!(symbols, [("k", "m", 1), ("", "s", -1)]);
/// # Ok::<(), asdf_units::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Symbol {
    prefix: Option<Prefix>,
    name: Name,
}

#[derive(Debug, Clone)]
enum Name {
    Known(&'static Known),
    Unknown(Arc<str>),
    Function(Arc<str>, Box<Unit>),
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Prefix {
    text: &'static str,
    two: i32,
    ten: i32,
}

impl Symbol {
    /// Finds a symbol of VOUnit or, if `foreign` is true, of other notations.
    pub(crate) fn find(text: &str, foreign: bool) -> Option<Self> {
        if let Some(found) = Self::exact(text, foreign) {
            return Some(found);
        }
        if !foreign {
            return None;
        }
        let spelled = |text: &str| {
            let (_, symbol) = SPELLINGS.iter().find(|(other, _)| *other == text)?;
            Self::exact(symbol, true)
        };
        if let Some(found) = spelled(text) {
            return Some(found);
        }
        if !text.is_ascii() {
            let ascii = text.replace(['µ', 'μ'], "u").replace(['Ω', '\u{2126}'], "Ohm").replace('ℓ', "l");
            let ascii = ascii.replace(['Å', '\u{212b}'], "Angstrom");
            return Some(ascii).filter(|ascii| ascii.is_ascii()).and_then(|ascii| Self::find(&ascii, true));
        }
        // A unit written as a word can have a prefix written as a word: kiloparsec.
        WORDS.iter().find_map(|&(word, prefix)| {
            let rest = text.strip_prefix(word)?;
            let found = spelled(rest).or_else(|| Self::exact(rest, true).filter(|_| rest.len() > 3))?;
            found.with_prefix(prefix)
        })
    }

    /// Adds a decimal prefix, if the unit accepts prefixes and does not have one.
    fn with_prefix(self, text: &str) -> Option<Self> {
        let takes = matches!(&self.name, Name::Known(known) if known.si) && self.prefix.is_none();
        let (text, ten) = DECIMAL.iter().find(|(own, _)| takes && *own == text)?;
        Some(Self { prefix: Some(Prefix { text, two: 0, ten: *ten }), ..self })
    }

    fn exact(text: &str, foreign: bool) -> Option<Self> {
        let lookup =
            |symbol: &str| KNOWN.iter().find(|known| known.symbol == symbol && (foreign || !known.foreign));
        if let Some(known) = lookup(text) {
            return Some(Self { prefix: None, name: Name::Known(known) });
        }
        let with = |prefix: Prefix, allowed: fn(&Known) -> bool| {
            let known = lookup(text.strip_prefix(prefix.text)?).filter(|known| allowed(known))?;
            Some(Self { prefix: Some(prefix), name: Name::Known(known) })
        };
        let decimal = DECIMAL.iter().map(|&(text, ten)| Prefix { text, two: 0, ten });
        let binary = BINARY.iter().map(|&(text, two)| Prefix { text, two, ten: 0 });
        let mut decimal = decimal.filter_map(|prefix| with(prefix, |known| known.si));
        decimal.next().or_else(|| binary.clone().find_map(|prefix| with(prefix, |known| known.binary)))
    }

    /// Returns an unknown unit with a decimal prefix, which is written before its quotes.
    pub(crate) fn unknown(prefix: &str, name: &str) -> Option<Self> {
        let name = Name::Unknown(name.into());
        if prefix.is_empty() {
            return Some(Self { prefix: None, name });
        }
        let (text, ten) = DECIMAL.iter().find(|(text, _)| *text == prefix)?;
        Some(Self { prefix: Some(Prefix { text, two: 0, ten: *ten }), name })
    }

    pub(crate) fn function(name: &str, operand: Unit) -> Self {
        Self { prefix: None, name: Name::Function(name.into(), Box::new(operand)) }
    }

    /// Returns the prefix, such as `k`; empty if there is none.
    #[must_use]
    pub fn prefix(&self) -> &'static str {
        self.prefix.map_or("", |prefix| prefix.text)
    }

    /// Returns the name without prefix and quotes.
    ///
    /// This is the preferred symbol of a known unit, the text of an unknown unit, or the name of a function.
    #[must_use]
    pub fn name(&self) -> &str {
        match &self.name {
            Name::Known(known) => known.preferred,
            Name::Unknown(name) | Name::Function(name, _) => name,
        }
    }

    /// Returns the operand of a function such as `log`.
    #[must_use]
    pub fn operand(&self) -> Option<&Unit> {
        match &self.name {
            Name::Function(_, operand) => Some(operand),
            _ => None,
        }
    }

    /// Returns true for a known unit, and for a function of known units.
    #[must_use]
    pub fn is_known(&self) -> bool {
        match &self.name {
            Name::Known(_) => true,
            Name::Unknown(_) => false,
            Name::Function(_, operand) => operand.is_known(),
        }
    }

    /// Returns true if the symbol is part of VOUnit.
    #[must_use]
    pub fn is_standard(&self) -> bool {
        match &self.name {
            Name::Known(known) => !known.foreign,
            Name::Unknown(_) => false,
            Name::Function(name, operand) => {
                FUNCTIONS.contains(&&**name) && operand.symbols().all(|(symbol, _)| symbol.is_standard())
            }
        }
    }

    /// Returns true if VOUnit deprecates the symbol: `Angstrom`, `erg`, `G`, `barn`, `Ba`, `ta`.
    #[must_use]
    pub fn is_deprecated(&self) -> bool {
        matches!(&self.name, Name::Known(known) if known.deprecated)
    }

    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.prefix == other.prefix
            && match (&self.name, &other.name) {
                (Name::Known(a), Name::Known(b)) => a.preferred == b.preferred,
                (Name::Unknown(a), Name::Unknown(b)) => a == b,
                (Name::Function(a, of), Name::Function(b, too)) => a == b && of == too,
                _ => false,
            }
    }

    pub(crate) fn scale(&self) -> Scale {
        let prefix = self
            .prefix
            .map_or(Scale::ONE, |prefix| Scale::new(1, 1, prefix.ten, 0).times(Scale::of_two(prefix.two)));
        match &self.name {
            Name::Known(known) => prefix.times(known.scale()),
            _ => prefix,
        }
    }

    /// Multiplies a dimension by a power of this symbol's dimension.
    pub(crate) fn measure(&self, power: Rational, dimension: &mut Dimension) -> Result<()> {
        match &self.name {
            Name::Known(known) => known.bases.iter().try_for_each(|&(base, times)| {
                dimension.multiply(Axis::Base(base), power.times(i32::from(times).into())?)
            }),
            Name::Unknown(_) => {
                let bare = Self { prefix: None, name: self.name.clone() };
                dimension.multiply(Axis::Other(bare.to_string().into()), power)
            }
            Name::Function(..) => dimension.multiply(Axis::Other(self.to_string().into()), power),
        }
    }
}

/// The functions of VOUnit, except `sqrt`, which is a power.
pub(crate) const FUNCTIONS: &[&str] = &["log", "ln", "exp"];

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.prefix())?;
        match &self.name {
            Name::Known(known) => f.write_str(known.preferred),
            Name::Unknown(name) => write!(f, "'{}'", name.replace('\'', "''")),
            Name::Function(name, operand) => write!(f, "{name}({operand})"),
        }
    }
}
