//! The types of the camera's files.

pub mod v1_0_0;

use asdf_core::value::Extra;
use asdf_core::{Asdf, NdArray};
use asdf_schemas::time::Time;
use asdf_schemas::unit::Quantity;

/// One exposure of the camera.
///
/// The image and what is needed to make sense of it.
#[derive(Debug, Clone, PartialEq, Asdf)]
#[asdf(
    tag = "asdf://example.org/camera/tags/exposure-1.1.0",
    schema = "package/schemas/exposure-1.1.0.yaml",
    upgrades = [v1_0_0::Exposure],
    new
)]
pub struct Exposure {
    /// The number of the exposure.
    ///
    /// It counts from 1 and never begins again.
    pub number: Number,
    /// When the shutter opened.
    pub start: Time,
    /// How long it was open.
    pub duration: Quantity,
    /// How the detector was read.
    pub mode: Mode,
    /// The filter in the beam, if there was one.
    pub filter: Option<Filter>,
    /// The part of the detector that was read; all of it if nothing is said.
    pub region: Option<Region>,
    /// The counts of the pixels, row by row.
    pub image: NdArray,
    /// The bias of each amplifier, before and after the exposure.
    #[asdf(array, codec = "zlib")]
    pub bias: Option<Vec<[f32; 2]>>,
    /// What the observers noted.
    #[asdf(default)]
    pub notes: Vec<String>,
    /// What else is in the file.
    #[asdf(extra)]
    pub extra: Extra,
}

/// The number of an exposure: from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Asdf)]
#[asdf(check(minimum = 1))]
pub struct Number(u32);

/// How the detector is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Asdf)]
#[asdf(text, rename_all = "lowercase")]
pub enum Mode {
    /// Once, at the end.
    Single,
    /// Before and after.
    Double,
    /// All the time.
    #[asdf(rename = "up the ramp")]
    UpTheRamp,
}

/// A part of the detector, in pixels.
#[derive(Debug, Clone, PartialEq, Asdf)]
#[asdf(key = "kind", rename_all = "lowercase")]
pub enum Region {
    /// Some rows.
    Rows {
        /// The first row.
        first: u16,
        /// How many there are.
        count: u16,
    },
    /// A rectangle.
    Rectangle {
        /// The row and column of its first pixel.
        corner: (u16, u16),
        /// Its rows and columns.
        shape: [u16; 2],
    },
}

/// A filter of the wheel.
#[derive(Debug, Clone, PartialEq, Asdf)]
#[asdf(
    tag = "asdf://example.org/camera/tags/filter-1.0.0",
    schema = "package/schemas/filter-1.0.0.yaml",
    new
)]
pub struct Filter {
    /// What it is called.
    pub name: FilterName,
    /// The wavelength in the middle of its band.
    pub wavelength: Quantity,
}

/// The name of a filter: a letter, the wavelength in units of 10 nm, the width.
#[derive(Debug, Clone, PartialEq, Eq, Asdf)]
#[asdf(text, check(pattern = "^F[0-9]{3}(W|M|N)$"))]
pub struct FilterName(String);
