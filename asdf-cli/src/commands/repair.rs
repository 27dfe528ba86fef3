//! `asdf repair`: repairs damaged files.

use std::io::Write;
use std::path::PathBuf;

use asdf_core::Result;
use asdf_core::file::repair::{Loss, LossKind, Repair, RepairOptions};
use asdf_tables::json::Printable;

use crate::context::Context;
use crate::input::Input;
use crate::new_file::{NewFile, not_for_terminals};
use crate::outcome::{Outcome, output};
use crate::printable::line;
use crate::remote;

/// Repair a damaged file: block index, block headers, truncated blocks.
///
/// Reports the repairs, arrays that lost data, blocks with a checksum mismatch, and arrays that the tree describes
/// wrongly. The exit code is 1 if any of the last three were found. The tree is never changed.
///
/// Finds blocks by the block index, by the sizes in block headers, and by the arrays that need them.
///
/// The new file is that of --output, or FILE with `_repaired` added to its name. With --force it can be FILE itself.
/// Missing bytes at the end of an array become zeros. A truncated compressed block cannot be decoded any more. If
/// there is nothing to repair, no file is written, but standard output gets FILE unchanged.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf repair cut.asdf                                  writes cut_repaired.asdf
  asdf repair --force --output cut.asdf cut.asdf
  asdf repair --checksums edited_by_hand.asdf
  curl -s https://example.org/cut.asdf | asdf repair - > whole.asdf")]
pub(crate) struct Args {
    #[command(flatten)]
    target: NewFile,

    /// Accept the data of all blocks, and correct their checksums
    #[arg(long)]
    checksums: bool,

    /// Print JSON about the repairs
    ///
    /// {"asdf_repair": 1, "file", "output", "mended": [text], "lost": [text], "damaged": [text], "wrong": [text]}
    #[arg(long)]
    json: bool,

    /// The file, or - for standard input
    file: PathBuf,
}

pub(crate) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Outcome> {
    let file = context.open_quietly(&args.file)?;
    let repair = RepairOptions::new().accept_checksums(args.checksums).plan(&file)?;
    let name = Input::named(args.file.clone()).name();
    let mut messages = std::io::stderr();
    let mut report: &mut dyn Write = out;
    let mut written = None;
    if args.target.is_std(&args.file) {
        // A pipe gets the file even if there is nothing to repair.
        not_for_terminals()?;
        report.write_all(&repair.to_bytes()?).map_err(output)?;
        report = &mut messages;
    } else if !repair.mended().is_empty() {
        let path = args.target.path(&args.file, "_repaired", &context.remote)?;
        match remote::url(&path) {
            Some(url) => {
                context.remote.write(url, |out| out.write_all(&repair.to_bytes()?).map_err(output))?
            }
            None => repair.write(&path)?,
        }
        written = Some(path.display().to_string());
    }
    if args.json { json(&repair, &name, written, report) } else { text(&repair, &name, written, report) }
        .map_err(output)?;
    let is_whole = repair.losses().is_empty() && repair.damages().is_empty() && repair.faults().is_empty();
    Ok(if is_whole { Outcome::Fine } else { Outcome::NotFine })
}

/// Returns whether a file has no faults after its repair.
fn is_whole(repair: &Repair) -> bool {
    repair.losses().is_empty() && repair.damages().is_empty() && repair.faults().is_empty()
}

/// Lost data and errors in the tree, one line each.
struct Faults {
    lost: Vec<String>,
    wrong: Vec<String>,
    /// The hint for errors in the tree.
    hint: &'static str,
}

impl Faults {
    fn of(repair: &Repair) -> Self {
        // If all blocks are valid, the tree is wrong: it refers to data that the file does not have.
        let is_of_tree = |loss: &&Loss| {
            let is_missing = matches!(loss.kind, LossKind::NoBlock { .. } | LossKind::Short { .. });
            is_missing && repair.mended().is_empty()
        };
        let (missing, lost): (Vec<&Loss>, Vec<&Loss>) = repair.losses().iter().partition(is_of_tree);
        let described = repair.faults().iter().map(|error| {
            let path = error.path().filter(|path| !path.is_empty()).unwrap_or("/");
            format!("{path}: {}", error.message())
        });
        let hint = match missing.iter().any(|loss| matches!(loss.kind, LossKind::NoBlock { .. })) {
            true => "run `asdf validate` to see the lines; if the file was truncated, the data is lost",
            false => "run `asdf validate` to see the lines",
        };
        let wrong = described.chain(missing.into_iter().map(ToString::to_string)).collect();
        Self { lost: lost.into_iter().map(ToString::to_string).collect(), wrong, hint }
    }
}

fn json(repair: &Repair, name: &str, written: Option<String>, out: &mut dyn Write) -> std::io::Result<()> {
    fn texts<T: ToString>(all: &[T]) -> Vec<String> {
        all.iter().map(ToString::to_string).collect()
    }
    let faults = Faults::of(repair);
    let report = serde_json::json!({
        "asdf_repair": 1,
        "file": name,
        "output": written,
        "mended": texts(repair.mended()),
        "lost": faults.lost,
        "damaged": texts(repair.damages()),
        "wrong": faults.wrong,
    });
    writeln!(out, "{}", Printable(&report))
}

fn text(repair: &Repair, name: &str, written: Option<String>, out: &mut dyn Write) -> std::io::Result<()> {
    let name = line(name);
    for mended in repair.mended() {
        writeln!(out, "{name}: repaired: {}", line(&mended.to_string()))?;
    }
    let faults = Faults::of(repair);
    for lost in &faults.lost {
        writeln!(out, "{name}: lost: {}", line(lost))?;
    }
    for wrong in &faults.wrong {
        writeln!(out, "{name}: invalid tree: {}", line(wrong))?;
    }
    if !faults.wrong.is_empty() {
        writeln!(out, "  hint: {}", faults.hint)?;
    }
    for damage in repair.damages() {
        writeln!(out, "{name}: damaged: {}", line(&damage.to_string()))?;
    }
    if !repair.damages().is_empty() {
        writeln!(out, "  hint: pass --checksums to accept the data")?;
    }
    match written {
        Some(path) => writeln!(out, "{}: written", line(&path)),
        None if !repair.mended().is_empty() => Ok(()),
        None if is_whole(repair) => writeln!(out, "{name}: nothing to repair"),
        None => writeln!(out, "{name}: cannot be repaired"),
    }
}
