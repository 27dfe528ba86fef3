//! Makes realistic trees as text.

use std::fmt::Write as _;

/// The start of the text of a tree.
pub const HEAD: &str = "%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n";

/// Makes a text of at least `bytes` bytes from the head, an opening, numbered entries, and an end.
#[must_use]
pub fn text(bytes: usize, opening: &str, end: &str, mut entry: impl FnMut(&mut String, usize)) -> String {
    // No entry is longer than the extra capacity.
    let mut text = String::with_capacity(bytes + 8192);
    text.push_str(HEAD);
    text.push_str(opening);
    let mut number = 0;
    while text.len() < bytes {
        entry(&mut text, number);
        number += 1;
    }
    text.push_str(end);
    text.push_str("...\n");
    text
}

/// Appends formatted text. Writing to a string cannot fail.
macro_rules! put {
    ($text:expr, $($format:tt)+) => {{ let _ = write!($text, $($format)+); }};
}
pub(crate) use put;

/// Makes metadata of many forms: nesting, text, numbers, dates, quotes, tags, anchors, flow collections, comments.
#[must_use]
pub fn mixed(bytes: usize) -> String {
    text(bytes, "", "", |text, n| {
        put!(
            text,
            "exposure_{n}:\n  # taken in the second night\n  observer: 'O''Neill, J.'\n  target: NGC {n}\n  \
             start: 2026-11-20 12:30:{:02}.25\n  airmass: 1.{n}\n  filters: [clear, F{}, \"broad \\u00b5\"]\n  \
             wcs: !<tag:stsci.edu:gwcs/wcs-1.2.0>\n    name: pipeline step {n}\n    steps:\n    - !<tag:stsci.edu:gwcs/step-1.1.0>\n      \
             frame: &f{n} !core/frame-1.0.0\n        axes_names: [lon, lat]\n        unit: [!unit/unit-1.0.0 deg, !unit/unit-1.0.0 deg]\n      \
             transform: !transform/affine-1.3.0\n        matrix: !core/ndarray-1.1.0\n          source: {n}\n          \
             datatype: float64\n          byteorder: little\n          shape: [2, 2]\n    - frame: *f{n}\n  \
             history:\n    notes: the calibration was repeated because the lamp had drifted\n    valid: true\n    retries: {}\n  \
             comment: |\n    first line of a longer remark\n    and another line of it\n",
            n % 60,
            n % 9,
            n % 4
        );
    })
}

/// Makes metadata like that of archives, valid by the standard's schemas: groups of keywords, some with a tag.
#[must_use]
pub fn metadata(bytes: usize) -> String {
    text(bytes, "", "", |text, n| {
        put!(
            text,
            "exposure_{n}:\n  observer: O'Neill, J.\n  target: NGC {n}\n  proposal: {n}\n  ra: {}.25\n  dec: -{}.5\n  \
             airmass: 1.{n}\n  filter: F{}\n  valid: true\n  gain: null\n  started: 2026-11-20 12:30:{:02}.25\n  \
             unit: !unit/unit-1.0.0 m s-1\n  software: !core/software-1.0.0 {{name: camera, version: 2.1.{n}}}\n  \
             aperture:\n    name: full\n    position: [{n}.5, 4088.5]\n    subarray: {}\n",
            n % 360,
            n % 90,
            n % 9,
            n % 60,
            n % 4
        );
    })
}

/// Makes arrays in blocks, one for each 120 of `bytes`.
#[must_use]
pub fn arrays(bytes: usize) -> String {
    let mut text = String::from(HEAD);
    for n in 0..bytes / 120 {
        put!(
            text,
            "array_{n:06}: !core/ndarray-1.1.0\n  source: {n}\n  datatype: float64\n  byteorder: little\n  shape: [16, 16]\n"
        );
    }
    text.push_str("...\n");
    text
}

/// Makes `arrays` arrays in blocks, each with a unit, valid by the standard's schemas.
#[must_use]
pub fn arrays_with_units(arrays: usize) -> String {
    let mut text = String::from(HEAD);
    for n in 0..arrays {
        put!(
            text,
            "array_{n:06}: !core/ndarray-1.1.0\n  source: {n}\n  datatype: float64\n  byteorder: little\n  \
             shape: [16, 16]\nunit_{n:06}: !unit/unit-1.0.0 m s-1\n"
        );
    }
    text.push_str("...\n");
    text
}

/// Makes one inline array: a flow sequence of numbers, in lines of 80 columns.
#[must_use]
pub fn numbers(bytes: usize) -> String {
    let (mut column, mut number) = (8, 0_u32);
    text(bytes, "data: !core/ndarray-1.1.0\n  data: [", "0]\n", |text, _| {
        if column > 75 {
            text.push_str("\n    ");
            column = 4;
        }
        let before = text.len();
        if number % 3 == 0 {
            put!(text, "{}, ", number % 100_000);
        } else {
            put!(text, "{:.6}, ", f64::from(number) * 0.731);
        }
        column += text.len() - before;
        number = number.wrapping_add(7);
    })
}
