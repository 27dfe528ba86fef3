//! Making the smallest value of schemas.

use asdf_core::tree::{Kind, Node, NodeId, NodeRef, Style, YAML_TAG, tag_matches};
use asdf_core::value::FromNode as _;
use asdf_core::yaml::{EmitOptions, emit};
use asdf_core::{Error, NdArray, Path, Result, Tree};
use regex::Regex;

use super::facets::Facets;
use super::{Minimum, Optional, scalar};
use crate::Registry;
use crate::documents::{Documents, Place};
use crate::registry::Edition;

/// Values nest so deep at most, and so many are tried.
const MOST_LEVELS: usize = 60;
const MOST_VALUES: usize = 50_000;

pub(super) struct Maker<'r> {
    registry: &'r Registry,
    edition: &'r Edition,
    documents: Documents<'r>,
    tree: Tree,
    optional: Vec<Optional>,
    /// Where the value that is being made stands, and the schemas of those around it.
    path: Path,
    open: Vec<Vec<Place>>,
    left: usize,
}

impl<'r> Maker<'r> {
    pub(super) fn new(registry: &'r Registry, edition: &'r Edition, documents: Documents<'r>) -> Self {
        Self {
            registry,
            edition,
            documents,
            tree: Tree::new(),
            optional: Vec::new(),
            path: Path::root(),
            open: Vec::new(),
            left: MOST_VALUES,
        }
    }

    pub(super) fn make(mut self, schemas: Vec<Place>, tag: Option<String>) -> Result<Minimum> {
        let root = match &tag {
            Some(tag) => self.tagged(tag, schemas)?,
            None => self.value(schemas)?,
        };
        self.tree.set_root(root);
        self.registry.arrange(&mut self.tree);
        let node = self.tree.root().map_or_else(|| Node::make(|tree| Ok(tree.add_null())), Node::copy)?;
        Ok(Minimum { node, optional: self.optional })
    }

    fn fail(&self, why: impl Into<String>) -> Error {
        Error::unsupported(format!("no value could be made: {}", why.into())).at_path(self.path.as_str())
    }

    /// The value of a tag, which has to satisfy the tag's schemas too.
    fn tagged(&mut self, tag: &str, mut schemas: Vec<Place>) -> Result<NodeId> {
        let own = self.registry.schemas_of(tag);
        schemas.extend(own.into_iter().filter_map(|id| self.documents.get(id)));
        let id = match NdArray::accepts_tag(tag) {
            true => self.array(schemas)?,
            false => self.value(schemas)?,
        };
        self.tree.set_tag(id, Some(tag));
        Ok(id)
    }

    fn value(&mut self, mut schemas: Vec<Place>) -> Result<NodeId> {
        schemas.dedup();
        self.left = self.left.checked_sub(1).ok_or_else(|| self.fail("the schemas have no end"))?;
        if self.open.len() >= MOST_LEVELS || self.open.contains(&schemas) {
            return Err(self.fail("it needs itself"));
        }
        let mut facets = Facets::default();
        self.add(&mut facets, schemas.clone())?;
        self.open.push(schemas);
        let made = self.choose(facets);
        self.open.pop();
        made
    }

    fn add(&mut self, facets: &mut Facets, schemas: Vec<Place>) -> Result<()> {
        facets.add(schemas, &mut self.documents).map_err(|reference| {
            self.fail(format!("the reference {} leads nowhere", reference.escape_debug()))
        })
    }

    /// Takes the first alternative that a value can be made of, of each list of them.
    fn choose(&mut self, mut facets: Facets) -> Result<NodeId> {
        let Some(alternatives) = facets.choices.pop() else { return self.of(&facets) };
        let mut first = None;
        for alternative in alternatives {
            self.left = self.left.checked_sub(1).ok_or_else(|| self.fail("the schemas have no end"))?;
            let mut with =
                Facets { all: facets.all.clone(), choices: facets.choices.clone(), tag: facets.tag.clone() };
            let before = self.optional.len();
            let made = self.add(&mut with, vec![alternative]).and_then(|()| self.choose(with));
            match made {
                Ok(id) => return Ok(id),
                Err(error) => {
                    self.optional.truncate(before);
                    first.get_or_insert(error);
                }
            }
        }
        Err(first.unwrap_or_else(|| self.fail("there is no alternative")))
    }

