//! The model of the generated code: types to define, and the types of their fields.

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

/// The types for all schemas.
#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) items: Vec<Item>,
    pub(crate) losses: Vec<Loss>,
}

/// A type to define.
#[derive(Debug, Clone)]
pub(crate) struct Item {
    /// The name of the type.
    pub(crate) name: String,
    /// The schema or part of a schema that the type is for.
    pub(crate) place: Place,
    /// Whether the type is for a whole schema, and so has the tags of the schema.
    pub(crate) root: bool,
    /// The document whose tags the type has, if it narrows the type of that document.
    pub(crate) tags_of: Option<usize>,
    pub(crate) docs: Docs,
    pub(crate) shape: Shape,
    /// Whether only a tag selects a variant of the enum after the first.
    pub(crate) by_tag: bool,
    /// Keywords of the schema that are not part of the language, with their values.
    pub(crate) notes: Vec<Note>,
}

/// The shape of a type.
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
    /// Whether other properties are allowed.
    pub(crate) open: bool,
}

/// A property.
#[derive(Debug, Clone)]
pub(crate) struct Field {
    pub(crate) property: String,
    /// The name in Rust, without `r#`.
    pub(crate) name: String,
    pub(crate) required: bool,
    /// Whether the field holds the properties of a base and is not a property itself.
    pub(crate) flatten: bool,
    pub(crate) ty: Type,
    /// The default of the property in files older than standard 1.6.0, as a Rust expression.
    pub(crate) old_default: Option<String>,
    pub(crate) docs: Docs,
    /// Keywords that are not part of the language, with their values.
    pub(crate) notes: Vec<Note>,
}

/// A variant of an enum.
#[derive(Debug, Clone)]
pub(crate) enum Variant {
    /// A string.
    Word { word: String, name: String },
    /// A value of a type.
    Value { name: String, ty: Type, docs: Docs },
}

/// A newtype.
#[derive(Debug, Clone)]
pub(crate) struct Newtype {
    pub(crate) inner: Type,
    /// The types of the items of a list, by position.
    pub(crate) places: Vec<Type>,
    /// The constraints that the constructor checks.
    pub(crate) checks: Box<Limits>,
    /// Items that a list must contain.
    pub(crate) contains: Vec<Demand>,
}

/// A keyword that is not part of the language, kept for programs that need it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Note {
    pub(crate) keyword: String,
    pub(crate) value: String,
}

impl Newtype {
    /// A newtype without constraints.
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
    /// The types of fields, variants or the inner value.
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

    /// The same types, mutable.
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

    /// Whether all values are text.
    pub(crate) fn is_text(&self) -> bool {
        match self {
            Self::Newtype(shape) => shape.inner == Type::String,
            _ => self.is_words(),
        }
    }

    /// Whether all values are strings of a list.
    pub(crate) fn is_words(&self) -> bool {
        match self {
            Self::Enum(variants) => variants.iter().all(|variant| matches!(variant, Variant::Word { .. })),
            _ => false,
        }
    }
}
