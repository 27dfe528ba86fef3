//! Transforms with units convert their inputs and compute units of their outputs.

use asdf_core::Threads;
use asdf_units::Unit;

use super::read;
use crate::model::Kind;
use crate::program::Program;

fn quantity(value: &str, unit: &str) -> String {
    format!("!unit/quantity-1.3.0 {{value: {value}, unit: !unit/unit-1.0.0 {unit}}}")
}

/// Computes the outputs of a transform in these units; `none` is a number without a unit.
fn compute(text: &str, inputs: &[(f64, &str)], outputs: &[&str]) -> Result<Vec<f64>, String> {
    let unit = |unit: &str| (unit != "none").then(|| Unit::parse_lenient(unit));
    let model = read(text).map_err(|error| error.to_string())?;
    let from: Vec<Option<Unit>> = inputs.iter().map(|(_, name)| unit(name)).collect();
    let to: Vec<Option<Unit>> = outputs.iter().map(|name| unit(name)).collect();
    let program = Program::compile(&[model], &from, &to, None).map_err(|error| error.message().to_owned())?;
    let inputs: Vec<[f64; 1]> = inputs.iter().map(|(value, _)| [*value]).collect();
    let inputs: Vec<&[f64]> = inputs.iter().map(<[f64; 1]>::as_slice).collect();
    let mut results = vec![[0.0]; outputs.len()];
    let mut slices: Vec<&mut [f64]> = results.iter_mut().map(<[f64; 1]>::as_mut_slice).collect();
    program.run(&inputs, &mut slices, Threads::ONE).map_err(|error| error.to_string())?;
    Ok(results.into_iter().map(|[value]| value).collect())
}

#[track_caller]
fn check(text: &str, inputs: &[(f64, &str)], outputs: &[(f64, &str)]) {
    let units: Vec<&str> = outputs.iter().map(|(_, unit)| *unit).collect();
    let found = compute(text, inputs, &units).unwrap();
    for (found, (expected, _)) in found.iter().zip(outputs) {
        assert!((found - expected).abs() <= 1e-12 * expected.abs().max(1.0), "{found} is not {expected}");
    }
}

#[test]
fn inputs_are_converted_to_the_units_of_parameters() {
    let shift = format!("!transform/shift-1.4.0 {{offset: {}}}", quantity("1", "deg"));
    check(&shift, &[(60.0, "arcmin")], &[(2.0, "deg")]);
    assert!(compute(&shift, &[(1.0, "pixel")], &["deg"]).unwrap_err().contains("cannot convert"));
    let scale = format!("!transform/scale-1.4.0 {{factor: {}}}", quantity("2", "deg"));
    check(&scale, &[(60.0, "arcmin")], &[(120.0, "arcmin")]);
    let multiply =
        format!("!transform/multiplyscale-1.2.0 {{factor: {}}}", quantity("0.5", "arcsec.pixel**-1"));
    check(&multiply, &[(7200.0, "pixel")], &[(1.0, "deg")]);
    let linear = format!(
        "!transform/linear1d-1.2.0 {{slope: {}, intercept: {}}}",
        quantity("2", "nm.pixel**-1"),
        quantity("1", "um")
    );
    check(&linear, &[(3.0, "pixel")], &[(1006.0, "nm")]);
    let constant = format!("!transform/constant-1.6.0 {{dimensions: 1, value: {}}}", quantity("3", "m"));
    check(&constant, &[(1.0, "pixel")], &[(300.0, "cm")]);
}

