//! Writing a file to an object store.

use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::sync::Arc;

use asdf_core::{Error, Result};
use bytes::{Bytes, BytesMut};
use object_store::path::Path;
use object_store::{MultipartUpload, ObjectStore, ObjectStoreExt as _, PutPayload};
use tokio::task::JoinHandle;

use crate::error::from_store;
use crate::runtime;

/// The bytes of a part. A file has up to 10,000 parts, so it has up to 160 GB.
const PART: usize = 16 << 20;

/// The most parts that are sent at the same time.
const PARALLEL: usize = 4;

/// A new object in a bucket, written from its start to its end.
///
/// Large files are sent in parts of 16 MiB, up to four at the same time, so that memory use is bounded. The object exists,
/// or replaces an older one, when [`finish`](Self::finish) returns. If that is not called, the parts are removed again.
/// If the process is killed, they stay until the lifecycle rules of the bucket remove them.
pub struct Upload {
    store: Arc<dyn ObjectStore>,
    path: Path,
    url: String,
    buffer: BytesMut,
    /// The upload of parts, once there is more than one.
    parts: Option<Box<dyn MultipartUpload>>,
    sent: VecDeque<JoinHandle<object_store::Result<()>>>,
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
        let Some(mut parts) = self.parts.take() else { return Ok(()) };
        let (parts, done) = runtime::wait(async move {
            let done = parts.complete().await;
            (parts, done)
        })?;
        // Removed by the destructor.
        self.parts = done.is_err().then_some(parts);
        done.map(drop).map_err(writing)
    }

    /// Starts to send a part.
    fn send(&mut self, bytes: Bytes) -> Result<()> {
        self.wait_for(PARALLEL - 1)?;
        let parts = self.parts.take();
        let (store, path) = (self.store.clone(), self.path.clone());
        let (parts, sent) = runtime::wait(async move {
            let mut parts = match parts {
                Some(parts) => parts,
                None => store.put_multipart(&path).await?,
            };
            let sent = tokio::spawn(parts.put_part(PutPayload::from(bytes)));
            Ok((parts, sent))
        })?
        .map_err(writing)?;
        self.parts = Some(parts);
        self.sent.push_back(sent);
        Ok(())
    }

    /// Waits until at most `most` parts are still being sent.
    fn wait_for(&mut self, most: usize) -> Result<()> {
        while self.sent.len() > most {
            let Some(sent) = self.sent.pop_front() else { break };
            match runtime::wait(sent)? {
                Ok(done) => done.map_err(writing)?,
                Err(error) => return Err(Error::io("writing", io::Error::other(error.to_string()))),
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
        let sent = std::mem::take(&mut self.sent);
        let Some(mut parts) = self.parts.take() else { return };
        // A failure cannot be reported. The error that led here is.
        let _ = runtime::wait(async move {
            // A part that arrives after the end of the upload would stay.
            for part in sent {
                let _ = part.await;
            }
            let _ = parts.abort().await;
        });
    }
}
