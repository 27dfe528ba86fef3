//! Opens the packs of files of a partition.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{FileOpenFuture, FileOpener};
use futures_util::StreamExt as _;
use futures_util::stream;

use crate::pack::Pack;
use crate::reader::Reader;

/// Opens the packs of a partition.
pub(crate) struct Opener(Arc<Reader>);

impl Opener {
    pub(crate) fn new(reader: Reader) -> Self {
        Self(Arc::new(reader))
    }
}

impl FileOpener for Opener {
    fn open(&self, file: PartitionedFile) -> Result<FileOpenFuture> {
        let reader = self.0.clone();
        // Another engine can split files by bytes. The whole file belongs to its first part.
        if file.range.as_ref().is_some_and(|range| range.start != 0) {
            return Ok(Box::pin(async { Ok(stream::empty().boxed()) }));
        }
        let files = match file.extension::<Arc<Pack>>() {
            Some(pack) => pack.files().collect(),
            None => vec![file.object_meta],
        };
        Ok(Box::pin(async move { Ok(reader.read(files)) }))
    }
}
