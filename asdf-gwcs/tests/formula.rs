//! Transforms with tags of a program's own.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::sync::Arc;

use asdf_core::value::Extra;
use asdf_core::{Asdf, File};
use asdf_gwcs::{Formula, Formulas, Inverse, Wcs};

/// A swirl: each point turns around the origin, by an angle that grows with the distance.
#[derive(Debug, Clone, Asdf)]
#[asdf(tag = "asdf://example.org/tags/swirl-1.0.0")]
struct Swirl {
    strength: f64,
    /// If the formula gives its inverse.
    #[asdf(default)]
    invertible: bool,
}

impl Formula for Swirl {
    fn inputs(&self) -> usize {
        2
    }

    fn outputs(&self) -> usize {
        2
    }

    fn values(&self, inputs: &[&[f64]], outputs: &mut [&mut [f64]]) {
        for (point, (x, y)) in inputs[0].iter().zip(inputs[1]).enumerate() {
            let (sine, cosine) = (self.strength * (x * x + y * y)).sin_cos();
            outputs[0][point] = x * cosine - y * sine;
            outputs[1][point] = x * sine + y * cosine;
        }
    }

    fn inverse(&self) -> Option<Arc<dyn Formula>> {
        self.invertible
            .then(|| Arc::new(Self { strength: -self.strength, ..self.clone() }) as Arc<dyn Formula>)
    }
}

/// The square of one number, with its derivative.
#[derive(Debug, Asdf)]
#[asdf(tag = "asdf://example.org/tags/square-1.0.0", accepts = ["asdf://example.org/tags/square-1.*"])]
struct Square {
    #[asdf(extra)]
    shared: Extra,
}

impl Formula for Square {
    fn inputs(&self) -> usize {
        1
    }

    fn outputs(&self) -> usize {
        1
    }

    fn values(&self, inputs: &[&[f64]], outputs: &mut [&mut [f64]]) {
        inputs[0].iter().zip(outputs[0].iter_mut()).for_each(|(x, out)| *out = x * x);
    }

    fn derivatives(&self, inputs: &[&[f64]], derivatives: &mut [&mut [f64]]) {
        inputs[0].iter().zip(derivatives[0].iter_mut()).for_each(|(x, out)| *out = 2.0 * x);
    }
}

/// Replaces the standard's shift.
#[derive(Debug, Asdf)]
#[asdf(tag = "tag:stsci.edu:asdf/transform/shift-1.2.0", accepts = ["tag:stsci.edu:asdf/transform/shift-*"])]
struct Double {}

impl Formula for Double {
    fn inputs(&self) -> usize {
        1
    }

    fn outputs(&self) -> usize {
        1
    }

    fn values(&self, inputs: &[&[f64]], outputs: &mut [&mut [f64]]) {
        inputs[0].iter().zip(outputs[0].iter_mut()).for_each(|(x, out)| *out = 2.0 * x);
    }
}

/// A formula without outputs.
#[derive(Debug, Asdf)]
#[asdf(tag = "asdf://example.org/tags/nothing-1.0.0")]
struct Nothing {}

impl Formula for Nothing {
    fn inputs(&self) -> usize {
        1
    }

    fn outputs(&self) -> usize {
        0
    }

    fn values(&self, _: &[&[f64]], _: &mut [&mut [f64]]) {}
}

fn file(transform: &str) -> File {
    let text = format!(
        "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n%TAG !e! asdf://example.org/tags/\n\
         --- !core/asdf-1.1.0\nwcs: !<tag:stsci.edu:gwcs/wcs-1.4.0>\n  name: ''\n  steps:\n\
         \x20 - !<tag:stsci.edu:gwcs/step-1.3.0>\n    frame: pixel\n    transform: {transform}\n\
         \x20 - !<tag:stsci.edu:gwcs/step-1.3.0> {{frame: world}}\n...\n"
    );
    File::from_bytes(text.into_bytes()).unwrap()
}

fn formulas() -> Formulas {
    Formulas::new().add::<Swirl>().add::<Square>().add::<Nothing>()
}

