//! Compares the functions with what astropy and gwcs compute: see `tests/leaf/make.py`.

use std::path::Path;
use std::sync::Arc;

use asdf_core::{File, NodeRef};

use crate::model::Model;
use crate::model::read::Reader;
use crate::number::Dual;
use crate::program::{Lane, Program};

/// A table of expected results.
struct Case {
    name: String,
    model: Arc<Model>,
    inputs: Vec<Vec<f64>>,
    outputs: Vec<Vec<f64>>,
    /// Inputs and outputs of the inverse.
    inverse: Option<[Vec<Vec<f64>>; 2]>,
}

fn columns(node: NodeRef<'_>) -> Vec<Vec<f64>> {
    node.items().map(|column| column.items().map(|item| item.as_f64().unwrap()).collect()).collect()
}

fn cases(name: &str) -> Vec<Case> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/leaf/{name}.asdf"));
    let file = File::open(path).unwrap();
    let list = file.at("/cases").unwrap();
    let mut reader = Reader::default();
    let mut case = |(number, node): (usize, NodeRef<'_>)| {
        let name = format!("{number} {}", node.get("name").unwrap().text().unwrap());
        let model = reader.read_at(&format!("/cases/{number}/transform"), node.get("transform").unwrap());
        let model = model.unwrap_or_else(|error| panic!("{name}: {error}"));
        let of = |key: &str| node.get(key).map(columns);
        let inverse = of("world").zip(of("back")).map(|(world, back)| [world, back]);
        Case { name, model, inputs: of("inputs").unwrap(), outputs: of("outputs").unwrap(), inverse }
    };
    list.items().enumerate().map(&mut case).collect()
}

fn compile(model: &Arc<Model>) -> Program {
    Program::compile(std::slice::from_ref(model), &[], &[], None).unwrap()
}

fn run<N: Lane>(program: &Program, inputs: &[Vec<N>]) -> Vec<Vec<N>> {
    let slices: Vec<&[N]> = inputs.iter().map(Vec::as_slice).collect();
    let mut outputs = vec![vec![N::default(); inputs[0].len()]; program.outputs()];
    let mut targets: Vec<&mut [N]> = outputs.iter_mut().map(Vec::as_mut_slice).collect();
    program.run_share(&slices, &mut targets);
    outputs
}

/// Checks values with a relative tolerance; tiny differences next to the largest value do not count.
fn check(
    what: &str,
    inputs: &[Vec<f64>],
    found: &[Vec<f64>],
    expected: &[Vec<f64>],
    faults: &mut Vec<String>,
) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (output, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert_eq!(found.len(), expected.len(), "{what}");
        let largest = expected.iter().filter(|value| value.is_finite()).fold(0.0_f64, |a, b| a.max(b.abs()));
        for (point, (found, expected)) in found.iter().zip(expected).enumerate() {
            let near = (found - expected).abs() <= TOLERANCE * expected.abs() + 1e-16 * largest.min(1e3);
            let same = found == expected || found.is_nan() && expected.is_nan();
            let at: Vec<f64> = inputs.iter().map(|values| values[point]).collect();
            if !near && !same {
                faults.push(format!("{what}, output {output} at {at:?}: {found:?} and not {expected:?}"));
            }
        }
    }
}

