//! Responses with several ranges of a file (RFC 9110, section 14.6).

use std::ops::Range;

use bytes::Bytes;

/// The boundary in the value of `Content-Type`, if the response has several parts.
pub(crate) fn boundary(content_type: &str) -> Option<&str> {
    let (kind, parameters) = content_type.split_once(';')?;
    if !kind.trim().eq_ignore_ascii_case("multipart/byteranges") {
        return None;
    }
    parameters.split(';').find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        name.trim().eq_ignore_ascii_case("boundary").then(|| value.trim().trim_matches('"'))
    })
}

/// The range and the size of the file in the value of `Content-Range`.
pub(crate) fn content_range(value: &str) -> Option<(Range<u64>, u64)> {
    let (range, size) = value.trim().strip_prefix("bytes ")?.split_once('/')?;
    let (start, last) = range.split_once('-')?;
    let (start, last): (u64, u64) = (start.trim().parse().ok()?, last.trim().parse().ok()?);
    let size = size.trim().parse().ok()?;
    let range = start..last.checked_add(1)?;
    (range.start < range.end && range.end <= size).then_some((range, size))
}

/// The parts of a body: the range, the size of the file and the bytes of each. `None` if the body is not well formed.
pub(crate) fn parts(body: &Bytes, boundary: &str) -> Option<Vec<(Range<u64>, u64, Bytes)>> {
    let mark = format!("--{boundary}");
    let mut at = find(body, mark.as_bytes())? + mark.len();
    let mut parts = Vec::new();
    loop {
        let rest = body.get(at..)?;
        if rest.starts_with(b"--") {
            return Some(parts);
        }
        let head = find(rest, b"\r\n\r\n")?;
        let lines = std::str::from_utf8(rest.get(..head)?).ok()?;
        let range = lines.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.trim().eq_ignore_ascii_case("content-range").then_some(value)
        });
        let (range, size) = content_range(range?)?;
        let start = at + head + 4;
        let end = start.checked_add(usize::try_from(range.end - range.start).ok()?)?;
        if end > body.len() {
            return None;
        }
        parts.push((range, size, body.slice(start..end)));
        let after = body.get(end..)?.strip_prefix(b"\r\n")?.strip_prefix(mark.as_bytes())?;
        at = body.len() - after.len();
    }
}

fn find(bytes: &[u8], pattern: &[u8]) -> Option<usize> {
    bytes.windows(pattern.len()).position(|window| window == pattern)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_found_by_their_ranges() {
        let body = "\r\n--XX\r\nContent-Type: text/plain\r\nContent-Range: bytes 1-3/9\r\n\r\nabc\r\n--XX\r\n\
            content-range: bytes 5-6/9\r\n\r\n--\r\n--XX--\r\n";
        let parts = parts(&Bytes::from(body), "XX").unwrap();
        assert_eq!(parts, [(1..4, 9, Bytes::from("abc")), (5..7, 9, Bytes::from("--"))]);
    }

    #[test]
    fn damaged_bodies_are_refused() {
        let part =
            |range: &str, bytes: &str| format!("--X\r\nContent-Range: bytes {range}\r\n\r\n{bytes}\r\n");
        for body in [
            String::new(),
            "--X".to_owned(),
            part("1-3/9", "abc"),
            part("1-3/9", "ab") + "--X--",
            part("1-3/9", "abcd") + "--X--",
            part("3-1/9", "abc") + "--X--",
            part("1-3/2", "abc") + "--X--",
            part("0-18446744073709551615/18446744073709551615", "abc") + "--X--",
            part("1-3/*", "abc") + "--X--",
            "--X\r\n\r\nabc\r\n--X--".to_owned(),
        ] {
            assert_eq!(parts(&Bytes::from(body.clone()), "X"), None, "{body}");
        }
        assert_eq!(parts(&Bytes::from("--X--"), "X").unwrap().len(), 0);
    }

    #[test]
    fn the_boundary_is_a_parameter_of_the_content_type() {
        assert_eq!(boundary("multipart/byteranges; boundary=0042"), Some("0042"));
        assert_eq!(boundary("Multipart/ByteRanges; charset=x; Boundary=\"a b\""), Some("a b"));
        assert_eq!(boundary("text/html; boundary=0042"), None);
        assert_eq!(boundary("multipart/byteranges"), None);
    }
}
