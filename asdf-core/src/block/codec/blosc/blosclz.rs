//! BloscLZ, the own codec of c-blosc.

use super::matches::copy_match;

/// Decodes into `data`, which grows by at most `size` bytes; `None` if the stream is damaged.
///
/// A control byte `n` below 32 is followed by `n + 1` literals. Any other is a match. Its top three bits are
/// the length (7: bytes to add follow, and the last of them is not 255). Its other five bits and the next
/// byte are the distance (all ones: 16 bits of distance follow).
pub(super) fn decode(stream: &[u8], data: &mut Vec<u8>, size: usize) -> Option<()> {
    let start = data.len();
    let mut rest = stream;
    let next = |rest: &mut &[u8]| {
        let (&byte, after) = rest.split_first()?;
        *rest = after;
        Some(usize::from(byte))
    };
    // The first control byte is always for literals.
    let mut control = next(&mut rest)? & 31;
    loop {
        if control >= 32 {
            let mut len = (control >> 5) + 2;
            if control >> 5 == 7 {
                loop {
                    let more = next(&mut rest)?;
                    len += more;
                    if more != 255 {
                        break;
                    }
                }
            }
            let high = control & 31;
            let low = next(&mut rest)?;
            let distance = if high == 31 && low == 255 {
                (next(&mut rest)? << 8) + next(&mut rest)? + 8191
            } else {
                (high << 8) + low
            };
            copy_match(data, start, distance + 1, len, start + size)?;
        } else {
            let (literals, after) = rest.split_at_checked(control + 1)?;
            if data.len() + literals.len() > start + size {
                return None;
            }
            data.extend_from_slice(literals);
            rest = after;
        }
        match next(&mut rest) {
            Some(byte) => control = byte,
            None => return Some(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_and_matches() {
        let decoded = |stream: &[u8], size| {
            let mut data = vec![9];
            decode(stream, &mut data, size).map(|()| data[1..].to_vec())
        };
        assert_eq!(decoded(b"\x01ab", 2).unwrap(), b"ab");
        // A match of 3 at distance 2, then one of 9 + 255 + 1 at distance 1.
        assert_eq!(decoded(b"\x01ab\x20\x01", 5).unwrap(), b"ababa");
        assert_eq!(decoded(b"\x00a\xe0\xff\x01\x00", 266).unwrap(), [b'a'; 266]);
        // A large distance.
        let mut far = b"\x01ab".to_vec();
        far.extend(b"\xe0\xff".iter().chain(&[255; 40]).chain(b"\x00\x01"));
        let long = decoded(&far, 2 + 9 + 255 * 41).unwrap();
        far.extend(b"\x3f\xff\x01\x00");
        let more = decoded(&far, long.len() + 3).unwrap();
        assert_eq!(more[long.len()..], more[long.len() - 8192 - 256..][..3]);
        for (stream, size) in [
            (b"".as_slice(), 0),
            (b"\x01a", 2),
            (b"\x01ab", 1),
            (b"\x01ab\x20", 5),
            (b"\x01ab\x20\x02", 5),
            (b"\x01ab\x20\x01", 4),
            (b"\x01ab\xe0\xff", 900),
            (b"\x01ab\x3f\xff\x00", 900),
        ] {
            assert!(decoded(stream, size).is_none(), "{stream:?}");
        }
    }
}
