//! The type of a field.

use std::collections::BTreeSet;

use super::Tags;
use crate::uri::{covers, split_version};

/// The number of a type to define.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ItemId(pub(crate) usize);

/// The type of a field, a variant or an item of a list.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Type {
    Bool,
    Signed,
    Unsigned,
    Number,
    String,
    Timestamp,
    /// Null and nothing else.
    Null,
    /// Anything, as it stands.
    Node,
    /// Any mapping.
    Mapping,
    List(Box<Type>),
    /// A list of this many.
    Array(Box<Type>, usize),
    Tuple(Vec<Type>),
    /// A mapping whose values are all of one type.
    Map(Box<Type>),
    Nullable(Box<Type>),
    /// The type, or a node with a tag that the type does not accept; which tags there may be.
    Tagged(Box<Type>, Box<Tags>),
    /// The type with tags that a schema refers to; a value may have the tag of another version, so that
    /// this becomes `Tagged` when not all of them share the type.
    Referred(Box<Type>),
    Boxed(Box<Type>),
    /// The type, whose new values get the first of these tags here, since the schema asks for it; the others are
    /// patterns of the tags that values keep. A field or a variant can say this, and nothing else.
    WithTags(Box<Type>, Vec<String>),
    /// A type that exists, by its path.
    Extern(String),
    Item(ItemId),
}

impl Type {
    pub(crate) fn tagged(self, tags: Tags) -> Self {
        Self::Tagged(Box::new(self), Box::new(tags))
    }

    /// The patterns of the tags that it asks for.
    pub(crate) fn patterns(&self) -> Option<&BTreeSet<String>> {
        match self {
            Self::Tagged(_, tags) => match tags.as_ref() {
                Tags::Like(patterns) => Some(patterns),
                Tags::Any | Tags::Known(_) => None,
            },
            _ => None,
        }
    }

    /// The type alone, and the tags that its place asks for.
    pub(crate) fn without_tags(&self) -> (&Self, &[String]) {
        match self {
            Self::WithTags(inner, tags) => (inner, tags),
            ty => (ty, &[]),
        }
    }

    /// Lets values keep the tags that another type for the same place has.
    pub(crate) fn also_with_tags(&mut self, other: &Self) {
        let Self::WithTags(_, tags) = self else { return };
        let more = match other.without_tags().1 {
            // It asks for none in particular: all versions are as good.
            [] => tags.first().map(|tag| format!("{}-*", split_version(tag).0)).into_iter().collect(),
            more => more.to_vec(),
        };
        for tag in more {
            if !tags.iter().any(|known| covers(known, &tag)) {
                let mut further = tags.split_off(1);
                further.retain(|known| !covers(&tag, known));
                tags.append(&mut further);
                tags.push(tag);
            }
        }
    }

    /// The tags that a field or a variant of this type asks for. A tag is that of the value in a box or an option.
    pub(crate) fn write_tags(&self) -> &[String] {
        match self {
            Self::WithTags(_, tags) => tags,
            Self::Boxed(inner) | Self::Nullable(inner) | Self::Tagged(inner, _) => inner.write_tags(),
            _ => &[],
        }
    }

    pub(crate) fn list(self) -> Self {
        Self::List(Box::new(self))
    }

    pub(crate) fn nullable(self) -> Self {
        match self {
            // These take null themselves.
            Self::Node | Self::Null | Self::Nullable(_) => self,
            ty => Self::Nullable(Box::new(ty)),
        }
    }

    /// Changes the types inside, the innermost first, and then this one.
    pub(crate) fn rewrite(&mut self, change: &mut dyn FnMut(&mut Self)) {
        match self {
            Self::List(inner)
            | Self::Array(inner, _)
            | Self::Map(inner)
            | Self::Nullable(inner)
            | Self::Tagged(inner, _)
            | Self::Referred(inner)
            | Self::WithTags(inner, _)
            | Self::Boxed(inner) => inner.rewrite(change),
            Self::Tuple(parts) => parts.iter_mut().for_each(|part| part.rewrite(change)),
            _ => {}
        }
        change(self);
    }

    /// Visits the types inside and then this one; `direct` says whether a value of the type lies in
    /// the value itself and not behind a pointer.
    pub(crate) fn visit(&self, direct: bool, look: &mut dyn FnMut(&Self, bool)) {
        match self {
            Self::List(inner) | Self::Map(inner) | Self::Boxed(inner) => inner.visit(false, look),
            Self::Array(inner, _)
            | Self::Nullable(inner)
            | Self::Tagged(inner, _)
            | Self::WithTags(inner, _)
            | Self::Referred(inner) => inner.visit(direct, look),
            Self::Tuple(parts) => parts.iter().for_each(|part| part.visit(direct, look)),
            _ => {}
        }
        look(self, direct);
    }
}
