//! `Colormap`: from brightness to red, green and blue.

#![allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "parts of colours from 0 to 255")]

use std::fmt;
use std::str::FromStr;

use asdf_core::{Error, Result};

/// A colour map from dark to bright.
///
/// Parses from its [name](Self::name).
///
/// # Examples
/// ```
/// use asdf_picture::Colormap;
///
/// let map: Colormap = "viridis".parse()?;
/// assert_eq!(map, Colormap::Viridis);
/// assert_eq!(Colormap::Gray.at(0.0), [0, 0, 0]);
/// assert_eq!(Colormap::Gray.at(1.0), [255, 255, 255]);
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[doc(alias = "cmap")]
#[doc(alias = "palette")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Colormap {
    /// From black to white.
    #[default]
    Gray,
    /// Matplotlib's viridis, from dark blue to yellow.
    Viridis,
    /// Matplotlib's magma, from black to a light yellow.
    Magma,
    /// Matplotlib's inferno, from black to yellow.
    Inferno,
    /// Matplotlib's plasma, from blue to yellow.
    Plasma,
    /// D. A. Green's cubehelix, whose brightness rises evenly.
    Cubehelix,
    /// From black through red and yellow to white.
    Heat,
}

/// The coefficients of polynomials for red, green and blue, the constant first.
type Polynomials = [[f64; 3]; 7];

// Matt Zucker's fits to Matplotlib's colour maps, which are in the public domain (CC0):
// https://www.shadertoy.com/view/WlfXRN
const VIRIDIS: Polynomials = [
    [0.277_727, 0.005_407, 0.334_100],
    [0.105_093, 1.404_614, 1.384_590],
    [-0.330_862, 0.214_848, 0.095_095],
    [-4.634_230, -5.799_101, -19.332_441],
    [6.228_270, 14.179_933, 56.690_553],
    [4.776_385, -13.745_145, -65.353_033],
    [-5.435_456, 4.645_853, 26.312_435],
];
const PLASMA: Polynomials = [
    [0.058_732, 0.023_337, 0.543_340],
    [2.176_515, 0.238_383, 0.753_960],
    [-2.689_460, -7.455_851, 3.110_800],
    [6.130_348, 42.346_188, -28.518_855],
    [-11.107_436, -82.666_311, 60.139_848],
    [10.023_066, 71.413_618, -54.072_187],
    [-3.658_714, -22.931_535, 18.191_908],
];
const MAGMA: Polynomials = [
    [-0.002_136, -0.000_750, -0.005_386],
    [0.251_661, 0.677_523, 2.494_027],
    [8.353_717, -3.577_720, 0.314_468],
    [-27.668_733, 14.264_731, -13.649_213],
    [52.176_140, -27.943_606, 12.944_169],
    [-50.768_525, 29.046_583, 4.234_153],
    [18.655_705, -11.489_774, -5.601_962],
];
const INFERNO: Polynomials = [
    [0.000_219, 0.001_651, -0.019_481],
    [0.106_513, 0.563_956, 3.932_712],
    [11.602_493, -3.972_854, -15.942_394],
    [-41.703_996, 17.436_399, 44.354_145],
    [77.162_936, -33.402_359, -81.807_309],
    [-71.319_428, 32.626_064, 73.209_520],
    [25.131_126, -12.242_669, -23.070_325],
];

impl Colormap {
    /// All colour maps.
    pub const ALL: &[Self] =
        &[Self::Gray, Self::Viridis, Self::Magma, Self::Inferno, Self::Plasma, Self::Cubehelix, Self::Heat];

    /// Returns the name in lower case, such as `viridis`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gray => "gray",
            Self::Viridis => "viridis",
            Self::Magma => "magma",
            Self::Inferno => "inferno",
            Self::Plasma => "plasma",
            Self::Cubehelix => "cubehelix",
            Self::Heat => "heat",
        }
    }

    /// Returns the red, green and blue of a brightness from 0 to 1.
    #[must_use]
    pub fn at(self, x: f64) -> [u8; 3] {
        let parts = match self {
            Self::Gray => [x; 3],
            Self::Viridis => polynomial(&VIRIDIS, x),
            Self::Magma => polynomial(&MAGMA, x),
            Self::Inferno => polynomial(&INFERNO, x),
            Self::Plasma => polynomial(&PLASMA, x),
            Self::Cubehelix => cubehelix(x),
            Self::Heat => [2.0 * x, 2.0 * x - 0.5, 2.0 * x - 1.0],
        };
        parts.map(|part| (part.clamp(0.0, 1.0) * 255.0).round() as u8)
    }

    /// Returns a colour that the map does not contain, for elements without a value.
    pub(crate) fn other(self) -> [u8; 3] {
        match self {
            Self::Gray => [32, 64, 128],
            Self::Heat => [0, 80, 160],
            _ => [112, 112, 112],
        }
    }

    /// Returns a colour that stands out from the map, for marked elements.
    pub(crate) fn mark(self) -> [u8; 3] {
        match self {
            Self::Gray | Self::Viridis | Self::Cubehelix => [255, 0, 0],
            Self::Magma | Self::Inferno | Self::Plasma | Self::Heat => [0, 255, 255],
        }
    }

    /// Returns a colour that stands out from the map and from marked elements, for lines over an image.
    pub(crate) fn grid(self) -> [u8; 3] {
        match self {
            Self::Gray => [40, 190, 255],
            Self::Viridis => [255, 130, 220],
            Self::Cubehelix => [0, 255, 255],
            Self::Magma | Self::Inferno | Self::Plasma | Self::Heat => [90, 255, 90],
        }
    }
}

