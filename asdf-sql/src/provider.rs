//! Makes the tables that a query names.

use std::sync::Arc;

use asdf_core::Result;
use datafusion::execution::runtime_env::RuntimeEnv;

use crate::contents::Contents;
use crate::options::AsdfOptions;
use crate::pattern::Pattern;
use crate::problems::Problems;
use crate::sample;
use crate::table::AsdfTable;

/// A table that a query names.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Wanted {
    /// One row for each file.
    Files(String),
    /// The rows of the table at a path.
    Rows(String, String),
    /// The findings of the validation.
    Violations(String),
    /// The blocks.
    Blocks(String),
}

/// Makes a table. Reads a sample of its files if their columns are not known.
///
/// # Errors
/// If no file is found, or its columns are not.
pub(crate) async fn provider(
    wanted: &Wanted,
    options: &AsdfOptions,
    runtime: &Arc<RuntimeEnv>,
    problems: Arc<Problems>,
) -> Result<AsdfTable> {
    let (Wanted::Files(files) | Wanted::Rows(files, _) | Wanted::Violations(files) | Wanted::Blocks(files)) =
        wanted;
    let pattern = Pattern::parse(files)?;
    let contents = match wanted {
        Wanted::Files(_) => Contents::Files(sample::layout(&pattern, options, runtime).await?),
        Wanted::Rows(_, path) => Contents::Rows(path.clone()),
        Wanted::Violations(_) => Contents::Violations,
        Wanted::Blocks(_) => Contents::Blocks,
    };
    let schema = match (&contents, contents.schema()) {
        (_, Some(schema)) => schema,
        (Contents::Rows(path), None) => sample::row_schema(&pattern, path, options, runtime).await?,
        (_, None) => Arc::new(datafusion::arrow::datatypes::Schema::empty()),
    };
    Ok(AsdfTable { pattern, contents, options: options.clone(), schema, problems })
}
