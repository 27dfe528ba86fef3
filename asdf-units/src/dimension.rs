//! What a unit measures.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::error::Result;
use crate::rational::Rational;

/// A base of dimensions: one of the SI, the angle, or something that is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Base {
    /// Length.
    Metre,
    /// Mass.
    Kilogram,
    /// Time.
    Second,
    /// Electric current.
    Ampere,
    /// Temperature.
    Kelvin,
    /// Amount of substance.
    Mole,
    /// Luminous intensity.
    Candela,
    /// Plane angle; a solid angle is its square.
    Radian,
    /// What astronomers count or set apart, by its symbol: `pixel`, `photon`, `adu`, `mag`.
    Counted(&'static str),
}

impl Base {
    /// The symbol of the base unit.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Metre => "m",
            Self::Kilogram => "kg",
            Self::Second => "s",
            Self::Ampere => "A",
            Self::Kelvin => "K",
            Self::Mole => "mol",
            Self::Candela => "cd",
            Self::Radian => "rad",
            Self::Counted(symbol) => symbol,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Axis {
    Base(Base),
    /// An unknown unit, or a function of one, by its text.
    Other(Arc<str>),
}

/// What a unit measures: powers of the bases, without those of power zero.
///
/// Two units can be converted into each other if their dimensions are equal. Every unknown unit, and
/// every function such as `log(Hz)`, is a dimension of its own.
///
/// `Display` prints the product of base units: `m.s**-2`, or `1` for a number.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Dimension(BTreeMap<Axis, Rational>);

impl Dimension {
    /// Whether this is the dimension of plain numbers.
    #[must_use]
    pub fn is_number(&self) -> bool {
        self.0.is_empty()
    }

    /// The power of a base; zero where it does not occur.
    #[must_use]
    pub fn power(&self, base: Base) -> Rational {
        self.0.get(&Axis::Base(base)).copied().unwrap_or(Rational::ZERO)
    }

    /// The bases and their powers, in the order of [`Base`].
    pub fn bases(&self) -> impl Iterator<Item = (Base, Rational)> {
        self.0.iter().filter_map(|(axis, power)| match axis {
            Axis::Base(base) => Some((*base, *power)),
            Axis::Other(_) => None,
        })
    }

    /// Unknown units and functions, as they are printed, with their powers.
    pub fn others(&self) -> impl Iterator<Item = (&str, Rational)> {
        self.0.iter().filter_map(|(axis, power)| match axis {
            Axis::Base(_) => None,
            Axis::Other(text) => Some((&**text, *power)),
        })
    }

    pub(crate) fn multiply(&mut self, axis: Axis, power: Rational) -> Result<()> {
        let sum = self.0.get(&axis).copied().unwrap_or(Rational::ZERO).plus(power)?;
        if sum.is_zero() {
            self.0.remove(&axis);
        } else {
            self.0.insert(axis, sum);
        }
        Ok(())
    }
}

impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_number() {
            return f.write_str("1");
        }
        for (index, (axis, power)) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str(".")?;
            }
            f.write_str(match axis {
                Axis::Base(base) => base.symbol(),
                Axis::Other(text) => text,
            })?;
            write_power(*power, f)?;
        }
        Ok(())
    }
}

/// A power as it stands behind a symbol.
pub(crate) fn write_power(power: Rational, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match (power.numerator(), power.denominator()) {
        (1, 1) => Ok(()),
        (whole, 1) => write!(f, "**{whole}"),
        _ => write!(f, "**({power})"),
    }
}
