//! The uploads of this process that are not finished.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use object_store::MultipartUpload;
use tokio::task::JoinHandle;

use crate::runtime;

/// The uploads that have sent a part.
static UPLOADS: Mutex<Vec<Unfinished>> = Mutex::new(Vec::new());

/// The parts of an upload. Clones share them.
#[derive(Clone)]
pub(crate) struct Unfinished(Arc<Mutex<Parts>>);

impl fmt::Debug for Unfinished {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Unfinished")
    }
}

pub(crate) struct Parts {
    /// `None` at the end.
    pub(crate) upload: Option<Box<dyn MultipartUpload>>,
    /// The parts that are being sent.
    pub(crate) sent: Vec<JoinHandle<()>>,
}

impl Parts {
    /// Removes the parts from the bucket. Those that are still being sent after some time are stopped.
    fn abort(&mut self, patience: Duration) {
        let Some(mut upload) = self.upload.take() else { return };
        let sent = std::mem::take(&mut self.sent);
        // A failure cannot be reported: an error or a signal led here.
        let _ = runtime::wait(async move {
            let stop: Vec<_> = sent.iter().map(JoinHandle::abort_handle).collect();
            // A part that arrives after the end of the upload would stay.
            let arrived = async {
                for part in sent {
                    let _ = part.await;
                }
            };
            if tokio::time::timeout(patience, arrived).await.is_err() {
                stop.iter().for_each(tokio::task::AbortHandle::abort);
            }
            let _ = upload.abort().await;
        });
    }
}

impl Unfinished {
    pub(crate) fn new(upload: Box<dyn MultipartUpload>) -> Self {
        let parts = Parts { upload: Some(upload), sent: Vec::new() };
        let unfinished = Self(Arc::new(Mutex::new(parts)));
        uploads().push(unfinished.clone());
        unfinished
    }

    pub(crate) fn parts(&self) -> MutexGuard<'_, Parts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes the parts from the bucket, if the upload is not finished.
    pub(crate) fn end(&self) {
        self.parts().abort(Duration::from_secs(60));
        // Only now: a signal that comes earlier waits for the step above.
        uploads().retain(|other| !Arc::ptr_eq(&self.0, &other.0));
    }
}

fn uploads() -> MutexGuard<'static, Vec<Unfinished>> {
    UPLOADS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the parts of all unfinished [uploads](crate::Upload) of this process from their buckets, and blocks uploads.
///
/// It is for programs that a signal ends, like [`asdf_core::file::abandon_writes`]. Call it on a thread that waits for
/// signals, not in a signal handler, and end the process afterwards: threads that write to an upload wait forever. It
/// sends a request for each upload, so it can take some seconds.
pub fn abandon_uploads() {
    let uploads = uploads();
    for upload in uploads.iter() {
        let mut parts = upload.parts();
        parts.abort(Duration::from_secs(2));
        std::mem::forget(parts);
    }
    std::mem::forget(uploads);
}
