//! Transforms that are wrong, and the errors about them.

use asdf_core::File;

use crate::model::read::Reader;

/// A transform, and the start of the error after the path of the transform.
const CASES: &[(&str, &str)] = &[
    // Tables.
    ("!transform/tabular-1.4.0 {method: linear}", ": the required property 'lookup_table' is missing"),
    ("!transform/tabular-1.4.0 {lookup_table: []}", "/points/0: found no points"),
    ("!transform/tabular-1.4.0 {lookup_table: 3}", ": found a table of 0 dimensions"),
    (
        "!transform/tabular-1.4.0 {lookup_table: [1, 2], points: [[1, 1]]}",
        "/points/0: the point at index 1 is out of order",
    ),
    (
        "!transform/tabular-1.4.0 {lookup_table: [1, 2, 3], points: [[0, 2, 1]]}",
        "/points/0: the point at index 2",
    ),
    (
        "!transform/tabular-1.4.0 {lookup_table: [1, 2, 3], points: [[0, .nan, 1]]}",
        "/points/0: the point at index 1",
    ),
    (
        "!transform/tabular-1.4.0 {lookup_table: [1, 2, 3], points: [[0, 1]]}",
        "/points: found axes of [2] points, expected [3]",
    ),
    (
        "!transform/tabular-1.4.0 {lookup_table: [[1, 2], [3, 4]], points: [[0, 1]]}",
        "/points: found axes of [2] points",
    ),
    ("!transform/tabular-1.4.0 {lookup_table: [1, 2], points: [0, 1]}", "/points/0: found"),
    ("!transform/tabular-1.4.0 {lookup_table: [1, 2], points: 3}", "/points: found"),
    ("!transform/tabular-1.4.0 {lookup_table: [1, 2], method: guess}", "/method: expected one of linear"),
    ("!transform/tabular-1.4.0 {lookup_table: [1, 2], bounds_error: 3}", "/bounds_error: found"),
    ("!transform/tabular-1.4.0 {lookup_table: [1, 2], fill_value: high}", "/fill_value: found"),
    (
        "!transform/tabular-1.4.0 {lookup_table: [1, 2], fill_value: !unit/quantity-1.3.0 {value: 1, unit: m}}",
        "/fill_value: found a unit, but the table has none",
    ),
    (
        "!transform/tabular-1.4.0 {lookup_table: [[1, 2], [3, 4]], points: [!unit/quantity-1.3.0 {value: [0, 1], unit: m}, \
         !unit/quantity-1.3.0 {value: [0, 1], unit: s}]}",
        "/points/1: ",
    ),
    ("!<tag:stsci.edu:gwcs/lookuptable-1.0.0> {lookup_table: []}", "/lookup_table: found an empty table"),
    ("!<tag:stsci.edu:gwcs/lookuptable-1.0.0> {lookup_table: [[1]]}", "/lookup_table: expected a list"),
    // Series and splines.
    (
        "!transform/ortho_polynomial-1.2.0 {polynomial_type: laguerre, coefficients: [1]}",
        "/polynomial_type: found",
    ),
    (
        "!transform/ortho_polynomial-1.2.0 {polynomial_type: legendre, coefficients: []}",
        "/coefficients: found no",
    ),
    (
        "!transform/ortho_polynomial-1.2.0 {polynomial_type: legendre, coefficients: [[[1]]]}",
        "/coefficients: found 3 dim",
    ),
    (
        "!transform/ortho_polynomial-1.2.0 {polynomial_type: legendre, coefficients: [1], domain: [2, 2]}",
        "/domain: found the domain [2, 2]",
    ),
    (
        "!transform/ortho_polynomial-1.2.0 {polynomial_type: legendre, coefficients: [1], domain: [1, 2, 3]}",
        "/domain: found",
    ),
    (
        "!transform/ortho_polynomial-1.2.0 {polynomial_type: legendre, coefficients: [[1]], domain: [1, 2]}",
        "/domain: found",
    ),
    ("!transform/spline1d-1.2.0 {knots: [0, 0, 1, 1], coefficients: [1, 2], degree: 9}", "/degree: found"),
    (
        "!transform/spline1d-1.2.0 {knots: [0, 0, 1, 1], coefficients: [1], degree: 1}",
        "/coefficients: found 1 coeff",
    ),
    (
        "!transform/spline1d-1.2.0 {knots: [0, 0, 1, 0], coefficients: [1, 2], degree: 1}",
        "/knots: the knot at index 3",
    ),
    ("!transform/spline1d-1.2.0 {knots: [[0]], coefficients: [1, 2], degree: 1}", "/knots: expected a list"),
    // Optics and functions.
    (
        "!<tag:stsci.edu:gwcs/grating_equation-1.3.0> {groove_density: 1, order: 1, output: colour}",
        "/output: found",
    ),
    (
        "!<tag:stsci.edu:gwcs/grating_equation-1.3.0> {order: 1, output: angle}",
        ": the required property 'groove_density'",
    ),
    (
        "!<tag:stsci.edu:gwcs/sellmeier_glass-1.3.0> {B_coef: [1, 2], C_coef: [1, 2, 3]}",
        "/B_coef: found 2 numbers",
    ),
    ("!<tag:stsci.edu:gwcs/direction_cosines-1.3.0> {transform_type: both}", "/transform_type: found"),
    ("!transform/math_functions-1.2.0 {func_name: gamma}", "/func_name: found 'gamma'"),
    ("!transform/gaussian1d-1.2.0 {amplitude: high, mean: 0, stddev: 1}", "/amplitude: found"),
    (
        "!transform/gaussian1d-1.2.0 {amplitude: 1, mean: !unit/quantity-1.3.0 {value: 1, unit: m}, \
         stddev: !unit/quantity-1.3.0 {value: 1, unit: s}}",
        "/stddev: ",
    ),
    // Selectors.
    (
        "!<tag:stsci.edu:gwcs/label_mapper-1.3.0> {inputs: [x, y]}",
        ": the required property 'mapper' is missing",
    ),
    (
        "!<tag:stsci.edu:gwcs/label_mapper-1.3.0> {mapper: [1, 2]}",
        "/mapper: found 1 dimensions, expected two",
    ),
    ("!<tag:stsci.edu:gwcs/label_mapper-1.3.0> {mapper: [[1]], inputs: [x, y, z]}", ": found 3 of 3 inputs"),
    (
        "!<tag:stsci.edu:gwcs/label_mapper-1.3.0> {mapper: [[1]], inputs_mapping: !transform/shift-1.4.0 {offset: 1}}",
        "/inputs_mapping: expected a `remap_axes`",
    ),
    (
        "!<tag:stsci.edu:gwcs/label_mapper-1.3.0> {mapper: {labels: [1]}}",
        "/mapper: the required property 'models'",
    ),
    (
        "!<tag:stsci.edu:gwcs/label_mapper-1.3.0> {mapper: {labels: [1], models: []}}",
        "/mapper: found 1 labels and 0 models",
    ),
    (
        "!<tag:stsci.edu:gwcs/label_mapper-1.3.0> {mapper: {labels: [1], models: [!transform/identity-1.4.0 {n_dims: 2}]}, \
         inputs: [x, y], inputs_mapping: !transform/remap_axes-1.5.0 {mapping: [0], n_inputs: 2}}",
        "/mapper/models/0: found 2 inputs and 2 outputs",
    ),
    (
        "!<tag:stsci.edu:gwcs/label_mapper-1.3.0> {mapper: {labels: [[1, 3], [2, 4]], models: [&a !transform/shift-1.4.0 \
         {offset: 1}, *a]}}",
        "/mapper/labels: the ranges [1, 3] and [2, 4] overlap",
    ),
    (
        "!<tag:stsci.edu:gwcs/label_mapper-1.3.0> {mapper: {labels: [1], models: [!transform/tabular-1.4.0 \
         {lookup_table: []}]}}",
        "/mapper/models/0/points/0: found no points",
    ),
    (
        "!<tag:stsci.edu:gwcs/regions_selector-1.3.0> {inputs: [x], outputs: [y]}",
        ": the required property 'selector'",
    ),
];

