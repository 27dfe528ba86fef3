//! Undoing the Burrows-Wheeler transform.

/// How many walks go side by side, so that one waits for memory while the others go on.
const WALKS: usize = 8;

/// Bytes for which that is worth it.
const MANY: usize = 1 << 14;

/// Into how many parts the way is cut.
const PARTS: usize = 128;

/// Says that a part begins at an entry.
const BEGIN: u32 = 1 << 8;

/// The data of which `last` is the last column of the sorted rotations, where they themselves are at
/// `origin`; `None` if that is beyond.
///
/// Each byte knows the entry of the one after it, so that they are found by walking from entry to
/// entry all over the table: each step waits for memory. So the way is cut into parts that begin at
/// entries anywhere, several are walked at the same time, and each ends where another begins.
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
    // The way goes through all entries, or around a part of them several times, if the data are
    // periodic.
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

/// For each entry: the entry of the byte after it, shifted by nine, and its own byte.
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

/// The byte of an entry.
#[inline(always)]
fn byte(entry: u32) -> u8 {
    let [byte, ..] = entry.to_le_bytes();
    byte
}

/// A part of the way: its bytes, and where the next begins.
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

/// Walks all parts, in the order of where they begin.
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
        // Until one of them is at an end.
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
    /// Goes a step, unless a part begins here.
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

    /// The last column of the sorted rotations, and the place of the data among them.
    fn transformed(data: &[u8]) -> (Vec<u8>, usize) {
        let rotation = |start: usize| data.iter().cycle().skip(start).take(data.len());
        let mut starts: Vec<usize> = (0..data.len()).collect();
        starts.sort_by(|&a, &b| rotation(a).cmp(rotation(b)));
        let last = starts.iter().map(|&start| data[(start + data.len() - 1) % data.len()]).collect();
        (last, starts.iter().position(|&start| start == 0).unwrap())
    }

    proptest! {
        #[test]
        fn undoes_it(data in proptest::collection::vec(0_u8..4, 1..300), times in 1_usize..4) {
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
            // Not periodic in itself, since sorting would take long then.
            let piece: Vec<u8> = (0..period as u64).map(|i| ((i * 2_654_435_761) >> 13) as u8).collect();
            let data: Vec<u8> =
                piece.iter().copied().cycle().take(period * (40_000 / period).max(1)).collect();
            // Rotations that are alike, sorted as one: each as often as the data repeat.
            let (last, origin) = transformed(&piece);
            let times = data.len() / period;
            let last = last.iter().flat_map(|&byte| std::iter::repeat_n(byte, times)).collect();
            assert!(undo(last, origin * times).unwrap() == data, "{period}");
        }
    }
}
