//! UUIDs of the crate `uuid` (feature `uuid`): strings, written in lower case with hyphens.

use ::uuid::Uuid;

use super::{FromNode, Kinds, OwnTag, ToNode};
use crate::error::Result;
use crate::tree::{NodeId, NodeRef, Tree};

impl FromNode for Uuid {
    const TYPES: Kinds = Kinds::STRING;
    const OWN_TAG: OwnTag = OwnTag::None;

    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        let uuid = node.as_str().and_then(|text| Self::try_parse(text).ok());
        uuid.ok_or_else(|| node.expected("a UUID, such as 67e55044-10b1-426f-9247-bb680e5fe0c8"))
    }
}

impl ToNode for Uuid {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        Ok(tree.add_str(self.hyphenated().encode_lower(&mut Self::encode_buffer())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Node;
    use crate::yaml;

    #[test]
    fn uuids_are_strings() {
        let tree = yaml::parse("[67E55044-10B1-426F-9247-BB680E5FE0C8, 67e5]").unwrap();
        let uuid: Uuid = tree.get("/0").unwrap();
        assert_eq!(Node::new(&uuid).unwrap().view().as_str(), Some("67e55044-10b1-426f-9247-bb680e5fe0c8"));
        assert!(tree.get::<Uuid>("/1").unwrap_err().to_string().contains("expected a UUID"));
    }
}
