//! The size of a cutout.

use std::str::FromStr;

use asdf_core::{Error, Result};

/// A length along an axis of an image.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Length {
    /// A number of pixels.
    Pixels(f64),
    /// An angle on the sky in arcseconds.
    Arcseconds(f64),
}

/// The width and height of a [`Cutout`](crate::Cutout).
///
/// Is parsed from one length, or from width and height. The units are `arcsec`, `arcmin`, `deg`, `mas` and `pix`, which is
/// the default.
///
/// # Examples
/// ```
/// use asdf_gwcs::{Length, Size};
///
/// let size: Size = "1arcmin,30arcsec".parse()?;
/// assert_eq!(size.width, Length::Arcseconds(60.0));
/// assert_eq!("200".parse::<Size>()?.height, Length::Pixels(200.0));
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Size {
    /// The length along `x`.
    pub width: Length,
    /// The length along `y`.
    pub height: Length,
}

impl FromStr for Size {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let (width, height) = text.split_once(',').unwrap_or((text, ""));
        let (number, unit) = parts(width)?;
        let first = length(number, unit)?;
        let second = match height.trim() {
            "" => first,
            height => match parts(height)? {
                (number, "") => length(number, unit)?,
                (number, unit) => length(number, unit)?,
            },
        };
        Ok(Self { width: first, height: second })
    }
}

/// Splits a length into number and unit.
fn parts(text: &str) -> Result<(f64, &str)> {
    let text = text.trim();
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let number = text.get(..end).and_then(|number| number.parse::<f64>().ok());
    let number = number.filter(|number| *number > 0.0 && number.is_finite());
    let unit = text.get(end..).unwrap_or_default().trim();
    number
        .map(|number| (number, unit))
        .ok_or_else(|| Error::usage("expected sizes such as 30arcsec, 1arcmin or 200"))
}

fn length(number: f64, unit: &str) -> Result<Length> {
    let arcseconds = match unit {
        "" | "px" | "pix" | "pixel" | "pixels" => return Ok(Length::Pixels(number)),
        "mas" => 1e-3,
        "arcsec" | "\"" | "″" => 1.0,
        "arcmin" | "'" | "′" => 60.0,
        "deg" | "d" | "°" => 3600.0,
        _ => return Err(Error::usage("unknown unit; use one of arcsec, arcmin, deg, mas and pix")),
    };
    Ok(Length::Arcseconds(number * arcseconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        let size = |text: &str| text.parse::<Size>().map(|size| [size.width, size.height]).ok();
        assert_eq!(size("30arcsec"), Some([Length::Arcseconds(30.0); 2]));
        assert_eq!(size("1.5 arcmin, 20"), Some([Length::Arcseconds(90.0), Length::Arcseconds(1200.0)]));
        assert_eq!(size("200,100pix"), Some([Length::Pixels(200.0), Length::Pixels(100.0)]));
        assert_eq!(size("0.5deg,2'"), Some([Length::Arcseconds(1800.0), Length::Arcseconds(120.0)]));
        for wrong in ["", "-3", "0", "arcsec", "3parsec", "1,2,3", "nan", "inf", "3,x"] {
            assert!(size(wrong).is_none(), "{wrong}");
        }
    }
}
