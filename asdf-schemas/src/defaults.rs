//! Fills in the defaults of properties that files older than ASDF Standard 1.6.0 leave out.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use asdf_core::tree::{Kind, Node, NodeId, NodeRef};
use asdf_core::{Result, Tree};

use crate::Registry;
use crate::documents::{Documents, Place};

/// The first version of the ASDF Standard in which defaults are not filled in, in the form of [`Tree::standard`].
pub(crate) const FIRST_WITHOUT_DEFAULTS: (u16, u16, u16) = (1, 6, 0);

/// The maximum depth of schemas, which is also that of YAML texts.
const MAX_DEPTH: usize = 512;

/// Fills in the defaults that files older than ASDF Standard 1.6.0 leave out.
///
/// Writers of such files left out properties with the default of their schema, so the standard requires readers to fill them
/// in. For 1.6.0 and later it forbids that: a missing property is missing.
///
/// Each tagged node gets the defaults of the schemas of its tag, as in Python's asdf. They come from `properties`, from the
/// schemas below `properties` and `items`, and from the parts of `allOf`. Defaults behind a `$ref` and in alternatives are
/// not used. A default that contradicts the type of the `$ref` beside it is not filled in. Existing values stay, including
/// null, and so do mappings with a `$ref`.
///
/// The [`Validator`](crate::Validator) fills in defaults before it validates, without changing the tree.
/// [`convert`](crate::convert()) writes them if the new version is 1.6.0 or later. A schema is compiled when its tag is first
/// found.
///
/// # Examples
///
/// ```
/// use asdf_core::File;
/// use asdf_schemas::{Defaults, Registry};
///
/// let file = File::from_bytes(&b"#ASDF 1.0.0\n#ASDF_STANDARD 1.5.0\n%YAML 1.1\n\
/// %TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n\
/// t: !transform/rotate3d-1.2.0 {phi: 1.0, theta: 2.0, psi: 3.0}\n...\n"[..])?;
/// let filled = Defaults::new(Registry::standard()).filled(file.tree())?.expect("a default is missing");
/// assert_eq!(filled.get::<String>("/t/direction")?, "native2celestial");
/// assert!(file.tree().find("/t/direction").is_none());
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug)]
#[doc(alias = "fill_defaults")]
#[doc(alias = "remove_defaults")]
pub struct Defaults {
    registry: Arc<Registry>,
    /// By the ids of schemas.
    plans: Mutex<HashMap<String, Arc<Plan>>>,
}

impl Defaults {
    /// Uses the defaults of the schemas of a registry.
    #[must_use]
    pub fn new(registry: Arc<Registry>) -> Self {
        Self { registry, plans: Mutex::default() }
    }

    /// Returns a copy of a tree with the missing defaults, or `None` if there are none.
    ///
    /// Trees of standard 1.6.0 and later never have missing defaults. Nodes have the same ids and positions in the copy.
    ///
    /// # Errors
    /// [`Limit`](asdf_core::error::Kind::Limit) if the copy would have too many nodes.
    pub fn filled(&self, tree: &Tree) -> Result<Option<Tree>> {
        self.filled_for(tree, None)
    }

    /// Like [`filled`](Self::filled), but also with the defaults of a schema for the root.
    pub(crate) fn filled_for(&self, tree: &Tree, schema: Option<&str>) -> Result<Option<Tree>> {
        let incomplete = self.incomplete(tree, schema);
        if incomplete.is_empty() {
            return Ok(None);
        }
        let mut copy = tree.clone();
        self.complete(&mut copy, incomplete)?;
        Ok(Some(copy))
    }

    /// Fills in the missing defaults of a tree, so that they are written. Returns whether any were missing.
    ///
    /// # Errors
    /// [`Limit`](asdf_core::error::Kind::Limit) if the tree would have too many nodes.
    #[doc(alias = "fill_defaults")]
    pub fn fill(&self, tree: &mut Tree) -> Result<bool> {
        let incomplete = self.incomplete(tree, None);
        let any = !incomplete.is_empty();
        self.complete(tree, incomplete)?;
        Ok(any)
    }

