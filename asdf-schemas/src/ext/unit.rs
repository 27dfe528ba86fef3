//! `Unit`: the text, taken apart.

use std::str::FromStr;

use asdf_core::{Error, Result};

use crate::unit::Unit;

impl Unit {
    /// The unit as `asdf_units` reads it, which computes and converts. Never fails: what is not known
    /// is an unknown unit ([`asdf_units::Unit::parse_lenient`]).
    ///
    /// ```
    /// use asdf_schemas::unit::Unit;
    ///
    /// let unit: Unit = "MJy.sr**-1".parse()?;
    /// assert_eq!(unit.parsed().dimension().unwrap().to_string(), "kg.s**-2.rad**-2");
    /// assert!(!Unit::new("furlong".to_owned())?.parsed().is_known());
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    #[must_use]
    pub fn parsed(&self) -> asdf_units::Unit {
        asdf_units::Unit::parse_lenient(self.get())
    }

    /// The unit by the rules of VOUnit, which the standard asks for.
    ///
    /// ```
    /// use asdf_schemas::unit::Unit;
    ///
    /// assert!(Unit::new("km.s**-1".to_owned())?.standard().is_ok());
    /// let error = Unit::new("km/sec".to_owned())?.standard().unwrap_err();
    /// assert_eq!(error.message(), "'km/sec' at byte 3: unknown unit 'sec'");
    /// assert_eq!(error.hint(), Some("VOUnit writes it 's'"));
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Mismatch`](asdf_core::ErrorKind::Mismatch) when the text is no VOUnit, or has a symbol that is
    /// not known and not in quotes.
    pub fn standard(&self) -> Result<asdf_units::Unit> {
        asdf_units::Unit::parse(self.get()).map_err(|error| of_units(&error))
    }
}

impl FromStr for Unit {
    type Err = Error;

    /// Takes any text, as the standard's schema does.
    fn from_str(text: &str) -> Result<Self> {
        Self::new(text.to_owned())
    }
}

impl TryFrom<&asdf_units::Unit> for Unit {
    type Error = Error;

    /// The canonical text of a unit; a plain number's is empty.
    fn try_from(unit: &asdf_units::Unit) -> Result<Self> {
        let text = if *unit == asdf_units::Unit::one() { String::new() } else { unit.to_string() };
        Self::new(text)
    }
}

/// An error of units as one of this project.
pub(super) fn of_units(error: &asdf_units::Error) -> Error {
    let text = error.to_string();
    let message = text.split_once("\n  hint: ").map_or(text.as_str(), |(message, _)| message);
    let found = Error::mismatch(message);
    match error.hint() {
        Some(hint) => found.with_hint(hint),
        None => found,
    }
}

/// A unit that a program names: VOUnit, or another spelling that is known.
pub(super) fn known(text: &str) -> Result<asdf_units::Unit> {
    asdf_units::Unit::parse(text).or_else(|error| {
        let lenient = asdf_units::Unit::parse_lenient(text);
        if lenient.is_known() { Ok(lenient) } else { Err(of_units(&error)) }
    })
}
