//! Checks three levels of round trip, and edits, on generated texts, the cases of the parser, every checked-in file, and
//! every example of a schema.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::path::{Path, PathBuf};

use asdf_core::File;
use asdf_core::yaml::parse;
use asdf_tests::examples;
use asdf_tests::round_trip::{Choices, Tried, Written, check, edit_text, edit_tree, generate, written};
use proptest::prelude::*;

/// Lists the files of a folder with an extension.
fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> =
        paths.filter(|path| path.extension().is_some_and(|found| found == extension)).collect();
    paths.sort();
    paths
}

#[test]
fn generated_texts() {
    let (mut read, mut all) = (0, Tried::default());
    let rounds = 2000;
    for seed in 0..rounds {
        let bytes = Choices::bytes_of(seed, 400);
        let mut choices = Choices::new(&bytes);
        let text = generate(&mut choices);
        let tried = check(&text, 3).unwrap_or_else(|why| panic!("{why}\n{text}"));
        all = Tried { edits: all.edits + tried.edits, exact: all.exact + tried.exact };
        read += u64::from(parse(&text).is_ok());
    }
    assert!(read * 10 >= rounds * 8, "only {read} of {rounds} generated texts are YAML");
    // The other edits move an anchor, or add a second entry to a pair without braces.
    assert!(all.exact * 100 >= all.edits * 96, "only {} of {} edits are exact", all.exact, all.edits);
}

#[test]
fn a_scalar_is_always_set_exactly() {
    let mut count = 0;
    for seed in 0..4000 {
        let bytes = Choices::bytes_of(seed, 400);
        let text = generate(&mut Choices::new(&bytes));
        let Ok(mut tree) = parse(&text) else { continue };
        let scalars = tree.search().filter_node(|node| node.kind().is_scalar() && node.anchor().is_none());
        // If a key occurs twice, the last one is found.
        let found = scalars
            .filter(|found| tree.find(found.path.as_str()).is_some_and(|node| node.id() == found.node.id()));
        let scalars: Vec<String> = found.map(|found| found.path.to_string()).collect();
        let Some(path) = scalars.get(usize::try_from(seed).unwrap() % scalars.len().max(1)) else { continue };
        if tree.edit(path).set("new value").is_ok() {
            let (out, how) = written(&tree).unwrap();
            assert_eq!(how, Written::Exactly, "{path}\n{text}\n{out}");
            count += 1;
        }
    }
    assert!(count > 2000, "only {count} scalars were set");
}

#[test]
fn cases_of_the_parser() {
    for path in files("../asdf-core/tests/yaml", "yaml") {
        let text = std::fs::read_to_string(&path).unwrap();
        check(&text, 40).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    }
}

#[test]
fn files_that_are_checked_in() {
    let mut count = 0;
    for folder in ["data", "edit", "validate"] {
        for path in files(folder, "asdf") {
            let Ok(file) = File::open(&path) else { continue };
            check(file.tree().text(), 40).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
            count += 1;
        }
    }
    assert!(count >= 30, "only {count} files");
}

#[test]
fn examples_of_schemas() {
    let mut count = 0;
    for example in examples().unwrap() {
        let file = File::from_bytes(example.file.into_bytes()).unwrap();
        check(file.tree().text(), 10).unwrap_or_else(|why| panic!("{}: {why}", example.name));
        count += 1;
    }
    assert!(count >= 100, "only {count} examples");
}

/// Inputs that fuzzing found: a text, and the bytes that choose the edit.
#[test]
fn findings() {
    for (text, choices) in [
        ("! ate!\ts: ", "- b\n"),
        ("{! ate!\ts: }", "- b\n"),
        ("[ # a\n  b, \u{2028}A c\n  d\n  e # f\n] # g\n", "\u{2}\u{1}\\9\u{7}"),
    ] {
        let edited = edit_text(text, &mut Choices::new(choices.as_bytes()));
        let (out, ..) = edited.unwrap_or_else(|why| panic!("{why}")).expect("there is a key to rename");
        assert_ne!(out, text);
    }
}

proptest! {
    #[test]
    fn edits_one_after_the_other(bytes in prop::collection::vec(any::<u8>(), 0..500), edits in 1..8) {
        let mut choices = Choices::new(&bytes);
        let mut text = generate(&mut choices);
        for _ in 0..edits {
            match edit_text(&text, &mut choices) {
                Ok(Some((out, ..))) => text = out,
                Ok(None) => break,
                Err(why) => return Err(TestCaseError::fail(why)),
            }
        }
    }

    #[test]
    fn edits_at_once(bytes in prop::collection::vec(any::<u8>(), 0..500), edits in 1..8) {
        let mut choices = Choices::new(&bytes);
        let text = generate(&mut choices);
        if let Ok(mut tree) = parse(&text) {
            let done: Vec<_> = (0..edits).filter_map(|_| edit_tree(&mut tree, &mut choices)).collect();
            if let Ok((out, _)) = written(&tree) {
                let again = parse(&out).map_err(|error| TestCaseError::fail(format!("{done:?}: {error}\n{text}\n{out}")))?;
                let same = match (tree.root(), again.root()) {
                    (Some(a), Some(b)) => a == b,
                    _ => true,
                };
                prop_assert!(same, "{:?}\n{}\n{}", done, text, out);
            }
        }
    }

    /// Arbitrary text mostly gives errors, never a panic, and parsed text is kept.
    #[test]
    fn any_text(text in "([-a-c:?,\\[\\]{}#&*!|>'\"%@ \n\t0-9]|: |- |\n  |\\PC){0,40}") {
        check(&text, 4).map_err(TestCaseError::fail)?;
    }
}
