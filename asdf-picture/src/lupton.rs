//! Combines three images to one in colour, by the method of Lupton et al. 2004, PASP 116, 133.

#![allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "parts of colours from 0 to 255")]

/// The softening, as in astropy's `make_lupton_rgb`. Larger numbers make the curve bend earlier.
const Q: f64 = 8.0;
/// The point where the curve has the slope of a linear one, as a fraction of the stretch.
const FRACTION: f64 = 0.1;
const BRIGHTEST: f64 = 255.0;

/// The curve from intensity to brightness: an inverse hyperbolic sine, which keeps the colours of bright pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Lupton {
    /// The numbers of red, green and blue that are drawn as black.
    pub(crate) minimum: [f64; 3],
    /// The range of intensities that is linear.
    pub(crate) stretch: f64,
}

impl Lupton {
    /// Returns the colour of a pixel; `None` if one of the numbers is not finite.
    pub(crate) fn colour(&self, numbers: [f64; 3]) -> Option<[u8; 3]> {
        let [r, g, b] = self.minimum;
        let [red, green, blue] = numbers;
        let above = [red - r, green - g, blue - b];
        if above.iter().any(|number| !number.is_finite()) {
            return None;
        }
        let intensity = above.iter().map(|number| number / 3.0).sum::<f64>();
        if intensity <= 0.0 {
            return Some([0; 3]);
        }
        let slope = FRACTION * BRIGHTEST / (FRACTION * Q).asinh();
        let factor = (intensity * Q / self.stretch).asinh() * slope / intensity;
        let parts = above.map(|number| (number * factor).max(0.0));
        // Scale pixels that are too bright, so that they keep their hue.
        let largest = parts.iter().copied().fold(BRIGHTEST, f64::max);
        Some(parts.map(|part| (part * BRIGHTEST / largest) as u8))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bright_pixels_keep_their_colour() {
        let lupton = Lupton { minimum: [0.0, 1.0, 0.0], stretch: 5.0 };
        assert_eq!(lupton.colour([0.0, 1.0, 0.0]), Some([0; 3]));
        assert_eq!(lupton.colour([-5.0, 0.0, 0.0]), Some([0; 3]));
        assert_eq!(lupton.colour([f64::NAN, 1.0, 0.0]), None);
        assert_eq!(lupton.colour([1e9, 5e8 + 1.0, 0.0]), Some([255, 127, 0]));
        assert_eq!(lupton.colour([2.0, 1.0, -1.0]).map(|[_, _, blue]| blue), Some(0));
    }
}
