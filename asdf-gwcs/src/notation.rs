//! Angles as people write them: degrees, or hours, minutes and seconds.

/// An angle as people write it: a number, `17h45m40.03s` or `17:45:40.03`.
///
/// # Examples
/// ```
/// use asdf_gwcs::Angle;
///
/// assert_eq!(Angle::parse("10d30m"), Some(Angle::Degrees(10.5)));
/// assert_eq!(Angle::parse("12:30").map(|angle| angle.degrees(true)), Some(187.5));
/// assert_eq!(Angle::parse("noon"), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Angle {
    /// A number without a unit.
    Number(f64),
    /// An angle with marks, such as `17h45m40.03s`, in degrees.
    Degrees(f64),
    /// `17:45:40.03`: hours for right ascensions, degrees for all else.
    Colons(f64),
}

/// Minus signs. The second one is U+2212, which documents use.
const MINUS: [char; 2] = ['-', '\u{2212}'];

impl Angle {
    /// Parses a number or an angle; `None` for all other text.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if let Ok(number) = text.replace(MINUS[1], "-").parse() {
            return Some(Self::Number(number));
        }
        let sign = if text.starts_with(MINUS) { -1.0 } else { 1.0 };
        let digits = text.strip_prefix(MINUS).or_else(|| text.strip_prefix('+')).unwrap_or(text);
        if digits.contains(':') {
            return sexagesimal(digits.split(':')).map(|size| Self::Colons(sign * size));
        }
        let (first, rest) = digits.split_once(['h', 'd', '°'])?;
        let mut parts = vec![first];
        let mut rest = rest.trim();
        for marks in [['m', '\'', '′'], ['s', '"', '″']] {
            if rest.is_empty() {
                break;
            }
            let (part, after) = rest.split_once(marks).unwrap_or((rest, ""));
            parts.push(part);
            rest = after.trim();
        }
        let size = sexagesimal(parts.into_iter()).filter(|_| rest.is_empty())?;
        let is_hours = digits.get(first.len()..).is_some_and(|rest| rest.starts_with('h'));
        Some(Self::Degrees(sign * if is_hours { 15.0 * size } else { size }))
    }

    /// Returns the angle in degrees. Numbers are degrees; with colons, angles are in hours if `hours` is set.
    #[must_use]
    pub fn degrees(self, hours: bool) -> f64 {
        match self {
            Self::Number(degrees) | Self::Degrees(degrees) => degrees,
            Self::Colons(size) if hours => 15.0 * size,
            Self::Colons(size) => size,
        }
    }
}

/// Returns the sum of up to three parts: whole numbers, of which the last can have decimals, and those after the first
/// are below 60.
fn sexagesimal<'a>(parts: impl Iterator<Item = &'a str>) -> Option<f64> {
    let parts: Vec<&str> = parts.map(str::trim).collect();
    if parts.len() > 3 {
        return None;
    }
    let last = parts.len() - 1;
    let mut sum = 0.0;
    let mut size = 1.0;
    for (number, part) in parts.into_iter().enumerate() {
        let is_digits = part.bytes().all(|byte| byte.is_ascii_digit() || (number == last && byte == b'.'));
        let value: f64 = part.parse().ok().filter(|_| is_digits)?;
        if number > 0 && value >= 60.0 {
            return None;
        }
        sum += value / size;
        size *= 60.0;
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notations() {
        let near = |text: &str, expected: Angle| {
            let found = Angle::parse(text).unwrap_or_else(|| panic!("{text}"));
            let number = |angle: Angle| match angle {
                Angle::Number(number) | Angle::Degrees(number) | Angle::Colons(number) => number,
            };
            assert_eq!(std::mem::discriminant(&found), std::mem::discriminant(&expected), "{text}");
            assert!((number(found) - number(expected)).abs() < 1e-12, "{text}: {found:?}");
        };
        near("-29.5", Angle::Number(-29.5));
        near("\u{2212}29.5", Angle::Number(-29.5));
        near("1e2", Angle::Number(100.0));
        near("17:45:40.03", Angle::Colons(17.0 + 45.0 / 60.0 + 40.03 / 3600.0));
        near("-00:30", Angle::Colons(-0.5));
        near("17h45m40.03s", Angle::Degrees(266.416_791_666_666_7));
        near("-29d00m28.1s", Angle::Degrees(-29.007_805_555_555_556));
        near("+10°30′", Angle::Degrees(10.5));
        near("12h", Angle::Degrees(180.0));
        near("10d30'36\"", Angle::Degrees(10.51));
        assert!(Angle::parse("NaN").is_some());
        for text in [
            "", "x", "1:2:3:4", "1:60", "1:-2", "12h30", "12h30m5", "h", "1:", "d5m", "1.5:30", "1h2s3m",
            "/a",
        ] {
            let found = Angle::parse(text);
            assert!(found.is_none() || matches!(text, "12h30" | "12h30m5"), "{text}: {found:?}");
        }
    }
}
