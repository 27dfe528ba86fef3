//! Makes columns of the values that a schema describes.

use std::sync::Arc;

use asdf_core::tree::{ASDF_TAG, Kind as NodeKind};
use asdf_core::{Error, Result};
use asdf_schemas::Registry;
use asdf_schemas::described::{Described, Describer};

use super::field::Origin;
use super::{Field, Kind, Layout};

impl Layout {
    /// Makes columns of all scalars, and lists, that the schema of a tag describes.
    ///
    /// The name is a tag, or the last parts of one, as for [`Registry::find`]. The values belong to the first node of a file
    /// with this tag, in any version. The names of columns are paths below it, with dots. Their metadata have the `unit`,
    /// the `title` and the `description` of the schema. Arrays and objects with tags are left out.
    ///
    /// # Errors
    /// [`Usage`](asdf_core::error::Kind::Usage) if no tag has this name, or its schema describes no values. Also fails like
    /// [`Registry::find`].
    pub fn from_schema(registry: &Arc<Registry>, name: &str) -> Result<Self> {
        let tag = tag(registry, name)?;
        let described = Describer::new(registry.clone()).tag(&tag);
        let mut fields = Vec::new();
        if let Some(described) = described {
            add(&described, "", &mut fields);
        }
        if fields.is_empty() {
            let message = format!("the schema of {} describes no values for columns", tag.escape_debug());
            return Err(Error::usage(message).with_hint("name columns by their paths"));
        }
        let mut layout = Self::new(fields)?;
        layout.anchors = anchor(&tag).into_iter().collect();
        Ok(layout)
    }
}

/// Returns the tag with a name.
fn tag(registry: &Registry, name: &str) -> Result<String> {
    if !registry.schemas_of(name).is_empty() {
        return Ok(name.to_owned());
    }
    let ids = registry.find(name)?;
    // The newest tag comes last.
    let tag = ids.first().and_then(|id| registry.tags_of(id).last().map(|tag| (*tag).to_owned()));
    tag.ok_or_else(|| {
        let error = Error::usage(format!("the schema '{}' has no tag", name.escape_debug()));
        error.with_hint("name a schema whose tag the files have")
    })
}

/// Returns a tag without its version.
pub(super) fn anchor(tag: &str) -> Option<String> {
    tag.rsplit_once('-').map(|(name, _)| name.to_owned())
}

fn add(described: &Described, path: &str, fields: &mut Vec<Field>) {
    for (name, property) in &described.properties {
        let path = format!("{path}/{}", asdf_schema_model::pointer::escape(name));
        match shape(property) {
            Shape::Value(kind) => fields.push(described_field(&path, Some(kind), property)),
            Shape::Object => add(property, &path, fields),
            Shape::Other => {}
        }
    }
}

fn described_field(path: &str, kind: Option<Kind>, described: &Described) -> Field {
    let steps = asdf_schema_model::pointer::steps(path).collect::<Vec<_>>();
    with_texts(Field::new(steps.join("."), Origin::Below(vec![path.to_owned()]), kind), described)
}

/// Adds the texts of a schema to the metadata of a column.
pub(super) fn with_texts(mut field: Field, described: &Described) -> Field {
    let texts =
        [("unit", &described.unit), ("title", &described.title), ("description", &described.description)];
    for (key, text) in texts {
        if let Some(text) = text {
            field = field.with(key, text.as_str());
        }
    }
    field
}

/// What a column of a described value can be.
pub(super) enum Shape {
    Value(Kind),
    /// A mapping, whose values are columns of their own.
    Object,
    /// An array, an object with a tag of the standard, or a value that the schemas do not describe.
    Other,
}

/// Finds the type of a column for a described value.
pub(super) fn shape(described: &Described) -> Shape {
    let has_tag = |part: &str| described.tags.iter().any(|tag| tag.contains(part));
    if described.is_time {
        return Shape::Value(Kind::Timestamp);
    }
    if has_tag("unit/quantity-") {
        return Shape::Value(Kind::Float64);
    }
    if described.tags.iter().any(|tag| tag.starts_with(ASDF_TAG)) || has_tag("/gwcs/") || has_tag("astropy") {
        return Shape::Other;
    }
    let Some(kinds) = described.kinds else {
        return match (&described.items, described.properties.is_empty()) {
            (Some(items), true) => Shape::Value(Kind::List(Box::new(inside(items)))),
            (None, false) => Shape::Object,
            _ => Shape::Other,
        };
    };
    let kinds: Vec<NodeKind> = [
        NodeKind::Bool,
        NodeKind::Int,
        NodeKind::Float,
        NodeKind::String,
        NodeKind::Timestamp,
        NodeKind::Sequence,
        NodeKind::Mapping,
    ]
    .into_iter()
    .filter(|kind| kinds.has((*kind).into()))
    .collect();
    Shape::Value(match kinds.as_slice() {
        [NodeKind::Bool] => Kind::Boolean,
        [NodeKind::Int] => Kind::Int64,
        [NodeKind::Float] | [NodeKind::Int, NodeKind::Float] => Kind::Float64,
        [NodeKind::String] => Kind::String,
        [NodeKind::Timestamp] => Kind::Timestamp,
        [NodeKind::Sequence] => {
            Kind::List(Box::new(described.items.as_ref().map_or(Kind::Json, |items| inside(items))))
        }
        [NodeKind::Mapping] if described.properties.is_empty() => return Shape::Other,
        [NodeKind::Mapping] => return Shape::Object,
        [] => return Shape::Other,
        _ => Kind::Json,
    })
}

/// Returns the type of a value inside a list.
fn inside(described: &Described) -> Kind {
    match shape(described) {
        Shape::Value(kind) => kind,
        Shape::Object => {
            let fields = described.properties.iter().map(|(name, property)| (name.clone(), inside(property)));
            Kind::Struct(fields.collect())
        }
        Shape::Other => Kind::Json,
    }
}
