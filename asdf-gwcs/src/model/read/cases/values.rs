//! Transforms compute what astropy computes.

use asdf_core::{NodeRef, Threads};

use super::{Reader, text, tree};
use crate::program::Program;

fn columns(case: NodeRef<'_>, key: &str) -> Vec<Vec<f64>> {
    let columns = case.get(key).unwrap().items();
    columns.map(|column| column.items().map(|value| value.as_f64().unwrap()).collect()).collect()
}

#[test]
fn transforms_compute_the_values_of_astropy() {
    let tree = tree(include_str!("values.yaml"));
    let cases = tree.at("/cases").unwrap();
    let mut wrong = Vec::new();
    for case in cases.items() {
        let name = text(case, "name");
        let model = Reader::default().read_at("/model", case.get("model").unwrap()).unwrap();
        let (inputs, expected) = (columns(case, "inputs"), columns(case, "outputs"));
        assert_eq!((model.inputs.len(), model.outputs.len()), (inputs.len(), expected.len()), "{name}");
        assert_eq!((model.kind.inputs(), model.kind.outputs()), (inputs.len(), expected.len()), "{name}");
        let program = Program::compile(&[model], &[], &[], None).unwrap();
        let mut outputs: Vec<Vec<f64>> = expected.iter().map(|column| vec![0.0; column.len()]).collect();
        let inputs: Vec<&[f64]> = inputs.iter().map(Vec::as_slice).collect();
        let mut slices: Vec<&mut [f64]> = outputs.iter_mut().map(Vec::as_mut_slice).collect();
        program.run(&inputs, &mut slices, Threads::ONE).unwrap();
        for (found, expected) in outputs.iter().flatten().zip(expected.iter().flatten()) {
            let is_near = (found - expected).abs() <= 1e-12 * expected.abs().max(1.0);
            if !(is_near || found.is_nan() && expected.is_nan()) {
                wrong.push(format!("{name}: found {found}, expected {expected}"));
            }
        }
    }
    assert!(cases.len() > 100, "{}", cases.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
