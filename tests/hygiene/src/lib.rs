//! Uses the derive in a crate without a prelude, in which asdf-core has another name and the names that generated code
//! could use are shadowed.

#![no_implicit_prelude]
#![allow(
    non_camel_case_types,
    non_snake_case,
    dead_code,
    unused_imports,
    unused_macros,
    reason = "shadowed names are what this tests"
)]

use ::renamed::Asdf as Derived;
use ::renamed::value::{Extra, KeptTag};

/// Types, modules, traits, macros and functions with the names of others.
pub mod shadows {
    /// A type.
    #[derive(::std::fmt::Debug, ::renamed::Asdf)]
    #[asdf(crate = "::renamed")]
    pub struct Option;
    /// A type.
    #[derive(::std::fmt::Debug, ::renamed::Asdf)]
    #[asdf(crate = "::renamed")]
    pub struct String(pub ::std::string::String);
    /// A type.
    #[derive(::std::fmt::Debug)]
    pub struct Result;
    /// A type.
    #[derive(::std::fmt::Debug)]
    pub struct Vec;
    /// A type.
    #[derive(::std::fmt::Debug)]
    pub struct bool;
    /// A type.
    #[derive(::std::fmt::Debug)]
    pub struct str;
    /// A type.
    #[derive(::std::fmt::Debug)]
    pub struct usize;
    /// A type.
    #[derive(::std::fmt::Debug)]
    pub struct Self_;
}
use shadows::{Option, Result, String, Vec, bool, str, usize};

/// A module.
pub mod core {}
/// A module.
pub mod std {}
/// A module.
pub mod asdf_core {}

/// A function.
#[must_use]
pub fn Some() -> Result {
    Result
}

/// A function.
#[must_use]
pub fn Ok() -> (Vec, bool, str, usize) {
    (Vec, bool, str, usize)
}

macro_rules! vec {
    ($($anything:tt)*) => {
        ::std::compile_error!("this is another `vec!`")
    };
}
macro_rules! assert {
    ($($anything:tt)*) => {
        vec![]
    };
}

/// Raw identifiers, and the names of arguments and variables.
#[derive(::std::fmt::Debug, ::std::clone::Clone, ::std::cmp::PartialEq, Derived)]
#[asdf(crate = "::renamed", tag = "tag:x/hygiene-1.0.0", accepts = ["tag:x/hygiene-1.*"], new)]
pub struct r#type {
    /// A keyword.
    pub r#fn: i32,
    /// The name of an argument.
    pub node: i32,
    /// The name of an argument.
    pub tree: ::std::option::Option<i32>,
    /// The name of a variable.
    pub fields: ::std::vec::Vec<i32>,
    /// The name of a variable.
    #[asdf(default = 5)]
    pub field_0: i32,
    /// The name of a variable.
    #[asdf(array, codec = "zlib")]
    pub mapping: ::std::vec::Vec<f64>,
    /// The name of a variable.
    #[asdf(tag)]
    pub id: KeptTag,
    /// The name of a variable.
    #[asdf(extra)]
    pub value: Extra,
}

/// A pattern of tags.
#[derive(::std::fmt::Debug, ::renamed::value::TagPattern)]
#[asdf(crate = "::renamed", tags = ["tag:x/hygiene-1.*"])]
pub enum Tags {}

/// A list with a bound and a parameter that is called like a type.
#[derive(::std::fmt::Debug, Derived)]
#[asdf(crate = "::renamed")]
pub struct Pair<String: ::std::fmt::Debug, const N: ::core::primitive::usize>(pub String, pub [String; N])
where
    String: ::std::marker::Send;

/// Variants of every form.
#[derive(::std::fmt::Debug, Derived)]
#[asdf(crate = "::renamed")]
pub enum r#enum {
    /// A word that is a keyword.
    r#struct,
    /// A value.
    Some(f64),
    /// A list.
    Ok(i32, i32),
    /// Fields.
    Err {
        /// A keyword.
        r#match: i32,
        /// The name of an argument.
        tree: i32,
    },
}

/// Variants that a property tells apart.
#[derive(::std::fmt::Debug, Derived)]
#[asdf(crate = "::renamed", key = "type")]
pub enum Keyed {
    /// Fields.
    r#loop {
        /// The name of a variable.
        mapping: i32,
    },
}

/// A value with constraints.
#[derive(::std::fmt::Debug, Derived)]
#[asdf(crate = "::renamed", check(minimum = 0, maximum = 1))]
pub struct Fraction(f64);

/// Text with constraints.
#[derive(::std::fmt::Debug, Derived)]
#[asdf(crate = "::renamed", check(pattern = "^a", min_length = 1))]
pub struct Text(::std::string::String);

/// Something that shadows a type of the standard library.
#[derive(::std::fmt::Debug, Derived)]
#[asdf(crate = "::renamed")]
pub struct Shadowed {
    /// Not the one of the standard library.
    pub text: String,
}

/// A value that is only written.
#[derive(::std::fmt::Debug, Derived)]
#[asdf(crate = "::renamed", write_only)]
pub struct Borrowed<'node> {
    /// A reference.
    pub node: &'node ::core::primitive::str,
}

#[cfg(test)]
mod tests {
    use ::std::convert::From as _;

    #[::std::prelude::v1::test]
    fn all_of_it_works() {
        let text = "!<tag:x/hygiene-1.1.0> {fn: 1, node: 2, tree: 3, fields: [4], field_0: 6, mapping: [0.5], more: 1}";
        let tree = ::renamed::yaml::parse(text).unwrap();
        let value: super::r#type = tree.get("").unwrap();
        let made = super::r#type::new(1, 2, ::std::vec::Vec::from([4]), ::std::vec::Vec::from([0.5]));
        ::std::assert_eq!((value.r#fn, value.node, value.field_0), (made.r#fn, made.node, 6));
        ::std::assert_eq!(value.value.len(), 1);
        let tree =
            ::renamed::yaml::parse("[struct, 0.5, [1, 2], {match: 1, tree: 2}, {type: loop, mapping: 1}]")
                .unwrap();
        for at in ["/0", "/1", "/2", "/3"] {
            tree.get::<super::r#enum>(at).unwrap();
        }
        tree.get::<super::Keyed>("/4").unwrap();
        ::std::assert!(tree.get::<super::Fraction>("/1").is_ok());
    }
}
