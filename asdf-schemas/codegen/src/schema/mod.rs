//! One schema object: its keywords, each with the type it must have.
//!
//! The keywords are those of JSON Schema draft 4 and of ASDF's YAML Schema (`tag`, `propertyOrder`).
//! Keywords of later drafts are no keywords here, as in Python's asdf.

mod checks;
mod demand;
mod elements;
mod kinds;

use asdf_core::{Kind, NodeRef};
use asdf_schema_model::Schema;

pub(crate) use checks::{Checks, Num};
pub(crate) use demand::{Demand, Test};
pub(crate) use elements::Elements;
pub(crate) use kinds::Kinds;

use crate::library::{Library, Place};
use crate::{Error, Result};

/// Whether properties or items that a schema does not list may be there.
pub(crate) type Others<'a> = asdf_schema_model::Others<NodeRef<'a>>;

/// What the items of an array have to be.
pub(crate) type Items<'a> = asdf_schema_model::Items<NodeRef<'a>>;

/// The keywords of one schema object.
#[derive(Debug, Clone)]
pub(crate) struct Keywords<'a> {
    pub(crate) title: Option<&'a str>,
    pub(crate) description: Option<&'a str>,
    pub(crate) default: Option<NodeRef<'a>>,
    pub(crate) examples: Option<NodeRef<'a>>,
    pub(crate) reference: Option<(&'a str, NodeRef<'a>)>,
    pub(crate) tag: Option<(&'a str, NodeRef<'a>)>,
    /// What `type` allows; everything without it.
    pub(crate) kinds: Option<Kinds>,
    pub(crate) values: Option<Vec<NodeRef<'a>>>,
    pub(crate) properties: Option<Vec<(&'a str, NodeRef<'a>)>>,
    pub(crate) patterns: Vec<(&'a str, NodeRef<'a>)>,
    pub(crate) others: Option<Others<'a>>,
    pub(crate) required: Vec<&'a str>,
    pub(crate) order: Vec<&'a str>,
    pub(crate) items: Option<Items<'a>>,
    pub(crate) checks: Checks,
    /// What the elements of an array are.
    pub(crate) elements: Elements,
    pub(crate) format: Option<&'a str>,
    pub(crate) all_of: Vec<NodeRef<'a>>,
    /// The branches of `anyOf`, and those of `oneOf`, of which one has to hold.
    pub(crate) unions: Vec<Union<'a>>,
    /// What an item has to be that a list has to have: `not: {items: {not: X}}`.
    pub(crate) contains: Option<NodeRef<'a>>,
    /// Keywords that no type can hold: any other `not`, `dependencies`, `minProperties`, `maxProperties`.
    pub(crate) loose: Vec<(&'a str, NodeRef<'a>)>,
    /// Keywords that are not of the language: `unit`, `archive_catalog`, misspelt ones.
    pub(crate) unknown: Vec<(&'a str, NodeRef<'a>)>,
}

/// `anyOf` or `oneOf`.
#[derive(Debug, Clone)]
pub(crate) struct Union<'a> {
    pub(crate) exactly_one: bool,
    pub(crate) branches: Vec<NodeRef<'a>>,
}

impl<'a> Keywords<'a> {
    /// Reads the schema at a place.
    pub(crate) fn read(library: &'a Library, place: Place) -> Result<Self> {
        let node = library.node(place);
        let reader = Reader { packages: library, place };
        let mut keywords = Self::empty();
        match node.kind() {
            Kind::Mapping => {}
            // Python's asdf takes both for a schema that everything fits.
            Kind::Bool => return Ok(keywords),
            _ => return Err(reader.wrong(node, "a schema, which is a mapping")),
        }
        let mut additional_items = Others::Allowed;
        for (key, value) in node.entries() {
            let Some(name) = key.as_str() else {
                return Err(reader.wrong(key, "a keyword, which is a string"));
            };
            match name {
                "id" | "$schema" | "definitions" => {}
                "title" => keywords.title = Some(reader.text(value)?),
                "description" => keywords.description = Some(reader.text(value)?),
                "default" => keywords.default = Some(value),
                "examples" => keywords.examples = Some(value),
                "$ref" => keywords.reference = Some((reader.text(value)?, value)),
                "tag" => keywords.tag = Some((reader.text(value)?, value)),
                "type" => keywords.kinds = Some(reader.kinds(value)?),
                "enum" => keywords.values = Some(reader.list(value)?),
                "properties" => keywords.properties = Some(reader.map(value)?),
                "patternProperties" => keywords.patterns = reader.map(value)?,
                "additionalProperties" => keywords.others = Some(reader.others(value)?),
                "required" => keywords.required = reader.texts(value)?,
                "propertyOrder" => keywords.order = reader.texts(value)?,
                "items" => keywords.items = Some(reader.items(value)?),
                "additionalItems" => additional_items = reader.others(value)?,
                "format" => keywords.format = Some(reader.text(value)?),
                "allOf" => keywords.all_of = reader.branches(value)?,
                "anyOf" | "oneOf" => keywords
                    .unions
                    .push(Union { exactly_one: name == "oneOf", branches: reader.branches(value)? }),
                "not" if Schema::new(node).contained().is_some() => {
                    keywords.contains = Schema::new(node).contained()
                }
                "not" | "dependencies" | "minProperties" | "maxProperties" => {
                    keywords.loose.push((name, value));
                }
                _ if checks::is_check(name) => {}
                _ if keywords.elements.read(name, value) => {}
                _ => keywords.unknown.push((name, value)),
            }
        }
        if let Some(Items::InTurn(_, others)) = &mut keywords.items {
            *others = additional_items;
        }
        keywords.checks = Checks::read(node, &|node, what| reader.wrong(node, what))?;
        Ok(keywords)
    }