    /// Returns the tagged nodes, and the root if there is a schema for it, with a missing default at or below them.
    fn incomplete(&self, tree: &Tree, schema: Option<&str>) -> Vec<(NodeId, Arc<Plan>)> {
        let mut found = Vec::new();
        if tree.standard() >= FIRST_WITHOUT_DEFAULTS {
            return found;
        }
        // Each tag is looked up once, by its number in the tree.
        let mut tags: Vec<Option<Vec<Arc<Plan>>>> = Vec::new();
        for node in tree.root().into_iter().flat_map(NodeRef::walk) {
            let Some((number, tag)) = node.tag_index().zip(node.own_tag()) else { continue };
            if tags.len() <= number {
                tags.resize(number + 1, None);
            }
            let Some(place) = tags.get_mut(number) else { continue };
            let plans = place.get_or_insert_with(|| self.plans_of(tag));
            let lacking = plans.iter().filter(|plan| plan.is_lacking(node));
            found.extend(lacking.map(|plan| (node.id(), plan.clone())));
        }
        let whole = schema.map(|id| self.plan(id)).zip(tree.root());
        found.extend(
            whole.filter(|(plan, root)| plan.is_lacking(*root)).map(|(plan, root)| (root.id(), plan)),
        );
        found
    }

    fn complete(&self, tree: &mut Tree, incomplete: Vec<(NodeId, Arc<Plan>)>) -> Result<()> {
        // The last entry is processed first.
        let mut pending: Vec<_> = incomplete.into_iter().rev().collect();
        while let Some((id, plan)) = pending.pop() {
            let mut added = Vec::new();
            plan.fill(tree, id, &mut added)?;
            // A default can have tags, whose schemas have defaults too.
            for node in added.into_iter().flat_map(|id| tree.node(id).walk()) {
                let Some(tag) = node.own_tag() else { continue };
                pending.extend(self.plans_of(tag).into_iter().rev().map(|plan| (node.id(), plan)));
            }
        }
        Ok(())
    }

    /// Returns the plans of the schemas of a tag.
    fn plans_of(&self, tag: &str) -> Vec<Arc<Plan>> {
        let ids = self.registry.schemas_of(tag);
        ids.into_iter().map(|id| self.plan(id)).filter(|plan| !plan.0.is_empty()).collect()
    }

    fn plan(&self, id: &str) -> Arc<Plan> {
        let mut plans = self.plans.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(plan) = plans.get(id) {
            return plan.clone();
        }
        // Few schemas have defaults, and the others are not parsed.
        let may_have = self.registry.text(id).is_some_and(|text| text.contains("default"));
        let mut documents = Documents::of(&*self.registry);
        let schema = documents.get(id).filter(|_| may_have);
        let plan = Arc::new(schema.map(|place| Plan::of(&mut documents, place, 0)).unwrap_or_default());
        plans.insert(id.to_owned(), plan.clone());
        plan
    }
}

/// The defaults of a schema for a value and the values below it, in the order of the schema. Of two defaults for the same
/// property, the first one is used.
#[derive(Debug, Default)]
struct Plan(Vec<Step>);

#[derive(Debug)]
enum Step {
    /// A property, its default, and the plan for its value.
    Property { name: String, default: Option<Node>, below: Plan },
    /// All items of a sequence.
    Items(Plan),
    /// The first items of a sequence, one by one.
    First(Vec<Plan>),
}

impl Plan {
    fn of(documents: &mut Documents<&Registry>, schema: Place, depth: usize) -> Self {
        let mut plan = Self::default();
        if depth < MAX_DEPTH {
            plan.add(documents, schema, depth);
        }
        plan
    }

