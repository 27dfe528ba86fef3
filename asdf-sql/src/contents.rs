//! What a table has of each file: values of its tree, rows of a table in it, findings or blocks.

use std::sync::Arc;

use asdf_tables::catalog::Layout;
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use serde::{Deserialize, Serialize};

/// The column with the name of a file.
pub(crate) const FILE: &str = "_file";

/// What a table has of each file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) enum Contents {
    /// One row with values of its tree.
    Files(Layout),
    /// The rows of the table or array at a path.
    Rows(String),
    /// A row for each finding of the validation.
    Violations,
    /// A row for each block.
    Blocks,
}

impl Contents {
    /// The columns, if they do not depend on the files.
    pub(crate) fn schema(&self) -> Option<SchemaRef> {
        match self {
            Self::Files(layout) => Some(layout.arrow_schema(false)),
            Self::Rows(_) => None,
            Self::Violations => Some(violations()),
            Self::Blocks => Some(blocks()),
        }
    }

    /// The word for a table in plans and messages.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Files(_) => "files",
            Self::Rows(_) => "rows",
            Self::Violations => "violations",
            Self::Blocks => "blocks",
        }
    }
}

fn violations() -> SchemaRef {
    Arc::new(Schema::new(vec![
        Field::new(FILE, DataType::Utf8, false),
        Field::new("path", DataType::Utf8, true),
        Field::new("line", DataType::UInt32, true),
        Field::new("column", DataType::UInt32, true),
        Field::new("code", DataType::Utf8, false),
        Field::new("severity", DataType::Utf8, false),
        Field::new("message", DataType::Utf8, false),
        Field::new("schema", DataType::Utf8, true),
    ]))
}

fn blocks() -> SchemaRef {
    Arc::new(Schema::new(vec![
        Field::new(FILE, DataType::Utf8, false),
        Field::new("block", DataType::UInt64, false),
        Field::new("offset", DataType::UInt64, false),
        Field::new("header_size", DataType::UInt64, false),
        Field::new("compression", DataType::Utf8, true),
        Field::new("allocated_size", DataType::UInt64, false),
        Field::new("used_size", DataType::UInt64, false),
        Field::new("data_size", DataType::UInt64, false),
        Field::new("streamed", DataType::Boolean, false),
        Field::new("checksum", DataType::Utf8, true),
    ]))
}
