//! `array_mean`, `array_min`, `array_max` and `array_percentile` of an array in a file.

use std::sync::Arc;

use asdf_core::array::{ReadBudget, Value};
use asdf_core::{Error, File, NdArray, Result as FileResult};
use datafusion::arrow::array::Float64Array;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs};

use super::arguments::{blocking, number, numbers, or_null, text, texts, usage};
use super::file_function::Compute;
use crate::failure::failure;
use crate::object_source::Files;

/// What is computed of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Measure {
    Mean,
    Min,
    Max,
    Percentile,
}

impl Measure {
    pub(super) const ALL: [Self; 4] = [Self::Mean, Self::Min, Self::Max, Self::Percentile];

    fn name(self) -> &'static str {
        match self {
            Self::Mean => "array_mean",
            Self::Min => "array_min",
            Self::Max => "array_max",
            Self::Percentile => "array_percentile",
        }
    }

    /// Computes the measure without NaN and missing elements. Returns `None` if no elements are left.
    fn of(self, array: &NdArray, percent: Option<f64>) -> FileResult<Option<f64>> {
        if let Self::Percentile = self {
            let percent = percent.filter(|percent| (0.0..=100.0).contains(percent));
            let percent = percent.ok_or_else(|| Error::usage("a percentile is between 0 and 100"))?;
            return Ok(array.percentiles(&[percent])?.and_then(|found| found.first().copied()));
        }
        let found = array.statistics()?;
        let float = |value: Option<Value>| value.as_ref().and_then(Value::to_f64);
        Ok(match self {
            Self::Min => float(found.minimum),
            Self::Max => float(found.maximum),
            Self::Mean | Self::Percentile => found.mean,
        })
    }
}

/// A function of an array in a file.
#[derive(Debug)]
pub(super) struct OfArray {
    measure: Measure,
    files: Files,
}

impl OfArray {
    pub(super) fn new(measure: Measure, files: Files) -> Self {
        Self { measure, files }
    }

    fn value(&self, name: &str, path: &str, percent: Option<f64>) -> FileResult<Option<f64>> {
        let measured = self.files.open(name).and_then(|file| {
            let array = array(&file, path)?;
            ReadBudget::of(file.tree()).take(&array)?;
            self.measure.of(&array, percent).map_err(|error| error.at_path(path))
        });
        Ok(or_null(measured)?.flatten())
    }
}

/// Returns the array at a path: of an array, a quantity or the column of a table.
fn array(file: &File, path: &str) -> FileResult<NdArray> {
    match asdf_tables::Dataset::at(file, path)? {
        asdf_tables::Dataset::Array { array, .. } => Ok(array),
        _ => Err(Error::mismatch("expected an array").at_path(path)),
    }
}

impl Compute for OfArray {
    fn name(&self) -> &'static str {
        self.measure.name()
    }

    fn arguments(&self) -> Vec<DataType> {
        let mut arguments = vec![DataType::Utf8, DataType::Utf8];
        if self.measure == Measure::Percentile {
            arguments.push(DataType::Float64);
        }
        arguments
    }

    fn result(&self) -> DataType {
        DataType::Float64
    }

    fn compute(&self, args: &ScalarFunctionArgs) -> Result<ColumnarValue> {
        let rows = args.number_rows;
        let (names, paths, percents) = match args.args.as_slice() {
            [names, paths] => (names, paths, None),
            [names, paths, percents] => (names, paths, Some(numbers(percents, rows)?)),
            _ => return Err(usage(self.name(), "expected a file and a path")),
        };
        let (names, paths) = (texts(names, rows)?, texts(paths, rows)?);
        let values = blocking(|| {
            (0..rows)
                .map(|row| match (text(&names, row), text(&paths, row)) {
                    (Some(name), Some(path)) => {
                        self.value(name, path, percents.as_ref().and_then(|percents| number(percents, row)))
                    }
                    _ => Ok(None),
                })
                .collect::<FileResult<Vec<Option<f64>>>>()
        });
        Ok(ColumnarValue::Array(Arc::new(Float64Array::from(values.map_err(failure)?))))
    }
}
