//! The trials of one file.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use asdf_core::{Error, File, Result};
use asdf_schemas::Validator;

use super::contents::{Arrays, Contents};
use super::damages::{Damage, damages};
use super::options;
use super::samples::Sample;
use super::writing::{Way, ways};

/// Each damage of this number is also written in other forms.
const WRITTEN: usize = 5;

/// The results of trials.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    tried: usize,
    refused: usize,
    errors: usize,
    unchanged: usize,
    other_trees: usize,
    unchecked: usize,
    written: usize,
    pub(crate) panics: usize,
    pub(crate) wrong: usize,
    pub(crate) slowest: Duration,
}

impl Counts {
    pub(crate) const COLUMNS: [&'static str; 9] = [
        "damages",
        "not opened",
        "errors",
        "unchanged",
        "other valid trees",
        "no checksum",
        "written again",
        "panics",
        "wrong",
    ];

    pub(crate) fn add(&mut self, other: &Self) {
        self.tried += other.tried;
        self.refused += other.refused;
        self.errors += other.errors;
        self.unchanged += other.unchanged;
        self.other_trees += other.other_trees;
        self.unchecked += other.unchecked;
        self.written += other.written;
        self.panics += other.panics;
        self.wrong += other.wrong;
        self.slowest = self.slowest.max(other.slowest);
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = [
            self.tried,
            self.refused,
            self.errors,
            self.unchanged,
            self.other_trees,
            self.unchecked,
            self.written,
            self.panics,
            self.wrong,
        ];
        f.write_str(&counts.map(|count| count.to_string()).join(" | "))
    }
}

/// How a damaged file was read.
enum Verdict {
    /// It was not opened.
    Refused,
    /// An array, a block or a value has an error.
    Error,
    /// All values are as before.
    Unchanged,
    /// The tree changed, and is valid.
    OtherTree,
    /// Elements changed whose block has no checksum.
    Unchecked,
}

/// A file to damage, with its contents.
pub(crate) struct Trials<'s> {
    sample: &'s Sample,
    folder: &'s Path,
    validator: Arc<Validator>,
    whole: Contents,
    /// The text of the tree, which ends where the blocks begin.
    tree: String,
    tree_end: usize,
    /// The paths of arrays in blocks with a checksum.
    checked: Vec<String>,
    /// The ways to write the file, with what is read afterwards.
    ways: Vec<(Way, Arrays)>,
}