/// Checks derivatives against differences. Points at which the differences on both sides differ are corners or steps.
fn check_derivatives(what: &str, program: &Program, inputs: &[Vec<f64>], faults: &mut Vec<String>) -> usize {
    let mut checked = 0;
    for by in 0..inputs.len() {
        let duals: Vec<Vec<Dual>> = inputs
            .iter()
            .enumerate()
            .map(|(index, values)| {
                let dual =
                    |&value: &f64| Dual { value, derivatives: [if index == by { 1.0 } else { 0.0 }, 0.0] };
                values.iter().map(dual).collect()
            })
            .collect();
        let found = run(program, &duals);
        let moved = |sign: f64| {
            let mut moved = inputs.to_vec();
            moved[by].iter_mut().for_each(|value| *value += sign * 1e-6 * value.abs().max(1e-3));
            moved
        };
        let [low, high] = [moved(-1.0), moved(1.0)];
        let [middle, below, above] =
            [inputs, low.as_slice(), high.as_slice()].map(|points| run(program, points));
        for output in 0..middle.len() {
            for point in 0..middle[output].len() {
                let [x, y, z] = [low[by][point], inputs[by][point], high[by][point]];
                let [a, b, c] = [below[output][point], middle[output][point], above[output][point]];
                let dual = found[output][point];
                assert!(
                    dual.value == b || dual.value.is_nan() && b.is_nan(),
                    "{what}: {} and not {b}",
                    dual.value
                );
                let [left, right, expected] = [(b - a) / (y - x), (c - b) / (z - y), (c - a) / (z - x)];
                let noise = 1e-15 * (a.abs() + b.abs() + c.abs()) / (z - x);
                let is_smooth = (left - right).abs() <= 1e-3 * expected.abs() + 4.0 * noise;
                let derivative = dual.derivatives[0];
                let is_finite = derivative.is_finite()
                    && inputs.iter().all(|values| values[point].is_finite())
                    && b.is_finite();
                if !is_smooth || !is_finite || !expected.is_finite() {
                    continue;
                }
                let error = (derivative - expected).abs();
                let at: Vec<f64> = inputs.iter().map(|values| values[point]).collect();
                if error.is_nan() || error > 2e-4 * expected.abs() + 4.0 * noise + 1e-12 {
                    faults.push(format!(
                        "{what}, output {output} by input {by} at {at:?}: {derivative:?} and not {expected:?}"
                    ));
                }
                checked += 1;
            }
        }
    }
    checked
}

fn check_all(name: &str, least: usize) {
    let cases = cases(name);
    assert!(cases.len() >= least, "{name}: {} cases", cases.len());
    let mut checked = 0;
    let mut faults = Vec::new();
    for case in cases {
        let program = compile(&case.model);
        check(&case.name, &case.inputs, &run(&program, &case.inputs), &case.outputs, &mut faults);
        if !STEPS.iter().any(|name| case.name.ends_with(name)) {
            checked += check_derivatives(&case.name, &program, &case.inputs, &mut faults);
        }
        match (case.inverse, case.model.inverse()) {
            (Some([world, back]), Some(inverse)) => {
                let program = compile(&inverse);
                check(
                    &format!("inverse of {}", case.name),
                    &world,
                    &run(&program, &world),
                    &back,
                    &mut faults,
                );
            }
            (None, None) => {}
            (Some(_), None) => faults.push(format!("{} has no inverse", case.name)),
            (None, Some(_)) => faults.push(format!("{} has an inverse, which Python has not", case.name)),
        }
    }
    faults.truncate(40);
    assert!(faults.is_empty(), "{name}:\n{}", faults.join("\n"));
    assert!(checked > 10 * least, "{name}: only {checked} derivatives were checked");
}

const TOLERANCE: f64 = 1e-13;

/// Functions with many steps, whose differences say nothing about derivatives.
const STEPS: &[&str] = &[" floor_divide", " remainder", " fmod", " divmod", " rint"];

#[test]
fn tables_interpolate_like_scipy() {
    check_all("tabular", 20);
    check_all("tabular3", 4);
}

#[test]
fn series_and_splines_are_those_of_astropy_and_scipy() {
    check_all("series", 30);
}

#[test]
fn optics_are_those_of_gwcs() {
    check_all("optics", 8);
}

#[test]
fn elementary_functions_are_those_of_numpy() {
    check_all("functions", 40);
}

#[test]
fn analytic_functions_are_those_of_astropy() {
    check_all("profiles", 40);
}

#[test]
fn selectors_are_those_of_gwcs() {
    check_all("selectors", 10);
}
