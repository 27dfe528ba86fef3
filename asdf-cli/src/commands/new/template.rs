//! Templates of schemas: required properties with their smallest values, and optional ones as comments.

use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;

use asdf_core::file::Version;
use asdf_core::tree::{Kind, NodeRef, Path, Style};
use asdf_core::{Error, File, Result};
use asdf_schemas::minimal::Optional;
use asdf_schemas::{Registry, Validator, minimal};

use crate::commands::set;
use crate::sources::with_schema;

/// The template of a schema in a new file.
pub(super) struct Template {
    pub(super) validator: Validator,
    /// The optional properties, with their paths in the tree.
    optional: Vec<Optional>,
}

/// Puts the smallest value of a schema into a file: at a path if it is tagged, else as the tree.
pub(super) fn fill(
    file: &mut File,
    registry: Arc<Registry>,
    name: &str,
    at: Option<&str>,
    version: Version,
) -> Result<Template> {
    let path = PathBuf::from(name);
    let is_file =
        path.is_file() || (path.extension().is_some_and(|e| e == "yaml") && registry.find(name).is_err());
    let (registry, id) = if is_file { with_schema(registry, &path)? } else { (registry, name.to_owned()) };
    let made = minimal(&registry, version, &id)?;
    let value = made.node.view();
    let tag = value.own_tag().map(str::to_owned);
    let is_root = tag.as_deref().is_some_and(|tag| tag.contains(":asdf/core/asdf-"));
    let mut optional = made.optional;
    // A tagged value is validated by the schemas of its tag.
    let whole = match is_file || tag.is_none() {
        true => registry.find(&id)?.first().map(|id| (*id).to_owned()),
        false => None,
    };
    let mut validator = Validator::new(registry);
    if (tag.is_none() && at.is_none()) || is_root {
        // A schema that does not restrict its value gives null, which becomes an empty tree.
        if !matches!(value.kind(), Kind::Mapping | Kind::Null) {
            let error = Error::usage(format!(
                "the schema describes {}, expected a mapping for the tree",
                value.describe()
            ));
            return Err(error.with_hint("pass --path PATH to put the value there"));
        }
        for (key, value) in value.entries() {
            let id = file.tree_mut().graft(value)?;
            let mut path = Path::root();
            path.push(key.text().unwrap_or_default());
            file.tree_mut().edit(path.as_str()).set(id)?;
        }
        if let Some(id) = whole {
            let place = |error: Error| if is_file { error.at_file(&path) } else { error };
            validator = validator.with_schema(&id).map_err(place)?;
        }
        return Ok(Template { validator, optional });
    }
    let pointer = at.map_or_else(|| format!("/{}", short(tag.as_deref().unwrap_or(&id))), str::to_owned);
    let base = file.tree().resolve_path(&pointer);
    set::put(file, &base, made.node.tree())?;
    for one in &mut optional {
        one.path = base.join(&one.path);
    }
    Ok(Template { validator, optional })
}

/// Returns the last part of a tag, without its version.
fn short(tag: &str) -> &str {
    let last = tag.rsplit(['/', ':']).next().unwrap_or(tag);
    last.rsplit_once('-')
        .filter(|(_, version)| Version::parse(version).is_some())
        .map_or(last, |(name, _)| name)
}

impl Template {
    /// Adds optional properties to the text of a file as comments. Removing the `#` adds the property.
    pub(super) fn comment(&self, text: &str, target: &FilePath) -> Result<String> {
        let file = File::from_bytes(text.as_bytes().to_vec()).map_err(|error| error.at_file(target))?;
        let mut lines: Vec<(usize, usize, String)> = Vec::new();
        for one in &self.optional {
            // A value of --set can replace the mapping.
            let Some(node) = file.tree().find(one.path.as_str()) else { continue };
            let there = node.get(&one.key).is_some() || node.kind() != Kind::Mapping;
            let Some((line, indent)) = end(&file, &one.path, node).filter(|_| !there) else { continue };
            let default = one.default.as_deref().map(|text| format!(" {text}")).unwrap_or_default();
            let title = one.title.as_deref().map(|text| format!("  # {text}")).unwrap_or_default();
            let comment = format!("{}# {}:{default}{title}", " ".repeat(indent), key(&one.key));
            lines.push((line, indent, comment));
        }
        // If several mappings end on a line, the inner ones come first. Comments of one mapping keep their order.
        lines.sort_by_key(|(line, indent, _)| (*line, std::cmp::Reverse(*indent)));
        let mut comments = lines.into_iter().peekable();
        let mut out = String::with_capacity(text.len());
        for (number, line) in text.split_inclusive('\n').enumerate() {
            out.push_str(line);
            while let Some((_, _, comment)) = comments.next_if(|(after, _, _)| *after == number + 1) {
                out.push_str(&comment.replace(|c: char| c.is_control(), " "));
                out.push('\n');
            }
        }
        Ok(out)
    }
}

/// Returns the last line of a mapping, and the indentation of its entries.
fn end(file: &File, path: &Path, node: NodeRef<'_>) -> Option<(usize, usize)> {
    let column = |node: NodeRef<'_>| node.position().map(|(_, column)| column as usize - 1);
    let indent = match node.entries().next() {
        Some((key, _)) if node.style() != Style::Flow => column(key)?,
        _ => {
            let (above, last) = path.as_str().rsplit_once('/')?;
            let around = file.tree().find(above)?;
            let last = last.replace("~1", "/").replace("~0", "~");
            let key = around.entries().find(|(key, _)| key.text() == Some(&last)).map(|(key, _)| key);
            column(key.unwrap_or(around))? + 2
        }
    };
    let mut last = node;
    while let Some((_, value)) = last.entries().next_back().filter(|_| last.style() != Style::Flow) {
        last = value;
    }
    let (line, column) = last.end_position()?;
    // The end of a block mapping is the start of the next line.
    Some((if column == 1 { line as usize - 1 } else { line as usize }, indent))
}

/// Returns a key as YAML, with quotes if it needs them.
fn key(text: &str) -> String {
    let plain = text.chars().all(|c| c.is_ascii_alphanumeric() || "_-.$".contains(c));
    if plain && !text.is_empty() { text.to_owned() } else { serde_json::Value::from(text).to_string() }
}
