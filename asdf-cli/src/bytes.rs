//! Numbers of bytes on the command line and in the output.

/// Parses a number of bytes above 0. The suffixes `K`, `M`, `G` and `T` are powers of 1024.
pub(crate) fn parse(text: &str) -> Result<u64, String> {
    let (number, factor) = match text.char_indices().next_back() {
        Some((end, 'k' | 'K')) => (text.get(..end).unwrap_or_default(), 1 << 10),
        Some((end, 'm' | 'M')) => (text.get(..end).unwrap_or_default(), 1 << 20),
        Some((end, 'g' | 'G')) => (text.get(..end).unwrap_or_default(), 1 << 30),
        Some((end, 't' | 'T')) => (text.get(..end).unwrap_or_default(), 1 << 40),
        _ => (text, 1),
    };
    let number = number.parse::<u64>().ok().and_then(|number| number.checked_mul(factor));
    number
        .filter(|&number| number > 0)
        .ok_or_else(|| "expected a number of bytes, as in 4096 or 256K".to_owned())
}

/// Formats a number of bytes with three digits, in powers of 1000: `999 B`, `16.4 kB`, `66.8 MB`.
pub(crate) fn shown(bytes: u64) -> String {
    if bytes < 1000 {
        return format!("{bytes} B");
    }
    // In thousandths of a unit, so that a number that rounds up to 1000 gets the next unit.
    let mut thousandths = u128::from(bytes);
    for unit in ["kB", "MB", "GB", "TB", "PB", "EB"] {
        let (step, decimals) = match thousandths {
            0..9_995 => (10, 2),
            9_995..99_950 => (100, 1),
            99_950..999_500 => (1000, 0),
            _ => {
                thousandths /= 1000;
                continue;
            }
        };
        let rounded = (thousandths + step / 2) / step * step;
        let (whole, part) = (rounded / 1000, rounded % 1000 / step);
        return match decimals {
            0 => format!("{whole} {unit}"),
            _ => format!("{whole}.{part:0decimals$} {unit}"),
        };
    }
    format!("{bytes} B")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_powers_of_1024() {
        for (text, bytes) in [("1", 1), ("64K", 1 << 16), ("2m", 2 << 20), ("1G", 1 << 30), ("3T", 3 << 40)] {
            assert_eq!(parse(text), Ok(bytes), "{text}");
        }
        for text in ["", "K", "0", "-1", "1.5M", "1P", "1KK", "16777216T"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_have_three_digits() {
        for (bytes, text) in [
            (0, "0 B"),
            (999, "999 B"),
            (1000, "1.00 kB"),
            (9_994, "9.99 kB"),
            (9_995, "10.0 kB"),
            (16_384, "16.4 kB"),
            (999_499, "999 kB"),
            (999_500, "1.00 MB"),
            (66_846_976, "66.8 MB"),
            (u64::MAX, "18.4 EB"),
        ] {
            assert_eq!(shown(bytes), text);
        }
    }
}
