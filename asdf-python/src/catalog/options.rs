//! The arguments of `catalog`.

use std::path::Path;
use std::sync::Arc;

use asdf_core::{Error, Result};
use asdf_schemas::Validator;
use asdf_tables::Format;
use asdf_tables::catalog::{Field, Layout};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::Failure;
use crate::target::Target;
use crate::validate::validator;

/// The keyword arguments, as `asdfast.catalog` passes them.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Options<'py> {
    fields: Option<Vec<String>>,
    schema: Option<String>,
    table: Option<String>,
    validate: bool,
    /// The options of a validator: blocks, schemas, package and replace_built_in.
    validation: Bound<'py, PyDict>,
    output: Option<Bound<'py, PyAny>>,
    format: Option<String>,
    update: bool,
    overwrite: bool,
    pub(super) csv_safe: bool,
    pub(super) threads: Option<usize>,
    pub(super) progress: Option<Bound<'py, PyAny>>,
    pub(super) storage_options: Option<Bound<'py, PyDict>>,
}

/// The columns that are asked for, and the values of the schemas that have none.
pub(super) type Named = (Layout, Vec<String>);

/// The file that is written.
pub(super) struct Output {
    pub(super) target: Target,
    pub(super) format: Format,
    pub(super) update: bool,
}

impl Options<'_> {
    /// Returns the columns of the options; `None` if they are those of the first files.
    pub(super) fn named(&self, validator: Option<&Arc<Validator>>) -> PyResult<Option<Named>> {
        if self.fields.is_none() && self.schema.is_none() && self.table.is_none() {
            return Ok(None);
        }
        Ok(Some(self.columns(validator).map_err(Failure::from)?))
    }

    fn columns(&self, validator: Option<&Arc<Validator>>) -> Result<Named> {
        let fields = self.fields.iter().flatten().map(|field| field.parse::<Field>());
        let fields = Layout::new(fields.collect::<Result<Vec<Field>>>()?)?;
        let Some(registry) = validator.map(|validator| validator.registry()) else {
            return Ok((fields, Vec::new()));
        };
        match (&self.schema, &self.table) {
            (Some(_), Some(_)) => {
                Err(Error::usage("found both schema and table, expected at most one of them"))
            }
            (Some(tag), None) => Ok((fields.and(Layout::from_schema(registry, tag)?)?, Vec::new())),
            (None, Some(table)) => {
                let (layout, left_out) = Layout::from_table(registry, table)?;
                let texts =
                    left_out.iter().map(|left| format!("{} at {}: {}", left.column, left.path, left.reason));
                Ok((fields.and(layout)?, texts.collect()))
            }
            (None, None) => Ok((fields, Vec::new())),
        }
    }

    /// Returns whether each file is validated.
    pub(super) fn validates(&self) -> bool {
        self.validate
    }

    /// Returns whether the schemas are needed to find the columns.
    pub(super) fn needs_schemas(&self) -> bool {
        self.schema.is_some() || self.table.is_some()
    }

    /// Makes the validator, whose schemas also have the columns.
    pub(super) fn validator(&self, py: Python<'_>) -> PyResult<Arc<Validator>> {
        validator(py, &self.validation)
    }

    /// Returns the file to write, if there is one.
    pub(super) fn output(&self) -> PyResult<Option<Output>> {
        let usage = |error: Error| PyErr::from(Failure::from(error));
        let Some(output) = &self.output else {
            if self.format.is_some() || self.update || self.overwrite || self.csv_safe {
                let error = Error::usage("format, update, overwrite and csv_safe need an output");
                return Err(usage(error.with_hint("pass output=PATH")));
            }
            return Ok(None);
        };
        let target = Target::of(output)?;
        let format = format(self.format.as_deref(), target.path()).map_err(usage)?;
        if self.csv_safe && format != Format::Csv {
            return Err(usage(Error::usage("csv_safe needs the format csv")));
        }
        if self.update && (target.path().is_none() || format != Format::Parquet) {
            let error = Error::usage("update needs the path of a catalogue in Parquet");
            return Err(usage(error.with_hint("pass output=\"FILE.parquet\"")));
        }
        target.check(self.overwrite || self.update).map_err(usage)?;
        Ok(Some(Output { target, format, update: self.update }))
    }
}

/// Returns the format of a catalogue, by its name or the extension of the path.
fn format(name: Option<&str>, path: Option<&Path>) -> Result<Format> {
    let found = match name {
        Some("parquet") => return Ok(Format::Parquet),
        Some("arrow") => return Ok(Format::Arrow),
        Some("csv") => return Ok(Format::Csv),
        Some(other) => {
            let message = format!("found format='{other}', expected 'parquet', 'arrow' or 'csv'");
            return Err(Error::usage(message));
        }
        None => path.and_then(Format::from_path),
    };
    match found {
        Some(format @ (Format::Parquet | Format::Arrow | Format::Csv)) => Ok(format),
        _ => {
            let error = Error::usage("cannot tell the format from the extension of the output");
            let error = match path {
                Some(path) => error.at_file(path),
                None => error,
            };
            Err(error.with_hint("end the name with .parquet, .arrow or .csv, or pass format"))
        }
    }
}
