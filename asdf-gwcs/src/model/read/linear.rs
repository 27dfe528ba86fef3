//! Transforms that multiply and add.

use asdf_core::Result;
use asdf_units::Unit;

use super::quantity::{Array, Quantity, degrees};
use super::{Entry, Leaf, Reader};
use crate::angle;
use crate::model::{Kind, OutputUnit, Units};

/// Reads `shift`, which adds an offset.
pub(super) fn shift(_: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let offset = entry.quantity("offset")?;
    let units = offset.unit.map(|unit| same_unit(1, &unit)).unwrap_or_default();
    Ok(Leaf::new(Kind::Linear { factor: 1.0, offset: offset.value }).with_units(units))
}

/// Reads `scale`. The unit of its factor is the unit of the input and of the output, as in astropy.
pub(super) fn scale(_: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let factor = entry.quantity("factor")?;
    let units = factor.unit.map(|unit| same_unit(1, &unit)).unwrap_or_default();
    Ok(Leaf::new(Kind::Linear { factor: factor.value, offset: 0.0 }).with_units(units))
}

/// Reads `multiplyscale`. The unit of the output is the product of the units of the input and of the factor.
pub(super) fn multiplyscale(_: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let factor = entry.quantity("factor")?;
    let units = factor.unit.map(|unit| Units {
        inputs: vec![None],
        outputs: vec![OutputUnit::Times(0, unit)],
        quantity: true,
        ..Units::default()
    });
    let kind = Kind::Linear { factor: factor.value, offset: 0.0 };
    Ok(Leaf::new(kind).with_units(units.unwrap_or_default()))
}

/// Reads `linear1d`, a factor and then an offset.
pub(super) fn linear1d(_: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let absent = |value| Quantity { value, unit: None };
    let slope = entry.optional_quantity("slope")?.unwrap_or(absent(1.0));
    let intercept = entry.optional_quantity("intercept")?.unwrap_or(absent(0.0));
    let kind = Kind::Linear { factor: slope.value, offset: intercept.value };
    if slope.unit.is_none() && intercept.unit.is_none() {
        return Ok(Leaf::new(kind));
    }
    let (slope, intercept) = (slope.unit.unwrap_or(Unit::one()), intercept.unit.unwrap_or(Unit::one()));
    let input = intercept.divide(&slope).map_err(|error| entry.error(error.to_string()))?;
    let units = Units {
        inputs: vec![Some(input)],
        outputs: vec![OutputUnit::Of(intercept)],
        quantity: true,
        ..Units::default()
    };
    Ok(Leaf::new(kind).with_units(units))
}

/// Reads `affine`, a matrix and then a translation.
pub(super) fn affine(_: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let matrix = entry.matrix("matrix", 2, 2)?;
    let translation = entry.optional_array("translation")?;
    let translation = translation.unwrap_or(Array { values: vec![0.0; 2], shape: vec![2], unit: None });
    if !matches!(translation.shape.as_slice(), [2] | [1, 2]) {
        return Err(entry.error_at("translation", "the translation must be 2 numbers"));
    }
    let unit = matrix.unit.as_ref().or(translation.unit.as_ref());
    // A matrix without a unit takes the values of quantities and drops their units, as in astropy.
    let bare = Units { outputs: vec![OutputUnit::None; 2], ..Units::default() };
    let units = unit.map(|unit| same_unit(2, unit)).unwrap_or(bare);
    if let (Some(a), Some(b)) = (&matrix.unit, &translation.unit) {
        if a != b {
            let message = format!("found the unit `{b}`, expected `{a}`, the unit of the matrix");
            return Err(entry.error_at("translation", message));
        }
    }
    let kind = Kind::Affine { matrix: matrix.values, translation: translation.values };
    Ok(Leaf::new(kind).with_units(units))
}

/// Reads `rotate2d`, a rotation of the plane from x to y.
pub(super) fn rotate2d(_: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let angle = entry.quantity("angle")?;
    let quantity = angle.unit.is_some();
    let (sine, cosine) = angle::sin_cos(angle::to_radians(degrees(entry, "angle", &angle)?));
    let matrix = vec![cosine, 0.0 - sine, sine, cosine];
    let units = Units { quantity, ..Units::default() };
    Ok(Leaf::new(Kind::Affine { matrix, translation: vec![0.0; 2] }).with_units(units))
}

/// Makes the units of a transform whose inputs and outputs all have one unit.
fn same_unit(count: usize, unit: &Unit) -> Units {
    Units {
        inputs: vec![Some(unit.clone()); count],
        outputs: vec![OutputUnit::Of(unit.clone()); count],
        quantity: true,
        ..Units::default()
    }
}