#[test]
fn a_formula_is_part_of_a_chain() {
    let file = file(
        "!transform/compose-1.2.0 {forward: [!transform/concatenate-1.2.0 {forward: [\
         !transform/shift-1.2.0 {offset: 1}, !e!square-1.7.0 {}]}, !e!swirl-1.0.0 {strength: 0.01}]}",
    );
    let wcs = Wcs::open_with(&file, "/wcs", &formulas()).unwrap();
    let (sine, cosine) = 0.25_f64.sin_cos();
    let found = wcs.pixel_to_world(&[2.0, 2.0]).unwrap();
    let expected = [3.0 * cosine - 4.0 * sine, 3.0 * sine + 4.0 * cosine];
    assert!(
        found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-15),
        "{found:?}"
    );
    // Without the formulas, only the use of the transform is an error.
    let error = Wcs::open(&file, "/wcs").unwrap().pixel_to_world(&[2.0, 2.0]).unwrap_err();
    assert!(error.message().contains("example.org/tags/s"), "{error}");
}

#[test]
fn a_formula_without_an_inverse_is_inverted_numerically() {
    let file = file("!e!swirl-1.0.0 {strength: 0.0001}");
    let wcs = Wcs::open_with(&file, "/wcs", &formulas()).unwrap();
    let xs: Vec<f64> = (0..300).map(|at| f64::from(at % 20) - 9.5).collect();
    let ys: Vec<f64> = (0..300).map(|at| f64::from(at / 20) - 7.0).collect();
    let world = wcs.pixel_to_world_columns(&[&xs, &ys]).unwrap();
    let pixels = wcs.inverse(Inverse::Exact).unwrap().columns(&[&world[0], &world[1]]).unwrap();
    for (found, expected) in pixels[0].iter().chain(&pixels[1]).zip(xs.iter().chain(&ys)) {
        assert!((found - expected).abs() < 1e-9, "{found} and not {expected}");
    }
}

#[test]
fn a_formula_with_an_inverse_is_inverted_by_it() {
    let file = file("!e!swirl-1.0.0 {strength: 0.01, invertible: true}");
    let wcs = Wcs::open_with(&file, "/wcs", &formulas()).unwrap();
    let inverse = wcs.inverse(Inverse::Exact).unwrap();
    assert!(inverse.to_string().contains("inverse of asdf://example.org/tags/swirl-1.0.0"), "{inverse}");
    let world = wcs.pixel_to_world(&[3.0, 4.0]).unwrap();
    let pixel = inverse.values(&world).unwrap();
    assert!((pixel[0] - 3.0).abs() < 1e-14 && (pixel[1] - 4.0).abs() < 1e-14, "{pixel:?}");
}

#[test]
fn derivatives_of_a_formula_are_used() {
    let file = file(
        "!e!square-1.0.0 {bounding_box: !transform/property/bounding_box-1.2.0 {intervals: {x: [1, 9]}}}",
    );
    let wcs = Wcs::open_with(&file, "/wcs", &formulas()).unwrap();
    assert!((wcs.world_to_pixel(&[9.0], Inverse::Exact).unwrap()[0] - 3.0).abs() < 1e-12);
    assert!(wcs.pixel_to_world(&[10.0]).unwrap()[0].is_nan());
}

#[test]
fn a_formula_replaces_one_of_the_standard() {
    let file = file("!transform/shift-1.3.0 {}");
    let wcs = Wcs::open_with(&file, "/wcs", &Formulas::new().add::<Double>()).unwrap();
    assert_eq!(wcs.pixel_to_world(&[4.0]).unwrap(), [8.0]);
    assert!(Wcs::open(&file, "/wcs").is_err());
}

#[test]
fn wrong_formulas_are_errors_with_their_paths() {
    let error = Wcs::open_with(&file("!e!swirl-1.0.0 {strength: high}"), "/wcs", &formulas()).unwrap_err();
    assert_eq!(error.path(), Some("/wcs/steps/0/transform/strength"), "{error}");
    let error = Wcs::open_with(&file("!e!nothing-1.0.0 {}"), "/wcs", &formulas()).unwrap_err();
    assert_eq!(error.path(), Some("/wcs/steps/0/transform"), "{error}");
    assert!(error.message().contains("1 inputs and 0 outputs"), "{error}");
}
