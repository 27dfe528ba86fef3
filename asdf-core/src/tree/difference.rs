//! What differs between two trees, and where.

use std::collections::{HashMap, HashSet};
use std::fmt;

use super::{Kind, NodeRef, Path, YAML_TAG, compare, tag_matches};
use crate::error::Result;

/// How far apart two numbers may be and still count as equal: at most `absolute`, or at most
/// `relative` times the larger of the two magnitudes. The default is exact.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Tolerance {
    /// Against the larger magnitude of the two.
    pub relative: f64,
    /// In the unit of the numbers.
    pub absolute: f64,
}

impl Tolerance {
    /// No distance at all.
    pub const EXACT: Self = Self { relative: 0.0, absolute: 0.0 };

    /// Whether two numbers count as equal. NaN is equal to NaN, an infinity only to itself.
    #[must_use]
    pub fn accepts(self, a: f64, b: f64) -> bool {
        let close = || {
            let far = self.absolute.max(self.relative * a.abs().max(b.abs()));
            a.is_finite() && b.is_finite() && (a - b).abs() <= far
        };
        a == b || (a.is_nan() && b.is_nan()) || close()
    }

    fn is_exact(self) -> bool {
        self == Self::EXACT
    }
}

/// What counts as a difference, and how much is compared at most.
///
/// ```
/// use asdf_core::tree::{DifferenceOptions, Tolerance};
/// use asdf_core::yaml::parse;
///
/// let before = parse("{time: 1.0, list: [1, 2], made: 2025}\n")?;
/// let after = parse("{made: 2026, list: [1, 2, 3], time: 1.0001}\n")?;
/// let options = DifferenceOptions::new()
///     .tolerance(Tolerance { relative: 1e-3, absolute: 0.0 })
///     .ignore("/made");
/// let differences = before.at("")?.differences(after.at("")?, &options);
/// assert_eq!(differences.to_string(), "/list/2: added: the integer 3\n");
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct DifferenceOptions {
    tolerance: Tolerance,
    ignored: Vec<String>,
    key_order: bool,
    tags: bool,
    most: usize,
    pairs: usize,
}

impl Default for DifferenceOptions {
    fn default() -> Self {
        Self {
            tolerance: Tolerance::EXACT,
            ignored: Vec::new(),
            key_order: false,
            tags: true,
            most: 10_000,
            pairs: 1 << 24,
        }
    }
}

impl DifferenceOptions {
    /// Exact numbers, tags count, the order of keys does not; at most 10,000 differences are told,
    /// and 16,777,216 pairs of nodes compared.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How far apart numbers may be. Other than exact, it also makes an integer and a float
    /// comparable; else `1` and `1.0` differ in kind.
    #[must_use]
    pub fn tolerance(mut self, tolerance: Tolerance) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// The tolerance that was set.
    #[must_use]
    pub fn get_tolerance(&self) -> Tolerance {
        self.tolerance
    }

    /// Leaves out what is at or below the paths that fit a pattern: `*` stands for any characters
    /// but `/`, `**` for any at all. `/history`, `/roman/meta/*/date`, `**/checksum`.
    #[must_use]
    pub fn ignore(mut self, pattern: impl Into<String>) -> Self {
        self.ignored.push(pattern.into());
        self
    }

    /// Whether the order of a mapping's keys counts.
    #[must_use]
    pub fn key_order(mut self, counts: bool) -> Self {
        self.key_order = counts;
        self
    }

    /// Whether tags count. Those of YAML that only repeat what a node is (`!!str`) never do.
    #[must_use]
    pub fn tags(mut self, count: bool) -> Self {
        self.tags = count;
        self
    }

    /// How many differences are told at most; the comparison ends there.
    #[must_use]
    pub fn most(mut self, most: usize) -> Self {
        self.most = most;
        self
    }

    /// How many pairs of nodes are compared at most. Each pair is compared once, on its first path,
    /// so that aliases cost nothing; but two hostile trees of n nodes can have n² pairs.
    #[must_use]
    pub fn most_pairs(mut self, pairs: usize) -> Self {
        self.pairs = pairs;
        self
    }
}

