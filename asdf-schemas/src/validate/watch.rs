//! Validation of a tree that is being edited.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Arc;

use asdf_core::tree::NodeRef;
use asdf_core::{Path, Tree};
use asdf_schema_model::pointer::steps;

use super::validator::Rules;
use super::{Findings, Report, Validator, Violation, expansion, subset};
use crate::defaults::FIRST_WITHOUT_DEFAULTS;

/// What is wrong with a tree while a program edits it: after a change, only what the change touched is
/// judged again. That is all that is at or below the changed place, and each node above it by itself.
///
/// A tree in which nodes are shared (aliases) is judged whole each time: a change shows in several places. To see
/// that there are none, every change costs a look at each node, which takes a small part of the time that judging
/// does.
///
/// The validator's [limits](Validator::most_findings) of findings and time are not those of a watch.
///
/// ```
/// use asdf_core::{Path, yaml};
/// use asdf_schemas::{Validator, validate::Watch};
///
/// let mut tree = yaml::parse(
///     "%TAG ! tag:stsci.edu:asdf/\n--- {a: !core/software-1.0.0 {name: camera, version: '2.1'}, b: [1, 2]}",
/// )?;
/// let mut watch = Watch::new(Validator::standard(), &tree);
/// assert!(watch.report().is_valid());
///
/// tree.edit("/a/version").set(2.1)?;
/// watch.changed(&tree, &"/a/version".parse()?);
/// assert_eq!(watch.report().violations()[0].path().as_str(), "/a/version");
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Watch {
    validator: Arc<Validator>,
    /// What was found when the node at each path was judged.
    found: BTreeMap<Path, Vec<Violation>>,
    validated: usize,
}

impl Watch {
    /// Judges the whole tree.
    #[must_use]
    pub fn new(validator: Arc<Validator>, tree: &Tree) -> Self {
        let mut watch = Self { validator, found: BTreeMap::new(), validated: 0 };
        watch.whole(tree);
        watch
    }

    /// Judges again what a change of the value at `path` touched: a value that was set, inserted, moved
    /// there, or removed. After a change of a list's length, give the list's path.
    pub fn changed(&mut self, tree: &Tree, path: &Path) {
        self.validated = 0;
        let Some(root) = tree.root() else {
            self.found.clear();
            return;
        };
        if tree.standard() < FIRST_WITHOUT_DEFAULTS || expansion::is_shared(root) {
            return self.whole(tree);
        }
        self.found.retain(|at, _| !at.is_in(path) && !path.is_in(at));
        let validator = self.validator.clone();
        let mut rules = Rules::new(&validator, tree, None).telling_every_unknown_tag();
        self.directives(tree);
        // A key may stand in its mapping twice, and then a path leads to two nodes.
        let (mut at, mut nodes) = (Path::root(), vec![root]);
        for step in steps(path.as_str()) {
            for node in &nodes {
                self.judge(&at, |out| {
                    if at.as_str().is_empty() {
                        rules.root(*node, out);
                    }
                    rules.node(*node, || at.clone(), out);
                });
            }
            nodes = nodes.into_iter().flat_map(|node| children(node, &step)).collect();
            at.push(&step);
        }
        for node in nodes {
            self.all_below(&mut rules, node, &at);
        }
    }

    /// What is wrong now, but for the meaning of units, times and tables, which only whole trees are checked for. Its number of validated nodes is that of the last change. What a program made has no
    /// place in the text, and comes last, in the order of the paths.
    #[must_use]
    pub fn report(&self) -> Report {
        let mut findings: Vec<Violation> = self.found.values().flatten().cloned().collect();
        // Every node with an unknown tag has its note here; the report has one for each tag.
        findings.sort_by_key(|finding| (finding.position().is_none(), finding.position()));
        let mut unknown = BTreeSet::new();
        findings.retain(|finding| match finding.unknown_tag() {
            Some(tag) => unknown.insert(tag.to_owned()),
            None => true,
        });
        Report::new(findings, self.validated, unknown.into_iter().collect())
    }

    fn whole(&mut self, tree: &Tree) {
        self.found.clear();
        self.validated = 0;
        let validator = self.validator.clone();
        let mut filled = None;
        self.judge(&Path::root(), |out| filled = validator.filled(tree, out));
        let tree = filled.as_ref().unwrap_or(tree);
        let Some(root) = tree.root() else { return };
        let mut rules = Rules::new(&validator, tree, None).telling_every_unknown_tag();
        self.directives(tree);
        self.all_below(&mut rules, root, &Path::root());
    }

    fn directives(&mut self, tree: &Tree) {
        self.judge(&Path::root(), |out| subset::directives(tree, out));
    }

