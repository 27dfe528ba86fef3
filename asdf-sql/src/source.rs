//! The source of a scan: which columns of which files are read, and which rows are left out.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use asdf_tables::catalog::{Layout, Own};
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{Result, internal_err};
use datafusion::config::ConfigOptions;
use datafusion::datasource::physical_plan::{FileOpener, FileScanConfig, FileSource};
use datafusion::datasource::table_schema::TableSchema;
use datafusion::execution::object_store::ObjectStoreRegistry;
use datafusion::physical_expr::utils::{collect_columns, reassign_expr_columns};
use datafusion::physical_expr::{DynamicFilterTracking, PhysicalExpr, conjunction, split_conjunction};
use datafusion::physical_expr_common::physical_expr::{fmt_sql, is_volatile};
use datafusion::physical_plan::filter_pushdown::{FilterPushdownPropagation, PushedDown};
use datafusion::physical_plan::metrics::ExecutionPlanMetricsSet;
use datafusion::physical_plan::projection::ProjectionExprs;
use datafusion::physical_plan::{DisplayFormatType, apply_expression_roots};
use datafusion_datasource::projection::{ProjectionOpener, SplitProjection};
use object_store::ObjectStore;

use crate::contents::Contents;
use crate::failure::failure;
use crate::object_source::Files;
use crate::opener::Opener;
use crate::options::AsdfOptions;
use crate::pack::PACK;
use crate::problems::Problems;
use crate::reader::Reader;

/// The files of a slow store that each partition reads at the same time.
const PARALLEL: usize = 64;

/// The source of a scan.
#[derive(Clone)]
pub(crate) struct AsdfSource {
    contents: Contents,
    options: AsdfOptions,
    problems: Arc<Problems>,
    schema: TableSchema,
    projection: SplitProjection,
    /// Rows for which it is not true are left out. Its columns are those of the table.
    filter: Option<Arc<dyn PhysicalExpr>>,
    metrics: ExecutionPlanMetricsSet,
}

impl AsdfSource {
    pub(crate) fn new(
        contents: Contents,
        options: AsdfOptions,
        problems: Arc<Problems>,
        schema: TableSchema,
    ) -> Self {
        let projection = SplitProjection::unprojected(&schema);
        let metrics = ExecutionPlanMetricsSet::new();
        Self { contents, options, problems, schema, projection, filter: None, metrics }
    }

    pub(crate) fn with_filter(mut self, filter: Option<Arc<dyn PhysicalExpr>>) -> Self {
        self.filter = filter;
        self
    }

    pub(crate) fn contents(&self) -> &Contents {
        &self.contents
    }

    pub(crate) fn options(&self) -> &AsdfOptions {
        &self.options
    }

    /// What is read of each file.
    fn reader(&self, store: Arc<dyn ObjectStore>, config: &FileScanConfig) -> Result<Reader> {
        let table = self.schema.file_schema();
        let has = |own: &Own| table.index_of(own.name()).ok();
        let listed: Vec<usize> = Own::ALL.iter().filter(|own| own.is_listed()).filter_map(has).collect();
        let is_listed = |expr: &Arc<dyn PhysicalExpr>| {
            collect_columns(expr).iter().all(|column| listed.contains(&column.index()))
        };
        let parts = self.filter.iter().flat_map(|filter| split_conjunction(filter)).cloned();
        let (early, late): (Vec<_>, Vec<_>) = parts.partition(is_listed);
        let mut needed: BTreeSet<usize> = self.projection.file_indices.iter().copied().collect();
        needed.extend(late.iter().flat_map(collect_columns).map(|column| column.index()));
        // Problems are those of all values, whichever columns a query has.
        let is_files = matches!(self.contents, Contents::Files(_));
        if is_files && has(&Own::Problems).is_some_and(|problems| needed.contains(&problems)) {
            needed.extend(0..table.fields().len());
        }
        let opens = match &self.contents {
            Contents::Files(_) => !needed.iter().all(|index| listed.contains(index)),
            _ => true,
        };
        let needed: Vec<usize> = needed.into_iter().collect();
        let schema = Arc::new(table.project(&needed)?);
        let at = |index: &usize| needed.binary_search(index).ok();
        let output: Option<Vec<usize>> = self.projection.file_indices.iter().map(at).collect();
        let Some(output) = output else { return internal_err!("a column of the result is not read") };
        let contents = match &self.contents {
            Contents::Files(layout) => Contents::Files(layout.project(&needed).map_err(failure)?),
            other => other.clone(),
        };
        let filter = match late.is_empty() {
            true => None,
            false => Some(reassign_expr_columns(conjunction(late), &schema)?),
        };
        let listed_filter = match early.is_empty() {
            true => None,
            false => {
                let layout = Layout::new([]).map_err(failure)?;
                let filter = reassign_expr_columns(conjunction(early), &layout.arrow_schema(false))?;
                Some((layout, filter))
            }
        };
        let url = config.object_store_url.clone();
        let is_local = url.as_str().starts_with("file:");
        let parallel = match &self.contents {
            _ if is_local => 1,
            // A thread for each.
            Contents::Rows(_) | Contents::Blocks => PARALLEL / 4,
            _ => PARALLEL,
        };
        let rows = config.limit.map_or(PACK, |limit| limit.clamp(1, PACK));
        let files = Files::new(Arc::new(One(store.clone())));
        let (options, problems) = (self.options.clone(), self.problems.clone());
        Ok(Reader {
            url,
            store,
            files,
            options,
            problems,
            contents,
            schema,
            listed_filter,
            filter,
            output,
            opens,
            parallel,
            rows,
        })
    }
}

