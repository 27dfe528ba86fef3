//! Finding the differences between two trees.

use std::collections::{HashMap, HashSet};

use super::equality::same_scalar;
use super::{ArrayDifference, Change, Difference, Differences};
use crate::error::Result;
use crate::tree::{DifferenceOptions, Kind, NodeRef, Path, YAML_TAG, tag_matches};

impl<'a> NodeRef<'a> {
    /// Returns the differences between this node and another, usually of another tree.
    ///
    /// - Mappings are compared key by key. If a key occurs twice, the last one counts.
    /// - Sequences are compared item by item. The extra items of the longer one are missing or added.
    /// - Numbers are compared by value and text exactly. Style, anchors, comments and sharing are ignored.
    /// - Arrays are compared as mappings, with the numbers of their blocks.
    ///   [`File::difference`](crate::File::difference) compares their elements.
    ///
    /// Cycles end.
    ///
    /// # Examples
    /// ```
    /// use asdf_core::tree::DifferenceOptions;
    /// use asdf_core::yaml;
    ///
    /// let (old, new) = (yaml::parse("{a: 1, b: 2}")?, yaml::parse("{a: 1, b: 3}")?);
    /// let differences = old.at("")?.differences(new.at("")?, &DifferenceOptions::new());
    /// assert_eq!(differences.to_string(), "/b: changed: the integer 2 -> the integer 3\n");
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    #[must_use]
    pub fn differences(self, other: NodeRef<'a>, options: &DifferenceOptions) -> Differences<'a> {
        let nothing = |_: NodeRef<'a>, _: NodeRef<'a>| Ok(None);
        self.differences_with(other, options, nothing).unwrap_or_default()
    }

    /// Same as [`differences`](Self::differences), with a function that can compare a pair in its own way.
    ///
    /// The function returns what differs and the keys that need no further comparison.
    pub(crate) fn differences_with(
        self,
        other: NodeRef<'a>,
        options: &DifferenceOptions,
        special: impl FnMut(NodeRef<'a>, NodeRef<'a>) -> Result<Option<Special<'a>>>,
    ) -> Result<Differences<'a>> {
        let mut comparison = Comparison {
            options,
            special,
            met: HashSet::new(),
            places: Vec::new(),
            pending: vec![Pending::Pair(Step {
                up: None,
                name: Name::Index(0),
                left: Some(self),
                right: Some(other),
                column: None,
            })],
            columns: Vec::new(),
            left: options.pairs,
            list: Vec::new(),
            ignored: Vec::new(),
        };
        let complete = comparison.run()?;
        Ok(Differences { list: comparison.list, ignored: comparison.ignored, complete })
    }
}

/// The result of a special comparison of two nodes.
pub(crate) struct Special<'a> {
    /// The differences between the nodes as a whole.
    pub(crate) changes: Vec<ArrayDifference>,
    /// Keys that need no further comparison; `None` if nothing below does.
    pub(crate) done: Option<&'static [&'static str]>,
    /// The items of `columns`, which are compared by name.
    pub(crate) columns: Vec<ColumnPair<'a>>,
}

/// A column of two tables, or of only one of them.
pub(crate) struct ColumnPair<'a> {
    pub(crate) name: String,
    /// The number of rows of each table, if known.
    pub(crate) rows: Option<(u64, u64)>,
    /// The index of the column in its table, and the column.
    pub(crate) left: Option<(usize, NodeRef<'a>)>,
    pub(crate) right: Option<(usize, NodeRef<'a>)>,
}

/// The context of nodes below a column.
struct Column {
    name: String,
    rows: Option<(u64, u64)>,
}

/// The location of a compared pair of collections.
#[derive(Clone, Copy)]
struct Place<'a> {
    up: Option<usize>,
    name: Name<'a>,
    column: Option<usize>,
}

/// Two nodes to compare, or a node that only one tree has.
#[derive(Clone, Copy)]
struct Step<'a> {
    /// The place of the collections that hold the nodes; `None` for the nodes at which the comparison began.
    up: Option<usize>,
    name: Name<'a>,
    left: Option<NodeRef<'a>>,
    right: Option<NodeRef<'a>>,
    /// The column of a table that contains them.
    column: Option<usize>,
}

#[derive(Clone, Copy)]
enum Name<'a> {
    Key(&'a str),
    Index(usize),
}

