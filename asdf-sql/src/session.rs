//! Sessions with the object stores, functions and settings that tables of ASDF files need.

use std::sync::Arc;

use async_trait::async_trait;
use datafusion::common::{Result, TableReference};
use datafusion::dataframe::DataFrame;
use datafusion::execution::SessionStateBuilder;
use datafusion::execution::object_store::ObjectStoreRegistry;
use datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};
use datafusion::prelude::{SessionConfig, SessionContext};

use crate::external_table;
use crate::failure::failure;
use crate::functions::functions;
use crate::object_source::Files;
use crate::options::AsdfOptions;
use crate::problems::Problems;
use crate::provider::{Wanted, provider};
use crate::query::{self, statements};
use crate::stores::Stores;

/// The setting that lets partitions take each other's files.
///
/// A process of a cluster runs only some of the partitions of a plan, and would read the files of all.
const STEALING: &str = "datafusion.execution.enable_file_stream_work_stealing";

/// Returns a configuration with the settings that tables of ASDF files need.
///
/// # Examples
/// ```
/// use datafusion::prelude::{SessionConfig, SessionContext};
///
/// let context = SessionContext::new_with_config(asdf_sql::configured(SessionConfig::new()));
/// # let _ = context;
/// ```
#[must_use]
pub fn configured(config: SessionConfig) -> SessionConfig {
    config
        .set_bool(STEALING, false)
        .with_information_schema(true)
        .with_extension(Arc::new(Problems::default()))
}

/// Makes a runtime environment whose object stores are made when a URL is first used.
pub(crate) fn runtime(stores: Arc<dyn ObjectStoreRegistry>) -> Result<Arc<RuntimeEnv>> {
    RuntimeEnvBuilder::new().with_object_store_registry(stores).build_arc()
}

/// Makes a session for queries over ASDF files on this machine.
///
/// Object stores are made when a URL is first used, as [`Stores`] does.
///
/// # Errors
/// If the folder for temporary files cannot be used.
///
/// # Examples
/// ```no_run
/// use asdf_sql::{AsdfOptions, RegisterAsdf as _};
///
/// # async fn run() -> datafusion::common::Result<()> {
/// let context = asdf_sql::context()?;
/// let query = "select detector, count(*) from 's3://bucket/l2/*.asdf' group by detector";
/// context.asdf_sql(query, AsdfOptions::new()).await?.show().await?;
/// # Ok(())
/// # }
/// ```
pub fn context() -> Result<SessionContext> {
    context_with(Arc::new(Stores::default()))
}

/// Makes a session like [`context`], with object stores of your own.
///
/// # Errors
/// If the folder for temporary files cannot be used.
pub fn context_with(stores: Arc<dyn ObjectStoreRegistry>) -> Result<SessionContext> {
    let state = SessionStateBuilder::new()
        .with_config(configured(SessionConfig::new()))
        .with_runtime_env(runtime(stores)?)
        .with_default_features()
        .build();
    let context = SessionContext::new_with_state(state);
    context.register_asdf_functions();
    Ok(context)
}

/// Tables, functions and queries over ASDF files for a [`SessionContext`].
#[async_trait]
pub trait RegisterAsdf {
    /// Registers the files of a folder, a glob or a URL as a table with one row for each file.
    ///
    /// The files are listed again for each query. The columns are found once. Object stores that are not registered are
    /// made with the credentials of the environment.
    ///
    /// The configuration of the session should be [`configured`], or one file can be read by several processes.
    ///
    /// # Errors
    /// If no file is found, or a schema is not.
    ///
    /// # Examples
    /// ```
    /// use asdf_core::File;
    /// use asdf_sql::{AsdfOptions, RegisterAsdf as _};
    /// use datafusion::prelude::{SessionConfig, SessionContext};
    ///
    /// # #[tokio::main]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let folder = std::env::temp_dir().join(format!("asdf-doc-register-{}", std::process::id()));
    /// std::fs::create_dir_all(&folder)?;
    /// let mut file = File::new();
    /// file.set_with_parents("/meta/filter", "F158")?;
    /// file.write(folder.join("a.asdf"))?;
    ///
    /// let context = SessionContext::new_with_config(asdf_sql::configured(SessionConfig::new()));
    /// context.register_asdf("files", folder.to_str().unwrap_or_default(), AsdfOptions::new()).await?;
    /// let found = context.sql("select count(*) from files where \"meta.filter\" = 'F158'").await?;
    /// assert_eq!(found.count().await?, 1);
    /// # std::fs::remove_dir_all(&folder)?;
    /// # Ok(())
    /// # }
    /// ```
    async fn register_asdf(&self, name: &str, files: &str, options: AsdfOptions) -> Result<()>;

    /// Registers the functions of arrays, units and coordinates, and the format of `CREATE EXTERNAL TABLE ... STORED AS ASDF`.
    ///
    /// | function | result |
    /// |---|---|
    /// | `array_mean(file, path)`, `array_min`, `array_max` | of the array at a path of a file, without NaN and missing elements |
    /// | `array_percentile(file, path, percent)` | interpolated as in numpy |
    /// | `convert_unit(number, from, to)` | the number in another unit |
    /// | `sky(file, x, y)` | the position of a pixel, as a struct of `ra` and `dec` |
    /// | `contains(file, ra, dec)` | whether a position is in the image of a file |
    ///
    /// The result is null if a file cannot be read or does not have the array. With other numbers of arguments,
    /// `array_min`, `array_max` and `contains` are the functions of DataFusion.
    fn register_asdf_functions(&self);

    /// Plans a query in which tables can be folders, globs and URLs, and columns the ends of their dotted names.
    ///
    /// The functions `asdf_rows('FILES', '/PATH')`, `violations('FILES')` and `blocks('FILES')` are tables, too.
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

    fn register_asdf_functions(&self) {
        external_table::register(self, &AsdfOptions::new());
        for function in functions(&Files::new(self.runtime_env().object_store_registry.clone())) {
            self.register_udf(function.as_ref().clone());
        }
    }

    async fn asdf_sql(&self, query: &str, options: AsdfOptions) -> Result<DataFrame> {
        let mut all = statements(self, query)?.into_iter();
        match (all.next(), all.next()) {
            (Some(statement), None) => statement.plan(self, &options).await,
            _ => Err(failure(asdf_core::Error::usage("expected one statement"))),
        }
    }
}
