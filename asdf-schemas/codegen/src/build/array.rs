//! Arrays: lists, lists of a fixed length, tuples.

use asdf_schema_model::{Items, Kinds, Limits, Others};

use super::facts::Facts;
use super::union::Rule;
use super::{Builder, Built, Context, Key};
use crate::Result;
use crate::library::Place;
use crate::model::{Docs, Newtype, Shape, Tags, Type};
use crate::report::LossKind;
use crate::schema::Demand;

/// The maximum length of an array with a fixed length in its type.
const MAX_ARRAY: u64 = 16;
/// The maximum length of a tuple that can be read.
const MAX_TUPLE: usize = 6;

impl<'a> Builder<'a> {
    pub(super) fn array(&mut self, facts: &Facts<'a>, context: &Context) -> Result<Built> {
        self.loose_arrays(facts, context);
        let inner = context.child("item");
        let mut each: Vec<Place> = Vec::new();
        let mut in_turn: Option<(&[Place], Others<Place>)> = None;
        for (place, items) in &facts.schema.items {
            match items {
                Items::Each(item) => each.push(*item),
                Items::InTurn(first, others) if in_turn.is_none() => in_turn = Some((first, *others)),
                Items::InTurn(..) => {
                    self.lose(LossKind::Looser, *place, "a second list of `items` is not checked");
                }
            }
        }
        let Some((places, others)) = in_turn else {
            let item = self.type_of(&Key::all(each), &inner)?;
            let demands = self.demands(facts, context)?;
            return Ok(self.list(item, demands, facts, context));
        };
        if !facts.schema.contains.is_empty() {
            let message = "required items beside a list of `items` are not checked";
            self.lose(LossKind::Looser, context.place, message);
        }
        if !each.is_empty() {
            self.lose(
                LossKind::Looser,
                context.place,
                "a schema for all `items` beside a list of `items` is not checked",
            );
        }
        self.in_turn(facts, context, places, others)
    }

    fn list(&mut self, item: Type, demands: Vec<Demand>, facts: &Facts<'a>, context: &Context) -> Built {
        let checks = facts.schema.limits.on(Kinds::SEQUENCE);
        let only_length = !checks.unique_items && demands.is_empty();
        match (checks.min_items, checks.max_items) {
            (Some(least), Some(most)) if least == most && most <= MAX_ARRAY && only_length => {
                let length = usize::try_from(most).unwrap_or_default();
                Built::Type(Type::Array(Box::new(item), length))
            }
            _ => self.checked_list(item, Vec::new(), demands, checks, context),
        }
    }

    /// `items` with a schema for each position.
    fn in_turn(
        &mut self,
        facts: &Facts<'a>,
        context: &Context,
        places: &[Place],
        others: Others<Place>,
    ) -> Result<Built> {
        let inner = context.child("item");
        let mut checks = facts.schema.limits.on(Kinds::SEQUENCE);
        let count = places.len() as u64;
        if matches!(others, Others::Refused) {
            checks.max_items = Some(checks.max_items.unwrap_or(count).min(count));
        }
        let capped = checks.max_items.is_some_and(|most| most <= count);
        let fixed = checks.min_items == Some(count) && capped;
        if fixed && places.len() <= MAX_TUPLE && !checks.unique_items {
            let mut parts = Vec::new();
            for (index, &place) in places.iter().enumerate() {
                parts.push(self.type_of(&Key::of(place), &context.child(&index.to_string()))?);
            }
            return Ok(Built::Type(Type::Tuple(parts)));
        }
        if capped {
            let in_turn = self.places(places, context)?;
            let keys: Vec<Key> = places.iter().map(|&place| Key::of(place)).collect();
            let built = self.union(&keys, &inner, Rule::Mixed)?;
            let item = self.finish(built, &inner, Docs::default());
            return Ok(self.checked_list(item, in_turn, Vec::new(), checks, context));
        }
        if let ([only], Others::Allowed) = (places, others) {
            let item = self.type_of(&Key::of(*only), &inner)?;
            if self.has_tag(&item) {
                let message = "`items` is a list of one schema, which applies to the first item only; the type \
                               applies it to all items without another tag";
                self.lose(LossKind::Stricter, *only, message);
                return Ok(self.checked(item.tagged(Tags::Any).list(), checks, context));
            }
        }
        let in_turn = self.places(places, context)?;
        let message =
            format!("`items` has schemas for the first {count} items only, so all items are kept as nodes");
        self.lose(LossKind::Node, context.place, message);
        Ok(self.checked_list(Type::Node, in_turn, Vec::new(), checks, context))
    }

    /// The types of the items with separate schemas.
    fn places(&mut self, places: &[Place], context: &Context) -> Result<Vec<Type>> {
        let mut types = Vec::new();
        for (index, &place) in places.iter().enumerate() {
            let context = context.child(&index.to_string());
            let ty = self.type_of(&Key::of(place), &context)?;
            // Attributes name types by path, and these types have no path.
            types.push(match ty {
                Type::Array(..) | Type::Tuple(_) | Type::Null => {
                    let shape = Shape::Newtype(Newtype::plain(ty));
                    Type::Item(self.define(&context.name, place, false, Docs::default(), shape))
                }
                ty => ty,
            });
        }
        Ok(types)
    }

    /// A list with the types of its items by position, and required items.
    fn checked_list(
        &mut self,
        item: Type,
        places: Vec<Type>,
        contains: Vec<Demand>,
        checks: Limits,
        context: &Context,
    ) -> Built {
        match self.checked(item.list(), checks, context) {
            Built::Shape(Shape::Newtype(newtype)) => {
                Built::Shape(Shape::Newtype(Newtype { places, contains, ..newtype }))
            }
            Built::Type(inner @ Type::List(_)) if !(places.is_empty() && contains.is_empty()) => {
                Built::Shape(Shape::Newtype(Newtype { places, contains, ..Newtype::plain(inner) }))
            }
            built => built,
        }
    }

    /// Reports keywords for strings beside an array.
    fn loose_arrays(&mut self, facts: &Facts<'a>, context: &Context) {
        let strings = facts.schema.limits.on(Kinds::STRING);
        if !strings.is_empty() && !facts.schema.kinds().0.has(Kinds::STRING) {
            let message = "`pattern`, `minLength` or `maxLength` has no effect on an array";
            self.lose(LossKind::Ignored, context.place, message);
        }
    }
}
