//! Objects: structs and maps.

use asdf_schema_model::Others;

use super::facts::Facts;
use super::inline::whole;
use super::{Builder, Built, Context, Key, defaults, docs, flatten};
use crate::Result;
use crate::library::Place;
use crate::model::{Docs, Field, Note, Shape, Struct, Type};
use crate::names::{self, Distinct};
use crate::report::LossKind;
use crate::schema::unknown;

impl<'a> Builder<'a> {
    pub(super) fn object(&mut self, facts: &Facts<'a>, context: &Context) -> Result<Built> {
        self.loose(facts, context);
        if facts.schema.values.is_some() {
            self.lose(LossKind::Looser, context.place, "`enum` of mappings is not checked");
        }
        let closed = self.closed(facts, context);
        if facts.schema.properties.is_empty() && facts.schema.required.is_empty() && !closed {
            return self.map(facts, context);
        }
        let schemas: Vec<Place> = self.other_schemas(facts);
        if !schemas.is_empty() {
            let message = "the schemas of properties without a field are not checked";
            self.lose(LossKind::Looser, context.place, message);
        }
        let mut taken = Distinct::default();
        let ordered = facts.ordered();
        let bases = self.bases(facts, &ordered)?;
        let mut own = Vec::new();
        for &(name, places) in &ordered {
            if !flatten::has(&bases, name) {
                own.push(self.field(facts, context, name, places, &mut taken)?);
            }
        }
        let fields = self.with_bases(&ordered, own, &bases, &mut taken);
        Ok(Built::Shape(Shape::Struct(Struct { fields, open: !closed })))
    }

    fn field(
        &mut self,
        facts: &Facts<'a>,
        context: &Context,
        property: &str,
        places: &[Place],
        taken: &mut Distinct,
    ) -> Result<Field> {
        let inner =
            Context { place: places.first().copied().unwrap_or(context.place), ..context.child(property) };
        let ty = self.type_of(&Key::all(places.to_vec()), &inner)?;
        let mut field_docs = Docs::default();
        let mut notes = Vec::new();
        let mut chosen = None;
        let mut old_default = None;
        for &place in places {
            let schema = self.schema(place)?;
            field_docs = field_docs.or(&docs::of(schema));
            notes.extend(self.notes(place)?);
            let fills = place.document == context.place.document
                && defaults::is_filled_in(self.packages.pointer(place));
            if let Some(default) = schema.get("default").filter(|_| fills && old_default.is_none()) {
                old_default = defaults::literal(default);
            }
            if chosen.is_none() {
                chosen = self.override_at(place);
            }
        }
        if field_docs.title.is_none() && field_docs.description.is_none() {
            field_docs = field_docs.or(&self.gather(&Key::all(places.to_vec()))?.docs.in_short());
        }
        let of_values = ty == Type::Mapping && {
            let facts = self.gather(&Key::all(places.to_vec()))?;
            let mut said = false;
            for place in self.other_schemas(&facts) {
                said |= !self.is_empty(place)?;
            }
            said
        };
        if ty == Type::Node || of_values {
            field_docs.words = self.words_at(places)?;
        }
        // A name that begins with a capital is for the type. A scalar has no type, so the name is for the field.
        let name = match chosen.filter(|name| names::is_field(name)) {
            Some(name) => name,
            None => names::value_name(property),
        };
        Ok(Field {
            property: property.to_owned(),
            name: taken.take(name),
            required: facts.schema.required.contains(&property),
            flatten: false,
            ty,
            old_default,
            docs: field_docs,
            notes,
        })
    }

    /// The keywords of a schema that are not part of the language, which are kept as notes.
    pub(super) fn notes(&mut self, place: Place) -> Result<Vec<Note>> {
        self.kept_notes.insert(place);
        self.schema(place)?;
        let note = |(keyword, value): (&str, _)| Note { keyword: keyword.to_owned(), value: whole(value) };
        Ok(unknown(self.packages.node(place)).map(note).collect())
    }

    /// A mapping without named properties.
    fn map(&mut self, facts: &Facts<'a>, context: &Context) -> Result<Built> {
        let inner = context.child("value");
        let schemas = self.other_schemas(facts);
        let by_pattern = !facts.schema.patterns.is_empty();
        if schemas.is_empty() {
            return Ok(Built::Type(Type::Mapping));
        }
        if by_pattern {
            let patterns: Vec<String> =
                facts.schema.patterns.iter().map(|(name, _)| format!("`{name}`")).collect();
            let only_one = schemas.len() == 1
                && facts.schema.others.iter().any(|other| matches!(other.others, Others::Refused));
            let message = format!("whether the keys match {} is not checked", patterns.join(" or "));
            self.lose(LossKind::Looser, context.place, message);
            if !only_one {
                let message = "which schema of `patternProperties` applies to a value is not checked";
                self.lose(LossKind::Looser, context.place, message);
                return Ok(Built::Type(Type::Mapping));
            }
        }
        let value = self.type_of(&Key::all(schemas), &inner)?;
        Ok(match value {
            Type::Node => Built::Type(Type::Mapping),
            value => Built::Type(Type::Map(Box::new(value))),
        })
    }

    /// The schemas for properties that are not listed.
    fn other_schemas(&self, facts: &Facts<'a>) -> Vec<Place> {
        let mut places: Vec<Place> = facts.schema.patterns.iter().map(|(_, place)| *place).collect();
        for other in &facts.schema.others {
            if let Others::Schema(place) = other.others {
                places.push(place);
            }
        }
        places
    }

    /// Whether other properties are not allowed.
    fn closed(&mut self, facts: &Facts<'a>, context: &Context) -> bool {
        let mut closed = false;
        for other in facts.schema.others.iter().filter(|other| matches!(other.others, Others::Refused)) {
            if !facts.schema.patterns.is_empty() {
                if !facts.schema.properties.is_empty() {
                    let message = "properties that do not match a pattern are not refused";
                    self.lose(LossKind::Looser, context.place, message);
                }
                continue;
            }
            closed = true;
            let foreign: Vec<&str> = facts
                .schema
                .properties
                .iter()
                .map(|property| property.name)
                .filter(|name| !other.listed.contains(name))
                .collect();
            if !foreign.is_empty() {
                let message =
                    format!("that a part of the schema forbids {} is not checked", foreign.join(", "));
                self.lose(LossKind::Looser, context.place, message);
            }
        }
        closed
    }
}
