//! Scalars of YAML 1.1: text to value and back, as PyYAML reads and writes them.
//!
//! PyYAML wrote nearly every existing ASDF file, so its rules decide. `yes` and `off` are booleans, `0777` is
//! octal and `1:30` is 90. `1e3` and `-.5` are strings: a float needs a signed exponent, and digits before
//! the point if it has a sign. Nodes resolve their values on access.

use std::ops::RangeInclusive;

use num_bigint::BigInt;

use super::Kind;

/// The integers that the standard allows in a tree, as Python's asdf checks them. The section "Literal
/// integer values in YAML" excludes the two lowest of 64 bits.
pub(crate) const LITERALS: RangeInclusive<i128> = -0x7fff_ffff_ffff_fffe..=0x7fff_ffff_ffff_ffff;

/// The maximum number of digits of an integer with a value. Converting decimal digits takes quadratic time.
const MAX_DIGITS: usize = 20_000;

/// Returns the kind that a plain scalar's text resolves to.
#[inline]
pub(crate) fn resolve(text: &str) -> Kind {
    let bytes = text.as_bytes();
    let Some(&first) = bytes.first() else { return Kind::Null };
    match first {
        b'-' | b'+' | b'.' | b'0'..=b'9' => number(bytes),
        b'~' | b'n' | b'N' | b'y' | b'Y' | b't' | b'T' | b'f' | b'F' | b'o' | b'O'
            if bytes.len() <= LONGEST_WORD =>
        {
            word(text)
        }
        _ => Kind::String,
    }
}

/// The length of `false`.
const LONGEST_WORD: usize = 5;

fn word(text: &str) -> Kind {
    if is_null(text) {
        Kind::Null
    } else if is_bool(text) {
        Kind::Bool
    } else {
        Kind::String
    }
}

fn is_null(text: &str) -> bool {
    matches!(text, "" | "~" | "null" | "Null" | "NULL")
}

fn is_bool(text: &str) -> bool {
    matches!(
        text,
        "yes"
            | "Yes"
            | "YES"
            | "true"
            | "True"
            | "TRUE"
            | "on"
            | "On"
            | "ON"
            | "no"
            | "No"
            | "NO"
            | "false"
            | "False"
            | "FALSE"
            | "off"
            | "Off"
            | "OFF"
    )
}

/// Parses a boolean. Under `!!bool` any casing is allowed, as in PyYAML.
pub(crate) fn to_bool(text: &str) -> Option<bool> {
    let is = |word: &&str| text.eq_ignore_ascii_case(word);
    if ["true", "yes", "on"].iter().any(is) {
        Some(true)
    } else if ["false", "no", "off"].iter().any(is) {
        Some(false)
    } else {
        None
    }
}

fn number(bytes: &[u8]) -> Kind {
    // Most numbers are only digits, or digits with one point.
    let (digits, tail) = take(unsigned(bytes), |b| b.is_ascii_digit());
    match (digits, tail) {
        ([b'1'..=b'9', ..], []) => return Kind::Int,
        ([_, ..], [b'.', fraction @ ..]) if fraction.iter().all(u8::is_ascii_digit) => return Kind::Float,
        _ => {}
    }
    // In PyYAML's order: float, int, timestamp.
    if is_float(bytes) {
        Kind::Float
    } else if is_int(bytes) {
        Kind::Int
    } else if is_timestamp(bytes) {
        Kind::Timestamp
    } else {
        Kind::String
    }
}

fn unsigned(bytes: &[u8]) -> &[u8] {
    match bytes {
        [b'-' | b'+', rest @ ..] => rest,
        _ => bytes,
    }
}

/// Splits off the longest prefix whose bytes all satisfy the predicate.
fn take(bytes: &[u8], predicate: impl Fn(u8) -> bool) -> (&[u8], &[u8]) {
    let end = bytes.iter().position(|&b| !predicate(b)).unwrap_or(bytes.len());
    bytes.split_at(end)
}

fn digit_(b: u8) -> bool {
    b.is_ascii_digit() || b == b'_'
}

