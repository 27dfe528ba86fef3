//! Types of the items of a sequence by index.

use super::Items;
use crate::error::Result;
use crate::tree::{NodeRef, Tree};
use crate::value::FromNode;

/// The required type of the item at an index of a sequence.
#[derive(Debug, Clone, Copy)]
pub struct Place(fn(NodeRef<'_>) -> Result<()>);

impl Place {
    /// Creates a place for values of a type.
    #[must_use]
    pub const fn of<T: FromNode>() -> Self {
        Self(|node| T::from_node(node).map(drop))
    }
}

/// Checks that each item is a value of the type at its index. Additional items can be anything.
///
/// # Errors
/// Returns the error of the first wrong item, with the item's index.
pub fn items<T: Items + ?Sized>(value: &T, places: &[Place]) -> Result<()> {
    let mut tree = Tree::new();
    let ids = value.write(&mut tree);
    // Writing the sequence reports items that cannot be written.
    if ids.len() < value.count() {
        return Ok(());
    }
    for (index, (id, Place(check))) in ids.into_iter().zip(places).enumerate() {
        check(tree.node(id)).map_err(|error| error.under(index))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Number;
    use crate::yaml::parse;

    #[test]
    fn each_item_has_its_type() {
        let places = [Place::of::<String>(), Place::of::<Number>()];
        let check = |text: &str| {
            let list: Vec<crate::Node> = parse(text).unwrap().get("").unwrap();
            items(&list, &places).map_err(|error| error.to_string())
        };
        for fine in ["[]", "[a]", "[a, 1]", "[a, 1.5, {x: y}]"] {
            check(fine).unwrap();
        }
        assert_eq!(check("[1, 1]").unwrap_err(), "/0: found the integer 1, expected a string");
        assert_eq!(check("[a, b]").unwrap_err(), "/1: found the string 'b', expected a number");
    }
}
