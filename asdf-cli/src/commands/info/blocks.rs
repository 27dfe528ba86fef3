//! The list of blocks.

use std::io::Write;

use asdf_core::block::Header;
use asdf_core::file::IndexState;
use asdf_core::{File, Result};

use crate::outcome::output;

/// Prints the blocks, one per line, and whether the block index is valid.
pub(super) fn list(file: &File, out: &mut dyn Write) -> Result<()> {
    for block in file.blocks()? {
        let header = block.header();
        let label = header.compression;
        let sizes = if label.is_none() {
            format!("{} bytes", header.data_size)
        } else {
            format!("{} bytes in {} of {label}", header.data_size, header.used_size)
        };
        let mut more = String::new();
        if header.is_streamed() {
            more.push_str(", streamed");
        }
        if let Some(free) = header.allocated_size.checked_sub(header.used_size).filter(|&free| free > 0) {
            more.push_str(&format!(", {free} free"));
        }
        // Up to 7 bytes are usual: they align the data.
        if usize::from(header.header_size) > Header::LEN - Header::PREFIX + 7 {
            more.push_str(&format!(", data at byte {}", header.data_offset(block.offset())?));
        }
        if header.checksum == [0; 16] && !header.is_streamed() {
            more.push_str(", no checksum");
        }
        writeln!(out, "block {} at byte {}: {sizes}{more}", block.number(), block.offset())
            .map_err(output)?;
    }
    let index = match file.index()? {
        IndexState::Absent => "no block index",
        IndexState::Right => "block index: ok",
        IndexState::Wrong => "block index: damaged (ignored)",
    };
    writeln!(out, "{index}").map_err(output)
}
