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
use object_store::{ObjectMeta, ObjectStore};

use crate::contents::Contents;
use crate::failure::failure;
use crate::listing::list;
use crate::options::AsdfOptions;
use crate::pattern::Pattern;
use crate::problems::Problems;
use crate::source::AsdfSource;
use crate::stores::make;

/// The files that a partition has at least, if there are more partitions than cores.
const FILES: usize = 256;

/// The most partitions for each core of the configuration.
const PARTITIONS: usize = 8;

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
        most: Option<usize>,
    ) -> asdf_core::Result<(Vec<ObjectMeta>, Arc<dyn ObjectStore>)> {
        let url = pattern.store()?;
        let store = match runtime.object_store(&url) {
            Ok(store) => store,
            // The session belongs to a program that did not register a store for this URL.
            Err(_) => {
                let url: &url::Url = url.as_ref();
                let store = make(&asdf_remote::Remote::new(), url)?;
                runtime.register_object_store(url, store.clone());
                store
            }
        };
        Ok((list(pattern, &store, most).await?, store))
    }
}

/// Divides files among partitions. Neighbours, which are often alike, are in different ones.
fn groups(files: Vec<ObjectMeta>, cores: usize) -> Vec<FileGroup> {
    let count = (files.len() / FILES).clamp(cores.max(1), cores.max(1) * PARTITIONS).min(files.len().max(1));
    let mut groups = vec![Vec::new(); count];
    for (meta, at) in files.into_iter().zip((0..count).cycle()) {
        if let Some(group) = groups.get_mut(at) {
            group.push(PartitionedFile::new_from_meta(meta));
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
        let files = Self::files(&self.pattern, session.runtime_env(), None).await;
        let (files, _) = files.map_err(failure)?;
        let source = AsdfSource::new(
            self.contents.clone(),
            self.options.clone(),
            self.problems.clone(),
            TableSchema::from(self.schema.clone()),
        );
        let url = self.pattern.store().map_err(failure)?;
        let config = FileScanConfigBuilder::new(url, Arc::new(source))
            .with_file_groups(groups(files, session.config().target_partitions()))
            .with_projection_indices(projection.cloned())?
            .with_limit(limit)
            .build();
        Ok(DataSourceExec::from_data_source(config))
    }
}
