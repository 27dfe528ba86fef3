//! Negative angles on the command line.

use std::ffi::{OsStr, OsString};

use asdf_gwcs::Angle;

/// The minus sign U+2212, which documents use.
const MINUS: char = '\u{2212}';

/// Replaces the hyphen of a negative angle by U+2212. The parser of the command line only accepts plain numbers as values
/// that begin with a hyphen, and takes `-29:00:28` for options.
pub(crate) fn as_value(argument: OsString) -> OsString {
    let negative = |text: &str| matches!(Angle::parse(text), Some(Angle::Colons(_) | Angle::Degrees(_)));
    match argument.to_str().and_then(|text| text.strip_prefix('-').filter(|_| negative(text))) {
        Some(digits) => OsStr::new(&format!("{MINUS}{digits}")).to_owned(),
        None => argument,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negative_angles_are_no_options() {
        assert_eq!(as_value("-29:00:28".into()), "\u{2212}29:00:28");
        assert_eq!(as_value("-29d00m".into()), "\u{2212}29d00m");
        for unchanged in ["-29.5", "-d", "-v", "--json", "-", "29:00", "-p"] {
            assert_eq!(as_value(unchanged.into()), unchanged);
        }
    }
}
