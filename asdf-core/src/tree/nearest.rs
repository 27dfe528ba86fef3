//! "Did you mean ...?"

/// The candidate that a word is most likely a slip for, if one is near enough: at most a third of its
/// characters are wrong, missing, too many or swapped with their neighbours. Case does not matter.
#[must_use]
pub fn nearest<'c>(word: &str, candidates: &[&'c str]) -> Option<&'c str> {
    /// Longer words are no slips, but take long to compare.
    const LONGEST: usize = 100;
    let length = word.chars().take(LONGEST + 1).count();
    if length > LONGEST {
        return None;
    }
    let (distance, best) =
        candidates.iter().map(|candidate| (distance(word, candidate), *candidate)).min()?;
    (distance * 3 <= length.max(3)).then_some(best)
}

/// The number of characters to insert, remove, replace or swap with their neighbours; case is half
/// a slip, so it comes for free here.
fn distance(a: &str, b: &str) -> usize {
    let fold = |text: &str| text.chars().flat_map(char::to_lowercase).collect::<Vec<_>>();
    let (a, b) = (fold(a), fold(b));
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, &x) in a.iter().enumerate() {
        let mut next = Vec::with_capacity(row.len());
        let mut left = i + 1;
        next.push(left);
        for (j, (&y, pair)) in b.iter().zip(row.windows(2)).enumerate() {
            let &[corner, above] = pair else { break };
            let mut cost = (corner + usize::from(x != y)).min(above + 1).min(left + 1);
            let swapped = i > 0 && j > 0 && a.get(i - 1) == Some(&y) && b.get(j - 1) == Some(&x);
            if let (true, Some(&swap)) = (swapped, before.get(j.wrapping_sub(1))) {
                cost = cost.min(swap + 1);
            }
            next.push(cost);
            left = cost;
        }
        before = std::mem::replace(&mut row, next);
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips() {
        let keys = ["width", "height", "depth", "unit"];
        for (word, expected) in [
            ("widht", Some("width")),
            ("Width", Some("width")),
            ("heigth", Some("height")),
            ("units", Some("unit")),
            ("colour", None),
            ("", None),
            ("x", None),
        ] {
            assert_eq!(nearest(word, &keys), expected, "{word}");
        }
        assert_eq!(nearest("x", &[]), None);
        assert_eq!((distance("abcd", "acbd"), distance("", "abc"), distance("kitten", "sitting")), (1, 3, 3));
    }
}
