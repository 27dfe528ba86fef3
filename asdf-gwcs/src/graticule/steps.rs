//! Round values of angles, and their text.

/// The divisions of a minute or of a second.
const PARTS: [i64; 6] = [1, 2, 5, 10, 15, 30];

/// The most decimals of a second.
const MAX_DECIMALS: u32 = 9;

/// The most lines, if a step is too large.
const MAX_LINES: usize = 64;

/// How a coordinate is counted and written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Notation {
    /// Right ascensions from 0 to 24 hours.
    Hours,
    /// Longitudes from 0 to 360 degrees.
    Longitude,
    /// Longitudes from -180 to 180 degrees.
    SignedLongitude,
    /// Latitudes with a sign.
    Latitude,
}

/// The multiples of a round angle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Steps {
    notation: Notation,
    /// The decimals of a second.
    decimals: u32,
    /// The step, in units of the last decimal of a second.
    step: i64,
}

impl Notation {
    /// Returns the number of seconds, of time or of arc, in a degree.
    fn seconds(self) -> f64 {
        match self {
            Self::Hours => 240.0,
            _ => 3600.0,
        }
    }

    /// Returns the round numbers of hours or degrees.
    fn whole(self) -> &'static [i64] {
        match self {
            Self::Hours => &[1, 2, 3, 6],
            _ => &[1, 2, 5, 10, 15, 30, 45, 90],
        }
    }
}

impl Steps {
    /// Chooses the smallest round step that divides a range of degrees into at most this number of parts.
    pub(super) fn of([low, high]: [f64; 2], most: f64, notation: Notation) -> Self {
        let seconds = (high - low) * notation.seconds() / most;
        for decimals in (1..=MAX_DECIMALS).rev() {
            let unit = number(10_i64.pow(decimals));
            if let Some(step) = [1, 2, 5].into_iter().find(|step| number(*step) >= seconds * unit) {
                return Self { notation, decimals, step };
            }
        }
        let minutes = PARTS.iter().map(|part| part * 60);
        let whole = notation.whole().iter().map(|part| part * 3600);
        let all: Vec<i64> = PARTS.into_iter().chain(minutes).chain(whole).collect();
        let enough = all.iter().find(|step| number(**step) >= seconds);
        let step = enough.or_else(|| all.last()).copied().unwrap_or(1);
        Self { notation, decimals: 0, step }
    }

    /// Returns the numbers of the steps in a range of degrees. Those of a whole circle are listed once.
    pub(super) fn within(self, [low, high]: [f64; 2]) -> Vec<i64> {
        let steps = |degrees: f64| degrees * self.units() / number(self.step);
        #[expect(
            clippy::cast_possible_truncation,
            reason = "angles of a circle in units of up to 1e-9 seconds"
        )]
        let [first, last] = [steps(low).ceil() as i64, steps(high).floor() as i64];
        let circle = steps(360.0);
        let numbers = (first..=last).take_while(|step| number(step - first) < circle);
        match self.notation {
            // The poles are points.
            Notation::Latitude => {
                numbers.filter(|step| self.degrees(*step).abs() < 90.0).take(MAX_LINES).collect()
            }
            _ => numbers.take(MAX_LINES).collect(),
        }
    }

    /// Returns the step in degrees.
    pub(super) fn size(self) -> f64 {
        number(self.step) / self.units()
    }

    /// Returns the angle of a step in degrees. Longitudes are in the range in which they are written.
    pub(super) fn degrees(self, step: i64) -> f64 {
        number(self.angle(step)) / self.units()
    }

    /// Returns the text of an angle, as the program reads it.
    pub(super) fn label(self, step: i64) -> String {
        let angle = self.angle(step);
        let text = self.text(angle.abs());
        match self.notation {
            Notation::Hours | Notation::Longitude => text,
            Notation::SignedLongitude if angle < 0 => format!("-{text}"),
            Notation::SignedLongitude => text,
            Notation::Latitude if angle < 0 => format!("-{text}"),
            Notation::Latitude => format!("+{text}"),
        }
    }

    /// Returns the text of the step itself.
    pub(super) fn spacing(self) -> String {
        self.text(self.step)
    }

    /// Returns the number of units in a degree.
    fn units(self) -> f64 {
        self.notation.seconds() * number(10_i64.pow(self.decimals))
    }

    /// Returns the angle of a step in units.
    fn angle(self, step: i64) -> i64 {
        let angle = step * self.step;
        let seconds = match self.notation {
            Notation::Hours => 24 * 3600,
            _ => 360 * 3600,
        };
        let circle = seconds * 10_i64.pow(self.decimals);
        match self.notation {
            Notation::Latitude => angle,
            Notation::Hours | Notation::Longitude => angle.rem_euclid(circle),
            Notation::SignedLongitude => (angle + circle / 2 - 1).rem_euclid(circle) - circle / 2 + 1,
        }
    }

    /// Writes an angle without a sign. Minutes and seconds of 0 are left out at the end.
    fn text(self, angle: i64) -> String {
        let unit = 10_i64.pow(self.decimals);
        let (seconds, rest) = (angle / unit, angle % unit);
        let (whole, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        let mut text = match self.notation {
            Notation::Hours => format!("{whole:02}h"),
            Notation::Latitude => format!("{whole:02}d"),
            Notation::Longitude | Notation::SignedLongitude => format!("{whole}d"),
        };
        if minutes != 0 || seconds != 0 || rest != 0 {
            text.push_str(&format!("{minutes:02}m"));
        }
        if rest != 0 {
            let decimals = self.decimals as usize;
            let digits = format!("{rest:0decimals$}");
            text.push_str(&format!("{seconds:02}.{}s", digits.trim_end_matches('0')));
        } else if seconds != 0 {
            text.push_str(&format!("{seconds:02}s"));
        }
        text
    }
}

