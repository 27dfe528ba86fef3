//! A web server with faults, on loopback.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]
#![allow(clippy::cast_possible_truncation, reason = "the files are small")]

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::ops::Range;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What is wrong with the server. The first path of a URL chooses it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Nothing.
    None,
    /// Each of the first two requests of a range is answered with this status.
    Busy(u16),
    /// All requests are answered with this status.
    Always(u16),
    /// The connection is cut in the middle of the first two responses of each range, or of all.
    Cut(bool),
    /// One byte after the other, with a pause after each.
    Slow,
    /// No answer.
    Silent,
    /// 200 with the whole file.
    Whole,
    /// 200 with the whole file for several ranges.
    WholeForSeveral,
    /// Another ETag after the first response. The second says whether `If-Match` is honoured.
    NewETag(bool),
    /// A file that is one byte shorter after the first response.
    Shorter,
    /// A range that begins one byte later.
    OtherRange,
    /// A range with one byte fewer.
    ShortRange,
    /// A `Content-Range` that is not one.
    BadRange,
    /// Compressed.
    Gzip,
}

/// The server. Its address, and the requests that it had.
pub(crate) struct Server {
    pub(crate) url: String,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Starts a server of one file, which is the last part of every path: `/none/x.asdf`.
    pub(crate) fn start(bytes: Vec<u8>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let file = Arc::new(Served { bytes, requests: requests.clone(), tries: Mutex::default() });
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let file = file.clone();
                std::thread::spawn(move || file.serve(&stream));
            }
        });
        Self { url, requests }
    }

    /// The ranges of the requests so far.
    pub(crate) fn take_requests(&self) -> Vec<String> {
        std::mem::take(&mut *self.requests.lock().unwrap())
    }
}

struct Served {
    bytes: Vec<u8>,
    requests: Arc<Mutex<Vec<String>>>,
    /// How often each range was requested, by path and range.
    tries: Mutex<HashMap<String, u32>>,
}

fn fault(path: &str) -> Fault {
    match path.split('/').nth(1).unwrap_or_default() {
        "busy429" => Fault::Busy(429),
        "busy503" => Fault::Busy(503),
        "always503" => Fault::Always(503),
        "always404" => Fault::Always(404),
        "always403" => Fault::Always(403),
        "cut" => Fault::Cut(false),
        "cut-always" => Fault::Cut(true),
        "slow" => Fault::Slow,
        "silent" => Fault::Silent,
        "whole" => Fault::Whole,
        "whole-for-several" => Fault::WholeForSeveral,
        "new-etag" => Fault::NewETag(true),
        "new-etag-ignored" => Fault::NewETag(false),
        "shorter" => Fault::Shorter,
        "other-range" => Fault::OtherRange,
        "short-range" => Fault::ShortRange,
        "bad-range" => Fault::BadRange,
        "gzip" => Fault::Gzip,
        _ => Fault::None,
    }
}

impl Served {
    /// Answers the requests of a connection.
    fn serve(&self, stream: &TcpStream) -> Option<()> {
        let mut lines = BufReader::new(stream.try_clone().ok()?).lines();
        loop {
            let first = lines.next()?.ok()?;
            let path = first.split(' ').nth(1)?.to_owned();
            let mut headers = HashMap::new();
            loop {
                let line = lines.next()?.ok()?;
                let Some((name, value)) = line.split_once(':') else { break };
                headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
            }
            let range = headers.get("range").cloned().unwrap_or_default();
            self.requests.lock().unwrap().push(range.clone());
            let tries = {
                let mut tries = self.tries.lock().unwrap();
                // A store continues a range where the connection was cut.
                let end = range.rsplit('-').next().unwrap_or_default();
                let tries = tries.entry(format!("{path} {end}")).or_default();
                *tries += 1;
                *tries
            };
            let is_later = !range.starts_with("bytes=0-");
            self.answer(stream, fault(&path), &headers, tries, is_later)?;
        }
    }