    fn empty() -> Self {
        Self {
            title: None,
            description: None,
            default: None,
            examples: None,
            reference: None,
            tag: None,
            kinds: None,
            values: None,
            properties: None,
            patterns: Vec::new(),
            others: None,
            required: Vec::new(),
            order: Vec::new(),
            items: None,
            checks: Checks::default(),
            elements: Elements::default(),
            format: None,
            all_of: Vec::new(),
            unions: Vec::new(),
            contains: None,
            loose: Vec::new(),
            unknown: Vec::new(),
        }
    }

    /// Whether the schema itself says something about values, references and branches aside.
    pub(crate) fn says_something(&self) -> bool {
        self.tag.is_some()
            || self.kinds.is_some()
            || self.values.is_some()
            || self.properties.is_some()
            || !self.patterns.is_empty()
            || self.others.is_some_and(|others| !matches!(others, Others::Allowed))
            || !self.required.is_empty()
            || self.items.is_some()
            || !self.checks.is_empty()
            || !self.elements.is_empty()
            || self.contains.is_some()
            || !self.loose.is_empty()
            // Only this format means something in Python's asdf, and only next to a type.
            || self.format == Some("date-time")
    }

    /// Whether the schema says nothing but which properties have to be there.
    pub(crate) fn only_requires(&self) -> bool {
        let bare = Self {
            required: Vec::new(),
            loose: Vec::new(),
            kinds: self.kinds.filter(|kinds| *kinds != Kinds::of(Kind::Mapping)),
            ..self.clone()
        };
        let empty_properties = self.properties.as_ref().is_none_or(Vec::is_empty);
        empty_properties
            && !Self { properties: None, ..bare }.says_something()
            && self.reference.is_none()
            && self.all_of.is_empty()
            && self.unions.is_empty()
            && !(self.required.is_empty() && self.loose.is_empty())
    }
}

struct Reader<'a> {
    packages: &'a Library,
    place: Place,
}

impl<'a> Reader<'a> {
    fn wrong(&self, node: NodeRef<'_>, expected: &str) -> Error {
        self.packages.document(self.place.document).expected(node, expected)
    }

    fn text(&self, node: NodeRef<'a>) -> Result<&'a str> {
        node.as_str().ok_or_else(|| self.wrong(node, "a string"))
    }

    fn texts(&self, node: NodeRef<'a>) -> Result<Vec<&'a str>> {
        // `required: true` is of draft 3; Python's asdf lets it pass, and it says nothing here.
        if node.kind() == Kind::Bool {
            return Ok(Vec::new());
        }
        self.list(node)?.into_iter().map(|item| self.text(item)).collect()
    }

    fn list(&self, node: NodeRef<'a>) -> Result<Vec<NodeRef<'a>>> {
        if node.kind() == Kind::Sequence {
            Ok(node.items().collect())
        } else {
            Err(self.wrong(node, "a list"))
        }
    }

    fn branches(&self, node: NodeRef<'a>) -> Result<Vec<NodeRef<'a>>> {
        let list = self.list(node)?;
        if list.is_empty() { Err(self.wrong(node, "a list of at least one schema")) } else { Ok(list) }
    }

    fn map(&self, node: NodeRef<'a>) -> Result<Vec<(&'a str, NodeRef<'a>)>> {
        if node.kind() != Kind::Mapping {
            return Err(self.wrong(node, "a mapping of schemas"));
        }
        // The keys of `properties` may look like numbers or booleans: `y`, `on`, `1`.
        node.entries()
            .map(|(key, value)| match key.text() {
                Some(name) => Ok((name, value)),
                None => Err(self.wrong(key, "the name of a property")),
            })
            .collect()
    }

    fn others(&self, node: NodeRef<'a>) -> Result<Others<'a>> {
        match (node.as_bool(), node.kind()) {
            (Some(true), _) => Ok(Others::Allowed),
            (Some(false), _) => Ok(Others::Refused),
            (None, Kind::Mapping) => Ok(Others::Schema(node)),
            _ => Err(self.wrong(node, "a boolean or a schema")),
        }
    }

    fn items(&self, node: NodeRef<'a>) -> Result<Items<'a>> {
        match node.kind() {
            Kind::Sequence => Ok(Items::InTurn(node.items().collect(), Others::Allowed)),
            Kind::Mapping | Kind::Bool => Ok(Items::Each(node)),
            _ => Err(self.wrong(node, "a schema or a list of schemas")),
        }
    }

    fn kinds(&self, node: NodeRef<'a>) -> Result<Kinds> {
        let one = |node: NodeRef<'a>| {
            let name = self.text(node)?;
            Kinds::of_type(name)
                .ok_or_else(|| self.wrong(node, "null, boolean, integer, number, string, array or object"))
        };
        match node.kind() {
            Kind::Sequence => node.items().try_fold(Kinds::NONE, |all, item| Ok(all.or(one(item)?))),
            _ => one(node),
        }
    }
}
