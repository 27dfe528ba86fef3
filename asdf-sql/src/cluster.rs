//! The processes of a cluster: scheduler, executors and clients.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use asdf_core::{Error, Result as FileResult};
use ballista::prelude::{SessionConfigExt as _, SessionContextExt as _};
use ballista_core::extension::ballista_scalar_functions;
use ballista_core::registry::BallistaFunctionRegistry;
use ballista_core::utils::default_session_builder;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::start_server;
use datafusion::common::Result;
use datafusion::execution::object_store::ObjectStoreRegistry;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::execution::{SessionState, SessionStateBuilder};
use datafusion::logical_expr::ScalarUDF;
use datafusion::prelude::{SessionConfig, SessionContext};
use url::Url;

use crate::codec::{AsdfLogicalCodec, AsdfPhysicalCodec};
use crate::failure::failure;
use crate::functions::functions;
use crate::lost_executors::Executors;
use crate::object_source::Files;
use crate::session::{RegisterAsdf as _, configured, runtime};
use crate::stores::Stores;

/// The most bytes of a message between processes. The plan of a task has the names of its files.
const MESSAGE: usize = 256 << 20;

/// The default port of a scheduler.
const PORT: u16 = 50050;

/// What all processes of a cluster have in common: stores, codecs and functions.
struct Node {
    stores: Arc<dyn ObjectStoreRegistry>,
    files: Files,
}

impl Node {
    fn new(stores: Arc<dyn ObjectStoreRegistry>) -> Self {
        Self { files: Files::new(stores.clone()), stores }
    }

    fn logical(&self) -> Arc<AsdfLogicalCodec> {
        Arc::new(AsdfLogicalCodec::new(self.stores.clone()))
    }

    fn physical(&self) -> Arc<AsdfPhysicalCodec> {
        Arc::new(AsdfPhysicalCodec::new(self.stores.clone()))
    }

    /// The configuration of sessions.
    fn config(&self) -> SessionConfig {
        configured(SessionConfig::new_with_ballista())
            .with_ballista_logical_extension_codec(self.logical())
            .with_ballista_physical_extension_codec(self.physical())
            .with_ballista_grpc_client_max_message_size(MESSAGE)
    }

    /// All functions. Ours replace those of DataFusion with the same names.
    fn functions(&self) -> Vec<Arc<ScalarUDF>> {
        let own = functions(&self.files);
        let others = ballista_scalar_functions().into_iter();
        let others = others.filter(|other| !own.iter().any(|own| own.name() == other.name()));
        others.chain(own.clone()).collect()
    }
}

/// Makes a session whose queries run on a cluster.
///
/// Nothing is sent before the first query. Files are listed by the scheduler and read by the executors, so local paths must
/// lead to the same files on all machines. The client only reads a sample of them to find columns.
///
/// If an executor is lost, or none runs, queries fail with an error for which [`lost_executor`](crate::lost_executor) is true.
/// Run them again.
///
/// # Errors
/// If the address is not one of `df://HOST:PORT`.
///
/// # Examples
/// ```no_run
/// use asdf_sql::{AsdfOptions, RegisterAsdf as _};
///
/// # async fn run() -> datafusion::common::Result<()> {
/// let context = asdf_sql::cluster_context("df://localhost:50050").await?;
/// let query = "select count(*) from 's3://bucket/l2/'";
/// context.asdf_sql(query, AsdfOptions::new()).await?.show().await?;
/// # Ok(())
/// # }
/// ```
pub async fn cluster_context(address: &str) -> Result<SessionContext> {
    cluster_context_with(address, Arc::new(Stores::default())).await
}

