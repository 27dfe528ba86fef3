//! Tables and scans as bytes, for the processes of a cluster.

use std::any::Any;
use std::sync::Arc;

use asdf_core::Error;
use ballista_core::serde::{BallistaLogicalExtensionCodec, BallistaPhysicalExtensionCodec};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::TableProvider;
use datafusion::common::{DataFusionError, Result, TableReference};
use datafusion::datasource::file_format::FileFormatFactory;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{FileGroup, FileScanConfig, FileScanConfigBuilder};
use datafusion::datasource::source::DataSourceExec;
use datafusion::execution::TaskContext;
use datafusion::execution::object_store::ObjectStoreRegistry;
use datafusion::logical_expr::{Extension, LogicalPlan, ScalarUDF};
use datafusion::physical_plan::ExecutionPlan;
use datafusion_proto::logical_plan::LogicalExtensionCodec;
use datafusion_proto::physical_plan::from_proto::{
    parse_protobuf_file_scan_config, parse_table_schema_from_proto,
};
use datafusion_proto::physical_plan::to_proto::serialize_file_scan_config;
use datafusion_proto::physical_plan::{
    PhysicalExtensionCodec, PhysicalPlanDecodeContext, PhysicalProtoConverterExtension,
};
use datafusion_proto::protobuf::{FileScanExecConf, PhysicalExprNode};
use prost::Message;
use serde::{Deserialize, Serialize};

use crate::contents::Contents;
use crate::failure::failure;
use crate::functions::{function, is_own};
use crate::object_source::Files;
use crate::options::AsdfOptions;
use crate::pack::Pack;
use crate::pattern::Pattern;
use crate::problems::Problems;
use crate::source::AsdfSource;
use crate::table::AsdfTable;

/// The first bytes of a table or scan of ours. No message of Ballista begins so. The number is that of the format.
const MAGIC: &[u8] = b"asdf-sql 1\n";

/// A table without its files: each process that needs them lists them again.
#[derive(Serialize, Deserialize)]
struct TableText {
    pattern: Pattern,
    contents: Contents,
    options: AsdfOptions,
}

/// What is read of each file.
#[derive(Serialize, Deserialize)]
struct SourceText {
    contents: Contents,
    options: AsdfOptions,
}

/// A part of a scan.
#[derive(Clone, PartialEq, Message)]
struct Scan {
    /// A [`SourceText`].
    #[prost(string, tag = "1")]
    source: String,
    #[prost(message, optional, tag = "2")]
    config: Option<FileScanExecConf>,
    #[prost(message, optional, tag = "3")]
    filter: Option<PhysicalExprNode>,
    /// The packs of all partitions, in their order.
    #[prost(message, repeated, tag = "4")]
    packs: Vec<Pack>,
}

/// Encodes tables in logical plans, which a client sends to the scheduler.
#[derive(Debug)]
pub struct AsdfLogicalCodec {
    inner: BallistaLogicalExtensionCodec,
    files: Files,
}

/// Encodes scans in physical plans, which the scheduler sends to executors.
#[derive(Debug)]
pub struct AsdfPhysicalCodec {
    inner: BallistaPhysicalExtensionCodec,
    files: Files,
}

impl AsdfLogicalCodec {
    /// Makes a codec whose functions open files in these object stores.
    #[must_use]
    pub fn new(stores: Arc<dyn ObjectStoreRegistry>) -> Self {
        Self { inner: BallistaLogicalExtensionCodec::default(), files: Files::new(stores) }
    }
}

impl AsdfPhysicalCodec {
    /// Makes a codec whose functions open files in these object stores.
    #[must_use]
    pub fn new(stores: Arc<dyn ObjectStoreRegistry>) -> Self {
        Self { inner: BallistaPhysicalExtensionCodec::default(), files: Files::new(stores) }
    }
}

/// Attaches packs to the files that stand for them.
fn with_packs(groups: &[FileGroup], packs: Vec<Pack>) -> Vec<FileGroup> {
    let mut packs = packs.into_iter();
    let mut with_pack = |file: &PartitionedFile| match packs.next() {
        Some(pack) => file.clone().with_extension(Arc::new(pack)),
        None => file.clone(),
    };
    groups.iter().map(|group| FileGroup::new(group.iter().map(&mut with_pack).collect())).collect()
}

/// Encodes a function of ours, and returns whether it is one.
fn encode_function(function: &ScalarUDF, bytes: &mut Vec<u8>) -> bool {
    // A function of DataFusion can have the same name, so the name is not enough.
    let is_own = is_own(function);
    if is_own {
        bytes.extend_from_slice(MAGIC);
    }
    is_own
}

/// Decodes a function of ours; `None` if it is not one.
fn decode_function(name: &str, bytes: &[u8], files: &Files) -> Option<Arc<ScalarUDF>> {
    function(name, files).filter(|_| bytes == MAGIC)
}

fn damaged(error: impl std::error::Error + Send + Sync + 'static) -> DataFusionError {
    failure(
        Error::malformed("a part of a plan cannot be decoded")
            .with_hint("run the same version of asdf-sql on all machines")
            .with_source(error),
    )
}

impl LogicalExtensionCodec for AsdfLogicalCodec {
    fn try_decode(&self, bytes: &[u8], inputs: &[LogicalPlan], context: &TaskContext) -> Result<Extension> {
        self.inner.try_decode(bytes, inputs, context)
    }

