//! The arguments of functions, and errors about them: a file without the value gives null.

use asdf_core::error::Kind;
use asdf_core::{Error, Result};
use datafusion::arrow::array::{Array as _, Float64Array, StringArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result as QueryResult;
use datafusion::common::cast::{as_float64_array, as_string_array};
use datafusion::logical_expr::ColumnarValue;

use crate::failure::failure;

/// Returns the value, or `None` if the file is not readable or does not have it.
///
/// # Errors
/// If the arguments are wrong.
pub(super) fn or_null<T>(result: Result<T>) -> Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.kind() == Kind::Usage => Err(error),
        Err(_) => Ok(None),
    }
}

/// Runs work that can block this thread, so that other tasks of a runtime continue on others.
pub(super) fn blocking<T>(work: impl FnOnce() -> T) -> T {
    use tokio::runtime::{Handle, RuntimeFlavor};
    match Handle::try_current().map(|handle| handle.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => tokio::task::block_in_place(work),
        _ => work(),
    }
}

/// Returns an argument as texts.
///
/// # Errors
/// If it is not text.
pub(super) fn texts(value: &ColumnarValue, rows: usize) -> QueryResult<StringArray> {
    let array = cast(&value.to_array(rows)?, &DataType::Utf8)?;
    Ok(as_string_array(&array)?.clone())
}

/// Returns an argument as numbers.
///
/// # Errors
/// If it is not a number.
pub(super) fn numbers(value: &ColumnarValue, rows: usize) -> QueryResult<Float64Array> {
    let array = cast(&value.to_array(rows)?, &DataType::Float64)?;
    Ok(as_float64_array(&array)?.clone())
}

/// The text of a row, unless it is null.
pub(super) fn text(array: &StringArray, row: usize) -> Option<&str> {
    (row < array.len() && array.is_valid(row)).then(|| array.value(row))
}

/// The number of a row, unless it is null.
pub(super) fn number(array: &Float64Array, row: usize) -> Option<f64> {
    (row < array.len() && array.is_valid(row)).then(|| array.value(row))
}

/// Converts an error of an argument.
pub(super) fn usage(function: &str, message: impl std::fmt::Display) -> datafusion::common::DataFusionError {
    failure(Error::usage(format!("{function}: {message}")))
}
