//! The smallest value that a schema allows, as the beginning of one that somebody fills in.

mod facets;
mod maker;
mod scalar;

use asdf_core::file::Version;
use asdf_core::tree::Node;
use asdf_core::{Error, Path, Result};

use crate::Registry;
use crate::documents::Documents;
use maker::Maker;

/// A value with what a schema asks for and no more.
#[derive(Debug, Clone)]
pub struct Minimum {
    /// The value, with its tag if the schema has one.
    pub node: Node,
    /// What could be added.
    pub optional: Vec<Optional>,
}

/// A property that the smallest value goes without.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Optional {
    /// The mapping that it would be in, from the value on.
    pub path: Path,
    /// Its key.
    pub key: String,
    /// What the schema says that it is without it, as YAML on one line.
    pub default: Option<String>,
    /// The title of its schema.
    pub title: Option<String>,
}

/// The smallest value of a schema, by its id, its tag, or the last parts of one (as for
/// [`Registry::find`]).
///
/// Required properties are there, with their default or the first of an enumeration where the schema has
/// one, else the smallest that is allowed: 0, an empty text or one that fits the pattern, as many items as
/// have to be; of alternatives the first that can be made. Arrays have no elements, and the datatype and
/// number of axes that are asked for. Below, tags are those of this version of the ASDF Standard where it
/// has them, else the newest. Conditions that no keyword of these expresses (`not`, `uniqueItems`, programs'
/// own) are not looked at: show the value to a [`Validator`](crate::Validator).
///
/// ```
/// use asdf_core::file::Version;
/// use asdf_core::yaml::{EmitOptions, emit};
/// use asdf_schemas::{Registry, minimal};
///
/// let software = minimal(&Registry::standard(), Version::new(1, 6, 0), "core/software")?;
/// let options = EmitOptions { directives: false, ..EmitOptions::default() };
/// let text = emit(software.node.tree(), options)?;
/// assert_eq!(text, "!<tag:stsci.edu:asdf/core/software-1.0.0>\nname: ''\nversion: ''\n");
/// assert_eq!(software.optional[0].key, "author");
/// # Ok::<(), asdf_core::Error>(())
/// ```
///
/// # Errors
/// [`Usage`](asdf_core::ErrorKind::Usage) when there is no such schema or version;
/// [`Unsupported`](asdf_core::ErrorKind::Unsupported), with the place in the value, when one could not be made:
/// a pattern that no text was found for, a reference that leads nowhere, a value that needs itself.
pub fn minimal(registry: &Registry, version: Version, name: &str) -> Result<Minimum> {
    let edition = registry.edition(version)?;
    let (tag, ids) = match registry.schemas_of(name) {
        known if !known.is_empty() => (Some(name.to_owned()), known),
        _ => {
            let ids = registry.find(name)?;
            let own = ids.first().map(|id| (edition.tags_of(id), registry.tags_of(id)));
            let tag = own.and_then(|(here, all)| here.last().or(all.last()).map(|tag| (*tag).to_owned()));
            (tag, ids)
        }
    };
    let mut documents = Documents::of(registry);
    let schemas: Vec<_> = ids.iter().filter_map(|id| documents.get(id)).collect();
    if schemas.is_empty() {
        return Err(Error::usage(format!("there is no schema of {}", name.escape_debug())));
    }
    Maker::new(registry, &edition, documents).make(schemas, tag)
}