    /// The value of schemas whose alternatives are chosen.
    fn of(&mut self, facets: &Facets) -> Result<NodeId> {
        if let Some(pattern) = &facets.tag {
            let Some(tag) = self.tag(pattern) else {
                return Err(self.fail(format!("no schema is known of a tag {}", pattern.escape_debug())));
            };
            // Those of YAML are the types of JSON Schema by other names.
            if !tag.starts_with(YAML_TAG) {
                let own = self.registry.schemas_of(&tag);
                let own = own.into_iter().filter_map(|id| self.documents.get(id)).collect();
                let mut with = Facets { all: facets.all.clone(), ..Facets::default() };
                self.add(&mut with, own)?;
                with.tag = None;
                let id = match NdArray::accepts_tag(&tag) {
                    true => self.elements(&with)?,
                    false => self.choose(with)?,
                };
                self.tree.set_tag(id, Some(&tag));
                return Ok(id);
            }
        }
        if let Some(first) = facets.each("enum").next() {
            let others: Vec<NodeRef<'_>> = facets.each("enum").skip(1).collect();
            let common =
                |item: &NodeRef<'_>| others.iter().all(|list| list.items().any(|other| other == *item));
            let found = first.items().find(|item| common(item) && is_of_type(facets, *item));
            return match found {
                Some(item) => self.tree.graft(item),
                None => Err(self.fail("no value is in all enumerations")),
            };
        }
        if let Some(default) = facets.each("default").find(|default| is_of_type(facets, *default)) {
            return self.tree.graft(default);
        }
        match kind(facets) {
            Some("object") => self.mapping(facets),
            Some("array") => self.sequence(facets),
            Some("string") => match scalar::text(facets) {
                Some(text) => Ok(self.tree.add_str(&text)),
                None => Err(self.fail("no text was found that fits its pattern")),
            },
            Some("integer") => {
                #[allow(clippy::cast_possible_truncation, reason = "a float becomes the nearest integer")]
                let value = scalar::number(facets, true) as i64;
                Ok(self.tree.add_int(value))
            }
            Some("number") => {
                let value = scalar::number(facets, false);
                Ok(self.tree.add_float(value))
            }
            Some("boolean") => Ok(self.tree.add_bool(false)),
            Some(_) => Ok(self.tree.add_null()),
            None => Err(self.fail("its schemas ask for different types")),
        }
    }

    /// The tag that a pattern means: of the edition if it has one, else the newest that is known.
    fn tag(&self, pattern: &str) -> Option<String> {
        if !pattern.contains('*') {
            return Some(pattern.to_owned());
        }
        let here: Vec<&str> = self.edition.tags().filter(|tag| tag_matches(pattern, tag)).collect();
        let newest =
            here.last().and_then(|tag| self.edition.newest(tag).filter(|tag| tag_matches(pattern, tag)));
        let all = || self.registry.tags().into_iter().rfind(|tag| tag_matches(pattern, tag));
        newest.or(here.last().copied()).or_else(all).map(str::to_owned)
    }