enum Pending<'a> {
    Pair(Step<'a>),
    /// The items of two sequences from an index on.
    Items {
        place: usize,
        left: NodeRef<'a>,
        right: NodeRef<'a>,
        next: usize,
    },
}

struct Comparison<'a, 'o, F> {
    options: &'o DifferenceOptions,
    special: F,
    met: HashSet<(u32, u32)>,
    /// The place of each compared pair of collections. Paths are built only for differences.
    places: Vec<Place<'a>>,
    columns: Vec<Column>,
    pending: Vec<Pending<'a>>,
    /// The number of pairs that can still be compared.
    left: usize,
    list: Vec<Difference<'a>>,
    /// The ignored places at which the writing software differs.
    ignored: Vec<Path>,
}

impl<'a, F: FnMut(NodeRef<'a>, NodeRef<'a>) -> Result<Option<Special<'a>>>> Comparison<'a, '_, F> {
    /// Runs the comparison and returns whether everything was compared.
    fn run(&mut self) -> Result<bool> {
        while let Some(pending) = self.pending.pop() {
            let step = match pending {
                Pending::Pair(step) => step,
                Pending::Items { place, left, right, next } => {
                    if next >= left.len().max(right.len()) {
                        continue;
                    }
                    self.pending.push(Pending::Items { place, left, right, next: next + 1 });
                    let (left, right) = (left.item(next), right.item(next));
                    Step {
                        up: Some(place),
                        name: Name::Index(next),
                        left,
                        right,
                        column: self.column_of(place),
                    }
                }
            };
            if self.is_ignored(step) {
                continue;
            }
            if self.left == 0 || self.list.len() >= self.options.differences {
                return Ok(false);
            }
            self.left -= 1;
            match (step.left, step.right) {
                (Some(left), Some(right)) => {
                    if !self.pair(step, left, right)? {
                        return Ok(false);
                    }
                }
                (Some(_), None) => self.report(step, Change::Missing),
                (None, _) => self.report(step, Change::Added),
            }
        }
        Ok(true)
    }

    fn is_ignored(&self, step: Step<'a>) -> bool {
        let patterns = &self.options.ignored;
        !patterns.is_empty() && {
            let path = self.path(step);
            patterns.iter().any(|pattern| tag_matches(pattern, path.as_str()))
        }
    }

    fn path(&self, step: Step<'a>) -> Path {
        let mut names = Vec::new();
        let (mut up, mut name) = (step.up, step.name);
        while let Some(place) = up {
            names.push(name);
            let Some(above) = self.places.get(place) else { break };
            (up, name) = (above.up, above.name);
        }
        let mut path = Path::root();
        for name in names.into_iter().rev() {
            match name {
                Name::Key(key) => path.push(key),
                Name::Index(index) => path.push(&index.to_string()),
            }
        }
        path
    }

    fn column_of(&self, place: usize) -> Option<usize> {
        self.places.get(place).and_then(|place| place.column)
    }

    fn report(&mut self, step: Step<'a>, change: Change) {
        self.report_in(step, change.into());
    }

    fn report_in(&mut self, step: Step<'a>, difference: ArrayDifference) {
        let ArrayDifference { field, change } = difference;
        let column = step.column.and_then(|column| self.columns.get(column));
        if let (Change::Shape(shape), Some((left, right))) = (&change, column.and_then(|column| column.rows))
        {
            // The difference in rows was already reported for the table.
            let cells = shape.left.get(1..) == shape.right.get(1..);
            if left != right
                && cells
                && shape.left.first() == Some(&left)
                && shape.right.first() == Some(&right)
            {
                return;
            }
        }
        let column = match (column, field) {
            (Some(column), Some(field)) => Some(format!("{}.{field}", column.name)),
            (Some(column), None) => Some(column.name.clone()),
            (None, field) => field,
        };
        let path = self.path(step);
        self.list.push(Difference { path, column, change, left: step.left, right: step.right });
    }

