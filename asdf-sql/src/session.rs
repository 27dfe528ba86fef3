//! Sessions with the object stores, functions and settings that tables of ASDF files need.

use std::sync::Arc;

use async_trait::async_trait;
use datafusion::common::{Result, TableReference};
use datafusion::dataframe::DataFrame;
use datafusion::execution::SessionStateBuilder;
use datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};
use datafusion::prelude::{SessionConfig, SessionContext};

use crate::failure::failure;
use crate::options::AsdfOptions;
use crate::problems::Problems;
use crate::provider::{Wanted, provider};
use crate::query::{self, parse, plan};
use crate::stores::Stores;

/// The setting that lets partitions take each other's files.
///
/// A process of a cluster runs only some of the partitions of a plan, and would read the files of all.
const STEALING: &str = "datafusion.execution.enable_file_stream_work_stealing";

/// Adds the settings that tables of ASDF files need to a configuration.
#[must_use]
pub fn configured(config: SessionConfig) -> SessionConfig {
    config
        .set_bool(STEALING, false)
        .with_information_schema(true)
        .with_extension(Arc::new(Problems::default()))
}

/// Makes a runtime environment whose object stores are made when a URL is first used.
///
/// # Errors
/// If the folder for temporary files cannot be used.
pub fn runtime() -> Result<Arc<RuntimeEnv>> {
    RuntimeEnvBuilder::new().with_object_store_registry(Arc::new(Stores::default())).build_arc()
}

/// Makes a session for queries over ASDF files on this machine.
///
/// # Errors
/// If the folder for temporary files cannot be used.
pub fn context() -> Result<SessionContext> {
    let state = SessionStateBuilder::new()
        .with_config(configured(SessionConfig::new()))
        .with_runtime_env(runtime()?)
        .with_default_features()
        .build();
    Ok(SessionContext::new_with_state(state))
}

/// Tables and queries over ASDF files for a [`SessionContext`].
#[async_trait]
pub trait RegisterAsdf {
    /// Registers the files of a folder, a glob or a URL as a table with one row for each file.
    ///
    /// The files are listed again for each query. The columns are found once.
    ///
    /// # Errors
    /// If no file is found, or a schema is not.
    async fn register_asdf(&self, name: &str, files: &str, options: AsdfOptions) -> Result<()>;

    /// Runs a query in which tables can be folders, globs and URLs, and columns the ends of their dotted names.
    ///
    /// # Errors
    /// If the query is not valid, or no file is found.
    async fn asdf_sql(&self, query: &str, options: AsdfOptions) -> Result<DataFrame>;
}

#[async_trait]
impl RegisterAsdf for SessionContext {
    async fn register_asdf(&self, name: &str, files: &str, options: AsdfOptions) -> Result<()> {
        let wanted = Wanted::Files(files.to_owned());
        let made = provider(&wanted, &options, &self.runtime_env(), query::problems(self)).await;
        self.register_table(TableReference::bare(name), Arc::new(made.map_err(failure)?))?;
        Ok(())
    }

    async fn asdf_sql(&self, query: &str, options: AsdfOptions) -> Result<DataFrame> {
        let mut statements = parse(&self.state(), query)?.into_iter();
        match (statements.next(), statements.next()) {
            (Some(statement), None) => plan(self, statement, &options).await,
            _ => Err(failure(asdf_core::Error::usage("expected one statement"))),
        }
    }
}