impl<'s> Trials<'s> {
    pub(crate) fn new(sample: &'s Sample, folder: &'s Path) -> Result<Self> {
        let file = open(sample, &sample.bytes, true)?;
        let whole = Contents::of(&file, false);
        let has_checksum = |node: asdf_core::NodeRef<'_>| match node.block_reference() {
            Some(source) => {
                match (source.as_i64().and_then(|number| usize::try_from(number).ok()), &whole.blocks) {
                    (Some(number), Ok(blocks)) => matches!(blocks.get(number), Some(Ok(true))),
                    _ => source.as_i64().is_none(),
                }
            }
            None => false,
        };
        let mut checked = Vec::new();
        let mut walk = file.tree().root().map(asdf_core::NodeRef::walk);
        while let Some(node) = walk.as_mut().and_then(Iterator::next) {
            let path = walk.as_ref().map(|walk| walk.path().to_string()).unwrap_or_default();
            if whole.arrays.contains_key(&path) && has_checksum(node) {
                checked.push(path);
            }
        }
        let end = sample.bytes.windows(5).position(|part| part == b"\n...\n");
        let mut trials = Self {
            sample,
            folder,
            validator: Validator::standard(),
            tree: file.tree().text().to_owned(),
            tree_end: end.map_or(sample.bytes.len(), |end| end + 5),
            whole,
            checked,
            ways: Vec::new(),
        };
        for way in ways().into_iter().filter(|way| way.name != "in place" || sample.paths.is_none()) {
            let arrays = way.arrays(&file, &sample.bytes, folder)?;
            trials.ways.push((way, arrays));
        }
        if trials.whole.has_error() {
            return Err(Error::usage(format!("{}: the undamaged file has errors", sample.name)));
        }
        Ok(trials)
    }

    /// Tries every damage, or each of a number.
    pub(crate) fn run(&self, every: usize) -> Counts {
        let mut counts = Counts::default();
        for (number, damage) in damages(&self.sample.bytes).step_by(every.max(1)).enumerate() {
            let begin = Instant::now();
            counts.tried += 1;
            let name = &self.sample.name;
            match catch_unwind(AssertUnwindSafe(|| self.verdict(&damage))) {
                Ok(Ok(Verdict::Refused)) => counts.refused += 1,
                Ok(Ok(Verdict::Error)) => counts.errors += 1,
                Ok(Ok(Verdict::Unchanged)) => counts.unchanged += 1,
                Ok(Ok(Verdict::OtherTree)) => counts.other_trees += 1,
                Ok(Ok(Verdict::Unchecked)) => counts.unchecked += 1,
                Ok(Err(why)) => {
                    println!("{name}: {}: {why}", damage.what);
                    counts.wrong += 1;
                }
                Err(_) => {
                    println!("{name}: {}: panic", damage.what);
                    counts.panics += 1;
                }
            }
            counts.slowest = counts.slowest.max(begin.elapsed());
            if damage.at >= self.tree_end && number % WRITTEN == 0 {
                counts.written += 1;
                match catch_unwind(AssertUnwindSafe(|| self.written(&damage))) {
                    Ok(Ok(())) => {}
                    Ok(Err(why)) => {
                        println!("{name}: {}: {why}", damage.what);
                        counts.wrong += 1;
                    }
                    Err(_) => {
                        println!("{name}: {}: panic when written", damage.what);
                        counts.panics += 1;
                    }
                }
            }
        }
        // The next sample can refer to this file.
        let _ = open(self.sample, &self.sample.bytes, false);
        counts
    }

    fn verdict(&self, damage: &Damage) -> std::result::Result<Verdict, String> {
        let Ok(file) = open(self.sample, &damage.bytes, true) else { return Ok(Verdict::Refused) };
        let found = Contents::of(&file, false);
        if let Some(difference) = found.difference(&Contents::of(&file, true)) {
            return Err(format!("a second reading differs: {difference}"));
        }
        let file =
            open(self.sample, &damage.bytes, false).map_err(|error| format!("not opened again: {error}"))?;
        let unchecked = Contents::of(&file, true);
        if unchecked.damaged() != found.damaged() {
            return Err(format!("without checks: {:?}, then {:?}", found.blocks, unchecked.blocks));
        }
        let is_valid = self.validator.validate_file(&file).is_valid();
        if damage.at >= self.tree_end {
            if let Some(path) = self.changed(&found.arrays) {
                return Err(format!("{path} changed without an error"));
            }
            if let Some(path) = self.changed(&unchecked.arrays).filter(|_| !found.has_error() && is_valid) {
                return Err(format!("{path} changed, but the file is valid"));
            }
        }
        Ok(if found.has_error() || !is_valid {
            Verdict::Error
        } else if file.tree().text() != self.tree {
            Verdict::OtherTree
        } else if found.arrays != self.whole.arrays {
            Verdict::Unchecked
        } else {
            Verdict::Unchanged
        })
    }

    /// Writes the damaged file in other forms.
    fn written(&self, damage: &Damage) -> std::result::Result<(), String> {
        let Ok(file) = open(self.sample, &damage.bytes, false) else { return Ok(()) };
        for (way, whole) in &self.ways {
            let Ok(found) = way.arrays(&file, &damage.bytes, self.folder) else { continue };
            if let Some(path) = changed(&self.checked, whole, &found) {
                return Err(format!("{path} changed without an error when written: {}", way.name));
            }
        }
        Ok(())
    }

    fn changed<'a>(&'a self, found: &Arrays) -> Option<&'a str> {
        changed(&self.checked, &self.whole.arrays, found)
    }
}

/// Returns the first path of an array that is read without an error, but differs.
fn changed<'a>(paths: &'a [String], whole: &Arrays, found: &Arrays) -> Option<&'a str> {
    let differs = |path: &&String| {
        found.get(*path).is_none_or(|array| array.is_ok() && whole.get(*path) != Some(array))
    };
    paths.iter().find(differs).map(String::as_str)
}

fn open(sample: &Sample, bytes: &[u8], verify: bool) -> Result<File> {
    match &sample.paths {
        Some((damaged, opened)) => {
            std::fs::write(damaged, bytes).map_err(|error| Error::io("writing", error))?;
            options(verify).open(opened)
        }
        None => options(verify).open_bytes(bytes.to_vec()),
    }
}
