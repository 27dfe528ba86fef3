//! Undoing the Burrows-Wheeler transform.

/// The number of walks at a time: one waits for memory while the others go on.
const WALKS: usize = 8;

/// The number of bytes for which that is worth it.
const MANY: usize = 1 << 14;

/// The number of parts of the path.
const PARTS: usize = 128;

/// Marks an entry as the beginning of a part.
const BEGIN: u32 = 1 << 8;

/// Undoes the transform. `last` is the last column of the sorted rotations, and `origin` the position of the
/// data among them. `None` if `origin` is beyond the end.
///
/// Each byte has the entry of the byte after it. So the data is found by walking from entry to entry all over
/// the table, and each step waits for memory. To hide this, the path is cut into parts that begin at
/// arbitrary entries. Several are walked at the same time, and each ends where another begins.
pub(super) fn undo(last: Vec<u8>, origin: usize) -> Option<Vec<u8>> {
    let len = last.len();
    if origin >= len || len >= 1 << 23 {
        return None;
    }
    let mut table = table(&last);
    let begin = (table.get(origin)? >> 9) as usize;
    let count = if len < MANY { 1 } else { PARTS };
    let mut begins: Vec<usize> = (0..count).map(|part| (begin + part * (len / count)) % len).collect();
    begins.sort_unstable();
    begins.dedup();
    for &begin in &begins {
        *table.get_mut(begin)? |= BEGIN;
    }
    let parts = walk(&table, &begins)?;
    // The path goes through all entries, or several times around a part of them if the data is periodic.
    let mut data = last;
    data.clear();
    let mut at = begins.binary_search(&begin).ok()?;
    while data.len() < len {
        let part = parts.get(at)?;
        let bytes = &part.bytes;
        data.extend_from_slice(bytes.get(..len - data.len()).unwrap_or(bytes));
        at = begins.binary_search(&part.end).ok()?;
    }
    Some(data)
}

/// Returns for each entry the entry of the byte after it, shifted by nine, and its own byte.
fn table(last: &[u8]) -> Vec<u32> {
    let mut counts = [0_u32; 256];
    for &byte in last {
        if let Some(count) = counts.get_mut(usize::from(byte)) {
            *count += 1;
        }
    }
    let mut sum = 0;
    for count in &mut counts {
        (*count, sum) = (sum, sum + *count);
    }
    let mut table: Vec<u32> = last.iter().map(|&byte| u32::from(byte)).collect();
    for (&byte, entry) in last.iter().zip((0_u32..).step_by(1 << 9)) {
        if let Some(count) = counts.get_mut(usize::from(byte)) {
            if let Some(to) = table.get_mut(*count as usize) {
                *to |= entry;
            }
            *count += 1;
        }
    }
    table
}

/// Returns the byte of an entry.
#[inline(always)]
fn byte(entry: u32) -> u8 {
    let [byte, ..] = entry.to_le_bytes();
    byte
}

/// A part of the path: its bytes, and the beginning of the next part.
#[derive(Default)]
struct Part {
    bytes: Vec<u8>,
    end: usize,
}

/// A walk along a part.
struct Walk {
    part: usize,
    at: usize,
    bytes: Vec<u8>,
}

/// Walks all parts, in the order of their beginnings.
fn walk(table: &[u32], begins: &[usize]) -> Option<Vec<Part>> {
    let mut parts: Vec<Part> = std::iter::repeat_with(Part::default).take(begins.len()).collect();
    let mean = table.len() / begins.len();
    let mut waiting = begins.iter().enumerate().map(|(part, &begin)| {
        let entry = table.get(begin).copied().unwrap_or(0);
        let mut bytes = Vec::with_capacity(2 * mean);
        bytes.push(byte(entry));
        Walk { part, at: (entry >> 9) as usize, bytes }
    });
    let mut walks: Vec<Walk> = waiting.by_ref().take(WALKS).collect();
    while !walks.is_empty() {
        let mut ended = None;
        // Until one of them reaches its end.
        if let [a, b, c, d, e, f, g, h] = walks.as_mut_slice() {
            let mut all = [a, b, c, d, e, f, g, h];
            while ended.is_none() {
                for (number, walk) in all.iter_mut().enumerate() {
                    if walk.step(table) {
                        ended = Some(number);
                    }
                }
            }
        } else {
            while ended.is_none() {
                for (number, walk) in walks.iter_mut().enumerate() {
                    if walk.step(table) {
                        ended = Some(number);
                    }
                }
            }
        }
        let done = ended?;
        let slot = walks.get_mut(done)?;
        let walk = match waiting.next() {
            Some(next) => std::mem::replace(slot, next),
            None => walks.swap_remove(done),
        };
        *parts.get_mut(walk.part)? = Part { bytes: walk.bytes, end: walk.at };
    }
    Some(parts)
}

impl Walk {
    /// Takes one step, and returns whether a part begins here.
    #[inline(always)]
    fn step(&mut self, table: &[u32]) -> bool {
        // Entries refer to entries.
        let entry = table.get(self.at).copied().unwrap_or(BEGIN);
        if entry & BEGIN != 0 {
            return true;
        }
        self.bytes.push(byte(entry));
        self.at = (entry >> 9) as usize;
        false
    }
}

#[cfg(test)]
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "any bytes do")]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns the last column of the sorted rotations, and the position of the data among them.
    fn transformed(data: &[u8]) -> (Vec<u8>, usize) {
        let rotation = |start: usize| data.iter().cycle().skip(start).take(data.len());
        let mut starts: Vec<usize> = (0..data.len()).collect();
        starts.sort_by(|&a, &b| rotation(a).cmp(rotation(b)));
        let last = starts.iter().map(|&start| data[(start + data.len() - 1) % data.len()]).collect();
        (last, starts.iter().position(|&start| start == 0).unwrap())
    }

    proptest! {
        #[test]
        fn the_transform_is_undone(data in proptest::collection::vec(0_u8..4, 1..300), times in 1_usize..4) {
            // Periodic data too.
            let data = data.repeat(times);
            let (last, origin) = transformed(&data);
            prop_assert_eq!(undo(last.clone(), origin), Some(data.clone()));
            prop_assert_eq!(undo(last, data.len()), None);
        }
    }

    #[test]
    fn large_and_periodic() {
        for period in [1_usize, 2, 1000, 20_011] {
            // Not periodic itself, since sorting would then take long.
            let piece: Vec<u8> = (0..period as u64).map(|i| ((i * 2_654_435_761) >> 13) as u8).collect();
            let data: Vec<u8> =
                piece.iter().copied().cycle().take(period * (40_000 / period).max(1)).collect();
            // Equal rotations, sorted as one: each repeats as often as the data does.
            let (last, origin) = transformed(&piece);
            let times = data.len() / period;
            let last = last.iter().flat_map(|&byte| std::iter::repeat_n(byte, times)).collect();
            assert!(undo(last, origin * times).unwrap() == data, "{period}");
        }
    }
}
