//! SQL over many ASDF files.

mod blocks;
mod contents;
mod failure;
mod layout;
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

pub use options::AsdfOptions;
pub use problems::Problems;
pub use session::{RegisterAsdf, configured, context, runtime};
pub use stores::Stores;
