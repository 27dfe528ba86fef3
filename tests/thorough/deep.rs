//! Walks trees of 100,000 levels and trees that contain themselves, which must not crash the program.
//!
//! Code that does not recurse runs with a stack of 256 kB. Code with a documented depth limit runs with 2 MB, the default
//! of a thread.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use asdf_core::tree::{DifferenceOptions, Path, Winner};
use asdf_core::yaml::{EmitOptions, ParseOptions, emit, parse, parse_with, patch};
use asdf_core::{Asdf, NdArray, Node, NodeId, NodeRef, Tree, error};
use asdf_schemas::Validator;

const LEVELS: usize = 100_000;
const SMALL: usize = 256 << 10;
const USUAL: usize = 2 << 20;

/// The form in which a level contains the next one.
#[derive(Clone, Copy, Debug)]
enum Form {
    Items,
    Values,
    Keys,
}

/// Makes a tree of many levels, or of one level that contains itself.
fn deep(form: Form, tag: Option<&str>, cycle: bool) -> Tree {
    let mut tree = Tree::new();
    let level = |tree: &mut Tree, inner: NodeId| match form {
        Form::Items => tree.add_sequence([inner]),
        Form::Values => {
            let key = tree.add_str("k");
            tree.add_mapping([(key, inner)])
        }
        Form::Keys => {
            let value = tree.add_int(1);
            tree.add_mapping([(inner, value)])
        }
    };
    let mut node = tree.add_str("end");
    if cycle {
        node = match form {
            Form::Items => tree.add_sequence([]),
            _ => tree.add_mapping([]),
        };
        match form {
            Form::Items => tree.push(node, node),
            _ => tree.insert(node, "k", node),
        }
    } else {
        for _ in 0..LEVELS {
            node = level(&mut tree, node);
        }
    }
    tree.set_tag(node, tag);
    tree.set_root(node);
    tree
}

/// Checks each kind of tree in a thread with a stack of `bytes` bytes.
fn with_stack(bytes: usize, tag: Option<&'static str>, check: fn(Tree, bool)) {
    for form in [Form::Items, Form::Values, Form::Keys] {
        for cycle in [false, true] {
            let run = move || check(deep(form, tag, cycle), cycle);
            let thread = std::thread::Builder::new().stack_size(bytes).spawn(run).unwrap();
            thread.join().unwrap_or_else(|_| panic!("{form:?}, cycle: {cycle}"));
        }
    }
}

fn is_limit<T>(result: asdf_core::Result<T>) {
    let error = result.err().expect("an infinite tree is refused");
    assert_eq!(error.kind(), error::Kind::Limit, "{error}");
}

#[test]
fn looking() {
    with_stack(SMALL, None, |tree, cycle| {
        let root = tree.root().unwrap();
        assert!(!format!("{tree:?} {root:?} {}", root.describe()).is_empty());
        let mut walk = root.walk();
        let levels = walk.by_ref().count();
        assert!(levels == LEVELS + 1 || levels <= 2, "{levels}");
        assert_eq!(walk.path().as_str().matches('/').count(), levels - 1);
        assert_eq!(tree.search().value("end").count(), usize::from(!cycle && levels > 2));
        assert_eq!(tree.references().count(), 0);
        let pointer = if root.items().len() > 0 { "/0" } else { "/k" }.repeat(if cycle { LEVELS } else { 1 });
        assert!(tree.find(&pointer).is_some() || root.child("k").is_none());
        assert_eq!(tree.duplicate_keys().count(), 0);
    });
}

#[test]
fn comparing_and_copying() {
    with_stack(SMALL, None, |tree, _| {
        let copy = Node::from_ref(tree.root().unwrap()).unwrap();
        assert!(copy.view() == tree.root().unwrap());
        let found = tree.root().unwrap().differences(copy.view(), &DifferenceOptions::new());
        assert!(found.is_same());
        let mut other = tree.clone();
        let id = other.graft(tree.root().unwrap()).unwrap();
        assert!(other.node(id) == tree.root().unwrap());
        drop((tree, copy, other));
    });
}

#[test]
fn merging_and_editing() {
    with_stack(SMALL, None, |mut tree, _| {
        let copy = tree.clone();
        // Collections as keys have no name by which they could be merged.
        if tree.find("/k").is_some() {
            tree.edit("").merge(copy.root().unwrap(), Winner::Theirs).unwrap();
            assert!(tree.root() == copy.root());
        }
        let step = if tree.root().unwrap().items().len() > 0 { "/0" } else { "/k" };
        let value = tree.add_int(1);
        tree.edit(step).set(value).unwrap();
        assert_eq!(tree.at(step).unwrap().as_i64(), Some(1));
    });
}

