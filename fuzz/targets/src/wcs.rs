//! World coordinates of any tree of transforms: an error, or results that do not depend on how many points are computed.
//!
//! An input that starts with `#` is a file. Others choose the parts of a tree: deep, circular, with wrong shapes and
//! numbers of inputs.

use asdf_core::{File, Threads};
use asdf_gwcs::{Bounding, Inverse, Transform, Wcs};

/// Transforms with their properties. `N` becomes a number, `L` a list, `M` a list of lists and `T` a transform.
const KINDS: &[&str] = &[
    "transform/shift-1.2.0 {offset: N}",
    "transform/scale-1.2.0 {factor: N}",
    "transform/multiplyscale-1.0.0 {factor: N}",
    "transform/linear1d-1.0.0 {slope: N, intercept: N}",
    "transform/identity-1.2.0 {n_dims: N}",
    "transform/constant-1.4.0 {value: N, dimensions: N}",
    "transform/remap_axes-1.3.0 {mapping: L, n_inputs: N}",
    "transform/affine-1.3.0 {matrix: M, translation: L}",
    "transform/rotate2d-1.3.0 {angle: N}",
    "transform/rotate3d-1.3.0 {phi: N, theta: N, psi: N, direction: native2celestial}",
    "transform/rotate3d-1.3.0 {phi: N, theta: N, psi: N, direction: zxz}",
    "transform/rotate_sequence_3d-1.0.0 {angles: L, axes_order: zyx, rotation_type: spherical}",
    "transform/rotate_sequence_3d-1.0.0 {angles: L, axes_order: zyx, rotation_type: cartesian}",
    "transform/polynomial-1.2.0 {coefficients: L, domain: L}",
    "transform/polynomial-1.2.0 {coefficients: M}",
    "transform/ortho_polynomial-1.0.0 {polynomial_type: chebyshev, coefficients: M}",
    "transform/ortho_polynomial-1.0.0 {polynomial_type: hermite, coefficients: L}",
    "transform/tabular-1.2.0 {points: [L], lookup_table: L, method: linear, bounds_error: false, fill_value: N}",
    "transform/tabular-1.2.0 {points: M, lookup_table: M, method: nearest, bounds_error: false}",
    "transform/gnomonic-1.3.0 {direction: pix2sky}",
    "transform/gnomonic-1.3.0 {direction: sky2pix}",
    "transform/zenithal_perspective-1.4.0 {direction: pix2sky, mu: N, gamma: N}",
    "transform/bonne_equal_area-1.3.0 {direction: sky2pix, theta1: N}",
    "transform/conic_perspective-1.3.0 {direction: pix2sky, sigma: N, delta: N}",
    "transform/molleweide-1.3.0 {direction: pix2sky}",
    "transform/healpix-1.3.0 {direction: sky2pix, H: N, X: N}",
    "transform/quad_spherical_cube-1.3.0 {direction: pix2sky}",
    "transform/planar2d-1.0.0 {slope_x: N, slope_y: N, intercept: N}",
    "transform/math_functions-1.0.0 {func_name: power}",
    "transform/label_mapper-1.2.0 {mapper: M, no_label: N}",
    "transform/compose-1.3.0 {forward: [T, T]}",
    "transform/compose-1.3.0 {forward: [T, T], inverse: T}",
    "transform/concatenate-1.3.0 {forward: [T, T]}",
    "transform/concatenate-1.3.0 {forward: [T, T], bounding_box: M}",
    "transform/add-1.3.0 {forward: [T, T]}",
    "transform/divide-1.3.0 {forward: [T, T]}",
    "transform/power-1.3.0 {forward: [T, T]}",
    "transform/fix_inputs-1.2.0 {forward: [T, {keys: L, values: L}]}",
    "transform/regions_selector-1.1.0 {label_mapper: T, selector: {labels: L, transforms: [T, T]}, \
     undefined_transform_value: N}",
];

/// Tags of gwcs, by the handle `!g!`.
const GWCS_KINDS: &[&str] = &[
    "spherical_cartesian-1.2.0 {transform_type: spherical_to_cartesian, wrap_lon_at: 360}",
    "spherical_cartesian-1.2.0 {transform_type: cartesian_to_spherical, wrap_lon_at: 180}",
    "fitswcs_imaging-1.0.0 {crpix: L, crval: L, cdelt: L, pc: M, projection: T}",
    "direction_cosines-1.2.0 {transform_type: to_direction_cosines}",
    "grating_equation-1.2.0 {groove_density: N, order: N, output: wavelength}",
    "sellmeier_glass-1.2.0 {B_coef: L, C_coef: L}",
    "unknown_kind-1.0.0 {n: N}",
];

const NUMBERS: &[&str] = &[
    "0", "1", "2", "3", "-1", "0.5", "90", "180", "-45.5", "1e308", "1e-300", ".nan", ".inf", "4096", "null",
    "x",
];

/// The most transforms of a tree. More only take longer.
const MOST: usize = 60;

