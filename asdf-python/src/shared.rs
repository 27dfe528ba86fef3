//! A file that its views share.

use std::sync::{Arc, RwLock, RwLockReadGuard};

use asdf_core::{File, NodeId, NodeRef};

/// A file that its views share. A view keeps it open.
#[derive(Clone)]
pub(crate) struct Shared(Arc<RwLock<File>>);

impl Shared {
    pub(crate) fn new(file: File) -> Self {
        Self(Arc::new(RwLock::new(file)))
    }

    /// The file. Do not call Python while it is borrowed: another thread could wait for both.
    pub(crate) fn read(&self) -> RwLockReadGuard<'_, File> {
        // A panic while the file was changed left it as it was between two changes.
        self.0.read().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Whether this is the same file.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Does something with a node.
    pub(crate) fn with<T>(&self, id: NodeId, work: impl FnOnce(NodeRef<'_>) -> T) -> T {
        work(self.read().tree().node(id))
    }
}
