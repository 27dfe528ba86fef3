//! A file on a web server.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use asdf_core::{Error, Result};
use bytes::{Bytes, BytesMut};
use http::header::{CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, ETAG, IF_MATCH, LAST_MODIFIED, RANGE};
use http::{HeaderMap, StatusCode};
use http_body_util::BodyExt as _;
use object_store::client::{HttpClient, HttpRequest, HttpRequestBody, HttpResponse};

use crate::error::without_ranges;
use crate::multipart;
use crate::tries::{self, Failed};
use crate::version::{Part, Version, changed};

/// The largest file that is read whole from a server without range requests.
const WHOLE: u64 = 256 << 20;

/// A file on a web server.
#[derive(Debug)]
pub(crate) struct HttpFile {
    client: HttpClient,
    url: String,
    /// The time after which no further try begins.
    patience: Duration,
    /// Whether the server answers a request of several ranges with one of them or with the whole file.
    is_single: AtomicBool,
}

impl HttpFile {
    pub(crate) fn new(client: HttpClient, url: String, patience: Duration) -> Self {
        Self { client, url, patience, is_single: AtomicBool::new(false) }
    }

    pub(crate) async fn first(&self, count: u64) -> Result<Part> {
        let range = 0..count;
        let (status, headers, bytes) = self.get(std::slice::from_ref(&range), None, WHOLE).await?;
        match status {
            StatusCode::PARTIAL_CONTENT => part(&headers, bytes),
            // An empty file has no ranges.
            StatusCode::RANGE_NOT_SATISFIABLE if text(&headers, CONTENT_RANGE) == Some("bytes */0") => {
                Ok(Part { start: 0, bytes: Bytes::new(), version: version(&headers, 0) })
            }
            StatusCode::RANGE_NOT_SATISFIABLE => Err(without_ranges()),
            _ => Ok(Part { start: 0, version: version(&headers, bytes.len() as u64), bytes }),
        }
    }

    pub(crate) async fn range(&self, range: Range<u64>, known: &Version) -> Result<Part> {
        let most = range.end - range.start;
        let (status, headers, bytes) =
            self.get(std::slice::from_ref(&range), known.strong_etag(), most).await?;
        match status {
            StatusCode::PARTIAL_CONTENT => part(&headers, bytes),
            // The file is shorter now.
            StatusCode::RANGE_NOT_SATISFIABLE => Err(changed()),
            _ => Err(without_ranges()),
        }
    }

    /// Requests several ranges at once. `None` if the server does not return each of them.
    pub(crate) async fn ranges(&self, ranges: &[Range<u64>], known: &Version) -> Result<Option<Vec<Bytes>>> {
        /// The bytes around each part.
        const AROUND: u64 = 1 << 10;
        if self.is_single.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let size = ranges.iter().map(|range| range.end - range.start + AROUND).sum();
        let found = match self.get(ranges, known.strong_etag(), size).await {
            Ok((StatusCode::PARTIAL_CONTENT, headers, bytes)) => {
                known.check(&Version { size: known.size, ..version(&headers, 0) })?;
                let boundary = text(&headers, CONTENT_TYPE).and_then(multipart::boundary);
                boundary.and_then(|boundary| multipart::parts(&bytes, boundary))
            }
            Ok(_) => None,
            // The response can be larger than the ranges, if the server ignores them.
            Err(error) if error.kind() == asdf_core::error::Kind::Unsupported => None,
            Err(error) => return Err(error),
        };
        let found = found.and_then(|parts| {
            let find = |range: &Range<u64>| {
                let mut parts = parts.iter();
                let part = parts.find(|(found, size, _)| found == range && *size == known.size)?;
                Some(part.2.clone())
            };
            ranges.iter().map(find).collect::<Option<Vec<_>>>()
        });
        if found.is_none() {
            self.is_single.store(true, Ordering::Relaxed);
        }
        Ok(found)
    }

