//! Bases whose properties are in the mapping of a type that builds on them: one field per base, with `flatten`.

use asdf_schema_model::{Kinds, Others};

use super::facts::Facts;
use super::{Builder, Key, defaults};
use crate::Result;
use crate::library::Place;
use crate::model::{Docs, Field};
use crate::names::{self, Distinct};

/// A base of an object, and the names of its properties in order.
#[derive(Debug)]
pub(super) struct Base<'a> {
    document: usize,
    names: Vec<&'a str>,
}

impl<'a> Builder<'a> {
    /// The bases of an object, direct and indirect, whose types represent all requirements of the object's schema on their
    /// properties. `ordered` has all properties of the object.
    pub(super) fn bases(&self, facts: &Facts<'a>, ordered: &[(&'a str, &[Place])]) -> Result<Vec<Base<'a>>> {
        let mut found: Vec<Base<'a>> = Vec::new();
        let mut pending: Vec<usize> = Vec::new();
        for &place in facts.key.places.iter().rev() {
            pending.extend(self.builds_on(place)?.into_iter().rev());
        }
        let mut seen = Vec::new();
        while let Some(document) = pending.pop() {
            if seen.contains(&document) {
                continue;
            }
            seen.push(document);
            match self.base(facts, ordered, document)? {
                Some(base) if !found.iter().any(|other| base.overlaps(other)) => found.push(base),
                _ => pending.extend(self.builds_on(self.packages.root(document))?.into_iter().rev()),
            }
        }
        Ok(found)
    }

    /// The whole documents that a schema refers to, directly or in `allOf`.
    fn builds_on(&self, place: Place) -> Result<Vec<usize>> {
        let schema = self.schema(place)?;
        let mut parts = vec![place];
        parts.extend(schema.branches("allOf").map(|branch| self.packages.part(place, branch)));
        let mut documents = Vec::new();
        for part in parts {
            let Some(reference) = self.schema(part)?.text("$ref") else { continue };
            let target = self.packages.target(part, reference).place;
            documents
                .extend(target.filter(|&target| self.packages.is_root(target)).map(|root| root.document));
        }
        Ok(documents)
    }

    /// A document as the base of an object, if its type is a struct without a tag, and the schema of the object adds no
    /// requirements on its properties.
    fn base(
        &self,
        facts: &Facts<'a>,
        ordered: &[(&'a str, &[Place])],
        document: usize,
    ) -> Result<Option<Base<'a>>> {
        let about = self.packages.document(document);
        let is_tagged = self.packages.tags_of(document).next().is_some();
        if !about.base || is_tagged || self.settings.extern_for(&about.id).is_some() {
            return Ok(None);
        }
        let base = self.gather(&Key::of(self.packages.root(document)))?;
        let is_object = base.schema.kinds().0 == Kinds::MAPPING
            && base.externs.is_empty()
            && base.schema.tags.is_empty()
            && base.unions.is_empty();
        let is_closed = base.schema.others.iter().any(|other| matches!(other.others, Others::Refused));
        let leads_back = facts.key.places.iter().any(|place| base.schema.schemas.contains(place));
        if !is_object || is_closed || leads_back {
            return Ok(None);
        }
        let own = base.ordered();
        let Some((first, _)) = own.first() else { return Ok(None) };
        // The properties must be adjacent and in the same order, so that values are written in the order of the schema.
        let start = ordered.iter().position(|(name, _)| name == first).unwrap_or(ordered.len());
        let same = ordered.get(start..start.saturating_add(own.len())).is_some_and(|part| part == own);
        let required =
            |name: &&str| facts.schema.required.contains(name) == base.schema.required.contains(name);
        let names: Vec<&'a str> = own.iter().map(|(name, _)| *name).collect();
        if !same || !names.iter().all(required) {
            return Ok(None);
        }
        for (_, places) in own {
            for &place in places {
                // Types that build on the base do not have its defaults.
                let default = self.schema(place)?.get("default").and_then(defaults::literal);
                if default.is_some() && defaults::is_filled_in(self.packages.pointer(place)) {
                    return Ok(None);
                }
            }
        }
        Ok(Some(Base { document, names }))
    }

    /// The fields of an object, with one field per base at the position of its first property.
    pub(super) fn with_bases(
        &mut self,
        ordered: &[(&'a str, &[Place])],
        own: Vec<Field>,
        bases: &[Base<'a>],
        taken: &mut Distinct,
    ) -> Vec<Field> {
        let mut fields = Vec::new();
        let mut own = own.into_iter();
        for &(name, _) in ordered {
            if !has(bases, name) {
                fields.extend(own.next());
            } else if let Some(base) = bases.iter().find(|base| base.names.first() == Some(&name)) {
                // A single base gets a name that does not depend on its schema.
                let label = match bases.len() {
                    1 => "base".to_owned(),
                    _ => names::value_name(self.packages.document(base.document).stem()),
                };
                fields.push(Field {
                    property: String::new(),
                    name: taken.take(label),
                    required: true,
                    flatten: true,
                    ty: self.root(base.document),
                    old_default: None,
                    docs: Docs::default(),
                    notes: Vec::new(),
                });
            }
        }
        fields
    }
}

/// Whether a property belongs to a base.
pub(super) fn has(bases: &[Base<'_>], name: &str) -> bool {
    bases.iter().any(|base| base.names.contains(&name))
}

impl Base<'_> {
    fn overlaps(&self, other: &Self) -> bool {
        self.names.iter().any(|name| other.names.contains(name))
    }
}