/// Makes a session like [`cluster_context`], with object stores of your own. [`Scheduler`] and [`Executor`] need them too.
///
/// # Errors
/// If the address is not one of `df://HOST:PORT`.
pub async fn cluster_context_with(
    address: &str,
    stores: Arc<dyn ObjectStoreRegistry>,
) -> Result<SessionContext> {
    let is_address = Url::parse(address).is_ok_and(|url| url.scheme() == "df" && url.has_host());
    if !is_address {
        let error = Error::usage(format!("not the address of a cluster: {}", address.escape_debug()));
        return Err(failure(error.with_hint("write df://HOST:PORT")));
    }
    let node = Node::new(stores);
    let state = SessionStateBuilder::new()
        .with_config(node.config())
        .with_runtime_env(runtime(node.stores.clone())?)
        .with_default_features()
        .build();
    let context = SessionContext::remote_with_state(address, state).await?;
    context.register_asdf_functions();
    Ok(context)
}

/// The settings of a scheduler.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Scheduler {
    /// The address that it listens on. The default is `127.0.0.1`.
    pub bind: String,
    /// The port that it listens on. The default is 50050.
    pub port: u16,
    /// The seconds after which an executor that sends nothing is lost, and the queries that run are ended. They are also ended
    /// if no executor runs for this time. The default is 30.
    pub timeout: u64,
    /// The object stores that files are listed in. The default is [`Stores`].
    pub stores: Arc<dyn ObjectStoreRegistry>,
}

impl Default for Scheduler {
    fn default() -> Self {
        Self { bind: "127.0.0.1".to_owned(), port: PORT, timeout: 30, stores: Arc::new(Stores::default()) }
    }
}

impl Scheduler {
    /// Runs the scheduler until the process ends.
    ///
    /// # Errors
    /// If it cannot listen on the address.
    pub async fn run(&self) -> FileResult<()> {
        let node = Arc::new(Node::new(self.stores.clone()));
        let (config, sessions) = (node.clone(), node.clone());
        let config = SchedulerConfig {
            bind_host: self.bind.clone(),
            bind_port: self.port,
            executor_timeout_seconds: self.timeout,
            expire_dead_executor_interval_seconds: (self.timeout / 4).max(1),
            no_executors_grace_period_seconds: self.timeout,
            grpc_server_max_decoding_message_size: message_size(),
            grpc_server_max_encoding_message_size: message_size(),
            grpc_client_max_message_size: message_size(),
            // A task that cannot fetch its input ends the query, as a lost executor does.
            stage_max_failures: 1,
            override_config_producer: Some(Arc::new(move || config.config())),
            override_session_builder: Some(Arc::new(move |config| session(&sessions, config))),
            override_logical_codec: Some(node.logical()),
            override_physical_codec: Some(node.physical()),
            ..SchedulerConfig::default()
        };
        let address = format!("{}:{}", self.bind, self.port);
        let address: SocketAddr = address.parse().map_err(|_| {
            Error::usage(format!("not an address to listen on: {}", self.bind)).with_hint("use an IP address")
        })?;
        let cluster = BallistaCluster::new_from_config(&config).await.map_err(of_cluster)?;
        let executors = Executors::new(&cluster, address);
        let timeout = Duration::from_secs(self.timeout);
        tokio::select! {
            ended = start_server(executors.cluster(), address, Arc::new(config)) => ended.map_err(of_cluster),
            never = executors.watch(timeout) => never,
        }
    }
}

/// Makes the session in which the scheduler plans queries.
fn session(node: &Node, config: SessionConfig) -> Result<SessionState> {
    let state = default_session_builder(config)?;
    Ok(SessionStateBuilder::new_from_existing(state)
        .with_runtime_env(runtime(node.stores.clone())?)
        .with_scalar_functions(node.functions())
        .build())
}

