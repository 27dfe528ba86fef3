//! Copies of what was decoded before, as Snappy and BloscLZ have them.

/// Appends `len` bytes that stand `distance` bytes back, not before `start`; `None` if they would,
/// or if `data` would be longer than `end`.
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
    // What is copied may be what was just written: each turn doubles it.
    while left > 0 {
        let turn = left.min(data.len() - from);
        data.extend_from_within(from..from + turn);
        left -= turn;
    }
    Some(())
}