    fn add(&mut self, documents: &mut Documents<&Registry>, schema: Place, depth: usize) {
        let Some(tree) = documents.tree(schema) else { return };
        let mut below = |part: NodeRef<'_>| {
            let place = Place { node: part.id(), ..schema };
            (Self::of(documents, place, depth + 1), default(documents, place, part))
        };
        for (key, value) in tree.node(schema.node).entries() {
            match key.as_str() {
                Some("properties") => {
                    for (name, part) in value.entries() {
                        let Some(name) = name.as_str() else { continue };
                        let (below, default) = below(part);
                        if default.is_some() || !below.0.is_empty() {
                            self.0.push(Step::Property { name: name.to_owned(), default, below });
                        }
                    }
                }
                Some("items") if value.kind() == Kind::Sequence => {
                    let places: Vec<Self> = value.items().map(|part| below(part).0).collect();
                    if places.iter().any(|plan| !plan.0.is_empty()) {
                        self.0.push(Step::First(places));
                    }
                }
                Some("items") => {
                    let (below, _) = below(value);
                    if !below.0.is_empty() {
                        self.0.push(Step::Items(below));
                    }
                }
                Some("allOf") => value.items().for_each(|part| self.0.append(&mut below(part).0.0)),
                _ => {}
            }
        }
    }

    /// Whether a default is missing in a node or below it.
    fn is_lacking(&self, node: NodeRef<'_>) -> bool {
        if node.get("$ref").is_some() {
            return false;
        }
        self.0.iter().any(|step| match step {
            Step::Property { name, default, below } => match member(node, name) {
                Some(value) => below.is_lacking(value),
                None => default.is_some() && is_object(node),
            },
            Step::Items(below) => items(node).any(|item| below.is_lacking(item)),
            Step::First(places) => items(node).zip(places).any(|(item, below)| below.is_lacking(item)),
        })
    }

    /// Fills in the missing defaults of a node and below it. Adds the new nodes to `added`.
    fn fill(&self, tree: &mut Tree, id: NodeId, added: &mut Vec<NodeId>) -> Result<()> {
        if tree.node(id).get("$ref").is_some() {
            return Ok(());
        }
        for step in &self.0 {
            let node = tree.node(id);
            match step {
                Step::Property { name, default, below } => {
                    let value = match (member(node, name).map(NodeRef::id), default) {
                        (Some(value), _) => value,
                        (None, Some(default)) if is_object(node) => {
                            let value = tree.graft(default.view())?;
                            insert(tree, id, name, value);
                            added.push(value);
                            value
                        }
                        _ => continue,
                    };
                    below.fill(tree, value, added)?;
                }
                Step::Items(below) => {
                    let ids: Vec<NodeId> = items(node).map(NodeRef::id).collect();
                    ids.into_iter().try_for_each(|id| below.fill(tree, id, added))?;
                }
                Step::First(places) => {
                    let ids: Vec<NodeId> = items(node).map(NodeRef::id).collect();
                    ids.into_iter().zip(places).try_for_each(|(id, below)| below.fill(tree, id, added))?;
                }
            }
        }
        Ok(())
    }
}

/// Returns the default of a property, unless the schema that the property refers to does not allow its type. That is a mistake
/// in the schema, and would make every file without the property invalid.
fn default(documents: &mut Documents<&Registry>, place: Place, part: NodeRef<'_>) -> Option<Node> {
    let default = part.get("default")?;
    let target = part.get("$ref").and_then(|reference| documents.resolve(place, reference));
    let tree = target.and_then(|target| Some((documents.tree(target)?, target.node)));
    let expected = tree.as_ref().and_then(|(tree, node)| tree.node(*node).get("type")?.as_str());
    let fits = match expected {
        Some("object") => is_object(default),
        Some("array") => default.kind() == Kind::Sequence && !is_object(default),
        Some(_) => default.kind().is_scalar(),
        None => true,
    };
    Node::from_ref(default).ok().filter(|_| fits)
}

/// Whether a node has properties: a mapping, or an `!!omap`.
fn is_object(node: NodeRef<'_>) -> bool {
    node.kind() == Kind::Mapping || node.as_omap().is_some()
}

fn member<'a>(node: NodeRef<'a>, name: &str) -> Option<NodeRef<'a>> {
    match node.as_omap() {
        None => node.get(name),
        Some(mut entries) => entries.find(|(key, _)| key.as_str() == Some(name)).map(|(_, value)| value),
    }
}

