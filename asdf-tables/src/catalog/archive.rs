//! Makes columns of the values that schemas assign to the tables of an archive.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use asdf_core::{Error, Result};
use asdf_schemas::Registry;
use asdf_schemas::described::{Described, Describer};

use super::field::Origin;
use super::schema::{Shape, anchor, shape, with_texts};
use super::{Field, Kind, Layout};

/// The keyword of schemas that assigns a value to columns of tables, each as `TABLE.COLUMN`.
const KEYWORD: &str = "archive_catalog";

/// A value that a schema assigns to a table, but that is not in a column.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct LeftOut {
    /// The column.
    pub column: String,
    /// The path below the node with the tag; `*` stands for each item.
    pub path: String,
    /// Why it was left out.
    pub reason: String,
}

/// A value that a schema assigns to a column of a table.
#[derive(Debug, Clone)]
struct Assigned {
    column: String,
    datatype: String,
    path: String,
    described: Arc<Described>,
}

/// Returns the names of the tables to whose columns schemas assign values, sorted.
#[must_use]
pub fn archive_tables(registry: &Arc<Registry>) -> Vec<String> {
    let mut tables = BTreeSet::new();
    for id in registry.ids() {
        // Parsing all schemas would take long.
        if !registry.text(id).is_some_and(|text| text.contains(KEYWORD)) {
            continue;
        }
        let Ok(tree) = registry.schema(id) else { continue };
        for found in tree.search().key(KEYWORD) {
            let destinations = found.node.get("destination").into_iter().flat_map(|list| list.items());
            let names = destinations.filter_map(|name| Some(name.as_str()?.split_once('.')?.0.to_owned()));
            tables.extend(names);
        }
    }
    tables.into_iter().collect()
}

impl Layout {
    /// Makes the columns of a table from the schemas that assign values to it, with the keyword `archive_catalog`.
    ///
    /// This is how the schemas of the Roman Space Telescope describe its archive. A column has the type of the annotation:
    ///
    /// | annotation | type |
    /// |---|---|
    /// | `nvarchar(n)`, `nchar(n)`, `varchar(n)`, `char(n)` | string; JSON if the schema allows lists or mappings; boolean if it says so |
    /// | `tinyint`, `smallint`, `int`, `bigint` | uint8, int16, int32, int64 |
    /// | `float`, `real` | float64, float32 |
    /// | `bit` | boolean |
    /// | `date`, `datetime`, `datetime2` | timestamp |
    ///
    /// The values are those below the first node of a file with a tag whose schema assigns values, in any version. If schemas
    /// without a tag assign values, these can be at the root of the tree, or below one of its values. The metadata of a
    /// column have the annotation as `archive_datatype`.
    ///
    /// Also returns what was left out: values inside lists, of which a file can have several, and annotations that cannot be
    /// understood.
    ///
    /// # Errors
    /// [`Usage`](asdf_core::error::Kind::Usage) if no schema assigns values to the table; the hint lists the tables.
    pub fn from_table(registry: &Arc<Registry>, table: &str) -> Result<(Self, Vec<LeftOut>)> {
        let mut describer = Describer::new(registry.clone()).keyword(KEYWORD);
        let mut anchors = BTreeSet::new();
        let mut left_out = BTreeSet::new();
        let mut columns = Columns::default();
        let mut by_tag: Vec<(String, Vec<Assigned>)> = Vec::new();
        let mut with_tags: HashSet<String> = HashSet::new();
        // Newer versions first, so that their descriptions are used.
        for tag in registry.tags().into_iter().rev() {
            with_tags.extend(registry.schemas_of(tag).into_iter().map(str::to_owned));
            if let Some(described) = describer.tag(tag) {
                by_tag.push((tag.to_owned(), assigned(&described, table, &mut left_out)));
            }
        }
        let inner: HashSet<&str> = describer.inner_tags().collect();
        // A tag that is only used inside others says nothing about the root of a file.
        for (tag, all) in by_tag.iter().filter(|(tag, all)| !all.is_empty() && !inner.contains(tag.as_str()))
        {
            anchors.extend(anchor(tag));
            all.iter().for_each(|one| columns.add(one));
        }
        let mut describer = Describer::new(registry.clone()).keyword(KEYWORD);
        let mut is_untagged = false;
        for id in registry.ids() {
            if with_tags.contains(id) || !registry.text(id).is_some_and(|text| text.contains(table)) {
                continue;
            }
            let Some(described) = describer.schema(id) else { continue };
            for one in assigned(&described, table, &mut left_out) {
                // A column that tags have needs no other place.
                if !columns.is_tagged(&one.column, anchors.is_empty()) {
                    is_untagged = true;
                    columns.add(&one);
                }
            }
        }
        if columns.list.is_empty() {
            let message = format!("no schema assigns values to the table '{}'", table.escape_debug());
            let error = Error::usage(message);
            return Err(match archive_tables(registry).as_slice() {
                [] => error.with_hint("add the schemas of a package that has tables, such as rad"),
                tables => error.with_hint(format!("the tables of these schemas are {}", tables.join(", "))),
            });
        }
        let (fields, others) = columns.fields(table);
        left_out.extend(others);
        let mut layout = Self::new(fields)?;
        layout.anchors = anchors.into_iter().collect();
        layout.is_untagged = is_untagged;
        Ok((layout, left_out.into_iter().collect()))
    }
}

