//! `asdf repair`: a damaged file made one that can be read.

use std::fs::File as Disk;
use std::io::{Read as _, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};

use asdf_core::block::{Header, Md5, index};
use asdf_core::file::{FileBlock, IndexState, Replacement, replace};
use asdf_core::{Error, Result};

use crate::commands::{Outcome, output};
use crate::opening;
use crate::printable::line;
use crate::target::Target;

/// Mend what can be mended in a file: a wrong or missing block index, a last block that was cut short, and,
/// with --checksums, checksums. Says what was mended, and what is lost.
///
/// The new file is FILE with `_repaired` added to its name, or that of --output; it can be FILE itself with
/// --force. Bytes that are gone become zeros, so that what is before them can be read; a compressed block
/// that was cut cannot be decoded any more, but all other blocks can. Where nothing is wrong, nothing is
/// written.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf repair cut.asdf                                  writes cut_repaired.asdf
  asdf repair --force --output cut.asdf cut.asdf
  asdf repair --checksums edited_by_hand.asdf")]
pub(crate) struct Args {
    #[command(flatten)]
    target: Target,

    /// Make the checksums of all blocks those of the bytes that they have now, damaged or not
    #[arg(long)]
    checksums: bool,

    /// Print JSON: {"asdf_repair": 1, "file", "output", "mended": [text], "lost": [text]}
    #[arg(long)]
    json: bool,

    /// The file
    file: PathBuf,
}

/// What is to be done with a copy of the file.
#[derive(Default)]
struct Repair {
    /// Where the last block ends.
    end: u64,
    /// Headers to be written anew, with their offsets.
    headers: Vec<(u64, Header)>,
    index: Option<String>,
    mended: Vec<String>,
    lost: Vec<String>,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome> {
    let repair = plan(args)?;
    let written = match repair.mended.is_empty() {
        true => None,
        false => {
            let path = args.target.path(&args.file, "_repaired")?;
            carry_out(&repair, args, &path)?;
            Some(path.display().to_string())
        }
    };
    let name = args.file.display().to_string();
    if args.json {
        let told = serde_json::json!({
            "asdf_repair": 1, "file": name, "output": written, "mended": repair.mended, "lost": repair.lost,
        });
        writeln!(out, "{told}").map_err(output)?;
    } else {
        for text in &repair.mended {
            writeln!(out, "{}: mended: {text}", line(&name)).map_err(output)?;
        }
        for text in &repair.lost {
            writeln!(out, "{}: lost: {text}", line(&name)).map_err(output)?;
        }
        match &written {
            Some(path) => writeln!(out, "{}: written", line(path)),
            None => writeln!(out, "{}: nothing to mend", line(&name)),
        }
        .map_err(output)?;
    }
    Ok(if repair.lost.is_empty() { Outcome::Fine } else { Outcome::NotFine })
}

fn io(path: &Path) -> impl Fn(std::io::Error) -> Error + '_ {
    move |error| Error::io("reading", error).at_file(path)
}

/// Looks at all blocks.
fn plan(args: &Args) -> Result<Repair> {
    /// A block that claims more than this lies about its size.
    const MOST: u64 = 1 << 40;
    let file = opening::open(&args.file)?;
    let mut disk = Disk::open(&args.file).map_err(io(&args.file))?;
    let mut begins = [0; 6];
    disk.read_exact(&mut begins).map_err(io(&args.file))?;
    if &begins != b"#ASDF " || file.warnings().iter().any(|warning| warning.message().contains("draft 0.1.0"))
    {
        return Err(Error::unsupported("drafts of the format are not repaired")
            .at_file(&args.file)
            .with_hint("`asdf convert` makes a file of today of it"));
    }
    let len = disk.metadata().map_err(io(&args.file))?.len();
    let blocks = file.blocks()?;
    let mut repair = Repair { end: len, ..Repair::default() };
    let streamed = blocks.last().is_some_and(|block| block.header().streamed());
    for block in &blocks {
        let Some(end) = block.header().end(block.offset())? else { continue };
        repair.end = end;
        if let Some(missing) = end.checked_sub(len).filter(|&missing| missing > 0) {
            if missing > MOST {
                return Err(Error::malformed(format!(
                    "block {} says that it has {missing} bytes more than the file, which is not to be believed",
                    block.number()
                ))
                .at_file(&args.file)
                .at_offset(block.offset()));
            }
            cut(block, len, missing, &mut repair);
        } else if !args.checksums && !block.checksum()?.is_ok() {
            repair.lost.push(format!(
                "block {} has other bytes than its checksum says; --checksums takes those that it has",
                block.number()
            ));
        }
        if args.checksums {
            checksum(block, len, &mut disk, &mut repair).map_err(io(&args.file))?;
        }
    }
    let offsets: Vec<u64> = blocks.iter().map(|block| block.offset()).collect();
    let state = file.index();
    if !blocks.is_empty() && !streamed && (repair.end > len || !matches!(state, Ok(IndexState::Right))) {
        repair.mended.push(match state {
            Ok(IndexState::Wrong) => "the block index, which was wrong".to_owned(),
            _ => "the block index, which was missing".to_owned(),
        });
        repair.index = Some(index::emit(&offsets));
    }
    Ok(repair)
}

