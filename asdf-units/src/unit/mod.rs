//! Units: products of symbols with powers, and a factor.

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

/// A unit of measurement: a factor times symbols with powers.
///
/// `Display` prints VOUnit in one form: the factor, then the symbols joined by `.`, those with positive
/// powers first, each once and in its preferred spelling, and no `/`. What is printed reads back as an
/// equal unit, but for a factor that is no decimal number (`/6`): that is printed as the nearest double.
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
///
/// Units are equal when they measure the same thing by the same size, however they are written. Exact
/// sizes are compared exactly, rounded ones to 1 in 10^14.
#[derive(Debug, Clone)]
pub struct Unit {
    pub(crate) scale: Scale,
    factors: Vec<(Symbol, Rational)>,
}

impl Unit {
    /// The unit of plain numbers.
    #[must_use]
    pub fn one() -> Self {
        Self::of_scale(Scale::ONE)
    }

    /// Reads VOUnit 1.1, all of whose symbols have to be known ones or in quotes (`'furlong'`).
    ///
    /// The empty text is the unit of plain numbers, as in ASDF and in VOUnit 1.0.
    ///
    /// # Errors
    /// Names the position in the text, and what it may have meant.
    pub fn parse(text: &str) -> Result<Self> {
        parse::standard(text)
    }

    /// Reads what astronomers' programs write, and never fails.
    ///
    /// Beyond VOUnit: blanks, `*` and several `/` (read from left to right), `^`, powers without sign
    /// (`m2`, `s-1`), numbers anywhere (`1e-10 m`, `1/s`), functions of any name, and symbols and
    /// spellings that are common elsewhere (`electron`, `DN`, `dex`, `sec`, `micron`).
    ///
    /// A symbol that is not known becomes an unknown unit of that name. A text that cannot be read, or
    /// that has blanks and no known symbol, becomes one unknown unit. Both are kept as they are. VOUnit would have `furlong` be
    /// 10^-15 of an unknown `urlong`; here it is a `furlong`.
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

    /// An unknown unit of any name, which only converts into itself.
    #[must_use]
    pub fn unknown(name: &str) -> Self {
        let factors = Symbol::unknown("", name).map(|symbol| (symbol, Rational::ONE));
        Self { scale: Scale::ONE, factors: factors.into_iter().collect() }
    }

    /// Whether the meaning of every symbol is known.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.factors.iter().all(|(symbol, _)| symbol.is_known())
    }

    /// Whether VOUnit has every symbol.
    #[must_use]
    pub fn is_standard(&self) -> bool {
        self.factors.iter().all(|(symbol, _)| symbol.is_standard())
    }

    /// The symbols with their powers, as often as they were combined; none is there twice.
    pub fn symbols(&self) -> impl Iterator<Item = (&Symbol, Rational)> {
        self.factors.iter().map(|(symbol, power)| (symbol, *power))
    }

    /// What the unit measures.
    ///
    /// # Errors
    /// When a power is too large.
    pub fn dimension(&self) -> Result<Dimension> {
        let mut dimension = Dimension::default();
        for (symbol, power) in &self.factors {
            symbol.measure(*power, &mut dimension)?;
        }
        Ok(dimension)
    }

    /// How many units of its dimension's bases this is: 1000 for `km`, 0.001 for `g`.
    #[must_use]
    pub fn scale(&self) -> Scale {
        self.factors
            .iter()
            .fold(self.scale, |scale, (symbol, power)| scale.times(symbol.scale().power(*power)))
    }

    /// The factor from numbers of this unit to numbers of another.
    ///
    /// As accurate as [`Scale::to_f64`] of the quotient, which is exact where both units are: 1 for
    /// equal units, 1000 from `km` to `m`.
    ///
    /// # Errors
    /// When the units measure different things; the message shows both dimensions. Also when no double
    /// holds the factor.
    pub fn factor_to(&self, other: &Self) -> Result<f64> {
        let (from, to) = (self.dimension()?, other.dimension()?);
        if from != to {
            let error = Error::new(format!(
                "`{self}` cannot be converted into `{other}`: the first measures `{from}`, the second `{to}`"
            ));
            let logarithmic =
                self.symbols().chain(other.symbols()).any(|(symbol, _)| symbol.operand().is_some());
            return Err(if logarithmic {
                error.with_hint("functions of units, such as log(Hz), are only converted into themselves")
            } else if !self.is_known() || !other.is_known() {
                error.with_hint("an unknown unit is only converted into itself")
            } else {
                error
            });
        }
        let factor = self.divide(other)?.scale().to_f64();
        if factor.is_finite() && factor > 0.0 {
            Ok(factor)
        } else {
            Err(Error::new(format!("the factor from '{self}' to '{other}' is beyond what a double holds")))
        }
    }

    /// A number of this unit as one of another.
    ///
    /// # Errors
    /// As [`factor_to`](Self::factor_to).
    pub fn convert(&self, value: f64, other: &Self) -> Result<f64> {
        Ok(value * self.factor_to(other)?)
    }

    /// The product with another unit. Powers of the same symbol are added, and gone when they are zero.
    ///
    /// # Errors
    /// When a power becomes too large.
    pub fn multiply(&self, other: &Self) -> Result<Self> {
        let mut product = self.clone();
        product.scale = product.scale.times(other.scale);
        for (symbol, power) in &other.factors {
            product.put(symbol.clone(), *power)?;
        }
        Ok(product)
    }

    /// The quotient by another unit.
    ///
    /// # Errors
    /// When a power becomes too large.
    pub fn divide(&self, other: &Self) -> Result<Self> {
        self.multiply(&other.power(Rational::from(-1))?)
    }

    /// A power of the unit; the square root is the power 1/2.
    ///
    /// # Errors
    /// When a power becomes too large.
    pub fn power(&self, power: Rational) -> Result<Self> {
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
        // What is in both cancels before anything is rounded.
        same && self.divide(other).is_ok_and(|quotient| quotient.scale() == Scale::ONE)
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
        if self.scale != Scale::ONE || !self.scale.is_exact() {
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

/// The shortest decimal number that a double is the nearest to, as `digits * 10**ten`.
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
