//! Units of measurement as astronomers write them: [VOUnit](https://www.ivoa.net/documents/VOUnits/),
//! the notation of the IVOA, which ASDF, VOTable and others use.
//!
//! ```
//! use asdf_units::{Base, Unit};
//!
//! let brightness = Unit::parse("MJy/sr")?;
//! assert_eq!(brightness.to_string(), "MJy.sr**-1");
//! let other = Unit::parse("uJy.arcsec**-2")?;
//! assert!((brightness.convert(2.0, &other)? - 47.008_861_078_195_8).abs() < 1e-12);
//! assert_eq!(brightness.dimension()?.to_string(), "kg.s**-2.rad**-2");
//! assert_eq!(brightness.dimension()?.power(Base::Second).numerator(), -2);
//!
//! let error = brightness.factor_to(&Unit::parse("Jy.beam**-1")?).unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "`MJy.sr**-1` cannot be converted into `Jy.beam**-1`: \
//!      the first measures `kg.s**-2.rad**-2`, the second `kg.s**-2.beam**-1`"
//! );
//! # Ok::<(), asdf_units::Error>(())
//! ```
//!
//! | | |
//! |---|---|
//! | [`Unit::parse`] | VOUnit 1.1, and with it 1.0: symbols with the prefixes of the SI, binary ones for bits and bytes, `'unknown'` units in quotes, products by `.`, one `/`, powers by `**`, `sqrt`, `log`, `ln`, `exp`, a factor in front |
//! | [`Unit::parse_lenient`] | also what else is found in files; never an error |
//! | [`Unit::convert`], [`Unit::factor_to`] | numbers of one unit as numbers of another |
//! | [`Unit::multiply`], [`Unit::divide`], [`Unit::power`] | units of products, quotients and powers |
//! | `==`, [`Unit::dimension`], [`Unit::scale`] | what a unit measures, and how large it is |
//!
//! Powers and sizes are exact as far as possible. Angles are no plain numbers: `rad` and `sr` (which is
//! `rad**2`) have a dimension of their own, and so has what is counted (`pixel`, `photon`, `count`,
//! `adu`) or has a zero point or a logarithm behind it (`mag`, `deg_C`).
//!
//! What this crate does not do: it converts only by factors, so not magnitudes into fluxes, degrees
//! Celsius into kelvins, or wavelengths into frequencies, and it reads no other languages of units
//! in full (OGIP's, CDS's, FITS's), only what is common of them.

mod dimension;
mod error;
mod known;
mod rational;
mod scale;
mod unit;

pub use dimension::{Base, Dimension};
pub use error::{Error, Result};
pub use rational::Rational;
pub use scale::Scale;
pub use unit::{Symbol, Unit};

/// The README's example compiles.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
