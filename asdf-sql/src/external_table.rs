//! `CREATE EXTERNAL TABLE ... STORED AS ASDF`.

use std::sync::Arc;

use asdf_core::{Error, Result as FileResult};
use async_trait::async_trait;
use datafusion::catalog::{Session, TableProvider, TableProviderFactory};
use datafusion::common::Result;
use datafusion::logical_expr::CreateExternalTable;
use datafusion::prelude::SessionContext;

use crate::failure::failure;
use crate::options::AsdfOptions;
use crate::problems::Problems;
use crate::provider::{Wanted, provider};

/// The format in `STORED AS`.
const FORMAT: &str = "ASDF";

/// Makes tables for `CREATE EXTERNAL TABLE NAME STORED AS ASDF LOCATION 'FILES'`.
#[derive(Debug)]
struct ExternalTables {
    /// The options that a statement adds to.
    options: AsdfOptions,
}

/// Lets statements of a session make tables, with options that they add to.
pub(crate) fn register(context: &SessionContext, options: &AsdfOptions) {
    let tables = Arc::new(ExternalTables { options: options.clone() });
    context.state_ref().write().table_factories_mut().insert(FORMAT.to_owned(), tables);
}

#[async_trait]
impl TableProviderFactory for ExternalTables {
    async fn create(
        &self,
        session: &dyn Session,
        statement: &CreateExternalTable,
    ) -> Result<Arc<dyn TableProvider>> {
        let (wanted, options) = read(statement, self.options.clone()).map_err(failure)?;
        let problems = session.config().get_extension::<Problems>().unwrap_or_default();
        let table = provider(&wanted, &options, session.runtime_env(), problems).await;
        Ok(Arc::new(table.map_err(failure)?))
    }
}

/// Returns which table a statement makes, and its options.
///
/// # Errors
/// If an option is unknown, or a clause does not apply.
fn read(statement: &CreateExternalTable, mut options: AsdfOptions) -> FileResult<(Wanted, AsdfOptions)> {
    let [files] = statement.locations.as_slice() else {
        let error = Error::usage("a table of ASDF files has one location");
        return Err(error.with_hint("name a folder or a pattern, such as 'l2/*.asdf'"));
    };
    let clauses = [
        (!statement.schema.fields().is_empty(), "columns"),
        (!statement.table_partition_cols.is_empty(), "PARTITIONED BY"),
        (!statement.order_exprs.is_empty(), "WITH ORDER"),
    ];
    if let Some((_, clause)) = clauses.iter().find(|(is_there, _)| *is_there) {
        let error = Error::usage(format!("a table of ASDF files cannot have {clause}"));
        return Err(
            error.with_hint("its columns are the values of the files, or those of OPTIONS (schema 'TAG')")
        );
    }
    let mut wanted = Wanted::Files(files.clone());
    for (key, value) in &statement.options {
        // DataFusion puts this before the names of options.
        match key.strip_prefix("format.").unwrap_or(key) {
            "schema" => options = options.schema(value),
            "table" => options = options.table(value),
            "package" => options = options.schema_package(value),
            "rows" => wanted = Wanted::Rows(files.clone(), value.clone()),
            other => {
                let error = Error::usage(format!("unknown option '{}'", other.escape_debug()));
                return Err(error.with_hint("the options are schema, table, package and rows"));
            }
        }
    }
    Ok((wanted, options))
}
