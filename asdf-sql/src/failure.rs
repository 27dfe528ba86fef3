//! Errors of one library as errors of another.

use asdf_core::Error;
use datafusion::common::DataFusionError;

/// Converts an error of a file or an argument to one of DataFusion.
pub(crate) fn failure(error: Error) -> DataFusionError {
    DataFusionError::External(Box::new(error))
}