    fn all_below<'t>(&mut self, rules: &mut Rules<'t>, node: NodeRef<'t>, start: &Path) {
        if start.as_str().is_empty() {
            self.judge(start, |out| rules.root(node, out));
        }
        let mut walk = node.walk();
        while let Some(node) = walk.next() {
            // Few nodes have findings, so few paths are made.
            let mut found = Vec::new();
            self.validated += collect(&mut found, |out| rules.node(node, || start.join(&walk.path()), out));
            if !found.is_empty() {
                self.found.entry(start.join(&walk.path())).or_default().append(&mut found);
            }
        }
    }

    fn judge(&mut self, at: &Path, judge: impl FnOnce(&mut Findings<'_>)) {
        let mut found = Vec::new();
        self.validated += collect(&mut found, judge);
        if !found.is_empty() {
            self.found.entry(at.clone()).or_default().append(&mut found);
        }
    }
}

/// What a step of a path leads to, where [`Walk::path`](asdf_core::tree::Walk::path) has such a step.
fn children<'t>(node: NodeRef<'t>, step: &str) -> Vec<NodeRef<'t>> {
    let is_meant = |key: NodeRef<'_>| key.text().unwrap_or("?") == step;
    let item = step.parse().ok().and_then(|index| node.item(index));
    item.into_iter().chain(node.entries().filter(|(key, _)| is_meant(*key)).map(|(_, value)| value)).collect()
}