/// Selectors: what is between `selector:` and the mapper, and the error.
const SELECTORS: &[(&str, &str)] = &[
    ("{labels: [1, 2], transforms: [*s]}", "/selector: found 2 labels and 1 transforms"),
    ("{labels: [], transforms: []}", "/selector: found 0 labels"),
    ("{labels: [0], transforms: [*s]}", "/selector/labels/0: found the label 0"),
    ("{labels: [1, 1], transforms: [*s, *s]}", "/selector/labels: found the label 1 twice"),
    ("{labels: [' '], transforms: [*s]}", "/selector/labels/0: found an empty label"),
    ("{labels: [[1]], transforms: [*s]}", "/selector/labels/0: found"),
    (
        "{labels: [1], transforms: [!transform/shift-1.4.0 {offset: 1}]}",
        "/selector/transforms/0: found 1 inputs",
    ),
    ("{labels: [1], transforms: 5}", "/selector/transforms: found"),
    ("{labels: [1], transforms: [5]}", "/selector/transforms/0: found"),
    ("{labels: [1]}", "/selector: the required property 'transforms' is missing"),
    (
        "!!omap [!!omap {labels: [1]}, !!omap {transforms: [!transform/shift-1.4.0 {}]}]",
        "/selector/1/transforms/0: the required property 'offset' is missing",
    ),
];

fn error(transform: &str) -> String {
    let text = format!(
        "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n\
         s: &s !transform/identity-1.4.0 {{n_dims: 2}}\nt: {transform}\n...\n"
    );
    let file = File::from_bytes(text.into_bytes()).unwrap_or_else(|error| panic!("{transform}: {error}"));
    match Reader::default().read_at("/t", file.at("/t").unwrap()) {
        Ok(model) => panic!("{transform}: no error, but {model:?}"),
        Err(error) => format!("{}: {}", error.path().unwrap_or_default(), error.message()),
    }
}

#[test]
fn wrong_transforms_are_errors_with_a_path() {
    let mut faults = Vec::new();
    let mut check = |transform: &str, expected: &str| {
        let found = error(transform);
        if !found.starts_with(&format!("/t{expected}")) {
            faults.push(format!("{transform}\n  {found}\n  and not /t{expected}"));
        }
    };
    for (transform, expected) in CASES {
        check(transform, expected);
    }
    for (selector, expected) in SELECTORS {
        let mapper = "!<tag:stsci.edu:gwcs/label_mapper-1.3.0> {mapper: [[1, 2]]}";
        check(
            &format!(
                "!<tag:stsci.edu:gwcs/regions_selector-1.3.0> {{inputs: [x, y], outputs: [a, b], label_mapper: {mapper}, \
                 selector: {selector}}}"
            ),
            expected,
        );
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
