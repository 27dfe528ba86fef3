//! Applies the layout of schemas to new nodes: `flowStyle`, `style` and `propertyOrder`.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use asdf_core::Tree;
use asdf_core::tree::{Kind, NodeId, NodeRef, Style, tag_matches};

use asdf_schema_model::{Items, Kinds, Others, Schema};

use crate::Registry;
use crate::documents::{Documents, Place};

impl Registry {
    /// Applies the layout of the schemas to new nodes of a tree, for writing.
    ///
    /// - `flowStyle: flow` or `block` for sequences and mappings;
    /// - `style: inline` (in double quotes, on one line), `literal` or `folded` for strings;
    /// - `propertyOrder` for mappings: the listed keys come first, the others follow in their order.
    ///
    /// Nodes with a style keep it and their order. All nodes that were read from a file have a style.
    ///
    /// A schema also applies to the nodes below its own: through `$ref`, `allOf`, `properties`, `additionalProperties`,
    /// `items` and `additionalItems`. It applies through `anyOf` and `oneOf` if only one alternative has the right type, tag
    /// and required properties. `patternProperties` and `dependencies` are not followed. The schemas of a node's own tag take
    /// precedence. Nothing is validated. Tags and references without a schema are ignored.
    ///
    /// ```
    /// use asdf_core::Tree;
    /// use asdf_core::yaml::{EmitOptions, emit};
    /// use asdf_schemas::Registry;
    ///
    /// let mut registry = Registry::new();
    /// registry.add_schema("{id: 'asdf://x.org/point', propertyOrder: [x, y], flowStyle: block}")?;
    /// registry.add_tag("asdf://x.org/point-1.0.0", "asdf://x.org/point");
    /// let mut tree = Tree::new();
    /// let (y, x) = (tree.add_int(1), tree.add_int(2));
    /// let point = tree.add_mapping([]);
    /// tree.insert(point, "y", y);
    /// tree.insert(point, "x", x);
    /// tree.set_tag(point, Some("asdf://x.org/point-1.0.0"));
    /// let root = tree.add_sequence([point]);
    /// tree.set_root(root);
    /// registry.arrange(&mut tree);
    /// let options = EmitOptions::new().directives(false);
    /// assert_eq!(emit(&tree, options)?, "- !<asdf://x.org/point-1.0.0>\n  x: 2\n  y: 1\n");
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    #[doc(alias = "propertyOrder")]
    #[doc(alias = "flowStyle")]
    pub fn arrange(&self, tree: &mut Tree) {
        let Some(root) = tree.root() else { return };
        let mut arranger = Arranger::new(self);
        arranger.tree(root);
        for (id, hint) in arranger.hints {
            if let Some((order, _)) = hint.order {
                // Fails only for nodes other than mappings, which have no order.
                let _ = tree.order_entries(id, &order);
            }
            if let Some((style, _)) = hint.style {
                tree.set_style(id, style);
            }
        }
    }
}

/// Schemas below these keywords do not affect the layout.
const NOT_FOLLOWED: [&str; 5] = ["definitions", "$defs", "dependencies", "patternProperties", "not"];

/// The layout of a node, with the origin of each part.
#[derive(Debug, Default)]
struct Hint {
    style: Option<(Style, Nearness)>,
    order: Option<(Rc<[String]>, Nearness)>,
}

/// The origin of a layout. The lower one takes precedence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Nearness {
    /// The schema of the node's own tag.
    Own,
    /// The schema of a parent.
    Around,
}

struct Arranger<'r, 't> {
    registry: &'r Registry,
    documents: Documents<&'r Registry>,
    /// Whether a schema has any layout keywords, itself or below.
    asks: HashMap<Place, bool>,
    met: HashSet<(NodeId, Place, Nearness)>,
    pending: Vec<(NodeRef<'t>, Place, Nearness)>,
    hints: BTreeMap<NodeId, Hint>,
}

impl<'r, 't> Arranger<'r, 't> {
    fn new(registry: &'r Registry) -> Self {
        Self {
            registry,
            documents: Documents::of(registry),
            asks: HashMap::new(),
            met: HashSet::new(),
            pending: Vec::new(),
            hints: BTreeMap::new(),
        }
    }

    /// Applies the schemas of its tag to each tagged node.
    fn tree(&mut self, root: NodeRef<'t>) {
        let mut by_tag: HashMap<&str, Vec<Place>> = HashMap::new();
        for node in root.walk() {
            let Some(tag) = node.own_tag() else { continue };
            let schemas = by_tag.entry(tag).or_insert_with(|| {
                let ids = self.registry.schemas_of(tag);
                ids.into_iter().filter_map(|id| self.documents.get(id)).collect()
            });
            for &schema in schemas.iter() {
                self.meet(node, schema, Nearness::Own);
                while let Some((node, schema, nearness)) = self.pending.pop() {
                    self.node(node, schema, nearness);
                }
            }
        }
    }

