//! Finds the columns of files without a schema.

use asdf_core::tree::{Kind as NodeKind, NodeRef, Path};
use asdf_core::{Error, Result, Tree};

use super::field::Origin;
use super::value::Value;
use super::{Field, Kind, Layout};

/// The most columns that are found.
const MOST_COLUMNS: usize = 4096;

/// The most levels of mappings.
const MAX_DEPTH: usize = 32;

/// The keys at the root that describe the file, not its contents.
const ABOUT_FILES: [&str; 2] = ["asdf_library", "history"];

impl Layout {
    /// Finds the scalars, and the lists of scalars, of some trees. Their names are their paths with dots.
    ///
    /// Arrays, values with the tag of an object such as a coordinate system, lists of mappings, and what describes the file
    /// itself are left out. A column has the type that holds the values of all these trees.
    ///
    /// # Errors
    /// [`Limit`](asdf_core::error::Kind::Limit) if there are more than 4,096 columns.
    pub fn infer<'a>(trees: impl IntoIterator<Item = &'a Tree>) -> Result<Self> {
        let mut found = Found::default();
        for tree in trees {
            let Some(root) = tree.root() else { continue };
            for (key, node) in root.entries() {
                if key.text().is_some_and(|key| !ABOUT_FILES.contains(&key)) {
                    found.add(&Path::root(), key, node, 0)?;
                }
            }
        }
        let field = |(name, path, kind, unit): (String, String, Option<Kind>, Option<String>)| {
            let field = Field::new(name, Origin::Path(path), Some(kind.unwrap_or(Kind::String)));
            match unit {
                Some(unit) => field.with("unit", unit),
                None => field,
            }
        };
        Self::new(found.columns.into_iter().map(field))
    }
}

/// The columns that were found: name, path, type and unit.
#[derive(Default)]
struct Found {
    columns: Vec<(String, String, Option<Kind>, Option<String>)>,
    numbers: std::collections::HashMap<String, usize>,
}

impl Found {
    fn add(&mut self, above: &Path, key: NodeRef<'_>, node: NodeRef<'_>, depth: usize) -> Result<()> {
        let Some(step) = key.text() else { return Ok(()) };
        let mut path = above.clone();
        path.push(step);
        if is_object(node) {
            if depth < MAX_DEPTH && is_open(node) {
                for (key, value) in node.entries() {
                    self.add(&path, key, value, depth + 1)?;
                }
            }
        } else if let Ok(value) = Value::read(node) {
            let is_list_of_objects = matches!(&value, Value::List(items) if items.iter().any(|item| matches!(item, Value::Struct(_))));
            if !is_list_of_objects && !matches!(value, Value::Struct(_)) {
                self.value(&path, &value)?;
            }
        }
        Ok(())
    }

    fn value(&mut self, path: &Path, value: &Value) -> Result<()> {
        let unit = match value {
            Value::Quantity(_, unit) => Some(unit.clone()),
            _ => None,
        };
        let kind = value.kind();
        let number = self.numbers.get(path.as_str()).copied();
        if let Some((_, _, known, _)) = number.and_then(|number| self.columns.get_mut(number)) {
            *known = match (known.take(), kind) {
                (Some(known), Some(kind)) => Some(known.or(kind)),
                (known, kind) => known.or(kind),
            };
            return Ok(());
        }
        if self.columns.len() == MOST_COLUMNS {
            let message = format!("found more than {MOST_COLUMNS} values in the files");
            return Err(Error::limit(message).with_hint("choose columns by their paths or by a schema"));
        }
        self.numbers.insert(path.to_string(), self.columns.len());
        let steps = asdf_schema_model::pointer::steps(path.as_str());
        let name = steps.collect::<Vec<_>>().join(".");
        self.columns.push((name, path.to_string(), kind, unit));
        Ok(())
    }
}

/// Returns whether a node is a mapping without a tag of the standard.
fn is_object(node: NodeRef<'_>) -> bool {
    let is_standard = node.own_tag().is_some_and(|tag| tag.starts_with(asdf_core::tree::ASDF_TAG));
    node.kind() == NodeKind::Mapping && !is_standard
}

/// Returns whether the entries of a mapping are values of the file. Those of coordinate systems and their transforms are not.
fn is_open(node: NodeRef<'_>) -> bool {
    node.own_tag().is_none_or(|tag| {
        !["/gwcs/", "/transform/", "/coordinates/", "/fits/"].iter().any(|part| tag.contains(part))
    })
}
