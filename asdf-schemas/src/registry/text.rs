//! Reads the texts of schema files.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use asdf_core::{Error, Result, Threads};

/// The number of files that justifies another thread.
const SHARE: usize = 100;

/// Reads the texts of files, in their order. Uses several threads for many files.
pub(super) fn texts<P: AsRef<Path> + Sync>(files: &[P], threads: Threads) -> Vec<Result<Arc<str>>> {
    let share = if files.len() <= SHARE { SHARE } else { files.len().div_ceil(threads.count()).max(SHARE) };
    let shares: Vec<&[P]> = files.chunks(share).collect();
    let texts = threads.map(&shares, |files| {
        // One buffer for all files: querying the length of a file takes as long as reading it.
        let mut buffer = Vec::with_capacity(1 << 16);
        let texts = files.iter().map(|file| read_with(file.as_ref(), &mut buffer).map(Arc::from));
        texts.collect::<Vec<_>>()
    });
    texts.into_iter().flatten().collect()
}

/// Reads the text of a file.
pub(crate) fn read(file: &Path) -> Result<String> {
    read_with(file, &mut Vec::new()).map(str::to_owned)
}

fn read_with<'b>(file: &Path, buffer: &'b mut Vec<u8>) -> Result<&'b str> {
    let failed = |error| Error::io("reading a schema", error).at_file(file);
    buffer.clear();
    File::open(file).and_then(|file| file.take(u64::MAX).read_to_end(buffer)).map_err(failed)?;
    std::str::from_utf8(buffer).map_err(|error| failed(io::Error::new(io::ErrorKind::InvalidData, error)))
}

/// Returns the value of the line that begins with `id:`, which is a key of the outermost mapping because it is not indented.
/// Returns `None` if a YAML parser is needed to read the value.
pub(super) fn id_line(text: &str) -> Option<&str> {
    let value = text.lines().find_map(|line| line.strip_prefix("id:"))?.trim();
    if let Some(quote) = value.chars().next().filter(|first| matches!(first, '"' | '\'')) {
        let (id, after) = value.get(1..)?.split_once(quote)?;
        let after = after.trim_start();
        return (!id.contains('\\') && (after.is_empty() || after.starts_with('#'))).then_some(id);
    }
    let id = value.split(" #").next()?.trim_end();
    // In a URI, no blank follows a colon or precedes a `#`.
    let plain = id.starts_with(|first: char| first.is_ascii_alphabetic())
        && id.contains(':')
        && !id.contains(|c: char| c.is_whitespace());
    plain.then_some(id)
}
