//! One axis of a frame.

use asdf_units::Unit;

/// One axis of a [`Frame`](super::Frame).
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    pub(super) name: String,
    pub(super) unit: Unit,
    pub(super) physical_type: String,
    pub(super) axis_type: String,
}

impl Axis {
    /// Returns the name, such as `ra`; empty if the axis has none.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the unit of the numbers of this axis.
    #[must_use]
    pub fn unit(&self) -> &Unit {
        &self.unit
    }

    /// Returns the physical type, such as `pos.eq.ra` or `custom:x`; empty if it is not known.
    #[doc(alias = "axis_physical_type")]
    #[must_use]
    pub fn physical_type(&self) -> &str {
        &self.physical_type
    }

    /// Returns the type in the words of gwcs, such as `SPATIAL` or `SPECTRAL`; empty if it is not known.
    #[must_use]
    pub fn axis_type(&self) -> &str {
        &self.axis_type
    }

    /// Returns whether this is an axis of positions.
    #[must_use]
    pub fn is_spatial(&self) -> bool {
        self.axis_type.eq_ignore_ascii_case("spatial")
    }
}
