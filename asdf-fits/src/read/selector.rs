//! `Selector`: the units to read.

use std::fmt;
use std::str::FromStr;

use crate::hdu::Hdu;

/// Selects units of a FITS file by number, or by name and optional version.
///
/// # Examples
/// ```
/// use asdf_fits::Selector;
///
/// assert_eq!("2".parse(), Ok(Selector::Number(2)));
/// assert_eq!("SCI".parse(), Ok(Selector::Name("SCI".to_owned(), None)));
/// assert_eq!("SCI,2".parse(), Ok(Selector::Name("SCI".to_owned(), Some(2))));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Selector {
    /// The number of a unit, from 0.
    Number(usize),
    /// The name, in upper or lower case, and the version. Without a version, all units with the name.
    Name(String, Option<i64>),
}

impl Selector {
    /// Returns whether this selects the unit with this number.
    pub(crate) fn matches(&self, number: usize, hdu: &Hdu) -> bool {
        match self {
            Self::Number(own) => *own == number,
            Self::Name(name, version) => {
                let own = hdu.name().unwrap_or(if number == 0 { "PRIMARY" } else { "" });
                own.eq_ignore_ascii_case(name) && version.is_none_or(|version| version == hdu.version())
            }
        }
    }
}

impl FromStr for Selector {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Ok(number) = text.parse() {
            return Ok(Self::Number(number));
        }
        let (name, version) = match text.rsplit_once(',') {
            Some((name, version)) => match version.trim().parse() {
                Ok(version) => (name, Some(version)),
                Err(_) => {
                    return Err(format!("found the version '{version}', expected a number, as in SCI,2"));
                }
            },
            None => (text, None),
        };
        match name.trim() {
            "" => Err("expected the number or name of an HDU, such as 1, SCI or SCI,2".to_owned()),
            name => Ok(Self::Name(name.to_owned(), version)),
        }
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Name(name, None) => name.fmt(f),
            Self::Name(name, Some(version)) => write!(f, "{name},{version}"),
        }
    }
}
