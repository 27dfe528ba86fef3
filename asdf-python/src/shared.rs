//! A file that its views share.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError};

use asdf_core::{File, NodeId, NodeRef};
use pyo3::prelude::*;
use pyo3::sync::{MutexExt as _, RwLockExt as _};
use pyo3::types::{PyDict, PyWeakrefReference};

use crate::ending::Ending;
use crate::mode::Mode;

/// A file that its views share. A view keeps it open.
///
/// No lock is held while code of Python runs, since that code can use the same file. Threads that have to wait for a lock
/// detach from Python meanwhile.
#[derive(Clone)]
pub(crate) struct Shared(Arc<Inner>);

struct Inner {
    state: RwLock<State>,
    root: NodeId,
    origin: Origin,
    views: Mutex<Views>,
}

struct State {
    file: Arc<File>,
    /// Whether the tree was changed since the file was opened or updated.
    changed: bool,
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
            state: RwLock::new(State { file: Arc::new(file), changed: false }),
            root,
            origin,
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

    /// Returns the file as it is now. Later changes are not in it: they change a copy while this one is in use.
    pub(crate) fn read(&self) -> Arc<File> {
        self.state().file.clone()
    }

    /// Changes the file, and notes that it was changed if the work succeeds. The work must not call Python.
    pub(crate) fn change<T: Send, E: Send>(
        &self,
        work: impl FnOnce(&mut File) -> Result<T, E> + Send,
    ) -> Result<T, E> {
        self.away(|| {
            let mut state = self.state_mut();
            let done = work(Arc::make_mut(&mut state.file))?;
            state.changed = true;
            Ok(done)
        })
    }

    /// Writes the changes to disk, and notes that there are none any more if the work succeeds.
    pub(crate) fn save<E>(&self, work: impl FnOnce(&mut File) -> Result<(), E>) -> Result<(), E> {
        let mut state = self.state_mut();
        // The work replaces the file. Some blocks are memory of Python, which is freed after the lock.
        let kept = state.file.tree().blocks().clone();
        let done = work(Arc::make_mut(&mut state.file));
        if done.is_ok() {
            state.changed = false;
        }
        drop(state);
        drop(kept);
        done
    }

    /// Whether the tree was changed since the file was opened or updated.
    pub(crate) fn is_changed(&self) -> bool {
        self.state().changed
    }

    /// A number that no other open file has.
    pub(crate) fn address(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }

    /// Whether this is the same file.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Does something with a node. The work must not call Python.
    pub(crate) fn with<T: Send>(&self, id: NodeId, work: impl FnOnce(NodeRef<'_>) -> T + Send) -> T {
        self.away(|| work(self.state().file.tree().node(id)))
    }

    /// Does work that can read from the source, without the GIL if that can take long or run code of Python.
    pub(crate) fn away<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        match self.0.origin.slow {
            true => Python::attach(|py| py.detach(work)),
            false => work(),
        }
    }

    /// Returns the view of a node that is in use, or makes one.
    ///
    /// Threads that ask for a node at the same time get the same view.
    pub(crate) fn view<'py>(
        &self,
        py: Python<'py>,
        id: NodeId,
        make: impl FnOnce() -> PyResult<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut dead = self.known(py, id);
        if let Some(view) = upgraded(py, dead.as_ref()) {
            return Ok(view);
        }
        let view = make()?;
        let weak = PyWeakrefReference::new(&view)?.unbind();
        self.remove_dead(py);
        loop {
            let other = {
                let mut views = self.views(py);
                match views.known.get(&id) {
                    // Another thread was faster.
                    Some(other) if !dead.as_ref().is_some_and(|dead| dead.is(other)) => other.clone_ref(py),
                    _ => {
                        let old = views.known.insert(id, weak);
                        drop(views);
                        drop(old);
                        return Ok(view);
                    }
                }
            };
            if let Some(view) = upgraded(py, Some(&other)) {
                return Ok(view);
            }
            dead = Some(other);
        }
    }

    /// Forgets the views that are not in use any more, when there are many.
    ///
    /// Looking at a weak reference can run code of Python: it can become the last owner of the view for a moment.
    fn remove_dead(&self, py: Python<'_>) {
        let known: Vec<(NodeId, Py<PyWeakrefReference>)> = {
            let mut views = self.views(py);
            if views.known.len() < views.full {
                return;
            }
            // Other threads do not begin the same.
            views.full = usize::MAX;
            views.known.iter().map(|(&id, weak)| (id, weak.clone_ref(py))).collect()
        };
        let dead: Vec<_> = known.into_iter().filter(|(_, weak)| upgraded(py, Some(weak)).is_none()).collect();
        let mut removed = Vec::with_capacity(dead.len());
        let mut views = self.views(py);
        for (id, weak) in &dead {
            if views.known.get(id).is_some_and(|known| known.is(weak)) {
                removed.extend(views.known.remove(id));
            }
        }
        views.full = (2 * views.known.len()).max(64);
        drop(views);
        drop(removed);
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

    fn known(&self, py: Python<'_>, id: NodeId) -> Option<Py<PyWeakrefReference>> {
        self.views(py).known.get(&id).map(|weak| weak.clone_ref(py))
    }

    fn views(&self, py: Python<'_>) -> std::sync::MutexGuard<'_, Views> {
        self.0.views.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    fn state(&self) -> RwLockReadGuard<'_, State> {
        let guard = match self.0.state.try_read() {
            Ok(guard) => return guard,
            Err(TryLockError::Poisoned(poisoned)) => return poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => Python::attach(|py| self.0.state.read_py_attached(py)),
        };
        // A panic while the file was changed left it as it was between two changes.
        guard.unwrap_or_else(PoisonError::into_inner)
    }

    fn state_mut(&self) -> RwLockWriteGuard<'_, State> {
        let guard = match self.0.state.try_write() {
            Ok(guard) => return guard,
            Err(TryLockError::Poisoned(poisoned)) => return poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => Python::attach(|py| self.0.state.write_py_attached(py)),
        };
        guard.unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the view of a weak reference, if it is in use.
fn upgraded<'py>(py: Python<'py>, weak: Option<&Py<PyWeakrefReference>>) -> Option<Bound<'py, PyAny>> {
    weak?.bind(py).upgrade()
}
