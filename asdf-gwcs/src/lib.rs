//! World coordinates of ASDF files.
#![allow(dead_code, unused_imports, reason = "the parts that use each other are added one by one")]

mod angle;
mod bounds;
mod frame;
mod function;
mod inversion;
mod leaf;
mod least_squares;
mod model;
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

pub use frame::{Axis, Frame, FrameKind, ReferenceFrame};
pub use outline::Outline;
pub use sip::{Keyword, KeywordValue, SipHeader, SipOptions};
pub use step::Step;
pub use transform::Transform;
pub use wcs::{Bounding, Grid, GridBlock, Inverse, PixelMap, PixelMapBlock, Wcs};
