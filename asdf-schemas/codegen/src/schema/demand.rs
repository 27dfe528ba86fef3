//! `not: {items: {not: X}}`: some item is an X.

/// An item that a list must contain.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Demand {
    /// The name of the function that returns the item, without `r#`.
    pub(crate) name: String,
    pub(crate) docs: Option<String>,
    pub(crate) tests: Vec<Test>,
}

/// A test of the item: a JSON Pointer below it, and a keyword with its values.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Test {
    pub(crate) path: String,
    pub(crate) keyword: &'static str,
    pub(crate) values: Vec<String>,
}
