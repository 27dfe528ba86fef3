//! Which ranges are requested together.

use std::ops::Range;

/// Combines ascending ranges whose gaps are at most `gap` bytes, up to `most` bytes together.
pub(crate) fn merge(ranges: Vec<Range<u64>>, gap: u64, most: u64) -> Vec<Range<u64>> {
    let mut merged: Vec<Range<u64>> = Vec::new();
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start <= last.end.saturating_add(gap) && range.end - last.start <= most => {
                last.end = last.end.max(range.end);
            }
            _ => merged.push(range),
        }
    }
    merged
}

/// Splits a range into parts of at most `most` bytes.
pub(crate) fn split(range: &Range<u64>, most: u64) -> Vec<Range<u64>> {
    let step = usize::try_from(most.max(1)).unwrap_or(usize::MAX);
    (range.start..range.end)
        .step_by(step)
        .map(|start| start..start.saturating_add(most).min(range.end))
        .collect()
}

/// Splits a list of ranges where their bytes and gaps would become more than `most`.
pub(crate) fn groups(ranges: &[Range<u64>], gap: u64, most: u64) -> Vec<&[Range<u64>]> {
    let mut groups = Vec::new();
    let (mut first, mut size) = (0, 0_u64);
    let mut end = None;
    for (at, range) in ranges.iter().enumerate() {
        // The bytes between two ranges are read too, if they are few.
        let between = end.and_then(|end| range.start.checked_sub(end)).filter(|&between| between <= gap);
        end = Some(range.end);
        let more = (range.end - range.start).saturating_add(between.unwrap_or(0));
        if at > first && size.saturating_add(more) > most {
            groups.extend(ranges.get(first..at));
            (first, size) = (at, 0);
        }
        size = size.saturating_add(more);
    }
    groups.extend(ranges.get(first..));
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_ranges_are_merged_up_to_a_size() {
        let ranges = vec![0..10, 15..20, 40..50, 50..60, 61..100];
        assert_eq!(merge(ranges.clone(), 5, 1000), [0..20, 40..100]);
        assert_eq!(merge(ranges.clone(), 5, 30), [0..20, 40..60, 61..100]);
        assert_eq!(merge(ranges, 100, 1000).len(), 1);
    }

    #[test]
    fn a_range_is_split_into_parts() {
        assert_eq!(split(&(5..26), 10), [5..15, 15..25, 25..26]);
        assert_eq!(split(&(5..6), 10).len(), 1);
        assert!(split(&(5..5), 10).is_empty());
    }

    #[test]
    fn groups_have_bounded_sizes_and_all_ranges() {
        let ranges: Vec<Range<u64>> = (0..10).map(|at| at * 100..at * 100 + 10).collect();
        let lengths =
            |gap, most| groups(&ranges, gap, most).iter().map(|group| group.len()).collect::<Vec<_>>();
        assert_eq!(lengths(5, 30), [3, 3, 3, 1]);
        assert_eq!(lengths(100, 300), [3, 3, 3, 1], "with the bytes between");
        assert_eq!(groups(&ranges, 5, 30).concat(), ranges);
        assert_eq!(lengths(5, 1), [1; 10]);
    }
}
