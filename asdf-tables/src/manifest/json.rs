//! Writes a manifest as JSON of kerchunk, version 1.

use std::io::Write;

use asdf_core::Result;
use asdf_core::printable::json;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value as Json;

use super::array::Placed;
use super::chunks::Reference;
use super::document::{Entry, entries, key, metadata, zgroup};
use super::names::Names;
use crate::output::output;

pub(super) fn write(arrays: &[Placed], names: &Names, out: &mut dyn Write) -> Result<()> {
    let mut entry = Lines { out, is_first: true };
    entry.out.write_all(b"{\"version\":1,\"refs\":{").map_err(output)?;
    // Readers need not look for groups and arrays in it, which some of them cannot do below the root.
    let all = serde_json::json!({"zarr_consolidated_format": 1, "metadata": metadata(arrays, names)});
    entry.metadata("", ".zmetadata", &all).map_err(output)?;
    for node in entries(arrays, names) {
        match node {
            Entry::Group(path) => entry.metadata(&path, ".zgroup", &zgroup()).map_err(output)?,
            Entry::Array { path, array, attributes } => {
                entry.metadata(&path, ".zarray", &array.zarray()).map_err(output)?;
                entry.metadata(&path, ".zattrs", &attributes).map_err(output)?;
                for (chunk, reference) in array.keyed() {
                    entry.chunk(&key(&path, &chunk), &reference).map_err(output)?;
                }
            }
        }
    }
    entry.out.write_all(b"\n}}\n").map_err(output)
}

/// Returns a string of JSON, without characters that control a terminal.
fn text(text: &str) -> String {
    json(&Json::from(text).to_string()).into_owned()
}

/// Writes entries, one on each line.
struct Lines<'o> {
    out: &'o mut dyn Write,
    is_first: bool,
}

impl Lines<'_> {
    fn key(&mut self, key: &str) -> std::io::Result<()> {
        let end = if self.is_first { "\n" } else { ",\n" };
        self.is_first = false;
        write!(self.out, "{end}{}:", text(key))
    }

    /// Writes metadata, which are JSON in a string.
    fn metadata(&mut self, path: &str, name: &str, value: &Json) -> std::io::Result<()> {
        self.key(&key(path, name))?;
        write!(self.out, "{}", text(&value.to_string()))
    }

    fn chunk(&mut self, key: &str, reference: &Reference<'_>) -> std::io::Result<()> {
        self.key(key)?;
        match reference {
            Reference::Bytes { url, offset, length } => {
                write!(self.out, "[{},{offset},{length}]", text(url))
            }
            Reference::Inline(bytes) => write!(self.out, "\"base64:{}\"", STANDARD.encode(bytes)),
        }
    }
}
