//! The texts of schema files.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use asdf_core::{Error, Result, Threads};

/// Files beyond which a thread more is worth it.
const SHARE: usize = 100;

/// The texts of files, in their order, read by several threads if there are many: a program that checks one
/// file waits for them.
pub(super) fn texts<P: AsRef<Path> + Sync>(files: &[P], threads: Threads) -> Vec<Result<Arc<str>>> {
    let share = if files.len() <= SHARE { SHARE } else { files.len().div_ceil(threads.count()).max(SHARE) };
    let shares: Vec<&[P]> = files.chunks(share).collect();
    let texts = threads.map(&shares, |files| {
        // One buffer for all: to ask each file for its length takes as long as to read it.
        let mut buffer = Vec::with_capacity(1 << 16);
        let texts = files.iter().map(|file| read_with(file.as_ref(), &mut buffer).map(Arc::from));
        texts.collect::<Vec<_>>()
    });
    texts.into_iter().flatten().collect()
}

/// The text of a file.
pub(crate) fn read(file: &Path) -> Result<String> {
    read_with(file, &mut Vec::new()).map(str::to_owned)
}

fn read_with<'b>(file: &Path, buffer: &'b mut Vec<u8>) -> Result<&'b str> {
    let failed = |error| Error::io("reading a schema", error).at_file(file);
    buffer.clear();
    File::open(file).and_then(|file| file.take(u64::MAX).read_to_end(buffer)).map_err(failed)?;
    std::str::from_utf8(buffer).map_err(|error| failed(io::Error::new(io::ErrorKind::InvalidData, error)))
}

/// The value of the line that begins with `id:`. What stands below a key of the outermost mapping is
/// indented, so a line that is not indented is that mapping's. `None` when the value is not plain to see.
pub(super) fn id_line(text: &str) -> Option<&str> {
    let value = text.lines().find_map(|line| line.strip_prefix("id:"))?.trim();
    if let Some(quote) = value.chars().next().filter(|first| matches!(first, '"' | '\'')) {
        let (id, after) = value.get(1..)?.split_once(quote)?;
        let after = after.trim_start();
        return (!id.contains('\\') && (after.is_empty() || after.starts_with('#'))).then_some(id);
    }
    let id = value.split(" #").next()?.trim_end();
    // A colon or a `#` inside a URI has no blank beside it.
    let plain = id.starts_with(|first: char| first.is_ascii_alphabetic())
        && id.contains(':')
        && !id.contains(|c: char| c.is_whitespace());
    plain.then_some(id)
}
