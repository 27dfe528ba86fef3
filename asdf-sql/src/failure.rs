//! Errors of one library as errors of another.

use asdf_core::Error;
use datafusion::common::DataFusionError;

/// Converts an error of a file or an argument to one of DataFusion.
pub(crate) fn failure(error: Error) -> DataFusionError {
    DataFusionError::External(Box::new(error))
}

/// Converts an error of an object store.
pub(crate) fn of_store(error: object_store::Error) -> Error {
    use object_store::Error as Store;
    match error {
        Store::NotFound { .. } => Error::io("opening", std::io::ErrorKind::NotFound.into()),
        Store::PermissionDenied { .. } | Store::Unauthenticated { .. } => {
            Error::io("opening", std::io::ErrorKind::PermissionDenied.into())
                .with_hint("check the credentials of the process that reads the file")
        }
        Store::Generic { source, store } => match source.downcast::<Error>() {
            Ok(error) => *error,
            Err(source) => {
                let text = root_cause(source.as_ref()).to_string();
                let line = text.lines().next().unwrap_or(store).trim().to_owned();
                Error::io("reading", std::io::Error::other(line))
            }
        },
        error => {
            let text = root_cause(&error).to_string();
            let line = text.lines().next().unwrap_or_default().trim().to_owned();
            Error::io("reading", std::io::Error::other(line))
        }
    }
}

/// Returns the innermost cause, which says what happened.
fn root_cause<'e>(error: &'e (dyn std::error::Error + 'static)) -> &'e (dyn std::error::Error + 'static) {
    let mut cause = error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    cause
}
