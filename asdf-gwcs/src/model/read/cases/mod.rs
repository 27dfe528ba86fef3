//! Tests of the reader, with and without the values that the transforms compute.

mod bounds;
mod mangled;
mod nested;
mod real;
mod units;
mod values;

use std::sync::Arc;

use asdf_core::{NodeRef, Result, Tree, yaml};

use super::Reader;
use crate::model::Model;

/// Parses a tree in which `!` stands for the tags of the standard.
fn tree(text: &str) -> Tree {
    let directives = "%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n---\n";
    let text = if text.starts_with('%') { text.to_owned() } else { format!("{directives}{text}\n") };
    yaml::parse(&text).unwrap()
}

/// Reads a transform that is the whole tree.
fn read(text: &str) -> Result<Arc<Model>> {
    let tree = tree(text);
    Reader::default().read_at("/model", tree.root().unwrap())
}

fn text<'a>(case: NodeRef<'a>, key: &str) -> &'a str {
    case.get(key).and_then(NodeRef::as_str).unwrap()
}

#[test]
fn errors_have_a_path_and_say_what_is_expected() {
    let tree = tree(include_str!("errors.yaml"));
    let mut wrong = Vec::new();
    for case in tree.root().unwrap().items() {
        let found = match Reader::default().read_at("/model", case.get("model").unwrap()) {
            Ok(model) => format!("no error: {model:?}"),
            Err(error) => {
                assert!(error.line().is_some(), "{}: {error}", text(case, "name"));
                format!("{}: {}", error.path().unwrap_or_default(), error.message())
            }
        };
        // An error of another crate has words of its own, so only its path is in the file.
        let expected = text(case, "error");
        let is_path = !expected.contains(": ");
        if found != expected && !(is_path && found.starts_with(&format!("{expected}: "))) {
            wrong.push(format!("{}\n  found    {found}\n  expected {expected}", text(case, "name")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
