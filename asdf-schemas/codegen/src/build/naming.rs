//! Names of types, from the places of their schemas.

use asdf_schema_model::Kinds;

use super::facts::Facts;
use super::{Builder, Goal};
use crate::library::Place;
use crate::{Error, Result, names};

impl<'a> Builder<'a> {
    /// The name of the type of a document: the last part of its id, without the version.
    pub(super) fn root_name(&mut self, document: usize) -> String {
        let place = self.packages.root(document);
        let own = self.type_override(place);
        own.unwrap_or_else(|| names::type_name(self.packages.document(document).stem()))
    }

    /// The name for the type of a part of a document: the name of the document's type or of the definition, followed by the
    /// steps to the part.
    pub(super) fn name_at(&mut self, place: Place) -> Result<String> {
        let library = self.packages;
        let mut name = self.root_name(place.document);
        let mut node = library.node(library.root(place.document));
        let pointer = library.pointer(place).to_owned();
        let mut steps = asdf_schema_model::pointer::steps(&pointer);
        while let Some(step) = steps.next() {
            let Some(below) = node.child(&step) else { break };
            node = below;
            match step.as_ref() {
                "properties" | "patternProperties" | "definitions" | "dependencies" => {
                    let Some(key) = steps.next() else { break };
                    match step.as_ref() {
                        "properties" => name.push_str(&names::camel(&key)),
                        "patternProperties" => name.push_str("Value"),
                        "definitions" => name = names::type_name(&key),
                        _ => name.push_str(&names::camel(&key)),
                    }
                    let Some(below) = node.child(&key) else { break };
                    node = below;
                }
                "items" => {
                    name.push_str("Item");
                    if node.kind() == asdf_core::tree::Kind::Sequence {
                        let Some(index) = steps.next() else { break };
                        name.push_str(&index);
                        let Some(below) = node.child(&index) else { break };
                        node = below;
                    }
                }
                "additionalItems" => name.push_str("Item"),
                "additionalProperties" => name.push_str("Value"),
                "allOf" | "anyOf" | "oneOf" => {
                    let Some(index) = steps.next() else { break };
                    let branches = node.len();
                    let Some(below) = node.child(&index) else { break };
                    node = below;
                    if step != "allOf" && branches > 1 {
                        // The branches of a nested union are branches of the outer one.
                        let facts = self.gather(&super::Key::of(library.part(place, node)))?;
                        if facts.unions.is_empty() || facts.says_something() {
                            name.push_str(&self.kind_label(&facts)?);
                        }
                    }
                }
                other => name.push_str(&names::camel(other)),
            }
            let here = library.part(place, node);
            if let Some(other) = self.type_override(here) {
                name = other;
            }
        }
        Ok(name)
    }

    /// The name in the configuration for the type or variant at a place. It begins with a capital, unlike names of fields.
    fn type_override(&mut self, place: Place) -> Option<String> {
        match self.settings.name_for(&self.packages.name(place)) {
            Some((_, name)) if names::is_field(name) => None,
            _ => self.override_at(place),
        }
    }

    /// The name in the configuration for the field or type at a place.
    pub(super) fn override_at(&mut self, place: Place) -> Option<String> {
        let at = self.packages.name(place);
        let (pattern, name) = self.settings.name_for(&at)?;
        self.used_names.insert(pattern.to_owned());
        Some(name.to_owned())
    }

    /// The name of a branch without the name of the schema as a prefix: `TimeFormat` in `Time` becomes `Format`.
    pub(super) fn label(&mut self, branch: Place) -> Result<String> {
        let label = self.whole_label(branch)?;
        let schema = self.root_name(branch.document);
        Ok(match label.strip_prefix(&schema) {
            Some(rest) if rest.starts_with(char::is_uppercase) => rest.to_owned(),
            _ => label,
        })
    }

    /// The name of a branch: the name in the configuration, the name of the branch's target, or its kind.
    fn whole_label(&mut self, branch: Place) -> Result<String> {
        if let Some(name) = self.type_override(branch) {
            return Ok(name);
        }
        match self.peek(branch)? {
            Goal::Root(document) => Ok(self.root_name(document)),
            Goal::Extern(name) => Ok(self.extern_label(&name)),
            Goal::Anything => Ok("Node".to_owned()),
            Goal::Place(place) => match self.type_override(place) {
                Some(name) => Ok(name),
                None => match self.packages.pointer(place).strip_prefix("/definitions/") {
                    Some(name) if !name.contains('/') => Ok(names::type_name(name)),
                    _ => {
                        let facts = self.gather(&super::Key::of(place))?;
                        self.kind_label(&facts)
                    }
                },
            },
        }
    }

    /// The name of a variant for another version of the schema of a branch: `QuantityV1_1_0`.
    pub(super) fn version_label(&self, label: &str, document: usize) -> String {
        let version = self.packages.document(document).version.as_ref();
        version.map_or_else(|| label.to_owned(), |version| format!("{label}{}", version.variant()))
    }

    /// The last part of the path of an existing type.
    pub(super) fn extern_label(&self, name: &str) -> String {
        let path = self.settings.extern_for(name).map_or("", |found| found.path.as_str());
        let path = path.split('<').next().unwrap_or_default();
        names::type_name(path.rsplit("::").next().unwrap_or_default())
    }

    /// The name of a branch by the kinds that it allows.
    fn kind_label(&mut self, facts: &Facts<'a>) -> Result<String> {
        if let Some((name, _)) = facts.externs.first() {
            return Ok(self.extern_label(name));
        }
        if let Some((_, tag)) = facts.schema.tags.first() {
            return Ok(self.tag_label(tag));
        }
        Ok(label_of(facts.schema.kinds().0))
    }

    /// Reports names that are not valid in Rust.
    pub(super) fn check_spelling(&self) -> Result<()> {
        match self.settings.names.iter().find(|(_, name)| !names::is_ident(name)) {
            Some((pattern, name)) => {
                Err(Error::usage(format!("the name '{name}' for {pattern} is not a valid Rust identifier")))
            }
            None => Ok(()),
        }
    }

    /// Reports names that are not used.
    pub(super) fn check_names(&self) -> Result<()> {
        match self.settings.names.keys().find(|pattern| !self.used_names.contains(*pattern)) {
            Some(pattern) => Err(Error::usage(format!("the name for {pattern} is not used"))
                .with_hint("remove it; nothing is generated for it, or a longer pattern fits too")),
            None => Ok(()),
        }
    }
}

/// A word for a set of kinds.
pub(super) fn label_of(kinds: Kinds) -> String {
    let parts = kinds.apart();
    let name = match parts.as_slice() {
        [] => "Nothing",
        [one] if *one == Kinds::NUMBER => "Number",
        [one] if one.has(Kinds::NULL) => "Null",
        [one] if one.has(Kinds::BOOL) => "Bool",
        [one] if one.has(Kinds::INT) => "Integer",
        [one] if one.has(Kinds::FLOAT) => "Float",
        [one] if one.has(Kinds::STRING) => "String",
        [one] if one.has(Kinds::TIMESTAMP) => "Timestamp",
        [one] if one.has(Kinds::SEQUENCE) => "List",
        [one] if one.has(Kinds::MAPPING) => "Object",
        [string, time] if string.has(Kinds::STRING) && time.has(Kinds::TIMESTAMP) => "Timestamp",
        _ if kinds == Kinds::ANY => "Node",
        _ => "Value",
    };
    name.to_owned()
}