#[test]
fn matrices_and_rotations_have_units() {
    let affine = format!(
        "!transform/affine-1.5.0 {{matrix: {}, translation: {}}}",
        quantity("!core/ndarray-1.1.0 [[2, 0], [0, 3]]", "arcsec"),
        quantity("!core/ndarray-1.1.0 [3600, 0]", "arcsec")
    );
    check(&affine, &[(1.0, "deg"), (1.0, "arcmin")], &[(3.0, "deg"), (3.0, "arcmin")]);
    let plain = "!transform/affine-1.5.0 {matrix: [[2, 0], [0, 3]], translation: [1, 0]}";
    check(plain, &[(2.0, "arcsec"), (1.0, "arcsec")], &[(5.0, "deg"), (3.0, "deg")]);
    let rotate = format!("!transform/rotate2d-1.5.0 {{angle: {}}}", quantity("5400", "arcmin"));
    check(&rotate, &[(1.0, "pixel"), (0.0, "pixel")], &[(0.0, "pixel"), (1.0, "pixel")]);
    let sphere = format!(
        "!transform/rotate3d-1.5.0 {{phi: {}, theta: {}, psi: {}, direction: native2celestial}}",
        quantity("3600", "arcsec"),
        quantity("0", "arcsec"),
        quantity("180", "deg")
    );
    let (longitude, latitude) = (90.999_999_999_999_8, -89.0);
    check(&sphere, &[(3600.0, "arcsec"), (0.0, "deg")], &[(longitude, "deg"), (latitude * 60.0, "arcmin")]);
    check(&sphere, &[(1.0, "none"), (0.0, "none")], &[(longitude, "none"), (latitude, "none")]);
    let projection = "!transform/gnomonic-1.4.0 {direction: pix2sky}";
    check(projection, &[(3600.0, "arcsec"), (0.0, "deg")], &[(90.0, "deg"), (89.000_101_520_585_62, "deg")]);
}

#[test]
fn a_pixel_scale_converts_pixels_and_back() {
    let shift = |unit: &str, scale: &str| {
        format!(
            "!transform/shift-1.4.0
             offset: {}
             input_units_equivalencies:
               x: !<tag:astropy.org:astropy/units/equivalency-1.2.0>
               - {{name: pixel_scale, kwargs_names: [pixscale], kwargs_values: [{}]}}",
            quantity("1", unit),
            quantity("2", scale)
        )
    };
    check(&shift("pixel", "arcsec.pixel**-1"), &[(4.0, "arcsec")], &[(3.0, "pixel")]);
    check(&shift("arcsec", "arcsec.pixel**-1"), &[(4.0, "pixel")], &[(9.0, "arcsec")]);
    check(&shift("arcsec", "pixel.arcsec**-1"), &[(4.0, "pixel")], &[(3.0, "arcsec")]);
    check(&shift("arcsec", "arcsec.pixel**-1"), &[(1.0, "arcmin")], &[(61.0, "arcsec")]);
}

#[test]
fn units_mapping_changes_units_and_not_values() {
    let text = "!<tag:astropy.org:astropy/transform/units_mapping-1.0.0>
      unit_inputs: [{name: a, unit: !unit/unit-1.0.0 deg}, {name: b}]
      unit_outputs: [{name: c, unit: !unit/unit-1.0.0 m}, {name: d}]";
    let model = read(text).unwrap();
    assert_eq!((model.inputs.join(" "), model.outputs.join(" ")), ("a b".into(), "c d".into()));
    check(text, &[(60.0, "arcmin"), (5.0, "s")], &[(100.0, "cm"), (5.0, "s")]);
    let wrong = text.replace(", {name: d}", "");
    let error = read(&wrong).unwrap_err();
    assert_eq!(error.message(), "found 2 inputs and 1 outputs, expected equal numbers from 1 to 64");
}

#[test]
fn projections_know_whether_they_have_parameters() {
    let has_parameters = |text: &str| match &read(text).unwrap().kind {
        Kind::Function(function) => function.has_parameters(),
        kind => panic!("{kind:?}"),
    };
    assert!(!has_parameters("!transform/gnomonic-1.4.0 {direction: sky2pix}"));
    assert!(has_parameters("!transform/airy-1.4.0 {direction: sky2pix}"));
}
