//! World coordinates over an image.

use asdf_core::array::Slice;
use asdf_picture::{Compass, GridLine};
use serde_json::Value as Json;

/// The lines and arrows over an image.
#[derive(Debug)]
pub(super) struct Sky {
    /// The path of the world coordinate system.
    pub(super) path: String,
    pub(super) lines: Vec<GridLine>,
    pub(super) compass: Option<Compass>,
    /// The distances between lines as text, such as `ra every 00h00m10s, dec every 00d05m (icrs)`.
    pub(super) spacing: Option<String>,
    /// The distances between lines as JSON.
    pub(super) json: Json,
}

/// The shown part of an array.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(not(feature = "wcs"), expect(dead_code, reason = "only world coordinates need the fields"))]
pub(super) struct Shown<'a> {
    /// The path of the array, and the name of its file.
    pub(super) path: &'a str,
    pub(super) file: &'a str,
    /// The shape of the whole array, and that of the part.
    pub(super) whole: &'a [u64],
    pub(super) part: [u64; 2],
    pub(super) slices: &'a [Slice],
}
