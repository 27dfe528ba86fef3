//! The arrays of a file, one a line.

use std::io::Write;

use asdf_core::tree::NodeRef;
use asdf_core::value::FromNode;
use asdf_core::{File, NdArray, Path};
use serde_json::{Value as Json, json};
use unicode_width::UnicodeWidthStr as _;

use super::is_array;
use super::label::size;
use crate::bytes;
use crate::canonical;
use crate::colour::bold;
use crate::place;
use crate::printable::{line, short};

/// How many characters of a datatype are shown.
const CHARACTERS: usize = 40;

/// Lists the arrays below a node.
pub(super) fn list(file: &File, root: NodeRef<'_>, path: &Path, out: &mut dyn Write) -> std::io::Result<()> {
    let mut rows = vec![["PATH", "DATATYPE", "SHAPE", "SIZE", "STORED"].map(str::to_owned)];
    for (path, node) in arrays(root, path) {
        let path = line(place::shown(path.as_str()));
        rows.push(match NdArray::from_node(node) {
            Ok(array) => {
                let datatype = short(&array.datatype().to_string(), CHARACTERS);
                let size = size(&array).map(bytes::shown).unwrap_or_default();
                [path, datatype, format!("{:?}", array.shape()), size, stored(file, &array)]
            }
            Err(error) => [
                path,
                format!("damaged array ({})", line(error.message())),
                String::new(),
                String::new(),
                String::new(),
            ],
        });
    }
    if rows.len() == 1 {
        return writeln!(out, "no arrays");
    }
    let widths: Vec<usize> = (0..5)
        .map(|at| rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.width()).max().unwrap_or(0))
        .collect();
    for (number, row) in rows.iter().enumerate() {
        let mut text = String::new();
        for (at, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let gap = " ".repeat(width.saturating_sub(cell.width()));
            text.push_str(if at > 0 { "  " } else { "" });
            // Sizes are compared by their ends.
            let parts = if at == 3 { [gap.as_str(), cell] } else { [cell.as_str(), &gap] };
            text.extend(parts);
        }
        let text = text.trim_end();
        if number == 0 { writeln!(out, "{}", bold(text)) } else { writeln!(out, "{text}") }?;
    }
    Ok(())
}

/// The same for programs.
pub(super) fn json(file: &File, root: NodeRef<'_>, path: &Path) -> Json {
    let described = |(path, node): (Path, NodeRef<'_>)| match NdArray::from_node(node) {
        Ok(array) => {
            let block = block(file, &array);
            json!({
                "path": path.as_str(),
                "datatype": canonical::datatype(array.datatype()),
                "shape": array.shape(),
                "size": size(&array),
                "stored_size": block.as_ref().map(|(_, used)| used),
                "compression": block.as_ref().map(|(label, _)| label),
            })
        }
        Err(error) => json!({"path": path.as_str(), "error": error.message()}),
    };
    arrays(root, path).map(described).collect()
}

fn arrays<'a>(root: NodeRef<'a>, path: &Path) -> impl Iterator<Item = (Path, NodeRef<'a>)> {
    let above = path.clone();
    root.search().filter_node(is_array).map(move |found| {
        let mut path = above.to_string();
        path.push_str(found.path.as_str());
        (Path::from(path.as_str()), found.node)
    })
}

/// The compression and the stored bytes of the block that an array is in.
fn block(file: &File, array: &NdArray) -> Option<(String, u64)> {
    let number = usize::try_from(array.source()?).ok()?;
    let blocks = file.blocks().ok()?;
    let header = blocks.get(number)?.header();
    (!header.streamed()).then(|| (header.compression.to_string(), header.used_size))
}

fn stored(file: &File, array: &NdArray) -> String {
    if let Some(uri) = array.external() {
        return format!("in {}", line(uri));
    }
    if array.is_inline() {
        return "inline".to_owned();
    }
    match block(file, array) {
        Some((label, used)) if label.is_empty() => bytes::shown(used),
        Some((label, used)) => format!("{} {label}", bytes::shown(used)),
        None => "streamed".to_owned(),
    }
}
