//! `asdf repair`: makes a damaged file one that can be read.

use std::io::Write;
use std::path::PathBuf;

use asdf_core::Result;
use asdf_core::file::repair::{Repair, RepairOptions};

use crate::commands::{Outcome, output};
use crate::files::Input;
use crate::opening;
use crate::printable::line;
use crate::target::{Target, not_for_terminals};

/// Repair a damaged file: rebuild the block index, mend block headers, pad a block that was cut.
///
/// Reports what was mended, which arrays lost data, and which blocks do not match their checksums; then the
/// exit code is 1. Finds blocks by the block index, by the sizes in headers, and by the arrays that need them.
///
/// The new file is FILE with `_repaired` added to its name, or the one named by --output; with --force it can
/// be FILE itself. Bytes that are missing at the end of an array become zeros. A compressed block that was cut
/// cannot be decoded any more. If there is nothing to mend, no file is written; standard output gets FILE as it is.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf repair cut.asdf                                  writes cut_repaired.asdf
  asdf repair --force --output cut.asdf cut.asdf
  asdf repair --checksums edited_by_hand.asdf
  curl -s https://example.org/cut.asdf | asdf repair - > whole.asdf")]
pub(crate) struct Args {
    #[command(flatten)]
    target: Target,

    /// Accept the data of all blocks as they are: make their checksums match
    #[arg(long)]
    checksums: bool,

    /// Print JSON: {"asdf_repair": 1, "file", "output", "mended": [text], "lost": [text], "damaged": [text]}
    #[arg(long)]
    json: bool,

    /// The file, or - for standard input
    file: PathBuf,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome> {
    let file = opening::open_quietly(&args.file)?;
    let repair = RepairOptions::new().accept_checksums(args.checksums).plan(&file)?;
    let name = Input::named(args.file.clone()).name();
    let mut messages = std::io::stderr();
    let mut told: &mut dyn Write = out;
    let mut written = None;
    if args.target.is_std(&args.file) {
        // A pipe gets the file even if there is nothing to repair.
        not_for_terminals()?;
        told.write_all(&repair.to_bytes()?).map_err(output)?;
        told = &mut messages;
    } else if !repair.mended().is_empty() {
        let path = args.target.path(&args.file, "_repaired")?;
        repair.write(&path)?;
        written = Some(path.display().to_string());
    }
    if args.json { json(&repair, &name, written, told) } else { text(&repair, &name, written, told) }
        .map_err(output)?;
    let is_whole = repair.losses().is_empty() && repair.damages().is_empty();
    Ok(if is_whole { Outcome::Fine } else { Outcome::NotFine })
}

fn json(repair: &Repair, name: &str, written: Option<String>, out: &mut dyn Write) -> std::io::Result<()> {
    fn texts<T: ToString>(all: &[T]) -> Vec<String> {
        all.iter().map(ToString::to_string).collect()
    }
    let told = serde_json::json!({
        "asdf_repair": 1,
        "file": name,
        "output": written,
        "mended": texts(repair.mended()),
        "lost": texts(repair.losses()),
        "damaged": texts(repair.damages()),
    });
    writeln!(out, "{told}")
}

fn text(repair: &Repair, name: &str, written: Option<String>, out: &mut dyn Write) -> std::io::Result<()> {
    let name = line(name);
    for mended in repair.mended() {
        writeln!(out, "{name}: mended: {mended}")?;
    }
    for loss in repair.losses() {
        writeln!(out, "{name}: lost: {}", line(&loss.to_string()))?;
    }
    for damage in repair.damages() {
        writeln!(out, "{name}: damaged: {}", line(&damage.to_string()))?;
    }
    if !repair.damages().is_empty() {
        writeln!(out, "  hint: pass --checksums to accept the data as they are")?;
    }
    match written {
        Some(path) => writeln!(out, "{}: written", line(&path)),
        None if !repair.mended().is_empty() => Ok(()),
        None if repair.losses().is_empty() && repair.damages().is_empty() => {
            writeln!(out, "{name}: nothing to repair")
        }
        None => writeln!(out, "{name}: cannot be repaired"),
    }
}
