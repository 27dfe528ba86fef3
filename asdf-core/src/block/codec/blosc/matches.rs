//! Copies of earlier output, as in Snappy and BloscLZ.

/// Appends `len` bytes from `distance` bytes back. `None` if they would begin before `start`, or if `data`
/// would become longer than `end`.
pub(super) fn copy_match(
    data: &mut Vec<u8>,
    start: usize,
    distance: usize,
    len: usize,
    end: usize,
) -> Option<()> {
    let from = data.len().checked_sub(distance).filter(|&from| from >= start && distance > 0)?;
    if len > end.checked_sub(data.len())? {
        return None;
    }
    let mut left = len;
    // The copy can include bytes that were just written: each turn doubles it.
    while left > 0 {
        let turn = left.min(data.len() - from);
        data.extend_from_within(from..from + turn);
        left -= turn;
    }
    Some(())
}