    /// Compares two nodes and queues what is below them. Returns `false` if a limit was reached.
    fn pair(&mut self, step: Step<'a>, left: NodeRef<'a>, right: NodeRef<'a>) -> Result<bool> {
        let same_node = std::ptr::eq(left.tree(), right.tree()) && left.id() == right.id();
        let collections = !left.kind().is_scalar() && !right.kind().is_scalar();
        if same_node || (collections && !self.met.insert((left.id().number(), right.id().number()))) {
            return Ok(true);
        }
        if self.options.tags && !self.is_same_tag(significant_tag(left), significant_tag(right)) {
            self.report(step, Change::Tag);
        }
        let mut done: &[&str] = &[];
        let mut columns = Vec::new();
        let special = (self.special)(left, right);
        if let Some(special) = special.map_err(|error| error.at_path(self.path(step).as_str()))? {
            for change in special.changes {
                self.report_in(step, change);
            }
            match special.done {
                Some(keys) => done = keys,
                None => return Ok(true),
            }
            columns = special.columns;
        }
        let number = |kind| matches!(kind, Kind::Int | Kind::Float);
        let tolerance = self.options.tolerance;
        let by_value = !tolerance.is_exact() || (!self.options.datatypes && left.kind() != right.kind());
        if number(left.kind()) && number(right.kind()) && by_value {
            let close = match (left.as_f64(), right.as_f64()) {
                (Some(a), Some(b)) => tolerance.accepts(a, b),
                _ => left.text() == right.text(),
            };
            if !close {
                self.report(step, Change::Value);
            }
        } else if left.kind() != right.kind() {
            self.report(step, Change::Kind);
        } else if !collections {
            if !same_scalar(left, right) {
                self.report(step, Change::Value);
            }
        } else {
            let place = self.places.len();
            self.places.push(Place { up: step.up, name: step.name, column: step.column });
            self.plan_columns(place, columns);
            if left.kind() == Kind::Mapping {
                if !self.options.writer && self.is_history(step) {
                    done = &["extensions"];
                }
                return Ok(self.mappings(step, place, done));
            }
            self.pending.push(Pending::Items { place, left, right, next: 0 });
        }
        Ok(true)
    }

