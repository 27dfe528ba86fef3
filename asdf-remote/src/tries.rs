//! Repeated requests to web servers.

use std::future::Future;
use std::time::{Duration, Instant};

use asdf_core::{Error, Result};
use http::header::RETRY_AFTER;
use http::{HeaderMap, StatusCode};
use object_store::client::{HttpError, HttpErrorKind};

use crate::client::NotAPart;
use crate::error::{forbidden, network, not_found};
use crate::version::changed;

/// The number of tries.
const TRIES: u32 = 3;

/// Makes a request, and repeats it if that can help. After some time, `patience`, no further try begins.
pub(crate) async fn repeat<T, F>(patience: Duration, mut request: impl FnMut() -> F) -> Result<T>
where
    F: Future<Output = std::result::Result<T, Failed>>,
{
    let begin = Instant::now();
    let mut wait = Duration::from_millis(100);
    let mut number = 1;
    loop {
        let failed = match request().await {
            Err(failed) => failed,
            Ok(found) => return Ok(found),
        };
        let pause = failed.after.unwrap_or(wait).min(patience);
        let is_late = begin.elapsed() + pause > patience;
        if !failed.again || number >= TRIES || is_late {
            return Err(failed.error);
        }
        tokio::time::sleep(pause).await;
        wait *= 4;
        number += 1;
    }
}

/// A try that failed.
pub(crate) struct Failed {
    pub(crate) error: Error,
    /// Whether another try can succeed.
    pub(crate) again: bool,
    /// The time that the server asked for.
    pub(crate) after: Option<Duration>,
}

impl Failed {
    pub(crate) fn last(error: Error) -> Self {
        Self { error, again: false, after: None }
    }

    pub(crate) fn from_http(error: &HttpError) -> Self {
        let mut cause = std::error::Error::source(error);
        while let Some(found) = cause {
            if let Some(what) = found.downcast_ref::<NotAPart>() {
                let error = Error::unsupported(what.to_string());
                return Self::last(error.with_hint("download the file, and read the copy"));
            }
            cause = found.source();
        }
        let again = !matches!(error.kind(), HttpErrorKind::Unknown | HttpErrorKind::Decode);
        Self { error: network("reading", error), again, after: None }
    }

    pub(crate) fn from_status(status: StatusCode, headers: &HeaderMap) -> Self {
        let error = match status {
            StatusCode::NOT_FOUND | StatusCode::GONE => not_found(),
            StatusCode::FORBIDDEN | StatusCode::UNAUTHORIZED => forbidden(),
            StatusCode::PRECONDITION_FAILED => changed(),
            _ => Error::io("reading", std::io::Error::other(format!("the server answered {status}"))),
        };
        let again = status.is_server_error()
            || matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT);
        let after = headers
            .get(RETRY_AFTER)
            .and_then(|seconds| seconds.to_str().ok()?.parse().ok())
            .map(Duration::from_secs);
        Self { error, again, after }
    }
}
