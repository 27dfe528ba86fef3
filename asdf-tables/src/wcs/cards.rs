//! The cards of a world coordinate system.

use asdf_core::Error;
use asdf_fits::Card;
use asdf_gwcs::{Keyword, KeywordValue, SipHeader, SipOptions, Wcs};

/// Makes the cards of world coordinates: a gnomonic projection with a SIP distortion.
///
/// # Examples
/// ```no_run
/// use asdf_gwcs::Wcs;
/// use asdf_tables::wcs::WcsCards;
///
/// let wcs = Wcs::only(&asdf_core::File::open("cal.asdf")?)?;
/// let cards = WcsCards::new().cards(&wcs, [4088, 4088], [0.0, 0.0], |warning| eprintln!("{warning}"));
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct WcsCards {
    max_error: f64,
}

impl Default for WcsCards {
    fn default() -> Self {
        Self::new()
    }
}

impl WcsCards {
    /// Creates the default options: an error of at most 0.01 pixels.
    #[must_use]
    pub fn new() -> Self {
        Self { max_error: 0.01 }
    }

    /// Sets the largest error in pixels (default: 0.01).
    ///
    /// The distortion has the lowest degree that is good enough. If degree 9 is not, a warning says how large the error is.
    #[must_use]
    pub fn max_error(mut self, pixels: f64) -> Self {
        self.max_error = pixels;
        self
    }

    /// Returns the cards for an image with this width and height, or for a part of it that begins at the pixel `start`.
    ///
    /// Calls `warn` if the error is too large. If FITS has no keywords for the wcs, it calls `warn` and returns no cards.
    pub fn cards(
        &self,
        wcs: &Wcs,
        [width, height]: [u64; 2],
        start: [f64; 2],
        mut warn: impl FnMut(Error),
    ) -> Vec<Card> {
        let options = SipOptions::new().max_error(self.max_error).image(width, height);
        match wcs.to_fits_sip_with(&options) {
            Ok(header) => {
                if !header.is_within() {
                    let error = header.error().max(header.inverse_error());
                    let message = format!(
                        "the world coordinates of the FITS file differ by up to {error:.2e} pixels, expected up to {}",
                        self.max_error
                    );
                    warn(Error::unsupported(message).at_path(wcs.path()));
                }
                cards(&header.from_pixel(start[0], start[1]))
            }
            Err(error) => {
                warn(Error::unsupported("the world coordinates are left out of the FITS file").and(error));
                Vec::new()
            }
        }
    }
}

fn cards(header: &SipHeader) -> Vec<Card> {
    let card = |keyword: Keyword| match keyword.value {
        KeywordValue::Text(text) => Card::new(&keyword.name, text, keyword.comment),
        KeywordValue::Int(number) => Card::new(&keyword.name, number, keyword.comment),
        KeywordValue::Float(number) => Card::new(&keyword.name, number, keyword.comment),
    };
    header.keywords().into_iter().map(card).collect()
}
