//! Writing a file to an object store.

use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::sync::{Arc, mpsc};

use asdf_core::{Error, Result};
use bytes::{Bytes, BytesMut};
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt as _, PutPayload};

use crate::error::from_store;
use crate::runtime;
use crate::unfinished::Unfinished;

/// The bytes of a part. A file has up to 10,000 parts, so it has up to 160 GB.
const PART: usize = 16 << 20;

/// The most parts that are sent at the same time.
const PARALLEL: usize = 4;

/// A new object in a bucket, written from its start to its end.
///
/// Large files are sent in parts of 16 MiB, up to four at the same time, so that memory use is bounded. The object exists,
/// or replaces an older one, when [`finish`](Self::finish) returns. If that is not called, the parts are removed again.
/// A program that a signal ends calls [`abandon_uploads`](crate::abandon_uploads) to remove them. If the process is
/// killed, they stay until the lifecycle rules of the bucket remove them.
pub struct Upload {
    store: Arc<dyn ObjectStore>,
    path: Path,
    url: String,
    buffer: BytesMut,
    /// The upload of parts, once there is more than one.
    parts: Option<Unfinished>,
    /// The results of the parts that are being sent.
    sent: VecDeque<mpsc::Receiver<object_store::Result<()>>>,
}

impl fmt::Debug for Upload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Upload({})", self.url)
    }
}

impl Upload {
    pub(crate) fn new(store: Arc<dyn ObjectStore>, path: Path, url: String) -> Self {
        Self { store, path, url, buffer: BytesMut::new(), parts: None, sent: VecDeque::new() }
    }

    /// Sends the last bytes, and puts the object in place.
    ///
    /// # Errors
    /// Fails with [`Io`](asdf_core::error::Kind::Io) if the store refuses it or the network fails. Nothing is then left
    /// in the bucket.
    pub fn finish(mut self) -> Result<()> {
        self.complete().map_err(|error| error.at_file(&self.url))
    }

    fn complete(&mut self) -> Result<()> {
        let rest = self.buffer.split().freeze();
        if self.parts.is_none() {
            let (store, path) = (self.store.clone(), self.path.clone());
            let put = runtime::wait(async move { store.put(&path, rest.into()).await })?;
            return put.map(drop).map_err(writing);
        }
        if !rest.is_empty() {
            self.send(rest)?;
        }
        self.wait_for(0)?;
        let Some(unfinished) = self.parts.clone() else { return Ok(()) };
        // A signal waits for the end of this step.
        let mut parts = unfinished.parts();
        let Some(mut upload) = parts.upload.take() else { return Ok(()) };
        let (upload, done) = runtime::wait(async move {
            let done = upload.complete().await;
            (upload, done)
        })?;
        // Removed by the destructor.
        parts.upload = done.is_err().then_some(upload);
        done.map(drop).map_err(writing)
    }

    /// Starts to send a part.
    fn send(&mut self, bytes: Bytes) -> Result<()> {
        self.wait_for(PARALLEL - 1)?;
        let unfinished = match &self.parts {
            Some(unfinished) => unfinished,
            None => {
                let (store, path) = (self.store.clone(), self.path.clone());
                let upload = runtime::wait(async move { store.put_multipart(&path).await })?;
                self.parts.insert(Unfinished::new(upload.map_err(writing)?))
            }
        };
        let mut parts = unfinished.parts();
        parts.sent.retain(|part| !part.is_finished());
        let Some(upload) = &mut parts.upload else { return Ok(()) };
        let part = upload.put_part(PutPayload::from(bytes));
        let (sender, receiver) = mpsc::sync_channel(1);
        let task = runtime::spawn(async move {
            let _ = sender.send(part.await);
        })?;
        parts.sent.push(task);
        self.sent.push_back(receiver);
        Ok(())
    }

    /// Waits until at most `most` parts are still being sent.
    fn wait_for(&mut self, most: usize) -> Result<()> {
        while self.sent.len() > most {
            let Some(sent) = self.sent.pop_front() else { break };
            match sent.recv() {
                Ok(done) => done.map_err(writing)?,
                Err(_) => return Err(Error::io("writing", io::Error::other("a thread panicked"))),
            }
        }
        Ok(())
    }
}

fn writing(error: object_store::Error) -> Error {
    let error = from_store(error);
    match error.kind() {
        // The words of a file that is read.
        asdf_core::error::Kind::Malformed | asdf_core::error::Kind::Unsupported => {
            let message = error.message().to_owned();
            Error::io("writing", io::Error::other(message))
        }
        _ => error,
    }
}

impl io::Write for Upload {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(PART - self.buffer.len());
        self.buffer.extend_from_slice(bytes.get(..taken).unwrap_or_default());
        if self.buffer.len() == PART {
            let part = std::mem::take(&mut self.buffer).freeze();
            self.send(part).map_err(|error| io::Error::other(error.at_file(&self.url)))?;
        }
        Ok(taken)
    }

    /// Does nothing: parts are sent when they are full.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Upload {
    fn drop(&mut self) {
        if let Some(parts) = self.parts.take() {
            parts.end();
        }
    }
}
