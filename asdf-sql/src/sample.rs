//! The columns of a table, from a sample of its files.

use std::sync::Arc;

use asdf_core::{Error, File, Result};
use asdf_tables::catalog::Layout;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::execution::runtime_env::RuntimeEnv;
use futures_util::StreamExt as _;
use futures_util::stream;
use object_store::ObjectMeta;

use crate::object_source::Files;
use crate::open_file::open_file;
use crate::options::{AsdfOptions, Chosen};
use crate::pattern::{Pattern, name};
use crate::registry::registry;
use crate::rows;
use crate::table::AsdfTable;

/// The files that are listed to choose a sample.
const LISTED: usize = 10_000;

/// The files that are opened at the same time.
const PARALLEL: usize = 16;

/// Returns the columns of a table with one row for each file.
///
/// # Errors
/// If no file is found, or a schema is not.
pub(crate) async fn layout(pattern: &Pattern, options: &AsdfOptions, runtime: &RuntimeEnv) -> Result<Layout> {
    let layout = match &options.columns {
        Chosen::Sample => {
            let files = sample(pattern, options, runtime).await?;
            Layout::infer(files.iter().map(File::tree))?
        }
        Chosen::Own => Layout::new([])?,
        Chosen::Schema(tag) => Layout::from_schema(&registry(&options.schemas)?, tag)?,
        Chosen::Table(name) => Layout::from_table(&registry(&options.schemas)?, name)?.0,
    };
    Ok(layout.with_valid())
}

/// Returns the columns of the table at a path, from the first file that has it.
///
/// # Errors
/// If none of the files of the sample has a table there.
pub(crate) async fn row_schema(
    pattern: &Pattern,
    path: &str,
    options: &AsdfOptions,
    runtime: &Arc<RuntimeEnv>,
) -> Result<SchemaRef> {
    let url = pattern.store()?;
    let (metas, _) = AsdfTable::files(pattern, runtime, LISTED).await?;
    let names: Vec<String> =
        chosen(metas, options.sample_size()).iter().map(|meta| name(&url, &meta.location)).collect();
    let (files, path_of_table) = (Files::new(runtime.object_store_registry.clone()), path.to_owned());
    let find = move || {
        let mut failure = None;
        let mut is_readable = false;
        for name in names {
            let found = files
                .open(&name)
                .and_then(|file| rows::schema(&file, &path_of_table).map_err(|error| error.at_file(&name)));
            match found {
                Ok(Some(schema)) => return Ok(schema),
                Ok(None) => is_readable = true,
                Err(error) => failure = failure.or(Some(error)),
            }
        }
        Err(failure.filter(|_| !is_readable).unwrap_or_else(|| {
            Error::missing("none of the files has a table or an array there").at_path(&path_of_table)
        }))
    };
    let found = tokio::task::spawn_blocking(find).await;
    found.map_err(|error| Error::io("reading", std::io::Error::other(error)))?
}

/// Opens some of the files, spread evenly. Files that cannot be opened are left out.
async fn sample(pattern: &Pattern, options: &AsdfOptions, runtime: &RuntimeEnv) -> Result<Vec<File>> {
    let url = &pattern.store()?;
    let (metas, store) = AsdfTable::files(pattern, runtime, LISTED).await?;
    let store = &store;
    let opened = stream::iter(chosen(metas, options.sample_size())).map(|meta| async move {
        let name = name(url, &meta.location);
        open_file(url, store, &name, &meta).await
    });
    let opened: Vec<Result<File>> = opened.buffered(PARALLEL).collect().await;
    Ok(opened.into_iter().filter_map(Result::ok).collect())
}

/// Chooses some of the files, spread evenly.
fn chosen(files: Vec<ObjectMeta>, count: usize) -> Vec<ObjectMeta> {
    let step = files.len().div_ceil(count.max(1)).max(1);
    files.into_iter().step_by(step).collect()
}