impl fmt::Display for Colormap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Colormap {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        named(Self::ALL, text, |map| map.name())
    }
}

/// Finds the value with a name. The error lists all names.
pub(crate) fn named<T: Copy>(all: &[T], text: &str, name: impl Fn(T) -> &'static str) -> Result<T> {
    all.iter().copied().find(|value| name(*value) == text).ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|value| name(*value)).collect();
        Error::usage(format!("found '{}', expected one of {}", text.escape_debug(), names.join(", ")))
    })
}

fn polynomial(coefficients: &Polynomials, x: f64) -> [f64; 3] {
    coefficients
        .iter()
        .rev()
        .fold([0.0; 3], |[red, green, blue], [r, g, b]| [red * x + r, green * x + g, blue * x + b])
}

/// Returns a colour of cubehelix (D. A. Green, 2011, Bull. Astr. Soc. India 39, 289) with its default parameters:
/// start 0.5, -1.5 rotations, hue 1, gamma 1.
fn cubehelix(x: f64) -> [f64; 3] {
    let angle = std::f64::consts::TAU * (0.5 / 3.0 + 1.0 - 1.5 * x);
    let amplitude = x * (1.0 - x) / 2.0;
    let (sin, cos) = angle.sin_cos();
    [
        x + amplitude * (-0.14861 * cos + 1.78277 * sin),
        x + amplitude * (-0.29227 * cos - 0.90649 * sin),
        x + amplitude * (1.97294 * cos),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with known colours of the maps. The fits differ from them by less than the eye can see.
    #[test]
    fn colours_are_those_of_the_maps() {
        for (map, x, [red, green, blue]) in [
            (Colormap::Viridis, 0.0, [68, 1, 84]),
            (Colormap::Viridis, 0.5, [33, 145, 140]),
            (Colormap::Viridis, 1.0, [253, 231, 37]),
            (Colormap::Plasma, 0.0, [13, 8, 135]),
            (Colormap::Plasma, 0.5, [204, 71, 120]),
            (Colormap::Plasma, 1.0, [240, 249, 33]),
            (Colormap::Magma, 0.0, [0, 0, 4]),
            (Colormap::Magma, 0.5, [183, 55, 121]),
            (Colormap::Magma, 1.0, [252, 253, 191]),
            (Colormap::Inferno, 0.0, [0, 0, 4]),
            (Colormap::Inferno, 0.5, [188, 55, 84]),
            (Colormap::Inferno, 1.0, [252, 255, 164]),
            (Colormap::Cubehelix, 0.0, [0, 0, 0]),
            (Colormap::Cubehelix, 1.0, [255, 255, 255]),
            (Colormap::Gray, 0.5, [128, 128, 128]),
        ] {
            let found = map.at(x);
            let near = found.iter().zip([red, green, blue]).all(|(&a, b)| a.abs_diff(b) <= 8);
            assert!(near, "{map:?} at {x}: {found:?}");
        }
    }

    #[test]
    fn names_are_read_as_they_are_printed() {
        for map in Colormap::ALL {
            assert_eq!(map.to_string().parse::<Colormap>().unwrap(), *map);
        }
        assert!("jet".parse::<Colormap>().unwrap_err().message().contains("viridis, magma"));
    }

    #[test]
    fn maps_rise_in_brightness() {
        for map in Colormap::ALL {
            let light = |x: f64| {
                let [red, green, blue] = map.at(x).map(f64::from);
                0.299 * red + 0.587 * green + 0.114 * blue
            };
            let lights: Vec<f64> = (0..=16).map(|at| light(f64::from(at) / 16.0)).collect();
            assert!(lights.windows(2).all(|pair| pair[1] > pair[0] - 1.0), "{map:?}: {lights:?}");
        }
    }
}
