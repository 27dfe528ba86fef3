//! Finds the type for a schema or a tag.

use asdf_core::array::{Complex, Integer};
use asdf_core::{Datatype, FromNode, NdArray, NodeRef, Result, ToNode, Tree};
use asdf_schemas::Registry;

#[allow(
    clippy::large_enum_variant,
    clippy::module_inception,
    dead_code,
    unreachable_pub,
    reason = "generated, and only partly used"
)]
mod types {
    include!(concat!(env!("OUT_DIR"), "/types.rs"));
}

#[allow(deprecated, reason = "deprecated types are tried too")]
mod readers {
    use super::{Reader, through, types};

    include!(concat!(env!("OUT_DIR"), "/readers.rs"));
}

use readers::READERS;

/// A type that represents whole schemas.
#[derive(Debug)]
pub(crate) struct Reader {
    pub(crate) name: &'static str,
    schemas: &'static [&'static str],
    tags: &'static [&'static str],
    /// The names of the types for other versions, whose values it reads if they fit.
    versions: &'static [&'static str],
    through: fn(NodeRef<'_>) -> Result<Tree>,
}

/// The types in asdf-core, by the prefixes of their ids and tags.
static OWN: &[(&str, &str, Reader)] = &[
    own(
        "http://stsci.edu/schemas/asdf/core/ndarray-",
        "tag:stsci.edu:asdf/core/ndarray-",
        "NdArray",
        through::<NdArray>,
    ),
    own(
        "http://stsci.edu/schemas/asdf/core/complex-",
        "tag:stsci.edu:asdf/core/complex-",
        "Complex",
        through::<Complex>,
    ),
    own(
        "http://stsci.edu/schemas/asdf/core/integer-",
        "tag:stsci.edu:asdf/core/integer-",
        "Integer",
        through::<Integer>,
    ),
    own("http://stsci.edu/schemas/asdf/core/datatype-", "no tag", "Datatype", through::<Datatype>),
];

const fn own(
    schema: &'static str,
    tag: &'static str,
    name: &'static str,
    through: fn(NodeRef<'_>) -> Result<Tree>,
) -> (&'static str, &'static str, Reader) {
    (schema, tag, Reader { name, schemas: &[], tags: &[], versions: &[], through })
}

impl Reader {
    pub(crate) fn of_tag(tag: &str) -> Option<&'static Self> {
        let own = OWN.iter().find(|(_, begin, _)| tag.starts_with(begin)).map(|(_, _, reader)| reader);
        own.or_else(|| READERS.iter().find(|reader| reader.tags.contains(&tag)))
    }

    pub(crate) fn of_schema(id: &str) -> Option<&'static Self> {
        let own = OWN.iter().find(|(begin, ..)| id.starts_with(begin)).map(|(_, _, reader)| reader);
        own.or_else(|| READERS.iter().find(|reader| reader.schemas.contains(&id)))
    }

    /// Returns the type for the current version, if this one is for another version.
    pub(crate) fn current(&self) -> Option<&'static Self> {
        READERS.iter().find(|reader| reader.versions.contains(&self.name))
    }

    /// Reads a node into the type and writes it into a new tree.
    pub(crate) fn through(&self, node: NodeRef<'_>) -> Result<Tree> {
        (self.through)(node)
    }
}

fn through<T: FromNode + ToNode>(node: NodeRef<'_>) -> Result<Tree> {
    let value = T::from_node(node)?;
    let mut tree = Tree::new();
    tree.set_standard(node.tree().standard());
    let root = value.to_node(&mut tree)?;
    tree.set_root(root);
    Ok(tree)
}

/// Returns whether every schema of the packages has a type.
pub(crate) fn documents(registry: &Registry) -> Result<bool> {
    let (mut with_type, mut all) = (0, 0);
    for id in registry.ids() {
        let schema = registry.schema(id)?;
        if schema.find("/extension_uri").is_some() && schema.find("/$schema").is_none() {
            continue;
        }
        all += 1;
        match Reader::of_schema(id) {
            Some(_) => with_type += 1,
            None => println!("no type: {id}"),
        }
    }
    println!("schemas with a type: {with_type} of {all}");
    Ok(with_type == all)
}
