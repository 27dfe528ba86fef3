//! The nodes of a schema, whatever parser they come from.

use crate::Kinds;

/// A node of a schema document.
///
/// The tree of asdf-core implements it, and so does the small tree of the derive, which stands below asdf-core. That
/// way both have one reading of schemas without one parser.
pub trait Value<'t>: Copy {
    /// Returns the text of a string.
    fn as_str(self) -> Option<&'t str>;

    /// Returns the text of any scalar: `1` and `on` are names of properties too.
    fn text(self) -> Option<&'t str>;

    /// Returns a boolean.
    fn as_bool(self) -> Option<bool>;

    /// Returns a number.
    fn as_f64(self) -> Option<f64>;

    /// Returns an integer.
    fn as_i128(self) -> Option<i128>;

    /// Returns the kind of the node, or all kinds that it may be of if the parser does not say.
    fn kinds(self) -> Kinds;

    /// Returns whether the node is a sequence.
    fn is_list(self) -> bool {
        self.kinds() == Kinds::SEQUENCE
    }

    /// Returns whether the node is a mapping.
    fn is_mapping(self) -> bool {
        self.kinds() == Kinds::MAPPING
    }

    /// Returns the items of a sequence; none of another node.
    fn items(self) -> impl Iterator<Item = Self>;

    /// Returns the keys and values of a mapping; none of another node.
    fn entries(self) -> impl Iterator<Item = (Self, Self)>;

    /// Returns the value of a key that is a string.
    fn get(self, key: &str) -> Option<Self> {
        self.entries().find(|(name, _)| name.as_str() == Some(key)).map(|(_, value)| value)
    }
}