/// The settings of an executor.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Executor {
    /// The host of the scheduler. The default is `127.0.0.1`.
    pub scheduler: String,
    /// The port of the scheduler. The default is 50050.
    pub scheduler_port: u16,
    /// The address that it listens on. The default is `127.0.0.1`.
    pub bind: String,
    /// The name or address that other machines reach it at. The default is `bind`, or the address that the scheduler sees if
    /// `bind` stands for all addresses.
    pub host: Option<String>,
    /// The port that it listens on; it also uses the next one. The default is 50051.
    pub port: u16,
    /// The folder for intermediate results. The default is a temporary one.
    pub work_dir: Option<PathBuf>,
    /// The number of tasks that it runs at the same time. The default is the number of cores.
    pub cores: Option<usize>,
    /// The seconds between two messages that it is alive. The default is 5.
    pub heartbeat: u64,
    /// The object stores that files are read from. The default is [`Stores`].
    pub stores: Arc<dyn ObjectStoreRegistry>,
}

impl Default for Executor {
    fn default() -> Self {
        let local = || "127.0.0.1".to_owned();
        Self {
            scheduler: local(),
            scheduler_port: PORT,
            bind: local(),
            host: None,
            port: 50051,
            work_dir: None,
            cores: None,
            heartbeat: 5,
            stores: Arc::new(Stores::default()),
        }
    }
}

impl Executor {
    /// The address of `bind`, unless it stands for all. Then the scheduler uses the one that this executor connects from.
    fn own_address(&self) -> Option<String> {
        let is_all = self.bind.parse::<IpAddr>().is_ok_and(|address| address.is_unspecified());
        (!is_all).then(|| self.bind.clone())
    }

    /// Runs the executor until the process is ended by a signal.
    ///
    /// # Errors
    /// If the scheduler cannot be reached, or it cannot listen on its ports.
    pub async fn run(&self) -> FileResult<()> {
        let node = Arc::new(Node::new(self.stores.clone()));
        let folder = tempfile::Builder::new().prefix("asdf-sql-").tempdir();
        let folder =
            folder.map_err(|error| Error::io("creating a folder for intermediate results", error))?;
        let work_dir = self.work_dir.clone().unwrap_or_else(|| folder.path().to_path_buf());
        std::fs::create_dir_all(&work_dir)
            .map_err(|error| Error::io("creating the folder", error).at_file(&work_dir))?;
        let (config, runtimes, spill) = (node.clone(), node.clone(), work_dir.clone());
        let mut registry = BallistaFunctionRegistry::default();
        let by_name = node.functions().into_iter().map(|function| (function.name().to_owned(), function));
        registry.scalar_functions.extend(by_name);
        let default = ExecutorProcessConfig::default();
        let config = ExecutorProcessConfig {
            bind_host: self.bind.clone(),
            external_host: self.host.clone().or_else(|| self.own_address()),
            port: self.port,
            grpc_port: self.port.saturating_add(1),
            scheduler_host: self.scheduler.clone(),
            scheduler_port: self.scheduler_port,
            scheduler_connect_timeout_seconds: 30,
            vcores: self.cores.unwrap_or(default.vcores),
            work_dir: Some(work_dir.to_string_lossy().into_owned()),
            executor_heartbeat_interval_seconds: self.heartbeat,
            grpc_max_decoding_message_size: message_size(),
            grpc_max_encoding_message_size: message_size(),
            override_function_registry: Some(Arc::new(registry)),
            override_config_producer: Some(Arc::new(move || config.config())),
            override_runtime_producer: Some(Arc::new(move |_| {
                RuntimeEnvBuilder::new()
                    .with_object_store_registry(runtimes.stores.clone())
                    .with_temp_file_path(&spill)
                    .build_arc()
            })),
            override_logical_codec: Some(node.logical()),
            override_physical_codec: Some(node.physical()),
            ..default
        };
        start_executor_process(Arc::new(config)).await.map_err(of_cluster)
    }
}

/// The most bytes of a message, as Ballista takes it.
fn message_size() -> u32 {
    u32::try_from(MESSAGE).unwrap_or(u32::MAX)
}

/// Converts an error of Ballista.
fn of_cluster(error: impl std::fmt::Display) -> Error {
    Error::io("running the cluster", std::io::Error::other(error.to_string()))
}
