//! JSON references as values.

use super::{Extra, FromNode, Kinds, OwnTag, ToNode};
use crate::error::Result;
use crate::tree::{Kind, NodeId, NodeRef, Tree, percent_encode, reference_uri};

/// A reference to another path or file, such as `{$ref: "other.asdf#/a/b"}`.
///
/// The URI is relative to the file that contains it, and its fragment is a JSON Pointer. Reading a reference
/// does not resolve it: use [`Tree::resolve`] or [`File::resolve`](crate::File::resolve). Further keys of the
/// mapping are kept.
///
/// # Examples
/// ```
/// use asdf_core::value::Reference;
/// use asdf_core::File;
///
/// let mut file = File::new();
/// file.set("/wcs", "a transform")?;
/// file.set("/copy", &Reference::from_pointer("/wcs"))?;
/// assert_eq!(file.get::<Reference>("/copy")?.uri(), "#/wcs");
/// assert_eq!(file.resolve(file.at("/copy")?)?.view().as_str(), Some("a transform"));
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[doc(alias = "$ref")]
#[doc(alias = "make_reference")]
#[derive(Debug, Clone, PartialEq)]
pub struct Reference {
    uri: String,
    extra: Extra,
}

impl Reference {
    /// Creates a reference to a URI, which is not changed.
    #[must_use]
    pub fn new(uri: impl Into<String>) -> Self {
        Self { uri: uri.into(), extra: Extra::new() }
    }

    /// Creates a reference to a JSON Pointer in the same file.
    ///
    /// Percent-encodes characters that URIs do not allow.
    #[must_use]
    pub fn from_pointer(pointer: &str) -> Self {
        Self::new(format!("#{}", percent_encode(pointer)))
    }

    /// Creates a reference to a JSON Pointer in another file.
    ///
    /// The path is relative to the folder of the file that will contain the reference. Percent-encodes
    /// characters that URIs do not allow.
    #[must_use]
    pub fn from_path(path: &str, pointer: &str) -> Self {
        Self::new(format!("{}#{}", percent_encode(path), percent_encode(pointer)))
    }

    /// Returns the URI, percent-encoded as it was written.
    #[must_use]
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// Returns the other keys of the mapping.
    #[must_use]
    pub fn extra(&self) -> &Extra {
        &self.extra
    }
}

impl FromNode for Reference {
    const TYPES: Kinds = Kinds::MAPPING;
    const OWN_TAG: OwnTag = OwnTag::None;

    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        let uri = reference_uri(node)?.to_owned();
        let others = node.entries().filter(|(key, _)| key.as_str() != Some("$ref"));
        Ok(Self { uri, extra: Extra::copy(others)? })
    }

    fn matches(node: NodeRef<'_>) -> bool {
        node.kind() == Kind::Mapping && node.reference().is_some()
    }
}

impl ToNode for Reference {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        let mut entries = vec![(tree.add_str("$ref"), tree.add_str(&self.uri))];
        entries.extend(self.extra.write(tree)?);
        Ok(tree.add_mapping(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_are_encoded_and_other_keys_kept() {
        assert_eq!(Reference::from_path("a b#1.asdf", "/é/0").uri(), "a%20b%231.asdf#/%C3%A9/0");
        let mut tree = Tree::new();
        let mut reference = Reference::new("#/x");
        reference.extra.insert("note", "kept").unwrap();
        tree.set("/r", &reference).unwrap();
        assert_eq!(tree.get::<Reference>("/r").unwrap(), reference);
        assert_eq!(tree.at("/r").unwrap().len(), 2);
        tree.set("/n", &1_i64).unwrap();
        assert_eq!(
            tree.get::<Reference>("/n").unwrap_err().to_string(),
            "/n: found the integer 1, expected a reference: a mapping with the key `$ref`"
        );
    }
}
