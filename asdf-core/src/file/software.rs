//! Names and versions of programs.

use crate::error::Result;
use crate::tree::{ASDF_TAG, NodeId, Tree};
use crate::value::{ToNode, derived};

/// The tag of programs, without its prefix.
pub(super) const SOFTWARE: &str = "core/software-1.0.0";

/// The name and version of a program, written as `core/software-1.0.0`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Software {
    /// The name.
    pub name: String,
    /// The version.
    pub version: String,
}

impl Software {
    /// Returns the name and version of this library.
    #[must_use]
    pub fn asdf_core() -> Self {
        Self { name: env!("CARGO_PKG_NAME").to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() }
    }
}

impl ToNode for Software {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        let mut writer = derived::MappingWriter::new(tree);
        writer.put("name", &self.name);
        writer.put("version", &self.version);
        let id = writer.finish()?;
        tree.set_tag(id, Some(&format!("{ASDF_TAG}{SOFTWARE}")));
        Ok(id)
    }
}
