//! `Field`: a column of a catalogue.

use std::collections::BTreeMap;
use std::str::FromStr;

use asdf_core::tree::Path;
use asdf_core::{Error, Result};
use serde::{Deserialize, Serialize};

use super::{Kind, Own};

/// A column of a catalogue: its name, where its values are, and their type.
///
/// # Examples
/// ```
/// use asdf_tables::catalog::{Field, Kind};
///
/// let field: Field = "/roman/meta/exposure/exposure_time:float64".parse()?;
/// assert_eq!((field.name(), field.kind()), ("roman.meta.exposure.exposure_time", Some(&Kind::Float64)));
/// let field: Field = "detector=/roman/meta/instrument/detector".parse()?;
/// assert_eq!((field.name(), field.kind()), ("detector", None));
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Field {
    pub(super) name: String,
    pub(super) origin: Origin,
    /// `None` if the first values decide.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) kind: Option<Kind>,
    /// The unit, the description and other properties of the values.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) metadata: BTreeMap<String, String>,
}

/// Where the values of a column are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) enum Origin {
    /// A property of the file itself.
    Own(Own),
    /// The path in the tree, as a user wrote it.
    Path(String),
    /// Paths below the node that the layout finds by its tag. The first that exists counts.
    Below(Vec<String>),
}

impl Field {
    pub(super) fn new(name: impl Into<String>, origin: Origin, kind: Option<Kind>) -> Self {
        Self { name: name.into(), origin, kind, metadata: BTreeMap::new() }
    }

    /// Creates a column of the values at a path. The type is that of the first values if it is `None`.
    ///
    /// The path is a JSON Pointer, or has dots and brackets, as in [`Tree::resolve_path`](asdf_core::Tree::resolve_path).
    #[must_use]
    pub fn at(name: impl Into<String>, path: impl Into<String>, kind: Option<Kind>) -> Self {
        Self::new(name, Origin::Path(path.into()), kind)
    }

    /// Adds a property of the values, such as `unit` or `description`.
    #[must_use]
    pub fn with(mut self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.metadata.insert(key.into(), value.into());
        self
    }

    /// Returns the name of the column.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the type; `None` if the first values decide.
    #[must_use]
    pub fn kind(&self) -> Option<&Kind> {
        self.kind.as_ref()
    }

    /// Returns the properties of the values: `unit`, `description` and others.
    #[must_use]
    pub fn metadata(&self) -> &BTreeMap<String, String> {
        &self.metadata
    }

    /// Returns the property of the file itself that the column has; `None` if its values are in the tree.
    #[must_use]
    pub fn own(&self) -> Option<Own> {
        match self.origin {
            Origin::Own(own) => Some(own),
            _ => None,
        }
    }

    /// Returns the paths of the values. Those of schemas are below the node with the tag.
    #[must_use]
    pub fn paths(&self) -> &[String] {
        match &self.origin {
            Origin::Own(_) => &[],
            Origin::Path(path) => std::slice::from_ref(path),
            Origin::Below(paths) => paths,
        }
    }
}

impl FromStr for Field {
    type Err = Error;

    /// Parses `PATH`, `PATH:TYPE` or `NAME=PATH:TYPE`. A path that contains `:` needs one at its end too.
    fn from_str(text: &str) -> Result<Self> {
        let (name, place) = match text.split_once('=') {
            Some((name, place)) if !name.is_empty() && !name.contains(['/', '"']) => (Some(name), place),
            _ => (None, text),
        };
        let (path, kind) = match split_type(place) {
            Some((path, "")) => (path, None),
            Some((path, kind)) => (path, Some(kind.parse::<Kind>()?)),
            None => (place, None),
        };
        if path.is_empty() {
            let error = Error::usage(format!("expected a path, found '{}'", text.escape_debug()));
            return Err(error.with_hint("write NAME=PATH:TYPE, such as time=/meta/exposure/time:float64"));
        }
        let name = name.map_or_else(|| dotted(path), str::to_owned);
        Ok(Self::at(name, path, kind))
    }
}

/// Splits text at its last `:` that is not inside a type, such as `struct<a: int64>`.
fn split_type(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0_usize;
    let mut is_end = |char: char| {
        match char {
            '>' => depth += 1,
            '<' => depth = depth.saturating_sub(1),
            _ => {}
        }
        char == ':' && depth == 0
    };
    let (at, _) = text.char_indices().rev().find(|(_, char)| is_end(*char))?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}

/// Returns a path with dots between its steps, as the name of a column.
fn dotted(path: &str) -> String {
    let pointer = Path::from_dotted(path).map(|path| path.to_string());
    let pointer = pointer.as_deref().unwrap_or(path);
    let pointer = format!("/{}", pointer.trim_start_matches('/'));
    asdf_schema_model::pointer::steps(&pointer).collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_parsed() {
        for (text, name, path, kind) in [
            ("/a/b", "a.b", "/a/b", None),
            ("a.b[0]:int16", "a.b.0", "a.b[0]", Some("int16")),
            ("x=/a:list<string>", "x", "/a", Some("list<string>")),
            ("/a:b:", "a:b", "/a:b", None),
            ("/a:struct<b: int64, c: list<string>>", "a", "/a", Some("struct<b: int64, c: list<string>>")),
            ("/a:b:list<struct<c: json>>", "a:b", "/a:b", Some("list<struct<c: json>>")),
            ("/a>b:int16", "a>b", "/a>b", Some("int16")),
            ("/a=b/c", "a=b.c", "/a=b/c", None),
        ] {
            let field: Field = text.parse().unwrap();
            assert_eq!((field.name(), field.paths()), (name, &[path.to_owned()][..]), "{text}");
            assert_eq!(field.kind().map(ToString::to_string).as_deref(), kind, "{text}");
        }
        for wrong in ["", ":int16", "/a:int128", "x="] {
            assert!(wrong.parse::<Field>().is_err(), "{wrong}");
        }
    }
}
