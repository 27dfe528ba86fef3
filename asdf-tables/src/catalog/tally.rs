//! `Tally`: the types of the values of a column.

use super::Kind;

/// Counts values by type, to choose the type of their column. Types that one type can hold count together.
#[derive(Debug, Clone, Default)]
pub(super) struct Tally {
    groups: Vec<(Kind, usize)>,
}

impl Tally {
    pub(super) fn add(&mut self, kind: Kind) {
        for (known, count) in &mut self.groups {
            let both = known.clone().or(kind.clone());
            if both != Kind::Json || kind == Kind::Json && *known == Kind::Json {
                (*known, *count) = (both, *count + 1);
                return;
            }
        }
        self.groups.push((kind, 1));
    }

    /// Returns the type that holds at least four fifths of the values, or JSON; `None` without values.
    pub(super) fn kind(&self) -> Option<Kind> {
        let total: usize = self.groups.iter().map(|(_, count)| count).sum();
        let (kind, count) = self.groups.iter().max_by_key(|(_, count)| *count)?;
        Some(if count * 5 >= total * 4 { kind.clone() } else { Kind::Json })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_values_decide() {
        for (kinds, expected) in [
            ("", None),
            ("int64", Some("int64")),
            ("int64 float64 int64", Some("float64")),
            ("float64 float64 float64 int64 string", Some("float64")),
            ("float64 float64 float64 string", Some("json")),
            ("json json json json json string", Some("json")),
            ("list<int64> list<float64>", Some("list<float64>")),
        ] {
            let mut tally = Tally::default();
            kinds.split_whitespace().for_each(|kind| tally.add(kind.parse().unwrap()));
            assert_eq!(tally.kind().map(|kind| kind.to_string()).as_deref(), expected, "{kinds}");
        }
    }
}
