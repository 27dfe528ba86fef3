//! Units of measurement in the notation of [VOUnit](https://www.ivoa.net/documents/VOUnits/).
//!
//! VOUnit is the IVOA standard for units that ASDF, VOTable and other formats use. This crate covers the parts of
//! `astropy.units` that deal with units: parsing, conversion, dimensions and printing.
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
//!     "cannot convert `MJy.sr**-1` to `Jy.beam**-1`: \
//!      the first measures `kg.s**-2.rad**-2`, the second `kg.s**-2.beam**-1`"
//! );
//! # Ok::<(), asdf_units::Error>(())
//! ```
//!
//! | | |
//! |---|---|
//! | [`Unit::parse`] | parses VOUnit 1.0 and 1.1: symbols with SI prefixes, binary prefixes for bits and bytes, `'unknown'` units in quotes, products with `.`, one `/`, powers with `**`, `sqrt`, `log`, `ln`, `exp`, a leading factor |
//! | [`Unit::parse_lenient`] | also parses other notations found in files; never fails |
//! | [`Unit::convert`], [`Unit::factor_to`] | convert numbers from one unit to another |
//! | [`Unit::multiply`], [`Unit::divide`], [`Unit::power`] | combine units |
//! | `==`, [`Unit::dimension`], [`Unit::scale`] | compare units by dimension and size |
//!
//! Powers and sizes are exact as far as possible. An angle is not a plain number: `rad` and `sr` (which is `rad**2`)
//! have the dimension of an angle. Counted quantities (`pixel`, `photon`, `count`, `adu`) and units with a zero point or
//! a logarithm (`mag`, `deg_C`) have their own dimensions too.
//!
//! # Limitations
//!
//! - Conversions multiply by a factor. Magnitudes cannot be converted to fluxes, degrees Celsius to kelvins, or
//!   wavelengths to frequencies.
//! - Only the common parts of other notations (OGIP, CDS, FITS) are supported.

mod dimension;
mod error;
mod known;
mod rational;
mod scale;
mod unit;
mod wide;

pub use dimension::{Base, Dimension};
pub use error::{Error, Result};
pub use rational::Rational;
pub use scale::Scale;
pub use unit::{Symbol, Unit};

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
