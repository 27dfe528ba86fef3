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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Validator;
    use crate::validate::Code;
    use asdf_core::file::Storage;
    use asdf_core::{WriteOptions, yaml};

    /// Each other file is checked once, however many arrays refer to it, and the own file not again.
    #[test]
    fn blocks_in_other_files_are_checked_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("main.asdf");
        let mut file = File::new();
        for name in ["/a", "/b"] {
            file.set(name, &NdArray::new(&[4], &[1_u8, 2, 3, 4]).unwrap()).unwrap();
        }
        WriteOptions::new().storage(Storage::External).write(&file, &path).unwrap();
        let damage = |name: &str| {
            let other = folder.path().join(name);
            let mut bytes = std::fs::read(&other).unwrap();
            let block = File::open(&other).unwrap().blocks().unwrap()[0].clone();
            let data = block.header().data_offset(block.offset()).unwrap();
            bytes[usize::try_from(data).unwrap()] ^= 1;
            std::fs::write(&other, bytes).unwrap();
        };
        let messages = |path: &std::path::Path| {
            let report = Validator::standard().validate_file(&File::open(path).unwrap());
            let found = report.findings().filter(|one| one.code() == Code::Checksum);
            found.map(|one| format!("{} {}", one.path(), one.message())).collect::<Vec<_>>()
        };
        assert_eq!(messages(&path), [""; 0]);
        damage("main0001.asdf");
        let found = messages(&path);
        assert!(found.len() == 1 && found[0].starts_with("/b in 'main0001.asdf': at byte "), "{found:?}");
        assert!(!found[0].contains("also"), "{found:?}");

        for (more, words) in
            [(1, "(also the data of another array)"), (3, "(also the data of 3 other arrays)")]
        {
            let array = "!<tag:stsci.edu:asdf/core/ndarray-1.1.0> {source: main0001.asdf, shape: [4], datatype: uint8, byteorder: big}";
            let mut file = File::new();
            *file.tree_mut() = yaml::parse(&format!("l: [{}]", vec![array; more + 1].join(", "))).unwrap();
            let many = folder.path().join("many.asdf");
            file.write(&many).unwrap();
            let found = messages(&many);
            assert!(
                found.len() == 1 && found[0].starts_with("/l/0 in ") && found[0].ends_with(words),
                "{found:?}"
            );
        }
        // An array that names its own file belongs to a block that is checked with the others.
        let own = folder.path().join("own.asdf");
        let mut file = File::new();
        file.set("/a", &NdArray::new(&[4], &[1_u8, 2, 3, 4]).unwrap()).unwrap();
        file.write(&own).unwrap();
        let text = std::fs::read(&own).unwrap();
        let at = text.windows(9).position(|window| window == b"source: 0").unwrap();
        std::fs::write(&own, [&text[..at], b"source: own.asdf", &text[at + 9..]].concat()).unwrap();
        damage("own.asdf");
        assert_eq!(messages(&own).len(), 1, "{:?}", messages(&own));
    }
}
