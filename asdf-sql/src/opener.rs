//! Opens the files of a partition, several ahead if their store is slow.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use datafusion::common::runtime::SpawnedTask;
use datafusion::common::{DataFusionError, Result};
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{FileOpenFuture, FileOpener};
use futures_util::StreamExt as _;
use futures_util::stream;
use object_store::ObjectMeta;
use object_store::path::Path;

use crate::reader::{Batches, Reader};

/// Opens the files of a partition.
pub(crate) struct Opener {
    reader: Arc<Reader>,
    ahead: Ahead,
}

/// The files that are opened before they are needed, in the order of the partition.
struct Ahead {
    most: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The files after those that were started.
    rest: VecDeque<ObjectMeta>,
    started: VecDeque<(Path, SpawnedTask<Result<Batches>>)>,
}

impl Opener {
    /// Makes an opener of the files of a partition, up to `most` of which are opened ahead.
    pub(crate) fn new(reader: Reader, files: VecDeque<ObjectMeta>, most: usize) -> Self {
        let state = Mutex::new(State { rest: files, ..State::default() });
        Self { reader: Arc::new(reader), ahead: Ahead { most, state } }
    }

    /// Returns the task that opens a file, if there is one, and starts those of the next files.
    fn take(&self, file: &Path) -> Option<SpawnedTask<Result<Batches>>> {
        let mut state = self.ahead.state.lock().unwrap_or_else(PoisonError::into_inner);
        let at = state.started.iter().position(|(key, _)| key == file);
        // Files before it were skipped.
        let own = at.and_then(|at| state.started.drain(..=at).next_back()).map(|(_, task)| task);
        if own.is_none() {
            let at = state.rest.iter().position(|meta| meta.location == *file);
            if let Some(at) = at {
                state.rest.drain(..=at);
            }
        }
        while state.started.len() < self.ahead.most {
            let Some(meta) = state.rest.pop_front() else { break };
            let key = meta.location.clone();
            let task = SpawnedTask::spawn(self.reader.clone().read(meta));
            state.started.push_back((key, task));
        }
        own
    }
}

impl FileOpener for Opener {
    fn open(&self, file: PartitionedFile) -> Result<FileOpenFuture> {
        // Another engine can split files by bytes. The whole file belongs to its first part.
        if file.range.as_ref().is_some_and(|range| range.start != 0) {
            return Ok(Box::pin(async { Ok(stream::empty().boxed()) }));
        }
        let meta = file.object_meta;
        if self.ahead.most == 0 {
            return Ok(Box::pin(self.reader.clone().read(meta)));
        }
        let own = self.take(&meta.location);
        let reader = self.reader.clone();
        Ok(Box::pin(async move {
            match own {
                Some(task) => task.await.map_err(|error| DataFusionError::External(Box::new(error)))?,
                None => reader.read(meta).await,
            }
        }))
    }
}
