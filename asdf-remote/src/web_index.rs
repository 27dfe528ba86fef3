//! The directory indexes of nginx and Apache.

use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

use asdf_core::{Error, Result};
use http::StatusCode;
use http_body_util::BodyExt as _;
use object_store::client::{HttpClient, HttpRequestBody};
use url::Url;

use crate::address::Address;
use crate::entry::Entry;
use crate::runtime;
use crate::tries::{self, Failed};

/// The largest index that is read.
const LARGEST: usize = 64 << 20;

/// The deepest folder below the first.
const DEEPEST: usize = 32;

/// The files of a folder of a web server and of those below, folder by folder.
pub(crate) struct WebIndex {
    client: HttpClient,
    /// The time after which a request is not repeated.
    patience: Duration,
    /// The folders that are not read yet, with their depths.
    folders: VecDeque<(Address, usize)>,
    files: VecDeque<(String, Entry)>,
}

impl WebIndex {
    pub(crate) fn new(client: HttpClient, patience: Duration, folder: Address) -> Self {
        Self { client, patience, folders: VecDeque::from([(folder, 0)]), files: VecDeque::new() }
    }

    fn read(&mut self, folder: &Address, depth: usize) -> Result<()> {
        let (client, url, patience) = (self.client.clone(), folder.url(), self.patience);
        let page = runtime::wait(async move { tries::repeat(patience, || page(&client, &url)).await })??;
        let base = Url::parse(&folder.url()).map_err(|_| Error::usage("not a URL"))?;
        let mut below = Vec::new();
        for url in links(&page, &base) {
            let address = Address::parse(url.as_str())?;
            if address.key.ends_with('/') {
                below.push((address, depth + 1));
                continue;
            }
            let key = decoded(&url);
            self.files.push_back((key, Entry { url: address.url(), size: None, modified: None }));
        }
        if depth < DEEPEST {
            // The folders of this one come before others.
            below.into_iter().rev().for_each(|folder| self.folders.push_front(folder));
        }
        Ok(())
    }
}

/// The path of a URL, without percent encoding and without the first `/`.
fn decoded(url: &Url) -> String {
    let path = url.path().trim_start_matches('/');
    crate::address::percent_decode(path).unwrap_or_else(|| path.to_owned())
}

impl Iterator for WebIndex {
    type Item = Result<(String, Entry)>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(file) = self.files.pop_front() {
                return Some(Ok(file));
            }
            let (folder, depth) = self.folders.pop_front()?;
            if let Err(error) = self.read(&folder, depth) {
                return Some(Err(error.at_file(folder.url())));
            }
        }
    }
}

/// Requests a page of HTML.
async fn page(client: &HttpClient, url: &str) -> std::result::Result<String, Failed> {
    let request = http::Request::get(url).body(HttpRequestBody::empty());
    let request = request
        .map_err(|error| Failed::last(Error::usage(format!("not a URL that can be requested: {error}"))))?;
    let response = client.execute(request).await.map_err(|error| Failed::from_http(&error))?;
    let status = response.status();
    let failed = Failed::from_status(status, response.headers());
    match status {
        StatusCode::OK => {}
        StatusCode::NOT_FOUND | StatusCode::UNAUTHORIZED => return Err(failed),
        _ if failed.again => return Err(failed),
        status => return Err(Failed::last(no_listing(&format!("the server answered {status}")))),
    }
    let mut body = response.into_body();
    let mut page = Vec::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| Failed { again: true, ..Failed::from_http(&error) })?;
        let Ok(data) = frame.into_data() else { continue };
        if page.len() + data.len() > LARGEST {
            let error = Error::limit(format!("the directory index has more than {LARGEST} bytes"));
            return Err(Failed::last(error));
        }
        page.extend_from_slice(&data);
    }
    let page = String::from_utf8_lossy(&page).into_owned();
    // nginx and Apache use this title.
    match page.contains("Index of") {
        true => Ok(page),
        false => Err(Failed::last(no_listing("the page is not a directory index"))),
    }
}

fn no_listing(why: &str) -> Error {
    Error::unsupported(format!("a web server has no listing of its files: {why}"))
        .with_hint("name the files one by one")
}

/// The links of an index to what is directly in its folder, each once, in the order of the page.
fn links(page: &str, base: &Url) -> Vec<Url> {
    let mut met = BTreeSet::new();
    let hrefs = page.split("href=").skip(1).filter_map(|rest| {
        let quote = rest.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        rest.get(1..)?.split(quote).next()
    });
    let mut found = Vec::new();
    for href in hrefs {
        let href = href.replace("&amp;", "&");
        // Links with a query sort the page.
        if href.contains(['?', '#']) {
            continue;
        }
        let Ok(url) = base.join(&href) else { continue };
        let inside = url.as_str().strip_prefix(base.as_str()).unwrap_or_default();
        let name = inside.strip_suffix('/').unwrap_or(inside);
        if !name.is_empty() && !name.contains('/') && met.insert(url.clone()) {
            found.push(url);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_links_of_nginx_and_apache_are_found() {
        let nginx = "<html><head><title>Index of /l2/</title></head><body><h1>Index of /l2/</h1><hr><pre>\
            <a href=\"../\">../</a>\n<a href=\"sub/\">sub/</a> 26-Nov-2026 -\n\
            <a href=\"a%20b.asdf\">a b.asdf</a> 26-Nov-2026 93\n<a href=\"https://other/c.asdf\">c</a></pre>";
        let apache = "<title>Index of /l2</title><a href=\"?C=N;O=D\">Name</a><a href='/'>Parent</a>\
            <a href=\"/l2/x&amp;y.asdf\">x</a><a href=\"x&amp;y.asdf\">x</a><a href=\"./z.fits\">z</a>";
        let base = Url::parse("http://host:80/l2/").unwrap();
        let names = |page| links(page, &base).iter().map(|url| url.path().to_owned()).collect::<Vec<_>>();
        assert_eq!(names(nginx), ["/l2/sub/", "/l2/a%20b.asdf"]);
        assert_eq!(names(apache), ["/l2/x&y.asdf", "/l2/z.fits"]);
    }
}
