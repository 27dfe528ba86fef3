//! Rotations of space and of the sphere.

use std::f64::consts::FRAC_PI_2;

use asdf_core::Result;
use asdf_units::Unit;

use super::quantity::{degree, degrees};
use super::{Entry, Leaf, Reader};
use crate::angle;
use crate::model::{Kind, OutputUnit, Units};

/// The most rotations in one sequence.
const MAX_ROTATIONS: usize = 1000;

/// The directions of `rotate3d`: two names, and the axes of three rotations.
const DIRECTIONS: &[&str] = &[
    "native2celestial",
    "celestial2native",
    "zxz",
    "xyx",
    "yzy",
    "zyz",
    "xzx",
    "yxy",
    "xyz",
    "yzx",
    "zxy",
    "xzy",
    "zyx",
    "yxz",
];

/// A matrix of three rows and columns, by rows.
type Matrix = [f64; 9];

/// Reads `rotate3d`: longitude and latitude in a rotated system.
pub(super) fn rotate3d(reader: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let direction = match entry.get("direction") {
        Some(_) => entry.choice("direction", DIRECTIONS)?,
        None => 0,
    };
    let mut angles = [0.0; 3];
    let mut quantity = false;
    for (radians, key) in angles.iter_mut().zip(["phi", "theta", "psi"]) {
        let angle = entry.quantity(key)?;
        *radians = angle::to_radians(degrees(entry, key, &angle)?);
        quantity |= angle.unit.is_some();
    }
    let axes = DIRECTIONS.get(direction).copied().unwrap_or("zxz");
    let (matrix, positive, names) = match (axes, angles) {
        ("native2celestial", [lon, lat, pole]) => {
            (native_to_celestial(lon, lat, pole), true, [["phi_N", "theta_N"], ["alpha_C", "delta_C"]])
        }
        ("celestial2native", [lon, lat, pole]) => {
            let angles = [FRAC_PI_2 + lon, FRAC_PI_2 - lat, -(pole - FRAC_PI_2)];
            (product(&angles, "zxz"), true, [["alpha_C", "delta_C"], ["phi_N", "theta_N"]])
        }
        (axes, angles) => (product(&angles, axes), false, [["alpha", "delta"]; 2]),
    };
    let leaf = spherical(reader, &matrix, positive).named(&names[0], &names[1]);
    Ok(Leaf { quantity, ..leaf })
}

/// Reads `rotate_sequence_3d`: rotations about coordinate axes, of vectors or of longitude and latitude.
pub(super) fn rotate_sequence_3d(reader: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let angles = entry.array("angles")?;
    let axes = entry.text("axes_order")?;
    let is_cartesian = entry.choice("rotation_type", &["cartesian", "spherical"])? == 0;
    if let Some(other) = axes.chars().find(|axis| !matches!(axis, 'x' | 'y' | 'z')) {
        let message = format!("found the axis '{}', expected x, y or z", other.escape_debug());
        return Err(entry.error_at("axes_order", message));
    }
    if angles.shape.len() != 1 || angles.values.len() != axes.len() || axes.is_empty() {
        let message =
            format!("found {} angles for {} axes, expected one each", angles.values.len(), axes.len());
        return Err(entry.error_at("angles", message));
    }
    if axes.len() > MAX_ROTATIONS {
        return Err(entry.error_at("angles", format!("more than {MAX_ROTATIONS} rotations")));
    }
    let quantity = angles.unit.is_some();
    let angles = angles.in_unit(&degree()).map_err(|error| entry.place_at("angles", error))?;
    let radians: Vec<f64> = angles.into_iter().map(angle::to_radians).collect();
    let matrix = product(&radians, axes);
    let leaf = if is_cartesian {
        let kind = Kind::Affine { matrix: matrix.to_vec(), translation: vec![0.0; 3] };
        Leaf::new(kind).named(&["x", "y", "z"], &["x", "y", "z"])
    } else {
        spherical(reader, &matrix, false).named(&["lon", "lat"], &["lon", "lat"])
    };
    Ok(Leaf { quantity, ..leaf })
}

/// Reads `spherical_cartesian`: between longitude and latitude in degrees and a unit vector.
pub(super) fn spherical_cartesian(_: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let names = ["spherical_to_cartesian", "cartesian_to_spherical"];
    let to_cartesian = entry.choice("transform_type", &names)? == 0;
    let positive = match entry.optional_index("wrap_lon_at", 360)? {
        None | Some(360) => true,
        Some(180) => false,
        Some(other) => {
            return Err(entry.error_at("wrap_lon_at", format!("found {other}, expected 180 or 360")));
        }
    };
    Ok(if to_cartesian {
        to_vector(positive).named(&["lon", "lat"], &["x", "y", "z"])
    } else {
        to_angles(positive).named(&["x", "y", "z"], &["lon", "lat"])
    })
}

/// Makes the rotation from native to celestial coordinates; all angles are in radians.
pub(super) fn native_to_celestial(longitude: f64, latitude: f64, pole: f64) -> Matrix {
    let angles = [pole - FRAC_PI_2, -(FRAC_PI_2 - latitude), -(FRAC_PI_2 + longitude)];
    product(&angles, "zxz")
}

/// Makes a rotation of longitude and latitude from a matrix.
pub(super) fn spherical(reader: &Reader, matrix: &Matrix, positive: bool) -> Leaf {
    let rotation = Leaf::new(Kind::Affine { matrix: matrix.to_vec(), translation: vec![0.0; 3] });
    let second = Kind::Compose(reader.part(rotation), reader.part(to_angles(positive)));
    Leaf::new(Kind::Compose(reader.part(to_vector(positive)), reader.part(Leaf::new(second))))
}

fn to_vector(positive: bool) -> Leaf {
    let units = Units {
        inputs: vec![Some(degree()); 2],
        // Quantities stay quantities, so that angles that are computed from the vector have a unit again.
        outputs: vec![OutputUnit::Of(Unit::one()); 3],
        quantity: false,
        ..Units::default()
    };
    Leaf::new(Kind::SphericalToCartesian { positive }).with_units(units)
}

fn to_angles(positive: bool) -> Leaf {
    let units = Units {
        inputs: vec![None; 3],
        outputs: vec![OutputUnit::Of(degree()); 2],
        quantity: false,
        ..Units::default()
    };
    Leaf::new(Kind::CartesianToSpherical { positive }).with_units(units)
}

/// Multiplies rotations by angles in radians about axes, the first one first.
fn product(angles: &[f64], axes: &str) -> Matrix {
    let rotations = angles.iter().zip(axes.bytes()).map(|(&angle, axis)| rotation(angle, axis));
    // From the last to the first, as numpy multiplies them.
    rotations.rev().reduce(|left, right| multiply(&left, &right)).unwrap_or(rotation(0.0, b'z'))
}

/// Rotates the coordinate system about an axis.
fn rotation(angle: f64, axis: u8) -> Matrix {
    let (s, c) = angle::sin_cos(angle);
    let m = 0.0 - s;
    match axis {
        b'x' => [1.0, 0.0, 0.0, 0.0, c, s, 0.0, m, c],
        b'y' => [c, 0.0, m, 0.0, 1.0, 0.0, s, 0.0, c],
        _ => [c, s, 0.0, m, c, 0.0, 0.0, 0.0, 1.0],
    }
}

fn multiply(left: &Matrix, right: &Matrix) -> Matrix {
    std::array::from_fn(|index| {
        let row = left.iter().skip(index / 3 * 3).take(3);
        let column = right.iter().skip(index % 3).step_by(3);
        row.zip(column).map(|(a, b)| a * b).sum()
    })
}
