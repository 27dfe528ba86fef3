//! The macro `asdf!`, which creates nodes from literals.

use crate::error::{Error, Result};
use crate::tree::{NodeId, Tree};

/// Creates a [`Node`](crate::Node) from a literal, like `json!` of `serde_json`.
///
/// Mappings are written in braces, sequences in brackets, and `null` is null. Keys are string literals. All
/// other values are expressions whose types implement [`ToNode`](crate::ToNode): numbers, strings, arrays,
/// and your own types, which keep their tags. The macro borrows them. `None` is null.
///
/// # Errors
/// The macro returns a `Result`. It fails with [`Usage`](crate::error::Kind::Usage) if a mapping has a key
/// twice, and otherwise with the error of a value that cannot be written, including its path.
///
/// # Examples
/// ```
/// use asdf_core::{File, NdArray, asdf};
///
/// let image = NdArray::new(&[2, 2], &[1.0_f32, 2.0, 3.0, 4.0])?;
/// let exposure = 2.5;
/// let mut file = File::new();
/// file.set(
///     "/roman",
///     &asdf!({
///         "meta": {"exposure": exposure * 60.0, "filters": ["F158", "F184"], "comment": null},
///         "data": image,
///     })?,
/// )?;
/// assert_eq!(file.get::<f64>("/roman/meta/exposure")?, 150.0);
/// assert_eq!(file.get::<String>("/roman/meta/filters/1")?, "F184");
/// assert_eq!(file.array("/roman/data")?.shape(), [2, 2]);
///
/// let error = asdf!({"meta": {"a": 1, "a": 2}}).unwrap_err();
/// assert_eq!(error.to_string(), "/meta/a: duplicate key 'a'");
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[doc(alias = "json!")]
#[doc(alias = "AsdfFile")]
#[macro_export]
macro_rules! asdf {
    ($($literal:tt)+) => {
        $crate::tree::Node::from_fn(|tree| $crate::__asdf_literal!(tree, $($literal)+))
    };
}

/// Adds a literal to a tree. A separate macro, so that the documentation of `asdf!` shows only its form.
#[doc(hidden)]
#[macro_export]
macro_rules! __asdf_literal {
    ($tree:ident, null) => {
        $crate::error::Result::Ok($tree.add_null())
    };
    ($tree:ident, {}) => {
        $crate::error::Result::Ok($tree.add_mapping([]))
    };
    ($tree:ident, []) => {
        $crate::error::Result::Ok($tree.add_sequence([]))
    };
    ($tree:ident, {$($entries:tt)*}) => {{
        let mut entries = $crate::__private::LiteralEntries::new($tree);
        $crate::__asdf_literal!(@entries entries, $($entries)*);
        $crate::error::Result::Ok(entries.mapping())
    }};
    ($tree:ident, [$($items:tt)*]) => {{
        let mut items = $crate::__private::LiteralItems::new($tree);
        $crate::__asdf_literal!(@items items, $($items)*);
        $crate::error::Result::Ok(items.sequence())
    }};
    ($tree:ident, $value:expr) => {
        $crate::value::ToNode::to_node(&$value, $tree)
    };

    (@entries $entries:ident,) => {};
    (@entries $entries:ident, $key:literal : null $(, $($rest:tt)*)?) => {
        $entries.put($key, |tree| $crate::__asdf_literal!(tree, null))?;
        $crate::__asdf_literal!(@entries $entries, $($($rest)*)?);
    };
    (@entries $entries:ident, $key:literal : {$($inner:tt)*} $(, $($rest:tt)*)?) => {
        $entries.put($key, |tree| $crate::__asdf_literal!(tree, {$($inner)*}))?;
        $crate::__asdf_literal!(@entries $entries, $($($rest)*)?);
    };
    (@entries $entries:ident, $key:literal : [$($inner:tt)*] $(, $($rest:tt)*)?) => {
        $entries.put($key, |tree| $crate::__asdf_literal!(tree, [$($inner)*]))?;
        $crate::__asdf_literal!(@entries $entries, $($($rest)*)?);
    };
    (@entries $entries:ident, $key:literal : $value:expr $(, $($rest:tt)*)?) => {
        $entries.put($key, |tree| $crate::value::ToNode::to_node(&$value, tree))?;
        $crate::__asdf_literal!(@entries $entries, $($($rest)*)?);
    };

    (@items $items:ident,) => {};
    (@items $items:ident, null $(, $($rest:tt)*)?) => {
        $items.push(|tree| $crate::__asdf_literal!(tree, null))?;
        $crate::__asdf_literal!(@items $items, $($($rest)*)?);
    };
    (@items $items:ident, {$($inner:tt)*} $(, $($rest:tt)*)?) => {
        $items.push(|tree| $crate::__asdf_literal!(tree, {$($inner)*}))?;
        $crate::__asdf_literal!(@items $items, $($($rest)*)?);
    };
    (@items $items:ident, [$($inner:tt)*] $(, $($rest:tt)*)?) => {
        $items.push(|tree| $crate::__asdf_literal!(tree, [$($inner)*]))?;
        $crate::__asdf_literal!(@items $items, $($($rest)*)?);
    };
    (@items $items:ident, $value:expr $(, $($rest:tt)*)?) => {
        $items.push(|tree| $crate::value::ToNode::to_node(&$value, tree))?;
        $crate::__asdf_literal!(@items $items, $($($rest)*)?);
    };
}

