//! A table over the files of a pattern.

use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::Result;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{FileGroup, FileScanConfigBuilder};
use datafusion::datasource::source::DataSourceExec;
use datafusion::datasource::table_schema::TableSchema;
use datafusion::execution::runtime_env::RuntimeEnv;
use datafusion::logical_expr::{Expr, TableType};
use datafusion::physical_plan::ExecutionPlan;
use futures_util::StreamExt as _;
use object_store::{ObjectMeta, ObjectStore};

use crate::contents::Contents;
use crate::failure::failure;
use crate::listing::{list, nothing, stream};
use crate::options::AsdfOptions;
use crate::pack::{PACK, Pack};
use crate::pattern::Pattern;
use crate::problems::Problems;
use crate::source::AsdfSource;
use crate::stores::make;

/// The packs that a partition has at least, if there are more partitions than cores.
const PACKS: usize = 4;

/// The most partitions for each core of the configuration.
const PARTITIONS: usize = 8;

/// Above this number, files are packed while they are listed.
const MANY: usize = 64 * PACK;

/// A table over the files of a pattern. The files are listed when a query is planned.
#[derive(Debug, Clone)]
pub(crate) struct AsdfTable {
    pub(crate) pattern: Pattern,
    pub(crate) contents: Contents,
    pub(crate) options: AsdfOptions,
    pub(crate) schema: SchemaRef,
    pub(crate) problems: Arc<Problems>,
}

impl AsdfTable {
    /// The files, from the object stores of a session.
    pub(crate) async fn files(
        pattern: &Pattern,
        runtime: &RuntimeEnv,
        most: usize,
    ) -> asdf_core::Result<(Vec<ObjectMeta>, Arc<dyn ObjectStore>)> {
        let store = Self::store(pattern, runtime)?;
        Ok((list(pattern, &store, most).await?, store))
    }

    /// The object store of a pattern in a session.
    fn store(pattern: &Pattern, runtime: &RuntimeEnv) -> asdf_core::Result<Arc<dyn ObjectStore>> {
        let url = pattern.store()?;
        Ok(match runtime.object_store(&url) {
            Ok(store) => store,
            // The session belongs to a program that did not register a store for this URL.
            Err(_) => {
                let url: &url::Url = url.as_ref();
                let store = make(&asdf_remote::Remote::new(), url)?;
                runtime.register_object_store(url, store.clone());
                store
            }
        })
    }

    /// Lists all files, and divides them among partitions.
    async fn groups(&self, runtime: &RuntimeEnv, cores: usize) -> asdf_core::Result<Vec<FileGroup>> {
        let store = Self::store(&self.pattern, runtime)?;
        let mut listing = stream(&self.pattern, &store).await?;
        let (mut packs, mut files) = (Vec::new(), Vec::new());
        while let Some(meta) = listing.next().await {
            files.push(meta?);
            if files.len() == MANY {
                packs.extend(files.chunks(PACK).map(Pack::new));
                files.clear();
            }
        }
        // Few files are divided evenly, so that all cores have some.
        let size = match packs.is_empty() {
            true => files.len().div_ceil(cores.max(1) * PACKS).clamp(1, PACK),
            false => PACK,
        };
        packs.extend(files.chunks(size).map(Pack::new));
        if packs.is_empty() {
            return Err(nothing(&self.pattern));
        }
        Ok(divided(packs, cores))
    }
}

/// Divides packs among partitions. Neighbours, which are often alike, are in different ones.
fn divided(packs: Vec<Pack>, cores: usize) -> Vec<FileGroup> {
    let cores = cores.max(1);
    let count = (packs.len() / PACKS).clamp(cores, cores * PARTITIONS).min(packs.len());
    let mut groups = vec![Vec::new(); count];
    for (pack, at) in packs.into_iter().zip((0..count).cycle()) {
        // The first file stands for all of a pack in plans.
        let first = pack.files().next();
        if let (Some(group), Some(mut first)) = (groups.get_mut(at), first) {
            first.size = pack.size();
            group.push(PartitionedFile::new_from_meta(first).with_extension(Arc::new(pack)));
        }
    }
    groups.into_iter().map(FileGroup::new).collect()
}

#[async_trait]
impl TableProvider for AsdfTable {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    async fn scan(
        &self,
        session: &dyn Session,
        projection: Option<&Vec<usize>>,
        _: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let cores = session.config().target_partitions();
        let groups = self.groups(session.runtime_env(), cores).await.map_err(failure)?;
        let source = AsdfSource::new(
            self.contents.clone(),
            self.options.clone(),
            self.problems.clone(),
            TableSchema::from(self.schema.clone()),
        );
        let url = self.pattern.store().map_err(failure)?;
        let config = FileScanConfigBuilder::new(url, Arc::new(source))
            .with_file_groups(groups)
            .with_projection_indices(projection.cloned())?
            .with_limit(limit)
            .build();
        Ok(DataSourceExec::from_data_source(config))
    }
}
