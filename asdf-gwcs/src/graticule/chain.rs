//! Joins segments to polylines.

use std::collections::BTreeMap;

/// Joins segments between numbered points. A closed line begins and ends with the same point.
///
/// A point belongs to at most two segments.
pub(super) fn chains(segments: &[[usize; 2]]) -> Vec<Vec<usize>> {
    let mut links: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for [from, to] in segments {
        links.entry(*from).or_default().push(*to);
        links.entry(*to).or_default().push(*from);
    }
    let mut chains = Vec::new();
    loop {
        // Lines with ends begin there.
        let end = links.iter().find(|(_, others)| others.len() == 1).or_else(|| links.iter().next());
        let Some(mut current) = end.map(|(point, _)| *point) else { return chains };
        let mut chain = vec![current];
        while let Some(next) = links.get_mut(&current).and_then(Vec::pop) {
            if let Some(back) = links.get_mut(&next) {
                if let Some(place) = back.iter().position(|point| *point == current) {
                    back.swap_remove(place);
                }
            }
            chain.push(next);
            current = next;
        }
        links.retain(|_, others| !others.is_empty());
        chains.push(chain);
    }
}

#[cfg(test)]
mod tests {
    use super::chains;

    #[test]
    fn segments_become_open_and_closed_lines() {
        assert_eq!(chains(&[[3, 1], [2, 3], [7, 8]]), [vec![1, 3, 2], vec![7, 8]]);
        let closed = chains(&[[1, 2], [2, 3], [3, 1]]);
        assert_eq!(closed.len(), 1);
        assert_eq!((closed[0].len(), closed[0].first()), (4, closed[0].last()));
        assert!(chains(&[]).is_empty());
    }
}
