//! Approximation by the keywords of FITS.

use asdf_core::{Error, Result};

use super::Wcs;
use crate::sip::{Distortion, Points, SipHeader, SipOptions, System, TangentPlane, tangent_point};

/// The number of points along each axis for the fit.
const FITTED: u32 = 24;

/// The number of points along each axis at which the error is measured.
const CHECKED: u32 = 101;

/// The error in pixels below which an image is a gnomonic projection without distortion.
const EXACT: f64 = 1e-6;

impl Wcs {
    /// Returns the keywords of FITS for an image: a gnomonic projection with a SIP distortion.
    ///
    /// The distortion is fitted in the tangent plane at the middle of the image. Its degree is raised until the error is
    /// at most `max_error` pixels on a dense grid, in both directions. An image that is a gnomonic projection, such as
    /// one with `fitswcs_imaging`, gets plain `TAN` keywords around its own tangent point.
    ///
    /// If no degree is good enough, the best one is returned: see [`SipHeader::is_within`].
    ///
    /// # Errors
    /// Like [`forward`](Self::forward). Fails if the wcs does not lead from two pixel axes to a position on the sky, or
    /// if FITS has no keyword for the reference frame or its equinox. Fails if the image has no size or is not on the sky.
    ///
    /// # Examples
    /// ```no_run
    /// # let file = asdf_core::File::open("cal.asdf")?;
    /// let header = asdf_gwcs::Wcs::only(&file)?.to_fits_sip(0.01)?;
    /// println!("degree {}, {} pixels", header.degree(), header.error());
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    #[doc(alias = "to_fits")]
    pub fn to_fits_sip(&self, max_error: f64) -> Result<SipHeader> {
        self.to_fits_sip_with(&SipOptions::new().max_error(max_error))
    }

    /// Returns the keywords of FITS for an image, like [`to_fits_sip`](Self::to_fits_sip) with more settings.
    ///
    /// # Errors
    /// Like [`to_fits_sip`](Self::to_fits_sip).
    pub fn to_fits_sip_with(&self, options: &SipOptions) -> Result<SipHeader> {
        let located = |error: Error| error.at_path(&self.path);
        let sky = self.sky()?;
        let transform = self.compile_forward(false)?;
        if (transform.inputs(), transform.outputs()) != (2, 2) {
            let message = format!(
                "found {} pixel axes and {} world axes, expected 2 of each for the keywords of FITS",
                transform.inputs(),
                transform.outputs()
            );
            return Err(located(Error::unsupported(message)));
        }
        let reference = self.world_frame()?.sky_reference();
        let frame = reference.map_or("", |frame| frame.name());
        let system = System::of_frame(frame).ok_or_else(|| {
            located(Error::unsupported(format!("no keyword of FITS for the reference frame '{frame}'")))
        })?;
        let equinox = reference.and_then(|frame| frame.equinox());
        let system = match (equinox, system.years()) {
            (Some(equinox), Some(years)) => {
                let year = equinox.year(years).ok_or_else(|| {
                    // A longer text would hide the message.
                    let found: String = equinox.text().chars().take(40).collect();
                    let found = found.escape_debug();
                    let expected = "a year such as J2000.0 or B1950.0, a date or a Julian date";
                    located(Error::unsupported(format!("found the equinox '{found}', expected {expected}")))
                })?;
                system.with_equinox(year)
            }
            _ => system,
        };
        let [x, y] = self.region(options)?;
        let positions = |pixels: Vec<[f64; 2]>| -> Result<Points> {
            let column = |axis: usize| {
                pixels.iter().map(|pixel| if axis == 0 { pixel[0] } else { pixel[1] }).collect::<Vec<f64>>()
            };
            let world = transform.columns(&[&column(0), &column(1)])?;
            let value = |axis: usize, point: usize| {
                world.get(axis).and_then(|column| column.get(point)).copied().unwrap_or(f64::NAN)
            };
            let sky =
                (0..pixels.len()).map(|point| sky.position(&[value(0, point), value(1, point)])).collect();
            Ok(Points { pixels, sky }.finite())
        };
        let middle = [0.5 * (x[0] + x[1]), 0.5 * (y[0] + y[1])];
        let at_middle =
            positions(vec![middle])?.sky.first().copied().ok_or_else(|| {
                located(Error::mismatch("the middle of the image has no position on the sky"))
            })?;
        let centre = (middle, TangentPlane { centre: [at_middle[0].rem_euclid(360.0), at_middle[1]] });
        let points = positions(grid(x, y, FITTED, |part| 0.5 - 0.5 * (part * std::f64::consts::PI).cos()))?;
        let dense = positions(grid(x, y, CHECKED, |part| part))?;
        let exact = plain(centre, &points, &dense);
        let found = match exact {
            Some(found) => Some(found),
            None => fitted(options, centre, &points, &dense),
        };
        let found = found.ok_or_else(|| {
            located(Error::mismatch(
                "cannot fit the keywords of FITS: the image is not a small part of the sky",
            ))
        })?;
        Ok(SipHeader::new(found, system, options.max_error))
    }

