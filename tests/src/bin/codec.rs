//! Encodes or decodes the stored bytes of blocks, one for each line of standard input:
//! `encode COMPRESSION ITEM CHUNK IN OUT` (0 for a default) or `decode LABEL SIZE IN OUT`.
//! It answers with one line on standard output: an error, or an empty line.

use std::io::{BufRead, Write};

use asdf_core::block::codec::{Encoding, find};
use asdf_core::{Compression, Error, Result};

fn main() -> Result<()> {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|e| Error::io("reading standard input", e))?;
        let said = run(&line).err().map(|e| e.to_string()).unwrap_or_default();
        writeln!(out, "{said}").map_err(|e| Error::io("writing", e))?;
    }
    Ok(())
}

fn run(line: &str) -> Result<()> {
    let words: Vec<&str> = line.split('\t').collect();
    let number = |word: &str| word.parse::<u64>().map_err(|e| Error::usage(format!("{word}: {e}")));
    let read = |path: &str| std::fs::read(path).map_err(|e| Error::io("reading", e).at_file(path));
    let (bytes, path) = match words.as_slice() {
        ["encode", compression, item, chunk, from, to] => {
            let compression: Compression = compression.parse()?;
            let mut how = Encoding::new().with_rows(number(item)?, 0);
            how.level = compression.level();
            how.chunk = Some(number(chunk)?).filter(|&chunk| chunk > 0);
            (find(compression.label())?.encode(&read(from)?, &how)?, to)
        }
        ["decode", label, size, from, to] => (find(label.parse()?)?.decode(&read(from)?, number(size)?)?, to),
        _ => {
            return Err(Error::usage(format!(
                "\"{line}\": expected `encode` or `decode` and five or four more"
            )));
        }
    };
    std::fs::write(path, bytes).map_err(|e| Error::io("writing", e).at_file(*path))
}
