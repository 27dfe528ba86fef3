//! Tests reading, writing and validation of derived types.

use std::fmt::Debug;

use asdf_core::tree::Style;
use asdf_core::value::read;
use asdf_core::yaml::{EmitOptions, emit, parse};
use asdf_core::{FromNode, ToNode, Tree, error};

#[path = "behaviour/blocks.rs"]
mod blocks;
#[path = "behaviour/builders.rs"]
mod builders;
#[path = "behaviour/checks.rs"]
mod checks;
#[path = "behaviour/conversions.rs"]
mod conversions;
#[path = "behaviour/enums.rs"]
mod enums;
#[path = "behaviour/export.rs"]
mod export;
#[path = "behaviour/extensions.rs"]
mod extensions;
#[path = "behaviour/families.rs"]
mod families;
#[path = "behaviour/generics.rs"]
mod generics;
#[path = "behaviour/macros.rs"]
mod macros;
#[path = "behaviour/mappings.rs"]
mod mappings;
#[path = "behaviour/names.rs"]
mod names;
#[path = "behaviour/newtypes.rs"]
mod newtypes;
#[path = "behaviour/old_defaults.rs"]
mod old_defaults;
#[path = "behaviour/parts.rs"]
mod parts;
#[path = "behaviour/records.rs"]
mod records;
#[path = "behaviour/shapes.rs"]
mod shapes;
#[path = "behaviour/tag_patterns.rs"]
mod tag_patterns;
#[path = "behaviour/tags.rs"]
mod tags;
#[path = "behaviour/text.rs"]
mod text;
#[path = "behaviour/versions.rs"]
mod versions;

/// Parses a text that is valid YAML and has a root.
fn tree(text: &str) -> Tree {
    parse(text).expect("the text is YAML")
}

/// Reads the root of a text.
fn from_text<T: FromNode>(text: &str) -> T {
    let tree = tree(text);
    tree.root().map(read).expect("the text has a root").unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Returns the text of the error of reading the root of a text.
fn refused<T: FromNode>(text: &str) -> String {
    let tree = tree(text);
    let Err(error) = tree.root().map(read::<T>).expect("the text has a root") else {
        panic!("{text} was read")
    };
    assert_eq!(error.kind(), error::Kind::Mismatch, "{error}");
    error.to_string()
}

/// Writes a value as a line of text.
fn to_text<T: ToNode>(value: &T) -> String {
    let mut tree = Tree::new();
    let id = value.to_node(&mut tree).expect("the value can be written");
    tree.set_root(id);
    tree.set_style(id, Style::Flow);
    let text = emit(&tree, EmitOptions::new().directives(false).width(1000));
    text.expect("the tree can be written").trim_end().to_owned()
}

/// Checks that a text reads as this value, and that the value is written as the same nodes.
fn round_trip<T: FromNode + ToNode + PartialEq + Debug>(text: &str, value: &T) {
    assert_eq!(&from_text::<T>(text), value, "{text}");
    let mut written = Tree::new();
    let id = value.to_node(&mut written).expect("the value can be written");
    assert_eq!(Some(written.node(id)), tree(text).root(), "{text} became {}", to_text(value));
}