/// What is different at one place.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Change {
    /// Only the first tree has it.
    Missing,
    /// Only the second tree has it.
    Added,
    /// The kinds of node differ.
    Kind,
    /// The tags differ; what they tag is compared all the same.
    Tag,
    /// Scalars of one kind differ.
    Value,
    /// Two mappings have the same keys in another order.
    Order,
    /// Two arrays differ in their datatype.
    Datatype(String, String),
    /// Two arrays differ in their shape, in C order.
    Shape(Vec<u64>, Vec<u64>),
    /// Two arrays of the same shape differ in elements.
    Elements(ElementsDifference),
}

/// How the elements of two arrays differ.
#[derive(Debug, Clone, PartialEq)]
pub struct ElementsDifference {
    /// How many differ by more than the tolerance.
    pub different: u64,
    /// How many elements each array has.
    pub of: u64,
    /// The index of the first that differs, in C order.
    pub first: Vec<u64>,
    /// What the first array has there.
    pub left: String,
    /// What the second array has there.
    pub right: String,
    /// The largest distance between two numbers and the index where it is, unless no two finite
    /// numbers differ.
    pub largest: Option<(f64, Vec<u64>)>,
}

/// One difference: where, what, and the nodes.
#[derive(Debug, Clone)]
pub struct Difference<'a> {
    /// The place in both trees, or in the one that has it.
    pub path: Path,
    /// What differs.
    pub change: Change,
    /// The node of the first tree, unless it has none there.
    pub left: Option<NodeRef<'a>>,
    /// The node of the second tree, unless it has none there.
    pub right: Option<NodeRef<'a>>,
}

/// The differences between two nodes, in the order of the first tree's text, what was added to a
/// collection after what is in both.
///
/// `Display` prints one a line: `/meta/time: changed: the float 1.0 -> the float 1.5`.
#[derive(Debug, Clone, Default)]
pub struct Differences<'a> {
    list: Vec<Difference<'a>>,
    complete: bool,
}

impl<'a> Differences<'a> {
    /// Whether there are none, and everything was compared.
    #[must_use]
    pub fn is_same(&self) -> bool {
        self.list.is_empty() && self.complete
    }

    /// Whether everything was compared; else a limit of [`DifferenceOptions`] was reached.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// The differences.
    pub fn iter(&self) -> std::slice::Iter<'_, Difference<'a>> {
        self.list.iter()
    }
}

impl<'a> IntoIterator for Differences<'a> {
    type Item = Difference<'a>;
    type IntoIter = std::vec::IntoIter<Difference<'a>>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

impl<'a, 'b> IntoIterator for &'b Differences<'a> {
    type Item = &'b Difference<'a>;
    type IntoIter = std::slice::Iter<'b, Difference<'a>>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}

impl<'a> NodeRef<'a> {
    /// What differs between this node and another, usually of another tree.
    ///
    /// Mappings are compared key by key (of a key that is there twice, the last counts), sequences
    /// item by item, and what is left of the longer one is added or missing. Numbers are compared by
    /// value, text exactly; style, anchors, comments and sharing do not matter. Arrays are mere
    /// mappings here, with the numbers of their blocks: [`File::difference`](crate::File::difference)
    /// compares their elements. Cycles end.
    #[must_use]
    pub fn differences(self, other: NodeRef<'a>, options: &DifferenceOptions) -> Differences<'a> {
        let nothing = |_: NodeRef<'a>, _: NodeRef<'a>| Ok(None);
        self.differences_with(other, options, nothing).unwrap_or_default()
    }

    /// The same, with a function that may compare a pair in its own way: it gives what differs, and
    /// the keys of which nothing more is to be said.
    pub(crate) fn differences_with(
        self,
        other: NodeRef<'a>,
        options: &DifferenceOptions,
        special: impl FnMut(NodeRef<'a>, NodeRef<'a>) -> Result<Option<Special>>,
    ) -> Result<Differences<'a>> {
        let mut comparison = Comparison {
            options,
            special,
            met: HashSet::new(),
            pending: vec![Step { path: Path::root(), left: Some(self), right: Some(other) }],
            list: Vec::new(),
        };
        let complete = comparison.run()?;
        Ok(Differences { list: comparison.list, complete })
    }
}

/// What a special comparison says of two nodes.
pub(crate) struct Special {
    /// What differs, as a whole.
    pub(crate) changes: Vec<Change>,
    /// Keys that are not compared any more; `None` for everything below.
    pub(crate) done: Option<&'static [&'static str]>,
}

