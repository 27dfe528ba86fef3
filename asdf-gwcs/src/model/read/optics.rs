//! Gratings, refraction, glasses, direction cosines and elementary functions.

use asdf_core::Result;
use asdf_units::Unit;

use super::{Entry, Leaf, Reader};
use crate::function::Each;
use crate::leaf::cosines::{FromCosines, ToCosines};
use crate::leaf::optics::{Glass, GratingAngles, GratingWavelength, Snell, ZemaxGlass};
use crate::leaf::ufunc;
use crate::model::{OutputUnit, Units};

/// Reads `grating_equation`.
pub(super) fn grating_equation(_: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let density = entry.quantity("groove_density")?;
    let order = entry.number("order")?;
    let groove_density = density.value;
    let quantity = density.unit.is_some();
    let wavelength = match &density.unit {
        Some(unit) => {
            let length = Unit::one().divide(unit);
            Some(length.map_err(|error| entry.error_at("groove_density", error.to_string()))?)
        }
        None => None,
    };
    if entry.choice("output", &["wavelength", "angle"])? == 0 {
        let names = (&["alpha_in", "alpha_out"], &["wavelength"]);
        return Ok(Leaf::function(Each::shared(GratingWavelength { groove_density, order }))
            .named(names.0, names.1)
            .with_units(Units {
                inputs: Vec::new(),
                outputs: vec![wavelength.map_or(OutputUnit::None, OutputUnit::Of)],
                quantity,
                ..Units::default()
            }));
    }
    let one = wavelength.as_ref().map(|_| Unit::one());
    Ok(Leaf::function(Each::shared(GratingAngles { groove_density, order }))
        .named(&["wavelength", "alpha_in", "beta_in"], &["alpha_out", "beta_out", "gamma_out"])
        .with_units(Units {
            inputs: if quantity { vec![wavelength, one.clone(), one] } else { Vec::new() },
            outputs: vec![OutputUnit::None; 3],
            quantity,
            ..Units::default()
        }))
}

/// Reads `snell3d`.
pub(super) fn snell3d(_: &mut Reader, _: &Entry<'_>) -> Result<Leaf> {
    Ok(Leaf::function(Each::shared(Snell))
        .named(&["n", "alpha_in", "beta_in", "gamma_in"], &["alpha_out", "beta_out", "gamma_out"])
        .with_units(Units { outputs: vec![OutputUnit::None; 3], ..Units::default() }))
}

/// Reads `sellmeier_glass`.
pub(super) fn sellmeier_glass(_: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let (glass, quantity) = glass(entry)?;
    Ok(index_of(Leaf::function(Each::shared(glass)), quantity))
}

/// Reads `sellmeier_zemax`.
pub(super) fn sellmeier_zemax(_: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let kelvin = Unit::parse_lenient("K");
    let (glass, quantity) = glass(entry)?;
    let zemax = ZemaxGlass {
        glass,
        change: three(entry, "D_coef", None)?,
        dispersion: three(entry, "E_coef", None)?,
        temperature: entry.number_in("temperature", &kelvin)?,
        reference_temperature: entry.number_in("ref_temperature", &kelvin)?,
        pressure: pressure(entry, "pressure")?,
        reference_pressure: pressure(entry, "ref_pressure")?,
    };
    Ok(index_of(Leaf::function(Each::shared(zemax)), quantity))
}

fn index_of(leaf: Leaf, quantity: bool) -> Leaf {
    let micrometre = quantity.then(|| Unit::parse_lenient("um"));
    leaf.named(&["wavelength"], &["n"]).with_units(Units {
        inputs: vec![micrometre],
        outputs: vec![OutputUnit::None],
        quantity,
        ..Units::default()
    })
}

fn pressure(entry: &Entry<'_>, key: &str) -> Result<f64> {
    entry.number_in(key, &Unit::parse_lenient("atm"))
}

/// Reads the strengths and resonances of a glass, and whether the latter have a unit.
fn glass(entry: &Entry<'_>) -> Result<(Glass, bool)> {
    let square = Unit::parse_lenient("um2");
    let quantity = entry.vector("C_coef", 3)?.unit.is_some();
    let strengths = three(entry, "B_coef", None)?;
    Ok((Glass { strengths, resonances: three(entry, "C_coef", Some(&square))? }, quantity))
}

/// Reads three numbers in a unit.
fn three(entry: &Entry<'_>, key: &str, unit: Option<&Unit>) -> Result<[f64; 3]> {
    let one = Unit::one();
    let values = entry.vector(key, 3)?.in_unit(unit.unwrap_or(&one));
    let values = values.map_err(|error| entry.place_at(key, error))?;
    values.try_into().map_err(|_| entry.error_at(key, "expected three numbers"))
}

/// Reads `direction_cosines`.
pub(super) fn direction_cosines(_: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let (vector, cosines) = (["x", "y", "z"], ["cosa", "cosb", "cosc", "length"]);
    Ok(match entry.choice("transform_type", &["to_direction_cosines", "from_direction_cosines"])? {
        0 => Leaf::function(Each::shared(ToCosines)).named(&vector, &cosines).with_units(bare(4)),
        _ => Leaf::function(Each::shared(FromCosines)).named(&cosines, &vector).with_units(bare(3)),
    })
}

/// Outputs without units.
fn bare(outputs: usize) -> Units {
    Units { outputs: vec![OutputUnit::None; outputs], ..Units::default() }
}

/// Reads `math_functions`: an elementary function by its name in NumPy.
pub(super) fn math_functions(_: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let name = entry.text("func_name")?;
    match ufunc::find(name) {
        Some(function) => {
            let outputs = function.outputs();
            Ok(Leaf::function(function).with_units(bare(outputs)))
        }
        None => Err(entry.error_at("func_name", format!("found '{name}', expected a function of NumPy"))),
    }
}
