//! Keys that occur in a mapping more than once.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::BuildHasher;

use num_bigint::BigInt;

use super::{Kind, NodeRef, Path, Seed, Tree, Walk};

/// A key that occurs again in its mapping: see [`Tree::duplicate_keys`].
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct DuplicateKey<'a> {
    /// The path of the mapping.
    pub path: Path,
    /// The first occurrence of the key.
    pub first: NodeRef<'a>,
    /// A later occurrence of the key. Its [position](NodeRef::position) has line and column.
    pub again: NodeRef<'a>,
}

/// An iterator over the keys that occur again in their mapping; see [`Tree::duplicate_keys`].
#[derive(Debug)]
pub struct DuplicateKeys<'a> {
    walk: Option<Walk<'a>>,
    /// The duplicates of the mapping visited last, in reverse order.
    found: Vec<DuplicateKey<'a>>,
}

impl Tree {
    /// Returns every key that occurs again in its mapping, in the order of the text.
    ///
    /// YAML requires different keys, but many writers and people ignore that. Parsing keeps all entries.
    /// [`get`](NodeRef::get) returns the last one, as PyYAML does, and writing the tree loses nothing.
    ///
    /// Scalars are the same key if Python treats them as equal. That holds for numbers and booleans of one
    /// value (`1`, `0x1`, `1.0`, `true`), and for strings of one text, whatever their quotes. Keys that are
    /// collections are not compared, and mappings inside keys are not visited. `asdf_schemas::Validator`
    /// reports the same keys.
    ///
    /// # Examples
    /// ```
    /// let tree = asdf_core::yaml::parse("a: 1\nb: {0x1: x, 1: y}\n'a': 2\n")?;
    /// let found: Vec<String> = tree
    ///     .duplicate_keys()
    ///     .map(|key| format!("{:?} in '{}' at {:?}", key.again, key.path, key.again.position()))
    ///     .collect();
    /// assert_eq!(found, [
    ///     "the string 'a' in '' at Some((3, 1))",
    ///     "the integer 1 in '/b' at Some((2, 13))",
    /// ]);
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    #[must_use]
    pub fn duplicate_keys(&self) -> DuplicateKeys<'_> {
        DuplicateKeys { walk: self.root().map(NodeRef::walk), found: Vec::new() }
    }
}

impl<'a> NodeRef<'a> {
    /// Returns the keys that occur again in this mapping, as pairs of the first occurrence and a later one.
    ///
    /// See [`Tree::duplicate_keys`]. Returns nothing for other kinds.
    #[must_use]
    pub fn duplicate_keys(self) -> Vec<(NodeRef<'a>, NodeRef<'a>)> {
        if self.has_different_names() {
            return Vec::new();
        }
        let mut met: HashMap<Identity<'a>, NodeRef<'a>> = HashMap::with_capacity(self.len());
        let mut found = Vec::new();
        for (key, _) in self.entries() {
            let Some(identity) = Identity::of(key) else { continue };
            match met.entry(identity) {
                Entry::Occupied(first) => found.push((*first.get(), key)),
                Entry::Vacant(place) => drop(place.insert(key)),
            }
        }
        found
    }

    /// Returns whether all keys are plain strings and different, as in nearly every mapping.
    ///
    /// This quick check runs before the slow one. It is rarely false for a large mapping with different keys,
    /// and true for other kinds.
    fn has_different_names(self) -> bool {
        let names = self.entries().map(|(key, _)| match (key.kind(), key.tag_index()) {
            (Kind::String, None) => key.text(),
            _ => None,
        });
        if self.len() > FEW {
            // Many large mappings are sorted by name.
            let mut last = None;
            if names.clone().all(|name| name > std::mem::replace(&mut last, name)) {
                return true;
            }
            // Sorting hashes accesses memory in order, which a hash table of this size would not. Names with
            // equal hashes are left to the slow check.
            let seed = Seed::default();
            let mut hashes = Vec::with_capacity(self.len());
            for name in names {
                let Some(name) = name else { return false };
                hashes.push(seed.hash_one(name));
            }
            hashes.sort_unstable();
            return hashes.windows(2).all(|pair| pair.first() != pair.last());
        }
        let mut known = [("", 0); FEW];
        for (place, name) in names.enumerate() {
            let Some(name) = name else { return false };
            let (before, rest) = known.split_at_mut(place);
            let new = (name, beginning(name));
            if before.iter().any(|(name, beginning)| *beginning == new.1 && *name == new.0) {
                return false;
            }
            if let Some(slot) = rest.first_mut() {
                *slot = new;
            }
        }
        true
    }
}

