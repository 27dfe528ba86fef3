//! Numbers of bytes on a command line.

/// A number of bytes above 0; `K`, `M`, `G` and `T` behind it are 1024, its square and so on.
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
}
