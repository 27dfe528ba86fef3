//! Astropy's answers for points of each projection, and what this code makes of them.

use super::Projection;

/// One line: a point, the result of astropy, and our result.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) to_plane: bool,
    pub(super) parameters: String,
    pub(super) point: [f64; 2],
    pub(super) expected: [f64; 2],
    pub(super) found: [f64; 2],
}

/// The points of a file. Each `with` line has parameters, and the lines below are for these.
pub(super) fn answers(name: &str, text: &str) -> Vec<Answer> {
    let mut answers = Vec::new();
    let mut projection = None;
    let mut parameters = String::new();
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
                parameters = rest.to_owned();
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
                    parameters: parameters.clone(),
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

#[test]
fn large_report() {
    let Ok(folder) = std::env::var("PROJ_DATA") else { return };
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if std::env::var("ONLY").is_ok_and(|only| only != name) {
            continue;
        }
        let all = answers(&name, &std::fs::read_to_string(&path).unwrap());
        for to_plane in [true, false] {
            let these: Vec<_> = all.iter().filter(|answer| answer.to_plane == to_plane).collect();
            let worst = these.iter().map(|answer| answer.error()).fold(0.0, f64::max);
            let above: Vec<_> = these.iter().filter(|answer| !(answer.error() <= 1e-12)).collect();
            let domain: Vec<_> = these.iter().filter(|answer| !answer.same_domain()).collect();
            println!(
                "{name} {} n={} worst {worst:.1e} above {} domain {}",
                if to_plane { "plane" } else { "sphere" },
                these.len(),
                above.len(),
                domain.len()
            );
            let show = std::env::var("SHOW").map_or(3, |n| n.parse().unwrap());
            for answer in domain.iter().take(show) {
                println!(
                    "   domain {:?} {:?} exp {:?} got {:?}",
                    answer.parameters, answer.point, answer.expected, answer.found
                );
            }
            for answer in above.iter().step_by((above.len() / show.max(1)).max(1)).take(show) {
                println!(
                    "   {:.1e} {:?} {:?} exp {:?} got {:?}",
                    answer.error(),
                    answer.parameters,
                    answer.point,
                    answer.expected,
                    answer.found
                );
            }
        }
    }
}