    fn mapping(&mut self, facets: &Facets) -> Result<NodeId> {
        let mut keys: Vec<&str> = Vec::new();
        let mut pending: Vec<&str> =
            facets.each("required").flat_map(NodeRef::items).filter_map(NodeRef::as_str).collect();
        pending.reverse();
        while let Some(key) = pending.pop() {
            if keys.contains(&key) {
                continue;
            }
            keys.push(key);
            let needed = facets.each("dependencies").filter_map(|all| all.get(key));
            pending.extend(needed.flat_map(NodeRef::items).filter_map(NodeRef::as_str));
        }
        let known: Vec<&str> = facets
            .each("properties")
            .flat_map(NodeRef::entries)
            .filter_map(|(key, _)| key.as_str())
            .collect();
        let least = usize::try_from(facets.most("minProperties")).unwrap_or(usize::MAX).min(1000);
        // More than are required: first those that have a name, then any.
        let patterns = facets.each("patternProperties").flat_map(NodeRef::entries);
        let named = patterns.filter_map(|(pattern, _)| scalar::fitting(pattern.as_str()?));
        let made: Vec<String> = named.chain((0..least).map(|number| format!("x{number}"))).collect();
        for key in known.iter().copied().chain(made.iter().map(String::as_str)) {
            if keys.len() < least && !keys.contains(&key) {
                keys.push(key);
            }
        }
        let mapping = self.tree.add_mapping([]);
        for key in &keys {
            let schemas = property(facets, key);
            let around = self.path.clone();
            self.path.push(key);
            let value = self.value(schemas)?;
            self.path = around;
            self.tree.insert(mapping, key, value);
        }
        if !keys.is_empty() {
            self.tree.set_style(mapping, Style::Block);
        }
        let mut told: Vec<&str> = Vec::new();
        for key in known.into_iter().filter(|key| !keys.contains(key)) {
            if !told.contains(&key) {
                told.push(key);
                let optional = self.option(facets, key);
                self.optional.push(optional);
            }
        }
        Ok(mapping)
    }

    /// What is told of a property that is not there.
    fn option(&mut self, facets: &Facets, key: &str) -> Optional {
        let mut own = Facets::default();
        // A reference that leads nowhere has nothing to tell.
        let _ = own.add(property(facets, key), &mut self.documents);
        let title = own.each("title").find_map(NodeRef::as_str);
        Optional {
            path: self.path.clone(),
            key: key.to_owned(),
            default: own.each("default").find_map(one_line),
            title: title.map(|title| title.split_whitespace().collect::<Vec<_>>().join(" ")),
        }
    }

    fn sequence(&mut self, facets: &Facets) -> Result<NodeId> {
        let sequence = self.tree.add_sequence([]);
        for index in 0..facets.most("minItems").min(10_000) {
            let place = usize::try_from(index).unwrap_or(usize::MAX);
            let schemas = facets.places("items").filter_map(|(base, items)| {
                let schema = match items.kind() {
                    Kind::Sequence => items.item(place)?,
                    _ => items,
                };
                Some(Place { node: schema.id(), ..base })
            });
            let schemas = schemas.collect();
            let around = self.path.clone();
            self.path.push(&index.to_string());
            let item = self.value(schemas)?;
            self.path = around;
            self.tree.push(sequence, item);
        }
        Ok(sequence)
    }

    fn array(&mut self, schemas: Vec<Place>) -> Result<NodeId> {
        let mut facets = Facets::default();
        self.add(&mut facets, schemas)?;
        self.elements(&facets)
    }

    /// An array without elements, of the datatype and with the axes that are asked for.
    fn elements(&mut self, facets: &Facets) -> Result<NodeId> {
        let axes = facets.each("ndim").find_map(NodeRef::as_u64).unwrap_or(1);
        if !(1..=64).contains(&axes) {
            return Err(self.fail(format!("an array of {axes} axes cannot be empty")));
        }
        let datatype = match facets.each("datatype").next() {
            Some(datatype) => self.tree.graft(datatype)?,
            None => self.tree.add_str("float64"),
        };
        let zeros: Vec<NodeId> = (0..axes).map(|_| self.tree.add_int(0)).collect();
        let (shape, data) = (self.tree.add_sequence(zeros), self.tree.add_sequence([]));
        let array = self.tree.add_mapping([]);
        for (key, value) in [("data", data), ("datatype", datatype), ("shape", shape)] {
            self.tree.insert(array, key, value);
        }
        self.tree.set_style(array, Style::Flow);
        Ok(array)
    }
}

