//! The keywords of an approximation.

use super::distortion::Distortion;
use super::keyword::Keyword;
use crate::frame::Years;

/// The keywords of FITS for a [`Wcs`](crate::Wcs), and how far they are from it: see
/// [`Wcs::to_fits_sip`](crate::Wcs::to_fits_sip).
#[derive(Debug, Clone)]
pub struct SipHeader {
    distortion: Distortion,
    system: System,
    is_within: bool,
}

/// The system of coordinates on the sky, in the words of FITS.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct System {
    /// `CTYPE1` and `CTYPE2` without distortion.
    plain: [&'static str; 2],
    /// `CTYPE1` and `CTYPE2` with distortion.
    distorted: [&'static str; 2],
    radesys: Option<&'static str>,
    equinox: Option<f64>,
}

impl System {
    /// Returns the system for the name of a reference frame, with the usual equinox of the frame.
    pub(crate) fn of_frame(name: &str) -> Option<Self> {
        let equatorial = [["RA---TAN", "DEC--TAN"], ["RA---TAN-SIP", "DEC--TAN-SIP"]];
        let ([plain, distorted], radesys) = match name {
            "icrs" => (equatorial, Some("ICRS")),
            "fk5" => (equatorial, Some("FK5")),
            "fk4" => (equatorial, Some("FK4")),
            "fk4noeterms" => (equatorial, Some("FK4-NO-E")),
            "" => (equatorial, None),
            "galactic" => ([["GLON-TAN", "GLAT-TAN"], ["GLON-TAN-SIP", "GLAT-TAN-SIP"]], None),
            "helioprojective" => ([["HPLN-TAN", "HPLT-TAN"], ["HPLN-TAN-SIP", "HPLT-TAN-SIP"]], None),
            _ => return None,
        };
        let system = Self { plain, distorted, radesys, equinox: None };
        let equinox = system.years().map(|years| match years {
            Years::Julian => 2000.0,
            Years::Besselian => 1950.0,
        });
        Some(Self { equinox, ..system })
    }

    /// Returns how FITS counts the years of the equinox; `None` if the system has no equinox.
    pub(crate) fn years(&self) -> Option<Years> {
        match self.radesys? {
            "FK5" => Some(Years::Julian),
            "FK4" | "FK4-NO-E" => Some(Years::Besselian),
            _ => None,
        }
    }

    pub(crate) fn with_equinox(self, year: f64) -> Self {
        Self { equinox: Some(year), ..self }
    }
}

impl SipHeader {
    pub(crate) fn new(distortion: Distortion, system: System, max_error: f64) -> Self {
        let is_within = distortion.error <= max_error && distortion.backward_error <= max_error;
        Self { distortion, system, is_within }
    }

    /// Returns the degree of the distortion; 1 if there is none.
    #[must_use]
    pub fn degree(&self) -> u32 {
        self.distortion.degree
    }

    /// Returns the largest error from pixels to the sky that was found, in pixels.
    #[must_use]
    pub fn error(&self) -> f64 {
        self.distortion.error
    }

    /// Returns the largest error from the sky to pixels that was found, in pixels.
    #[must_use]
    pub fn inverse_error(&self) -> f64 {
        self.distortion.backward_error
    }

    /// Returns whether both errors are within the limit that was asked for.
    #[must_use]
    pub fn is_within(&self) -> bool {
        self.is_within
    }

    /// Returns the header of a part of the image that begins at pixel (`x`, `y`).
    #[must_use]
    pub fn from_pixel(mut self, x: f64, y: f64) -> Self {
        let [column, row] = self.distortion.pixel;
        self.distortion.pixel = [column - x, row - y];
        self
    }

    /// Returns the keywords, for pixels that count from 1.
    ///
    /// `CRPIX`, `CRVAL`, `CD`, `CTYPE`, `CUNIT`, `RADESYS` and `LONPOLE`; with FK4 and FK5 also `EQUINOX`. With distortion
    /// also `A_p_q`, `B_p_q` and, for the inverse, `AP_p_q` and `BP_p_q`. `SIPMXERR` and `SIPIVERR` are the errors in
    /// pixels, as gwcs writes them.
    #[must_use]
    pub fn keywords(&self) -> Vec<Keyword> {
        let Distortion { pixel, plane, matrix, degree, .. } = &self.distortion;
        let is_distorted = *degree > 1;
        let [first, second] = if is_distorted { self.system.distorted } else { self.system.plain };
        let mut keywords = vec![
            Keyword::int("WCSAXES", 2, "number of coordinate axes"),
            Keyword::text("CTYPE1", first, "type of the first axis"),
            Keyword::text("CTYPE2", second, "type of the second axis"),
            Keyword::text("CUNIT1", "deg", "unit of the first axis"),
            Keyword::text("CUNIT2", "deg", "unit of the second axis"),
            Keyword::float("CRPIX1", pixel[0] + 1.0, "reference pixel, first axis"),
            Keyword::float("CRPIX2", pixel[1] + 1.0, "reference pixel, second axis"),
            Keyword::float("CRVAL1", plane.centre[0], "[deg] longitude of the reference pixel"),
            Keyword::float("CRVAL2", plane.centre[1], "[deg] latitude of the reference pixel"),
        ];
        for (name, value) in ["CD1_1", "CD1_2", "CD2_1", "CD2_2"].into_iter().zip(matrix) {
            keywords.push(Keyword::float(name, *value, "[deg/pixel] linear transform"));
        }
        keywords.push(Keyword::float("LONPOLE", 180.0, "[deg] native longitude of the pole"));
        if let Some(radesys) = self.system.radesys {
            keywords.push(Keyword::text("RADESYS", radesys, "reference frame"));
        }
        if let Some(equinox) = self.system.equinox {
            keywords.push(Keyword::float("EQUINOX", equinox, "[yr] equinox of the coordinates"));
        }
        if is_distorted {
            let Distortion { forward, backward, backward_degree, .. } = &self.distortion;
            let comment = "distortion coefficient";
            for (axis, letter) in ["A", "B"].into_iter().enumerate() {
                keywords.push(order(letter, *degree));
                keywords.extend(terms(letter, axis, forward, comment));
            }
            for (axis, letter) in ["AP", "BP"].into_iter().enumerate() {
                keywords.push(order(letter, *backward_degree));
                keywords.extend(terms(letter, axis, backward, "inverse distortion coefficient"));
            }
            keywords.push(Keyword::float("SIPMXERR", self.error(), "[pixel] largest error of the fit"));
            keywords.push(Keyword::float(
                "SIPIVERR",
                self.inverse_error(),
                "[pixel] largest error of the inverse",
            ));
        }
        keywords
    }
}

fn order(letter: &str, degree: u32) -> Keyword {
    Keyword::int(&format!("{letter}_ORDER"), degree.into(), "degree of the polynomial")
}

fn terms<'a>(
    letter: &'a str,
    axis: usize,
    terms: &'a [([i32; 2], [f64; 2])],
    comment: &'static str,
) -> impl Iterator<Item = Keyword> + 'a {
    terms.iter().map(move |([p, q], pair)| {
        let value = if axis == 0 { pair[0] } else { pair[1] };
        Keyword::float(&format!("{letter}_{p}_{q}"), value, comment)
    })
}
