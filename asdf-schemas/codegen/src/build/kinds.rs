//! A type for each kind of node that a schema allows.

use asdf_schema_model::Kinds;

use super::facts::Facts;
use super::inline::inline;
use super::naming::label_of;
use super::{Builder, Built, Context};
use crate::Result;
use crate::model::{Docs, Shape, Type, Variant};
use crate::names::Distinct;
use crate::report::LossKind;

impl<'a> Builder<'a> {
    /// The type for all kinds of node that a schema allows.
    pub(super) fn by_kinds(&mut self, facts: &Facts<'a>, context: &Context) -> Result<Built> {
        let (kinds, guessed) = facts.schema.kinds();
        if !facts.elements.is_empty() {
            let message = "`ndim`, `max_ndim` or `datatype` has no effect without the tag of an array";
            self.lose(LossKind::Ignored, context.place, message);
        }
        if kinds == Kinds::ANY && facts.schema.values.is_none() {
            self.loose(facts, context);
            return Ok(Built::Type(Type::Node));
        }
        if kinds.is_empty() {
            self.lose(LossKind::Node, context.place, "no value satisfies the whole schema");
            return Ok(Built::Type(Type::Node));
        }
        if guessed {
            let message =
                format!("the schema has no `type` and allows other kinds; the type accepts only {kinds}");
            self.lose(LossKind::Stricter, context.place, message);
        }
        let (null, rest) = (kinds.has(Kinds::NULL), kinds.without(Kinds::NULL));
        let mut parts = rest.apart();
        // A timestamp belongs to the string type, which accepts both.
        if facts.schema.date_time {
            parts.retain(|part| *part != Kinds::TIMESTAMP);
        }
        let built = match parts.as_slice() {
            [] => return Ok(Built::Type(Type::Null)),
            [one] => self.by_kind(facts, *one, context)?,
            parts => {
                let mut variants = Vec::new();
                let mut names = Distinct::default();
                for &part in parts {
                    let label = label_of(part);
                    let inner = context.child(&label);
                    match self.by_kind(facts, part, &inner)? {
                        Built::Shape(Shape::Enum(words)) => variants.extend(words),
                        built => {
                            let ty = self.finish(built, &inner, Docs::default());
                            variants.push(Variant::Value {
                                name: names.take(label),
                                ty,
                                docs: Docs::default(),
                            });
                        }
                    }
                }
                Built::Shape(Shape::Enum(variants))
            }
        };
        Ok(if null { self.nullable(built, context) } else { built })
    }

    /// The type, or null.
    pub(super) fn nullable(&mut self, built: Built, context: &Context) -> Built {
        let inner = self.finish(built, context, Docs::default());
        Built::Type(inner.nullable())
    }

    fn by_kind(&mut self, facts: &Facts<'a>, kinds: Kinds, context: &Context) -> Result<Built> {
        let built = if kinds.has(Kinds::MAPPING) {
            return self.object(facts, context);
        } else if kinds.has(Kinds::SEQUENCE) {
            self.array(facts, context)?
        } else if kinds.has(Kinds::STRING) {
            match facts.words() {
                Some(words) => Built::Shape(Shape::Enum(super::scalar::words(&words))),
                None => self.string(facts, context),
            }
        } else if kinds.has(Kinds::INT) || kinds.has(Kinds::FLOAT) {
            self.number(facts, kinds, context)
        } else if kinds.has(Kinds::BOOL) {
            Built::Type(Type::Bool)
        } else if kinds.has(Kinds::TIMESTAMP) {
            Built::Type(Type::Timestamp)
        } else {
            Built::Type(Type::Null)
        };
        self.values_lost(facts, kinds, context);
        Ok(built)
    }

    /// Reports an `enum` of values other than strings.
    fn values_lost(&mut self, facts: &Facts<'a>, kinds: Kinds, context: &Context) {
        let Some(values) = &facts.schema.values else { return };
        let fit: Vec<String> = values
            .iter()
            .filter(|value| kinds.has(value.kind().into()))
            .map(|value| inline(*value))
            .collect();
        let words = kinds.has(Kinds::STRING) && facts.words().is_some();
        let both = kinds == Kinds::BOOL && fit.len() == 2;
        let scalar = !kinds.has(Kinds::STRING) && !kinds.has(Kinds::SEQUENCE) && !kinds.has(Kinds::MAPPING);
        let numbers = scalar && !kinds.and(Kinds::NUMBER).is_empty() && facts.numbers().is_some();
        if !words && !both && !numbers {
            let message = format!("`enum: [{}]` is not checked", fit.join(", "));
            self.lose(LossKind::Looser, context.place, message);
        }
    }

    /// Reports keywords that no type can check.
    pub(super) fn loose(&mut self, facts: &Facts<'a>, context: &Context) {
        for (place, keyword, value) in &facts.loose {
            let place = if context.depth == 0 { context.place } else { *place };
            let message = format!("`{keyword}: {}` is not checked", inline(*value));
            self.lose(LossKind::Looser, place, message);
        }
    }
}
