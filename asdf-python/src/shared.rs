//! A file that its views share.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError};

use asdf_core::{File, NodeId, NodeRef};
use pyo3::prelude::*;
use pyo3::sync::RwLockExt as _;
use pyo3::types::{PyDict, PyWeakrefReference};

use crate::ending::Ending;
use crate::mode::Mode;

/// A file that its views share. A view keeps it open.
#[derive(Clone)]
pub(crate) struct Shared(Arc<Inner>);

struct Inner {
    file: RwLock<File>,
    root: NodeId,
    origin: Origin,
    /// Whether the tree was changed since the file was opened or updated.
    changed: AtomicBool,
    views: Mutex<Views>,
}

/// How a file was opened.
#[derive(Default)]
pub(crate) struct Origin {
    /// Whether changes can be written back.
    pub(crate) mode: Mode,
    /// Whether a read can take long, whatever its size.
    pub(crate) slow: bool,
    /// Ends interrupted work on a file whose reads can take long.
    pub(crate) ending: Ending,
    /// Whether arrays borrow the bytes of the file.
    pub(crate) lends: bool,
    /// The source and the options of `open`.
    pub(crate) opened: Option<(Py<PyAny>, Py<PyDict>)>,
}

/// The views of nodes that are in use, so that a node is the same object each time.
#[derive(Default)]
struct Views {
    known: HashMap<NodeId, Py<PyWeakrefReference>>,
    /// The number of views at which the dead ones are removed.
    full: usize,
}

impl Shared {
    pub(crate) fn new(mut file: File, origin: Origin) -> Self {
        let root = file.tree().root().map(|root| root.id());
        // A file without a tree is an empty mapping. The new node is not part of the tree.
        let root = root.unwrap_or_else(|| file.tree_mut().add_mapping([]));
        Self(Arc::new(Inner {
            file: RwLock::new(file),
            root,
            origin,
            changed: AtomicBool::new(false),
            views: Mutex::default(),
        }))
    }

    /// The node at the top of the tree.
    pub(crate) fn root(&self) -> NodeId {
        self.0.root
    }

    pub(crate) fn origin(&self) -> &Origin {
        &self.0.origin
    }

    /// The file. Do not call Python while it is borrowed: another thread could wait for both.
    ///
    /// A thread that has to wait detaches from Python, because the thread that changes the file may need Python to free
    /// memory.
    pub(crate) fn read(&self) -> RwLockReadGuard<'_, File> {
        let guard = match self.0.file.try_read() {
            Ok(guard) => return guard,
            Err(TryLockError::Poisoned(poisoned)) => return poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => Python::attach(|py| self.0.file.read_py_attached(py)),
        };
        // A panic while the file was changed left it as it was between two changes.
        guard.unwrap_or_else(PoisonError::into_inner)
    }

    /// The file, to be changed. The same rules hold as for [`read`](Self::read).
    pub(crate) fn write(&self) -> RwLockWriteGuard<'_, File> {
        self.0.changed.store(true, Ordering::Relaxed);
        let guard = match self.0.file.try_write() {
            Ok(guard) => return guard,
            Err(TryLockError::Poisoned(poisoned)) => return poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => Python::attach(|py| self.0.file.write_py_attached(py)),
        };
        guard.unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the tree was changed since the file was opened or updated.
    pub(crate) fn is_changed(&self) -> bool {
        self.0.changed.load(Ordering::Relaxed)
    }

    /// Notes that the changes are in the file now.
    pub(crate) fn saved(&self) {
        self.0.changed.store(false, Ordering::Relaxed);
    }

    /// A number that no other open file has.
    pub(crate) fn address(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }

    /// Whether this is the same file.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Does something with a node.
    pub(crate) fn with<T>(&self, id: NodeId, work: impl FnOnce(NodeRef<'_>) -> T) -> T {
        work(self.read().tree().node(id))
    }

    /// Returns the view of a node that is in use, or makes one.
    pub(crate) fn view<'py>(
        &self,
        py: Python<'py>,
        id: NodeId,
        make: impl FnOnce() -> PyResult<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if let Some(view) = self.known(py, id) {
            return Ok(view);
        }
        let view = make()?;
        let weak = PyWeakrefReference::new(&view)?.unbind();
        let mut dead = Vec::new();
        {
            let mut views = self.views();
            if views.known.len() >= views.full {
                // Looking at a weak reference runs no code of Python.
                let gone = views.known.extract_if(|_, weak| weak.bind(py).upgrade().is_none());
                dead.extend(gone.map(|(_, weak)| weak));
                views.full = (2 * views.known.len()).max(64);
            }
            dead.extend(views.known.insert(id, weak));
        }
        // Freed here, since freeing can run code of Python, which can need the lock.
        drop(dead);
        Ok(view)
    }

    /// Finds the JSON Pointer of a node: the first path to it in the order of the text.
    pub(crate) fn path(&self, id: NodeId) -> Option<String> {
        let file = self.read();
        let mut walk = file.tree().root()?.walk();
        while let Some(node) = walk.next() {
            if node.id() == id {
                return Some(walk.path().to_string());
            }
        }
        None
    }

    fn known<'py>(&self, py: Python<'py>, id: NodeId) -> Option<Bound<'py, PyAny>> {
        let weak = self.views().known.get(&id)?.clone_ref(py);
        weak.into_bound(py).upgrade()
    }

    fn views(&self) -> std::sync::MutexGuard<'_, Views> {
        self.0.views.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
