//! Prisms, gratings, directions, slices and conditions of JWST.

use asdf_core::Result;

use crate::angle;
use crate::function::Each;
use crate::jwst::condition::{Comparison, Condition};
use crate::jwst::direction::{FromCosines, ToCosines};
use crate::jwst::grating::{GratingAngles, GratingWavelength};
use crate::jwst::prism::{Index, Prism, PrismIndex};
use crate::jwst::rotation::{Axis, Rotation};
use crate::jwst::slice::Slice;
use crate::leaf::optics::{Glass, ZemaxGlass};
use crate::model::read::{Entry, Leaf, Reader};

/// The most rotations in one sequence.
const MOST_ROTATIONS: usize = 1000;

/// From this difference of temperatures in kelvins on the index of a glass is corrected.
const CORRECTED: f64 = 20.0;

/// Reads `coords`: between the plane at distance 1 and direction cosines.
pub(super) fn coords(_: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let types = ["unitless2directional", "to_dircos", "directional2unitless", "from_dircos"];
    Ok(if entry.choice("model_type", &types)? < 2 {
        Leaf::function(Each::shared(ToCosines)).named(&["x", "y"], &["x", "y", "z"])
    } else {
        Leaf::function(Each::shared(FromCosines)).named(&["x", "y", "z"], &["x", "y"])
    })
}

/// Reads `grating_equation`: the reflection by a grating.
pub(super) fn grating_equation(_: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let groove_density = entry.number("groove_density")?;
    let order = entry.number("order")?;
    Ok(if entry.choice("output", &["wavelength", "angle"])? == 0 {
        let function = Each::shared(GratingWavelength { groove_density, order });
        Leaf::function(function).named(&["alpha_in", "beta_in", "alpha_out"], &["lam"])
    } else {
        let inputs = ["lam", "alpha_in", "beta_in", "z"];
        let function = Each::shared(GratingAngles { groove_density, order });
        Leaf::function(function).named(&inputs, &["alpha_out", "beta_out", "zout"])
    })
}

/// Reads `logical`: a value that replaces others.
///
/// Python also accepts arrays, which belong to the points of one call. There is no such array for other points, so
/// they are an error.
pub(super) fn logical(_: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let names = ["GT", "LT", "EQ", "NE", "gt", "lt", "eq", "ne"];
    let comparison = match entry.choice("condition", &names)? % 4 {
        0 => Comparison::Greater,
        1 => Comparison::Less,
        2 => Comparison::Equal,
        _ => Comparison::NotEqual,
    };
    let (limit, value) = (entry.number("compareto")?, entry.number("value")?);
    Ok(Leaf::function(Each::shared(Condition { comparison, limit, value })).named(&["x"], &["x"]))
}

/// Reads `miri_ab2slice`: the number of a slice.
pub(super) fn miri_ab2slice(_: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let zero = entry.number("beta_zero")?;
    let width = entry.number("beta_del")?;
    let channel = entry.number("channel")?;
    Ok(Leaf::function(Each::shared(Slice { zero, width, channel })).named(&["beta"], &["slice"]))
}

/// Reads `refraction_index_from_prism`: the refractive index of a prism.
pub(super) fn refraction_index_from_prism(_: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let (sine, cosine) = angle::sin_cos(angle::to_radians(entry.number("prism_angle")?));
    let function = Each::shared(PrismIndex { sine, cosine });
    Ok(Leaf::function(function).named(&["alpha_in", "beta_in", "alpha_out"], &["n"]))
}

/// Reads `rotation_sequence`: rotations of direction cosines.
pub(super) fn rotation_sequence(_: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let angles = entry.array("angles")?;
    let letters = entry.text("axes_order")?;
    let axes: Option<Vec<Axis>> = letters.chars().take(MOST_ROTATIONS + 1).map(axis_of).collect();
    let axes = axes.ok_or_else(|| entry.error_at("axes_order", "expected the letters x, y and z"))?;
    if axes.len() > MOST_ROTATIONS {
        return Err(entry.error_at("axes_order", format!("more than {MOST_ROTATIONS} rotations")));
    }
    if angles.values.len() != axes.len() || angles.shape.len() > 1 {
        let message =
            format!("found {} angles for {} axes, expected one each", angles.values.len(), axes.len());
        return Err(entry.error_at("angles", message));
    }
    let rotation = Rotation::new(axes.into_iter().zip(angles.values).collect());
    let names = ["x", "y", "z"];
    Ok(Leaf::function(Each::shared(rotation)).named(&names, &names))
}

fn axis_of(letter: char) -> Option<Axis> {
    match letter {
        'x' => Some(Axis::X),
        'y' => Some(Axis::Y),
        'z' => Some(Axis::Z),
        _ => None,
    }
}

/// Reads `snell`: the way of light through a prism.
///
/// The pressure of the file is not used: Python takes the reference pressure for it.
pub(super) fn snell(_: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let three = |key: &str| -> Result<[f64; 3]> {
        Ok(entry.vector(key, 3)?.values.try_into().unwrap_or([f64::NAN; 3]))
    };
    let degrees = entry.number("prism_angle")?;
    let glass = Glass { strengths: three("kcoef")?, resonances: three("lcoef")? };
    let thermal: [f64; 6] = entry.vector("tcoef", 6)?.values.try_into().unwrap_or([f64::NAN; 6]);
    let (temperature, reference_temperature) = (entry.number("temp")?, entry.number("ref_temp")?);
    let pressure = entry.number("ref_pressure")?;
    entry.number("pressure")?;
    let [d0, d1, d2, e0, e1, e2] = thermal;
    let index = if temperature - reference_temperature < CORRECTED {
        Index::Reference(glass)
    } else {
        Index::Corrected(ZemaxGlass {
            glass,
            change: [d0, d1, d2],
            dispersion: [e0, e1, e2],
            temperature,
            reference_temperature,
            pressure,
            reference_pressure: pressure,
        })
    };
    let prism = Prism {
        index,
        to_back: Rotation::new(vec![(Axis::Y, degrees)]),
        to_front: Rotation::new(vec![(Axis::Y, 0.0 - degrees)]),
    };
    let inputs = ["lam", "alpha_in", "beta_in", "zin"];
    Ok(Leaf::function(Each::shared(prism)).named(&inputs, &["alpha_out", "beta_out", "zout"]))
}