/// The last block was cut short: tells how much of it is lost.
fn cut(block: &FileBlock, len: u64, missing: u64, repair: &mut Repair) {
    let header = block.header();
    let number = block.number();
    let here = header.data_offset(block.offset()).map_or(0, |start| len.saturating_sub(start));
    let lost = header.used_size.saturating_sub(here);
    repair.mended.push(format!("block {number}, which was cut by {missing} bytes: they are zeros now"));
    match lost {
        // Only free space is gone.
        0 => {}
        _ if header.compression.is_none() => {
            repair.lost.push(format!("the last {lost} of {} bytes of block {number}", header.used_size))
        }
        _ => repair.lost.push(format!(
            "block {number}: {lost} of its {} bytes of {} are gone, and the rest does not decode",
            header.used_size, header.compression
        )),
    }
}

/// Finds the checksum of the bytes that a block will have.
fn checksum(block: &FileBlock, len: u64, disk: &mut Disk, repair: &mut Repair) -> std::io::Result<()> {
    let header = block.header();
    let start = block.offset().saturating_add(Header::PREFIX as u64 + u64::from(header.header_size));
    let mut digest = Md5::new();
    let mut buffer = vec![0; 1 << 16];
    let mut left = header.used_size;
    disk.seek(SeekFrom::Start(start.min(len)))?;
    while left > 0 {
        let most = usize::try_from(left).unwrap_or(usize::MAX).min(buffer.len());
        let piece = buffer.get_mut(..most).unwrap_or_default();
        let read = disk.read(piece)?;
        // What is beyond the end will be zeros.
        let piece = match read {
            0 => {
                piece.fill(0);
                piece
            }
            read => piece.get_mut(..read).unwrap_or_default(),
        };
        digest.update(piece);
        left -= piece.len() as u64;
    }
    let found = digest.finish();
    if found != header.checksum {
        repair.mended.push(format!("the checksum of block {}", block.number()));
        repair.headers.push((block.offset(), Header { checksum: found, ..header.clone() }));
    }
    Ok(())
}

/// Copies the file and changes the copy.
fn carry_out(repair: &Repair, args: &Args, path: &Path) -> Result<()> {
    let change = |out: &mut Replacement<'_>| -> std::io::Result<()> {
        let old = Disk::open(&args.file)?;
        let end = repair.index.as_ref().map_or(u64::MAX, |_| repair.end);
        std::io::copy(&mut old.take(end), out)?;
        for (offset, header) in &repair.headers {
            // The fields that the standard defines; what an enlarged header has beyond them stays.
            out.seek(SeekFrom::Start(*offset))?;
            out.write_all(header.emit().get(..Header::LEN).unwrap_or_default())?;
        }
        if let Some(index) = &repair.index {
            // What was cut off becomes zeros.
            out.seek(SeekFrom::Start(repair.end))?;
            out.write_all(index.as_bytes())?;
        }
        Ok(())
    };
    replace(path, |out| {
        change(out).map_err(|error| Error::io("writing the repaired file", error).at_file(path))
    })
}
