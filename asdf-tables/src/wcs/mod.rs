//! World coordinates in FITS files.
//!
//! Images of FITS files have world coordinates as keywords of their headers. [`WcsCards`] approximates those of a
//! [`Wcs`](asdf_gwcs::Wcs), and [`CutoutUnits`] is a part of an image as a FITS file.

mod cards;
mod cutout;

pub use cards::WcsCards;
pub use cutout::CutoutUnits;
