//! The type of a field.

use std::collections::BTreeSet;

use super::Tags;
use crate::uri::{covers, split_version};

/// The number of a type to define.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ItemId(pub(crate) usize);

/// The type of a field, a variant or a list item.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Type {
    Bool,
    Signed,
    Unsigned,
    Number,
    String,
    Timestamp,
    /// Only null.
    Null,
    /// Any value, kept as a node.
    Node,
    /// Any mapping.
    Mapping,
    List(Box<Type>),
    /// A list of fixed length.
    Array(Box<Type>, usize),
    Tuple(Vec<Type>),
    /// A mapping whose values have one type.
    Map(Box<Type>),
    Nullable(Box<Type>),
    /// The type, or a node with a tag that the type does not accept. Also has the allowed tags.
    Tagged(Box<Type>, Box<Tags>),
    /// The type with tags that a schema refers to. A value can have the tag of another version, so this becomes `Tagged`
    /// unless all versions share the type.
    Referred(Box<Type>),
    Boxed(Box<Type>),
    /// The type, whose new values get the first of these tags because the schema requires it. The others are patterns of
    /// tags that values keep. Only a field or variant can have this type.
    WithTags(Box<Type>, Vec<String>),
    /// An existing type, by its path.
    Extern(String),
    Item(ItemId),
}

impl Type {
    pub(crate) fn tagged(self, tags: Tags) -> Self {
        Self::Tagged(Box::new(self), Box::new(tags))
    }

    /// The tag patterns of the type.
    pub(crate) fn patterns(&self) -> Option<&BTreeSet<String>> {
        match self {
            Self::Tagged(_, tags) => match tags.as_ref() {
                Tags::Like(patterns) => Some(patterns),
                Tags::Any | Tags::Known(_) => None,
            },
            _ => None,
        }
    }

    /// The type without required tags, and these tags.
    pub(crate) fn without_tags(&self) -> (&Self, &[String]) {
        match self {
            Self::WithTags(inner, tags) => (inner, tags),
            ty => (ty, &[]),
        }
    }

    /// Lets values keep the tags of another type for the same place.
    pub(crate) fn also_with_tags(&mut self, other: &Self) {
        let Self::WithTags(_, tags) = self else { return };
        let more = match other.without_tags().1 {
            // The other type does not require a tag, so all versions are allowed.
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

    /// The tags that a field or variant of this type requires, also inside a box or an option.
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
            // These types accept null themselves.
            Self::Node | Self::Null | Self::Nullable(_) => self,
            ty => Self::Nullable(Box::new(ty)),
        }
    }

    /// Changes the nested types, the innermost first, and then this type.
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

    /// Visits the nested types and then this type. `direct` is true if a value of the type is stored in the value itself
    /// and not behind a pointer.
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
