//! Bounding boxes of all forms.

use super::read;
use crate::bounds::{Bounds, Compound};

fn bounds(text: &str) -> Option<Bounds> {
    read(text).unwrap().bounds.clone()
}

/// Reads the box of a transform with the inputs `x` and `y`.
fn of_two(text: &str) -> Bounds {
    bounds(&format!("!transform/rotate2d-1.5.0\nangle: 3\nbounding_box: {text}")).unwrap()
}

#[test]
fn a_list_begins_with_the_last_input_and_names_are_names() {
    let expected = Bounds::Box(vec![Some([3.0, 4.0]), Some([1.0, 2.0])]);
    assert_eq!(of_two("[[1, 2], [3, 4]]"), expected);
    for order in ["C", "F"] {
        let named = format!(
            "!transform/property/bounding_box-1.0.0 {{intervals: {{y: [1, 2], x: [3, 4]}}, order: {order}}}"
        );
        assert_eq!(of_two(&named), expected);
    }
    let shift = "!transform/shift-1.2.0 {offset: 1, bounding_box: [1, 2]}";
    assert_eq!(bounds(shift), Some(Bounds::Box(vec![Some([1.0, 2.0])])));
    assert_eq!(bounds("!transform/shift-1.2.0 {offset: 1, bounding_box: null}"), None);
}

#[test]
fn ignored_inputs_have_no_limit() {
    let box_of = |rest: &str| of_two(&format!("!transform/property/bounding_box-1.2.0 {{{rest}}}"));
    let expected = Bounds::Box(vec![None, Some([1.0, 2.0])]);
    assert_eq!(box_of("intervals: {y: [1, 2]}, ignore: [x]"), expected);
    assert_eq!(box_of("intervals: {y: [1, 2]}, ignore: [0]"), expected);
    assert_eq!(box_of("intervals: {y: [1, 2], x: [3, 4]}, ignore: [x]"), expected);
}

#[test]
fn the_unit_of_an_interval_becomes_the_unit_of_the_input() {
    let text = "
      !transform/concatenate-1.4.0
      forward:
      - !transform/shift-1.4.0 {offset: 1}
      - !transform/compose-1.4.0
        forward:
        - !transform/shift-1.4.0 {offset: !unit/quantity-1.3.0 {value: 1, unit: !unit/unit-1.0.0 arcsec}}
        - !transform/identity-1.4.0 {}
      inputs: [a, b]
      bounding_box: !transform/property/bounding_box-1.2.0
        intervals:
          a: [!unit/quantity-1.3.0 {value: 1, unit: !unit/unit-1.0.0 pixel}, !unit/quantity-1.3.0 {value: 2, unit: !unit/unit-1.0.0 pixel}]
          b: [!unit/quantity-1.3.0 {value: 1, unit: !unit/unit-1.0.0 deg}, 7500]";
    assert_eq!(bounds(text), Some(Bounds::Box(vec![Some([1.0, 2.0]), Some([3600.0, 7500.0])])));
}

const COMPOUND: &str = "!transform/property/compound_bounding_box-1.2.0
    selector_args: [{argument: order, ignore: true}]
    cbbox:
    - {key: [1], bbox: !transform/property/bounding_box-1.2.0 {intervals: {x: [0, 9], y: [1, 8]}, ignore: [order]}}
    - {key: [2], bbox: !transform/property/bounding_box-1.2.0 {intervals: {x: [10, 19], y: [2, 7]}}}
    order: F";

#[test]
fn a_compound_box_has_a_case_for_each_value() {
    let text =
        format!("!transform/identity-1.4.0\nn_dims: 3\ninputs: [x, y, order]\nbounding_box: {COMPOUND}");
    let cases = vec![
        (vec![1.0], vec![Some([0.0, 9.0]), Some([1.0, 8.0]), None]),
        (vec![2.0], vec![Some([10.0, 19.0]), Some([2.0, 7.0]), None]),
    ];
    assert_eq!(bounds(&text), Some(Bounds::Compound(Compound { selectors: vec![2], cases })));
}

#[test]
fn fixed_inputs_leave_the_box_of_the_others() {
    let fixed = |text: &str, rest: &str| {
        let model = text.replace('\n', "\n  ");
        read(&format!("!transform/fix_inputs-1.4.0\nforward:\n- {model}\n- {rest}"))
    };
    let plain = "!transform/rotate2d-1.5.0\nangle: 3\nbounding_box: [[1, 2], [3, 4]]";
    let model = fixed(plain, "{keys: [x], values: [100]}").unwrap();
    assert_eq!(model.bounds, Some(Bounds::Box(vec![Some([1.0, 2.0])])));
    assert_eq!(model.inputs, ["y"]);

    let text =
        format!("!transform/identity-1.4.0\nn_dims: 3\ninputs: [x, y, order]\nbounding_box: {COMPOUND}");
    let model = fixed(&text, "{keys: [order], values: [2]}").unwrap();
    assert_eq!(model.bounds, Some(Bounds::Box(vec![Some([10.0, 19.0]), Some([2.0, 7.0])])));
    let model = fixed(&text, "{keys: [0], values: [2]}").unwrap();
    let cases = vec![(vec![1.0], vec![Some([1.0, 8.0]), None]), (vec![2.0], vec![Some([2.0, 7.0]), None])];
    assert_eq!(model.bounds, Some(Bounds::Compound(Compound { selectors: vec![1], cases })));
    let error = fixed(&text, "{keys: [order], values: [3]}").unwrap_err();
    assert_eq!(error.message(), "the bounding box has no case for the values of the fixed inputs");
}
