//! Files of a web server with a directory index.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use crate::files::{EXPOSURES, Folder, failure, rows};

/// Holds the answers of a server back after a number of requests for parts of files, until it is opened.
pub(crate) struct Gate {
    answered: usize,
    requests: AtomicUsize,
    is_open: AtomicBool,
}

impl Gate {
    /// Makes a gate that is closed after a number of requests.
    pub(crate) fn after(requests: usize) -> Arc<Self> {
        Arc::new(Self { answered: requests, requests: AtomicUsize::new(0), is_open: AtomicBool::new(false) })
    }

    /// Makes a gate that is open.
    pub(crate) fn open_always() -> Arc<Self> {
        Self::after(usize::MAX)
    }

    /// The number of requests for parts of files.
    pub(crate) fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }

    /// Whether answers are held back.
    pub(crate) fn holds(&self) -> bool {
        self.requests() > self.answered
    }

    /// Lets all answers through.
    pub(crate) fn open(&self) {
        self.is_open.store(true, Ordering::SeqCst);
    }

    fn pass(&self) {
        let number = self.requests.fetch_add(1, Ordering::SeqCst);
        while number >= self.answered && !self.is_open.load(Ordering::SeqCst) {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Serves the files of a folder, by ranges. Its listing is like that of nginx.
pub(crate) fn serve(folder: PathBuf, gate: Arc<Gate>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (folder, gate) = (folder.clone(), gate.clone());
            std::thread::spawn(move || answer(stream.unwrap(), &folder, &gate));
        }
    });
    format!("http://{address}")
}

fn answer(mut stream: TcpStream, folder: &std::path::Path, gate: &Gate) {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
    while let Some(Ok(request)) = lines.next() {
        let target = request.split(' ').nth(1).unwrap().to_owned();
        let headers: Vec<String> =
            lines.by_ref().map_while(Result::ok).take_while(|line| !line.is_empty()).collect();
        let range = headers
            .iter()
            .find_map(|line| line.to_ascii_lowercase().strip_prefix("range: bytes=").map(str::to_owned));
        let path = folder.join(target.trim_start_matches('/'));
        let (status, more, body) = if path.is_dir() {
            let names = std::fs::read_dir(&path)
                .unwrap()
                .map(|entry| entry.unwrap().file_name().into_string().unwrap());
            let links: String =
                names.map(|name| format!("<a href=\"{name}\">{name}</a> 28-Nov-2026 10:00 7\r\n")).collect();
            let page = format!(
                "<html><head><title>Index of /</title></head><body><h1>Index of /</h1><pre>{links}</pre></body></html>"
            );
            ("200 OK", "Content-Type: text/html\r\n".to_owned(), page.into_bytes())
        } else if let Ok(mut file) = std::fs::File::open(&path) {
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).unwrap();
            match range {
                None => ("200 OK", String::new(), bytes),
                Some(range) => {
                    gate.pass();
                    let (from, to) = range.split_once('-').unwrap();
                    let from: usize = from.parse().unwrap();
                    let to = to.parse::<usize>().unwrap().min(bytes.len() - 1);
                    let header = format!("Content-Range: bytes {from}-{to}/{}\r\n", bytes.len());
                    ("206 Partial Content", header, bytes[from..=to].to_vec())
                }
            }
        } else {
            ("404 Not Found", String::new(), Vec::new())
        };
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Length: {}\r\nAccept-Ranges: bytes\r\n{more}\r\n",
            body.len()
        );
        let body = if request.starts_with("HEAD") { &[][..] } else { &body };
        // The client can have ended.
        if stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body)).is_err() {
            return;
        }
    }
}

#[test]
fn files_of_a_web_server_are_a_table() {
    let folder = Folder::new();
    let url = serve(folder.join("night"), Gate::open_always());
    let count = EXPOSURES / 2;
    assert_eq!(rows(&format!("select count(*) from '{url}/*.asdf'")), [count.to_string()]);
    let query = format!("select count(detector), max(array_max(_file, '/roman/data')) from '{url}/*.asdf'");
    assert_eq!(rows(&query), [format!("{count},43.0")]);
    let query = format!("select _file, number from '{url}/r0004.asdf'");
    assert_eq!(rows(&query), [format!("{url}/r0004.asdf,4")]);
    let (message, code) = failure(&[], &format!("select _file, number from '{url}/nothing.asdf'"));
    assert!(message.contains("nothing.asdf") && !message.contains("Generic"), "{message}");
    assert_eq!(code, 2);
}