struct Step<'a> {
    path: Path,
    left: Option<NodeRef<'a>>,
    right: Option<NodeRef<'a>>,
}

struct Comparison<'a, 'o, F> {
    options: &'o DifferenceOptions,
    special: F,
    met: HashSet<(u32, u32)>,
    pending: Vec<Step<'a>>,
    list: Vec<Difference<'a>>,
}

impl<'a, F: FnMut(NodeRef<'a>, NodeRef<'a>) -> Result<Option<Special>>> Comparison<'a, '_, F> {
    /// Whether everything was compared.
    fn run(&mut self) -> Result<bool> {
        let mut pairs = 0_usize;
        while let Some(step) = self.pending.pop() {
            if self.options.ignored.iter().any(|pattern| tag_matches(pattern, step.path.as_str())) {
                continue;
            }
            pairs += 1;
            if pairs > self.options.pairs || self.list.len() >= self.options.most {
                return Ok(false);
            }
            match (step.left, step.right) {
                (Some(left), Some(right)) => self.pair(step.path, left, right)?,
                (Some(_), None) => self.tell(step.path, Change::Missing, step.left, None),
                (None, right) => self.tell(step.path, Change::Added, None, right),
            }
        }
        Ok(true)
    }

    fn tell(&mut self, path: Path, change: Change, left: Option<NodeRef<'a>>, right: Option<NodeRef<'a>>) {
        self.list.push(Difference { path, change, left, right });
    }

    fn pair(&mut self, path: Path, left: NodeRef<'a>, right: NodeRef<'a>) -> Result<()> {
        let same_node = std::ptr::eq(left.tree(), right.tree()) && left.id() == right.id();
        let collections = !left.kind().is_scalar() && !right.kind().is_scalar();
        if same_node || (collections && !self.met.insert((left.id().number(), right.id().number()))) {
            return Ok(());
        }
        let tell = |list: &mut Vec<Difference<'a>>, change| {
            list.push(Difference { path: path.clone(), change, left: Some(left), right: Some(right) });
        };
        if self.options.tags && telling_tag(left) != telling_tag(right) {
            tell(&mut self.list, Change::Tag);
        }
        let mut done: &[&str] = &[];
        if let Some(special) = (self.special)(left, right).map_err(|error| error.at_path(path.as_str()))? {
            for change in special.changes {
                tell(&mut self.list, change);
            }
            match special.done {
                Some(keys) => done = keys,
                None => return Ok(()),
            }
        }
        let number = |kind| matches!(kind, Kind::Int | Kind::Float);
        let tolerance = self.options.tolerance;
        if number(left.kind()) && number(right.kind()) && !tolerance.is_exact() {
            let close = match (left.as_f64(), right.as_f64()) {
                (Some(a), Some(b)) => tolerance.accepts(a, b),
                _ => left.text() == right.text(),
            };
            if !close {
                tell(&mut self.list, Change::Value);
            }
        } else if left.kind() != right.kind() {
            tell(&mut self.list, Change::Kind);
        } else {
            match left.kind() {
                Kind::Mapping => self.mappings(&path, left, right, done),
                Kind::Sequence => self.sequences(&path, left, right),
                _ if !compare::same_scalar(left, right) => tell(&mut self.list, Change::Value),
                _ => {}
            }
        }
        Ok(())
    }

    fn sequences(&mut self, path: &Path, left: NodeRef<'a>, right: NodeRef<'a>) {
        let longer = left.len().max(right.len());
        let (mut lefts, mut rights) = (left.items(), right.items());
        let first = self.pending.len();
        self.pending.extend((0..longer).map(|index| {
            let mut path = path.clone();
            path.push(&index.to_string());
            Step { path, left: lefts.next(), right: rights.next() }
        }));
        self.reverse(first);
    }

    /// The stack gives back the last first.
    fn reverse(&mut self, first: usize) {
        if let Some(added) = self.pending.get_mut(first..) {
            added.reverse();
        }
    }

    fn mappings(&mut self, path: &Path, left: NodeRef<'a>, right: NodeRef<'a>, done: &[&str]) {
        let (lefts, rights) = (entries(left, done), entries(right, done));
        let mut others: HashMap<Key<'a>, NodeRef<'a>> =
            rights.iter().map(|entry| (entry.key, entry.value)).collect();
        if self.options.key_order && lefts.len() == rights.len() {
            let same = lefts.iter().zip(&rights).all(|(a, b)| a.key == b.key);
            if !same && lefts.iter().all(|entry| others.contains_key(&entry.key)) {
                self.tell(path.clone(), Change::Order, Some(left), Some(right));
            }
        }
        let first = self.pending.len();
        let below = |step: &str| {
            let mut path = path.clone();
            path.push(step);
            path
        };
        for entry in &lefts {
            let right = others.remove(&entry.key);
            self.pending.push(Step { path: below(entry.step), left: Some(entry.value), right });
        }
        for entry in &rights {
            if others.remove(&entry.key).is_some() {
                self.pending.push(Step { path: below(entry.step), left: None, right: Some(entry.value) });
            }
        }
        self.reverse(first);
    }
}