    fn try_encode(&self, node: &Extension, bytes: &mut Vec<u8>) -> Result<()> {
        self.inner.try_encode(node, bytes)
    }

    fn try_decode_table_provider(
        &self,
        bytes: &[u8],
        table: &TableReference,
        schema: SchemaRef,
        context: &TaskContext,
    ) -> Result<Arc<dyn TableProvider>> {
        let Some(text) = bytes.strip_prefix(MAGIC) else {
            return self.inner.try_decode_table_provider(bytes, table, schema, context);
        };
        let TableText { pattern, contents, options } = serde_json::from_slice(text).map_err(damaged)?;
        Ok(Arc::new(AsdfTable {
            pattern,
            contents,
            options,
            schema,
            problems: Arc::new(Problems::default()),
        }))
    }

    fn try_encode_table_provider(
        &self,
        table: &TableReference,
        node: Arc<dyn TableProvider>,
        bytes: &mut Vec<u8>,
    ) -> Result<()> {
        let any: &dyn Any = node.as_ref();
        let Some(own) = any.downcast_ref::<AsdfTable>() else {
            return self.inner.try_encode_table_provider(table, node, bytes);
        };
        bytes.extend_from_slice(MAGIC);
        let AsdfTable { pattern, contents, options, .. } = own.clone();
        serde_json::to_writer(bytes, &TableText { pattern, contents, options }).map_err(damaged)
    }

    fn try_decode_file_format(
        &self,
        bytes: &[u8],
        context: &TaskContext,
    ) -> Result<Arc<dyn FileFormatFactory>> {
        self.inner.try_decode_file_format(bytes, context)
    }

    fn try_encode_file_format(&self, bytes: &mut Vec<u8>, node: Arc<dyn FileFormatFactory>) -> Result<()> {
        self.inner.try_encode_file_format(bytes, node)
    }

    fn try_encode_udf(&self, node: &ScalarUDF, bytes: &mut Vec<u8>) -> Result<()> {
        match encode_function(node, bytes) {
            true => Ok(()),
            false => self.inner.try_encode_udf(node, bytes),
        }
    }

    fn try_decode_udf(&self, name: &str, bytes: &[u8]) -> Result<Arc<ScalarUDF>> {
        match decode_function(name, bytes, &self.files) {
            Some(own) => Ok(own),
            None => self.inner.try_decode_udf(name, bytes),
        }
    }
}

impl PhysicalExtensionCodec for AsdfPhysicalCodec {
    fn try_decode(
        &self,
        bytes: &[u8],
        inputs: &[Arc<dyn ExecutionPlan>],
        context: &TaskContext,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let Some(message) = bytes.strip_prefix(MAGIC) else {
            return self.inner.try_decode(bytes, inputs, context, converter);
        };
        let scan = Scan::decode(message).map_err(damaged)?;
        let SourceText { contents, options } = serde_json::from_str(&scan.source).map_err(damaged)?;
        let config = scan.config.unwrap_or_default();
        let schema = parse_table_schema_from_proto(&config)?;
        let decoding = PhysicalPlanDecodeContext::new(context, self);
        let filter = match &scan.filter {
            Some(filter) => {
                Some(converter.proto_to_physical_expr(filter, schema.table_schema(), &decoding)?)
            }
            None => None,
        };
        let source =
            AsdfSource::new(contents, options, Arc::new(Problems::of_task()), schema).with_filter(filter);
        let config = parse_protobuf_file_scan_config(&config, &decoding, converter, Arc::new(source))?;
        let groups = with_packs(&config.file_groups, scan.packs);
        let config = FileScanConfigBuilder::from(config).with_file_groups(groups).build();
        Ok(DataSourceExec::from_data_source(config))
    }

    fn try_encode(
        &self,
        node: Arc<dyn ExecutionPlan>,
        bytes: &mut Vec<u8>,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<()> {
        let scan = node.downcast_ref::<DataSourceExec>();
        let config = scan.and_then(|scan| scan.data_source().downcast_ref::<FileScanConfig>());
        let own =
            config.and_then(|config| Some((config, config.file_source().downcast_ref::<AsdfSource>()?)));
        let Some((config, source)) = own else {
            return self.inner.try_encode(node, bytes, converter);
        };
        let text = SourceText { contents: source.contents().clone(), options: source.options().clone() };
        let filter = match datafusion::datasource::physical_plan::FileSource::filter(source) {
            Some(filter) => Some(converter.physical_expr_to_proto(&filter, self)?),
            None => None,
        };
        let files = config.file_groups.iter().flat_map(FileGroup::iter);
        let packs = files.filter_map(|file| file.extension::<Arc<Pack>>());
        let message = Scan {
            source: serde_json::to_string(&text).map_err(damaged)?,
            config: Some(serialize_file_scan_config(config, self, converter)?),
            filter,
            packs: packs.map(|pack| pack.as_ref().clone()).collect(),
        };
        bytes.extend_from_slice(MAGIC);
        message.encode(bytes).map_err(damaged)
    }

    fn try_encode_udf(&self, node: &ScalarUDF, bytes: &mut Vec<u8>) -> Result<()> {
        match encode_function(node, bytes) {
            true => Ok(()),
            false => self.inner.try_encode_udf(node, bytes),
        }
    }

    fn try_decode_udf(&self, name: &str, bytes: &[u8]) -> Result<Arc<ScalarUDF>> {
        match decode_function(name, bytes, &self.files) {
            Some(own) => Ok(own),
            None => self.inner.try_decode_udf(name, bytes),
        }
    }
}
