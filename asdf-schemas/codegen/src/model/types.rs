//! The type of a field.

use std::collections::BTreeSet;

use super::Tags;

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
            | Self::Referred(inner) => inner.visit(direct, look),
            Self::Tuple(parts) => parts.iter().for_each(|part| part.visit(direct, look)),
            _ => {}
        }
        look(self, direct);
    }
}
