//! `convert_unit(x, from, to)`.

use std::collections::HashMap;
use std::sync::Arc;

use asdf_units::Unit;
use datafusion::arrow::array::Float64Array;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs};

use super::arguments::{number, numbers, text, texts, usage};
use super::file_function::Compute;

const NAME: &str = "convert_unit";

/// Converts numbers from one unit to another.
#[derive(Debug)]
pub(super) struct ConvertUnit;

impl Compute for ConvertUnit {
    fn name(&self) -> &'static str {
        NAME
    }

    fn arguments(&self) -> Vec<DataType> {
        vec![DataType::Float64, DataType::Utf8, DataType::Utf8]
    }

    fn result(&self) -> DataType {
        DataType::Float64
    }

    fn compute(&self, args: &ScalarFunctionArgs) -> Result<ColumnarValue> {
        let rows = args.number_rows;
        let [value, from, to] = args.args.as_slice() else {
            return Err(usage(NAME, "expected three arguments"));
        };
        let (values, from, to) = (numbers(value, rows)?, texts(from, rows)?, texts(to, rows)?);
        let mut factors: HashMap<(&str, &str), f64> = HashMap::new();
        let mut result = Vec::with_capacity(rows);
        for row in 0..rows {
            let (Some(value), Some(from), Some(to)) =
                (number(&values, row), text(&from, row), text(&to, row))
            else {
                result.push(None);
                continue;
            };
            let factor = match factors.get(&(from, to)) {
                Some(factor) => *factor,
                None => {
                    let unit = |text: &str| Unit::parse_lenient(text);
                    let factor = unit(from).convert(1.0, &unit(to)).map_err(|error| usage(NAME, error))?;
                    factors.insert((from, to), factor);
                    factor
                }
            };
            result.push(Some(value * factor));
        }
        Ok(ColumnarValue::Array(Arc::new(Float64Array::from(result))))
    }
}
