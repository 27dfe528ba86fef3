//! The commands, a file or folder each.

pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod defragment;
pub(crate) mod diff;
pub(crate) mod dump;
pub(crate) mod edit;
pub(crate) mod explain;
pub(crate) mod explode;
pub(crate) mod extensions;
pub(crate) mod get;
pub(crate) mod head;
pub(crate) mod history;
pub(crate) mod implode;
pub(crate) mod info;
pub(crate) mod ls;
pub(crate) mod man;
pub(crate) mod new;
pub(crate) mod preview;
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

// Until `export` and `import` are commands of this folder.
pub(crate) use crate::outcome::{Outcome, output};
