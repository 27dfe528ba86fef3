//! Units: a scale factor times powers of symbols.

mod nearest;
mod parse;
mod symbol;

use std::fmt;
use std::str::FromStr;

use crate::dimension::{Dimension, write_power};
use crate::error::{Error, Result};
use crate::rational::Rational;
use crate::scale::Scale;

pub use symbol::Symbol;

/// A unit of measurement: a scale factor times powers of symbols.
///
/// `Display` prints a canonical form of VOUnit: the factor, then the symbols joined by `.`, without `/`. Positive powers
/// come first, and each symbol occurs once, in its preferred spelling. The printed form parses back to an equal unit,
/// except if the factor is not a decimal number (`/6`), which is printed as the nearest double.
///
/// Units are equal if they have the same dimension and size, in any notation. Exact sizes are compared exactly, others
/// with a relative tolerance of 10^-14.
///
/// # Examples
///
/// ```
/// use asdf_units::Unit;
///
/// let speed = Unit::parse("km/s")?;
/// assert_eq!(speed.to_string(), "km.s**-1");
/// assert_eq!(speed.factor_to(&Unit::parse("m/h")?)?, 3.6e6);
/// assert_eq!(Unit::parse("N")?, Unit::parse("kg.m.s**-2")?);
///
/// let error = Unit::parse("km/sec").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "'km/sec' at byte 3: unknown unit 'sec'\n  hint: VOUnit writes it 's'"
/// );
/// # Ok::<(), asdf_units::Error>(())
/// ```
#[doc(alias = "astropy.units")]
#[doc(alias = "VOUnit")]
#[derive(Debug, Clone)]
pub struct Unit {
    pub(crate) scale: Scale,
    factors: Vec<(Symbol, Rational)>,
}

impl Unit {
    /// Returns the unit of plain numbers.
    #[doc(alias = "dimensionless_unscaled")]
    #[must_use]
    pub fn one() -> Self {
        Self::of_scale(Scale::ONE)
    }

    /// Parses VOUnit 1.1. Unknown symbols must be in quotes (`'furlong'`).
    ///
    /// The empty text is the unit of plain numbers, as in ASDF and in VOUnit 1.0.
    ///
    /// # Errors
    /// If the text is not valid VOUnit or has an unknown symbol, or if the size of the unit is out of range for a double
    /// (`km**200`). The error has the position in the text and a hint.
    pub fn parse(text: &str) -> Result<Self> {
        parse::standard(text)
    }

    /// Parses VOUnit and other notations that programs in astronomy write. Never fails.
    ///
    /// In addition to VOUnit it accepts:
    ///
    /// - spaces, `*` and several `/` (evaluated from left to right),
    /// - powers with `^` or without an operator (`m2`, `s-1`),
    /// - numbers anywhere (`1e-10 m`, `1/s`),
    /// - functions of any name,
    /// - symbols and spellings that are common elsewhere (`electron`, `DN`, `dex`, `sec`, `micron`).
    ///
    /// An unknown symbol becomes an unknown unit with that name. Text that cannot be parsed, or that has spaces and no
    /// known symbol, becomes one unknown unit. Both keep their text. VOUnit reads `furlong` as 10^-15 of an unknown
    /// `urlong`; this function reads it as the unknown unit `furlong`.
    ///
    /// # Examples
    ///
    /// ```
    /// use asdf_units::Unit;
    ///
    /// assert_eq!(Unit::parse_lenient("erg / (cm2 s)"), Unit::parse("erg.cm**-2.s**-1")?);
    /// let rate = Unit::parse_lenient("widgets/min");
    /// assert!(!rate.is_known());
    /// assert_eq!(rate.factor_to(&Unit::parse_lenient("widgets/s"))?, 1.0 / 60.0);
    /// assert_eq!(Unit::parse_lenient("see the paper").to_string(), "'see the paper'");
    /// # Ok::<(), asdf_units::Error>(())
    /// ```
    #[must_use]
    pub fn parse_lenient(text: &str) -> Self {
        match parse::lenient(text) {
            Ok(unit)
                if !text.contains(' ')
                    || text.contains('\'')
                    || unit.factors.iter().any(|(symbol, _)| symbol.is_known()) =>
            {
                unit
            }
            Ok(unit) if unit.factors.is_empty() => unit,
            _ => Self::unknown(text),
        }
    }

    /// Returns an unknown unit with any name, which only converts to itself.
    #[doc(alias = "UnrecognizedUnit")]
    #[must_use]
    pub fn unknown(name: &str) -> Self {
        let factors = Symbol::unknown("", name).map(|symbol| (symbol, Rational::ONE));
        Self { scale: Scale::ONE, factors: factors.into_iter().collect() }
    }

