//! Reads YAML documents and prints their contents: `read_trees FOLDER` prints one line for each file of the folder,
//! `{"name": ..., "value": ...}` or `{"name": ..., "error": ...}`.

use std::io::{BufWriter, Write as _};

use asdf_core::yaml;
use asdf_tests::{quoted, typed};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args_os().nth(1).ok_or("usage: read_trees FOLDER")?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = quoted(&path.file_name().unwrap_or_default().to_string_lossy());
        let text = String::from_utf8_lossy(&std::fs::read(&path)?).into_owned();
        match yaml::parse(&text) {
            Ok(tree) => writeln!(out, "{{\"name\":{name},\"value\":{}}}", typed(&tree))?,
            Err(error) => writeln!(out, "{{\"name\":{name},\"error\":{}}}", quoted(&error.to_string()))?,
        }
    }
    out.flush()?;
    Ok(())
}
