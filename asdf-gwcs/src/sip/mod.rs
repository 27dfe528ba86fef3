//! Approximations of a [`Wcs`](crate::Wcs) by the keywords of FITS.

mod distortion;
mod header;
mod keyword;
mod options;
mod polynomial;
mod tangent;

pub use header::SipHeader;
pub use keyword::{Keyword, KeywordValue};
pub use options::SipOptions;

pub(crate) use distortion::{Distortion, Points, tangent_point};
pub(crate) use header::System;
pub(crate) use tangent::TangentPlane;
