//! Code for tests that need two crates or real files. The programs are for `tests/interop`.

pub mod round_trip;
mod transforms;
mod typed;
mod types;

use asdf_core::Result;
use asdf_schemas::Registry;

pub use typed::{iso, quoted, typed};

/// An example in a schema of the standard.
#[derive(Debug)]
pub struct Example {
    /// The id of the schema and the title of the example, for messages.
    pub name: String,
    /// The example as a whole file, in the version of the standard that it names. The root is its value.
    pub file: String,
}

/// Returns every example of every schema of the standard.
///
/// # Errors
/// If a schema is damaged.
pub fn examples() -> Result<Vec<Example>> {
    let registry = Registry::standard();
    let mut examples = Vec::new();
    for id in registry.ids() {
        let schema = registry.schema(id)?;
        for example in schema.find("/examples").into_iter().flat_map(|list| list.items()) {
            // A title, perhaps `asdf-standard-X.Y.Z`, and the text.
            let parts: Vec<&str> = example.items().filter_map(|part| part.as_str()).collect();
            let (Some(title), Some(text)) = (parts.first(), parts.last()) else { continue };
            let standard =
                parts.iter().find_map(|part| part.strip_prefix("asdf-standard-")).unwrap_or("1.6.0");
            let file = format!(
                "#ASDF 1.0.0\n#ASDF_STANDARD {standard}\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n---\n{}\n...\n",
                text.trim()
            );
            examples.push(Example { name: format!("{id}: {title}"), file });
        }
    }
    Ok(examples)
}