#[expect(clippy::cast_precision_loss, reason = "angles of a circle are below 2^53 units")]
fn number(count: i64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(range: [f64; 2], notation: Notation) -> (String, Vec<String>) {
        let steps = Steps::of(range, 8.0, notation);
        let labels = steps.within(range).into_iter().map(|step| steps.label(step)).collect();
        (steps.spacing(), labels)
    }

    #[test]
    fn right_ascensions_are_hours() {
        let (spacing, found) = labels([269.8, 269.9], Notation::Hours);
        assert_eq!(spacing, "00h00m05s");
        assert_eq!(found.first().unwrap(), "17h59m15s");
        assert_eq!(found.last().unwrap(), "17h59m35s");
        let (spacing, found) = labels([355.0, 365.0], Notation::Hours);
        assert_eq!((spacing.as_str(), found.len()), ("00h05m", 9));
        assert_eq!((found[0].as_str(), found[4].as_str()), ("23h40m", "00h"));
    }

    #[test]
    fn a_whole_circle_has_each_line_once() {
        let (_, found) = labels([1.0, 361.0], Notation::Hours);
        assert_eq!(found, ["03h", "06h", "09h", "12h", "15h", "18h", "21h", "00h"]);
        let (_, found) = labels([0.0, 360.0], Notation::SignedLongitude);
        assert_eq!(found, ["0d", "45d", "90d", "135d", "180d", "-135d", "-90d", "-45d"]);
    }

    #[test]
    fn latitudes_have_a_sign() {
        assert_eq!(
            labels([-0.02, 0.02], Notation::Latitude),
            (
                "00d00m30s".to_owned(),
                ["-00d01m", "-00d00m30s", "+00d", "+00d00m30s", "+00d01m"].map(str::to_owned).to_vec()
            )
        );
        assert_eq!(labels([80.0, 90.0], Notation::Latitude).1.last().unwrap(), "+88d");
    }

    #[test]
    fn small_steps_have_decimals() {
        let second = 1.0 / 3600.0;
        let (spacing, found) = labels([10.0, 10.0 + 1.001 * second], Notation::Longitude);
        assert_eq!(spacing, "0d00m00.2s");
        assert_eq!(found, ["10d", "10d00m00.2s", "10d00m00.4s", "10d00m00.6s", "10d00m00.8s", "10d00m01s"]);
        assert_eq!(labels([10.0, 10.0], Notation::Longitude).1, ["10d"]);
    }

    #[test]
    fn angles_are_degrees() {
        let steps = Steps::of([0.0, 40.0], 8.0, Notation::Hours);
        assert_eq!((steps.size(), steps.degrees(3)), (7.5, 22.5));
        assert_eq!(steps.degrees(-1), 352.5);
    }
}
