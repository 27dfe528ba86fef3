//! Tests of transforms with files that Python wrote, each with points and the results of Python.

use asdf_core::threads::Threads;
use asdf_core::{File, NodeRef};

use crate::model::Model;
use crate::model::read::Reader;
use crate::program::Program;

type Columns = Vec<Vec<f64>>;

/// Reads a list of points and returns one column for each coordinate.
fn columns(node: Option<NodeRef<'_>>) -> Columns {
    let rows: Vec<Vec<f64>> = node.map_or(Vec::new(), |node| {
        node.items().map(|row| row.items().map(|item| item.as_f64().unwrap()).collect()).collect()
    });
    let width = rows.first().map_or(0, Vec::len);
    (0..width).map(|column| rows.iter().map(|row| row[column]).collect()).collect()
}

fn compute(model: &std::sync::Arc<Model>, inputs: &Columns) -> Columns {
    let program = Program::compile(&[std::sync::Arc::clone(model)], &[], &[], None).unwrap();
    let length = inputs.first().map_or(0, Vec::len);
    let mut outputs = vec![vec![0.0; length]; program.outputs()];
    let inputs: Vec<&[f64]> = inputs.iter().map(Vec::as_slice).collect();
    let mut slices: Vec<&mut [f64]> = outputs.iter_mut().map(Vec::as_mut_slice).collect();
    program.run(&inputs, &mut slices, Threads::ONE).unwrap();
    outputs
}

/// Compares all cases of a file; the tolerance is relative to numbers above 1.
pub(crate) fn check(name: &str, tolerance: f64) {
    let path = format!("{}/tests/missions/{name}", env!("CARGO_MANIFEST_DIR"));
    let file = File::open(&path).unwrap();
    let cases = file.tree().at("/cases").unwrap();
    let mut wrong = Vec::new();
    for (at, case) in cases.items().enumerate() {
        let name = case.get("name").and_then(|name| name.as_str()).unwrap();
        let path = format!("/cases/{at}/transform");
        let model = Reader::default().read_at(&path, case.get("transform").unwrap()).unwrap();
        let inverse = case.get("inverse_points").map(|_| model.inverse().expect(name));
        let forward = ("points", "results", Some(model));
        for (points, results, model) in [forward, ("inverse_points", "inverse_results", inverse)] {
            let Some(model) = model else { continue };
            let (points, expected) = (columns(case.get(points)), columns(case.get(results)));
            let found = compute(&model, &points);
            assert_eq!(found.len(), expected.len(), "{at} {name} {results}");
            for (column, (found, expected)) in found.iter().zip(&expected).enumerate() {
                for (point, (found, expected)) in found.iter().zip(expected).enumerate() {
                    let is_near = (found - expected).abs() <= tolerance * expected.abs().max(1.0);
                    if !(is_near || found == expected || found.is_nan() && expected.is_nan()) {
                        let inputs: Vec<f64> = points.iter().map(|column| column[point]).collect();
                        wrong.push(format!(
                            "{at} {name} {results} {column}: {inputs:?} gave {found:e}, expected {expected:e}"
                        ));
                    }
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.iter().take(60).cloned().collect::<Vec<_>>().join("\n")
    );
}

/// Reads each transform of a text and compares the error with the one that the text gives.
pub(crate) fn check_errors(text: &str) {
    let tree = asdf_core::yaml::parse(text).unwrap();
    let mut wrong = Vec::new();
    for case in tree.root().unwrap().items() {
        let found = match Reader::default().read_at("/model", case.get("model").unwrap()) {
            Ok(model) => format!("no error: {model:?}"),
            Err(error) => format!("{}: {}", error.path().unwrap_or_default(), error.message()),
        };
        let expected = case.get("error").and_then(NodeRef::as_str).unwrap();
        if found != expected {
            wrong.push(format!("found    {found}\nexpected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
