//! Outlines of images on the sky, and their text in other programs' formats.

mod ds9;
mod geojson;
mod separation;
mod stcs;

pub(crate) use separation::separation;

/// A polygon on the sky: the outline of an image.
///
/// [`Wcs::footprint_outline`](crate::Wcs::footprint_outline) has the four corners,
/// [`Wcs::outline`](crate::Wcs::outline) more points along the edges. Two vertices that follow one another are joined
/// by a great circle. The last vertex is joined to the first.
///
/// # Examples
/// ```
/// use asdf_gwcs::Outline;
///
/// let outline = Outline::from_stcs("POLYGON ICRS 10 -1 10 1 8 1 8 -1")?;
/// assert_eq!(outline.vertices().len(), 4);
/// assert_eq!(outline.to_ds9(), "icrs;polygon(10,-1,10,1,8,1,8,-1)");
/// assert_eq!(outline.to_stcs(), "POLYGON ICRS 10 -1 10 1 8 1 8 -1");
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Outline {
    frame: String,
    vertices: Vec<[f64; 2]>,
}

impl Outline {
    /// Makes a polygon of longitudes and latitudes in degrees. The frame is a name such as `icrs`.
    #[must_use]
    pub fn new(frame: &str, vertices: Vec<[f64; 2]>) -> Self {
        Self { frame: frame.to_lowercase(), vertices }
    }

    /// Returns the name of the reference frame in lower case, such as `icrs`; empty if the file does not name it.
    #[must_use]
    pub fn frame(&self) -> &str {
        &self.frame
    }

    /// Returns longitude and latitude of each vertex in degrees.
    #[must_use]
    pub fn vertices(&self) -> &[[f64; 2]] {
        &self.vertices
    }

    /// Returns how far two polygons are apart, in degrees: the largest distance from a vertex to the nearest vertex of
    /// the other polygon.
    ///
    /// Polygons with the same vertices in another order have the distance 0. NaN vertices give NaN.
    #[must_use]
    pub fn distance(&self, other: &Self) -> f64 {
        let one_way = |from: &[[f64; 2]], to: &[[f64; 2]]| {
            let nearest = |point: &[f64; 2]| {
                let distances = to.iter().map(|other| separation(*point, *other));
                distances
                    .fold(f64::INFINITY, |least, distance| if distance < least { distance } else { least })
            };
            from.iter().map(nearest).fold(0.0, f64::max)
        };
        let is_nan = self.vertices.iter().chain(&other.vertices).flatten().any(|number| number.is_nan());
        if is_nan {
            return f64::NAN;
        }
        one_way(&self.vertices, &other.vertices).max(one_way(&other.vertices, &self.vertices))
    }

    /// Returns all numbers, longitude and latitude in turn, with a separator between them.
    fn numbers(&self, separator: &str) -> String {
        let numbers: Vec<String> = self.vertices.iter().flatten().map(ToString::to_string).collect();
        numbers.join(separator)
    }
}
