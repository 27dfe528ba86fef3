//! Sets of node kinds, as schemas speak of them.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::document::{Content, Node};

/// The constants of `Types` that stand for one kind, in the order of the bits.
const NAMES: [&str; 8] = ["NULL", "BOOL", "INT", "FLOAT", "STRING", "TIMESTAMP", "SEQUENCE", "MAPPING"];

/// A set of kinds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Kinds(u8);

impl Kinds {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const NULL: Self = Self(1);
    pub(crate) const BOOL: Self = Self(2);
    pub(crate) const INT: Self = Self(4);
    pub(crate) const NUMBER: Self = Self(4 + 8);
    pub(crate) const STRING: Self = Self(16);
    pub(crate) const TEXT: Self = Self(16 + 32);
    pub(crate) const SEQUENCE: Self = Self(64);
    pub(crate) const MAPPING: Self = Self(128);
    pub(crate) const ANY: Self = Self(0xff);

    pub(crate) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// What a `type` of schemas means; anything for one that is not known.
    pub(crate) fn of_type(name: &str) -> Self {
        match name {
            "null" => Self::NULL,
            "boolean" => Self::BOOL,
            "integer" => Self::INT,
            "number" => Self::NUMBER,
            "string" => Self::STRING,
            "array" => Self::SEQUENCE,
            "object" => Self::MAPPING,
            _ => Self::ANY,
        }
    }

    /// What an item of an `enum` is. Where YAML has rules of its own, it may be several things.
    pub(crate) fn of_value(node: &Node) -> Self {
        match node.content() {
            Content::Sequence(_) => Self::SEQUENCE,
            Content::Mapping(_) => Self::MAPPING,
            Content::Text(_) => Self::STRING,
            Content::Plain(text) => match text.to_lowercase().as_str() {
                "" | "~" | "null" => Self::NULL,
                "true" | "false" | "yes" | "no" | "on" | "off" => Self::BOOL,
                _ if text.parse::<i128>().is_ok() => Self::NUMBER,
                _ if text.starts_with(|first: char| first.is_ascii_digit() || "+-.".contains(first)) => {
                    Self::NUMBER.or(Self::TEXT)
                }
                _ => Self::STRING,
            },
        }
    }

    /// The set as an expression of the type `Types`.
    pub(crate) fn tokens(self) -> TokenStream {
        let one = |name: &&str| {
            let name = Ident::new(name, Span::mixed_site());
            quote!(__asdf::Types::#name)
        };
        let bits = NAMES.iter().enumerate().filter(|(bit, _)| self.0 & (1 << bit) != 0);
        let sets = bits.map(|(_, name)| one(name)).reduce(|some, more| quote!(#some.or(#more)));
        sets.unwrap_or_else(|| one(&"NONE"))
    }
}
