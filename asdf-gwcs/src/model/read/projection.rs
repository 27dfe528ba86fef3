//! Projections of the sphere.

use std::sync::Arc;

use asdf_core::Result;

use super::quantity::degree;
use super::{Entry, Leaf, Reader, name};
use crate::model::{OutputUnit, Units};
use crate::projected::Projected;
use crate::projection::Projection;

/// The parameters of all projections. Those that are not angles have no unit.
const PARAMETERS: &[(&str, bool)] = &[
    ("mu", false),
    ("gamma", true),
    ("phi0", true),
    ("theta0", true),
    ("theta1", true),
    ("theta_b", true),
    ("sigma", true),
    ("delta", true),
    ("xi", false),
    ("eta", false),
    // Python writes the parameter that the schemas call `lambda` as `lam`.
    ("lambda", false),
    ("lam", false),
    ("H", false),
    ("X", false),
];

/// Reads a projection.
pub(super) fn projection(_: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let mut parameters: Vec<(&str, f64)> = Vec::new();
    let mut quantity = false;
    for &(key, is_angle) in PARAMETERS {
        if let Some(found) = entry.optional_quantity(key)? {
            quantity |= found.unit.is_some();
            let value = if is_angle { entry.number_in(key, &degree()) } else { entry.number(key) };
            parameters.push((if key == "lam" { "lambda" } else { key }, value?));
        }
    }
    let name = name::split(entry.tag()).map_or("", |(_, name)| name);
    let find = |key: &str| parameters.iter().rev().find(|(own, _)| *own == key).map(|(_, value)| *value);
    let projection = match Projection::new(name, &find) {
        Some(projection) => projection.map_err(|message| entry.error(message))?,
        None => return Err(entry.error(format!("no projection '{name}'"))),
    };
    let to_sphere = match entry.get("direction") {
        Some(_) => entry.choice("direction", &["pix2sky", "sky2pix"])? == 0,
        None => true,
    };
    let units = Units {
        inputs: vec![Some(degree()); 2],
        outputs: vec![OutputUnit::Of(degree()); 2],
        quantity,
        ..Units::default()
    };
    let leaf = Leaf::function(Arc::new(Projected { projection: Arc::new(projection), to_sphere }));
    let (plane, sphere) = (["x", "y"], ["phi", "theta"]);
    let leaf = if to_sphere { leaf.named(&plane, &sphere) } else { leaf.named(&sphere, &plane) };
    Ok(leaf.with_units(units))
}
