//! An interface to the nodes of a schema, independent of the parser.

use crate::Kinds;

/// A node of a schema document.
///
/// The tree of asdf-core implements this trait, and so does the smaller tree of the derive, which cannot depend on
/// asdf-core. Both interpret schemas in the same way but use different parsers.
///
/// # Examples
///
/// ```
/// use asdf_schema_model::{Facts, Kinds, Schema, Value};
///
/// #[derive(PartialEq)]
/// enum Node {
///     Text(&'static str),
///     List(Vec<Node>),
///     Mapping(Vec<(Node, Node)>),
/// }
///
/// impl<'t> Value<'t> for &'t Node {
///     fn as_str(self) -> Option<&'t str> {
///         if let Node::Text(text) = self { Some(text) } else { None }
///     }
///
///     fn text(self) -> Option<&'t str> {
///         self.as_str()
///     }
///
///     fn as_bool(self) -> Option<bool> {
///         None
///     }
///
///     fn as_f64(self) -> Option<f64> {
///         None
///     }
///
///     fn as_i128(self) -> Option<i128> {
///         None
///     }
///
///     fn kinds(self) -> Kinds {
///         match self {
///             Node::Text(_) => Kinds::STRING,
///             Node::List(_) => Kinds::SEQUENCE,
///             Node::Mapping(_) => Kinds::MAPPING,
///         }
///     }
///
///     fn items(self) -> impl Iterator<Item = Self> {
///         let items: &[Node] = if let Node::List(items) = self { items } else { &[] };
///         items.iter()
///     }
///
///     fn entries(self) -> impl Iterator<Item = (Self, Self)> {
///         let entries: &[(Node, Node)] = if let Node::Mapping(entries) = self { entries } else { &[] };
///         entries.iter().map(|(key, value)| (key, value))
///     }
/// }
///
/// let schema = Node::Mapping(vec![
///     (Node::Text("type"), Node::Text("object")),
///     (Node::Text("required"), Node::List(vec![Node::Text("name")])),
/// ]);
/// assert_eq!(Schema::new(&schema).names("required"), ["name"]);
///
/// let mut facts = Facts::default();
/// facts.add("the schema", &schema, |_| "a nested schema");
/// assert_eq!(facts.kinds(), (Kinds::MAPPING, false));
/// ```
pub trait Value<'t>: Copy {
    /// Returns the text of a string; `None` for other nodes.
    fn as_str(self) -> Option<&'t str>;

    /// Returns the text of any scalar, since `1` and `on` can be names of properties.
    fn text(self) -> Option<&'t str>;

    /// Returns the value of a boolean; `None` for other nodes.
    fn as_bool(self) -> Option<bool>;

    /// Returns the value of a number; `None` for other nodes.
    fn as_f64(self) -> Option<f64>;

    /// Returns the value of an integer; `None` for other nodes.
    fn as_i128(self) -> Option<i128>;

    /// Returns the kind of the node, or all kinds that are possible if the parser does not know.
    fn kinds(self) -> Kinds;

    /// Returns whether the node is a sequence.
    fn is_list(self) -> bool {
        self.kinds() == Kinds::SEQUENCE
    }

    /// Returns whether the node is a mapping.
    fn is_mapping(self) -> bool {
        self.kinds() == Kinds::MAPPING
    }

    /// Iterates over the items of a sequence; over nothing for other nodes.
    fn items(self) -> impl Iterator<Item = Self>;

    /// Iterates over the keys and values of a mapping; over nothing for other nodes.
    fn entries(self) -> impl Iterator<Item = (Self, Self)>;

    /// Returns the value of a string key in a mapping.
    fn get(self, key: &str) -> Option<Self> {
        self.entries().find(|(name, _)| name.as_str() == Some(key)).map(|(_, value)| value)
    }
}
