//! Coordinate frames: the names, units and physical types of axes.

mod axis;
mod equinox;
mod kind;
mod read;
mod reference;

pub use axis::Axis;
pub use kind::FrameKind;
pub use reference::ReferenceFrame;

pub(crate) use equinox::Years;
pub(crate) use read::read;

/// A coordinate frame: what the numbers before or after a step of a [`Wcs`](crate::Wcs) mean.
///
/// A frame only describes coordinates. It never changes them: positions in the frame `icrs` stay in that frame.
#[doc(alias("CoordinateFrame", "CelestialFrame", "SpectralFrame", "CompositeFrame"))]
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    name: String,
    kind: FrameKind,
    axes: Vec<Axis>,
    order: Vec<usize>,
    reference: Option<ReferenceFrame>,
    parts: Vec<Frame>,
    sky: Option<[usize; 2]>,
}

impl Frame {
    /// Returns the name, by which [`Wcs::transform`](crate::Wcs::transform) finds the frame.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the kind of the frame.
    #[must_use]
    pub fn kind(&self) -> FrameKind {
        self.kind
    }

    /// Returns the axes in the order of the coordinates: the first axis belongs to the first number.
    ///
    /// Files store the axes of a celestial frame as longitude, then latitude, and the order of the numbers separately
    /// ([`axes_order`](Self::axes_order)). A frame of which the file only has a name has no axes.
    #[must_use]
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// Returns the number of each axis as the file has it.
    ///
    /// These are in the order in which the file stores the axes, or for a composite frame those of its parts.
    #[must_use]
    pub fn axes_order(&self) -> &[usize] {
        &self.order
    }

    /// Returns the reference frame of astronomy, such as ICRS, or the time from which a temporal frame counts.
    ///
    /// A composite frame has none itself; see its [`parts`](Self::parts).
    #[must_use]
    pub fn reference(&self) -> Option<&ReferenceFrame> {
        self.reference.as_ref()
    }

    /// Returns the frames that a composite frame consists of; else an empty slice.
    #[must_use]
    pub fn parts(&self) -> &[Self] {
        &self.parts
    }

    /// Returns the positions of longitude and latitude among the axes, if the frame has a position on the sky.
    ///
    /// These are the axes of a celestial frame, or those with physical types such as `pos.eq.ra` and `pos.eq.dec`.
    #[must_use]
    pub fn sky_axes(&self) -> Option<[usize; 2]> {
        self.sky
    }

    /// Returns the reference frame of the axes on the sky: that of this frame or of one of its parts.
    #[must_use]
    pub fn sky_reference(&self) -> Option<&ReferenceFrame> {
        let celestial = |frame: &&Self| frame.kind == FrameKind::Celestial;
        std::iter::once(self).chain(&self.parts).find(celestial)?.reference()
    }
}