    /// Queues a node for a schema with layout keywords, once.
    fn meet(&mut self, node: NodeRef<'t>, schema: Place, nearness: Nearness) {
        let scalar = node.kind().is_scalar() && node.kind() != Kind::String;
        if !scalar && self.asks(schema) && self.met.insert((node.id(), schema, nearness)) {
            self.pending.push((node, schema, nearness));
        }
    }

    fn node(&mut self, node: NodeRef<'t>, place: Place, nearness: Nearness) {
        let Some(tree) = self.documents.tree(place) else { return };
        let schema = tree.node(place.node);
        self.hint(node, schema, nearness);
        let at = |part: NodeRef<'_>| Place { node: part.id(), ..place };
        // The last queued schema is processed first, so that the first of several takes precedence.
        for choice in ["oneOf", "anyOf"] {
            let alternatives = schema.get(choice).into_iter().flat_map(NodeRef::items);
            let mut fitting = alternatives.filter(|part| self.fits(node, at(*part)));
            if let (Some(only), None) = (fitting.next(), fitting.next()) {
                let only = at(only);
                self.meet(node, only, nearness);
            }
        }
        for part in schema.get("allOf").into_iter().flat_map(NodeRef::items).rev() {
            self.meet(node, at(part), nearness);
        }
        if let Some(other) = schema.get("$ref").and_then(|reference| self.documents.resolve(place, reference))
        {
            self.meet(node, other, nearness);
        }
        match node.kind() {
            Kind::Mapping => {
                let properties = schema.get("properties");
                let others =
                    schema.get("additionalProperties").filter(|_| schema.get("patternProperties").is_none());
                for (key, value) in node.entries() {
                    let own = key.as_str().and_then(|key| properties?.get(key));
                    if let Some(part) = own.or(others) {
                        self.meet(value, at(part), Nearness::Around);
                    }
                }
            }
            Kind::Sequence => {
                let (first, rest) = match Schema::new(schema).items() {
                    Some(Items::Each(all)) => (Vec::new(), Some(all)),
                    Some(Items::InTurn(first, Others::Schema(rest))) => (first, Some(rest)),
                    Some(Items::InTurn(first, _)) => (first, None),
                    None => (Vec::new(), None),
                };
                let mut first = first.into_iter();
                for item in node.items() {
                    if let Some(part) = first.next().or(rest) {
                        self.meet(item, at(part), Nearness::Around);
                    }
                }
            }
            _ => {}
        }
    }

    /// Stores the layout of a node, unless a nearer schema has set it or the node has a style.
    fn hint(&mut self, node: NodeRef<'t>, schema: NodeRef<'_>, nearness: Nearness) {
        if node.style() != Style::Any {
            return;
        }
        let keyword = if node.kind() == Kind::String { "style" } else { "flowStyle" };
        let style = match (keyword, schema.get(keyword).and_then(NodeRef::as_str)) {
            ("flowStyle", Some("flow")) => Some(Style::Flow),
            ("flowStyle", Some("block")) => Some(Style::Block),
            ("style", Some("inline")) => Some(Style::DoubleQuoted),
            ("style", Some("literal")) => Some(Style::Literal),
            ("style", Some("folded")) => Some(Style::Folded),
            _ => None,
        };
        let made = node.kind() == Kind::Mapping && node.span().end == 0;
        let order = schema.get("propertyOrder").filter(|order| made && !order.is_empty());
        if style.is_none() && order.is_none() {
            return;
        }
        let hint = self.hints.entry(node.id()).or_default();
        if let Some(style) = style.filter(|_| hint.style.as_ref().is_none_or(|(_, by)| nearness < *by)) {
            hint.style = Some((style, nearness));
        }
        if let Some(order) = order.filter(|_| hint.order.as_ref().is_none_or(|(_, by)| nearness < *by)) {
            let keys = order.items().filter_map(NodeRef::as_str).map(str::to_owned).collect();
            hint.order = Some((keys, nearness));
        }
    }

