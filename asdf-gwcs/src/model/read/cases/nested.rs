//! Trees that are deep, shared, or have transforms without a formula.

use std::fmt::Write as _;
use std::sync::Arc;

use asdf_core::error::Kind as ErrorKind;

use super::super::{MAX_DEPTH, Reader};
use super::{read, tree};
use crate::model::{Kind, Model};
use crate::program::Program;

/// Returns a transform inside `depth` others, which all are on the left side.
fn deep(depth: usize) -> String {
    let inner = "!transform/shift-1.4.0 {offset: 1}";
    let begin = "!transform/compose-1.4.0 {forward: [".repeat(depth);
    format!("{begin}{inner}{}", format!(", {inner}]}}").repeat(depth))
}

#[test]
fn deep_trees_are_read_on_a_small_stack_up_to_a_limit() {
    let small = std::thread::Builder::new().stack_size(2 << 20);
    let work = || {
        let tree = tree(&deep(MAX_DEPTH - 1));
        let model = Reader::default().read_at("", tree.root().unwrap()).unwrap();
        assert_eq!((model.inputs.len(), model.outputs.len()), (1, 1));
        Program::compile(&[model], &[], &[], None).unwrap();
        let error = read(&deep(MAX_DEPTH)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Limit);
        assert_eq!(error.message(), "more than 200 transforms inside each other");
        assert!(error.path().unwrap().starts_with("/model/forward/0/forward/0"));
    };
    small.spawn(work).unwrap().join().unwrap();
}

#[test]
fn aliases_are_read_once_and_count_each_time() {
    let text = |levels: usize| {
        let mut text = "- &a0 !transform/shift-1.4.0 {offset: 1}\n".to_owned();
        for level in 1..=levels {
            let below = level - 1;
            writeln!(text, "- &a{level} !transform/compose-1.4.0 {{forward: [*a{below}, *a{below}]}}")
                .unwrap();
        }
        text
    };
    let tree = tree(&text(60));
    let mut reader = Reader::default();
    let items: Vec<_> = tree.root().unwrap().items().collect();
    let model = reader.read_at("/10", items[10]).unwrap();
    let Kind::Compose(first, second) = &model.kind else { panic!("{model:?}") };
    assert!(Arc::ptr_eq(first, second));
    assert!(Arc::ptr_eq(&model, &reader.read_at("/10", items[10]).unwrap()));
    let error = reader.read_at("/60", items[60]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    assert_eq!(error.message(), "more than 100000 transforms, counting those with an alias each time");
}

#[test]
fn many_inputs_are_an_error() {
    let mut text = "- &a0 !transform/shift-1.4.0 {offset: 1}\n".to_owned();
    for level in 1..=7 {
        let below = level - 1;
        writeln!(text, "- &a{level} !transform/concatenate-1.4.0 {{forward: [*a{below}, *a{below}]}}")
            .unwrap();
    }
    let tree = tree(&text);
    let items: Vec<_> = tree.root().unwrap().items().collect();
    assert_eq!(Reader::default().read_at("/6", items[6]).unwrap().inputs.len(), 64);
    let error = Reader::default().read_at("/7", items[7]).unwrap_err();
    assert_eq!(error.message(), "more than 64 inputs or outputs: 128 and 128");
}

fn unknown(model: &Model) -> (&str, usize, usize, &str) {
    let Kind::Unknown { tag, inputs, outputs } = &model.kind else { panic!("{model:?}") };
    (tag, *inputs, *outputs, &model.path)
}

#[test]
fn tags_without_a_formula_are_read() {
    let model = read("!<tag:example.org:shift-1.0.0> {inputs: [a, b, c], outputs: [d]}").unwrap();
    assert_eq!(unknown(&model), ("tag:example.org:shift-1.0.0", 3, 1, "/model"));
    assert_eq!(model.inputs, ["a", "b", "c"]);
    let model = read("!transform/generic-1.1.0 {n_inputs: 2, n_outputs: 3}").unwrap();
    assert_eq!(unknown(&model), ("tag:stsci.edu:asdf/transform/generic-1.1.0", 2, 3, "/model"));
    let model = read("!<tag:example.org:shift-1.0.0> {}").unwrap();
    assert_eq!(unknown(&model), ("tag:example.org:shift-1.0.0", 1, 1, "/model"));
}

#[test]
fn transforms_can_be_each_others_inverse() {
    let model = read(
        "&a !transform/shift-1.4.0
         offset: 1
         inverse: !transform/shift-1.4.0 {offset: -1.5, inverse: *a}",
    )
    .unwrap();
    let inverse = model.inverse.as_ref().unwrap();
    assert!(inverse.inverse.is_none());
    assert!(matches!(inverse.kind, Kind::Linear { offset: -1.5, .. }));
}

#[test]
fn unknown_numbers_of_inputs_fit_everywhere() {
    let model = read(
        "!transform/compose-1.4.0
         forward: [!transform/rotate2d-1.5.0 {angle: 3}, !<tag:example.org:t-1.0.0> {}]
         inputs: [x, y]
         outputs: [a, b, c]
         inverse: !transform/identity-1.4.0 {}",
    )
    .unwrap();
    assert_eq!(unknown(&model), ("tag:example.org:t-1.0.0", 2, 3, "/model/forward/1"));
    let model = read(
        "!transform/concatenate-1.4.0
         forward: [!transform/rotate2d-1.5.0 {angle: 3}, !<tag:example.org:t-1.0.0> {}]",
    )
    .unwrap();
    assert!(matches!(model.kind, Kind::Concatenate(..)));
    assert_eq!(model.inputs.len(), 3);
    // A known number of inputs that does not fit is still an error.
    let error = read(
        "!transform/compose-1.4.0
         forward: [!transform/rotate2d-1.5.0 {angle: 3}, !<tag:example.org:t-1.0.0> {inputs: [a], outputs: [a]}]",
    );
    assert!(error.is_err());
}

#[test]
fn names_are_those_of_astropy_unless_the_file_gives_others() {
    let names = |text: &str| {
        let model = read(text).unwrap();
        (model.inputs.join(" "), model.outputs.join(" "))
    };
    let both = |left: &str, right: &str| {
        names(&format!("!transform/concatenate-1.4.0 {{forward: [{left}, {right}]}}"))
    };
    let shift = "!transform/shift-1.4.0 {offset: 1}";
    let identity = "!transform/identity-1.4.0 {n_dims: 2}";
    assert_eq!(names(shift), ("x".into(), "y".into()));
    assert_eq!(both(shift, shift), ("x0 x1".into(), "y0 y1".into()));
    assert_eq!(both(identity, shift), ("x0 x1 x".into(), "x0 x1 y".into()));
    assert_eq!(both(identity, identity), ("x00 x10 x01 x11".into(), "x00 x10 x01 x11".into()));
    assert_eq!(names("!transform/constant-1.6.0 {value: 1, dimensions: 2}"), ("x y".into(), "z".into()));
    let gnomonic = "!transform/gnomonic-1.4.0 {direction: sky2pix}";
    assert_eq!(names(gnomonic), ("phi theta".into(), "x y".into()));
    let renamed = "!transform/shift-1.4.0 {offset: 1, inputs: [a], outputs: [b]}";
    assert_eq!(names(renamed), ("a".into(), "b".into()));
}