/// What makes two keys the same.
#[derive(PartialEq, Eq, Hash, Clone, Copy)]
enum Key<'a> {
    /// An integer or a boolean, which can be written in several ways; for a key that is a collection,
    /// the how manieth such key it is.
    Number(Kind, i128),
    Text(Kind, &'a str),
}

impl<'a> Key<'a> {
    fn of(name: NodeRef<'a>, strange: &mut i128) -> Self {
        let number = match name.kind() {
            Kind::Int => name.as_i128(),
            Kind::Bool => name.as_bool().map(i128::from),
            Kind::Sequence | Kind::Mapping => {
                *strange += 1;
                Some(*strange)
            }
            _ => None,
        };
        match number {
            Some(number) => Self::Number(name.kind(), number),
            None => Self::Text(name.kind(), name.text().unwrap_or("?")),
        }
    }
}

struct Entry<'a> {
    key: Key<'a>,
    step: &'a str,
    value: NodeRef<'a>,
}

/// The entries of a mapping, each key once, with its last value, without some keys.
fn entries<'a>(node: NodeRef<'a>, without: &[&str]) -> Vec<Entry<'a>> {
    let mut list: Vec<Entry<'a>> = Vec::with_capacity(node.len());
    let mut places: HashMap<Key<'a>, usize> = HashMap::with_capacity(node.len());
    let mut strange = 0;
    for (name, value) in node.entries() {
        if name.as_str().is_some_and(|name| without.contains(&name)) {
            continue;
        }
        let key = Key::of(name, &mut strange);
        match places.get(&key).and_then(|&place| list.get_mut(place)) {
            Some(entry) => entry.value = value,
            None => {
                places.insert(key, list.len());
                list.push(Entry { key, step: name.text().unwrap_or("?"), value });
            }
        }
    }
    list
}

/// The tag, unless it only says what the node is anyway.
fn telling_tag(node: NodeRef<'_>) -> Option<&str> {
    node.tag().filter(|tag| {
        let name = tag.strip_prefix(YAML_TAG);
        !matches!(name, Some("null" | "bool" | "int" | "float" | "str" | "timestamp" | "seq" | "map"))
    })
}