#[test]
fn parsing_and_writing_a_text_of_many_levels() {
    let run = || {
        let texts = [
            "[".repeat(LEVELS) + "1" + &"]".repeat(LEVELS),
            "{a: ".repeat(LEVELS) + "1" + &"}".repeat(LEVELS),
            "- ".repeat(LEVELS) + "1\n",
        ];
        for text in texts {
            is_limit(parse(&text));
            let options = ParseOptions::new().max_depth(LEVELS);
            let mut tree = parse_with(text.as_str().into(), options).unwrap();
            assert_eq!(patch(&tree).unwrap().unwrap(), text);
            let Path { .. } = tree.root().unwrap().walk().path();
            // Change only the innermost value.
            let last = tree.root().unwrap().walk().last().unwrap().id();
            let two = tree.add_int(2);
            tree.assign(last, two).unwrap();
            assert_eq!(patch(&tree).unwrap().unwrap(), text.replace('1', "2"));
        }
    };
    std::thread::Builder::new().stack_size(SMALL).spawn(run).unwrap().join().unwrap();
}

#[test]
fn writing() {
    with_stack(USUAL, None, |tree, cycle| match emit(&tree, EmitOptions::default()) {
        // A cycle is written as an anchor and an alias.
        Ok(text) => assert!(cycle && parse(&text).unwrap().root() == tree.root(), "{text}"),
        error => is_limit(error),
    });
}

#[test]
fn values_of_serde() {
    with_stack(USUAL, None, |tree, _| is_limit_or_mismatch(tree.deserialize::<serde_json::Value>("")));
}

/// A collection cannot be a key in JSON.
fn is_limit_or_mismatch<T>(result: asdf_core::Result<T>) {
    let error = result.err().expect("an infinite tree is refused");
    assert!(matches!(error.kind(), error::Kind::Limit | error::Kind::Mismatch), "{error}");
}

/// A recursive type.
#[derive(Debug, Asdf)]
#[asdf(tag = "asdf://example.org/tags/chain-1.0.0")]
struct Chain {
    k: Option<Box<Chain>>,
}

#[test]
fn values_of_recursive_types() {
    let run = || {
        for cycle in [false, true] {
            let mut tree = Tree::new();
            let mut node = tree.add_mapping([]);
            if cycle {
                tree.insert(node, "k", node);
            }
            for _ in 0..LEVELS {
                let key = tree.add_str("k");
                node = tree.add_mapping([(key, node)]);
                tree.set_tag(node, Some(Chain::TAG));
            }
            tree.set_root(node);
            is_limit(tree.get::<Chain>(""));
        }
        let tree = parse("&a\nk: *a\n").unwrap();
        is_limit(tree.get::<Chain>(""));
        let tree = parse("k: {k: {k: {}}}\n").unwrap();
        assert!(tree.get::<Chain>("").unwrap().k.unwrap().k.unwrap().k.unwrap().k.is_none());
    };
    std::thread::Builder::new().stack_size(USUAL).spawn(run).unwrap().join().unwrap();
}

#[test]
fn values_of_many_aliases() {
    let mut text = "- &l0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n".to_owned();
    for level in 1..8 {
        let items = vec![format!("*l{}", level - 1); 10].join(", ");
        text.push_str(&format!("- &l{level} [{items}]\n"));
    }
    let tree = parse(&text).unwrap();
    type Eight<T> = Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<T>>>>>>>>;
    is_limit(tree.get::<Eight<i64>>("/7"));
    is_limit(tree.deserialize::<Eight<i64>>("/7"));
    assert_eq!(tree.get::<Vec<Vec<i64>>>("/1").unwrap().len(), 10);
}

#[test]
fn validating() {
    for tag in [
        None,
        Some("tag:stsci.edu:asdf/core/asdf-1.1.0"),
        Some("tag:stsci.edu:asdf/core/ndarray-1.1.0"),
        Some("tag:stsci.edu:asdf/core/table-1.1.0"),
    ] {
        with_stack(USUAL, tag, |tree, _| {
            let report = Validator::standard().validate_tree(&tree);
            let description = |node: NodeRef<'_>| node.describe();
            let _ = (report.violations().len(), tree.root().map(description));
            for violation in report.violations() {
                assert!(!violation.message().is_empty());
            }
            let _ = tree.get::<NdArray>("").map(|array| array.shape().to_vec());
        });
    }
}
