//! Finds the columns of files without a schema.

use std::borrow::Borrow;
use std::collections::{HashMap, HashSet};

use asdf_core::tree::{Kind as NodeKind, NodeRef, Path};
use asdf_core::{Error, File, Result, Tree};

use super::field::Origin;
use super::tally::Tally;
use super::value::{Budget, Value};
use super::{Field, Kind, Layout, Own};

/// The most files that decide which columns there are.
const MOST_FILES: usize = 100;

/// The most columns that are found.
const MOST_COLUMNS: usize = 4096;

/// The most entries of mappings that are read in one tree. Aliases can repeat them any number of times.
const MOST_STEPS: usize = 1 << 18;

/// The most levels of mappings.
const MAX_DEPTH: usize = 32;

/// The keys at the root that describe the file, not its contents.
const ABOUT_FILES: [&str; 2] = ["asdf_library", "history"];

impl Layout {
    /// Finds the columns of the first 100 of many files, as [`infer`](Self::infer) does. Files that cannot be opened are
    /// passed over.
    ///
    /// # Errors
    /// The error of the first file if none of them can be opened, and like [`infer`](Self::infer).
    pub fn infer_files<F: Borrow<File>>(files: impl IntoIterator<Item = Result<F>>) -> Result<Self> {
        let (mut opened, mut first) = (Vec::new(), None);
        for file in files.into_iter().take(MOST_FILES) {
            match file {
                Ok(file) => opened.push(file),
                Err(error) => first = first.or(Some(error)),
            }
        }
        match first {
            Some(error) if opened.is_empty() => Err(error),
            _ => Self::infer(opened.iter().map(|file| file.borrow().tree())),
        }
    }

    /// Finds the scalars, and the lists of scalars, of some trees. Their names are their paths with dots.
    ///
    /// Arrays, values with the tag of an object such as a coordinate system, lists of mappings, and what describes the file
    /// itself are left out. A column has the type that holds at
    /// least four fifths of its values in these trees, or JSON.
    ///
    /// # Errors
    /// [`Limit`](asdf_core::error::Kind::Limit) if there are more than 4,096 columns.
    pub fn infer<'a>(trees: impl IntoIterator<Item = &'a Tree>) -> Result<Self> {
        let mut found = Found::default();
        for tree in trees {
            let Some(root) = tree.root() else { continue };
            (found.budget, found.steps) = (Budget::default(), 0);
            for (key, node) in root.entries() {
                if key.text().is_some_and(|key| !ABOUT_FILES.contains(&key)) {
                    found.add(&Path::root(), key, node, 0)?;
                }
            }
        }
        let mut names: HashSet<String> = Own::ALL.iter().map(|own| own.name().to_owned()).collect();
        Self::new(found.columns.into_iter().map(|column| {
            let steps = asdf_schema_model::pointer::steps(&column.path);
            let mut name = steps.collect::<Vec<_>>().join(".");
            if !names.insert(name.clone()) {
                // A key with a dot can give two columns the same name.
                name.clone_from(&column.path);
            }
            let other = if column.is_null { Kind::String } else { Kind::Json };
            let kind = column.tally.kind().unwrap_or(other);
            let field = Field::new(name, Origin::Path(column.path), Some(kind));
            match column.unit {
                Some(unit) => field.with("unit", unit),
                None => field,
            }
        }))
    }
}

/// The columns that were found.
#[derive(Default)]
struct Found {
    columns: Vec<Column>,
    numbers: HashMap<String, usize>,
    /// What is left to read of the current tree.
    budget: Budget,
    steps: usize,
}

struct Column {
    path: String,
    tally: Tally,
    /// Whether all values are null, instead of lists without items.
    is_null: bool,
    unit: Option<String>,
}

impl Found {
    fn add(&mut self, above: &Path, key: NodeRef<'_>, node: NodeRef<'_>, depth: usize) -> Result<()> {
        self.steps += 1;
        let Some(step) = key.text().filter(|_| self.steps <= MOST_STEPS) else { return Ok(()) };
        let mut path = above.clone();
        path.push(step);
        if is_object(node) {
            if depth < MAX_DEPTH && is_open(node) {
                for (key, value) in node.entries() {
                    self.add(&path, key, value, depth + 1)?;
                }
            }
        } else if let Ok(value) = Value::read(node, &mut self.budget) {
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
        let (kind, is_null) = (value.kind(), *value == Value::Null);
        let number = self.numbers.get(path.as_str()).copied();
        if let Some(known) = number.and_then(|number| self.columns.get_mut(number)) {
            known.is_null &= is_null;
            known.unit = known.unit.take().or(unit);
            kind.into_iter().for_each(|kind| known.tally.add(kind));
            return Ok(());
        }
        if self.columns.len() == MOST_COLUMNS {
            let message = format!("found more than {MOST_COLUMNS} values in the files");
            return Err(Error::limit(message).with_hint("choose columns by their paths or by a schema"));
        }
        self.numbers.insert(path.to_string(), self.columns.len());
        let mut tally = Tally::default();
        kind.into_iter().for_each(|kind| tally.add(kind));
        self.columns.push(Column { path: path.to_string(), tally, is_null, unit });
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

#[cfg(test)]
mod tests {
    use asdf_core::yaml;

    use super::*;

    #[test]
    fn the_first_quantity_gives_the_unit_of_a_column() {
        let trees = ["{a: 1.5}", "{a: !<tag:stsci.edu:asdf/unit/quantity-1.1.0> {value: 2, unit: km}}"]
            .map(|text| yaml::parse(text).unwrap());
        let layout = Layout::infer(&trees).unwrap();
        let field = layout.fields().iter().find(|field| field.name() == "a").unwrap();
        assert_eq!(field.kind(), Some(&Kind::Float64));
        assert_eq!(field.metadata().get("unit").map(String::as_str), Some("km"));
    }
}
