//! `sky(file, x, y)` and `contains(file, ra, dec)`, by the world coordinates of a file.

use std::sync::Arc;

use asdf_core::Result as FileResult;
use asdf_gwcs::Wcs;
use datafusion::arrow::array::{ArrayRef, BooleanArray, Float64Array, StructArray};
use datafusion::arrow::buffer::NullBuffer;
use datafusion::arrow::datatypes::{DataType, Field, Fields};
use datafusion::common::Result;
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs};

use super::arguments::{blocking, number, numbers, or_null, text, texts, usage};
use super::file_function::Compute;
use crate::failure::failure;
use crate::object_source::Files;

/// The coordinates of a pixel, as far as there are any.
type Position = (Option<f64>, Option<f64>);

/// The position on the sky of a pixel.
#[derive(Debug)]
pub(super) struct Sky {
    files: Files,
}

/// Whether a position on the sky is in the image of a file.
#[derive(Debug)]
pub(super) struct Contains {
    files: Files,
}

fn arguments() -> Vec<DataType> {
    vec![DataType::Utf8, DataType::Float64, DataType::Float64]
}

impl Sky {
    pub(super) fn new(files: Files) -> Self {
        Self { files }
    }

    fn fields() -> Fields {
        Fields::from(["ra", "dec"].map(|name| Field::new(name, DataType::Float64, true)).to_vec())
    }
}

impl Contains {
    pub(super) fn new(files: Files) -> Self {
        Self { files }
    }
}

/// Evaluates a function of the world coordinates of a file for each row. Null if a file has no or several of them.
fn evaluate<T>(
    files: &Files,
    args: &ScalarFunctionArgs,
    function: &str,
    value: impl Fn(&Wcs, f64, f64) -> FileResult<T>,
) -> Result<Vec<Option<T>>> {
    let rows = args.number_rows;
    let [names, first, second] = args.args.as_slice() else {
        return Err(usage(function, "expected a file and two numbers"));
    };
    let (names, first, second) = (texts(names, rows)?, numbers(first, rows)?, numbers(second, rows)?);
    let values = blocking(|| {
        // Rows of one file often follow each other.
        let mut last: Option<(&str, Option<Wcs>)> = None;
        let mut values = Vec::with_capacity(rows);
        for row in 0..rows {
            let (Some(name), Some(first), Some(second)) =
                (text(&names, row), number(&first, row), number(&second, row))
            else {
                values.push(None);
                continue;
            };
            if last.as_ref().is_none_or(|(known, _)| *known != name) {
                let wcs = files.open(name).and_then(|file| Wcs::only(&file));
                last = Some((name, or_null(wcs)?));
            }
            let wcs = last.as_ref().and_then(|(_, wcs)| wcs.as_ref());
            values.push(match wcs {
                Some(wcs) => or_null(value(wcs, first, second))?,
                None => None,
            });
        }
        FileResult::Ok(values)
    });
    values.map_err(failure)
}

impl Compute for Sky {
    fn name(&self) -> &'static str {
        "sky"
    }

    fn arguments(&self) -> Vec<DataType> {
        arguments()
    }

    fn result(&self) -> DataType {
        DataType::Struct(Self::fields())
    }

    fn compute(&self, args: &ScalarFunctionArgs) -> Result<ColumnarValue> {
        let found = evaluate(&self.files, args, self.name(), |wcs, x, y| {
            let world = wcs.pixel_to_world(&[x, y])?;
            Ok((world.first().copied(), world.get(1).copied()))
        })?;
        let part = |part: fn(Position) -> Option<f64>| -> ArrayRef {
            let values = found.iter().map(|found| found.and_then(part).filter(|value| !value.is_nan()));
            Arc::new(values.collect::<Float64Array>())
        };
        let nulls: NullBuffer = found.iter().map(Option::is_some).collect();
        let array = StructArray::try_new(
            Self::fields(),
            vec![part(|found| found.0), part(|found| found.1)],
            Some(nulls),
        )?;
        Ok(ColumnarValue::Array(Arc::new(array)))
    }
}

impl Compute for Contains {
    fn name(&self) -> &'static str {
        "contains"
    }

    fn arguments(&self) -> Vec<DataType> {
        arguments()
    }

    fn result(&self) -> DataType {
        DataType::Boolean
    }

    fn compute(&self, args: &ScalarFunctionArgs) -> Result<ColumnarValue> {
        let found = evaluate(&self.files, args, self.name(), Wcs::contains)?;
        Ok(ColumnarValue::Array(Arc::new(found.into_iter().collect::<BooleanArray>())))
    }
}
