//! Selectors whose parts have no formula, no inverse or labels that are texts.

use std::sync::Arc;

use asdf_core::File;

use crate::model::read::Reader;
use crate::model::{Kind, Model};
use crate::program::Program;

fn read(transform: &str) -> Arc<Model> {
    let head =
        "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n";
    let file = File::from_bytes(format!("{head}t: {transform}\n...\n").into_bytes()).unwrap();
    Reader::default()
        .read_at("/t", file.at("/t").unwrap())
        .unwrap_or_else(|error| panic!("{transform}: {error}"))
}

fn selector(mapper: &str, labels: &str, parts: &str) -> Arc<Model> {
    read(&format!(
        "!<tag:stsci.edu:gwcs/regions_selector-1.3.0> {{inputs: [x, y], outputs: [a, b], label_mapper: \
         !<tag:stsci.edu:gwcs/label_mapper-1.3.0> {{{mapper}}}, selector: {{labels: {labels}, transforms: {parts}}}}}"
    ))
}

fn at(model: &Arc<Model>, point: [f64; 2]) -> [f64; 2] {
    let program = Program::compile(std::slice::from_ref(model), &[], &[], None).unwrap();
    let [mut a, mut b] = [[0.0]; 2];
    program.run_share(&[&[point[0]], &[point[1]]], &mut [&mut a, &mut b]);
    [a[0], b[0]]
}

const IDENTITY: &str = "!transform/identity-1.4.0 {n_dims: 2}";
const SWAP: &str = "!transform/remap_axes-1.5.0 {mapping: [1, 0]}";

#[test]
fn points_without_a_region_have_no_value() {
    let model = selector("mapper: [[1, 0], [2, 7]]", "[1, 2]", &format!("[{IDENTITY}, {SWAP}]"));
    assert_eq!(at(&model, [0.25, -0.5]), [0.25, -0.5]);
    assert_eq!(at(&model, [0.25, 1.25]), [1.25, 0.25]);
    // The label 0, a label without a transform, and points beside the array, which Python counts from its end.
    for point in [[1.0, 0.0], [1.0, 1.0], [-1.0, 0.0], [0.0, 2.0], [f64::NAN, 0.0], [f64::INFINITY, 0.0]] {
        assert!(at(&model, point)[0].is_nan(), "{point:?}");
    }
    assert!(model.inverse().is_none());
}

#[test]
fn a_part_without_a_formula_is_an_error_when_it_is_used() {
    let part = "!<tag:example.org:unheard-1.0.0> {inputs: [x, y], outputs: [a, b]}";
    let model = selector("mapper: [[1]]", "[1]", &format!("[{part}]"));
    let error = Program::compile(&[model], &[], &[], None).unwrap_err();
    assert_eq!(error.path(), Some("/t"));
    assert!(error.message().contains("tag:example.org:unheard-1.0.0"), "{error}");
}

#[test]
fn texts_are_labels_only_in_a_selector() {
    let array = "!core/ndarray-1.1.0 {data: [[east, west, '']], datatype: [ucs4, 4]}";
    let model = selector(&format!("mapper: {array}"), "[west, north]", &format!("[{SWAP}, {IDENTITY}]"));
    assert_eq!(at(&model, [1.0, 0.25]), [0.25, 1.0]);
    assert!(at(&model, [0.0, 0.0])[0].is_nan() && at(&model, [2.0, 0.0])[0].is_nan());
    let alone = read(&format!("!<tag:stsci.edu:gwcs/label_mapper-1.3.0> {{mapper: {array}}}"));
    assert!(matches!(alone.kind, Kind::Unknown { .. }));
}

#[test]
fn an_ordered_mapping_is_read_like_a_mapping() {
    let model = read(&format!(
        "!<tag:stsci.edu:gwcs/label_mapper-1.3.0> {{inputs: [x, y], inputs_mapping: !transform/remap_axes-1.5.0 \
         {{mapping: [1], n_inputs: 2}}, mapper: !!omap [!!omap {{labels: [1, 2]}}, !!omap {{models: [{0}, {0}]}}]}}",
        "!transform/remap_axes-1.5.0 {mapping: [0], n_inputs: 2}"
    ));
    let program = Program::compile(&[model], &[], &[], None).unwrap();
    let mut labels = [0.0; 3];
    program.run_share(&[&[5.0, 6.0, 7.0], &[1.0, 3.0, 2.00002]], &mut [&mut labels]);
    assert_eq!(labels, [5.0, 0.0, 7.0]);
}
