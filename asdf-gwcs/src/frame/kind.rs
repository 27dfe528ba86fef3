//! Kinds of frames.

use std::fmt;

/// The kind of a [`Frame`](super::Frame).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FrameKind {
    /// A frame of which the file only has a name.
    Named,
    /// Any axes (`frame`).
    Generic,
    /// Two axes, such as those of a detector (`frame2d`).
    Plane,
    /// Positions on the sky (`celestial_frame`).
    Celestial,
    /// Wavelengths, frequencies, energies or velocities (`spectral_frame`).
    Spectral,
    /// Times (`temporal_frame`).
    Temporal,
    /// Polarization (`stokes_frame`).
    Stokes,
    /// Several frames together (`composite_frame`).
    Composite,
    /// A frame with a tag of another package.
    Other,
}

impl FrameKind {
    /// Returns the kind for a tag.
    pub(super) fn of(tag: Option<&str>) -> Self {
        match tag.and_then(crate::tag::gwcs) {
            None if tag.is_none() => Self::Generic,
            Some("frame") => Self::Generic,
            Some("frame2d") => Self::Plane,
            Some("celestial_frame") => Self::Celestial,
            Some("spectral_frame") => Self::Spectral,
            Some("temporal_frame") => Self::Temporal,
            Some("stokes_frame") => Self::Stokes,
            Some("composite_frame") => Self::Composite,
            _ => Self::Other,
        }
    }

    /// Returns the number of axes, if all frames of this kind have the same.
    pub(super) fn axes(self) -> Option<usize> {
        match self {
            Self::Plane => Some(2),
            Self::Spectral | Self::Temporal | Self::Stokes => Some(1),
            _ => None,
        }
    }

    /// Returns the type of each axis.
    pub(super) fn axis_type(self) -> &'static str {
        match self {
            Self::Plane | Self::Celestial => "SPATIAL",
            Self::Spectral => "SPECTRAL",
            Self::Temporal => "TIME",
            Self::Stokes => "STOKES",
            _ => "",
        }
    }

    /// Returns the unit of an axis without one.
    pub(super) fn unit(self) -> &'static str {
        match self {
            Self::Plane => "pixel",
            Self::Celestial => "deg",
            Self::Temporal => "s",
            _ => "",
        }
    }
}

impl fmt::Display for FrameKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Named => "name",
            Self::Generic => "frame",
            Self::Plane => "plane",
            Self::Celestial => "celestial",
            Self::Spectral => "spectral",
            Self::Temporal => "temporal",
            Self::Stokes => "Stokes",
            Self::Composite => "composite",
            Self::Other => "other",
        })
    }
}
