//! Evaluates the world coordinates of [ASDF](https://docs.rs/asdf-core) files: the gwcs of Roman, JWST and DKIST data.
//!
//! A [`Wcs`] is a chain of transforms from the pixels of an array to coordinates on the sky, to wavelengths or to times.
//! It is compiled to a flat program that runs over blocks of points.
//!
//! ```
//! use asdf_core::File;
//! use asdf_gwcs::{Inverse, Wcs};
//!
//! # let text = "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n\
//! # wcs: !<tag:stsci.edu:gwcs/wcs-1.4.0>\n  name: spectrum\n  steps:\n\
//! # \x20 - !<tag:stsci.edu:gwcs/step-1.3.0>\n    frame: pixel\n\
//! # \x20   transform: !transform/linear1d-1.0.0 {slope: 0.002, intercept: 0.48, inputs: [x], outputs: [y]}\n\
//! # \x20 - !<tag:stsci.edu:gwcs/step-1.3.0>\n\
//! # \x20   frame: !<tag:stsci.edu:gwcs/spectral_frame-1.2.0> {name: wavelength, unit: [!unit/unit-1.0.0 um]}\n...\n";
//! # let file = File::from_bytes(text.as_bytes().to_vec())?;
//! let wcs = Wcs::open(&file, "/wcs")?; // `Wcs::find` lists the paths
//! assert_eq!(wcs.pixel_to_world(&[10.0])?, [0.5]);
//! assert_eq!(wcs.world_axes()[0].unit().to_string(), "um");
//! assert!((wcs.world_to_pixel(&[0.5], Inverse::Exact)?[0] - 10.0).abs() < 1e-12);
//! # Ok::<(), asdf_core::Error>(())
//! ```
//!
//! | to | use |
//! |---|---|
//! | convert pixels to world coordinates | [`Wcs::pixel_to_world`], [`Wcs::pixel_to_world_columns`], [`Wcs::grid`] |
//! | convert world coordinates to pixels | [`Wcs::world_to_pixel`], [`Wcs::inverse`] |
//! | convert between frames in the middle of the chain | [`Wcs::transform`] |
//! | know where an image is on the sky | [`Wcs::footprint`], [`Wcs::outline`], [`Wcs::contains`], [`Wcs::pixel_scale`] |
//! | cut a part out of an image | [`Cutout`], [`Wcs::slice`] |
//! | compute transforms with tags of your own | [`Formula`], [`Wcs::open_with`] |
//! | draw lines of constant longitude and latitude, and a compass | [`Wcs::graticule`], [`Wcs::compass`], [`ImageSlice`] |
//! | know the names and units of axes | [`Wcs::pixel_axes`], [`Wcs::world_axes`], [`Wcs::steps`] |
//!
//! Transforms are matched by their tags without versions. A transform without a formula is an error only where it is
//! used. Its error has the path and the tag. A [`Formula`] computes transforms with tags of your own.
//!
//! # Units
//!
//! Numbers are in the units of the frames' axes. If parameters of transforms are quantities, these are converted when the
//! chain is compiled. Positions are never converted to another reference frame.
//!
//! # Features
//!
#![doc = include_str!("features.md")]

mod angle;
#[cfg(feature = "ndarray")]
mod arrays;
mod bounds;
#[cfg(test)]
mod cases;
mod coordinate;
mod cutout;
mod dkist;
mod formula;
mod frame;
mod function;
mod graticule;
mod image_slice;
mod inversion;
mod jwst;
mod leaf;
mod least_squares;
mod model;
mod notation;
mod number;
mod outline;
mod program;
mod projected;
mod projection;
mod sip;
mod step;
mod tag;
mod transform;
mod wcs;

pub use coordinate::parse_coordinate;
pub use cutout::{Centre, Cutout, Length, Size};
pub use formula::{Formula, Formulas};
pub use frame::{Axis, Frame, FrameKind, ReferenceFrame};
pub use graticule::{Coordinate, Graticule, GraticuleLine};
pub use image_slice::ImageSlice;
pub use notation::Angle;
pub use outline::Outline;
pub use sip::{Keyword, KeywordValue, SipHeader, SipOptions};
pub use step::Step;
pub use transform::Transform;
pub use wcs::{Bounding, Compass, Grid, GridBlock, Inverse, PixelMap, PixelMapBlock, Wcs};

/// The README's example compiles.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
