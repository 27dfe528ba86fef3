//! `Bounds`: the size of a picture.

use std::str::FromStr;

use asdf_core::{Error, Result};

use crate::problem::Problem;

/// The maximum size of a picture, in pixels. Pictures keep the aspect ratio of their array.
///
/// Parses from `full`, from `800` for both sides, and from `800x600`. A side has at most 32,768 pixels.
///
/// # Examples
/// ```
/// use asdf_picture::Bounds;
///
/// assert_eq!("800x600".parse::<Bounds>()?, Bounds::Within(800, 600));
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bounds {
    /// One pixel for each element.
    Full,
    /// At most this width and height. Larger images are averaged; in smaller ones each element is a square.
    Within(usize, usize),
}

/// The longest side that can be given in pixels.
const MAX_SIDE: usize = 1 << 15;

/// The maximum number of pixels. Programs do not open larger pictures.
const MAX_PIXELS: u64 = 1 << 27;

/// The size of a picture of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fit {
    /// The width in averaged pixels.
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// The side of the square that each averaged pixel is drawn as.
    pub(crate) factor: usize,
}

impl Bounds {
    /// Returns the largest picture of `width` by `height` elements that fits and keeps the aspect ratio.
    pub(crate) fn fit(self, width: u64, height: u64) -> Result<Fit> {
        let all = width.saturating_mul(height);
        let fit = match self {
            Self::Full => None,
            Self::Within(most_wide, most_high) => Some((most_wide.max(1) as u64, most_high.max(1) as u64)),
        };
        let shrunk = fit.filter(|&(wide, high)| width > wide || height > high);
        let (width, height, factor) = match (fit, shrunk) {
            (_, Some((wide, high))) => {
                let (w, h) = (u128::from(width), u128::from(height));
                // Whether the width or the height limits the size.
                let by_width = w * u128::from(high) >= h * u128::from(wide);
                let (over, under) = if by_width { (u128::from(wide), w) } else { (u128::from(high), h) };
                let scaled =
                    |n: u128| u64::try_from((n * over + under / 2) / under.max(1)).unwrap_or(u64::MAX);
                (scaled(w).clamp(1, wide), scaled(h).clamp(1, high), 1)
            }
            (Some((wide, high)), None) => {
                let most = (MAX_PIXELS / all.max(1)).isqrt();
                (width, height, (wide / width.max(1)).min(high / height.max(1)).min(most).max(1))
            }
            (None, None) => (width, height, 1),
        };
        if width.saturating_mul(height) > MAX_PIXELS {
            return Err(Problem::TooManyPixels { elements: all, max: MAX_PIXELS }.error());
        }
        let side = |n: u64| usize::try_from(n).map_err(|_| Error::limit("the picture is too large"));
        Ok(Fit { width: side(width)?, height: side(height)?, factor: side(factor)? })
    }
}

impl FromStr for Bounds {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        if text == "full" {
            return Ok(Self::Full);
        }
        let side = |text: &str| {
            let side = text.parse::<usize>().ok().filter(|side| (1..=MAX_SIDE).contains(side));
            side.ok_or_else(|| {
                Error::usage(format!("expected 1 to {MAX_SIDE} pixels, such as 800 or 800x600, or full"))
            })
        };
        match text.split_once('x') {
            Some((width, height)) => Ok(Self::Within(side(width)?, side(height)?)),
            None => side(text).map(|side| Self::Within(side, side)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_fit_and_keep_their_shape() {
        let fit = |bounds: &str, width, height| {
            let fit = bounds.parse::<Bounds>().unwrap().fit(width, height).unwrap();
            (fit.width, fit.height, fit.factor)
        };
        assert_eq!(fit("100", 4096, 2048), (100, 50, 1));
        assert_eq!(fit("100x20", 4096, 2048), (40, 20, 1));
        assert_eq!(fit("100", 1_000_000, 3), (100, 1, 1));
        assert_eq!(fit("100", 30, 20), (30, 20, 3));
        assert_eq!(fit("100", 60, 20), (60, 20, 1));
        assert_eq!(fit("32768", 1, 1), (1, 1, 11585));
        assert_eq!(fit("full", 4096, 2048), (4096, 2048, 1));
        assert_eq!(fit("100", u64::MAX, u64::MAX), (100, 100, 1));
        assert!(Bounds::Full.fit(1 << 20, 1 << 20).is_err());
        assert!("0".parse::<Bounds>().is_err() && "1x".parse::<Bounds>().is_err());
        assert!("99999".parse::<Bounds>().is_err() && "-1".parse::<Bounds>().is_err());
    }
}