/// A registry with the store of a scan alone.
#[derive(Debug)]
struct One(Arc<dyn ObjectStore>);

impl ObjectStoreRegistry for One {
    fn register_store(&self, _: &url::Url, store: Arc<dyn ObjectStore>) -> Option<Arc<dyn ObjectStore>> {
        Some(store)
    }

    fn get_store(&self, _: &url::Url) -> Result<Arc<dyn ObjectStore>> {
        Ok(self.0.clone())
    }
}

impl FileSource for AsdfSource {
    fn create_file_opener(
        &self,
        store: Arc<dyn ObjectStore>,
        config: &FileScanConfig,
        _: usize,
    ) -> Result<Arc<dyn FileOpener>> {
        let reader = self.reader(store, config)?;
        let opener = Arc::new(Opener::new(reader));
        ProjectionOpener::try_new(self.projection.clone(), opener, self.schema.file_schema())
    }

    fn table_schema(&self) -> &TableSchema {
        &self.schema
    }

    fn with_batch_size(&self, _: usize) -> Arc<dyn FileSource> {
        Arc::new(self.clone())
    }

    fn filter(&self) -> Option<Arc<dyn PhysicalExpr>> {
        self.filter.clone()
    }

    fn projection(&self) -> Option<&ProjectionExprs> {
        Some(&self.projection.source)
    }

    fn metrics(&self) -> &ExecutionPlanMetricsSet {
        &self.metrics
    }

    fn file_type(&self) -> &str {
        "asdf"
    }

    fn fmt_extra(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, ", contents={}", self.contents.name())?;
        match &self.filter {
            Some(filter) => write!(f, ", predicate={}", fmt_sql(filter.as_ref())),
            None => Ok(()),
        }
    }

    /// A part of the bytes of a file is not a file.
    fn supports_repartitioning(&self) -> bool {
        false
    }

    /// Takes all filters that have the same value whenever they are evaluated.
    fn try_pushdown_filters(
        &self,
        filters: Vec<Arc<dyn PhysicalExpr>>,
        _: &ConfigOptions,
    ) -> Result<FilterPushdownPropagation<Arc<dyn FileSource>>> {
        let takes = |filter: &Arc<dyn PhysicalExpr>| {
            !DynamicFilterTracking::classify(filter).contains_dynamic_filter() && !is_volatile(filter)
        };
        let taken = filters.iter().map(|filter| if takes(filter) { PushedDown::Yes } else { PushedDown::No });
        let result = FilterPushdownPropagation::with_parent_pushdown_result(taken.collect());
        let new: Vec<_> =
            self.filter.iter().chain(filters.iter().filter(|filter| takes(filter))).cloned().collect();
        if new.len() == usize::from(self.filter.is_some()) {
            return Ok(result);
        }
        let source = self.clone().with_filter(Some(conjunction(new)));
        Ok(result.with_updated_node(Arc::new(source)))
    }

    fn try_pushdown_projection(&self, projection: &ProjectionExprs) -> Result<Option<Arc<dyn FileSource>>> {
        let merged = self.projection.source.try_merge(projection)?;
        let projection = SplitProjection::new(self.schema.file_schema(), &merged);
        Ok(Some(Arc::new(Self { projection, ..self.clone() })))
    }

    fn apply_expressions(
        &self,
        f: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        let projected = self.projection.source.iter().map(|part| &part.expr);
        apply_expression_roots(projected.chain(&self.filter), f)
    }
}
