//! The list of arrays.

use std::io::Write;

use asdf_core::tree::{NodeRef, Path};
use asdf_core::value::FromNode;
use asdf_core::{File, NdArray};
use asdf_tables::json;
use serde_json::{Value as Json, json};
use unicode_width::UnicodeWidthStr as _;

use super::is_array;
use super::label::size;
use super::names::{Name, Names};
use crate::bytes;
use crate::colour::Colours;
use crate::printable::{line, short};

/// The most characters of a datatype.
const CHARACTERS: usize = 40;

/// The number of columns, and the index of that with sizes.
const COLUMNS: usize = 6;
const SIZE: usize = 4;

/// Prints the arrays below a node, one per line.
pub(super) fn list(
    file: &File,
    root: NodeRef<'_>,
    path: &Path,
    colours: Colours,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let mut rows = vec![["PATH", "DATATYPE", "SHAPE", "UNIT", "SIZE", "STORED"].map(str::to_owned)];
    let mut names = Names::new(root.tree());
    for (path, node) in arrays(root, path) {
        let Name { path, unit } = names.of(path.as_str());
        let (path, unit) = (line(&path), short(&unit.unwrap_or_default(), CHARACTERS));
        rows.push(match NdArray::from_node(node) {
            Ok(array) => {
                let datatype = short(&array.datatype().to_string(), CHARACTERS);
                let size = size(&array).map(bytes::shown).unwrap_or_default();
                [path, datatype, format!("{:?}", array.shape()), unit, size, stored(file, &array)]
            }
            Err(error) => {
                let mut row = [const { String::new() }; COLUMNS];
                let damage = format!("damaged array ({})", line(error.message()));
                row.iter_mut().zip([path, damage]).for_each(|(cell, text)| *cell = text);
                row
            }
        });
    }
    if rows.len() == 1 {
        return writeln!(out, "no arrays");
    }
    // Most files have no units, and then no column for them.
    let is_empty = |at: usize| rows.iter().skip(1).filter_map(|row| row.get(at)).all(String::is_empty);
    let widths: Vec<usize> = (0..COLUMNS)
        .map(|at| rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.width()).max().unwrap_or(0))
        .collect();
    let shown: Vec<usize> = (0..COLUMNS).filter(|at| !is_empty(*at)).collect();
    for (number, row) in rows.iter().enumerate() {
        let mut text = String::new();
        for &at in &shown {
            let (Some(cell), Some(width)) = (row.get(at), widths.get(at)) else { continue };
            let gap = " ".repeat(width.saturating_sub(cell.width()));
            text.push_str(if at > 0 { "  " } else { "" });
            // Sizes are aligned to the right, to be compared.
            let parts = if at == SIZE { [gap.as_str(), cell] } else { [cell.as_str(), &gap] };
            text.extend(parts);
        }
        let text = text.trim_end();
        if number == 0 { writeln!(out, "{}", colours.bold(text)) } else { writeln!(out, "{text}") }?;
    }
    Ok(())
}

/// Returns the arrays below a node as JSON.
pub(super) fn json(file: &File, root: NodeRef<'_>, path: &Path) -> Json {
    let mut names = Names::new(root.tree());
    let described = |(path, node): (Path, NodeRef<'_>)| match NdArray::from_node(node) {
        Ok(array) => {
            let block = block(file, &array);
            json!({
                "path": path.as_str(),
                "datatype": json::datatype(array.datatype()),
                "shape": array.shape(),
                "unit": names.of(path.as_str()).unit,
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
    root.search().filter_node(is_array).map(move |found| (above.join(&found.path), found.node))
}

/// Returns the compression and the stored bytes of an array's block.
fn block(file: &File, array: &NdArray) -> Option<(String, u64)> {
    let number = usize::try_from(array.source()?).ok()?;
    let blocks = file.blocks().ok()?;
    let header = blocks.get(number)?.header();
    (!header.is_streamed()).then(|| (header.compression.to_string(), header.used_size))
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
