//! `asdf defragment`: removes unused blocks and space.

use asdf_core::file::Storage;
use asdf_core::tree::NodeRef;
use asdf_core::value::FromNode as _;
use asdf_core::{Compression, NdArray, Result};
use clap::ValueEnum;

use crate::accept_damage::hinted;
use crate::context::Context;
use crate::new_file::{self, NewFile};
use crate::outcome::Outcome;
use crate::source_file::SourceFile;

/// Write a copy of a file without unused blocks and free space.
///
/// The new file is that of --output, or FILE with `_defragmented` added to its name. With --force it can be FILE
/// itself. Arrays in other files become its own blocks, and inline arrays stay in the tree.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf defragment m31.asdf                              writes m31_defragmented.asdf
  asdf defragment -c lz4 -f -o m31.asdf m31.asdf")]
pub(crate) struct Args {
    #[command(flatten)]
    target: NewFile,

    /// Compress all blocks
    #[arg(short, long)]
    compress: Option<Codec>,

    #[command(flatten)]
    source: SourceFile,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Codec {
    Zlib,
    Bzp2,
    Lz4,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Outcome> {
    let path = args.target.path(&args.source.file, "_defragmented", &context.remote)?;
    let mut options = match args.compress {
        None => context.write_options(),
        Some(Codec::Zlib) => context.write_options().compression(Compression::ZLIB),
        Some(Codec::Bzp2) => context.write_options().compression(Compression::BZP2),
        Some(Codec::Lz4) => context.write_options().compression(Compression::LZ4),
    };
    let file = args.source.open(context)?;
    if let Some(root) = file.tree().root() {
        let mut walk = root.walk();
        while let Some(node) = walk.next() {
            let elsewhere = node.get("source").and_then(NodeRef::as_str).is_some();
            if elsewhere && node.tag().is_some_and(NdArray::accepts_tag) {
                options = options.storage_at(walk.path().to_string(), Storage::Internal);
            }
        }
    }
    new_file::write(&options.accept_damage(args.source.accept.yes), &file, &path, &context.remote)
        .map_err(hinted)?;
    Ok(Outcome::Fine)
}
