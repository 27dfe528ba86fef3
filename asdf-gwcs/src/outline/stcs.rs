//! STC-S, the notation of the Virtual Observatory for regions.

use asdf_core::{Error, Result};

use super::Outline;

/// The most vertices that are read.
const MAX_VERTICES: usize = 100_000;

impl Outline {
    /// Returns the polygon in STC-S, such as `POLYGON ICRS 10 -1 10 1 8 1`.
    ///
    /// Archives store such a text as `s_region`. A frame that STC-S does not have becomes `UNKNOWNFRAME`.
    #[must_use]
    pub fn to_stcs(&self) -> String {
        let frame = match self.frame() {
            "icrs" => "ICRS",
            "fk5" => "FK5",
            "fk4" => "FK4",
            "galactic" => "GALACTIC",
            ecliptic if ecliptic.ends_with("ecliptic") => "ECLIPTIC",
            _ => "UNKNOWNFRAME",
        };
        format!("POLYGON {frame} {}", self.numbers(" "))
    }

    /// Reads a polygon in STC-S, such as the `s_region` of an image. Words between the frame and the numbers are
    /// ignored.
    ///
    /// # Errors
    /// If the text is not one polygon of three or more vertices.
    pub fn from_stcs(text: &str) -> Result<Self> {
        let mut words = text.split_whitespace();
        let shape = words.next().unwrap_or_default();
        if !shape.eq_ignore_ascii_case("polygon") {
            return Err(Error::mismatch(format!("found the region '{}', expected a POLYGON", start(text))));
        }
        let mut frame = String::new();
        let mut numbers = Vec::new();
        for word in words {
            match word.parse::<f64>() {
                Ok(number) if number.is_finite() => numbers.push(number),
                _ if numbers.is_empty() => {
                    if frame.is_empty() {
                        frame = word.to_owned();
                    }
                }
                _ => {
                    let message =
                        format!("found '{}' among the numbers of a POLYGON, expected a number", start(word));
                    return Err(Error::mismatch(message));
                }
            }
            if numbers.len() > 2 * MAX_VERTICES {
                return Err(Error::limit(format!("found a POLYGON with more than {MAX_VERTICES} vertices")));
            }
        }
        if numbers.len() < 6 || numbers.len() % 2 != 0 {
            let message = format!(
                "found a POLYGON with {} numbers, expected two for each of 3 or more vertices",
                numbers.len()
            );
            return Err(Error::mismatch(message));
        }
        let vertices = numbers.chunks_exact(2).filter_map(|pair| <[f64; 2]>::try_from(pair).ok()).collect();
        Ok(Self::new(&frame, vertices))
    }
}

fn start(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polygons_are_read_as_archives_write_them() {
        let outline =
            Outline::from_stcs("POLYGON ICRS  269.986 65.974 269.987 66.097 269.677 66.098 269.680 65.974")
                .unwrap();
        assert_eq!(outline.frame(), "icrs");
        assert_eq!(outline.vertices().first(), Some(&[269.986, 65.974]));
        assert_eq!(outline.vertices().len(), 4);
        let outline = Outline::from_stcs("Polygon FK5 TOPOCENTER 1 2 3 4 5 6").unwrap();
        assert_eq!((outline.frame(), outline.vertices().len()), ("fk5", 3));
        assert_eq!(Outline::from_stcs("polygon 1 2 3 4 5 6").unwrap().frame(), "");
        for (text, message) in [
            ("CIRCLE ICRS 1 2 3", "found the region 'CIRCLE ICRS 1 2 3', expected a POLYGON"),
            ("", "found the region '', expected a POLYGON"),
            (
                "POLYGON ICRS 1 2 3 4 5",
                "found a POLYGON with 5 numbers, expected two for each of 3 or more vertices",
            ),
            ("POLYGON ICRS 1 2 x 3 4 5", "found 'x' among the numbers of a POLYGON, expected a number"),
        ] {
            assert_eq!(Outline::from_stcs(text).unwrap_err().message(), message);
        }
    }
}