/// The columns of a table while they are collected.
#[derive(Default)]
struct Columns {
    list: Vec<Column>,
    numbers: HashMap<String, usize>,
}

struct Column {
    name: String,
    datatypes: Vec<String>,
    paths: Vec<String>,
    described: Vec<Arc<Described>>,
}

impl Columns {
    fn add(&mut self, one: &Assigned) {
        let number = *self.numbers.entry(one.column.clone()).or_insert_with(|| {
            self.list.push(Column {
                name: one.column.clone(),
                datatypes: Vec::new(),
                paths: Vec::new(),
                described: Vec::new(),
            });
            self.list.len() - 1
        });
        let Some(column) = self.list.get_mut(number) else { return };
        if !column.datatypes.contains(&one.datatype) {
            column.datatypes.push(one.datatype.clone());
        }
        if !column.paths.contains(&one.path) {
            column.paths.push(one.path.clone());
        }
        column.described.push(one.described.clone());
    }

    /// Returns whether a column has a place below a tag.
    fn is_tagged(&self, column: &str, has_no_tags: bool) -> bool {
        !has_no_tags && self.numbers.contains_key(column)
    }

    fn fields(self, table: &str) -> (Vec<Field>, Vec<LeftOut>) {
        let (mut fields, mut left_out) = (Vec::new(), Vec::new());
        for column in self.list {
            let mut kind: Option<Kind> = None;
            for datatype in &column.datatypes {
                let Some(own) = of_datatype(datatype, &column.described) else {
                    left_out.push(LeftOut {
                        column: format!("{table}.{}", column.name),
                        path: column.paths.join(", "),
                        reason: format!("the datatype '{}' is unknown", datatype.escape_debug()),
                    });
                    continue;
                };
                kind = Some(match kind {
                    Some(known) => known.or(own),
                    None => own,
                });
            }
            let Some(kind) = kind else { continue };
            let field = Field::new(&column.name, Origin::Below(column.paths), Some(kind))
                .with("archive_datatype", column.datatypes.join(", "));
            fields.push(match column.described.first() {
                Some(described) => with_texts(field, described),
                None => field,
            });
        }
        (fields, left_out)
    }
}

/// Returns the type of an annotation, which names the types of SQL Server.
fn of_datatype(datatype: &str, described: &[Arc<Described>]) -> Option<Kind> {
    let name = datatype.split('(').next().unwrap_or_default().trim().to_ascii_lowercase();
    Some(match name.as_str() {
        "nvarchar" | "nchar" | "varchar" | "char" | "text" | "ntext" => {
            let shapes = described.iter().map(|described| shape(described));
            let kinds = shapes.map(|shape| match shape {
                Shape::Value(Kind::Boolean) => Kind::Boolean,
                Shape::Value(Kind::Json | Kind::List(_) | Kind::Struct(_)) | Shape::Object => Kind::Json,
                _ => Kind::String,
            });
            kinds.reduce(Kind::or).unwrap_or(Kind::String)
        }
        "tinyint" => Kind::Uint8,
        "smallint" => Kind::Int16,
        "int" => Kind::Int32,
        "bigint" => Kind::Int64,
        "float" => Kind::Float64,
        "real" => Kind::Float32,
        "bit" => Kind::Boolean,
        "date" | "datetime" | "datetime2" => Kind::Timestamp,
        _ => return None,
    })
}

/// Returns the values that a description assigns to the columns of a table.
fn assigned(described: &Arc<Described>, table: &str, left_out: &mut BTreeSet<LeftOut>) -> Vec<Assigned> {
    let mut walk = Walk { table, found: Vec::new(), left_out };
    walk.value(described, "", false);
    walk.found
}

struct Walk<'a> {
    table: &'a str,
    found: Vec<Assigned>,
    left_out: &'a mut BTreeSet<LeftOut>,
}

impl Walk<'_> {
    fn value(&mut self, described: &Arc<Described>, path: &str, is_in_list: bool) {
        for note in &described.notes {
            self.note(note.view(), described, path, is_in_list);
        }
        for (name, property) in &described.properties {
            let path = format!("{path}/{}", asdf_schema_model::pointer::escape(name));
            self.value(property, &path, is_in_list);
        }
        if let Some(items) = &described.items {
            self.value(items, &format!("{path}/*"), true);
        }
    }

    fn note(
        &mut self,
        note: asdf_core::NodeRef<'_>,
        described: &Arc<Described>,
        path: &str,
        is_in_list: bool,
    ) {
        let destinations = note.get("destination").into_iter().flat_map(|list| list.items());
        for destination in destinations.filter_map(|name| name.as_str()) {
            let column = destination.split_once('.').filter(|(table, _)| *table == self.table);
            let Some((_, column)) = column else { continue };
            let mut leave_out = |reason: &str| {
                self.left_out.insert(LeftOut {
                    column: destination.to_owned(),
                    path: path.to_owned(),
                    reason: reason.to_owned(),
                });
            };
            if is_in_list {
                leave_out("it is inside a list, of which a file can have several items");
            } else if let Some(datatype) = note.get("datatype").and_then(|datatype| datatype.text()) {
                let (column, datatype, path) = (column.to_owned(), datatype.to_owned(), path.to_owned());
                self.found.push(Assigned { column, datatype, path, described: described.clone() });
            } else {
                leave_out("it has no datatype");
            }
        }
    }
}
