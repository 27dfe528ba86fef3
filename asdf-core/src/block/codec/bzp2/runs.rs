//! Runs, which bzip2 shortens first: four equal bytes are followed by a count of more.

/// Expands the runs of a block, to fill exactly the given slice (see [`len`]). `None` if the block ends where
/// a count should be, which libbzip2 does not write.
pub(super) fn lengthen(short: &[u8], mut into: &mut [u8]) -> Option<()> {
    let mut rest = short;
    while let Some(at) = four(rest) {
        let (literal, after) = rest.split_at_checked(at + 4)?;
        let (&more, after) = after.split_first()?;
        let (first, left) = into.split_at_mut_checked(literal.len())?;
        first.copy_from_slice(literal);
        let (run, left) = left.split_at_mut_checked(usize::from(more))?;
        run.fill(*literal.last()?);
        (rest, into) = (after, left);
    }
    (rest.len() == into.len()).then(|| into.copy_from_slice(rest))
}

/// Returns the length after expanding the runs.
pub(super) fn len(short: &[u8]) -> usize {
    let (mut len, mut rest) = (short.len(), short);
    while let Some(at) = four(rest) {
        let Some((&more, after)) = rest.get(at + 4..).and_then(<[u8]>::split_first) else { break };
        len = len - 1 + usize::from(more);
        rest = after;
    }
    len
}

/// Returns the position of the first four equal bytes.
#[inline]
fn four(bytes: &[u8]) -> Option<usize> {
    bytes.windows(4).position(|four| matches!(four, [a, b, c, d] if b == d && a == b && c == d))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_and_a_count() {
        for (short, long) in [
            (b"".as_slice(), Some(b"".to_vec())),
            (b"abba", Some(b"abba".to_vec())),
            (b"aaaa\0aaaa\x02b", Some(b"aaaaaaaaaab".to_vec())),
            (b"aaaaaaaa\0", Some([b'a'; 4 + 97 + 3].iter().copied().chain([0]).collect())),
            (b"xaaaa\xff", Some([b"x".as_slice(), &[b'a'; 259]].concat())),
            (b"aaaa", None),
        ] {
            let mut data = vec![0; len(short)];
            let done = lengthen(short, &mut data);
            assert_eq!(done.map(|()| data), long);
        }
    }
}
