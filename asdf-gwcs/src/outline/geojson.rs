//! GeoJSON: polygons for programs that draw maps.

use super::Outline;

impl Outline {
    /// Returns the polygon as a GeoJSON geometry: a `Polygon`, or a `MultiPolygon` if it crosses longitude 180.
    ///
    /// Longitudes are from -180 to 180 and the ring is counterclockwise, as RFC 7946 requires. A ring around a pole is
    /// closed through the pole. Only the vertices are written, so curved edges need [`Wcs::outline`](crate::Wcs::outline)
    /// with enough points. An outline with NaN vertices is an empty `Polygon`.
    ///
    /// # Examples
    /// ```
    /// use asdf_gwcs::Outline;
    ///
    /// let outline = Outline::new("icrs", vec![[351.0, 0.0], [350.0, 0.0], [350.0, 2.0]]);
    /// assert_eq!(
    ///     outline.to_geojson(),
    ///     r#"{"type":"Polygon","coordinates":[[[-10,2],[-10,0],[-9,0],[-10,2]]]}"#
    /// );
    /// ```
    #[must_use]
    pub fn to_geojson(&self) -> String {
        let rings: Vec<String> = windows(&unwrapped(self.vertices())).iter().map(|ring| text(ring)).collect();
        match rings.as_slice() {
            [] => r#"{"type":"Polygon","coordinates":[]}"#.to_owned(),
            [ring] => format!(r#"{{"type":"Polygon","coordinates":[{ring}]}}"#),
            rings => {
                let polygons: Vec<String> = rings.iter().map(|ring| format!("[{ring}]")).collect();
                format!(r#"{{"type":"MultiPolygon","coordinates":[{}]}}"#, polygons.join(","))
            }
        }
    }
}

/// Returns the vertices with longitudes that do not jump. A ring around a pole gets two more vertices at the pole.
fn unwrapped(vertices: &[[f64; 2]]) -> Vec<[f64; 2]> {
    if vertices.iter().flatten().any(|number| !number.is_finite()) {
        return Vec::new();
    }
    let mut ring: Vec<[f64; 2]> = Vec::with_capacity(vertices.len() + 3);
    for &[longitude, latitude] in vertices {
        let previous =
            ring.last().map_or_else(|| (longitude + 180.0).rem_euclid(360.0) - 180.0, |last| last[0]);
        ring.push([nearest(longitude, previous), latitude]);
    }
    let (Some(&first), Some(&last)) = (ring.first(), ring.last()) else { return ring };
    let end = nearest(first[0], last[0]);
    if (end - first[0]).abs() > 180.0 {
        let mean = ring.iter().map(|vertex| vertex[1]).sum::<f64>();
        let pole = if mean < 0.0 { -90.0 } else { 90.0 };
        ring.extend([[end, first[1]], [end, pole], [first[0], pole]]);
    }
    ring
}

/// Returns the longitude plus a multiple of 360 that is nearest to another.
fn nearest(longitude: f64, other: f64) -> f64 {
    longitude + 360.0 * ((other - longitude) / 360.0).round()
}

/// Cuts a ring where it crosses longitude 180, and returns the parts with longitudes from -180 to 180.
fn windows(ring: &[[f64; 2]]) -> Vec<Vec<[f64; 2]>> {
    let extreme =
        |start: f64, choose: fn(f64, f64) -> f64| ring.iter().map(|vertex| vertex[0]).fold(start, choose);
    let (west, east) = (extreme(f64::INFINITY, f64::min), extreme(f64::NEG_INFINITY, f64::max));
    // A ring spans at most 360 degrees around the first vertex on each side. A few windows touch it.
    let windows = [-2.0, -1.0, 0.0, 1.0, 2.0].into_iter().map(|turn| 360.0 * turn);
    let touched = windows.filter(|middle| west < middle + 180.0 && east > middle - 180.0);
    let parts = touched.map(|middle| {
        let part = clip(&clip(ring, middle - 180.0, 1.0), middle + 180.0, -1.0);
        part.into_iter().map(|[longitude, latitude]| [longitude - middle, latitude]).collect::<Vec<_>>()
    });
    parts.filter(|part| part.len() >= 3).collect()
}

/// Keeps the part of a ring on one side of a meridian: east of it if `side` is 1, west if it is -1.
fn clip(ring: &[[f64; 2]], meridian: f64, side: f64) -> Vec<[f64; 2]> {
    let inside = |vertex: [f64; 2]| side * (vertex[0] - meridian) >= 0.0;
    let following = ring.iter().cycle().skip(1);
    let mut kept = Vec::new();
    for (&start, &end) in ring.iter().zip(following) {
        if inside(start) {
            kept.push(start);
        }
        if inside(start) != inside(end) {
            let part = (meridian - start[0]) / (end[0] - start[0]);
            kept.push([meridian, start[1] + part * (end[1] - start[1])]);
        }
    }
    kept
}

/// Returns the closed ring, counterclockwise.
fn text(ring: &[[f64; 2]]) -> String {
    let following = ring.iter().cycle().skip(1);
    let area: f64 = ring.iter().zip(following).map(|(a, b)| a[0] * b[1] - b[0] * a[1]).sum();
    let mut ring = ring.to_vec();
    if area < 0.0 {
        ring.reverse();
    }
    let first = ring.first().copied();
    let positions: Vec<String> = ring.iter().chain(&first).map(|[x, y]| format!("[{x},{y}]")).collect();
    format!("[{}]", positions.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_polygon_over_longitude_180_is_cut() {
        let outline = Outline::new("icrs", vec![[179.0, 0.0], [181.0, 0.0], [181.0, 2.0], [179.0, 2.0]]);
        assert_eq!(
            outline.to_geojson(),
            r#"{"type":"MultiPolygon","coordinates":[[[[179,0],[180,0],[180,2],[179,2],[179,0]]],[[[-180,0],[-179,0],[-179,2],[-180,2],[-180,0]]]]}"#
        );
    }

    #[test]
    fn a_polygon_over_longitude_0_is_whole() {
        let outline = Outline::new("icrs", vec![[359.0, 0.0], [1.0, 0.0], [1.0, 2.0], [359.0, 2.0]]);
        assert_eq!(
            outline.to_geojson(),
            r#"{"type":"Polygon","coordinates":[[[-1,0],[1,0],[1,2],[-1,2],[-1,0]]]}"#
        );
    }

    #[test]
    fn a_polygon_around_a_pole_is_closed_through_it() {
        let outline = Outline::new("icrs", vec![[0.0, 89.0], [90.0, 89.0], [180.0, 89.0], [270.0, 89.0]]);
        let text = outline.to_geojson();
        assert!(text.starts_with(r#"{"type":"MultiPolygon""#), "{text}");
        assert!(text.contains("[180,90]") && text.contains("[-180,90]"), "{text}");
        let numbers = text.split(['[', ',', ']']).filter_map(|word| word.parse::<f64>().ok());
        assert!(numbers.into_iter().all(|number| (-180.0..=180.0).contains(&number)), "{text}");
    }

    #[test]
    fn an_outline_with_nan_is_empty() {
        let outline = Outline::new("icrs", vec![[0.0, f64::NAN], [1.0, 0.0], [2.0, 0.0]]);
        assert_eq!(outline.to_geojson(), r#"{"type":"Polygon","coordinates":[]}"#);
    }
}