/// The schemas of a property.
fn property(facets: &Facets, key: &str) -> Vec<Place> {
    let mut schemas = Vec::new();
    for (place, tree) in &facets.all {
        let schema = tree.node(place.node);
        let own = schema.get("properties").and_then(|all| all.get(key));
        let fits = |pattern: NodeRef<'_>| {
            pattern
                .as_str()
                .and_then(|pattern| Regex::new(pattern).ok())
                .is_some_and(|pattern| pattern.is_match(key))
        };
        let patterns = schema.get("patternProperties").into_iter().flat_map(NodeRef::entries);
        let mut found: Vec<NodeRef<'_>> =
            patterns.filter(|(pattern, _)| fits(*pattern)).map(|(_, part)| part).collect();
        found.extend(own);
        if found.is_empty() {
            found.extend(schema.get("additionalProperties").filter(|part| part.kind() == Kind::Mapping));
        }
        schemas.extend(found.into_iter().map(|part| Place { node: part.id(), ..*place }));
    }
    schemas
}

/// The type of a value, by JSON Schema's name: the first that all schemas allow, or what the keywords are
/// about.
fn kind(facets: &Facets) -> Option<&str> {
    let lists: Vec<Vec<&str>> = facets
        .each("type")
        .map(|kinds| kinds.as_str().into_iter().chain(kinds.items().filter_map(NodeRef::as_str)).collect())
        .collect();
    let Some((first, others)) = lists.split_first() else {
        return Some(about(facets));
    };
    let allowed = |kind: &&&str| {
        let is = |other: &&str| other == *kind || (**kind == "integer" && *other == "number");
        others.iter().all(|list| list.iter().any(is))
    };
    let narrowed = || first.contains(&"number").then_some("integer").filter(|kind| allowed(&kind));
    first.iter().find(allowed).copied().or_else(narrowed)
}

fn about(facets: &Facets) -> &'static str {
    let groups: [(&str, &[&str]); 4] = [
        ("object", &["required", "properties", "patternProperties", "additionalProperties", "minProperties"]),
        ("array", &["items", "minItems", "maxItems"]),
        ("string", &["pattern", "minLength", "maxLength", "format"]),
        ("number", &["minimum", "maximum", "multipleOf"]),
    ];
    let found = groups.into_iter().find(|(_, keywords)| keywords.iter().any(|keyword| facets.has(keyword)));
    found.map_or("null", |(kind, _)| kind)
}

fn is_of_type(facets: &Facets, node: NodeRef<'_>) -> bool {
    let name = match node.kind() {
        Kind::Null => "null",
        Kind::Bool => "boolean",
        Kind::Int => "integer",
        Kind::Float => "number",
        Kind::String | Kind::Timestamp => "string",
        Kind::Sequence => "array",
        Kind::Mapping => "object",
    };
    let is = |kind: &str| kind == name || (kind == "number" && name == "integer");
    facets
        .each("type")
        .all(|kinds| kinds.as_str().is_some_and(is) || kinds.items().filter_map(NodeRef::as_str).any(is))
}

/// A default as it would stand in a file, if it is short.
fn one_line(node: NodeRef<'_>) -> Option<String> {
    let mut copy = Node::copy(node).ok()?;
    if let Some(root) = copy.tree().root().filter(|root| !root.kind().is_scalar()).map(NodeRef::id) {
        copy.tree_mut().set_style(root, Style::Flow);
    }
    let text = emit(copy.tree(), EmitOptions { directives: false, ..EmitOptions::default() }).ok()?;
    let text = text.trim_end().to_owned();
    (!text.contains('\n') && text.chars().count() <= 60).then_some(text)
}

#[cfg(test)]
mod tests {
    use asdf_core::File;
    use asdf_core::file::Version;
    use asdf_core::tree::ASDF_TAG;
    use asdf_core::yaml::{EmitOptions, emit};

    use crate::{Registry, Validator, minimal};

