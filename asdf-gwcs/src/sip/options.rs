//! The settings of an approximation.

/// The settings of [`Wcs::to_fits_sip_with`](crate::Wcs::to_fits_sip_with).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SipOptions {
    pub(crate) max_error: f64,
    pub(crate) max_degree: u32,
    pub(crate) image: Option<[u64; 2]>,
}

/// The highest degree of SIP.
const HIGHEST: u32 = 9;

impl Default for SipOptions {
    fn default() -> Self {
        Self { max_error: 0.01, max_degree: HIGHEST, image: None }
    }
}

impl SipOptions {
    /// Creates the default settings: an error of up to 0.01 pixels, and degrees up to 9.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the error, in pixels, below which no higher degree is tried (default: 0.01).
    #[must_use]
    pub fn max_error(self, pixels: f64) -> Self {
        Self { max_error: pixels, ..self }
    }

    /// Sets the highest degree of the polynomials (default: 9, the highest degree of SIP). 1 means no distortion.
    #[must_use]
    pub fn max_degree(self, degree: u32) -> Self {
        Self { max_degree: degree.clamp(1, HIGHEST), ..self }
    }

    /// Sets the image for which the approximation is: its width and height.
    ///
    /// The default is the bounding box, or else the `pixel_shape` of the wcs.
    #[must_use]
    pub fn image(self, width: u64, height: u64) -> Self {
        Self { image: Some([width, height]), ..self }
    }
}
