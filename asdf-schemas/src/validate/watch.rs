//! Validation of a tree that is being edited.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Arc;

use asdf_core::tree::NodeRef;
use asdf_core::{Path, Tree};

use super::{Findings, Report, Validator, Violation, expansion, subset};

/// What is wrong with a tree while a program edits it: after a change, only what the change touched is
/// judged again. That is all that is at or below the changed place, and each node above it by itself.
///
/// A tree in which nodes are shared (aliases) is judged whole each time: a change shows in several places.
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
/// watch.changed(&tree, &Path::from("/a/version"));
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
        if expansion::is_shared(root) {
            return self.whole(tree);
        }
        self.found.retain(|at, _| !at.is_in(path) && !path.is_in(at));
        // Nothing is shared, so aliases stand for nothing.
        let validator = self.validator.clone();
        let mut rules = validator.rules_without_aliases().telling_every_unknown_tag();
        let mut at = Path::root();
        let mut node = Some(root);
        let steps = path.as_str().split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~"));
        for step in steps {
            let Some(above) = node else { break };
            self.judge(&at, |out| {
                if at.as_str().is_empty() {
                    rules.root(above, out);
                }
                rules.node(above, || at.clone(), out);
            });
            at.push(&step);
            node = above.child(&step);
        }
        if let Some(node) = node {
            self.all_below(&mut rules, node, &at);
        }
    }

    /// What is wrong now. Its number of validated nodes is that of the last change.
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
        let Some(root) = tree.root() else { return };
        let validator = self.validator.clone();
        let mut rules = validator.rules(tree, None).telling_every_unknown_tag();
        self.judge(&Path::root(), |out| subset::directives(tree, out));
        self.all_below(&mut rules, root, &Path::root());
    }

    fn all_below<'t>(&mut self, rules: &mut super::validator::Rules<'t>, node: NodeRef<'t>, start: &Path) {
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
            ("/big", |tree| tree.edit("/big").insert(u64::MAX).unwrap()),
            ("", |tree| tree.edit("").set(5).unwrap()),
        ];
        for (path, change) in changes {
            change(&mut tree);
            watch.changed(&tree, &Path::from(path));
            assert_eq!(messages(&watch.report()), messages(&validator.validate_tree(&tree)), "after {path}");
        }
    }

    #[test]
    fn shared_nodes_are_judged_wherever_they_are() {
        let text = "%TAG ! tag:stsci.edu:asdf/\n--- {a: &s {name: a, version: '1'}, b: !core/software-1.0.0 {name: *s, version: '2'}}";
        let tree = parse(text).unwrap();
        let mut watch = Watch::new(Validator::standard(), &tree);
        watch.changed(&tree, &Path::from("/a"));
        assert_eq!(messages(&watch.report()), messages(&Validator::standard().validate_tree(&tree)));
        assert!(!watch.report().is_valid());
    }
}
