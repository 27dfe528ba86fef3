//! Astropy's answers for points of each projection, and what this code makes of them.

use super::Projection;

/// One line: a point, the result of astropy, and our result.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) to_plane: bool,
    pub(super) point: [f64; 2],
    pub(super) expected: [f64; 2],
    pub(super) found: [f64; 2],
}

/// The points of a file. Each `with` line has parameters, and the lines below are for these.
pub(super) fn answers(name: &str, text: &str) -> Vec<Answer> {
    let mut answers = Vec::new();
    let mut projection = None;
    for line in text.lines() {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "#" => {}
            "with" => {
                let find = |wanted: &str| {
                    rest.split(' ').find_map(|pair| {
                        let (name, value) = pair.split_once('=')?;
                        (name == wanted).then(|| value.parse().unwrap())
                    })
                };
                projection = Some(Projection::new(name, &find).unwrap().unwrap());
            }
            _ => {
                let projection = projection.as_ref().unwrap();
                let numbers: Vec<f64> = rest.split(' ').map(|number| number.parse().unwrap()).collect();
                let to_plane = word == "plane";
                let (mut first, mut second) = ([0.0], [0.0]);
                let (a, b) = (&numbers[..1], &numbers[1..2]);
                if to_plane {
                    projection.block_to_plane(a, b, &mut first, &mut second);
                } else {
                    projection.block_to_sphere(a, b, &mut first, &mut second);
                }
                answers.push(Answer {
                    to_plane,
                    point: [numbers[0], numbers[1]],
                    expected: [numbers[2], numbers[3]],
                    found: [first[0], second[0]],
                });
            }
        }
    }
    answers
}

impl Answer {
    /// If both are NaN in the same places.
    pub(super) fn same_domain(&self) -> bool {
        (0..2).all(|i| self.expected[i].is_nan() == self.found[i].is_nan())
    }

    /// The difference in radians: relative to the distance from the origin in the plane, if that is above a radian.
    pub(super) fn error(&self) -> f64 {
        if self.expected == self.found
            || self.expected.iter().chain(&self.found).any(|number| number.is_nan())
        {
            return 0.0;
        }
        let [a, b] = [0, 1].map(|i| self.found[i] - self.expected[i]);
        if self.to_plane {
            let radius = 180.0 / std::f64::consts::PI;
            return a.hypot(b) / radius.max(self.expected[0].hypot(self.expected[1]));
        }
        let turn = (a - 360.0 * (a / 360.0).round()).to_radians();
        (turn * self.expected[1].to_radians().cos()).hypot(b.to_radians())
    }
}

macro_rules! files {
    ($($name:literal: $tolerance:expr;)*) => {
        /// The file of each projection, and the largest difference in radians.
        const FILES: &[(&str, &str, f64)] =
            &[$(($name, include_str!(concat!("../../tests/projections/", $name, ".txt")), $tolerance)),*];
    };
}

files! {
    // wcslib stops its search at 1e-12 of twice the radius.
    "airy": 5e-12;
    "bonne_equal_area": 1e-12;
    // wcslib computes with 32 bits.
    "cobe_quad_spherical_cube": 1e-6;
    "conic_equal_area": 1e-12;
    "conic_equidistant": 1e-12;
    "conic_orthomorphic": 1e-12;
    "conic_perspective": 1e-12;
    "cylindrical_equal_area": 1e-12;
    "cylindrical_perspective": 1e-12;
    "gnomonic": 1e-12;
    "hammer_aitoff": 1e-12;
    "healpix": 1e-12;
    "healpix_polar": 1e-12;
    "mercator": 1e-12;
    "molleweide": 1e-12;
    "parabolic": 1e-12;
    "plate_carree": 1e-12;
    "polyconic": 1e-12;
    "quad_spherical_cube": 1e-12;
    "sanson_flamsteed": 1e-12;
    "slant_orthographic": 1e-12;
    "slant_zenithal_perspective": 1e-12;
    "stereographic": 1e-12;
    "tangential_spherical_cube": 1e-12;
    "zenithal_equal_area": 1e-12;
    "zenithal_equidistant": 1e-12;
    "zenithal_perspective": 1e-12;
}

/// Where astropy and this code differ, and why.
fn known_difference(name: &str, answer: &Answer) -> Option<&'static str> {
    let [first, second] = answer.point;
    let right_angle = first % 90.0 == 0.0 || second % 30.0 == 0.0;
    let far = answer.expected.iter().any(|number| number.abs() > 1e12);
    match name {
        "conic_equal_area" if !answer.to_plane && answer.expected[1].abs() > 89.9 => {
            Some("close to a pole, whose latitude the last bits of the radius decide")
        }
        "conic_orthomorphic" if !answer.to_plane && answer.found[1] == 90.0 => {
            Some("the northern apex, where wcslib has NaN")
        }
        "polyconic" if !answer.to_plane && first == 0.0 => {
            Some("wcslib divides 0 by 0 on the central meridian")
        }
        "polyconic" if !answer.to_plane && second.abs() == 90.0 => {
            Some("wcslib takes all of y = 90 for the pole")
        }
        "conic_perspective" | "cylindrical_perspective" if answer.to_plane && far => {
            Some("a point at infinity, where a cosine in wcslib is 6e-17 and not 0")
        }
        "slant_orthographic" if answer.to_plane && right_angle && answer.expected[0].is_nan() => {
            Some("a point on the horizon, where a cosine in wcslib is 6e-17 and not 0")
        }
        _ => None,
    }
}

#[test]
fn points_are_projected_as_by_astropy() {
    for &(name, text, tolerance) in FILES {
        let answers = answers(name, text);
        assert!(answers.len() >= 40, "{name} has only {} points", answers.len());
        for answer in answers.iter().filter(|answer| known_difference(name, answer).is_none()) {
            assert!(answer.same_domain(), "{name} {answer:?}");
            assert!(answer.error() <= tolerance, "{name} differs by {:e}: {answer:?}", answer.error());
        }
    }
}
