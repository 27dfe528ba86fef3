//! Validates the nodes of one tree.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::Arc;

use asdf_core::file::Version;
use asdf_core::tree::{NodeId, NodeRef, Path};
use asdf_core::value::FromNode;
use asdf_core::{File, NdArray, Tree};

use super::{Compiled, Validator};
use crate::expansion::Expansion;
use crate::registry::Edition;
use crate::validate::check::OwnCheck;
use crate::validate::meaning::Meaning;
use crate::validate::steps::TooMany;
use crate::validate::{Code, Findings, Violation, arrays, subset, tags};

/// Validates the nodes of one tree.
pub(super) struct Rules<'t> {
    validator: &'t Validator,
    expansions: HashMap<NodeId, Expansion>,
    /// The rules of each tag, by its number in the tree. Each tag is looked up once.
    tags: Vec<Option<Rc<Tag<'t>>>>,
    unknown: BTreeSet<&'t str>,
    version: Option<(Version, Arc<Edition>)>,
    data: bool,
    /// The number of nodes that were validated, with aliases expanded. Counted only in trees with aliases.
    given: u64,
}

/// The rules for the nodes with a tag.
#[derive(Debug)]
struct Tag<'t> {
    name: &'t str,
    engines: Vec<Compiled>,
    checks: Vec<&'t OwnCheck>,
    meaning: Option<Meaning>,
    /// Whether its nodes are compared with their data.
    data: bool,
}

impl<'t> Rules<'t> {
    /// Makes the rules for a tree. With a file, arrays are checked against their blocks, and tags against the version of
    /// the standard that the file names.
    pub(super) fn new(validator: &'t Validator, tree: &'t Tree, file: Option<&File>) -> Self {
        Self {
            validator,
            expansions: tree.root().map(|root| validator.expansions(root)).unwrap_or_default(),
            tags: Vec::new(),
            unknown: BTreeSet::new(),
            version: file.and_then(|file| {
                let version = file.standard();
                Some((version, validator.registry().edition(version).ok()?))
            }),
            data: file.is_some(),
            given: 0,
        }
    }

    /// Returns the tags without a schema that were found.
    pub(super) fn unknown_tags(&self) -> BTreeSet<String> {
        self.unknown.iter().copied().map(str::to_owned).collect()
    }

    /// Validates the root against the schema for whole trees.
    pub(super) fn root(&mut self, root: NodeRef<'t>, out: &mut Findings<'_>) {
        let Some(id) = self.validator.schema() else { return };
        match self.too_large(root) {
            Some(message) => out.push(Violation::at(root, Path::root(), Code::Limit, message)),
            None => hold(root, &self.validator.engine(id), Path::root, out),
        }
    }

    /// Validates a node and all nodes below it, each once.
    pub(super) fn below(&mut self, node: NodeRef<'t>, path: impl Fn() -> Path, out: &mut Findings<'_>) {
        let mut walk = node.walk();
        while let Some(node) = walk.next() {
            if out.enough_between_nodes() {
                return;
            }
            self.node(node, || path().join(&walk.path()), out);
        }
    }

    /// Validates one node. The path is computed only if there is a finding.
    fn node(&mut self, node: NodeRef<'t>, path: impl Fn() -> Path, out: &mut Findings<'_>) {
        subset::check(node, &path, out);
        let Some(number) = node.tag_index() else { return };
        // The target of a reference is validated in its own place.
        if node.get("$ref").is_some() {
            return;
        }
        let tag = match self.tags.get(number) {
            Some(Some(tag)) => tag.clone(),
            _ => self.first(node, number, &path, out),
        };
        if tag.name.is_empty() {
            return;
        }
        if tag.engines.is_empty() {
            out.unchecked += 1;
            if self.unknown.insert(tag.name) {
                out.push(tags::unknown(node, path(), tag.name, self.validator.registry()));
            }
        } else if let Some(message) = self.too_large(node) {
            out.push(Violation::at(node, path(), Code::Limit, message));
            return;
        } else {
            // A schema can describe a large part of the tree, so the clock is read before each one.
            if out.end().is_some() && out.enough() {
                return;
            }
            out.validated += 1;
        }
        for engine in &tag.engines {
            hold(node, engine, &path, out);
        }
        for check in &tag.checks {
            check.run(node, &path, out);
        }
        if let Some(meaning) = tag.meaning {
            meaning.check(node, &path, out);
        }
        if tag.data {
            arrays::check(node, &path, out);
        }
    }

    /// Looks up the rules of a tag at its first node.
    fn first(
        &mut self,
        node: NodeRef<'t>,
        number: usize,
        path: impl Fn() -> Path,
        out: &mut Findings<'_>,
    ) -> Rc<Tag<'t>> {
        let validator = self.validator;
        // YAML's own tags have no rules.
        let name = node.own_tag().unwrap_or_default();
        let schemas = validator.registry().schemas_of(name);
        let checks: Vec<_> = validator.checks().iter().filter(|check| check.is_about(name)).collect();
        let tag = Rc::new(Tag {
            name,
            engines: schemas.into_iter().map(|id| validator.engine(id)).collect(),
            checks,
            meaning: Meaning::of_tag(name),
            data: self.data && NdArray::accepts_tag(name),
        });
        if self.tags.len() <= number {
            self.tags.resize(number + 1, None);
        }
        if let Some(place) = self.tags.get_mut(number) {
            *place = Some(tag.clone());
        }
        let version = self.version.as_ref();
        let misaligned =
            version.and_then(|(version, known)| tags::misaligned(node, path, name, *version, known));
        if let Some(warning) = misaligned {
            out.push(warning);
        }
        tag
    }

    /// Returns the message if a node is too large to validate.
    fn too_large(&mut self, node: NodeRef<'_>) -> Option<String> {
        if self.expansions.is_empty() {
            return None;
        }
        let found = self.expansions.get(&node.id())?;
        self.validator.too_large(found).or_else(|| {
            self.given = self.given.saturating_add(found.nodes);
            self.validator.too_much(self.given)
        })
    }
}

/// Validates a node against one schema.
pub(super) fn hold(node: NodeRef<'_>, engine: &Compiled, path: impl Fn() -> Path, out: &mut Findings<'_>) {
    let engine = match engine {
        Ok(engine) => engine,
        Err(why) => {
            let mut violation = Violation::at(node, path(), Code::Schema, why.message.clone());
            violation.hint.clone_from(&why.hint);
            return out.push(violation);
        }
    };
    let found = match engine.is_valid(node) {
        Ok(true) => return,
        Ok(false) => {
            let at = path();
            engine.violations(node, |mut violation| {
                violation.path = at.join(&violation.path);
                out.push(violation);
                if out.enough() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
        }
        Err(TooMany) => Err(TooMany),
    };
    if found == Err(TooMany) {
        out.push(Violation::at(node, path(), Code::Limit, engine.too_many()));
    }
}