impl fmt::Display for Difference<'_> {
    /// `/meta/time: changed: the float 1.0 -> the float 1.5`; the root is `/`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path.as_str().is_empty() { "/" } else { self.path.as_str() };
        let path: String = path.escape_debug().collect();
        let left = self.left.map(NodeRef::describe).unwrap_or_default();
        let right = self.right.map(NodeRef::describe).unwrap_or_default();
        write!(f, "{path}: ")?;
        match &self.change {
            Change::Missing => write!(f, "missing: {left}"),
            Change::Added => write!(f, "added: {right}"),
            Change::Kind | Change::Value => write!(f, "changed: {left} -> {right}"),
            Change::Tag => {
                let name = |node: Option<NodeRef<'_>>| match node.and_then(NodeRef::tag) {
                    Some(tag) => tag.escape_debug().to_string(),
                    None => "none".to_owned(),
                };
                write!(f, "tag: {} -> {}", name(self.left), name(self.right))
            }
            Change::Order => write!(f, "the same keys in another order"),
            Change::Datatype(a, b) => write!(f, "datatype: {a} -> {b}"),
            Change::Shape(a, b) => write!(f, "shape: {a:?} -> {b:?}"),
            Change::Elements(elements) => write!(f, "{elements}"),
        }
    }
}

