//! The options of all commands for opening files: limits, allowed folders, checksums and threads.

use std::path::PathBuf;

use asdf_core::{Error, Limits, Threads};
use clap::ValueHint;
use clap::builder::{PathBufValueParser, TypedValueParser as _};

use crate::hint::DEEPEST;
use crate::{bytes, thread_count};

/// Options that set how far files are trusted, and how they are read.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Limits of the files that are read")]
pub(crate) struct Opening {
    // The display order puts these after the options of the command itself, also in the manual page.
    /// Limit the text of the tree to BYTES, at most 4G
    ///
    /// In all sizes, K, M, G and T are powers of 1024.
    #[arg(long, global = true, hide_short_help = true, display_order = 1001)]
    #[arg(value_name = "BYTES", value_parser = bytes::parse, default_value = "1G")]
    limit_tree_size: u64,

    /// Limit the nesting of the tree to N levels, at most 512
    #[arg(long, global = true, hide_short_help = true, display_order = 1002)]
    #[arg(value_name = "N", value_parser = depth, default_value_t = DEEPEST)]
    limit_tree_depth: usize,

    /// Limit the tree to N nodes
    #[arg(long, global = true, hide_short_help = true, display_order = 1003)]
    #[arg(value_name = "N", default_value_t = Limits::default().tree_nodes)]
    limit_tree_nodes: usize,

    /// Limit the distinct tags of the tree, as full URIs, to BYTES
    ///
    /// The default is 1M plus 16 bytes for each byte of the tree's text.
    #[arg(long, global = true, hide_short_help = true, display_order = 1004)]
    #[arg(value_name = "BYTES", value_parser = memory)]
    limit_tree_tag_bytes: Option<usize>,

    /// Limit the decoded size of one compressed block to BYTES
    ///
    /// A block that is read in parts, as lz4 in small chunks, can be larger.
    #[arg(long, global = true, hide_short_help = true, display_order = 1005)]
    #[arg(value_name = "BYTES", value_parser = bytes::parse, default_value = "2G")]
    limit_decoded_size: u64,

    /// Limit the decoded size of all compressed blocks to BYTES
    ///
    /// The blocks of files that a file refers to are included. The default is 16G, or 16 bytes for each byte of these
    /// files if that is more. It is also the limit for zeros that `asdf repair` writes for missing bytes.
    #[arg(long, global = true, hide_short_help = true, display_order = 1006)]
    #[arg(value_name = "BYTES", value_parser = bytes::parse)]
    limit_decoded_total: Option<u64>,

    /// Limit the elements that arrays repeat to BYTES
    ///
    /// Strides of 0, overlapping views and aliases let many elements share the same bytes. Elements count from the fifth
    /// time on that the bytes below them are read. Items of lists that aliases repeat count as 256 bytes each.
    #[arg(long, global = true, hide_short_help = true, display_order = 1006)]
    #[arg(value_name = "BYTES", value_parser = bytes::parse, default_value = "1G")]
    limit_repeated_elements: u64,

    /// Limit a file to N blocks
    #[arg(long, global = true, hide_short_help = true, display_order = 1007)]
    #[arg(value_name = "N", default_value_t = Limits::default().blocks)]
    limit_blocks: u64,

    /// Limit standard input to BYTES
    ///
    /// It is read into memory as a whole. A file that is named instead can be larger.
    #[arg(long, global = true, hide_short_help = true, display_order = 1008)]
    #[arg(value_name = "BYTES", value_parser = bytes::parse, default_value = "2G")]
    limit_stream_size: u64,

    /// Let files refer to files in DIR and below; can be repeated
    ///
    /// This holds for references and for the data of arrays. Files in its own folder and below are always allowed.
    #[arg(long, global = true, hide_short_help = true, display_order = 1009)]
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    #[arg(value_parser = PathBufValueParser::new().try_map(folder))]
    pub(crate) allow_folder: Vec<PathBuf>,

    /// Refuse data whose checksum does not match, instead of warning
    ///
    /// head, preview and export --slice read only a part of a block. They verify its checksum only with this option,
    /// which makes them read the whole block. convert, to_yaml, explode, implode and defragment refuse data whose
    /// checksum does not match, unless --accept-damage is given. set, unset and edit copy such blocks with their
    /// checksums, and warn. With --in-place they do not read these blocks.
    #[arg(long, global = true, hide_short_help = true, display_order = 1010)]
    #[arg(help_heading = "Damaged data")]
    pub(crate) verify: bool,

    /// Use up to N threads [default: the number of processors]
    #[arg(long, global = true, hide_short_help = true, display_order = 1011)]
    #[arg(help_heading = "Performance", value_name = "N", value_parser = thread_count::parse)]
    pub(crate) threads: Option<Threads>,
}

fn depth(text: &str) -> std::result::Result<usize, String> {
    let depth = text.parse().ok().filter(|depth| (1..=DEEPEST).contains(depth));
    depth.ok_or_else(|| format!("expected a number from 1 to {DEEPEST}"))
}

fn memory(text: &str) -> std::result::Result<usize, String> {
    usize::try_from(bytes::parse(text)?)
        .map_err(|_| "larger than the address space of this machine".to_owned())
}

/// Parses the path of a folder that exists. One that does not exist would allow nothing, without a message.
fn folder(path: PathBuf) -> std::result::Result<PathBuf, String> {
    match std::fs::metadata(&path) {
        Ok(found) if found.is_dir() => Ok(path),
        Ok(_) => Err("not a folder".to_owned()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err("no such folder".to_owned()),
        Err(error) => Err(Error::io("opening", error).message().to_owned()),
    }
}

impl Opening {
    pub(crate) fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        limits.tree_size = self.limit_tree_size;
        limits.tree_depth = self.limit_tree_depth;
        limits.tree_nodes = self.limit_tree_nodes;
        limits.tree_tag_bytes = self.limit_tree_tag_bytes;
        limits.decoded_size = self.limit_decoded_size;
        limits.decoded_total = self.limit_decoded_total;
        limits.repeated_elements = self.limit_repeated_elements;
        limits.blocks = self.limit_blocks;
        limits.stream_size = self.limit_stream_size;
        limits
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;

    #[derive(clap::Parser)]
    struct Alone {
        #[command(flatten)]
        opening: Opening,
    }

    #[test]
    fn the_help_states_the_defaults_of_the_library() {
        let alone = Alone::parse_from(["asdf"]);
        assert_eq!(alone.opening.limits(), Limits::default());
    }
}
