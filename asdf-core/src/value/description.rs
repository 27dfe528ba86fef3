//! Descriptions of types, from which schemas can be generated.
//!
//! [`FromNode::describe`] returns one. `asdf_schemas::export` generates schemas, a manifest and examples from
//! them.

use super::check::{Bound, Demand};
use super::{FromNode, Kinds, OwnTag};
use crate::error::Result;
use crate::tree::Node;

/// A function that describes a type. It is a function because a type can contain itself.
pub type Describe = fn() -> Description;

/// A description of the values of a type.
#[doc(alias = "schema")]
#[derive(Debug, Clone)]
pub struct Description {
    /// The type's full name in Rust, which identifies a recursive type.
    ///
    /// Empty for types of the standard library and similar ones, which are described inline.
    pub name: &'static str,
    /// The type's documentation, as lines of text.
    pub docs: &'static str,
    /// The tag of new values.
    pub tag: Option<&'static str>,
    /// The form of the values.
    pub form: Form,
}

/// The form of values.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Form {
    /// Nodes of these kinds.
    Kinds(Kinds),
    /// Nodes with a tag whose description is elsewhere. Versions with the same major number are accepted too.
    Tagged(&'static str),
    /// Nodes whose tag matches one of these patterns. Their description is elsewhere.
    TagLike(&'static [&'static str]),
    /// Arrays as in `core/ndarray`.
    Array {
        /// The datatype as schemas write it, if it is known.
        datatype: Option<Node>,
        /// Whether the datatype must match exactly. If not, datatypes that cast to it safely are accepted.
        exact: bool,
        /// The number of axes, if it is known.
        axes: Option<usize>,
        /// The largest number of axes, if there is one.
        max_axes: Option<usize>,
    },
    /// Mappings with these properties.
    Mapping {
        /// The properties, in their order.
        properties: Vec<Property>,
        /// Whether other properties are allowed.
        open: bool,
    },
    /// Mappings from any string to values.
    Map(Describe),
    /// Sequences.
    Sequence {
        /// The type of the items.
        items: Describe,
        /// Their number, if it is always the same.
        length: Option<usize>,
    },
    /// Sequences with one type for each index.
    List(Vec<Describe>),
    /// One of several.
    Choice {
        /// The accepted words.
        words: Vec<&'static str>,
        /// The types of other accepted values.
        values: Vec<Describe>,
    },
    /// Values of another type, with constraints.
    Checked {
        /// The other type.
        of: Describe,
        /// The constraints.
        constraints: Vec<Constraint>,
    },
    /// Mappings in which the value of a key selects one of several variants.
    Keyed {
        /// The key.
        key: &'static str,
        /// The values of the key. Each has its other properties, and whether further ones are allowed.
        variants: Vec<(&'static str, Vec<Property>, bool)>,
    },
}

/// A property of a mapping.
#[derive(Debug, Clone)]
pub struct Property {
    /// The key.
    pub key: &'static str,
    /// The documentation of its field.
    pub docs: &'static str,
    /// Whether the property is always present.
    pub required: bool,
    /// The value that is read if the property is missing.
    pub default: Option<fn() -> Result<Node>>,
    /// The type of its values.
    pub of: Describe,
}

impl Property {
    /// Creates the property of a field without a default.
    #[must_use]
    pub const fn new<T: FromNode>(key: &'static str, docs: &'static str) -> Self {
        Self { key, docs, required: !T::OPTIONAL, default: None, of: T::describe }
    }
}

/// A constraint, with the keywords of JSON Schema draft 4.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Constraint {
    /// A pattern, as a regular expression.
    Pattern(&'static str),
    /// `minLength`, `maxLength`, `minItems` or `maxItems`.
    Count(&'static str, usize),
    /// `minimum`, `maximum` or `multipleOf` with an integer. The flag makes a bound exclusive.
    Int(&'static str, i128, bool),
    /// `minimum`, `maximum` or `multipleOf` with a float. The flag makes a bound exclusive.
    Float(&'static str, f64, bool),
    /// `enum` of numbers.
    OneOf(&'static [Bound]),
    /// `uniqueItems`.
    Unique,
    /// `items` with a schema for each index, and any items after them.
    Items(Vec<Describe>),
    /// `not: {items: {not: ...}}`: items that must be present.
    Contains(&'static [Demand]),
}

impl Description {
    /// Creates the description of a type from its constants.
    #[must_use]
    pub fn from_type<T: FromNode>() -> Self {
        let form = match T::OWN_TAG {
            OwnTag::OneOf([tag, ..]) => Form::Tagged(tag),
            _ => Form::Kinds(T::TYPES),
        };
        Self::new(form)
    }

    /// Creates a description without a name and documentation.
    #[must_use]
    pub fn new(form: Form) -> Self {
        Self { name: "", docs: "", tag: None, form }
    }

    /// Creates the description of a value that can be anything, as read and written by a custom function.
    #[must_use]
    pub fn anything() -> Self {
        Self::new(Form::Kinds(Kinds::ANY))
    }
}