fn items(node: NodeRef<'_>) -> impl Iterator<Item = NodeRef<'_>> {
    node.items().filter(move |_| node.as_omap().is_none())
}

fn insert(tree: &mut Tree, id: NodeId, name: &str, value: NodeId) {
    if tree.node(id).kind() == Kind::Mapping {
        return tree.insert(id, name, value);
    }
    let key = tree.add_str(name);
    let entry = tree.add_mapping([(key, value)]);
    tree.push(id, entry);
}

#[cfg(test)]
mod tests {
    use super::*;
    use asdf_core::yaml::parse;

    /// Fills in a node tagged `!t` under a schema in a file of a version. Returns `None` if nothing is missing.
    fn filled(schema: &str, value: &str, version: (u16, u16, u16)) -> Option<Tree> {
        let mut registry = Registry::empty();
        registry.add_schema(&format!("{{id: 'asdf://x.org/s/t', {schema}}}")).unwrap();
        registry
            .add_schema("{id: 'asdf://x.org/s/inner', properties: {q: {default: 7}, n: {default: null}}}")
            .unwrap();
        registry.add_schema("{id: 'asdf://x.org/s/object', type: object}").unwrap();
        registry.add_tag("!t", "asdf://x.org/s/t");
        registry.add_tag("!inner", "asdf://x.org/s/inner");
        let mut tree = parse(value).unwrap();
        tree.set_standard(version);
        let copy = Defaults::new(Arc::new(registry)).filled(&tree).unwrap();
        assert_eq!(tree.root(), parse(value).unwrap().root());
        copy
    }

    /// The expected values come from Python's asdf 6.0 with the same schemas and values.
    #[test]
    fn defaults_are_those_that_pythons_asdf_fills_in() {
        let old = (1, 5, 0);
        for (schema, value, expected) in [
            ("properties: {a: {default: 1}}", "!t {b: 2}", Some("!t {b: 2, a: 1}")),
            ("properties: {a: {default: 1}}", "!t {a: null}", None),
            ("properties: {a: {default: 1}}", "!t [1]", None),
            ("properties: {a: {default: 1}}", "!t {$ref: x}", None),
            ("properties: {a: {default: 1}}", "{x: [!t {}]}", Some("{x: [!t {a: 1}]}")),
            (
                "properties: {a: {default: {}, properties: {b: {default: 2}}}}",
                "!t {}",
                Some("!t {a: {b: 2}}"),
            ),
            ("properties: {a: {properties: {b: {default: 2}}}}", "!t {a: {}}", Some("!t {a: {b: 2}}")),
            ("properties: {a: {properties: {b: {default: 2}}}}", "!t {}", None),
            ("items: {properties: {a: {default: 3}}}", "!t [{}, 5]", Some("!t [{a: 3}, 5]")),
            (
                "{items: [{properties: {a: {default: 3}}}], additionalItems: {properties: {a: {default: 3}}}}",
                "!t [{}, {}]",
                Some("!t [{a: 3}, {}]"),
            ),
            ("allOf: [{properties: {a: {default: 4}}}]", "!t {}", Some("!t {a: 4}")),
            (
                "{allOf: [{properties: {a: {default: 4}}}], properties: {a: {default: 5}}}",
                "!t {}",
                Some("!t {a: 4}"),
            ),
            ("properties: {a: {allOf: [{default: 4}]}}", "!t {}", None),
            ("anyOf: [{properties: {a: {default: 4}}}]", "!t {}", None),
            ("oneOf: [{properties: {a: {default: 4}}}]", "!t {}", None),
            ("not: {properties: {a: {default: 4}}}", "!t {}", None),
            ("{additionalProperties: {properties: {a: {default: 4}}}}", "!t {x: {}}", None),
            ("patternProperties: {x: {properties: {a: {default: 4}}}}", "!t {x: {}}", None),
            ("$ref: inner", "!t {}", None),
            ("properties: {a: {$ref: inner}}", "!t {a: {}}", None),
            (
                "properties: {a: {tag: '!inner'}}",
                "!t {a: !inner {n: 1}}",
                Some("!t {a: !inner {n: 1, q: 7}}"),
            ),
            ("properties: {a: {default: !inner {n: 1}}}", "!t {}", Some("!t {a: !inner {n: 1, q: 7}}")),
            (
                "additionalProperties: {}",
                "!t {x: &x !inner {q: 1}, y: *x}",
                Some("!t {x: &x !inner {q: 1, n: null}, y: *x}"),
            ),
            (
                "properties: {b: {properties: {a: {default: 1}}}}",
                "!t {b: !!omap [x: 1]}",
                Some("!t {b: !!omap [x: 1, a: 1]}"),
            ),
        ] {
            let schema = schema.strip_prefix('{').and_then(|inner| inner.strip_suffix('}')).unwrap_or(schema);
            let found = filled(schema, value, old);
            let expected = expected.map(|text| parse(text).unwrap());
            assert_eq!(
                found.as_ref().and_then(Tree::root),
                expected.as_ref().and_then(Tree::root),
                "{schema} of {value}"
            );
            assert!(filled(schema, value, (1, 6, 0)).is_none(), "{schema} of {value}");
        }
    }
}