    /// Requests ranges, with repetitions, and reads a body of at most `most` bytes.
    async fn get(
        &self,
        ranges: &[Range<u64>],
        etag: Option<&str>,
        most: u64,
    ) -> Result<(StatusCode, HeaderMap, Bytes)> {
        tries::repeat(self.patience, || self.try_once(ranges, etag, most)).await
    }

    async fn try_once(
        &self,
        ranges: &[Range<u64>],
        etag: Option<&str>,
        most: u64,
    ) -> std::result::Result<(StatusCode, HeaderMap, Bytes), Failed> {
        let request = self.request(ranges, etag).map_err(Failed::last)?;
        let response = self.client.execute(request).await.map_err(|error| Failed::from_http(&error))?;
        let status = response.status();
        if !matches!(status, StatusCode::OK | StatusCode::PARTIAL_CONTENT | StatusCode::RANGE_NOT_SATISFIABLE)
        {
            return Err(Failed::from_status(status, response.headers()));
        }
        let (headers, bytes) = body(response, most).await?;
        Ok((status, headers, bytes))
    }

    fn request(&self, ranges: &[Range<u64>], etag: Option<&str>) -> Result<HttpRequest> {
        let list: Vec<String> =
            ranges.iter().map(|range| format!("{}-{}", range.start, range.end.saturating_sub(1))).collect();
        let mut request = http::Request::get(&self.url).header(RANGE, format!("bytes={}", list.join(",")));
        if let Some(etag) = etag {
            request = request.header(IF_MATCH, etag);
        }
        let request = request.body(HttpRequestBody::empty());
        request.map_err(|error| Error::usage(format!("not a URL that can be requested: {error}")))
    }
}

/// Reads the body of a response, which may have at most `most` bytes.
async fn body(response: HttpResponse, most: u64) -> std::result::Result<(HeaderMap, Bytes), Failed> {
    let (parts, mut body) = response.into_parts();
    let declared = text(&parts.headers, CONTENT_LENGTH).and_then(|size| size.parse::<u64>().ok());
    let too_large = || {
        Failed::last(without_ranges().with_message(format!(
            "the server does not support range requests, and its response has more than {most} bytes"
        )))
    };
    if declared.is_some_and(|declared| declared > most) {
        return Err(too_large());
    }
    let mut bytes = BytesMut::with_capacity(usize::try_from(declared.unwrap_or(0)).unwrap_or(0));
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| {
            // The connection was cut: the rest may come with the next try.
            Failed { again: true, ..Failed::from_http(&error) }
        })?;
        let Ok(data) = frame.into_data() else { continue };
        if (bytes.len() + data.len()) as u64 > most {
            return Err(too_large());
        }
        bytes.extend_from_slice(&data);
    }
    if declared.is_some_and(|declared| declared != bytes.len() as u64) {
        let error = std::io::Error::new(std::io::ErrorKind::UnexpectedEof, "the connection was closed early");
        return Err(Failed { error: Error::io("reading", error), again: true, after: None });
    }
    Ok((parts.headers, bytes.freeze()))
}

fn part(headers: &HeaderMap, bytes: Bytes) -> Result<Part> {
    let wrong = || Error::malformed("the server returned other bytes than it was asked for");
    let (range, size) = text(headers, CONTENT_RANGE).and_then(multipart::content_range).ok_or_else(wrong)?;
    if range.end - range.start != bytes.len() as u64 {
        return Err(wrong());
    }
    Ok(Part { start: range.start, version: version(headers, size), bytes })
}

fn version(headers: &HeaderMap, size: u64) -> Version {
    let modified: Option<SystemTime> =
        text(headers, LAST_MODIFIED).and_then(|date| httpdate::parse_http_date(date).ok());
    Version { size, etag: text(headers, ETAG).map(str::to_owned), modified }
}

fn text(headers: &HeaderMap, name: http::HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}
