//! Snappy, which c-blosc can be built with. Only reading.

use super::matches::copy_match;

/// Decodes into `data`, to exactly `size` more bytes; `None` if the stream is damaged.
///
/// First the size, 7 bits a byte, the lowest first. Then elements, told by the low two bits of a
/// tag: literals, or copies with a distance of 11, 16 or 32 bits.
pub(super) fn decode(stream: &[u8], data: &mut Vec<u8>, size: usize) -> Option<()> {
    let start = data.len();
    let mut rest = stream;
    let mut said = 0_u64;
    for shift in (0..35).step_by(7) {
        let byte = number(&mut rest, 1)?;
        said |= (byte as u64 & 127) << shift;
        if byte < 128 {
            break;
        }
        if shift == 28 {
            return None;
        }
    }
    if said != size as u64 {
        return None;
    }
    while !rest.is_empty() {
        let tag = number(&mut rest, 1)?;
        let (len, distance) = match tag & 3 {
            0 => {
                let short = tag >> 2;
                let len = if short < 60 { short } else { number(&mut rest, short - 59)? };
                let (literals, after) = rest.split_at_checked(len.checked_add(1)?)?;
                if data.len() + literals.len() > start + size {
                    return None;
                }
                data.extend_from_slice(literals);
                rest = after;
                continue;
            }
            1 => (((tag >> 2) & 7) + 4, ((tag >> 5) << 8) + number(&mut rest, 1)?),
            2 => ((tag >> 2) + 1, number(&mut rest, 2)?),
            _ => ((tag >> 2) + 1, number(&mut rest, 4)?),
        };
        copy_match(data, start, distance, len, start + size)?;
    }
    Some(())
}

/// The next `len` bytes, the lowest first.
fn number(rest: &mut &[u8], len: usize) -> Option<usize> {
    let (bytes, after) = rest.split_at_checked(len)?;
    *rest = after;
    Some(bytes.iter().rev().fold(0, |number, &byte| (number << 8) | usize::from(byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_python_wrote() {
        let decoded = |stream: &[u8], size| {
            let mut data = vec![9];
            decode(stream, &mut data, size).map(|()| data[1..].to_vec())
        };
        // python-snappy 0.7.3: snappy.compress(bytes(range(10)) * 6)
        let stored = b"\x3c\x24\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\xc6\x0a\x00";
        let data: Vec<u8> = (0..10).cycle().take(60).collect();
        assert_eq!(decoded(stored, 60).unwrap(), data);
        for len in 0..stored.len() {
            assert!(decoded(&stored[..len], 60).is_none_or(|found| found.len() < 60), "{len}");
        }
        assert!(decoded(stored, 59).is_none());
        assert!(decoded(b"\x02\x04ab\x01\x03", 2).is_none());
        assert!(decoded(b"\xff\xff\xff\xff\xff", 2).is_none());
    }
}