    fn text(registry: &Registry, name: &str) -> String {
        let options = EmitOptions { directives: false, ..EmitOptions::default() };
        match minimal(registry, Version::new(1, 6, 0), name) {
            Ok(made) => emit(made.node.tree(), options).unwrap().trim_end().to_owned(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn keywords_make_values() {
        for (schema, expected) in [
            ("{type: integer, minimum: 3}", "3"),
            ("{type: integer, minimum: 3, exclusiveMinimum: true}", "4"),
            ("{type: number, maximum: -1.5}", "-1.5"),
            ("{type: number, minimum: 0, maximum: 1, exclusiveMinimum: true}", "0.5"),
            ("{type: integer, minimum: 5, multipleOf: 4}", "8"),
            ("{type: string, minLength: 2}", "xx"),
            ("{type: string, pattern: '^M[0-9]{2}$'}", "M00"),
            (
                "{type: string, pattern: '(?!a)b'}",
                "/: no value could be made: no text was found that fits its pattern",
            ),
            ("{enum: [a, b], type: string}", "a"),
            ("{default: 7, type: integer}", "7"),
            ("{default: x, type: integer}", "0"),
            ("{type: [string, 'null']}", "''"),
            ("{anyOf: [{type: string, pattern: '(?!a)b'}, {type: boolean}]}", "false"),
            ("{allOf: [{type: object, required: [a]}, {properties: {a: {enum: [1]}}}]}", "a: 1"),
            ("{type: array, minItems: 2, items: {type: boolean}}", "- false\n- false"),
            ("{required: [a], dependencies: {a: [b]}, additionalProperties: {type: integer}}", "a: 0\nb: 0"),
            ("{required: [a1], patternProperties: {'^a': {type: boolean}}}", "a1: false"),
            ("{minProperties: 1, properties: {x: {type: integer}, y: {}}}", "x: 0"),
            ("{definitions: {t: {type: boolean}}, $ref: '#/definitions/t'}", "false"),
            (
                "{required: [x], properties: {x: {$ref: '#'}}}",
                "/x/x: no value could be made: it needs itself",
            ),
            (
                "{$ref: '#/definitions/none'}",
                "/: no value could be made: the reference #/definitions/none leads nowhere",
            ),
            (
                "{tag: 'tag:stsci.edu:asdf/core/ndarray-1.*', ndim: 2, datatype: int16}",
                "!<tag:stsci.edu:asdf/core/ndarray-1.1.0> {data: [], datatype: int16, shape: [0, 0]}",
            ),
            (
                "{tag: 'tag:nowhere.org:x-*'}",
                "/: no value could be made: no schema is known of a tag tag:nowhere.org:x-*",
            ),
            (
                "{type: string, allOf: [{type: integer}]}",
                "/: no value could be made: its schemas ask for different types",
            ),
            ("{}", "null"),
        ] {
            let mut registry = Registry::new();
            registry.add_schema_as("asdf://x.org/s", &format!("{schema}\n")).unwrap();
            assert_eq!(text(&registry, "asdf://x.org/s"), expected, "{schema}");
        }
    }

    #[test]
    fn what_could_be_added_is_told() {
        let mut registry = Registry::new();
        let schema = "{required: [a], properties: {a: {required: [b], properties: {b: {}, c: {default: 1.5, title: 'Of  c.'}}}, d: {}}}\n";
        registry.add_schema_as("asdf://x.org/s", schema).unwrap();
        let made = minimal(&registry, Version::new(1, 6, 0), "asdf://x.org/s").unwrap();
        let told: Vec<_> = made
            .optional
            .iter()
            .map(|one| (one.path.as_str(), one.key.as_str(), one.default.as_deref(), one.title.as_deref()))
            .collect();
        assert_eq!(told, [("/a", "c", Some("1.5"), Some("Of c.")), ("", "d", None, None)]);
    }

    /// The value of every tag that has a schema is valid.
    #[test]
    fn values_of_all_tags_are_valid() {
        let registry = Registry::standard();
        let validator = Validator::standard();
        let (mut wrong, mut count) = (Vec::new(), 0);
        for tag in registry.tags() {
            count += 1;
            let mut file = File::new();
            let result = minimal(&registry, Version::new(1, 6, 0), tag).and_then(|made| {
                let tree = file.tree_mut();
                let id = tree.graft(made.node.view())?;
                tree.put("/value", id)
            });
            let report = validator.validate_tree(file.tree());
            match (result, report.violations().first()) {
                (Err(error), _) => wrong.push(format!("{tag}: {error}")),
                (_, Some(violation)) => wrong.push(format!("{tag}: {violation}")),
                _ => {}
            }
        }
        assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
        assert!(count > 300 && registry.tags().iter().any(|tag| tag.starts_with(ASDF_TAG)));
    }
}