    /// Whether the type, tag and required properties of a node fit an alternative.
    fn fits(&mut self, node: NodeRef<'t>, alternative: Place) -> bool {
        // A string can be a timestamp.
        let kind = if node.kind() == Kind::Timestamp { Kinds::STRING } else { node.kind().into() };
        let is_of = |name: &str| Kinds::from_type(name).is_some_and(|kinds| kinds.has(kind));
        // Schemas can refer to a schema many times.
        let mut met = HashSet::from([alternative]);
        let mut pending = vec![alternative];
        while let Some(place) = pending.pop() {
            let Some(tree) = self.documents.tree(place) else { continue };
            let schema = Schema::new(tree.node(place.node));
            let of_type = schema.types().is_none_or(|names| names.is_empty() || names.into_iter().any(is_of));
            let tagged = schema.text("tag").is_none_or(|pattern| match node.tag() {
                Some(tag) => tag_matches(pattern, tag),
                None => tag_matches(pattern, node.kind().yaml_tag()),
            });
            let required = schema.names("required");
            let complete = node.kind() != Kind::Mapping || required.iter().all(|key| node.get(key).is_some());
            if !of_type || !tagged || !complete {
                return false;
            }
            let other = schema.get("$ref").and_then(|reference| self.documents.resolve(place, reference));
            let parts = schema.get("allOf").into_iter().flat_map(NodeRef::items);
            let parts = parts.map(|part| Place { node: part.id(), ..place });
            pending.extend(other.into_iter().chain(parts).filter(|place| met.insert(*place)));
        }
        true
    }