    fn answer(
        &self,
        mut stream: &TcpStream,
        fault: Fault,
        headers: &HashMap<String, String>,
        tries: u32,
        is_later: bool,
    ) -> Option<()> {
        let mut size = self.bytes.len() as u64;
        let status = |stream: &mut &TcpStream, code: u16, more: &str| {
            let text = format!("HTTP/1.1 {code} Status\r\nContent-Length: 0\r\n{more}\r\n");
            stream.write_all(text.as_bytes()).ok()
        };
        let mut etag = "\"first\"";
        match fault {
            Fault::Busy(code) if tries <= 2 => return status(&mut stream, code, "Retry-After: 0\r\n"),
            Fault::Always(code) => return status(&mut stream, code, ""),
            Fault::Silent => {
                std::thread::sleep(Duration::from_secs(60));
                return None;
            }
            Fault::NewETag(is_checked) if is_later => {
                etag = "\"second\"";
                if is_checked && headers.get("if-match").is_some_and(|given| given != etag) {
                    return status(&mut stream, 412, "");
                }
            }
            Fault::Shorter if is_later => size -= 1,
            _ => {}
        }
        let ranges = headers.get("range").and_then(|text| text.strip_prefix("bytes=")).unwrap_or("0-");
        let ranges: Vec<Range<u64>> = ranges
            .split(',')
            .map(|range| {
                let (start, last) = range.split_once('-').unwrap();
                let last = last.parse().unwrap_or(u64::MAX - 1);
                start.parse().unwrap()..(last + 1).min(size)
            })
            .collect();
        let bytes = |range: &Range<u64>| &self.bytes[range.start as usize..range.end as usize];
        let common = format!("ETag: {etag}\r\nLast-Modified: Thu, 26 Nov 2026 10:00:00 GMT\r\n");
        let is_whole = fault == Fault::Whole || (fault == Fault::WholeForSeveral && ranges.len() > 1);
        if is_whole || !headers.contains_key("range") {
            write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {size}\r\n{common}\r\n").ok()?;
            if matches!(fault, Fault::Cut(is_always) if is_always || tries <= 2) {
                stream.write_all(&self.bytes[..self.bytes.len() / 2]).ok()?;
                stream.shutdown(std::net::Shutdown::Both).ok()?;
                return None;
            }
            return stream.write_all(&self.bytes).ok();
        }
        if ranges.iter().any(|range| range.start >= size) {
            return status(&mut stream, 416, &format!("Content-Range: bytes */{size}\r\n"));
        }
        if let [range] = ranges.as_slice() {
            let mut range = range.clone();
            match fault {
                Fault::OtherRange if is_later => range = range.start + 1..range.end.min(size - 1) + 1,
                Fault::ShortRange if is_later => range.end -= 1,
                _ => {}
            }
            let (start, last) = (range.start, range.end - 1);
            let named = match fault {
                Fault::BadRange => "bytes x-y/z".to_owned(),
                _ => format!("bytes {start}-{last}/{size}"),
            };
            let body = bytes(&range);
            let coded = if fault == Fault::Gzip { "Content-Encoding: gzip\r\n" } else { "" };
            let length = body.len();
            let head = format!(
                "HTTP/1.1 206 Partial Content\r\nContent-Length: {length}\r\nContent-Range: {named}\r\n{coded}{common}\r\n"
            );
            stream.write_all(head.as_bytes()).ok()?;
            match fault {
                Fault::Cut(is_always) if is_always || tries <= 2 => {
                    stream.write_all(&body[..length / 2]).ok()?;
                    stream.shutdown(std::net::Shutdown::Both).ok()?;
                    return None;
                }
                Fault::Slow => {
                    for byte in body {
                        stream.write_all(&[*byte]).ok()?;
                        std::thread::sleep(Duration::from_millis(20));
                    }
                    return Some(());
                }
                _ => return stream.write_all(body).ok(),
            }
        }
        let mut body = Vec::new();
        for range in &ranges {
            let (start, last) = (range.start, range.end - 1);
            write!(body, "\r\n--MARK\r\nContent-Range: bytes {start}-{last}/{size}\r\n\r\n").unwrap();
            body.extend_from_slice(bytes(range));
        }
        body.extend_from_slice(b"\r\n--MARK--\r\n");
        let length = body.len();
        let head = format!(
            "HTTP/1.1 206 Partial Content\r\nContent-Length: {length}\r\n\
             Content-Type: multipart/byteranges; boundary=MARK\r\n{common}\r\n"
        );
        stream.write_all(head.as_bytes()).ok()?;
        stream.write_all(&body).ok()
    }
}