/// The mapping of a literal.
#[derive(Debug)]
pub struct LiteralEntries<'t> {
    tree: &'t mut Tree,
    entries: Vec<(NodeId, NodeId)>,
}

impl<'t> LiteralEntries<'t> {
    /// Creates an empty mapping.
    #[must_use]
    pub fn new(tree: &'t mut Tree) -> Self {
        Self { tree, entries: Vec::new() }
    }

    /// Adds a key with a value that a function creates.
    ///
    /// # Errors
    /// Returns [`Usage`](crate::error::Kind::Usage) if the key already exists, and the error of the function.
    pub fn put(&mut self, key: &str, value: impl FnOnce(&mut Tree) -> Result<NodeId>) -> Result<()> {
        let tree = &mut *self.tree;
        if self.entries.iter().any(|(other, _)| tree.node(*other).as_str() == Some(key)) {
            return Err(Error::usage(format!("duplicate key '{}'", key.escape_debug())).under(key));
        }
        let value = value(tree).map_err(|error| error.under(key))?;
        self.entries.push((tree.add_str(key), value));
        Ok(())
    }

    /// Adds the mapping to the tree.
    #[must_use]
    pub fn mapping(self) -> NodeId {
        self.tree.add_mapping(self.entries)
    }
}

/// The sequence of a literal.
#[derive(Debug)]
pub struct LiteralItems<'t> {
    tree: &'t mut Tree,
    items: Vec<NodeId>,
}

impl<'t> LiteralItems<'t> {
    /// Creates an empty sequence.
    #[must_use]
    pub fn new(tree: &'t mut Tree) -> Self {
        Self { tree, items: Vec::new() }
    }

    /// Adds an item that a function creates.
    ///
    /// # Errors
    /// Returns the error of the function.
    pub fn push(&mut self, item: impl FnOnce(&mut Tree) -> Result<NodeId>) -> Result<()> {
        let item = item(self.tree).map_err(|error| error.under(self.items.len()))?;
        self.items.push(item);
        Ok(())
    }

    /// Adds the sequence to the tree.
    #[must_use]
    pub fn sequence(self) -> NodeId {
        self.tree.add_sequence(self.items)
    }
}

#[cfg(test)]
mod tests {
    use crate::error::Kind;
    use crate::tree::Node;
    use crate::yaml::parse;

    #[test]
    fn literals_give_the_same_trees_as_yaml() {
        let (number, tree) = (2_i32, "a name that the macro uses too");
        let yes = Some(true);
        let literal = crate::asdf!({
            "empty": {}, "none": [], "null": null, "missing": None::<f64>,
            "numbers": [-1, 2.5, number + 1, number.pow(3), [number]],
            "text": tree,
            "block": (if number > 1 { number + number } else { 0 }),
            "nested": {"list": [{"yes": yes}, null, {}, []]},
        });
        let text = "{empty: {}, none: [], 'null': null, missing: null, numbers: [-1, 2.5, 3, 8, [2]], \
                    text: a name that the macro uses too, block: 4, nested: {list: [{'yes': true}, null, {}, []]}}";
        assert_eq!(literal.unwrap(), parse(text).unwrap().get::<Node>("").unwrap());
        assert_eq!(crate::asdf!([1, 2,]).unwrap(), crate::asdf!(vec![1, 2]).unwrap());
        assert!(crate::asdf!(null).unwrap().view().is_null());
    }

    #[test]
    fn errors_have_the_path_of_their_value() {
        let error = crate::asdf!({"a": [1, {"b/c": u128::MAX}]}).unwrap_err();
        assert_eq!((error.kind(), error.path()), (Kind::Usage, Some("/a/1/b~1c")));
    }
}
