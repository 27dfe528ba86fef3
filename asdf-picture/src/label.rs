//! Formats numbers as short texts.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "exponents and counts of digits, all of them small"
)]

/// Formats a number with up to six digits, as for the end of an axis: `0.333333`, `2.46e6`.
#[must_use]
pub fn number_label(number: f64) -> String {
    if number == 0.0 {
        return "0".to_owned();
    }
    let size = number.abs();
    if !(1e-3..1e6).contains(&size) {
        let text = format!("{number:.3e}");
        return match text.split_once('e') {
            Some((digits, exponent)) if digits.contains('.') => {
                format!("{}e{exponent}", digits.trim_end_matches('0').trim_end_matches('.'))
            }
            _ => text,
        };
    }
    let decimals = (5 - size.log10().floor() as i32).clamp(0, 8) as usize;
    let text = format!("{number:.decimals$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_short() {
        for (number, text) in [
            (0.0, "0"),
            (1.0, "1"),
            (-12.5, "-12.5"),
            (0.1, "0.1"),
            (1_234.567_89, "1234.57"),
            (2_460_000.5, "2.46e6"),
            (1e-20, "1e-20"),
            (1.0 / 3.0, "0.333333"),
        ] {
            assert_eq!(number_label(number), text);
        }
    }
}