fn is_float(bytes: &[u8]) -> bool {
    let signed = bytes.len() != unsigned(bytes).len();
    let rest = unsigned(bytes);
    if let [b'.', tail @ ..] = rest {
        return match tail {
            b"inf" | b"Inf" | b"INF" => true,
            b"nan" | b"NaN" | b"NAN" => !signed,
            [b'0'..=b'9', ..] => !signed && is_exponent(take(tail, digit_).1),
            _ => false,
        };
    }
    if !rest.first().is_some_and(u8::is_ascii_digit) {
        return false;
    }
    let (_, tail) = take(rest, digit_);
    match tail {
        [b'.', tail @ ..] => is_exponent(take(tail, digit_).1),
        [b':', ..] => match sexagesimal_groups(tail) {
            [b'.', fraction @ ..] => fraction.iter().all(|&b| digit_(b)),
            _ => false,
        },
        _ => false,
    }
}

/// Returns whether the text is empty or an exponent with its sign.
fn is_exponent(bytes: &[u8]) -> bool {
    match bytes {
        [] => true,
        [b'e' | b'E', b'-' | b'+', digits @ ..] => {
            !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
        }
        _ => false,
    }
}

/// Skips all leading `:[0-5]?[0-9]` groups.
fn sexagesimal_groups(mut bytes: &[u8]) -> &[u8] {
    loop {
        bytes = match bytes {
            [b':', b'0'..=b'5', b'0'..=b'9', rest @ ..] => rest,
            [b':', b'0'..=b'9', rest @ ..] => rest,
            _ => return bytes,
        };
    }
}

fn is_int(bytes: &[u8]) -> bool {
    let rest = unsigned(bytes);
    let has = |digits: &[u8], predicate: fn(&u8) -> bool| {
        digits.iter().any(predicate) && digits.iter().all(|b| *b == b'_' || predicate(b))
    };
    match rest {
        b"0" => true,
        [b'0', b'b', digits @ ..] => has(digits, |b| matches!(b, b'0' | b'1')),
        [b'0', b'x', digits @ ..] => has(digits, u8::is_ascii_hexdigit),
        [b'0', digits @ ..] => digits.iter().all(|b| matches!(b, b'0'..=b'7' | b'_')),
        [b'1'..=b'9', ..] => {
            let (_, tail) = take(rest, digit_);
            tail.is_empty() || sexagesimal_groups(tail).is_empty()
        }
        _ => false,
    }
}

fn is_timestamp(bytes: &[u8]) -> bool {
    date(bytes).is_some_and(|(whole, rest)| (whole && rest.is_empty()) || time(rest))
}

/// Splits off a date. The flag says whether month and day have two digits each, as a date without a time
/// must.
fn date(bytes: &[u8]) -> Option<(bool, &[u8])> {
    let (year, rest) = take(bytes, |b| b.is_ascii_digit());
    let (month, rest) = take(rest.strip_prefix(b"-")?, |b| b.is_ascii_digit());
    let (day, rest) = take(rest.strip_prefix(b"-")?, |b| b.is_ascii_digit());
    let fits = |digits: &[u8]| (1..=2).contains(&digits.len());
    (year.len() == 4 && fits(month) && fits(day)).then_some((month.len() == 2 && day.len() == 2, rest))
}

fn time(bytes: &[u8]) -> bool {
    let blank = |b: u8| b == b' ' || b == b'\t';
    let rest = match bytes {
        [b'T' | b't', rest @ ..] => rest,
        [b' ' | b'\t', ..] => take(bytes, blank).1,
        _ => return false,
    };
    let (hour, rest) = take(rest, |b| b.is_ascii_digit());
    let [b':', m1, m2, b':', s1, s2, rest @ ..] = rest else { return false };
    if !(1..=2).contains(&hour.len()) || ![m1, m2, s1, s2].into_iter().all(u8::is_ascii_digit) {
        return false;
    }
    let rest = match rest {
        [b'.', fraction @ ..] => take(fraction, |b| b.is_ascii_digit()).1,
        _ => rest,
    };
    match take(rest, blank).1 {
        [] => rest.is_empty(),
        b"Z" => true,
        [b'-' | b'+', zone @ ..] => {
            let (hours, minutes) = take(zone, |b| b.is_ascii_digit());
            (1..=2).contains(&hours.len())
                && match minutes {
                    [] => true,
                    [b':', a, b] => a.is_ascii_digit() && b.is_ascii_digit(),
                    _ => false,
                }
        }
        _ => false,
    }
}