    /// Returns true if every symbol is known.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.factors.iter().all(|(symbol, _)| symbol.is_known())
    }

    /// Returns true if every symbol is part of VOUnit.
    #[must_use]
    pub fn is_standard(&self) -> bool {
        self.factors.iter().all(|(symbol, _)| symbol.is_standard())
    }

    /// Iterates over the symbols and their powers.
    ///
    /// Each symbol occurs once. The symbols are in the order in which they were combined.
    #[doc(alias = "bases")]
    #[doc(alias = "powers")]
    pub fn symbols(&self) -> impl Iterator<Item = (&Symbol, Rational)> {
        self.factors.iter().map(|(symbol, power)| (symbol, *power))
    }

    /// Returns the dimension of the unit. Units with equal dimensions can be converted to each other.
    ///
    /// # Errors
    /// If a power becomes larger than [`Rational`] allows.
    #[doc(alias = "is_equivalent")]
    #[doc(alias = "physical_type")]
    #[doc(alias = "decompose")]
    pub fn dimension(&self) -> Result<Dimension> {
        let mut dimension = Dimension::default();
        for (symbol, power) in &self.factors {
            symbol.measure(*power, &mut dimension)?;
        }
        Ok(dimension)
    }

    /// Returns the size of the unit in base units: 1000 for `km`, 0.001 for `g`.
    #[doc(alias = "decompose")]
    #[must_use]
    pub fn scale(&self) -> Scale {
        let scales = self.factors.iter().map(|(symbol, power)| symbol.scale().power(*power));
        scales.fold(self.scale, Scale::times)
    }

    /// Returns the factor that converts numbers of this unit to numbers of another unit.
    ///
    /// The accuracy is that of [`Scale::to_f64`] of the quotient. The quotient is exact if both units are: 1 for equal
    /// units, 1000 from `km` to `m`.
    ///
    /// # Errors
    /// If the dimensions of the units differ (the message shows both), or if the factor is out of range for a double.
    #[doc(alias = "to")]
    pub fn factor_to(&self, other: &Self) -> Result<f64> {
        let (from, to) = (self.dimension()?, other.dimension()?);
        if from != to {
            let error = Error::new(format!(
                "cannot convert `{self}` to `{other}`: the first measures `{from}`, the second `{to}`"
            ));
            let logarithmic =
                self.symbols().chain(other.symbols()).any(|(symbol, _)| symbol.operand().is_some());
            return Err(if logarithmic {
                error.with_hint("convert functions of units, such as log(Hz), only to the same function")
            } else if !self.is_known() || !other.is_known() {
                error.with_hint("convert an unknown unit only to itself")
            } else {
                error
            });
        }
        let factor = self.over(other)?.scale();
        if factor.is_in_range() {
            Ok(factor.to_f64())
        } else {
            Err(Error::new(format!("the factor from `{self}` to `{other}` is out of range for a double")))
        }
    }

    /// Converts a number of this unit to a number of another unit.
    ///
    /// # Errors
    /// The same as for [`factor_to`](Self::factor_to).
    #[doc(alias = "to")]
    pub fn convert(&self, value: f64, other: &Self) -> Result<f64> {
        Ok(value * self.factor_to(other)?)
    }

    /// Returns the product with another unit.
    ///
    /// Powers of the same symbol are added. A symbol with power zero is removed.
    ///
    /// # Errors
    /// If a power becomes larger than [`Rational`] allows, or the size is out of range for a double.
    pub fn multiply(&self, other: &Self) -> Result<Self> {
        self.times(other)?.in_range()
    }

    /// Returns the quotient of this unit and another.
    ///
    /// # Errors
    /// The same as for [`multiply`](Self::multiply).
    pub fn divide(&self, other: &Self) -> Result<Self> {
        self.over(other)?.in_range()
    }

    /// Returns a power of the unit. The square root is the power 1/2.
    ///
    /// # Errors
    /// The same as for [`multiply`](Self::multiply).
    ///
    /// # Examples
    ///
    /// ```
    /// use asdf_units::{Rational, Unit};
    ///
    /// let error = Unit::parse("km")?.power(Rational::from(200)).unwrap_err();
    /// assert_eq!(error.to_string(), "the size of `km**200` is out of range for a double");
    /// # Ok::<(), asdf_units::Error>(())
    /// ```
    #[doc(alias = "sqrt")]
    pub fn power(&self, power: Rational) -> Result<Self> {
        self.raised(power)?.in_range()
    }

    /// Returns the unit if it has a dimension, and a size that is a normal double.
    pub(crate) fn in_range(self) -> Result<Self> {
        self.dimension()?;
        // The factor is printed apart from the symbols.
        match self.scale.is_in_range() && self.scale().is_in_range() {
            true => Ok(self),
            false => Err(Error::new(format!("the size of `{self}` is out of range for a double"))),
        }
    }

    /// Returns the product, whose size can be out of range.
    pub(crate) fn times(&self, other: &Self) -> Result<Self> {
        let mut product = self.clone();
        product.scale = product.scale.times(other.scale);
        for (symbol, power) in &other.factors {
            product.put(symbol.clone(), *power)?;
        }
        Ok(product)
    }

    fn over(&self, other: &Self) -> Result<Self> {
        self.times(&other.raised(Rational::from(-1))?)
    }

    /// Returns a power, whose size can be out of range.
    pub(crate) fn raised(&self, power: Rational) -> Result<Self> {
        let mut result = Self::of_scale(self.scale.power(power));
        for (symbol, own) in &self.factors {
            result.put(symbol.clone(), own.times(power)?)?;
        }
        Ok(result)
    }

    pub(crate) fn of_scale(scale: Scale) -> Self {
        Self { scale, factors: Vec::new() }
    }

    pub(crate) fn of_symbol(symbol: Symbol) -> Self {
        Self { scale: Scale::ONE, factors: vec![(symbol, Rational::ONE)] }
    }

    fn put(&mut self, symbol: Symbol, power: Rational) -> Result<()> {
        match self.factors.iter().position(|(own, _)| own.is_same(&symbol)) {
            Some(index) => {
                if let Some((_, own)) = self.factors.get_mut(index) {
                    *own = own.plus(power)?;
                    if own.is_zero() {
                        self.factors.remove(index);
                    }
                }
            }
            None if power.is_zero() => {}
            None => self.factors.push((symbol, power)),
        }
        Ok(())
    }
}

