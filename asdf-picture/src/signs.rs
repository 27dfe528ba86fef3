//! The palette levels for anything besides brightness: marks, text, frames and ticks.

/// The last level of brightness in a picture that also has signs.
pub(crate) const TOP: u8 = 250;
/// Lines over an image, a compass, and their labels. In pictures without these it is a level of brightness.
pub(crate) const GRID: u8 = 250;
/// Marked pixels.
pub(crate) const MARK: u8 = 251;
pub(crate) const PAPER: u8 = 252;
/// Frames and ticks.
pub(crate) const LINE: u8 = 253;
pub(crate) const TEXT: u8 = 254;

/// The colours of the levels after [`MARK`].
pub(crate) const COLOURS: [[u8; 3]; 3] = [[255; 3], [128; 3], [40; 3]];
