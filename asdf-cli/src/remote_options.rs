//! The options of all commands for remote files.

use std::path::PathBuf;

use clap::ValueHint;

use crate::{bytes, url};

/// Options for files that are named by a URL.
#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Remote files")]
pub(crate) struct RemoteOptions {
    /// Print the number of requests and their bytes to standard error
    #[arg(long, global = true, hide_short_help = true, display_order = 1020)]
    pub(crate) stats: bool,

    /// Send requests to object stores without credentials
    ///
    /// This is the default if no credentials are found.
    #[arg(long, global = true, hide_short_help = true, display_order = 1021)]
    pub(crate) anonymous: bool,

    /// Send requests to the server at URL instead of Amazon, Google or Azure
    #[arg(long, global = true, hide_short_help = true, display_order = 1022, value_name = "URL")]
    pub(crate) endpoint_url: Option<String>,

    /// Use the AWS profile NAME of ~/.aws/config
    #[arg(long, global = true, hide_short_help = true, display_order = 1023, value_name = "NAME")]
    pub(crate) profile: Option<String>,

    /// Limit the bytes of all requests to BYTES
    #[arg(long, global = true, hide_short_help = true, display_order = 1024)]
    #[arg(value_name = "BYTES", value_parser = bytes::parse)]
    pub(crate) limit_fetched_size: Option<u64>,

    /// Let files refer to files in the folder at URL; can be repeated
    ///
    /// This holds for references and for the data of arrays. Files in its own folder and below are always allowed.
    #[arg(long, global = true, hide_short_help = true, display_order = 1025)]
    #[arg(value_name = "URL", value_parser = url::parse)]
    pub(crate) allow_url: Vec<String>,

    /// Keep what was read in DIR, for later commands
    ///
    /// A file that has changed since is read anew.
    #[arg(long, global = true, hide_short_help = true, display_order = 1026)]
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) cache_folder: Option<PathBuf>,

    /// Limit the bytes in the folder of --cache-folder to BYTES
    #[arg(long, global = true, hide_short_help = true, display_order = 1027)]
    #[arg(value_name = "BYTES", value_parser = bytes::parse, default_value = "4G")]
    pub(crate) limit_cache_size: u64,
}
