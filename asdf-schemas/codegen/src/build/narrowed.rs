//! A tag beside other keywords, which narrow the type of the tag.

use asdf_core::tree::tag_matches;
use asdf_schema_model::Kinds;

use super::facts::Facts;
use super::follow::Goal;
use super::{Builder, Built, Context, Key, Memo};
use crate::Result;
use crate::model::{Docs, Item, Newtype, Shape, Type};
use crate::uri::covers;

impl<'a> Builder<'a> {
    /// The type for values with the tag of a document and further requirements. It has all properties, and the tag. `None`
    /// if the values are neither mappings nor strings, or if there is a union.
    pub(super) fn narrowed(
        &mut self,
        facts: &Facts<'a>,
        document: usize,
        context: &Context,
    ) -> Result<Option<Type>> {
        let mut key: Key = facts.key.clone();
        key.places.push(self.packages.root(document));
        match self.memo.get(&key) {
            Some(Memo::Done(ty)) => return Ok(Some(ty.clone())),
            Some(Memo::Open(Some(id))) => return Ok(Some(Type::Item(*id))),
            Some(Memo::Open(None)) => {
                let id = self.reserve();
                self.memo.insert(key, Memo::Open(Some(id)));
                return Ok(Some(Type::Item(id)));
            }
            None => {}
        }
        let mut whole = self.gather(&key)?;
        let own = |pattern: &str| self.packages.tags_of(document).any(|tag| tag_matches(pattern, &tag.uri));
        whole.schema.tags.retain(|(_, pattern)| !own(pattern));
        let kinds = whole.schema.kinds().0;
        let one_kind = [Kinds::MAPPING, Kinds::STRING].contains(&kinds);
        if !one_kind || !whole.schema.tags.is_empty() || !whole.unions.is_empty() || !whole.externs.is_empty()
        {
            return Ok(None);
        }
        self.memo.insert(key.clone(), Memo::Open(None));
        let shape = match self.by_kinds(&whole, context)? {
            Built::Shape(shape @ Shape::Enum(_)) => {
                let inner = context.child("value");
                let inner = self.define(&inner.name, context.place, false, Docs::default(), shape);
                Shape::Newtype(Newtype::plain(Type::Item(inner)))
            }
            Built::Shape(shape) => shape,
            Built::Type(inner) => Shape::Newtype(Newtype::plain(inner)),
        };
        let id = match self.memo.get(&key) {
            Some(Memo::Open(Some(id))) => *id,
            _ => self.reserve(),
        };
        let docs = whole.docs_of_part();
        let item = Item {
            name: context.name.clone(),
            place: context.place,
            root: false,
            tags_of: Some(document),
            docs,
            shape,
            by_tag: false,
            notes: Vec::new(),
        };
        self.fill(id, item);
        self.memo.insert(key, Memo::Done(Type::Item(id)));
        Ok(Some(Type::Item(id)))
    }

    /// Whether all unions beside a tag have a branch that a value with the tag fits.
    pub(super) fn unions_take(&self, facts: &Facts<'a>, pattern: &str) -> Result<bool> {
        for union in facts.unions.iter().filter(|union| !union.exactly_one) {
            let mut takes = false;
            for &branch in &union.branches {
                takes |= match self.peek(branch)? {
                    Goal::Anything => true,
                    Goal::Extern(name) => self
                        .settings
                        .extern_for(&name)
                        .is_some_and(|found| found.tags.iter().any(|tag| covers(tag, pattern))),
                    Goal::Root(document) => {
                        let fits = |tag: &str| tag_matches(pattern, tag);
                        self.packages.tags_of(document).any(|tag| fits(&tag.uri))
                    }
                    Goal::Place(place) => {
                        let branch = self.gather(&Key::of(place))?;
                        let bare = !branch.says_something() && branch.elements.is_empty();
                        bare && branch.schema.tags.iter().all(|(_, tag)| covers(tag, pattern))
                            && !branch.schema.tags.is_empty()
                    }
                };
            }
            if !takes {
                return Ok(false);
            }
        }
        Ok(facts.unions.iter().all(|union| !union.exactly_one))
    }
}
