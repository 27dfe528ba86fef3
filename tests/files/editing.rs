//! Files of `tests/edit`: one value changes, and everything else stays, tags above all.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::path::Path;

use asdf_core::File;
use asdf_core::tree::NodeRef;

/// Every node with its path, kind, tag and text.
fn nodes(file: &File) -> Vec<(String, String)> {
    let Some(root) = file.tree().root() else { return Vec::new() };
    let mut walk = root.walk();
    let mut nodes = Vec::new();
    while let Some(node) = walk.next() {
        let path = walk.path().to_string();
        let signed = path.is_empty() || path.starts_with("/asdf_library") || path.starts_with("/history");
        if !signed {
            nodes.push((path, describe(node)));
        }
    }
    nodes
}

fn describe(node: NodeRef<'_>) -> String {
    let text = node.text().filter(|_| !node.is_null());
    format!("{:?} {:?} {text:?} {}", node.kind(), node.tag(), node.len())
}

#[test]
fn one_value_changes_and_the_rest_stays() {
    let mut files = 0;
    for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("edit")).unwrap() {
        let path = entry.unwrap().path();
        let mut file = File::open(&path).unwrap();
        let before = nodes(&file);
        file.set("/edited", &42_i64).unwrap();
        let back = File::from_bytes(file.to_bytes().unwrap())
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut after = nodes(&back);
        after.retain(|(path, _)| path != "/edited");
        assert_eq!(before, after, "{}", path.display());
        assert_eq!(back.get::<i64>("/edited").unwrap(), 42);
        // Aliases are still one node.
        if back.tree().find("/alias").is_some() {
            assert_eq!(back.at("/alias").unwrap().id(), back.at("/anchored").unwrap().id());
            assert_eq!(back.at("/anchored").unwrap().anchor(), Some("original"));
        }
        files += 1;
    }
    assert!(files >= 3, "only {files} files were edited");
}
