//! Options, lists, tuples and maps.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::hash::{BuildHasher, Hash};

use super::derived::is_nothing;
use super::description::Form;
use super::{Description, FromNode, Kinds, OwnTag, ToNode, read};
use crate::error::{Error, Kind as ErrorKind, Result};
use crate::tree::{Kind, NodeId, NodeRef, Tree};

impl<T: FromNode> FromNode for Option<T> {
    const TYPES: Kinds = T::TYPES.or(Kinds::NULL);
    const READS_ALL: Kinds = T::READS_ALL.or(Kinds::NULL);
    const OPTIONAL: bool = true;
    const OWN_TAG: OwnTag = T::OWN_TAG;

    fn describe() -> Description {
        T::describe()
    }

    /// Reads null as `None`, unless the inner type accepts null itself.
    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        if is_nothing(node, T::TYPES) && !T::TYPES.contains(Kind::Null) {
            Ok(None)
        } else {
            T::from_node(node).map(Some)
        }
    }

    fn from_version(node: NodeRef<'_>) -> Result<Result<Self>> {
        if is_nothing(node, T::TYPES) && !T::TYPES.contains(Kind::Null) {
            Ok(Ok(None))
        } else {
            Ok(T::from_version(node)?.map(Some))
        }
    }

    fn from_absent() -> Option<Self> {
        Some(None)
    }

    fn accepts_tag(tag: &str) -> bool {
        T::accepts_tag(tag)
    }

    fn expected() -> String {
        T::expected()
    }

    fn matches(node: NodeRef<'_>) -> bool {
        (node.is_null() && node.own_tag().is_none()) || T::matches(node)
    }
}

impl<T: ToNode> ToNode for Option<T> {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        match self {
            Some(value) => value.to_node(tree),
            None => Ok(tree.add_null()),
        }
    }

    fn is_absent(&self) -> bool {
        self.is_none()
    }
}

/// Reads each item. One error has the faults of all items.
fn items<T: FromNode>(node: NodeRef<'_>) -> Result<Vec<T>> {
    if node.kind() != Kind::Sequence {
        return node.fail("a sequence");
    }
    let mut values = Vec::with_capacity(node.len());
    let mut fault: Option<Error> = None;
    for (index, item) in node.items().enumerate() {
        match read(item).map_err(|error| error.under(index)) {
            Ok(value) => values.push(value),
            // Reading on would only reach the limit again.
            Err(error) if error.kind() == ErrorKind::Limit => return Err(error),
            Err(error) => {
                fault = Some(match fault.take() {
                    Some(first) => first.and(error),
                    None => error,
                });
            }
        }
    }
    fault.map_or(Ok(values), Err)
}

impl<T: FromNode> FromNode for Vec<T> {
    const TYPES: Kinds = Kinds::SEQUENCE;
    const OWN_TAG: OwnTag = OwnTag::None;

    fn describe() -> Description {
        Description::new(Form::Sequence { items: T::describe, length: None })
    }

    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        items(node)
    }
}

impl<T: ToNode> ToNode for [T] {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        let ids = self.iter().map(|item| item.to_node(tree)).collect::<Result<Vec<_>>>()?;
        Ok(tree.add_sequence(ids))
    }
}

impl<T: ToNode> ToNode for Vec<T> {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        self.as_slice().to_node(tree)
    }
}

impl<T: FromNode> FromNode for VecDeque<T> {
    const TYPES: Kinds = Kinds::SEQUENCE;
    const OWN_TAG: OwnTag = OwnTag::None;

    fn describe() -> Description {
        Description::new(Form::Sequence { items: T::describe, length: None })
    }

    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        items(node).map(Self::from)
    }
}

impl<T: ToNode> ToNode for VecDeque<T> {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        let ids = self.iter().map(|item| item.to_node(tree)).collect::<Result<Vec<_>>>()?;
        Ok(tree.add_sequence(ids))
    }
}

impl<T: FromNode, const N: usize> FromNode for [T; N] {
    const TYPES: Kinds = Kinds::SEQUENCE;
    const OWN_TAG: OwnTag = OwnTag::None;

    fn describe() -> Description {
        Description::new(Form::Sequence { items: T::describe, length: Some(N) })
    }

    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        items(node)?.try_into().map_err(|_| node.expected(format!("a sequence of {N} items")))
    }
}

impl<T: ToNode, const N: usize> ToNode for [T; N] {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        self.as_slice().to_node(tree)
    }
}

