//! The kinds of nodes that a type is read from.

use asdf_schema_model::Kinds;

use crate::tree::NodeRef;

/// The scalars that a tag turns into text: null, booleans and numbers.
pub(super) const UNTAGGED: Kinds = Kinds::NULL.or(Kinds::BOOL).or(Kinds::NUMBER);

impl NodeRef<'_> {
    /// Returns whether a type that is read from nodes of these kinds can be read from this node.
    ///
    /// As in Python, a scalar with an application's tag is also a string, whatever its text. An `!!omap` is
    /// also a mapping.
    #[must_use]
    pub fn is_of(self, kinds: Kinds) -> bool {
        kinds.contains(self.kind())
            || (kinds.has(Kinds::STRING) && self.kind().is_scalar() && self.own_tag().is_some())
            || (kinds.has(Kinds::MAPPING) && self.as_omap().is_some())
    }
}

/// Returns the entries of a node that fits [`Kinds::MAPPING`]: a mapping or an `!!omap`.
pub(super) fn entries<'a>(node: NodeRef<'a>) -> impl Iterator<Item = (NodeRef<'a>, NodeRef<'a>)> + use<'a> {
    node.as_omap().into_iter().flatten().chain(node.entries())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tagged_scalar_is_a_string_too() {
        let tree = crate::yaml::parse(
            "[!<tag:x/time-1.0.0> 2026-11-20T12:30:00, 2026-11-20T12:30:00, !<tag:x/a-1.0.0> 5]",
        );
        let tree = tree.unwrap();
        let is_string = |at: &str| tree.at(at).unwrap().is_of(Kinds::STRING);
        assert_eq!(["/0", "/1", "/2"].map(is_string), [true, false, true]);
        assert_eq!(tree.get::<String>("/0").unwrap(), "2026-11-20T12:30:00");
        assert_eq!(tree.get::<String>("/2").unwrap(), "5");
        assert!(tree.get::<String>("/1").is_err());
    }
}
