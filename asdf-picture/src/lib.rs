//! Renders arrays in [ASDF](https://docs.rs/asdf-core) files as pictures.
//!
//! A [`Look`] holds the settings and renders arrays. [`Limits`] chooses the display range, a [`Stretch`] maps the
//! numbers in it to brightness, and a [`Colormap`] maps brightness to colours. The result is a [`Picture`] with a
//! palette. It can be written as PNG or JPEG, or drawn pixel by pixel.
//!
//! ```
//! use asdf_core::NdArray;
//! use asdf_picture::{Annotations, Bounds, Colormap, Format, Limits, Look, Stretch};
//!
//! let image = NdArray::new(&[2, 3], &[0.0, 1.0, 2.0, 3.0, 4.0, f64::NAN])?;
//! let look = Look::new().limits(Limits::MinMax).stretch(Stretch::Asinh).colormap(Colormap::Viridis);
//! let rendered = look.image(&image, &Annotations::default(), Bounds::Within(300, 300))?;
//! assert_eq!((rendered.picture.width(), rendered.picture.height()), (300, 200));
//! assert_eq!(rendered.range, Some((0.0, 4.0)));
//!
//! let mut png = Vec::new();
//! rendered.picture.write(Format::Png, &mut png)?;
//! assert!(png.starts_with(b"\x89PNG"));
//! # Ok::<(), asdf_core::Error>(())
//! ```
//!
//! # Supported arrays
//!
//! | array | picture |
//! |---|---|
//! | two axes, numbers or booleans | an image: [`Look::image`], with axes, a colour bar, marked pixels, a grid and a compass ([`Annotations`]) |
//! | three images of the same shape | a colour picture by the method of Lupton et al. (2004): [`Look::rgb`] |
//! | one axis | a line, or points over the numbers of another array: [`Look::line`], or [`Look::curve`] to draw it yourself |
//!
//! Complex numbers are drawn by their magnitude. Elements that are masked, NaN or infinite have a separate colour.
//! Arrays of text or records cannot be drawn. If an array has more axes, slice it first with
//! [`NdArray::slice`](asdf_core::NdArray::slice).
//!
//! The first axis of an array is the vertical one. Its first row is at the bottom, as in FITS viewers; [`Origin`]
//! changes this. The rows of a [`Picture`] always start at the top.
//!
//! # Memory and limits
//!
//! Arrays are read in pieces of about a million elements. Memory use depends on the size of the picture, not on that
//! of the array. The exception is [`Limits::Percentiles`], which sorts up to 2^25 numbers. Arrays with more than 2^27
//! elements are sampled in even steps. A picture has at most 2^27 pixels; a larger one is an error of the kind
//! [`Limit`](asdf_core::error::Kind::Limit).
//!
//! # Errors
//!
//! [`Problem::from_error`] returns the cause of an error as data, for programs with their own wording.

mod abscissa;
mod annotations;
mod axes;
mod bitmap;
mod bounds;
mod colormap;
mod compass;
mod curve;
mod font;
mod format;
mod frame;
mod grid;
mod jpeg;
mod label;
mod limits;
mod look;
mod lupton;
mod numbers;
mod overlay;
mod picture;
mod placement;
mod plane;
mod plot;
mod png;
mod problem;
mod rgb;
mod sample;
mod signs;
mod stretch;
mod stroke;
mod ticks;
mod zscale;

pub use annotations::Annotations;
pub use axes::last_axes;
pub use bitmap::Bitmap;
pub use bounds::Bounds;
pub use colormap::Colormap;
pub use compass::Compass;
pub use curve::Curve;
pub use format::Format;
pub use frame::Labels;
pub use grid::GridLine;
pub use label::number_label;
pub use limits::Limits;
pub use look::{Look, Origin, Rendered, RenderedRgb};
pub use overlay::{Bits, Flagged, Overlay};
pub use picture::Picture;
pub use problem::Problem;
pub use rgb::RgbPicture;
pub use stretch::Stretch;
pub use ticks::Tick;

/// The README's example compiles.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