/// Up to this many names are compared pairwise.
const FEW: usize = 16;

/// Combines the length of a name and its first bytes, which differ for most names.
fn beginning(name: &str) -> u64 {
    let mut bytes = [0; 8];
    bytes.iter_mut().zip(name.bytes()).for_each(|(to, from)| *to = from);
    u64::from_le_bytes(bytes) ^ (name.len() as u64) << 56
}

impl<'a> Iterator for DuplicateKeys<'a> {
    type Item = DuplicateKey<'a>;

    fn next(&mut self) -> Option<DuplicateKey<'a>> {
        let walk = self.walk.as_mut()?;
        while self.found.is_empty() {
            let node = walk.next()?;
            let keys = node.duplicate_keys();
            if !keys.is_empty() {
                let path = walk.path();
                let found = keys.into_iter().rev();
                self.found =
                    found.map(|(first, again)| DuplicateKey { path: path.clone(), first, again }).collect();
            }
        }
        self.found.pop()
    }
}

/// The identity of a scalar as a key.
#[derive(PartialEq, Eq, Hash)]
enum Identity<'a> {
    Null,
    Integer(i128),
    Large(BigInt),
    Fraction(u64),
    Text(Kind, Option<&'a str>, &'a str),
}

impl<'a> Identity<'a> {
    fn of(key: NodeRef<'a>) -> Option<Self> {
        let text = key.text()?;
        // A scalar with a tag of an application only equals scalars with the same tag.
        let own = key.own_tag();
        let resolved = match key.kind() {
            _ if own.is_some() => None,
            Kind::Null => Some(Self::Null),
            Kind::Bool => key.as_bool().map(|flag| Self::Integer(flag.into())),
            Kind::Int => match key.as_i128() {
                Some(number) => Some(Self::Integer(number)),
                None => key.as_bigint().map(Self::Large),
            },
            Kind::Float => key.as_f64().map(Self::float),
            _ => None,
        };
        Some(resolved.unwrap_or(Self::Text(key.kind(), own, text)))
    }

    fn float(number: f64) -> Self {
        #[allow(clippy::cast_possible_truncation, reason = "compared with the float again")]
        let whole = number as i128;
        #[allow(clippy::cast_precision_loss, reason = "it came from a float")]
        let exact = whole as f64 == number && whole != i128::MAX;
        if exact { Self::Integer(whole) } else { Self::Fraction(number.to_bits()) }
    }
}

#[cfg(test)]
mod tests {
    use crate::tree::Tree;

    #[test]
    fn keys_are_equal_if_python_says_so() {
        for (keys, again) in [
            (&["1", "0x1", "1.0", "true"][..], 3),
            (&["a", "b", "a", "a"], 2),
            (&["null", "~"], 1),
            (&["1.5", "1.50"], 1),
            (&["1", "01", "2"], 1),
            (&["0.0", "-0.0", "0", "false"], 3),
            (&["170141183460469231731687303715884105728", "170141183460469231731687303715884105728"], 1),
            (&["name1", "name2", "name12", "name1"], 1),
            (&["namesake_1", "namesake_2", "namesake_1"], 1),
            (&["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q", "a"], 1),
            (&["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q", "r"], 0),
            (&["a", "A", "3", "2", "true", "false", "2001-01-01", ".inf", "-.inf", "1e400"], 0),
        ] {
            let mut tree = Tree::new();
            let ids: Vec<_> = keys.iter().map(|key| tree.add_scalar_text(key)).collect();
            let root = tree.add_mapping(ids.iter().map(|&key| (key, key)));
            // A string never equals a number.
            let (one, value) = (tree.add_str("1"), tree.add_null());
            tree.append(root, &[one, value]);
            tree.set_root(root);
            assert_eq!(tree.duplicate_keys().count(), again, "{keys:?}");
        }
        assert_eq!(Tree::new().duplicate_keys().count(), 0);
    }
}
