//! SQL over many ASDF files.

mod blocks;
mod cluster;
mod codec;
mod contents;
mod failure;
mod functions;
mod listing;
mod named_tables;
mod names;
mod object_source;
mod open_file;
mod opener;
mod options;
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

pub use cluster::{Executor, Scheduler, cluster_context};
pub use codec::{AsdfLogicalCodec, AsdfPhysicalCodec};
pub use options::AsdfOptions;
pub use problems::Problems;
pub use query::{Statement, statements};
pub use session::{RegisterAsdf, configured, context};
pub use stores::Stores;