pub fn run(data: &[u8]) {
    let text = if data.starts_with(b"#") { data.to_vec() } else { Choices::new(data).file().into_bytes() };
    let Ok(file) = File::from_bytes(text) else { return };
    for path in Wcs::find(&file) {
        if let Ok(wcs) = Wcs::open(&file, &path) {
            check(&wcs.threads(Threads::ONE));
        }
    }
}

fn check(wcs: &Wcs) {
    if let Ok(forward) = wcs.forward() {
        check_transform(forward);
    }
    for inverse in [Inverse::Stored, Inverse::Exact] {
        for bounding in [Bounding::Exact, Bounding::Corners] {
            if let Ok(backward) = wcs.inverse_with(inverse, bounding) {
                check_transform(&backward);
            }
        }
    }
    let _ = (wcs.footprint().is_ok(), wcs.outline(2).is_ok(), wcs.pixel_scale().is_ok());
    let _ = wcs.steps().map(|step| step.frame().axes().len()).sum::<usize>();
}

/// Computes some points together and one by one.
fn check_transform(transform: &Transform) {
    let values = [0.0, 1.0, -0.5, 100.25, f64::NAN, f64::INFINITY, 1e300, -90.0];
    let columns: Vec<Vec<f64>> = (0..transform.inputs())
        .map(|input| (0..values.len()).map(|row| values[(row + input) % values.len()]).collect())
        .collect();
    // Columns give the number of points, which a transform without inputs lacks.
    if columns.is_empty() {
        assert!(transform.values(&[]).is_ok());
        return;
    }
    let slices: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
    let together = transform.columns(&slices).expect("the columns have the same length");
    for row in 0..values.len() {
        let point: Vec<f64> = columns.iter().map(|column| column[row]).collect();
        let alone = transform.values(&point).expect("the point has all inputs");
        for (column, alone) in together.iter().zip(alone) {
            let same = column[row].to_bits() == alone.to_bits() || (column[row].is_nan() && alone.is_nan());
            assert!(same, "{} and {alone} at {point:?} of\n{transform}", column[row]);
        }
    }
    assert!(!transform.to_string().is_empty());
}

/// Chooses the parts of a tree by the bytes of an input.
struct Choices<'d> {
    data: &'d [u8],
    transforms: usize,
}

impl<'d> Choices<'d> {
    fn new(data: &'d [u8]) -> Self {
        Self { data, transforms: 0 }
    }

    /// The next byte; 0 after the last.
    fn next(&mut self) -> usize {
        let (first, rest) = self.data.split_first().map_or((0, self.data), |(first, rest)| (*first, rest));
        self.data = rest;
        usize::from(first)
    }

    fn file(&mut self) -> String {
        let mut steps = String::new();
        for number in 0..1 + self.next() % 3 {
            let transform = self.transform();
            steps.push_str(&format!("  - !g!step-1.3.0 {{frame: f{number}, transform: {transform}}}\n"));
        }
        format!(
            "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n%TAG !g! tag:stsci.edu:gwcs/\n\
             --- !core/asdf-1.1.0\nwcs: !g!wcs-1.4.0\n  name: w\n  steps:\n{steps}\
             \x20 - !g!step-1.3.0 {{frame: world, transform: null}}\n...\n"
        )
    }

    fn transform(&mut self) -> String {
        self.transforms += 1;
        let number = self.transforms;
        if number > MOST || self.data.is_empty() {
            return "!transform/shift-1.2.0 {offset: 1.5}".to_owned();
        }
        let choice = self.next();
        // An alias of a transform that was begun before, or of one around this.
        if choice >= 240 && number > 1 {
            return format!("*t{}", 1 + self.next() % (number - 1));
        }
        let choice = choice % (KINDS.len() + GWCS_KINDS.len());
        let (handle, kind) = match KINDS.get(choice) {
            Some(kind) => ("!", *kind),
            None => ("!g!", GWCS_KINDS[choice - KINDS.len()]),
        };
        let mut text = format!("&t{number} {handle}");
        let words = kind.split_inclusive([' ', ',', ']', '}', '[']);
        for word in words {
            let name = word.trim_end_matches([' ', ',', ']', '}', '[']);
            let part = match name {
                "N" => self.number(),
                "L" => self.list(),
                "M" => {
                    let rows: Vec<String> = (0..self.next() % 4).map(|_| self.list()).collect();
                    format!("[{}]", rows.join(", "))
                }
                "T" => self.transform(),
                name => name.to_owned(),
            };
            text.push_str(&part);
            text.push_str(&word[name.len()..]);
        }
        text
    }

    fn number(&mut self) -> String {
        let choice = self.next();
        match NUMBERS.get(choice % 24) {
            Some(number) => (*number).to_owned(),
            None => format!("{}", f64::from(u8::try_from(choice).unwrap_or(0)) / 8.0 - 10.0),
        }
    }

    fn list(&mut self) -> String {
        let items: Vec<String> = (0..self.next() % 5).map(|_| self.number()).collect();
        format!("[{}]", items.join(", "))
    }
}
