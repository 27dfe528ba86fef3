//! What the schemas say, in terms of Rust: types to define, and the types of their fields.

mod docs;
mod loss;
mod tags;
mod types;

pub(crate) use docs::Docs;
pub(crate) use loss::Loss;
pub(crate) use tags::Tags;
pub(crate) use types::{ItemId, Type};

use asdf_schema_model::Limits;

use crate::library::Place;
use crate::schema::Demand;

/// What the schemas came to.
#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) items: Vec<Item>,
    pub(crate) losses: Vec<Loss>,
}

/// A type to define.
#[derive(Debug, Clone)]
pub(crate) struct Item {
    /// The type's name.
    pub(crate) name: String,
    /// The schema, or the part of one, that the type is for.
    pub(crate) place: Place,
    /// Whether it stands for a whole schema: then it has the schema's tags.
    pub(crate) root: bool,
    /// The document whose tags it has without standing for it: it is a narrower one.
    pub(crate) tags_of: Option<usize>,
    pub(crate) docs: Docs,
    pub(crate) shape: Shape,
    /// Whether only a tag leads to a variant of the enum after the first.
    pub(crate) by_tag: bool,
    /// Keywords of the schema itself that are not of the language, with their values.
    pub(crate) notes: Vec<Note>,
}

/// What a type is.
#[derive(Debug, Clone)]
pub(crate) enum Shape {
    Struct(Struct),
    Enum(Vec<Variant>),
    Newtype(Newtype),
}

/// A mapping with named properties.
#[derive(Debug, Clone)]
pub(crate) struct Struct {
    pub(crate) fields: Vec<Field>,
    /// Whether other properties may be there.
    pub(crate) open: bool,
}

/// A property.
#[derive(Debug, Clone)]
pub(crate) struct Field {
    pub(crate) property: String,
    /// The name in Rust, without `r#`.
    pub(crate) name: String,
    pub(crate) required: bool,
    /// Whether it holds the properties of a base, and is none itself.
    pub(crate) flatten: bool,
    pub(crate) ty: Type,
    /// What stands for the property when a file older than standard 1.6.0 lacks it, as a Rust expression.
    pub(crate) old_default: Option<String>,
    pub(crate) docs: Docs,
    /// Keywords that are not of the language, with their values.
    pub(crate) notes: Vec<Note>,
}

/// One of several things that a value can be.
#[derive(Debug, Clone)]
pub(crate) enum Variant {
    /// This very string.
    Word { word: String, name: String },
    /// A value of a type.
    Value { name: String, ty: Type, docs: Docs },
}

/// A type around one other.
#[derive(Debug, Clone)]
pub(crate) struct Newtype {
    pub(crate) inner: Type,
    /// What the items of a list have to be, by their places.
    pub(crate) places: Vec<Type>,
    /// What is checked before there is a value.
    pub(crate) checks: Box<Limits>,
    /// Items that a list has to have.
    pub(crate) contains: Vec<Demand>,
}

/// A keyword that is not of the language, kept for whoever needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Note {
    pub(crate) keyword: String,
    pub(crate) value: String,
}

impl Newtype {
    /// A type around one other, without constraints.
    pub(crate) fn plain(inner: Type) -> Self {
        Self { inner, places: Vec::new(), checks: Box::default(), contains: Vec::new() }
    }

    /// Whether there are constraints.
    pub(crate) fn is_checked(&self) -> bool {
        !self.checks.is_empty() || !self.places.is_empty() || !self.contains.is_empty()
    }
}

impl Variant {
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Word { name, .. } | Self::Value { name, .. } => name,
        }
    }
}

impl Shape {
    /// The types that this one is made of.
    pub(crate) fn types(&self) -> Vec<&Type> {
        match self {
            Self::Struct(shape) => shape.fields.iter().map(|field| &field.ty).collect(),
            Self::Enum(variants) => variants
                .iter()
                .filter_map(|variant| match variant {
                    Variant::Value { ty, .. } => Some(ty),
                    Variant::Word { .. } => None,
                })
                .collect(),
            Self::Newtype(shape) => std::iter::once(&shape.inner).chain(&shape.places).collect(),
        }
    }

    /// The same, to change them.
    pub(crate) fn types_mut(&mut self) -> Vec<&mut Type> {
        match self {
            Self::Struct(shape) => shape.fields.iter_mut().map(|field| &mut field.ty).collect(),
            Self::Enum(variants) => variants
                .iter_mut()
                .filter_map(|variant| match variant {
                    Variant::Value { ty, .. } => Some(ty),
                    Variant::Word { .. } => None,
                })
                .collect(),
            Self::Newtype(shape) => std::iter::once(&mut shape.inner).chain(&mut shape.places).collect(),
        }
    }

    /// Whether values are text and nothing else.
    pub(crate) fn is_text(&self) -> bool {
        match self {
            Self::Newtype(shape) => shape.inner == Type::String,
            _ => self.is_words(),
        }
    }

    /// Whether values are strings out of a list, and nothing else.
    pub(crate) fn is_words(&self) -> bool {
        match self {
            Self::Enum(variants) => variants.iter().all(|variant| matches!(variant, Variant::Word { .. })),
            _ => false,
        }
    }
}
