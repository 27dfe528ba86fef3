//! Constraints on values: the types that `#[asdf(check(...))]` can check.
//!
//! A type takes part by implementing [`Text`], [`Numeric`] or [`Items`]. Derived checked types implement them
//! too, so that one type can narrow another.

mod demand;
mod items;
mod numeric;
#[cfg(feature = "regex")]
mod pattern;
mod places;
mod text;

pub use demand::{Demand, Test};
#[doc(hidden)]
pub use demand::{contains, find};
pub use items::Items;
#[doc(hidden)]
pub use items::{max_items, min_items, unique_items};
pub use numeric::{Bound, Numeric};
#[doc(hidden)]
pub use numeric::{exclusive_maximum, exclusive_minimum, maximum, minimum, multiple_of, one_of};
#[doc(hidden)]
#[cfg(feature = "regex")]
pub use pattern::Pattern;
#[doc(hidden)]
pub use places::{Place, items};
#[doc(hidden)]
#[cfg(feature = "regex")]
pub use text::pattern;
pub use text::{FromText, Text};
#[doc(hidden)]
pub use text::{max_length, min_length};

use super::ToNode;
use crate::error::Result;
use crate::tree::{Node, NodeRef};

/// Combines the faults of a value into one error.
///
/// # Errors
/// Returns [`Mismatch`](crate::error::Kind::Mismatch) with the value and what was expected if there is any
/// fault.
#[doc(hidden)]
pub fn all<T: ToNode + ?Sized>(value: &T, type_name: &str, faults: &[Option<String>]) -> Result<()> {
    all_of(|| Node::new(value), type_name, faults)
}

/// Same as [`all`], for a value whose node is created by a function.
///
/// # Errors
/// Returns [`Mismatch`](crate::error::Kind::Mismatch) with the value and what was expected if there is any
/// fault.
#[doc(hidden)]
pub fn all_of(node: impl FnOnce() -> Result<Node>, type_name: &str, faults: &[Option<String>]) -> Result<()> {
    let faults: Vec<&str> = faults.iter().flatten().map(String::as_str).collect();
    if faults.is_empty() {
        return Ok(());
    }
    let expected = format!("{} for `{type_name}`", faults.join(" and "));
    Err(node()?.view().expected(expected))
}

/// Adds the position of the node that a value was read from to the value's error.
///
/// # Errors
/// Returns the given error.
#[doc(hidden)]
pub fn placed<T>(made: Result<T>, node: NodeRef<'_>) -> Result<T> {
    made.map_err(|error| match node.position() {
        Some((line, column)) => error.at_position(line, column),
        None => error,
    })
}

fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_become_one_error() {
        all("ab", "Name", &[None, None]).unwrap();
        let faults = [min_length("ab", 3), max_length("ab", 5), max_length("ab", 1)];
        assert_eq!(
            all("ab", "Name", &faults).unwrap_err().to_string(),
            "found the string 'ab', expected at least 3 characters and at most 1 character for `Name`"
        );
    }

    #[test]
    fn an_error_is_placed_at_its_node() {
        let tree = crate::yaml::parse("a:\n  - xyz\n").unwrap();
        let made = all("xyz", "Name", &[max_length("xyz", 2)]);
        let error = placed(made, tree.at("/a/0").unwrap()).unwrap_err();
        assert_eq!((error.line(), error.column()), (Some(2), Some(5)));
    }
}
