//! The findings of the validation of a file as rows.

use std::sync::Arc;

use asdf_core::{Error, File, Result as FileResult};
use asdf_schemas::Report;
use asdf_schemas::validate::{Code, Severity};
use datafusion::arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions, StringArray, UInt32Array};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::Result;

use crate::options::Schemas;
use crate::registry::validator;

/// Validates a file.
///
/// # Errors
/// If the schemas cannot be loaded.
pub(crate) fn validate(schemas: &Schemas, file: &File) -> FileResult<Report> {
    Ok(validator(schemas)?.validate_file(file))
}

/// Validates a file that was opened. A file that cannot be opened has one finding.
///
/// # Errors
/// If the schemas cannot be loaded.
pub(crate) fn report(schemas: &Schemas, file: FileResult<Option<File>>) -> FileResult<Report> {
    let unreadable = |error: &Error| Report::from_error(error, Code::Unreadable);
    match file {
        Ok(Some(file)) => validate(schemas, &file),
        Ok(None) => Ok(unreadable(&Error::missing("the file was not opened"))),
        Err(error) => Ok(unreadable(&error)),
    }
}

/// Makes a row for each violation and warning, with the columns of a schema.
///
/// # Errors
/// If the schema has other columns.
pub(crate) fn batch(name: &str, report: &Report, schema: &SchemaRef) -> Result<RecordBatch> {
    let found: Vec<_> = report.violations().iter().chain(report.warnings()).collect();
    let text = |value: &dyn Fn(&asdf_schemas::Violation) -> Option<String>| -> ArrayRef {
        Arc::new(found.iter().map(|finding| value(finding)).collect::<StringArray>())
    };
    let number = |value: &dyn Fn((u32, u32)) -> u32| -> ArrayRef {
        Arc::new(found.iter().map(|finding| finding.position().map(value)).collect::<UInt32Array>())
    };
    let column = |field: &str| match field {
        "_file" => text(&|_| Some(name.to_owned())),
        "path" => text(&|finding| Some(finding.path().to_string())),
        "line" => number(&|(line, _)| line),
        "column" => number(&|(_, column)| column),
        "code" => text(&|finding| Some(finding.code().id().to_owned())),
        "severity" => text(&|finding| {
            let severity = match finding.severity() {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Note => "note",
            };
            Some(severity.to_owned())
        }),
        "message" => text(&|finding| Some(finding.message().to_owned())),
        _ => text(&|finding| finding.schema().map(str::to_owned)),
    };
    let columns = schema.fields().iter().map(|field| column(field.name())).collect();
    let options = RecordBatchOptions::new().with_row_count(Some(found.len()));
    Ok(RecordBatch::try_new_with_options(schema.clone(), columns, &options)?)
}
