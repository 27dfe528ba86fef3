//! Reads every valid example of every schema into its type and writes it back.

use std::sync::Arc;

use asdf_core::block::{Header, Label};
use asdf_core::{File, Result, Tree};
use asdf_schemas::{Registry, Validator};

use crate::readers::Reader;
use crate::same::difference;

/// The result of an example.
enum Outcome {
    /// The example is valid, and the same after a round trip through its type.
    Equal,
    /// Both the schema and the type refuse the example.
    Refused,
    /// The example is not valid YAML for ASDF: a key occurs twice.
    Broken,
}

/// Runs all examples. The type must also refuse an example that violates its own schema.
pub(crate) fn run(registry: &Arc<Registry>) -> Result<bool> {
    let validator = Validator::new(registry.clone());
    let (mut equal, mut refused, mut broken, mut all) = (0, 0, 0, 0);
    for id in registry.ids() {
        let schema = registry.schema(id)?;
        for example in schema.find("/examples").into_iter().flat_map(|list| list.items()) {
            // A title, perhaps `asdf-standard-X.Y.Z`, and the text.
            let parts: Vec<&str> = example.items().filter_map(|part| part.as_str()).collect();
            let (Some(title), Some(text)) = (parts.first(), parts.last()) else { continue };
            let standard =
                parts.iter().find_map(|part| part.strip_prefix("asdf-standard-")).unwrap_or("1.6.0");
            all += 1;
            match try_one(&validator, id, standard, text) {
                Ok(Outcome::Equal) => equal += 1,
                Ok(Outcome::Refused) => refused += 1,
                Ok(Outcome::Broken) => broken += 1,
                Err(why) => println!("{id}: {}: {why}", title.trim()),
            }
        }
    }
    println!(
        "examples: {equal} of {all} read into their types and written back equal; {refused} break their own \
         schema and are refused by their types, {broken} have a key twice"
    );
    Ok(equal + refused + broken == all)
}

fn try_one(
    validator: &Validator,
    id: &str,
    standard: &str,
    text: &str,
) -> std::result::Result<Outcome, String> {
    let text = format!(
        "#ASDF 1.0.0\n#ASDF_STANDARD {standard}\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n---\n{}\n...\n",
        text.trim_end()
    );
    let file = File::from_bytes([text.as_bytes(), &block()].concat()).map_err(|error| error.to_string())?;
    let node = file.tree().root().ok_or("the example is empty")?;
    let reader =
        node.own_tag().and_then(Reader::of_tag).or_else(|| Reader::of_schema(id)).ok_or("no type")?;
    let report = validator.validate_tree(file.tree());
    let violation = report.violations().first();
    let tree = match (reader.through(node), violation) {
        (Ok(tree), None) => tree,
        (Err(_), Some(_)) => return Ok(Outcome::Refused),
        (Ok(_), Some(violation)) if violation.rule() == "keys" => return Ok(Outcome::Broken),
        (Ok(_), Some(violation)) => {
            return Err(format!("{} accepts a value that the schema refuses: {violation}", reader.name));
        }
        (Err(error), None) => {
            return Err(format!("{} refuses a value that the schema accepts: {error}", reader.name));
        }
    };
    // A type can write the defaults that it filled in from an old file.
    let filled = |tree: &Tree| match validator.defaults().filled(tree) {
        Ok(filled) => Ok(filled.unwrap_or_else(|| tree.clone())),
        Err(error) => Err(error.to_string()),
    };
    let (read, written) = (filled(file.tree())?, filled(&tree)?);
    let node = read.root().ok_or("the example is empty")?;
    let written = written.root().ok_or("nothing was written")?;
    // The examples of some bases have tags that are in no manifest, so their types have no tag.
    let whole = if Reader::of_tag(node.own_tag().unwrap_or_default()).is_some() || node.own_tag().is_none() {
        difference(node, written)
    } else {
        node.entries().zip(written.entries()).find_map(|((_, one), (_, other))| difference(one, other))
    };
    match whole {
        Some(difference) => Err(format!("as {}: {difference}", reader.name)),
        None => Ok(Outcome::Equal),
    }
}

/// Returns a block of nonzero numbers, for examples with a stream or the words of an integer.
fn block() -> Vec<u8> {
    const SIZE: u64 = 4096;
    let header = Header {
        header_size: 48,
        flags: 0,
        compression: Label::NONE,
        allocated_size: SIZE,
        used_size: SIZE,
        data_size: SIZE,
        checksum: [0; 16],
    };
    let mut bytes = header.emit();
    bytes.resize(bytes.len() + 4096, 1);
    bytes
}
