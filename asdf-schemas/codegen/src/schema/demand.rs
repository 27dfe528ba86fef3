//! `not: {items: {not: X}}`: some item is an X.

use asdf_core::{Kind, NodeRef};

/// An item that a list has to have.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Demand {
    /// The name of the function that gives it, without `r#`.
    pub(crate) name: String,
    pub(crate) docs: Option<String>,
    pub(crate) tests: Vec<Test>,
}

/// What is asked of the item: a JSON Pointer below it, and a keyword with its values.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Test {
    pub(crate) path: String,
    pub(crate) keyword: &'static str,
    pub(crate) values: Vec<String>,
}

/// The X of `{items: {not: X}}`, when a `not` has just that. A value that is no list is not that, so
/// that the whole asks for one.
pub(crate) fn demanded(not: NodeRef<'_>) -> Option<NodeRef<'_>> {
    only(only(not, "items")?, "not")
}

fn only<'a>(schema: NodeRef<'a>, keyword: &str) -> Option<NodeRef<'a>> {
    let says = |name: &str| !matches!(name, "title" | "description");
    let mut keywords = schema.entries().filter(|(key, _)| key.as_str().is_none_or(says));
    let (Some((key, value)), None) = (keywords.next(), keywords.next()) else { return None };
    (key.as_str() == Some(keyword) && value.kind() == Kind::Mapping).then_some(value)
}