    /// Whether a schema, or one that it refers to, has layout keywords. Most have none, and their nodes need no visit.
    fn asks(&mut self, start: Place) -> bool {
        if let Some(&asks) = self.asks.get(&start) {
            return asks;
        }
        let mut met = HashSet::from([start]);
        let mut pending = vec![start];
        let mut asks = false;
        while let Some(place) = pending.pop() {
            let Some(tree) = self.documents.tree(place) else { continue };
            let schema = tree.node(place.node);
            asks =
                asks || ["flowStyle", "style", "propertyOrder"].iter().any(|key| schema.get(key).is_some());
            let mut below: Vec<Place> = schema
                .get("$ref")
                .and_then(|reference| self.documents.resolve(place, reference))
                .into_iter()
                .collect();
            let parts = Schema::new(schema).parts();
            let followed = parts.iter().filter(|part| !NOT_FOLLOWED.contains(&part.keyword));
            below.extend(followed.map(|part| Place { node: part.schema.id(), ..place }));
            pending.extend(below.into_iter().filter(|place| !asks && met.insert(*place)));
        }
        self.asks.insert(start, asks);
        asks
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use asdf_core::yaml::{EmitOptions, emit, parse};

    /// Returns the layout of a new node tagged `!t` under a schema. Both are YAML.
    fn arranged(schema: &str, value: &str, read: bool) -> String {
        let mut registry = Registry::new();
        registry.add_schema(schema).unwrap();
        registry
            .add_schema("{id: 'asdf://x.org/s/inner', definitions: {l: {style: literal}}, flowStyle: flow}")
            .unwrap();
        registry.add_tag("!t", "asdf://x.org/s/t");
        registry.add_tag("!inner", "asdf://x.org/s/inner");
        let mut tree = parse(value).unwrap();
        if !read {
            let mut made = Tree::new();
            let root = made.graft(tree.root().unwrap()).unwrap();
            made.set_root(root);
            let ids: Vec<NodeId> = made.root().unwrap().walk().map(|node| node.id()).collect();
            for id in ids {
                made.set_style(id, Style::Any);
            }
            tree = made;
        }
        registry.arrange(&mut tree);
        emit(&tree, EmitOptions::new().directives(false)).unwrap()
    }

    #[test]
    fn schemas_set_the_layout_of_new_nodes() {
        for (schema, value, expected) in [
            ("propertyOrder: [x, y]", "!t {b: 1, y: 2, a: 3, x: 4}", "!t\nx: 4\ny: 2\nb: 1\na: 3\n"),
            ("propertyOrder: []", "!t {b: 1, a: 2}", "!t\nb: 1\na: 2\n"),
            ("flowStyle: flow", "!t {a: [1]}", "!t {a: [1]}\n"),
            ("properties: {a: {flowStyle: block}}", "!t {a: [1]}", "!t\na:\n- 1\n"),
            ("properties: {a: {style: literal}}", "!t {a: x}", "!t\na: |-\n  x\n"),
            ("properties: {a: {style: folded}}", "!t {a: x}", "!t\na: >-\n  x\n"),
            ("properties: {a: {style: inline}}", "!t {a: \"x\\ny\"}", "!t\na: \"x\\ny\"\n"),
            ("properties: {a: {style: literal}}", "!t {a: 5}", "!t\na: 5\n"),
            ("additionalProperties: {flowStyle: block}", "!t {a: [1]}", "!t\na:\n- 1\n"),
            (
                "{properties: {b: {}}, additionalProperties: {flowStyle: block}}",
                "!t {a: [1], b: [1]}",
                "!t\na:\n- 1\nb: [1]\n",
            ),
            (
                "{patternProperties: {a: {}}, additionalProperties: {flowStyle: block}}",
                "!t {a: [1]}",
                "!t\na: [1]\n",
            ),
            ("items: {flowStyle: block}", "!t [[1]]", "!t\n- - 1\n"),
            (
                "{items: [{}, {flowStyle: block}], additionalItems: {flowStyle: flow}}",
                "!t [[1], [1], {a: {}}]",
                "!t\n- [1]\n- - 1\n- {a: {}}\n",
            ),
            ("allOf: [{propertyOrder: [b]}, {propertyOrder: [a]}]", "!t {a: 1, b: 2}", "!t\nb: 2\na: 1\n"),
            (
                "anyOf: [{type: array}, {type: object, propertyOrder: [b]}]",
                "!t {a: 1, b: 2}",
                "!t\nb: 2\na: 1\n",
            ),
            // Both alternatives fit.
            ("oneOf: [{propertyOrder: [a]}, {propertyOrder: [b]}]", "!t {a: 1, b: 2}", "!t\na: 1\nb: 2\n"),
            (
                "oneOf: [{required: [c], propertyOrder: [a]}, {required: [b], propertyOrder: [b]}]",
                "!t {a: 1, b: 2}",
                "!t\nb: 2\na: 1\n",
            ),
            (
                "properties: {a: {anyOf: [{tag: '!other', flowStyle: block}, {$ref: inner}]}}",
                "!t {a: [[1]]}",
                "!t\na: [[1]]\n",
            ),
            ("properties: {a: {$ref: 'inner#/definitions/l'}}", "!t {a: x}", "!t\na: |-\n  x\n"),
            (
                "{definitions: {$ref: 'inner#/definitions'}, properties: {a: {$ref: '#/definitions/l'}}}",
                "!t {a: x}",
                "!t\na: |-\n  x\n",
            ),
            (
                "properties: {a: {$ref: '#'}, b: {style: literal}}",
                "!t {a: {b: x}}",
                "!t\na:\n  b: |-\n    x\n",
            ),
            // The schema of a node takes precedence over those of its parents.
            ("properties: {a: {flowStyle: block}}", "!t {a: !inner [1]}", "!t\na: !inner [1]\n"),
            ("properties: {a: {$ref: nowhere}}", "!t {a: [1]}", "!t\na: [1]\n"),
            // Aliases and recursive schemas.
            ("items: {flowStyle: block}", "!t [&a [1], *a]", "!t\n- &a\n  - 1\n- *a\n"),
            ("items: {$ref: '#', flowStyle: block}", "&a !t [*a, [*a]]", "&a !t\n- *a\n- - *a\n"),
        ] {
            let schema = schema.strip_prefix('{').and_then(|inner| inner.strip_suffix('}')).unwrap_or(schema);
            let schema = format!("{{id: 'asdf://x.org/s/t', {schema}}}");
            assert_eq!(arranged(&schema, value, false), expected, "{schema}");
        }
    }

    #[test]
    fn nodes_that_were_read_keep_their_layout() {
        let schema = "{id: 'asdf://x.org/s/t', propertyOrder: [b], properties: {a: {flowStyle: block}}}";
        assert_eq!(arranged(schema, "!t {a: [1], b: 2}", true), "!t {a: [1], b: 2}\n");
    }

    #[test]
    fn the_standards_schemas_order_arrays() {
        let mut tree = Tree::new();
        tree.set_handle("!", asdf_core::tree::ASDF_TAG);
        let root = tree.add_mapping([]);
        tree.set_tag(root, Some("tag:stsci.edu:asdf/core/asdf-1.1.0"));
        let array = tree.add_mapping([]);
        tree.set_tag(array, Some("tag:stsci.edu:asdf/core/ndarray-1.1.0"));
        for key in ["shape", "byteorder", "datatype", "source"] {
            let value = tree.add_int(1);
            tree.insert(array, key, value);
        }
        let library = tree.add_mapping([]);
        tree.insert(root, "data", array);
        tree.insert(root, "asdf_library", library);
        tree.set_root(root);
        Registry::standard().arrange(&mut tree);
        assert_eq!(
            emit(&tree, EmitOptions::default()).unwrap(),
            "%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\nasdf_library: {}\n\
             data: !core/ndarray-1.1.0 {source: 1, datatype: 1, byteorder: 1, shape: 1}\n...\n"
        );
    }
}
