//! Reads every transform of real files, if the corpus exists.

use std::path::{Path, PathBuf};

use asdf_core::File;

use super::Reader;

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared").join(folder);
    let Ok(entries) = folder.read_dir() else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "asdf"));
    files.sort();
    files
}

#[test]
fn transforms_of_real_files_are_read() {
    let (mut transforms, mut errors) = (0, Vec::new());
    for path in files("corpus/files/gwcs").into_iter().chain(files("trials/gwcs")) {
        let file = File::open(&path).unwrap();
        let mut reader = Reader::default();
        let steps = file.tree().root().unwrap().search();
        let is_step = |tag: &str| tag.starts_with("tag:stsci.edu:gwcs/step-");
        for found in steps.filter_node(move |node| node.own_tag().is_some_and(is_step)) {
            let Some(transform) = found.node.get("transform").filter(|node| !node.is_null()) else {
                continue;
            };
            transforms += 1;
            let place = format!("{}/transform", found.path);
            if let Err(error) = reader.read_at(&place, transform) {
                errors.push(format!("{}: {error}", path.display()));
            }
        }
    }
    assert!(errors.is_empty(), "{}", errors.join("\n"));
    // Without the corpus there is nothing to read.
    assert!(transforms == 0 || transforms > 25, "{transforms}");
}
