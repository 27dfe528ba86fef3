//! Transforms whose parameters have units, with the results of astropy for inputs in other units.

use std::sync::Arc;

use asdf_core::File;
use asdf_units::Unit;

use crate::model::read::Reader;
use crate::model::{Kind, Model};
use crate::program::Program;

/// A tree, its inputs with units, and the result with its unit.
type Case = (&'static str, &'static [(f64, &'static str)], f64, &'static str);

/// A transform, the inputs with their units, and the output with its unit. An empty unit is none.
const CASES: &[Case] = &[
    (
        "gaussian1d-1.2.0 {amplitude: (3 Jy), mean: (500 nm), stddev: (0.1 um)}",
        &[(0.55, "um")],
        2.6474907077537866,
        "Jy",
    ),
    (
        "gaussian1d-1.2.0 {amplitude: 3, mean: (500 nm), stddev: (0.1 um)}",
        &[(0.55, "um")],
        2.6474907077537866,
        "",
    ),
    (
        "sine1d-1.2.0 {amplitude: (3 Jy), frequency: (2 s-1), phase: 0.1}",
        &[(100.0, "ms")],
        2.8531695488854605,
        "Jy",
    ),
    (
        "arcsine1d-1.2.0 {amplitude: (3 Jy), frequency: (2 s-1), phase: 0.1}",
        &[(1000.0, "mJy")],
        -0.02295663800765182,
        "s",
    ),
    ("exponential1d-1.2.0 {amplitude: (3 Jy), tau: (2 s)}", &[(100.0, "ms")], 3.153813289128072, "Jy"),
    ("logarithmic1d-1.2.0 {amplitude: (3 s), tau: (2 Jy)}", &[(5000.0, "mJy")], 2.7488721956224653, "s"),
    (
        "planar2d-1.2.0 {slope_x: (3 Jy.s-1), slope_y: (2 Jy.m-1), intercept: (100 mJy)}",
        &[(100.0, "ms"), (20.0, "cm")],
        0.8,
        "Jy",
    ),
    (
        "gaussian2d-1.2.0 {amplitude: (3 Jy), x_mean: (1 m), y_mean: (20 cm), x_stddev: (3 m), y_stddev: (4 m), \
         theta: (30 deg)}",
        &[(100.0, "cm"), (0.2, "m")],
        3.0,
        "Jy",
    ),
    ("box1d-1.2.0 {amplitude: (3 Jy), x_0: (1 m), width: (20 cm)}", &[(105.0, "cm")], 3.0, "Jy"),
    ("box1d-1.2.0 {amplitude: (3 Jy), x_0: (1 m), width: (20 cm)}", &[(115.0, "cm")], 0.0, "Jy"),
    (
        "trapezoid1d-1.2.0 {amplitude: (3 Jy), x_0: (1 m), width: (20 cm), slope: (1 Jy.cm-1)}",
        &[(111.0, "cm")],
        2.0,
        "Jy",
    ),
    ("plummer1d-1.2.0 {mass: (3 kg), r_plum: (1 m)}", &[(50.0, "cm")], 0.40997522500829403, "kg.m-3"),
    (
        "blackbody-1.2.0 {temperature: (5000 K), scale: 1}",
        &[(500.0, "THz")],
        1.530599260094922e-5,
        "erg.Hz-1.s-1.sr-1.cm-2",
    ),
    ("sersic1d-1.2.0 {amplitude: (3 Jy), r_eff: (1 m), n: 4}", &[(50.0, "cm")], 10.16364733387307, "Jy"),
    ("redshift_scale_factor-1.2.0 {z: 1}", &[(105.0, "cm")], 210.0, "cm"),
    (
        "tabular-1.4.0 {points: [([0, 1, 2] nm)], lookup_table: ([1, 2, 4] Jy), bounds_error: false}",
        &[(0.0015, "um")],
        3.0,
        "Jy",
    ),
    (
        "tabular-1.4.0 {points: [([0, 1, 2] nm)], lookup_table: [1, 2, 4], bounds_error: false}",
        &[(0.0015, "um")],
        3.0,
        "",
    ),
    (
        "tabular-1.4.0 {points: [[0, 1, 2]], lookup_table: ([1, 2, 4] Jy), bounds_error: false}",
        &[(1.5, "nm")],
        3.0,
        "Jy",
    ),
    (
        "tabular-1.4.0 {points: [([0, 1, 2] nm)], lookup_table: ([1, 2, 4] Jy), bounds_error: false, \
         fill_value: (5000 mJy)}",
        &[(1.0, "um")],
        5.0,
        "Jy",
    ),
    (
        "inverse tabular-1.4.0 {points: [([0, 1, 2] nm)], lookup_table: ([1, 2, 4] Jy), bounds_error: false}",
        &[(3000.0, "mJy")],
        1.5,
        "nm",
    ),
    ("inverse exponential1d-1.2.0 {amplitude: (3 Jy), tau: (2 s)}", &[(3153.813289128072, "mJy")], 0.1, "s"),
    (
        "gwcs/grating_equation-1.3.0 {groove_density: (20000 m-1), order: -1, output: wavelength}",
        &[(0.1, ""), (0.2, "")],
        -1.5e-5,
        "m",
    ),
    (
        "gwcs/grating_equation-1.3.0 {groove_density: (20000 m-1), order: -1, output: angle}",
        &[(2.0, "um"), (0.1, ""), (0.2, "")],
        0.14,
        "",
    ),
    (
        "gwcs/sellmeier_glass-1.3.0 {B_coef: [0.58339748, 0.46085267, 3.8915394], \
         C_coef: ([0.00252643, 0.010078333, 1200.556] um2)}",
        &[(2.0, "mm")],
        2.4365873481043185,
        "",
    ),
    ("gwcs/lookuptable-1.0.0 {lookup_table: ([5, 6, 7] s)}", &[(1.4, "pix")], 6000.0, "ms"),
];

/// Reads a transform; `(3 Jy)` in its text stands for a quantity.
fn read(transform: &str) -> Arc<Model> {
    let mut text = String::new();
    for (index, part) in transform.split(['(', ')']).enumerate() {
        match part.rsplit_once(' ').filter(|_| index % 2 == 1) {
            Some((value, unit)) => {
                text.push_str(&format!(
                    "!unit/quantity-1.3.0 {{value: {value}, unit: !unit/unit-1.0.0 {unit}}}"
                ));
            }
            None => text.push_str(part),
        }
    }
    let (tag, properties) = text.split_once(' ').unwrap();
    let tag = match tag.strip_prefix("gwcs/") {
        Some(name) => format!("tag:stsci.edu:gwcs/{name}"),
        None => format!("tag:stsci.edu:asdf/transform/{tag}"),
    };
    let head =
        "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n";
    let file = File::from_bytes(format!("{head}t: !<{tag}> {properties}\n...\n").into_bytes()).unwrap();
    Reader::default()
        .read_at("/t", file.at("/t").unwrap())
        .unwrap_or_else(|error| panic!("{transform}: {error}"))
}

fn unit(text: &str) -> Option<Unit> {
    (!text.is_empty()).then(|| Unit::parse_lenient(text))
}

#[test]
fn quantities_are_converted_as_by_astropy() {
    for &(transform, inputs, expected, output) in CASES {
        let model = match transform.strip_prefix("inverse ") {
            Some(transform) => read(transform).inverse().unwrap(),
            None => read(transform),
        };
        let units: Vec<Option<Unit>> = inputs.iter().map(|&(_, name)| unit(name)).collect();
        let mut outputs = vec![None; model.kind.outputs()];
        outputs[0] = unit(output);
        let program = Program::compile(&[model], &units, &outputs, None);
        let program = program.unwrap_or_else(|error| panic!("{transform}: {error}"));
        let columns: Vec<[f64; 1]> = inputs.iter().map(|&(value, _)| [value]).collect();
        let slices: Vec<&[f64]> = columns.iter().map(<[f64; 1]>::as_slice).collect();
        let mut results = vec![[0.0]; outputs.len()];
        let mut targets: Vec<&mut [f64]> = results.iter_mut().map(<[f64; 1]>::as_mut_slice).collect();
        program.run_share(&slices, &mut targets);
        let found = results[0][0];
        assert!(
            (found - expected).abs() <= 1e-13 * expected.abs(),
            "{transform}: {found:?} and not {expected:?}"
        );
    }
}

#[test]
fn tables_and_functions_without_constants_have_no_parameters() {
    for (transform, expected) in [
        ("tabular-1.4.0 {lookup_table: [1, 2]}", false),
        ("math_functions-1.2.0 {func_name: sin}", false),
        ("math_functions-1.2.0 {func_name: hypot}", false),
        ("gwcs/snell3d-1.3.0 {}", false),
        ("gwcs/direction_cosines-1.3.0 {transform_type: to_direction_cosines}", false),
        ("gwcs/label_mapper-1.3.0 {mapper: [[1]]}", false),
        ("gaussian1d-1.2.0 {amplitude: 1, mean: 0, stddev: 1}", true),
        ("ortho_polynomial-1.2.0 {polynomial_type: legendre, coefficients: [1]}", true),
        ("gwcs/grating_equation-1.3.0 {groove_density: 1, order: 1, output: angle}", true),
    ] {
        match &read(transform).kind {
            Kind::Function(function) => assert_eq!(function.has_parameters(), expected, "{transform}"),
            other => panic!("{transform}: {other:?}"),
        }
    }
}
