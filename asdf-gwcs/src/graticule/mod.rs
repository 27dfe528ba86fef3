//! Lines of constant longitude and latitude over an image.

mod chain;
mod contour;
mod mesh;
mod steps;

use asdf_core::Result;

use contour::contour;
use mesh::Mesh;
use steps::{Notation, Steps};

/// Returns longitudes and latitudes in degrees of pixels, given as a slice for each pixel axis.
pub(crate) type Positions<'a> = dyn Fn(&[f64], &[f64]) -> Result<[Vec<f64>; 2]> + 'a;

/// The most lines of a coordinate, except for one more at an end.
const MOST: f64 = 8.0;

/// How far a vertex can be from its line, as a part of the step. At a jump of the coordinates no vertex is that close.
const TOLERANCE: f64 = 1e-3;

/// Lines of constant longitude and latitude over a part of an image: see [`Wcs::graticule`](crate::Wcs::graticule).
///
/// # Examples
/// ```no_run
/// use asdf_core::File;
/// use asdf_gwcs::Wcs;
///
/// let wcs = Wcs::only(&File::open("cal.asdf")?)?;
/// for line in wcs.graticule([-0.5, 4087.5], [-0.5, 4087.5])?.lines() {
///     println!("{:?} {} ({} degrees)", line.coordinate(), line.label(), line.degrees());
/// }
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[doc(alias = "grid")]
#[derive(Debug, Clone, PartialEq)]
pub struct Graticule {
    lines: Vec<GraticuleLine>,
    spacing: [Option<String>; 2],
}

/// One line of a [`Graticule`].
#[derive(Debug, Clone, PartialEq)]
pub struct GraticuleLine {
    coordinate: Coordinate,
    degrees: f64,
    label: String,
    polylines: Vec<Vec<[f64; 2]>>,
}

/// One of the two coordinates on the sky.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Coordinate {
    /// Right ascension, or another longitude.
    Longitude,
    /// Declination, or another latitude.
    Latitude,
}

impl Graticule {
    /// Computes the lines in a rectangle of pixels. Longitudes are in hours if `is_equatorial`, else in degrees.
    pub(crate) fn of(
        positions: &Positions<'_>,
        x: [f64; 2],
        y: [f64; 2],
        is_equatorial: bool,
    ) -> Result<Self> {
        let mesh = Mesh::new(positions, x, y)?;
        let mut graticule = Self { lines: Vec::new(), spacing: [None, None] };
        if let Some(range) = mesh.longitudes() {
            let notation = match is_equatorial {
                true => Notation::Hours,
                false if mesh.has_negative_longitudes() => Notation::SignedLongitude,
                false => Notation::Longitude,
            };
            graticule.add(Coordinate::Longitude, &mesh, positions, range, notation)?;
        }
        if let Some(range) = mesh.latitudes() {
            graticule.add(Coordinate::Latitude, &mesh, positions, range, Notation::Latitude)?;
        }
        Ok(graticule)
    }

    fn add(
        &mut self,
        coordinate: Coordinate,
        mesh: &Mesh,
        positions: &Positions<'_>,
        range: [f64; 2],
        notation: Notation,
    ) -> Result<()> {
        let steps = Steps::of(range, MOST, notation);
        let [longitude, latitude] = &mut self.spacing;
        match coordinate {
            Coordinate::Longitude => *longitude = Some(steps.spacing()),
            Coordinate::Latitude => *latitude = Some(steps.spacing()),
        }
        for number in steps.within(range) {
            let degrees = steps.degrees(number);
            let offset = |[longitude, latitude]: [f64; 2]| match coordinate {
                Coordinate::Longitude => turned(longitude - degrees),
                Coordinate::Latitude => latitude - degrees,
            };
            let polylines = contour(mesh, positions, &offset, TOLERANCE * steps.size())?;
            if !polylines.is_empty() {
                let label = steps.label(number);
                self.lines.push(GraticuleLine { coordinate, degrees, label, polylines });
            }
        }
        Ok(())
    }

    /// Returns the lines: those of longitude, then those of latitude.
    #[must_use]
    pub fn lines(&self) -> &[GraticuleLine] {
        &self.lines
    }

    /// Returns the distance between the lines of a coordinate, such as `00h00m10s` or `0d05m`.
    ///
    /// `None` if no pixel has a position.
    #[must_use]
    pub fn spacing(&self, coordinate: Coordinate) -> Option<&str> {
        let [longitude, latitude] = &self.spacing;
        match coordinate {
            Coordinate::Longitude => longitude.as_deref(),
            Coordinate::Latitude => latitude.as_deref(),
        }
    }
}

impl GraticuleLine {
    /// Returns which coordinate is constant along the line.
    #[must_use]
    pub fn coordinate(&self) -> Coordinate {
        self.coordinate
    }

    /// Returns the value of the constant coordinate, in degrees.
    #[must_use]
    pub fn degrees(&self) -> f64 {
        self.degrees
    }

    /// Returns the value as text, such as `17h59m20s`, `+66d01m48s` or `-5d`. Minutes and seconds of 0 are left out.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Returns the line as pixels `x, y`. It has several parts if it leaves the rectangle and comes back.
    #[must_use]
    pub fn polylines(&self) -> &[Vec<[f64; 2]>] {
        &self.polylines
    }
}

/// Returns an angle in degrees from -180 to 180.
fn turned(degrees: f64) -> f64 {
    (degrees + 180.0).rem_euclid(360.0) - 180.0
}
