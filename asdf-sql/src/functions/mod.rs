//! Functions of values and of arrays in files.

mod arguments;
mod array;
mod file_function;
mod sky;
mod units;

use std::any::Any;
use std::sync::Arc;

use datafusion::logical_expr::ScalarUDF;

use crate::object_source::Files;
use array::{Measure, OfArray};
use file_function::FileFunction;
use sky::{Contains, Sky};
use units::ConvertUnit;

/// Returns all functions, which open files in these stores.
pub(crate) fn functions(files: &Files) -> Vec<Arc<ScalarUDF>> {
    let mut all = vec![
        FileFunction::new(ConvertUnit),
        FileFunction::new(Sky::new(files.clone())),
        FileFunction::new(Contains::new(files.clone())),
    ];
    all.extend(Measure::ALL.map(|measure| FileFunction::new(OfArray::new(measure, files.clone()))));
    all.into_iter().map(|function| Arc::new(ScalarUDF::from(function))).collect()
}

/// Whether a function is one of ours.
pub(crate) fn is_own(function: &ScalarUDF) -> bool {
    let function: &dyn Any = function.inner().as_ref();
    function.is::<FileFunction>()
}

/// Returns a function by its name.
pub(crate) fn function(name: &str, files: &Files) -> Option<Arc<ScalarUDF>> {
    functions(files).into_iter().find(|function| function.name() == name)
}