/// Collects findings, and says how many nodes were validated.
fn collect(found: &mut Vec<Violation>, judge: impl FnOnce(&mut Findings<'_>)) -> usize {
    let mut take = |violation| {
        found.push(violation);
        ControlFlow::Continue(())
    };
    let mut out = Findings::new(&mut take, None);
    judge(&mut out);
    out.validated
}

#[cfg(test)]
mod tests {
    use super::*;
    use asdf_core::Node;
    use asdf_core::tree::{Kind, NodeId};
    use asdf_core::yaml::parse;

    fn messages(report: &Report) -> Vec<String> {
        let mut all: Vec<String> = report.findings().map(|one| format!("{} {one}", one.code())).collect();
        all.sort();
        all
    }

    #[test]
    fn after_every_change_the_report_is_that_of_the_whole_tree() {
        let text = "%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\nhistory:\n  entries:\n  \
                    - !core/history_entry-1.0.0 {description: made, software: !core/software-1.0.0 {name: a, version: '1'}}\n\
                    b: [!core/software-1.0.0 {name: c, version: 5}, !x 7]\n";
        let mut tree = parse(text).unwrap();
        let validator = Validator::standard();
        let mut watch = Watch::new(validator.clone(), &tree);
        type Change = (&'static str, fn(&mut Tree));
        let changes: [Change; 7] = [
            ("/b/0/version", |tree| tree.edit("/b/0/version").set("5").unwrap()),
            ("/history/entries/0/software/name", |tree| {
                tree.edit("/history/entries/0/software/name").set(3).unwrap();
            }),
            ("/history/entries/0/description", |tree| {
                tree.edit("/history/entries/0/description").set(1).unwrap()
            }),
            ("/history", |tree| drop(tree.edit("/history").remove().unwrap())),
            ("/b/1", |tree| tree.edit("/b/1").set("new").unwrap()),
            ("/big", |tree| {
                let large = parse("18446744073709551615").unwrap().get::<Node>("").unwrap();
                tree.edit("/big").insert(large).unwrap();
            }),
            ("", |tree| tree.edit("").set(5).unwrap()),
        ];
        for (path, change) in changes {
            change(&mut tree);
            watch.changed(&tree, &path.parse().unwrap());
            assert_eq!(messages(&watch.report()), messages(&validator.validate_tree(&tree)), "after {path}");
        }
    }

    #[test]
    fn shared_nodes_are_judged_wherever_they_are() {
        let text = "%TAG ! tag:stsci.edu:asdf/\n--- {a: &s {name: a, version: '1'}, b: !core/software-1.0.0 {name: *s, version: '2'}}";
        let tree = parse(text).unwrap();
        let mut watch = Watch::new(Validator::standard(), &tree);
        watch.changed(&tree, &"/a".parse().unwrap());
        assert_eq!(messages(&watch.report()), messages(&Validator::standard().validate_tree(&tree)));
        assert!(!watch.report().is_valid());
    }

    /// The same numbers everywhere (splitmix64).
    struct Random(u64);

    impl Random {
        fn below(&mut self, many: usize) -> usize {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            usize::try_from((mixed ^ (mixed >> 31)) % many.max(1) as u64).unwrap()
        }

        fn of<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
            all[self.below(all.len())]
        }

        fn node(&mut self, tree: &mut Tree, depth: usize) -> NodeId {
            let id = match self.below(if depth > 2 { 5 } else { 7 }) {
                0 => tree.add_int(5),
                1 => tree.add_int(u64::MAX),
                2 => tree.add_float(2.5),
                3 => tree.add_null(),
                4 => tree.add_str("text"),
                5 => {
                    let items: Vec<_> = (0..self.below(3)).map(|_| self.node(tree, depth + 1)).collect();
                    tree.add_sequence(items)
                }
                _ => {
                    let mapping = tree.add_mapping([]);
                    for _ in 0..self.below(4) {
                        let (key, value) = (self.of(NAMES), self.node(tree, depth + 1));
                        tree.insert(mapping, key, value);
                    }
                    mapping
                }
            };
            if self.below(3) == 0 {
                tree.set_tag(id, Some(self.of(TAGS)));
            }
            id
        }

        /// Changes something; gives what is told to a watch, and says what was done.
        fn edit(&mut self, tree: &mut Tree) -> (Vec<Path>, String) {
            let mut places = Vec::new();
            let mut walk = tree.root().unwrap().walk();
            while let Some(node) = walk.next() {
                // What stands under a key that comes again has no path of its own.
                let path = walk.path();
                if tree.find(path.as_str()).is_some_and(|found| found.id() == node.id()) {
                    places.push((path, node.id()));
                }
            }
            let (path, id) = places[self.below(places.len())].clone();
            let (other, other_id) = places[self.below(places.len())].clone();
            let parent = path.parent();
            let in_list = parent
                .as_ref()
                .is_some_and(|parent| tree.find(parent.as_str()).unwrap().kind() == Kind::Sequence);
            match (self.below(8), parent) {
                (0, Some(parent)) => {
                    tree.remove_at(path.as_str()).unwrap();
                    (vec![if in_list { parent } else { path.clone() }], format!("removed {path}"))
                }
                (1, _) => {
                    tree.set_tag(id, Some(self.of(TAGS)));
                    (vec![path.clone()], format!("tagged {path}"))
                }
                (2, Some(parent)) if !in_list => {
                    let new = format!("{}x", self.of(NAMES));
                    // It may be there already; then nothing happens.
                    let _ = tree.rename_key(path.as_str(), &new);
                    let mut at = parent;
                    at.push(&new);
                    (vec![path.clone(), at], format!("renamed {path} to {new}"))
                }
                (3, _) if tree.node(id).kind() == Kind::Sequence => {
                    let item = self.node(tree, 0);
                    tree.push(id, item);
                    (vec![path.clone()], format!("pushed to {path}"))
                }
                (4 | 5, _) if tree.node(id).kind() == Kind::Mapping => {
                    let (key, value) = (self.of(NAMES), self.node(tree, 0));
                    tree.insert(id, key, value);
                    let mut at = path.clone();
                    at.push(key);
                    (vec![at], format!("inserted {key} in {path}"))
                }
                (6, Some(_)) if self.below(10) == 0 => {
                    tree.put(path.as_str(), other_id).unwrap();
                    (vec![path.clone()], format!("{other} also at {path}"))
                }
                _ => {
                    let value = self.node(tree, 0);
                    tree.put(path.as_str(), value).unwrap();
                    (vec![path.clone()], format!("set {path}"))
                }
            }
        }
    }

    const NAMES: &[&str] = &["name", "version", "shape", "source", "entries", "history", "a/b", "1", "?"];
    const TAGS: &[&str] = &[
        "tag:stsci.edu:asdf/core/software-1.0.0",
        "tag:stsci.edu:asdf/core/ndarray-1.1.0",
        "tag:stsci.edu:asdf/core/history_entry-1.0.0",
        "tag:nobody.org:thing-1.0.0",
        "tag:nobody.org:other-1.0.0",
    ];

    #[test]
    fn random_edits_are_watched_as_if_all_were_validated() {
        let text = "%YAML 1.2\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n1: {x: 5}\n'1': !core/software-1.0.0 {name: 5}\n\
                    a: !core/software-1.0.0 {name: 5}\na: !core/software-1.0.0 {version: 6}\n\
                    ? [k]\n: !core/software-1.0.0 {}\nlist: [!core/software-1.0.0 {}, {name: 1}]\n";
        let (validator, mut judged, mut found) = (Validator::standard(), 0, 0);
        for seed in 0..20 {
            let mut random = Random(seed);
            let mut tree = parse(text).unwrap();
            let mut watch = Watch::new(validator.clone(), &tree);
            for _ in 0..25 {
                let (paths, what) = random.edit(&mut tree);
                for path in &paths {
                    watch.changed(&tree, path);
                }
                let (ours, whole) = (watch.report(), validator.validate_tree(&tree));
                // Which node with an unknown tag is the first is another matter.
                let told = |report: &Report| {
                    let notes: Vec<String> =
                        report.notes().iter().map(|note| note.message().to_owned()).collect();
                    let mut all: Vec<String> = report
                        .violations()
                        .iter()
                        .chain(report.warnings())
                        .map(|one| format!("{} {one}", one.code()))
                        .collect();
                    all.extend(notes);
                    all.sort();
                    (all, report.unknown_tags().to_vec())
                };
                assert_eq!(told(&ours), told(&whole), "seed {seed}: {what}");
                judged += usize::from(ours.validated() < whole.validated());
                found += whole.violations().len();
            }
        }
        // Most edits are far from most nodes.
        assert!(judged > 150 && found > 1500, "{judged} {found}");
    }
}
