//! Queries many [ASDF](https://docs.rs/asdf-core) files with SQL, with [DataFusion] on one machine or with [Ballista] on a
//! cluster.
//!
//! ```
//! use asdf_core::File;
//! use asdf_sql::{AsdfOptions, RegisterAsdf as _};
//!
//! # #[tokio::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = std::env::temp_dir().join(format!("asdf-doc-sql-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! # let folder = folder.display();
//! for (name, filter) in [("a", "F158"), ("b", "F106"), ("c", "F158")] {
//!     let mut file = File::new();
//!     file.set_with_parents("/roman/meta/filter", filter)?;
//!     file.write(format!("{folder}/{name}.asdf"))?;
//! }
//! let context = asdf_sql::context()?;
//! let query = format!("select _file, _size from '{folder}/' where meta.filter = 'F158'");
//! assert_eq!(context.asdf_sql(&query, AsdfOptions::new()).await?.count().await?, 2);
//! # std::fs::remove_dir_all(folder.to_string())?;
//! # Ok(())
//! # }
//! ```
//!
//! # Tables
//!
//! | in FROM | rows |
//! |---|---|
//! | `'FOLDER/'`, `'GLOB'`, `'URL'` | one for each file |
//! | `asdf_rows('FILES', '/PATH')` | those of the table or array at a path of each file, with `_file` |
//! | `violations('FILES')` | the findings of the validation: `_file`, `path`, `line`, `column`, `code`, `severity`, `message`, `schema` |
//! | `blocks('FILES')` | the blocks: `_file`, `block`, `offset`, `header_size`, `compression`, `allocated_size`, `used_size`, `data_size`, `streamed`, `checksum` |
//! | a name | the table that [`RegisterAsdf::register_asdf`] registered, or a statement made |
//!
//! A folder has its files with the extension `.asdf`, also those in folders below. In globs, `*` matches within a folder and
//! `**` matches folders, too. FITS files that contain an ASDF file are read like ASDF files.
//!
//! A statement can also make a table. All of its options are optional:
//!
//! ```sql
//! CREATE EXTERNAL TABLE l2 STORED AS ASDF LOCATION 's3://bucket/l2/' OPTIONS (
//!     schema 'wfi_image',     -- the columns are those of the schema of a tag,
//!     table 'WFIExposure',    -- or those that schemas annotate for a table of an archive
//!     package 'rad',          -- adds the schemas of a Python package
//!     rows '/roman/catalog'   -- the rows are those of the table or array at a path
//! )
//! ```
//!
//! # Columns
//!
//! The columns of files are those of a [`Layout`](asdf_tables::catalog::Layout): by default all scalars in a sample of the
//! files. [`AsdfOptions`] can take them from a schema. In addition, each file has `_file`, `_size`, `_modified`,
//! `_standard`, `_valid` and `_problems`.
//!
//! Names are paths with dots. In a query, `exposure_time` stands for `roman.meta.exposure.exposure_time` if no other column
//! ends with it. Unquoted names match in any case.
//!
//! A value that does not exist is null. So is a value that does not fit its column; `_problems` then says why.
//!
//! # What is read
//!
//! - Only the values of the columns that a query needs. If the listing has them, files are not opened.
//! - The tree of a file, usually with one request of 64 KiB.
//! - Arrays, only by functions such as `array_mean` and in tables of `asdf_rows`, and only of files that pass the filter.
//!
//! # Clusters
//!
//! [`Scheduler`] and [`Executor`] are the processes of a cluster, and [`cluster_context`] makes a session that uses it.
//! [`AsdfLogicalCodec`] and [`AsdfPhysicalCodec`] add the tables to a cluster of your own. All processes need the same
//! version of this crate, and the [`configured`] settings.
//!
//! [DataFusion]: https://datafusion.apache.org
//! [Ballista]: https://datafusion.apache.org/ballista/

mod blocks;
mod cluster;
mod codec;
mod contents;
mod external_table;
mod failure;
mod functions;
mod listing;
mod lost_executors;
mod named_tables;
mod names;
mod object_source;
mod open_file;
mod opener;
mod options;
mod pack;
mod pattern;
mod problems;
mod provider;
mod query;
mod reader;
mod registry;
mod rows;
mod sample;
mod session;
mod source;
mod stores;
mod table;
mod violations;
mod web_store;

pub use cluster::{Executor, Scheduler, cluster_context, cluster_context_with};
pub use codec::{AsdfLogicalCodec, AsdfPhysicalCodec};
pub use lost_executors::lost_executor;
pub use options::AsdfOptions;
pub use problems::Problems;
pub use query::{Statement, statements};
pub use session::{RegisterAsdf, configured, context, context_with};
pub use stores::Stores;

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
