//! What a type says about its values: the other way to a schema.
//!
//! [`FromNode::describe`] gives it; `asdf_schemas::export` makes schemas, a manifest and
//! examples of it.

use super::check::{Bound, Demand};
use super::{FromNode, Kinds, OwnTag};
use crate::error::Result;
use crate::tree::Node;

/// What describes a type. A function, so that a type may hold itself.
pub type Describe = fn() -> Description;

/// What a type says about its values.
#[derive(Debug, Clone)]
pub struct Description {
    /// The type's full name in Rust, by which one that holds itself is known; empty for types of the standard
    /// library and the like, which are described where they stand.
    pub name: &'static str,
    /// Its documentation: lines of text.
    pub docs: &'static str,
    /// The tag that new values have.
    pub tag: Option<&'static str>,
    /// What its values are.
    pub form: Form,
}

/// What values are.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Form {
    /// Nodes of these kinds.
    Kinds(Kinds),
    /// Nodes with a tag of somebody else, who describes it; versions of the same major number are as good.
    Tagged(&'static str),
    /// Nodes whose tag fits one of these patterns, which somebody else describes.
    TagLike(&'static [&'static str]),
    /// Arrays, as `core/ndarray` has them.
    Array {
        /// The datatype as schemas have it, if it is known.
        datatype: Option<Node>,
        /// Whether the datatype has to be the very same; others that cast to it safely do otherwise.
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
        /// Whether there may be others.
        open: bool,
    },
    /// Mappings from any string to values.
    Map(Describe),
    /// Sequences.
    Sequence {
        /// The items.
        items: Describe,
        /// Their number, if it is always the same.
        length: Option<usize>,
    },
    /// Sequences of these, one after the other.
    List(Vec<Describe>),
    /// One of several.
    Choice {
        /// The words that it may be.
        words: Vec<&'static str>,
        /// What else it may be.
        values: Vec<Describe>,
    },
    /// Values of another type, with constraints.
    Checked {
        /// The other type.
        of: Describe,
        /// The constraints.
        constraints: Vec<Constraint>,
    },
    /// Mappings whose key says which of these they are.
    Keyed {
        /// The key.
        key: &'static str,
        /// Its values, with the other properties.
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
    /// Whether it is always there.
    pub required: bool,
    /// What is read when it is not.
    pub default: Option<fn() -> Result<Node>>,
    /// Its values.
    pub of: Describe,
}

impl Property {
    /// The property of a field without a default.
    #[must_use]
    pub const fn new<T: FromNode>(key: &'static str, docs: &'static str) -> Self {
        Self { key, docs, required: !T::OPTIONAL, default: None, of: T::describe }
    }
}

/// A constraint, in the words of JSON Schema's draft 4.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Constraint {
    /// A pattern, as a regular expression.
    Pattern(&'static str),
    /// `minLength`, `maxLength`, `minItems` or `maxItems`.
    Count(&'static str, usize),
    /// `minimum`, `maximum` or `multipleOf` an integer; a bound may be exclusive.
    Int(&'static str, i128, bool),
    /// The same of a float.
    Float(&'static str, f64, bool),
    /// `enum` of numbers.
    OneOf(&'static [Bound]),
    /// `uniqueItems`.
    Unique,
    /// `items` with a schema for each place, and any items after them.
    Items(Vec<Describe>),
    /// `not: {items: {not: ...}}`: items that have to be there.
    Contains(&'static [Demand]),
}

impl Description {
    /// A type of which nothing is known but its constants.
    #[must_use]
    pub fn from_type<T: FromNode>() -> Self {
        let form = match T::OWN_TAG {
            OwnTag::OneOf([tag, ..]) => Form::Tagged(tag),
            _ => Form::Kinds(T::TYPES),
        };
        Self::new(form)
    }

    /// A type without a name and words.
    #[must_use]
    pub fn new(form: Form) -> Self {
        Self { name: "", docs: "", tag: None, form }
    }

    /// A value that may be anything: what a function of a program's own reads and writes.
    #[must_use]
    pub fn anything() -> Self {
        Self::new(Form::Kinds(Kinds::ANY))
    }
}
