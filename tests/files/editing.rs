//! Files of `tests/edit`: one value changes, and everything else stays, tags above all.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::path::Path;

use asdf_core::tree::NodeRef;
use asdf_core::{File, WriteOptions};

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

/// The tree's text in a file.
fn text_of(bytes: &[u8]) -> String {
    File::from_bytes(bytes.to_vec()).unwrap().tree().text().to_owned()
}

#[test]
fn a_file_that_was_not_changed_is_written_back_as_it_was() {
    for folder in ["edit", "data"] {
        for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).unwrap() {
            let path = entry.unwrap().path();
            // A stream's block gets a size when it is written.
            if path.extension().is_none_or(|extension| extension != "asdf") || path.ends_with("stream.asdf") {
                continue;
            }
            let file = File::open(&path).unwrap();
            let again = WriteOptions::new().sign(false).to_bytes(&file).unwrap();
            let original = std::fs::read(&path).unwrap();
            assert!(again == original, "{} is not the same", path.display());
        }
    }
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
        // And every other byte of the tree.
        let text = text_of(&WriteOptions::new().sign(false).to_bytes(&file).unwrap());
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let original = text_of(&std::fs::read(&path).unwrap());
        assert_eq!(text.replacen(&format!("edited: 42{newline}"), "", 1), original, "{}", path.display());
        files += 1;
    }
    assert!(files >= 3, "only {files} files were edited");
}
