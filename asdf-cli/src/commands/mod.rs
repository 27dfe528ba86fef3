//! The commands, one module each.

pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod defragment;
pub(crate) mod diff;
pub(crate) mod dump;
pub(crate) mod edit;
pub(crate) mod explain;
pub(crate) mod explode;
pub(crate) mod export;
pub(crate) mod extensions;
pub(crate) mod get;
pub(crate) mod head;
pub(crate) mod history;
pub(crate) mod implode;
pub(crate) mod import;
pub(crate) mod info;
#[cfg(not(all(feature = "picture", feature = "query")))]
pub(crate) mod left_out;
pub(crate) mod ls;
pub(crate) mod man;
pub(crate) mod manifest;
pub(crate) mod new;
#[cfg(feature = "picture")]
pub(crate) mod preview;
#[cfg(feature = "query")]
pub(crate) mod query;
pub(crate) mod repair;
pub(crate) mod schema;
pub(crate) mod search;
pub(crate) mod set;
pub(crate) mod stats;
pub(crate) mod tags;
pub(crate) mod to_yaml;
pub(crate) mod unset;
pub(crate) mod validate;