impl PartialEq for Unit {
    fn eq(&self, other: &Self) -> bool {
        let same = matches!((self.dimension(), other.dimension()), (Ok(a), Ok(b)) if a == b);
        // Common symbols cancel before any rounding.
        same && self.over(other).is_ok_and(|quotient| quotient.scale() == Scale::ONE)
    }
}

impl FromStr for Unit {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::parse(text)
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A float near one is printed, but not one itself.
        let is_one = self.scale == Scale::ONE && self.scale.to_f64() == 1.0;
        if !is_one {
            write_scale(&self.scale, f)?;
        } else if self.factors.is_empty() {
            return f.write_str("1");
        }
        let (above, below): (Vec<_>, Vec<_>) =
            self.factors.iter().partition(|(_, power)| power.numerator() > 0);
        for (index, (symbol, power)) in above.into_iter().chain(below).enumerate() {
            if index > 0 {
                f.write_str(".")?;
            }
            write!(f, "{symbol}")?;
            write_power(*power, f)?;
        }
        Ok(())
    }
}

/// Returns the shortest decimal number that rounds to this double, as `digits * 10**ten`.
fn shortest(value: f64) -> Option<(u128, i32)> {
    let text = format!("{value:e}");
    let (mantissa, exponent) = text.split_once('e')?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let ten = exponent.parse::<i32>().ok()?.checked_sub(i32::try_from(fraction.len()).ok()?)?;
    Some((format!("{whole}{fraction}").parse().ok()?, ten))
}

fn write_scale(scale: &Scale, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let Some((digits, ten)) = scale.decimal().or_else(|| shortest(scale.to_f64())) else {
        return write!(f, "{:e}", scale.to_f64());
    };
    match (digits, ten) {
        (1, 1) => f.write_str("10"),
        (1, ten) if ten != 0 => write!(f, "10**{ten}"),
        _ => {
            let text = digits.to_string();
            let places = i32::try_from(text.len()).unwrap_or(i32::MAX);
            let size = ten.saturating_add(places);
            if (-3..=15).contains(&size) && ten <= 0 {
                let point = usize::try_from(size.max(0)).unwrap_or(0);
                let zeros = "0".repeat(usize::try_from(-size).unwrap_or(0));
                let (whole, fraction) = text.split_at_checked(point).unwrap_or((&text, ""));
                let whole = if whole.is_empty() { "0" } else { whole };
                let fraction = format!("{zeros}{fraction}");
                let fraction = fraction.trim_end_matches('0');
                let dot = if fraction.is_empty() { "" } else { "." };
                return write!(f, "{whole}{dot}{fraction}");
            }
            let (first, rest) = text.split_at_checked(1).unwrap_or((&text, ""));
            let rest = rest.trim_end_matches('0');
            let dot = if rest.is_empty() { "" } else { "." };
            write!(f, "{first}{dot}{rest}e{}", size.saturating_sub(1))
        }
    }
}
