//! Checks of blocks in other files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use asdf_core::file::FileBlock;
use asdf_core::tree::{NodeRef, Path};
use asdf_core::value::FromNode as _;
use asdf_core::{File, NdArray};

use super::blocks::finding;
use super::{Findings, Violation};

/// A block in another file, and the arrays that it belongs to.
struct External<'f> {
    uri: String,
    block: Arc<FileBlock>,
    /// The first array.
    array: NodeRef<'f>,
    path: Path,
    /// The number of arrays.
    count: usize,
}

/// Checks the first block of each other file that arrays refer to, each file once.
///
/// A file that cannot be opened is a finding of its arrays.
pub(super) fn check(file: &File, out: &mut Findings<'_>) {
    for external in externals(file) {
        if out.enough() {
            return;
        }
        let verdict = match out.end() {
            Some(end) => external.block.verify_until(end).transpose(),
            None => Some(external.block.verify()),
        };
        let Some(verdict) = verdict else {
            // Reports the timeout.
            out.enough();
            return;
        };
        if let Some(found) = finding(&external.block, verdict) {
            out.push(external.violation(found));
        }
    }
}

impl External<'_> {
    /// Returns the finding at the first array. Its message names the other file.
    fn violation(self, found: Violation) -> Violation {
        let others = match self.count - 1 {
            0 => String::new(),
            1 => " (also the data of another array)".to_owned(),
            others => format!(" (also the data of {others} other arrays)"),
        };
        let place = found.offset().map(|at| format!("at byte {at}: ")).unwrap_or_default();
        let message = format!("in '{}': {place}{}{others}", self.uri.escape_debug(), found.message());
        let mut violation = Violation::at(self.array, self.path, found.code(), message);
        violation.hint = found.hint().cloned();
        violation
    }
}

fn externals(file: &File) -> Vec<External<'_>> {
    let mut externals: Vec<External<'_>> = Vec::new();
    let (mut known, mut unreadable) = (BTreeMap::new(), BTreeSet::new());
    let own = file.path().and_then(|path| path.canonicalize().ok());
    let Some(root) = file.tree().root() else { return externals };
    let mut walk = root.walk();
    while let Some(node) = walk.next() {
        if !node.tag().is_some_and(NdArray::accepts_tag) {
            continue;
        }
        let Some(uri) = node.get("source").filter(|source| source.as_i64().is_none()) else { continue };
        let Some(uri) = uri.as_str().filter(|uri| !unreadable.contains(*uri)) else { continue };
        let Ok(block) = file.external_block(uri) else {
            unreadable.insert(uri.to_owned());
            continue;
        };
        let Some(place) = block.path().map(PathBuf::from).filter(|place| Some(place) != own.as_ref()) else {
            // Its own blocks are checked already.
            continue;
        };
        let next = externals.len();
        match externals.get_mut(*known.entry(place).or_insert(next)) {
            Some(external) => external.count += 1,
            None => externals.push(External {
                uri: uri.to_owned(),
                block,
                array: node,
                path: walk.path(),
                count: 1,
            }),
        }
    }
    externals
}