    /// Queues the columns of two tables, to be compared after the other entries.
    fn plan_columns(&mut self, table: usize, columns: Vec<ColumnPair<'a>>) {
        if columns.is_empty() {
            return;
        }
        let place = self.places.len();
        self.places.push(Place {
            up: Some(table),
            name: Name::Key("columns"),
            column: self.column_of(table),
        });
        for pair in columns.into_iter().rev() {
            let Some((index, _)) = pair.left.or(pair.right) else { continue };
            let node = |side: Option<(usize, NodeRef<'a>)>| side.map(|(_, node)| node);
            self.pending.push(Pending::Pair(Step {
                up: Some(place),
                name: Name::Index(index),
                left: node(pair.left),
                right: node(pair.right),
                column: Some(self.columns.len()),
            }));
            self.columns.push(Column { name: pair.name, rows: pair.rows });
        }
    }

    fn is_same_tag(&self, left: Option<&str>, right: Option<&str>) -> bool {
        match (left, right) {
            (Some(left), Some(right)) if !self.options.versions => {
                without_version(left) == without_version(right)
            }
            (left, right) => left == right,
        }
    }

    /// Removes from the entries of two roots what software writes about itself: `asdf_library`, and
    /// `extensions` in `history`.
    ///
    /// The entries of the history stay, in the form of either standard.
    fn without_writer(&mut self, place: usize, lefts: &mut Vec<Entry<'a>>, rights: &mut Vec<Entry<'a>>) {
        let left = take(lefts, "asdf_library").map(|entry| entry.value);
        let right = take(rights, "asdf_library").map(|entry| entry.value);
        self.ignore_writer(&["asdf_library"], left, right);
        let (left, right) = (take(lefts, "history"), take(rights, "history"));
        let value = |entry: &Option<Entry<'a>>| entry.as_ref().map(|entry| entry.value);
        let extensions = |node: Option<NodeRef<'a>>| node.and_then(|history| history.get("extensions"));
        let (a, b) = (value(&left), value(&right));
        self.ignore_writer(&["history", "extensions"], extensions(a), extensions(b));
        let is_mapping = |node: Option<NodeRef<'a>>| node.is_some_and(|node| node.kind() == Kind::Mapping);
        if is_mapping(a) && is_mapping(b) {
            // Keys other than `entries` and `extensions` are compared like any others.
            lefts.extend(left);
            rights.extend(right);
            return;
        }
        let (left, right) = (a.and_then(history), b.and_then(history));
        if left.is_some() || right.is_some() {
            self.pending.push(Pending::Pair(Step {
                up: Some(place),
                name: Name::Key("history"),
                left,
                right,
                column: None,
            }));
        }
    }

    /// Records an ignored difference of the writing software.
    fn ignore_writer(&mut self, steps: &[&str], left: Option<NodeRef<'a>>, right: Option<NodeRef<'a>>) {
        let same = match (left, right) {
            (Some(left), Some(right)) => {
                let options = DifferenceOptions::new().max_differences(1).max_pairs(self.options.pairs);
                left.differences(right, &options).is_same()
            }
            (left, right) => left.is_none() && right.is_none(),
        };
        let mut path = Path::root();
        steps.iter().for_each(|step| path.push(step));
        let is_named = self.options.ignored.iter().any(|pattern| tag_matches(pattern, path.as_str()));
        if !same && !is_named {
            self.ignored.push(path);
        }
    }

    /// Returns whether the step leads to the two histories of the roots.
    fn is_history(&self, step: Step<'a>) -> bool {
        let below_root = step.up.and_then(|up| self.places.get(up)).is_some_and(|place| place.up.is_none());
        below_root && matches!(step.name, Name::Key("history"))
    }

    fn mappings(&mut self, step: Step<'a>, place: usize, done: &[&str]) -> bool {
        let of = |node: Option<NodeRef<'a>>| node.map(|node| entries(node, done)).unwrap_or_default();
        let (mut lefts, mut rights) = (of(step.left), of(step.right));
        if !self.options.writer && step.up.is_none() {
            self.without_writer(place, &mut lefts, &mut rights);
        }
        // Limit the number of queued entries: the tree can be hostile.
        let waiting = self.pending.len().saturating_add(lefts.len()).saturating_add(rights.len());
        if waiting > self.options.pairs {
            return false;
        }
        let mut others: HashMap<Key<'a>, NodeRef<'a>> =
            rights.iter().map(|entry| (entry.key, entry.value)).collect();
        if self.options.key_order && lefts.len() == rights.len() {
            let same = lefts.iter().zip(&rights).all(|(a, b)| a.key == b.key);
            if !same && lefts.iter().all(|entry| others.contains_key(&entry.key)) {
                self.report(step, Change::Order);
            }
        }
        let column = self.column_of(place);
        let below = |name, left, right| {
            Pending::Pair(Step { up: Some(place), name: Name::Key(name), left, right, column })
        };
        let first = self.pending.len();
        for entry in &lefts {
            let right = others.remove(&entry.key);
            self.pending.push(below(entry.step, Some(entry.value), right));
        }
        for entry in &rights {
            if others.remove(&entry.key).is_some() {
                self.pending.push(below(entry.step, None, Some(entry.value)));
            }
        }
        // The stack returns the last first.
        if let Some(added) = self.pending.get_mut(first..) {
            added.reverse();
        }
        true
    }
}

/// The identity of a key within a mapping.
#[derive(PartialEq, Eq, Hash, Clone, Copy)]
enum Key<'a> {
    /// An integer or a boolean, which can be written in several ways. For a key that is a collection, its
    /// ordinal among such keys.
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

/// Removes the entry of a key from a list and returns it.
fn take<'a>(entries: &mut Vec<Entry<'a>>, key: &str) -> Option<Entry<'a>> {
    let at = entries.iter().position(|entry| entry.key == Key::Text(Kind::String, key))?;
    Some(entries.remove(at))
}

