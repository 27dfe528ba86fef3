//! Dimensions of units.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::error::Result;
use crate::rational::Rational;

/// A base dimension: one of the SI, the plane angle, or a counted quantity.
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
    /// A quantity with its own dimension in astronomy, by its symbol: `pixel`, `photon`, `adu`, `mag`.
    Counted(&'static str),
}

impl Base {
    /// Returns the symbol of the base unit.
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
    /// An unknown unit or a function of a unit, by its text.
    Other(Arc<str>),
}

/// The dimension of a unit: the nonzero powers of the base dimensions.
///
/// Units with equal dimensions can be converted to each other. Every unknown unit and every function such as `log(Hz)`
/// has its own dimension.
///
/// `Display` prints the product of base units: `m.s**-2`, or `1` for a plain number.
///
/// # Examples
///
/// ```
/// use asdf_units::{Base, Unit};
///
/// let force = Unit::parse("mN")?.dimension()?;
/// assert_eq!(force.to_string(), "m.kg.s**-2");
/// assert_eq!(force.power(Base::Second).numerator(), -2);
/// assert_eq!(force, Unit::parse("kg.km.h**-2")?.dimension()?);
/// assert!(Unit::parse("%")?.dimension()?.is_number());
/// # Ok::<(), asdf_units::Error>(())
/// ```
#[doc(alias = "PhysicalType")]
#[doc(alias = "physical_type")]
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Dimension(BTreeMap<Axis, Rational>);

impl Dimension {
    /// Returns true for the dimension of plain numbers.
    #[doc(alias = "dimensionless")]
    #[must_use]
    pub fn is_number(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the power of a base; zero if the base does not occur.
    #[must_use]
    pub fn power(&self, base: Base) -> Rational {
        self.0.get(&Axis::Base(base)).copied().unwrap_or(Rational::ZERO)
    }

    /// Iterates over the bases and their powers, in the order of [`Base`].
    pub fn bases(&self) -> impl Iterator<Item = (Base, Rational)> {
        self.0.iter().filter_map(|(axis, power)| match axis {
            Axis::Base(base) => Some((*base, *power)),
            Axis::Other(_) => None,
        })
    }

    /// Iterates over the unknown units and functions, in their printed form, and their powers.
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

/// Writes a power after a symbol.
pub(crate) fn write_power(power: Rational, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match (power.numerator(), power.denominator()) {
        (1, 1) => Ok(()),
        (whole, 1) => write!(f, "**{whole}"),
        _ => write!(f, "**({power})"),
    }
}
