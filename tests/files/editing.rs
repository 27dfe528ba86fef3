//! Edits one value of the files in `tests/edit`. Everything else must stay, especially tags.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::path::Path;

use asdf_core::tree::NodeRef;
use asdf_core::{File, WriteOptions};

/// Lists every node with its path, kind, tag and text.
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

/// Returns the text of the tree in a file.
fn text_of(bytes: &[u8]) -> String {
    File::from_bytes(bytes.to_vec()).unwrap().tree().text().to_owned()
}

#[test]
fn a_file_that_was_not_changed_is_written_back_as_it_was() {
    for folder in ["edit", "data"] {
        for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).unwrap() {
            let path = entry.unwrap().path();
            // Writing gives a streamed block a size, and converts pre-release files to the current format.
            let draft = path.file_name().unwrap().to_str().unwrap().starts_with("draft_");
            if path.extension().is_none_or(|extension| extension != "asdf")
                || path.ends_with("stream.asdf")
                || draft
            {
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
        // Aliases still refer to one node.
        if back.tree().find("/alias").is_some() {
            assert_eq!(back.at("/alias").unwrap().id(), back.at("/anchored").unwrap().id());
            assert_eq!(back.at("/anchored").unwrap().anchor(), Some("original"));
        }
        // Every other byte of the tree stays too.
        let text = text_of(&WriteOptions::new().sign(false).to_bytes(&file).unwrap());
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let original = text_of(&std::fs::read(&path).unwrap());
        assert_eq!(text.replacen(&format!("edited: 42{newline}"), "", 1), original, "{}", path.display());
        files += 1;
    }
    assert!(files >= 3, "only {files} files were edited");
}

#[test]
fn moving_renaming_and_merging_are_written_as_they_are_in_the_tree() {
    use asdf_core::tree::{DifferenceOptions, Winner};

    for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("edit")).unwrap() {
        let path = entry.unwrap().path();
        let mut file = File::open(&path).unwrap();
        let tree = file.tree_mut();
        let other = asdf_core::yaml::parse("merged: {a: 1, b: [x, y, z]}\n").unwrap();
        tree.edit("").merge(other.root().unwrap(), Winner::Theirs).unwrap();
        tree.edit("/merged/b/2").move_to("/merged/b/0").unwrap();
        tree.edit("/merged/a").rename("renamed").unwrap();
        let back = File::from_bytes(file.to_bytes().unwrap()).unwrap();
        let mut again = File::open(&path).unwrap();
        // Now edit the tree that was read back, which has a text.
        let copied = again.tree_mut().graft(back.at("/merged").unwrap()).unwrap();
        again.tree_mut().edit("/merged").set(copied).unwrap();
        again.tree_mut().edit("/merged/b").move_to("/moved").unwrap();
        let last = File::from_bytes(again.to_bytes().unwrap()).unwrap();
        let options = DifferenceOptions::new().ignore("/asdf_library").ignore("/history").key_order(true);
        let found = again.difference(&last, &options).unwrap();
        assert!(found.is_same(), "{}:\n{found}", path.display());
        assert_eq!(last.get::<Vec<String>>("/moved").unwrap(), ["z", "x", "y"], "{}", path.display());
        assert_eq!(last.get::<i64>("/merged/renamed").unwrap(), 1);

        let mut edited = last;
        edited.tree_mut().edit("/moved/0").move_to("/moved/-").unwrap();
        edited.tree_mut().edit("/moved").rename("list").unwrap();
        edited.tree_mut().edit("/merged").remove().unwrap();
        let text = edited.to_bytes().unwrap();
        let last = File::from_bytes(text).unwrap();
        let found = edited.difference(&last, &options).unwrap();
        assert!(found.is_same(), "{}:\n{found}", path.display());
        assert_eq!(last.get::<Vec<String>>("/list").unwrap(), ["x", "y", "z"]);
    }
}
