//! The HTTP client of all stores: it counts requests and refuses responses that cannot be parts of a file.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use http::header::{CONTENT_ENCODING, RANGE};
use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpService,
    ReqwestConnector,
};

use crate::stats::Counters;

/// The time for a connection.
const CONNECT: Duration = Duration::from_secs(5);

/// The options of every client: the time for a request with its response, and the name of this program.
///
/// Proxies and certificates are those of the environment.
pub(crate) fn options(timeout: Duration) -> ClientOptions {
    let agent = concat!("asdf-remote/", env!("CARGO_PKG_VERSION"));
    ClientOptions::new()
        .with_connect_timeout(CONNECT.min(timeout))
        .with_timeout(timeout)
        .with_pool_max_idle_per_host(64)
        .with_user_agent(http::HeaderValue::from_static(agent))
        .with_allow_http(true)
}

/// Makes clients that count their requests.
#[derive(Debug, Clone)]
pub(crate) struct Counting(pub(crate) Arc<Counters>);

impl HttpConnector for Counting {
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        let client = ReqwestConnector::default().connect(options)?;
        Ok(HttpClient::new(Service { client, counters: self.0.clone() }))
    }
}

#[derive(Debug)]
struct Service {
    client: HttpClient,
    counters: Arc<Counters>,
}

/// A response that is not the requested part of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotAPart {
    /// The server compressed it.
    Encoded,
}

impl fmt::Display for NotAPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Encoded => {
                f.write_str("the server compresses its responses, so their bytes are not those of the file")
            }
        }
    }
}

impl std::error::Error for NotAPart {}

#[async_trait::async_trait]
impl HttpService for Service {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let is_part = request.headers().contains_key(RANGE);
        self.counters.add_request();
        let response = self.client.execute(request).await?;
        let encoding = response.headers().get(CONTENT_ENCODING);
        let is_encoded = encoding.is_some_and(|found| found != "identity" && !found.is_empty());
        if is_part && response.status().is_success() && is_encoded {
            return Err(HttpError::new(HttpErrorKind::Unknown, NotAPart::Encoded));
        }
        Ok(response)
    }
}