/// Splits off a number's sign; true for a minus.
fn sign(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

/// Splits an integer's text into sign, digits without `_`, and radix. Does not handle sexagesimal text.
fn int_parts(text: &str) -> Option<(bool, String, u32)> {
    let (negative, rest) = sign(text);
    let clean: String = rest.chars().filter(|&c| c != '_').collect();
    let (digits, radix) = if let Some(digits) = clean.strip_prefix("0b") {
        (digits, 2)
    } else if let Some(digits) = clean.strip_prefix("0x") {
        (digits, 16)
    } else if clean.len() > 1 && clean.starts_with('0') {
        (&clean[1..], 8)
    } else {
        (clean.as_str(), 10)
    };
    // `from_str_radix` would accept a second sign.
    let fits = (1..=MAX_DIGITS).contains(&digits.len()) && digits.chars().all(|c| c.is_digit(radix));
    fits.then(|| (negative, digits.to_owned(), radix))
}

/// Returns the value of an integer's text if it fits 128 bits.
pub(crate) fn to_i128(text: &str) -> Option<i128> {
    // The common case first: short decimal digits.
    let digits = text.as_bytes();
    let (negative, digits) = match digits {
        [b'-', rest @ ..] => (true, rest),
        _ => (false, digits),
    };
    if matches!(digits, [b'1'..=b'9', ..] | [b'0'])
        && digits.len() < 19
        && digits.iter().all(u8::is_ascii_digit)
    {
        let value = digits.iter().fold(0, |value, digit| value * 10 + i64::from(digit - b'0'));
        return Some(i128::from(if negative { -value } else { value }));
    }
    if text.contains(':') {
        return sexagesimal_int(text)?.try_into().ok();
    }
    let (negative, digits, radix) = int_parts(text)?;
    let signed = if negative { format!("-{digits}") } else { digits };
    i128::from_str_radix(&signed, radix).ok()
}

/// Returns the value of an integer's text of up to 20,000 digits.
pub(crate) fn to_bigint(text: &str) -> Option<BigInt> {
    if text.contains(':') {
        return sexagesimal_int(text);
    }
    if let Some(small) = to_i128(text) {
        return Some(small.into());
    }
    let (negative, digits, radix) = int_parts(text)?;
    let value = BigInt::parse_bytes(digits.as_bytes(), radix)?;
    Some(if negative { -value } else { value })
}

/// Returns the sign and the groups of a sexagesimal integer, most significant first.
///
/// A tag can declare any text an integer. The groups can then be 60 or more, as in PyYAML.
fn sexagesimal_parts(text: &str) -> Option<(bool, Vec<String>)> {
    let (negative, rest) = sign(text);
    if rest.len() > MAX_DIGITS || rest.starts_with('0') {
        return None;
    }
    let groups: Vec<String> = rest.split(':').map(|group| group.replace('_', "")).collect();
    let digits = |group: &String| !group.is_empty() && group.bytes().all(|b| b.is_ascii_digit());
    groups.iter().all(digits).then_some((negative, groups))
}

fn sexagesimal_int(text: &str) -> Option<BigInt> {
    let (negative, groups) = sexagesimal_parts(text)?;
    let mut value = BigInt::ZERO;
    for group in groups {
        value = value * 60 + group.parse::<BigInt>().ok()?;
    }
    Some(if negative { -value } else { value })
}

/// Returns whether a text has a value as an integer. Cheaper than computing the value.
pub(crate) fn has_int(text: &str) -> bool {
    if text.contains(':') { sexagesimal_parts(text).is_some() } else { int_parts(text).is_some() }
}

/// Returns the value of a float's text. Under `!!float` it can be an integer's text, or `nan` or `inf`
/// without a point.
pub(crate) fn to_f64(text: &str) -> Option<f64> {
    // Rust parses most of them.
    if let Ok(value) = text.parse() {
        return Some(value);
    }
    let clean = text.replace('_', "").to_ascii_lowercase();
    let (negative, digits) = sign(&clean);
    let value = match digits {
        ".inf" => f64::INFINITY,
        ".nan" => f64::NAN,
        _ => sexagesimal_float(digits)?,
    };
    Some(if negative { -value } else { value })
}

/// Sums up the groups from the last, as PyYAML does, so that the result is equal to the last bit.
fn sexagesimal_float(text: &str) -> Option<f64> {
    let (mut value, mut base) = (0.0, 1.0);
    for group in text.rsplit(':') {
        let digits = group.parse::<f64>().ok().filter(|_| !group.starts_with(['-', '+']))?;
        value += digits * base;
        base *= 60.0;
    }
    Some(value)
}

/// Formats a float in the shortest form that reads back equal and is a float in YAML 1.1: `1.0`, `0.1`,
/// `1.0e-05`, `1.0e+22`, `.inf`, `.nan`.
pub(crate) fn from_f64(value: f64) -> String {
    if value.is_nan() {
        return ".nan".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { ".inf" } else { "-.inf" }.into();
    }
    let scientific = format!("{value:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    // Switch to exponents like Python's repr, which users know from other files.
    if (-4..16).contains(&exponent) {
        let plain = format!("{value}");
        return if plain.contains('.') { plain } else { plain + ".0" };
    }
    let point = if mantissa.contains('.') { "" } else { ".0" };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}{point}e{sign}{:02}", exponent.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn integers_of_every_form() {
        for (text, value) in [
            ("0", 0),
            ("-0", 0),
            ("+1", 1),
            ("010", 8),
            ("0777", 511),
            ("0b101", 5),
            ("0b1010_0111", 167),
            ("-0x1F", -31),
            ("1_000", 1000),
            ("1__0", 10),
            ("-1_9", -19),
            ("1:30", 90),
            ("-1:30", -90),
            ("190:20:30", 685_230),
            ("1_0:3", 603),
            ("9223372036854775808", 9_223_372_036_854_775_808),
            ("0_", 0),
        ] {
            assert_eq!(resolve(text), Kind::Int, "{text}");
            assert_eq!(to_i128(text), Some(value), "{text}");
        }
        let big = "123456789012345678901234567890123456789012345678901234567890";
        assert_eq!(to_bigint(big).unwrap().to_string(), big);
        assert_eq!(to_bigint(&format!("-{big}")).unwrap().to_string(), format!("-{big}"));
        assert_eq!(to_bigint(&"9".repeat(MAX_DIGITS + 1)), None);
        // 1 followed by thirty groups of zero.
        let sixties = format!("1{}", ":00".repeat(30));
        assert_eq!((resolve(&sixties), to_i128(&sixties)), (Kind::Int, None));
        assert_eq!(to_bigint(&sixties), Some(BigInt::from(60).pow(30)));
    }

    #[test]
    fn what_a_tag_calls_an_integer_or_a_float() {
        for (text, value) in [("1:90", 150), ("-1:90", -150), ("_5", 5), ("0x_F", 15)] {
            assert_eq!(to_i128(text), Some(value), "{text}");
        }
        for text in
            ["", "+", "-", "_", "+-5", "--5", "0x-5", "0b2", "08", "1:", ":1", "1:-2", "0:30", "1::2", "5 "]
        {
            assert_eq!((to_i128(text), to_bigint(text), has_int(text)), (None, None, false), "{text}");
        }
        for (text, value) in
            [("3", 3.0), ("1e3", 1e3), ("-.5", -0.5), ("inf", f64::INFINITY), ("-.INF", f64::NEG_INFINITY)]
        {
            assert_eq!(to_f64(text), Some(value), "{text}");
        }
        for text in ["", "-", ".", "x", "0x1", "--1.0", "1:", "1:-2.0", "-:1.0", "1.0 "] {
            assert_eq!(to_f64(text), None, "{text}");
        }
        assert_eq!((to_bool("yEs"), to_bool("oFF"), to_bool("y")), (Some(true), Some(false), None));
    }

    #[test]
    fn floats_of_every_form() {
        for (text, value) in [
            ("1.0", 1.0),
            ("1.", 1.0),
            (".5", 0.5),
            ("1.e+3", 1000.0),
            ("1_0.5", 10.5),
            ("1:30.5", 90.5),
            ("1:2:3.4", 3723.4),
            ("685.230_15e+03", 685_230.15),
            ("08.5", 8.5),
            ("+.INF", f64::INFINITY),
            ("-.inf", f64::NEG_INFINITY),
            ("1.0e+400", f64::INFINITY),
        ] {
            assert_eq!(resolve(text), Kind::Float, "{text}");
            assert_eq!(to_f64(text), Some(value), "{text}");
        }
        assert!(to_f64(".NaN").unwrap().is_nan());
    }

    #[test]
    fn what_looks_like_a_number_but_is_a_string() {
        for text in [
            "1e3",
            "1.0e3",
            "-.5",
            "+.5",
            "0o10",
            "09",
            "0x",
            "0b",
            "0b_",
            "0x_",
            "_1",
            "1,000",
            ".NAn",
            "nan",
            "inf",
            "-.nan",
            "0:30",
            "1:60",
            "1:",
            ".",
            "..",
            "-",
            "+",
            "2001-1-1",
            "2001-01-01T",
            "12:30:",
            "y",
            "n",
            "1:30.5e+3",
            ".1e3",
            "2001-01-01 1:00",
            "tRue",
            "<<",
            "=",
        ] {
            assert_eq!(resolve(text), Kind::String, "{text}");
        }
    }

    #[test]
    fn timestamps() {
        for text in [
            "2001-01-01",
            "2001-12-14t21:59:43.10-05:00",
            "2001-12-14 21:59:43.10 -5",
            "2001-12-15 2:59:43.10",
            "2001-1-1 2:59:43",
            "2001-12-14T21:59:43",
            "2026-01-01 00:00:00+00:00",
            "2001-12-14T21:59:43.Z",
            "2001-12-14\t21:59:43 \t Z",
        ] {
            assert_eq!(resolve(text), Kind::Timestamp, "{text}");
        }
    }

    #[test]
    fn floats_as_python_writes_them() {
        for (value, text) in [
            (1.0, "1.0"),
            (-0.0, "-0.0"),
            (0.1, "0.1"),
            (1e-5, "1.0e-05"),
            (1.5e-7, "1.5e-07"),
            (0.0001, "0.0001"),
            (1e15, "1000000000000000.0"),
            (1e16, "1.0e+16"),
            (1e22, "1.0e+22"),
            (5e-324, "5.0e-324"),
            (f64::MAX, "1.7976931348623157e+308"),
            (f64::INFINITY, ".inf"),
            (f64::NEG_INFINITY, "-.inf"),
        ] {
            assert_eq!(from_f64(value), text);
        }
    }

    proptest! {
        #[test]
        fn any_float_reads_back_equal(value: f64) {
            let text = from_f64(value);
            prop_assert_eq!(resolve(&text), Kind::Float);
            let back = to_f64(&text).unwrap();
            prop_assert!(back == value && back.is_sign_negative() == value.is_sign_negative() || value.is_nan());
        }

        #[test]
        fn no_text_panics(text in "[-+.:_0-9eExXbTtZ ]{0,24}") {
            let kind = resolve(&text);
            prop_assert!(kind != Kind::Int || to_bigint(&text).is_some());
            prop_assert_eq!(has_int(&text), to_bigint(&text).is_some());
            prop_assert!(kind != Kind::Float || to_f64(&text).is_some());
        }
    }
}
