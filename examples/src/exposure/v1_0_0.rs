//! Version 1.0.0, in which the duration was a number of seconds.

use asdf_core::value::Extra;
use asdf_core::{Asdf, NdArray, Result};
use asdf_schemas::time::Time;
use asdf_schemas::unit::Quantity;

use super::{Filter, Mode, Number, Region};

/// One exposure of the camera, as files had it first.
#[derive(Debug, Clone, PartialEq, Asdf)]
#[asdf(tag = "asdf://example.org/camera/tags/exposure-1.0.0")]
pub struct Exposure {
    /// The number of the exposure.
    pub number: Number,
    /// When the shutter opened.
    pub start: Time,
    /// How long it was open, in seconds.
    pub seconds: f64,
    /// How the detector was read.
    pub mode: Mode,
    /// The filter in the beam, if there was one.
    pub filter: Option<Filter>,
    /// The part of the detector that was read.
    pub region: Option<Region>,
    /// The counts of the pixels.
    pub image: NdArray,
    /// What else is in the file.
    #[asdf(extra)]
    pub extra: Extra,
}

impl TryFrom<Exposure> for super::Exposure {
    type Error = asdf_core::Error;

    fn try_from(old: Exposure) -> Result<Self> {
        let duration = Quantity::scalar(old.seconds, "s")?;
        let mut new = Self::new(old.number, old.start, duration, old.mode, old.image);
        (new.filter, new.region, new.extra) = (old.filter, old.region, old.extra);
        Ok(new)
    }
}
