//! YAML 1.1 scalars as PyYAML reads and writes them: text to value and back.
//!
//! PyYAML wrote nearly every ASDF file there is, so its rules decide: `yes` and `off` are
//! booleans, `0777` is octal, `1:30` is 90, `1e3` and `-.5` are strings (a float needs digits
//! before a sign's point, and a signed exponent). Nodes resolve when they are asked, so this lives
//! beside them.

use std::ops::RangeInclusive;

use num_bigint::BigInt;

use super::Kind;

/// The integers that the standard lets stand in a tree, as Python's asdf checks it. "Literal integer values in YAML"
/// leaves out the two lowest of 64 bits.
pub(crate) const LITERALS: RangeInclusive<i128> = -0x7fff_ffff_ffff_fffe..=0x7fff_ffff_ffff_ffff;

/// Decimal literals of more digits than this have no value as an integer: converting them costs
/// quadratic time.
const MAX_DIGITS: usize = 20_000;

/// The kind that a plain scalar's text resolves to.
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

/// The value of a boolean's text. Under `!!bool` it may have any casing, as in PyYAML.
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
    // Most numbers are digits, or digits with a point among them.
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

/// Nothing, or an exponent with its sign.
fn is_exponent(bytes: &[u8]) -> bool {
    match bytes {
        [] => true,
        [b'e' | b'E', b'-' | b'+', digits @ ..] => {
            !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
        }
        _ => false,
    }
}

/// What follows one or more `:[0-5]?[0-9]` groups, or the input itself when there is none.
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

/// Splits a date from what follows; the flag says whether month and day have two digits each, as a
/// date without a time must.
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

/// A number's sign, true for a minus, and what follows it.
fn sign(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

/// An integer's text as digits that Rust can read: the sign, the digits without `_` and the radix.
/// Sexagesimal text is not handled here.
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
    // Rust would take another sign.
    let fits = (1..=MAX_DIGITS).contains(&digits.len()) && digits.chars().all(|c| c.is_digit(radix));
    fits.then(|| (negative, digits.to_owned(), radix))
}

/// The value of an integer's text, when it fits 128 bits.
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

/// The value of an integer's text of up to 20,000 digits.
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

/// The sign and the groups of a sexagesimal integer, most significant first. A tag may say of any text
/// that it is one; the groups then need not be less than 60, as in PyYAML.
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

/// Whether a text has a value as an integer, which is cheaper to know than the value.
pub(crate) fn has_int(text: &str) -> bool {
    if text.contains(':') { sexagesimal_parts(text).is_some() } else { int_parts(text).is_some() }
}

/// The value of a float's text, or of an integer's text under `!!float`, where `nan` and `inf` need
/// no point either.
pub(crate) fn to_f64(text: &str) -> Option<f64> {
    // Most are as Rust reads them.
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

/// One group or more, summed up from the last, as in PyYAML, so that not a bit is different.
fn sexagesimal_float(text: &str) -> Option<f64> {
    let (mut value, mut base) = (0.0, 1.0);
    for group in text.rsplit(':') {
        let digits = group.parse::<f64>().ok().filter(|_| !group.starts_with(['-', '+']))?;
        value += digits * base;
        base *= 60.0;
    }
    Some(value)
}

/// A float in the shortest form that reads back equal, in the spelling that YAML 1.1 takes for a
/// float: `1.0`, `0.1`, `1.0e-05`, `1.0e+22`, `.inf`, `.nan`.
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
    // The same switch to exponents as Python's repr, which is what people know from other files.
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
