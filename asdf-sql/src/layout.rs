//! TEMPORARY: the columns of files, until `asdf_tables::catalog` exists.
use std::sync::Arc;

use asdf_core::{File, Result};
use datafusion::arrow::array::{
    ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, RecordBatchOptions, StringArray,
    TimestampMicrosecondArray, UInt64Array,
};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};
use serde::{Deserialize, Serialize};

pub(crate) const OWN: [&str; 6] = ["_file", "_size", "_modified", "_standard", "_valid", "_problems"];

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Layout {
    columns: Vec<(String, String, Kind)>,
}
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
enum Kind {
    Text,
    Float,
    Int,
    Bool,
    Time,
    Uint,
}

#[derive(Debug, Clone)]
enum Value {
    Text(String),
    Float(f64),
    Int(i64),
    Bool(bool),
    Uint(u64),
}
pub(crate) struct Row(Vec<Option<Value>>);

impl Layout {
    pub(crate) fn own() -> Self {
        let kinds = [Kind::Text, Kind::Uint, Kind::Time, Kind::Text, Kind::Bool, Kind::Text];
        Self { columns: OWN.iter().zip(kinds).map(|(n, k)| (n.to_string(), String::new(), k)).collect() }
    }
    pub(crate) fn infer<'t>(trees: impl IntoIterator<Item = &'t asdf_core::Tree>) -> Self {
        let mut layout = Self::own();
        for tree in trees {
            let Some(root) = tree.root() else { continue };
            walk(root, "", "", &mut layout.columns, 0);
        }
        layout
    }
    pub(crate) fn arrow_schema(&self) -> SchemaRef {
        Arc::new(Schema::new(
            self.columns
                .iter()
                .map(|(name, _, kind)| {
                    Field::new(
                        name,
                        match kind {
                            Kind::Text => DataType::Utf8,
                            Kind::Float => DataType::Float64,
                            Kind::Int => DataType::Int64,
                            Kind::Uint => DataType::UInt64,
                            Kind::Bool => DataType::Boolean,
                            Kind::Time => DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
                        },
                        true,
                    )
                })
                .collect::<Vec<_>>(),
        ))
    }
    pub(crate) fn project(&self, indices: &[usize]) -> Self {
        Self { columns: indices.iter().filter_map(|&i| self.columns.get(i).cloned()).collect() }
    }
    pub(crate) fn row(
        &self,
        name: &str,
        size: u64,
        modified: i64,
        file: std::result::Result<&File, &asdf_core::Error>,
    ) -> Row {
        Row(self
            .columns
            .iter()
            .map(|(column, path, kind)| match column.as_str() {
                "_file" => Some(Value::Text(name.to_owned())),
                "_size" => Some(Value::Uint(size)),
                "_modified" => Some(Value::Int(modified)),
                "_standard" => file.ok().map(|f| Value::Text(f.header().standard.to_string())),
                "_valid" => None,
                "_problems" => file.err().map(|e| Value::Text(e.to_string())),
                _ => {
                    let f = file.ok()?;
                    match kind {
                        Kind::Text => f.get::<String>(path).ok().map(Value::Text),
                        Kind::Float => f.get::<f64>(path).ok().map(Value::Float),
                        Kind::Int => f.get::<i64>(path).ok().map(Value::Int),
                        Kind::Bool => f.get::<bool>(path).ok().map(Value::Bool),
                        _ => None,
                    }
                }
            })
            .collect())
    }
    pub(crate) fn batch(&self, rows: &[Row]) -> Result<RecordBatch> {
        let arrays: Vec<ArrayRef> = self
            .columns
            .iter()
            .enumerate()
            .map(|(i, (_, _, kind))| {
                let values = rows.iter().map(|row| row.0.get(i).cloned().flatten());
                let array: ArrayRef = match kind {
                    Kind::Text => Arc::new(
                        values
                            .map(|v| match v {
                                Some(Value::Text(t)) => Some(t),
                                _ => None,
                            })
                            .collect::<StringArray>(),
                    ),
                    Kind::Float => Arc::new(
                        values
                            .map(|v| match v {
                                Some(Value::Float(t)) => Some(t),
                                _ => None,
                            })
                            .collect::<Float64Array>(),
                    ),
                    Kind::Int => Arc::new(
                        values
                            .map(|v| match v {
                                Some(Value::Int(t)) => Some(t),
                                _ => None,
                            })
                            .collect::<Int64Array>(),
                    ),
                    Kind::Uint => Arc::new(
                        values
                            .map(|v| match v {
                                Some(Value::Uint(t)) => Some(t),
                                _ => None,
                            })
                            .collect::<UInt64Array>(),
                    ),
                    Kind::Bool => Arc::new(
                        values
                            .map(|v| match v {
                                Some(Value::Bool(t)) => Some(t),
                                _ => None,
                            })
                            .collect::<BooleanArray>(),
                    ),
                    Kind::Time => Arc::new(
                        values
                            .map(|v| match v {
                                Some(Value::Int(t)) => Some(t),
                                _ => None,
                            })
                            .collect::<TimestampMicrosecondArray>()
                            .with_timezone("UTC"),
                    ),
                };
                array
            })
            .collect();
        let options = RecordBatchOptions::new().with_row_count(Some(rows.len()));
        RecordBatch::try_new_with_options(self.arrow_schema(), arrays, &options)
            .map_err(|e| asdf_core::Error::mismatch(e.to_string()))
    }
}
fn walk(
    node: asdf_core::NodeRef<'_>,
    path: &str,
    name: &str,
    columns: &mut Vec<(String, String, Kind)>,
    depth: usize,
) {
    if depth > 12 {
        return;
    }
    for (key, value) in node.entries() {
        let Some(key) = key.as_str() else { continue };
        let path = format!("{path}/{}", key.replace('~', "~0").replace('/', "~1"));
        let name = if name.is_empty() { key.to_owned() } else { format!("{name}.{key}") };
        if value.entries().next().is_some() {
            walk(value, &path, &name, columns, depth + 1);
            continue;
        }
        let kind = if value.as_bool().is_some() {
            Kind::Bool
        } else if value.as_i64().is_some() {
            Kind::Int
        } else if value.as_f64().is_some() {
            Kind::Float
        } else {
            Kind::Text
        };
        if !columns.iter().any(|(found, _, _)| *found == name) {
            columns.push((name, path, kind));
        }
    }
}
