//! `Layout`: the columns of a catalogue.

use std::collections::HashSet;
use std::sync::Arc;

use arrow_schema::{Field as ArrowField, Schema, SchemaRef};
use asdf_core::tree::{NodeRef, Path};
use asdf_core::{Error, File, Result, Tree};
use asdf_schemas::asdf_units::Unit;
use serde::{Deserialize, Serialize};

use super::arrays::data_type;
use super::field::Origin;
use super::value::Value;
use super::{Field, Found, Kind, Own, Row};

/// The columns of a catalogue: where the values are in each file, and their types.
///
/// A layout can be serialized with serde, so that programs on other machines read the same columns.
///
/// # Examples
/// ```
/// use asdf_core::File;
/// use asdf_tables::catalog::{Found, Layout};
///
/// let mut file = File::new();
/// file.set_with_parents("/meta/exposure/time", &30.5)?;
/// let layout = Layout::new(["/meta/exposure/time:float64".parse()?])?;
/// let row = layout.read(&Found::named("a.asdf"), &file);
/// let batch = layout.batch(vec![row])?.rows;
/// assert_eq!(batch.schema().field(4).name(), "meta.exposure.time");
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Layout {
    pub(super) fields: Vec<Field>,
    /// The names of tags, without their versions, of the node that the paths [below](Origin::Below) it belong to. The first
    /// such node of a file counts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) anchors: Vec<String>,
    /// Whether the paths below a node can also start at the root, or at one of its values: for schemas without tags.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_untagged: bool,
}

impl Layout {
    /// Creates a layout of the columns `_file`, `_size`, `_modified`, `_standard`, those given, and `_problems`.
    ///
    /// # Errors
    /// [`Usage`](asdf_core::error::Kind::Usage) if two columns have the same name.
    pub fn new(fields: impl IntoIterator<Item = Field>) -> Result<Self> {
        let own = |own: Own| Field::new(own.name(), Origin::Own(own), Some(own.kind()));
        let first = [Own::File, Own::Size, Own::Modified, Own::Standard].map(own);
        let fields: Vec<Field> = first.into_iter().chain(fields).chain([own(Own::Problems)]).collect();
        let mut names = HashSet::new();
        for field in &fields {
            if !names.insert(field.name.as_str()) {
                let error =
                    Error::usage(format!("two columns have the name '{}'", field.name.escape_debug()));
                return Err(error.with_hint("give one of them another name, as in NAME=/path"));
            }
        }
        Ok(Self { fields, anchors: Vec::new(), is_untagged: false })
    }

    /// Adds the column `_valid`, which has [`Found::valid`], after `_standard`.
    #[must_use]
    pub fn with_valid(mut self) -> Self {
        let own = Own::Valid;
        let after = self.fields.iter().position(|field| field.own() == Some(Own::Standard));
        let valid = Field::new(own.name(), Origin::Own(own), Some(own.kind()));
        self.fields.insert(after.map_or(0, |at| at + 1), valid);
        self
    }

    /// Returns whether there is a column `_valid`.
    #[must_use]
    pub fn has_valid(&self) -> bool {
        self.fields.iter().any(|field| field.own() == Some(Own::Valid))
    }

    /// Appends the columns of other layouts before `_problems`.
    ///
    /// # Errors
    /// The errors of [`new`](Self::new), and [`Usage`](asdf_core::error::Kind::Usage) if both have columns of schemas.
    pub fn and(mut self, other: Self) -> Result<Self> {
        if !self.anchors.is_empty() && !other.anchors.is_empty() {
            return Err(Error::usage("columns of several schemas cannot be combined")
                .with_hint("make a catalogue for each, and name other columns by their paths"));
        }
        let has_valid = self.has_valid() || other.has_valid();
        let own = |field: &Field| field.own().is_none();
        let mut anchors = std::mem::take(&mut self.anchors);
        anchors.extend(other.anchors);
        let fields = self.fields.into_iter().chain(other.fields).filter(own);
        let joined =
            Self { anchors, is_untagged: self.is_untagged || other.is_untagged, ..Self::new(fields)? };
        Ok(if has_valid { joined.with_valid() } else { joined })
    }

    /// Selects columns by their numbers, in this order.
    ///
    /// # Errors
    /// [`Usage`](asdf_core::error::Kind::Usage) if a column does not exist.
    pub fn project(&self, columns: &[usize]) -> Result<Self> {
        let field = |&number: &usize| {
            let missing = || Error::usage(format!("column {number} does not exist"));
            self.fields.get(number).cloned().ok_or_else(missing)
        };
        let fields = columns.iter().map(field).collect::<Result<_>>()?;
        Ok(Self { fields, anchors: self.anchors.clone(), is_untagged: self.is_untagged })
    }

    /// Returns the columns.
    #[must_use]
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// Returns whether a catalogue with other columns has the columns of this layout.
    ///
    /// A column without a type, whose type the first values decide, is the same as one with any type.
    #[must_use]
    pub fn matches(&self, other: &Self) -> bool {
        let is_same = |own: &Field, other: &Field| {
            let metadata = own.metadata.iter().all(|(key, value)| other.metadata.get(key) == Some(value));
            own.name == other.name
                && own.origin == other.origin
                && metadata
                && (own.kind.is_none() || own.kind == other.kind)
        };
        self.anchors == other.anchors
            && self.is_untagged == other.is_untagged
            && self.fields.len() == other.fields.len()
            && self.fields.iter().zip(&other.fields).all(|(own, other)| is_same(own, other))
    }

