//! Errors of stores and servers in the words of this project.

use std::error::Error as StdError;
use std::io;

use asdf_core::Error;
use asdf_core::error::Hint;
use object_store::client::{HttpError, HttpErrorKind};

use crate::client::NotAPart;
use crate::version::changed;

/// The error of a file that does not exist.
pub(crate) fn not_found() -> Error {
    Error::io("opening", io::ErrorKind::NotFound.into())
}

/// The error of a request without permission.
pub(crate) fn forbidden() -> Error {
    Error::io("opening", io::ErrorKind::PermissionDenied.into()).with_hint(Hint::Named {
        name: "asdf-remote/credentials",
        text: "check the credentials, or whether the file exists: some stores do not tell the difference"
            .into(),
    })
}

/// Converts an error of a store, with a hint where one helps. An error that a store has from this project stays as it is.
#[must_use]
pub fn from_store(error: object_store::Error) -> Error {
    use object_store::Error as Store;
    let error = match error {
        Store::Generic { store, source } => match source.downcast::<Error>() {
            Ok(own) => return *own,
            Err(source) => Store::Generic { store, source },
        },
        error => error,
    };
    match &error {
        Store::NotFound { .. } => return not_found(),
        Store::PermissionDenied { .. } | Store::Unauthenticated { .. } => return forbidden(),
        Store::Precondition { .. } => return changed(),
        _ => {}
    }
    let text = root_cause(&error).to_string();
    if find::<NotAPart>(&error).is_some() {
        return Error::unsupported(text).with_hint("download the file, and read the copy");
    }
    // The types of these errors are private.
    if text.starts_with("Received non-partial response") {
        return without_ranges();
    }
    // A listing that is refused.
    if ["401", "403"]
        .iter()
        .any(|code| text.starts_with(&format!("Server returned non-2xx status code: {code}")))
    {
        return forbidden();
    }
    if text.starts_with("Requested ") || text.contains("CONTENT_RANGE") || text.contains("Content-Range") {
        return Error::malformed("the server returned other bytes than it was asked for").with_source(error);
    }
    network("reading", &error)
}

/// The error of a server that ignores the range of a request.
pub(crate) fn without_ranges() -> Error {
    Error::unsupported("the server does not support range requests")
        .with_hint("download the file, and read the copy")
}

/// The error of a request without a usable response.
pub(crate) fn network(doing: &str, error: &(dyn StdError + 'static)) -> Error {
    let kind = match find::<HttpError>(error).map(HttpError::kind) {
        Some(HttpErrorKind::Timeout) => io::ErrorKind::TimedOut,
        Some(HttpErrorKind::Connect) => io::ErrorKind::NotConnected,
        _ => io::ErrorKind::Other,
    };
    let text = root_cause(error).to_string();
    let text = text.lines().next().unwrap_or_default().trim().to_owned();
    Error::io(doing, io::Error::new(kind, text))
}

/// The innermost cause, which says what happened.
fn root_cause<'e>(error: &'e (dyn StdError + 'static)) -> &'e (dyn StdError + 'static) {
    let mut cause = error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    cause
}

/// The first cause of a type.
fn find<'e, T: StdError + 'static>(error: &'e (dyn StdError + 'static)) -> Option<&'e T> {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if let Some(found) = error.downcast_ref::<T>() {
            return Some(found);
        }
        cause = error.source();
    }
    None
}