/// Returns what users wrote into a history: its entries, or all of it in the form of standards before 1.2.0.
///
/// Returns `None` if the history only lists the extensions that wrote the file.
fn history(node: NodeRef<'_>) -> Option<NodeRef<'_>> {
    let only_extensions =
        || node.entries().all(|(key, _)| matches!(key.as_str(), Some("extensions" | "entries")));
    match node.kind() {
        Kind::Mapping if only_extensions() => node.get("entries").filter(|entries| !entries.is_empty()),
        Kind::Sequence => Some(node).filter(|entries| !entries.is_empty()),
        _ => Some(node),
    }
}

/// Returns the entries of a mapping without some keys. Each key occurs once, with its last value.
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

/// Returns a tag without its version: `core/ndarray` for `core/ndarray-1.1.0`.
fn without_version(tag: &str) -> &str {
    let is_version =
        |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    match tag.rsplit_once('-') {
        Some((name, version)) if is_version(version) => name,
        _ => tag,
    }
}

/// Returns the tag unless it only repeats the kind of the node.
fn significant_tag(node: NodeRef<'_>) -> Option<&str> {
    node.tag().filter(|tag| {
        let name = tag.strip_prefix(YAML_TAG);
        !matches!(name, Some("null" | "bool" | "int" | "float" | "str" | "timestamp" | "seq" | "map"))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::tree::{Change, DifferenceOptions, NodeId, Path, Tolerance, Tree};

    fn tree(build: impl FnOnce(&mut Tree) -> NodeId) -> Tree {
        let mut tree = Tree::new();
        let root = build(&mut tree);
        tree.set_root(root);
        tree
    }

    fn shown(a: &Tree, b: &Tree, options: &DifferenceOptions) -> Vec<String> {
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
    fn reports_what_differs_and_where() {
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
        assert_eq!(shown(&first, &second, &exact), all);
        let loose = exact.clone().tolerance(Tolerance { relative: 0.0, absolute: 0.01 }).tags(false);
        let loose = loose.ignore("/list/*").ignore("/n*").ignore("/gone").ignore("**/kind");
        assert!(first.root().unwrap().differences(second.root().unwrap(), &loose).is_same());
        let few = first.root().unwrap().differences(second.root().unwrap(), &exact.max_differences(2));
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
            assert_eq!(shown(&scalar(a), &scalar(b), &exact).is_empty(), same, "{a} {b}");
            assert_eq!(shown(&scalar(a), &scalar(b), &loose).is_empty(), close, "{a} {b}");
        }
    }

    #[test]
    fn writer_can_be_ignored() {
        let text = |text: &str| crate::yaml::parse(text).unwrap();
        let one = text(
            "asdf_library: {name: a}\nhistory: {extensions: [x], entries: [{description: d}]}\nv: {asdf_library: 1}\n",
        );
        let other = text(
            "asdf_library: {name: b}\nhistory: {extensions: [y, z], entries: [{description: e}]}\nv: {asdf_library: 2}\n",
        );
        let options = DifferenceOptions::new().writer(false);
        let found = one.root().unwrap().differences(other.root().unwrap(), &options);
        assert_eq!(
            found.iter().map(ToString::to_string).collect::<Vec<_>>(),
            [
                "/v/asdf_library: changed: the integer 1 -> the integer 2",
                "/history/entries/0/description: changed: the string 'd' -> the string 'e'",
            ]
        );
        assert_eq!(
            found.ignored().iter().map(Path::as_str).collect::<Vec<_>>(),
            ["/asdf_library", "/history/extensions"]
        );
        // A history that only has extensions counts as absent; a list is the entries.
        for (a, b, same) in [
            ("v: 1", "{v: 1, history: {extensions: [x]}, asdf_library: {}}", true),
            ("{v: 1, history: [{d: 1}]}", "{v: 1, history: {extensions: [x], entries: [{d: 1}]}}", true),
            ("{v: 1, history: [{d: 1}]}", "{v: 1, history: {extensions: [x], entries: [{d: 2}]}}", false),
            ("{v: 1, history: [{d: 1}]}", "v: 1", false),
            ("{v: 1, history: {extensions: [x], more: 1}}", "v: 1", false),
            ("{v: 1, history: {extensions: [x], more: 1}}", "{v: 1, history: {more: 1}}", true),
        ] {
            assert_eq!(shown(&text(a), &text(b), &options).is_empty(), same, "{a} {b}");
            assert_eq!(shown(&text(b), &text(a), &options).is_empty(), same, "{b} {a}");
        }
        assert_eq!(shown(&one, &other, &DifferenceOptions::new()).len(), 5);
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
        assert!(shown(&keys(&["a", "0x10", "yes"]), &keys(&["16", "true", "a"]), &options).is_empty());
        assert_eq!(
            shown(&keys(&["a", "b"]), &keys(&["b", "a"]), &options.clone().key_order(true)),
            ["/: the same keys in another order"]
        );
        assert!(shown(&keys(&["a", "a"]), &keys(&["a"]), &options).is_empty());
        assert_eq!(shown(&keys(&["1"]), &keys(&["'1'"]), &options).len(), 2);
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
        assert!(shown(&bomb(1), &bomb(1), &options).is_empty());
        // The two items of the innermost list differ; every list is compared once.
        assert_eq!(shown(&bomb(1), &bomb(2), &options).len(), 2);
        let (a, b) = (bomb(1), bomb(1));
        let cut = a.root().unwrap().differences(b.root().unwrap(), &options.max_pairs(10));
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
