//! URLs of the crate `url` (feature `url`): strings, written in their normalized form.

use ::url::Url;

use super::{FromNode, Kinds, OwnTag, ToNode};
use crate::error::Result;
use crate::tree::{NodeId, NodeRef, Tree};

impl FromNode for Url {
    const TYPES: Kinds = Kinds::STRING;
    const OWN_TAG: OwnTag = OwnTag::None;

    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        let text = node.as_str().ok_or_else(|| node.expected("a URL"))?;
        Self::parse(text).map_err(|error| node.expected(format!("a URL ({error})")))
    }
}

impl ToNode for Url {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        Ok(tree.add_str(self.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Node;
    use crate::yaml;

    #[test]
    fn urls_are_strings() {
        let tree = yaml::parse("['https://Example.org', somewhere]").unwrap();
        let url: Url = tree.get("/0").unwrap();
        assert_eq!(Node::new(&url).unwrap().view().as_str(), Some("https://example.org/"));
        let error = tree.get::<Url>("/1").unwrap_err().to_string();
        assert!(error.contains("found the string 'somewhere', expected a URL (relative URL"), "{error}");
    }
}
