//! The shapes of chunks that divide an array.

/// The size of the chunks of uncompressed arrays, in bytes.
const GOAL: u64 = 4 << 20;

/// Returns the shape of chunks of `elements` elements that follow each other in C order; `None` if no such chunks
/// divide the axes.
pub(super) fn of_elements(shape: &[u64], elements: u64) -> Option<Vec<u64>> {
    let mut chunk = vec![1; shape.len()];
    let mut rest = elements;
    for (length, &axis) in chunk.iter_mut().zip(shape).rev() {
        if rest == 0 || axis == 0 {
            return None;
        }
        *length = if rest.is_multiple_of(axis) {
            axis
        } else if axis.is_multiple_of(rest) {
            rest
        } else {
            return None;
        };
        rest /= *length;
    }
    (rest == 1).then_some(chunk)
}

/// Returns the shape of chunks of about 4 MiB that divide an array with elements of `item` bytes.
///
/// It is the whole array if no other shape has a size that is closer to 4 MiB. Axes of length 0 count as 1.
pub(super) fn near_goal(shape: &[u64], item: u64) -> Vec<u64> {
    let whole: Vec<u64> = shape.iter().map(|&n| n.max(1)).collect();
    // The size of one element along each axis, and of all axes below it.
    let mut below = item.max(1);
    let mut best = (u64::MAX, whole.clone());
    let mut consider = |axis: usize, length: u64, below: u64| {
        let off = distance(length.saturating_mul(below));
        if off < best.0 {
            let ones = std::iter::repeat_n(1, axis).chain([length]);
            best = (off, ones.chain(whole.iter().skip(axis + 1).copied()).collect());
        }
    };
    for (axis, &length) in whole.iter().enumerate().rev() {
        if length > 1 {
            divisors(length).for_each(|divisor| consider(axis, divisor, below));
        }
        below = below.saturating_mul(length);
    }
    if below <= GOAL { whole } else { best.1 }
}

/// Returns the number of rows of the first axis that [`near_goal`] puts in a chunk.
pub(super) fn rows_near_goal(shape: &[u64], item: u64) -> Option<u64> {
    near_goal(shape, item).first().copied()
}

/// Returns how far a size is from the goal, as a ratio in thousandths.
fn distance(size: u64) -> u64 {
    let (small, large) = if size < GOAL { (size.max(1), GOAL) } else { (GOAL, size) };
    u64::try_from(u128::from(large) * 1000 / u128::from(small)).unwrap_or(u64::MAX)
}

/// Iterates over divisors of a number: all of them if it is less than 2^32, else those below 2^16 and their
/// counterparts. Finding more would take too long.
fn divisors(number: u64) -> impl Iterator<Item = u64> {
    const MOST: u64 = 1 << 16;
    let found = (1..=number.isqrt().min(MOST)).filter(move |divisor| number.is_multiple_of(*divisor));
    found.flat_map(move |divisor| [divisor, number / divisor])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_divide_the_axes() {
        assert_eq!(near_goal(&[4088, 4088], 4), [292, 4088]);
        assert_eq!(near_goal(&[10, 4088, 4088], 4), [1, 292, 4088]);
        assert_eq!(near_goal(&[100, 100], 4), [100, 100]);
        // A prime number of rows that are far smaller than the goal.
        assert_eq!(near_goal(&[4093, 4096], 4), [4093, 4096]);
        assert_eq!(near_goal(&[1 << 30], 8), [1 << 19]);
        assert_eq!(near_goal(&[], 8), [0; 0]);
        assert_eq!(near_goal(&[0, 5], 8), [1, 5]);
        assert_eq!(near_goal(&[u64::MAX, u64::MAX], u64::MAX).len(), 2);
    }

    #[test]
    fn frames_have_a_shape_if_they_divide_the_axes() {
        assert_eq!(of_elements(&[6, 4], 8), Some(vec![2, 4]));
        assert_eq!(of_elements(&[6, 4], 24), Some(vec![6, 4]));
        assert_eq!(of_elements(&[6, 4], 2), Some(vec![1, 2]));
        assert_eq!(of_elements(&[3, 6, 4], 12), Some(vec![1, 3, 4]));
        assert_eq!(of_elements(&[6, 1, 4], 8), Some(vec![2, 1, 4]));
        for none in [0, 3, 5, 12 + 4, 48] {
            assert_eq!(of_elements(&[6, 4], none), None, "{none}");
        }
        assert_eq!(of_elements(&[], 1), Some(Vec::new()));
        assert_eq!(of_elements(&[], 2), None);
    }
}
