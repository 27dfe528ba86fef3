//! Types that macros write, names that could clash, and the crate under another name.

use asdf_core::FromNode;
use asdf_core::value::description::Form;

use super::{round_trip, to_text};

macro_rules! define {
    ($name:ident, $tag:literal, $key:expr, $ty:ty, $least:expr) => {
        #[derive(::asdf_core::Asdf, Debug, PartialEq)]
        #[asdf(tag = $tag, new)]
        struct $name {
            #[asdf(rename = $key)]
            field: $ty,
            option: Option<$ty>,
        }

        mod checked {
            #[derive(::asdf_core::Asdf, Debug, PartialEq)]
            #[asdf(check(minimum = $least))]
            pub(super) struct Value($ty);
        }
    };
}

define!(Defined, "tag:x/defined-1.0.0", "the key", i32, -1);

#[test]
fn macros_can_write_types() {
    round_trip("!<tag:x/defined-1.0.0> {the key: 1}", &Defined::new(1));
    assert!(checked::Value::new(-2).is_err() && checked::Value::new(-1).is_ok());
}

mod nothing_imported {
    #![no_implicit_prelude]
    #![allow(dead_code, reason = "that it compiles is the point")]

    #[derive(::asdf_core::Asdf)]
    #[asdf(tag = "tag:x/y-1.0.0", accepts = ["tag:x/y-*"], new)]
    pub(super) struct Struct {
        pub(super) node: ::std::string::String,
        pub(super) tree: ::std::option::Option<u8>,
        pub(super) fields: u8,
        #[asdf(default = 5)]
        pub(super) value: u8,
        #[asdf(extra)]
        pub(super) mapping: ::asdf_core::value::Extra,
        #[asdf(tag)]
        pub(super) id: ::asdf_core::value::KeptTag,
    }

    #[derive(::asdf_core::Asdf)]
    #[asdf(check(pattern = "^a", min_length = 1))]
    pub(super) struct Text(::std::string::String);

    #[derive(::asdf_core::Asdf)]
    #[asdf(check(unique_items))]
    pub(super) struct List(::std::vec::Vec<Text>);

    #[derive(::asdf_core::Asdf)]
    pub(super) enum Enum {
        Ok,
        Err,
        Some(u8),
        None(Text),
    }
}

/// Names that the generated code also uses.
mod shadowed {
    #![allow(dead_code, non_camel_case_types, reason = "the names are the point")]

    pub(super) struct Option;
    pub(super) struct Result;
    pub(super) struct Vec;
    pub(super) struct String;
    pub(super) trait FromNode {}
    pub(super) trait ToNode {}
    pub(super) struct Some;
    pub(super) struct Ok;
    pub(super) struct Err;
    pub(super) mod core {}
    pub(super) mod std {}
    pub(super) fn node() -> u8 {
        1
    }
    pub(super) fn fields() -> u8 {
        2
    }
    pub(super) fn field_0() -> u8 {
        3
    }

    #[derive(asdf_core::Asdf, Debug, PartialEq)]
    #[asdf(new)]
    pub(super) struct Struct {
        #[asdf(default = node)]
        pub(super) a: u8,
        #[asdf(default = fields() + 1)]
        pub(super) b: u8,
        #[asdf(default = field_0() + 1)]
        pub(super) c: u8,
    }

    #[derive(asdf_core::Asdf)]
    pub(super) enum Enum {
        A,
        B(u8),
    }

    #[derive(asdf_core::Asdf)]
    #[asdf(check(minimum = 0))]
    pub(super) struct Checked(u8);
}

#[test]
fn names_do_not_clash() {
    let value = nothing_imported::Struct::new("a".to_owned(), 1);
    assert_eq!(to_text(&value), "!<tag:x/y-1.0.0> {node: a, fields: 1, value: 5}");
    assert_eq!(to_text(&nothing_imported::Enum::Some(5)), "5");
    assert_eq!(shadowed::Struct::new(), shadowed::Struct { a: 1, b: 3, c: 4 });
    assert!(matches!(super::from_text("A"), shadowed::Enum::A));
    assert_eq!(shadowed::Checked::new(1).unwrap().get(), &1);
}

mod renamed {
    pub(super) use asdf_core as other_name;

    #[derive(other_name::Asdf, Debug, PartialEq)]
    #[asdf(crate = "crate::macros::renamed::other_name", tag = "tag:x/y-1.0.0")]
    pub(super) struct Renamed {
        pub(super) a: Option<u8>,
    }
}

#[test]
fn the_crate_can_have_another_name() {
    round_trip("!<tag:x/y-1.0.0> {a: 1}", &renamed::Renamed { a: Some(1) });
}

macro_rules! with_docs {
    ($(#[$meta:meta])* struct $name:ident { $(#[doc = $doc:expr])* $field:ident }) => {
        #[derive(::asdf_core::Asdf)]
        $(#[$meta])*
        struct $name {
            $(#[doc = $doc])*
            $field: f64,
        }
    };
}

with_docs! {
    /// A lamp.
    ///
    /// It's for flats.
    #[doc(alias = "light")]
    struct Lamp {
        /// In watts.
        power
    }
}

#[test]
fn docs_that_macros_pass_on_are_read() {
    let description = Lamp::describe();
    assert_eq!(description.docs, "A lamp.\n\nIt's for flats.");
    let Form::Mapping { properties, .. } = description.form else { panic!("a struct is a mapping") };
    assert_eq!(properties[0].docs, "In watts.");
    assert_eq!(to_text(&Lamp { power: 5.0 }), "{power: 5.0}");
}