    /// Returns the intervals of `x` and `y` for which keywords are fitted.
    fn region(&self, options: &SipOptions) -> Result<[[f64; 2]; 2]> {
        #[expect(clippy::cast_precision_loss, reason = "images have fewer than 2^53 pixels along an axis")]
        let of_image = |size: u64| [-0.5, size as f64 - 0.5];
        let region = match options.image {
            Some(image) => image.map(of_image),
            None => <[[f64; 2]; 2]>::try_from(self.limits()?).map_err(|_| self.empty())?,
        };
        if region.iter().any(|[low, high]| !(high > low && low.is_finite() && high.is_finite())) {
            return Err(Error::mismatch("the image has no pixels, expected some for the keywords of FITS")
                .at_path(&self.path));
        }
        Ok(region)
    }
}

/// Returns points in a rectangle, `count` along each axis; `place` gives their places from 0 to 1.
fn grid(x: [f64; 2], y: [f64; 2], count: u32, place: impl Fn(f64) -> f64) -> Vec<[f64; 2]> {
    let at = |[low, high]: [f64; 2], number: u32| {
        low + place(f64::from(number) / f64::from(count - 1)) * (high - low)
    };
    (0..count)
        .flat_map(|row| (0..count).map(move |column| (row, column)))
        .map(|(row, column)| [at(x, column), at(y, row)])
        .collect()
}

/// Returns a projection without distortion, if that is what the points are.
fn plain(centre: ([f64; 2], TangentPlane), points: &Points, dense: &Points) -> Option<Distortion> {
    let (pixel, plane) = tangent_point(centre, points)?;
    let fit = |plane: TangentPlane| {
        let pixel = Distortion::origin(pixel, plane, points)?;
        Distortion::fit(1, EXACT, (pixel, plane), points, dense)
    };
    let found = fit(plane).filter(|found| found.error <= EXACT)?;
    // The numbers of the file have few digits. Take those if they fit as well.
    let limit = (2.0 * found.error).max(1e-8);
    let rounded = (3..12).find_map(|decimals| {
        let factor = 10.0_f64.powi(decimals);
        let rounded = TangentPlane { centre: plane.centre.map(|value| (value * factor).round() / factor) };
        fit(rounded).filter(|found| found.error <= limit)
    });
    Some(rounded.unwrap_or(found))
}

/// Returns the fit of the lowest degree that is good enough, or else the best one.
fn fitted(
    options: &SipOptions,
    centre: ([f64; 2], TangentPlane),
    points: &Points,
    dense: &Points,
) -> Option<Distortion> {
    let mut best: Option<Distortion> = None;
    for degree in 1..=options.max_degree {
        let Some(found) = Distortion::fit(degree, options.max_error, centre, points, dense) else { continue };
        let worst = |fit: &Distortion| fit.error.max(fit.backward_error);
        let is_enough = worst(&found) <= options.max_error;
        if best.as_ref().is_none_or(|best| worst(&found) < worst(best)) {
            best = Some(found);
        }
        if is_enough {
            break;
        }
    }
    best
}