impl fmt::Display for ElementsDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { different, of, first, left, right, largest } = self;
        write!(f, "{different} of {of} elements differ, the first at {first:?}: {left} -> {right}")?;
        match largest {
            Some((distance, index)) => write!(f, ", by at most {distance:e} at {index:?}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Differences<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for difference in &self.list {
            writeln!(f, "{difference}")?;
        }
        if self.complete { Ok(()) } else { writeln!(f, "not everything was compared: a limit was reached") }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::tree::{Change, DifferenceOptions, NodeId, Tolerance, Tree};

    fn tree(build: impl FnOnce(&mut Tree) -> NodeId) -> Tree {
        let mut tree = Tree::new();
        let root = build(&mut tree);
        tree.set_root(root);
        tree
    }

    fn told(a: &Tree, b: &Tree, options: &DifferenceOptions) -> Vec<String> {
        let differences = a.root().unwrap().differences(b.root().unwrap(), options);
        differences.iter().map(ToString::to_string).collect()
    }

    fn mapping(tree: &mut Tree, entries: &[(&str, f64)]) -> NodeId {
        let id = tree.add_mapping([]);
        for (key, value) in entries {
            let value = tree.add_float(*value);
            tree.insert(id, key, value);
        }
        id
    }

    #[test]
    fn what_differs_and_where() {
        let first = tree(|tree| {
            let root = mapping(tree, &[("same", 1.0), ("gone", 2.0), ("near", 3.0)]);
            let (one, two, text) = (tree.add_int(1), tree.add_int(2), tree.add_str("x"));
            let list = tree.add_sequence([one, two]);
            tree.insert(root, "list", list);
            tree.insert(root, "kind", text);
            let tagged = tree.add_str("v");
            tree.set_tag(tagged, Some("tag:a"));
            tree.insert(root, "tagged", tagged);
            root
        });
        let second = tree(|tree| {
            let root = mapping(tree, &[("near", 3.001), ("same", 1.0), ("new", 4.0)]);
            let (one, two, three) = (tree.add_int(1), tree.add_int(5), tree.add_int(3));
            let list = tree.add_sequence([one, two, three]);
            tree.insert(root, "list", list);
            let null = tree.add_null();
            tree.insert(root, "kind", null);
            let tagged = tree.add_str("v");
            tree.insert(root, "tagged", tagged);
            root
        });
        let exact = DifferenceOptions::new();
        let all = [
            "/gone: missing: the float 2.0",
            "/near: changed: the float 3.0 -> the float 3.001",
            "/list/1: changed: the integer 2 -> the integer 5",
            "/list/2: added: the integer 3",
            "/kind: changed: the string 'x' -> null",
            "/tagged: tag: tag:a -> none",
            "/new: added: the float 4.0",
        ];
        assert_eq!(told(&first, &second, &exact), all);
        let loose = exact.clone().tolerance(Tolerance { relative: 0.0, absolute: 0.01 }).tags(false);
        let loose = loose.ignore("/list/*").ignore("/n*").ignore("/gone").ignore("**/kind");
        assert!(first.root().unwrap().differences(second.root().unwrap(), &loose).is_same());
        let few = first.root().unwrap().differences(second.root().unwrap(), &exact.most(2));
        assert_eq!((few.iter().count(), few.is_complete(), few.is_same()), (2, false, false));
    }

    #[test]
    fn numbers() {
        let scalar = |text: &str| tree(|tree| tree.add_scalar_text(text));
        let exact = DifferenceOptions::new();
        let loose = exact.clone().tolerance(Tolerance { relative: 1e-6, absolute: 0.0 });
        for (a, b, same, close) in [
            ("1", "1.0", false, true),
            ("0x10", "16", true, true),
            (".nan", ".NaN", true, true),
            (".inf", "1.0e+300", false, false),
            (".inf", "-.inf", false, false),
            ("1.0", "1.0000001", false, true),
            ("0.0", "-0.0", true, true),
            ("'1'", "1", false, false),
        ] {
            assert_eq!(told(&scalar(a), &scalar(b), &exact).is_empty(), same, "{a} {b}");
            assert_eq!(told(&scalar(a), &scalar(b), &loose).is_empty(), close, "{a} {b}");
        }
    }

    #[test]
    fn order_counts_when_asked_and_keys_are_compared_by_value() {
        let keys = |texts: &[&str]| {
            tree(|tree| {
                let entries: Vec<_> =
                    texts.iter().map(|text| (tree.add_scalar_text(text), tree.add_null())).collect();
                tree.add_mapping(entries)
            })
        };
        let options = DifferenceOptions::new();
        assert!(told(&keys(&["a", "0x10", "yes"]), &keys(&["16", "true", "a"]), &options).is_empty());
        assert_eq!(
            told(&keys(&["a", "b"]), &keys(&["b", "a"]), &options.clone().key_order(true)),
            ["/: the same keys in another order"]
        );
        assert!(told(&keys(&["a", "a"]), &keys(&["a"]), &options).is_empty());
        assert_eq!(told(&keys(&["1"]), &keys(&["'1'"]), &options).len(), 2);
    }

    #[test]
    fn cycles_end_and_alias_bombs_are_cheap() {
        let bomb = |last: i64| {
            tree(|tree| {
                let mut node = tree.add_int(last);
                for _ in 0..60 {
                    node = tree.add_sequence([node, node]);
                }
                let root = tree.add_sequence([node]);
                tree.push(root, root);
                root
            })
        };
        let options = DifferenceOptions::new();
        assert!(told(&bomb(1), &bomb(1), &options).is_empty());
        // The two items of the innermost list; every list is compared once.
        assert_eq!(told(&bomb(1), &bomb(2), &options).len(), 2);
        let (a, b) = (bomb(1), bomb(1));
        let cut = a.root().unwrap().differences(b.root().unwrap(), &options.most_pairs(10));
        assert!(!cut.is_complete() && !cut.is_same());
    }

    proptest! {
        #[test]
        fn a_changed_list_differs_where_it_was_changed(
            values in prop::collection::vec(-5..5_i64, 0..20),
            others in prop::collection::vec(-5..5_i64, 0..20),
        ) {
            let list = |values: &[i64]| tree(|tree| {
                let ids: Vec<_> = values.iter().map(|&value| tree.add_int(value)).collect();
                tree.add_sequence(ids)
            });
            let (a, b) = (list(&values), list(&others));
            let found = a.root().unwrap().differences(b.root().unwrap(), &DifferenceOptions::new());
            let changed = values.iter().zip(&others).filter(|(a, b)| a != b).count();
            prop_assert_eq!(found.iter().filter(|d| d.change == Change::Value).count(), changed);
            prop_assert_eq!(found.iter().count(), changed + values.len().abs_diff(others.len()));
            prop_assert_eq!(found.is_same(), a.root() == b.root());
        }
    }
}