    /// Returns whether a listing of files has all values, so that files do not have to be opened.
    #[must_use]
    pub fn is_listed(&self) -> bool {
        self.fields.iter().all(|field| field.own().is_some_and(Own::is_listed))
    }

    /// Returns the schema of record batches.
    ///
    /// Texts are dictionaries if `are_dictionaries`, except `_file`, JSON and those in lists. The metadata of a field are
    /// those of its column, such as `unit` and `description`. A column without a type is one of texts.
    #[must_use]
    pub fn arrow_schema(&self, are_dictionaries: bool) -> SchemaRef {
        let fields = self.fields.iter().map(|field| {
            let kind = field.kind.as_ref().unwrap_or(&Kind::String);
            let dictionary = are_dictionaries && field.own() != Some(Own::File);
            let is_nullable = field.own() != Some(Own::File);
            ArrowField::new(&field.name, data_type(kind, dictionary), is_nullable)
                .with_metadata(field.metadata.clone().into_iter().collect())
        });
        Arc::new(Schema::new(fields.collect::<Vec<_>>()))
    }

    /// Returns the row of a file that could not be opened.
    ///
    /// Only the columns that a listing fills have values, and `_problems` has the error.
    #[must_use]
    pub fn unread(&self, found: &Found, error: &Error) -> Row {
        let mut row = self.listed(found);
        row.failure = Some(error.message().to_owned());
        row
    }

    /// Returns the row of a file of which only the listing is needed.
    #[must_use]
    pub fn listed(&self, found: &Found) -> Row {
        let values = self.fields.iter().map(|field| field.own().map_or(Value::Null, |own| found.value(own)));
        Row { values: values.collect(), ..Row::new(found) }
    }

    /// Reads the row of a file from its tree.
    ///
    /// A value that does not exist is null. A value that does not fit its column is null, too, and a problem of the row.
    #[must_use]
    pub fn read(&self, found: &Found, file: &File) -> Row {
        let tree = file.tree();
        let anchor = self.anchor(tree);
        let mut row = Row::new(found);
        for (column, field) in self.fields.iter().enumerate() {
            if field.kind.is_none() {
                row.untyped.push(column);
            }
            let value = match &field.origin {
                Origin::Own(Own::Standard) => Value::String(file.standard().to_string()),
                Origin::Own(own) => found.value(*own),
                Origin::Path(path) if is_plain(path) => {
                    tree.find(path).map_or(Value::Null, |node| row.value(field, node, || path.clone()))
                }
                Origin::Path(path) => {
                    let pointer = tree.resolve_path(path);
                    tree.find(pointer.as_str())
                        .map_or(Value::Null, |node| row.value(field, node, || pointer.to_string()))
                }
                Origin::Below(paths) => self
                    .below(anchor.as_ref(), tree, paths)
                    .map_or(Value::Null, |(path, node)| row.value(field, node, || path)),
            };
            row.values.push(value);
        }
        row
    }

    /// Finds the node with one of the anchors as its tag, and its path.
    fn anchor<'a>(&self, tree: &'a Tree) -> Option<(Path, NodeRef<'a>)> {
        if self.anchors.is_empty() {
            return None;
        }
        let mut walk = tree.root()?.walk();
        while let Some(node) = walk.next() {
            let name = node.own_tag().and_then(|tag| Some(tag.rsplit_once('-')?.0));
            if name.is_some_and(|name| self.anchors.iter().any(|anchor| anchor == name)) {
                return Some((walk.path(), node));
            }
        }
        None
    }

    fn below<'a>(
        &self,
        anchor: Option<&(Path, NodeRef<'a>)>,
        tree: &'a Tree,
        paths: &[String],
    ) -> Option<(String, NodeRef<'a>)> {
        let find = |start: NodeRef<'a>, above: &str| {
            paths.iter().find_map(|path| {
                let mut node = start;
                for step in asdf_schema_model::pointer::steps(path) {
                    node = node.child(&step)?;
                }
                Some((format!("{above}{path}"), node))
            })
        };
        if let Some((path, node)) = anchor {
            return find(*node, path.as_str());
        }
        let root = tree.root().filter(|_| self.is_untagged)?;
        find(root, "").or_else(|| {
            root.entries().find_map(|(key, node)| {
                let mut above = Path::root();
                above.push(key.text()?);
                find(node, above.as_str())
            })
        })
    }
}

/// Returns whether a path means the same in every tree: a JSON Pointer without negative indices.
fn is_plain(path: &str) -> bool {
    path.len() > 1 && path.starts_with('/') && !path.contains("/-")
}

impl Field {
    /// Returns the unit of the column, to which quantities are converted.
    pub(super) fn unit(&self) -> Option<Unit> {
        self.metadata.get("unit").map(|unit| Unit::parse_lenient(unit))
    }
}