macro_rules! tuples {
    ($($count:literal: $($name:ident $index:tt),+;)*) => {$(
        impl<$($name: FromNode),+> FromNode for ($($name,)+) {
            const TYPES: Kinds = Kinds::SEQUENCE;
            const OWN_TAG: OwnTag = OwnTag::None;

            fn describe() -> Description {
                Description::new(Form::List(vec![$($name::describe),+]))
            }

            fn from_node(node: NodeRef<'_>) -> Result<Self> {
                if node.kind() != Kind::Sequence || node.len() != $count {
                    return node.fail(concat!("a sequence of ", $count, " items"));
                }
                let mut items = node.items();
                Ok(($(
                    match items.next() {
                        Some(item) => read::<$name>(item).map_err(|error| error.under($index))?,
                        None => return node.fail(concat!("a sequence of ", $count, " items")),
                    },
                )+))
            }
        }

        impl<$($name: ToNode),+> ToNode for ($($name,)+) {
            fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
                let ids = [$(self.$index.to_node(tree)?),+];
                Ok(tree.add_sequence(ids))
            }
        }
    )*};
}

tuples! {
    1: A 0;
    2: A 0, B 1;
    3: A 0, B 1, C 2;
    4: A 0, B 1, C 2, D 3;
    5: A 0, B 1, C 2, D 3, E 4;
    6: A 0, B 1, C 2, D 3, E 4, F 5;
    7: A 0, B 1, C 2, D 3, E 4, F 5, G 6;
    8: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7;
}

/// Reads each entry of a mapping. One error has the faults of all entries.
///
/// Accepts an `!!omap` as a mapping, because Python writes an `OrderedDict` like that.
fn entries<K: FromNode, V: FromNode>(node: NodeRef<'_>) -> Result<Vec<(K, V)>> {
    let nodes: Vec<_> = match node.as_omap() {
        Some(entries) => entries.collect(),
        None if node.kind() == Kind::Mapping => node.entries().collect(),
        None => return node.fail("a mapping"),
    };
    let mut values = Vec::with_capacity(nodes.len());
    let mut fault: Option<Error> = None;
    for (index, (key, value)) in nodes.into_iter().enumerate() {
        let below = |error: Error| {
            let error = error.under(key.text().unwrap_or("?"));
            if node.kind() == Kind::Sequence { error.under(index) } else { error }
        };
        let entry = read(key).and_then(|key| Ok((key, read(value)?)));
        match entry.map_err(below) {
            Ok(entry) => values.push(entry),
            Err(error) if error.kind() == ErrorKind::Limit => return Err(error),
            Err(error) => {
                fault = Some(match fault.take() {
                    Some(first) => first.and(error),
                    None => error,
                });
            }
        }
    }
    fault.map_or(Ok(values), Err)
}

fn write_entries<'a, K: ToNode + 'a, V: ToNode + 'a>(
    entries: impl Iterator<Item = (&'a K, &'a V)>,
    tree: &mut Tree,
) -> Result<NodeId> {
    let ids = entries.map(|(key, value)| Ok((key.to_node(tree)?, value.to_node(tree)?)));
    let ids = ids.collect::<Result<Vec<_>>>()?;
    Ok(tree.add_mapping(ids))
}

impl<K: FromNode + Ord, V: FromNode> FromNode for BTreeMap<K, V> {
    const TYPES: Kinds = Kinds::MAPPING;
    const OWN_TAG: OwnTag = OwnTag::None;

    fn describe() -> Description {
        Description::new(Form::Map(V::describe))
    }

    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        Ok(entries(node)?.into_iter().collect())
    }
}

impl<K: ToNode, V: ToNode> ToNode for BTreeMap<K, V> {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        write_entries(self.iter(), tree)
    }
}

impl<K: FromNode + Eq + Hash, V: FromNode, S: BuildHasher + Default> FromNode for HashMap<K, V, S> {
    const TYPES: Kinds = Kinds::MAPPING;
    const OWN_TAG: OwnTag = OwnTag::None;

    fn describe() -> Description {
        Description::new(Form::Map(V::describe))
    }

    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        Ok(entries(node)?.into_iter().collect())
    }
}

impl<K: ToNode + Ord, V: ToNode, S> ToNode for HashMap<K, V, S> {
    /// Writes entries in the order of the keys, so that equal maps give the same text.
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        let mut entries: Vec<_> = self.iter().collect();
        entries.sort_by(|a, b| a.0.cmp(b.0));
        write_entries(entries.into_iter(), tree)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml;

    #[test]
    fn maps_are_read_from_ordered_maps_too() {
        let tree = yaml::parse("a: !!omap [b: 1, a: 2]\nb: [b: 1]\nc: !!omap [b: x]\n").unwrap();
        let map = BTreeMap::from([("a".to_owned(), 2), ("b".to_owned(), 1)]);
        assert_eq!(tree.get::<BTreeMap<String, i64>>("/a").unwrap(), map);
        assert_eq!(tree.get::<HashMap<String, i64>>("/a").unwrap().len(), 2);
        let message = |at: &str| tree.get::<BTreeMap<String, i64>>(at).unwrap_err().to_string();
        assert!(message("/b").contains("expected a mapping"), "{}", message("/b"));
        assert!(message("/c").contains(": /c/0/b:"), "{}", message("/c"));
    }
}
