//! Transforms of DKIST, which the package `dkist` defines.

use std::sync::Arc;

use asdf_core::Result;
use asdf_core::tree::Kind as NodeKind;
use asdf_units::Unit;

use super::line::Line;
use super::quantity::{Array, degree};
use super::{Entry, Leaf, MAX_AXES, Reader};
use crate::dkist::raster::Raster;
use crate::dkist::varying::{Pointing, Table, Varying};
use crate::model::{Kind, Model, OutputUnit, Units};

/// The kinds of transforms.
pub(super) const KINDS: &[Line] = &[
    ("dkist", "varying_celestial_transform", to_sky),
    ("dkist", "inverse_varying_celestial_transform", to_pixels),
    ("dkist", "varying_celestial_transform_slit", slit),
    ("dkist", "coupled_compound_model", coupled),
    ("dkist", "ravel_model", ravel),
    ("dkist", "asymmetric_mapping_model", asymmetric),
];

/// The most axes of the tables of pointings.
const MOST_TABLE_AXES: usize = 3;

/// The names of the inputs for the indices of an exposure.
const INDICES: [&str; MOST_TABLE_AXES] = ["z", "q", "m"];

/// Reads `varying_celestial_transform`: a pixel and the indices of an exposure to celestial coordinates.
fn to_sky(reader: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    varying(reader, entry, true)
}

/// Reads `inverse_varying_celestial_transform`: celestial coordinates and the indices of an exposure to a pixel.
fn to_pixels(reader: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    varying(reader, entry, false)
}

/// Reads `varying_celestial_transform_slit`, of old files: the second axis of pixels is also the index of the exposure.
fn slit(reader: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let leaf = varying(reader, entry, true)?;
    let inputs = leaf.inputs.len().saturating_sub(1);
    let mapping = [0, 1].into_iter().chain(1..inputs).collect();
    let outputs = leaf.outputs.clone();
    let forward = reader.part(Leaf::new(Kind::Remap { mapping, inputs }));
    let backward = reader.part(Leaf::new(Kind::Remap { mapping: vec![0], inputs: 2 }));
    let duplicate = reader.part(Leaf::new(Kind::Paired(forward, Some(backward))));
    let path = leaf.path.clone();
    let names = (INPUTS.iter().take(inputs).map(|&name| name.to_owned()).collect(), outputs);
    let kind = match leaf.kind {
        Kind::Unknown { tag, outputs, .. } => Kind::Unknown { tag, inputs, outputs },
        _ => Kind::Compose(duplicate, reader.part(leaf)),
    };
    Ok(Leaf { path, ..Leaf::with_names(kind, names) })
}

/// The names of all inputs.
const INPUTS: [&str; MOST_TABLE_AXES + 2] = ["x", "y", "z", "q", "m"];

fn varying(reader: &mut Reader, entry: &Entry<'_>, to_sky: bool) -> Result<Leaf> {
    let node = entry.require("projection")?;
    let model = reader.read_child(&["projection"], node)?;
    let projection = match &model.kind {
        Kind::Function(function) if (function.inputs(), function.outputs()) == (2, 2) => {
            Ok(Arc::clone(function))
        }
        Kind::Unknown { tag, .. } => Err(tag.clone()),
        _ => return Err(entry.error_at("projection", "expected a projection to the sphere")),
    };
    let projection_entry = Entry::open(node).map_err(|error| error.under("projection"))?;
    if projection_entry.get("direction").is_some() {
        let direction = projection_entry.choice("direction", &["pix2sky"]);
        direction.map_err(|error| error.under("projection"))?;
    }

    let crpix = if entry.get("crpix_table").is_some() { "crpix_table" } else { "crpix" };
    let mut matrix = entry.array("pc_table")?;
    // The first version wrote the unit of the result to the matrix.
    if entry.tag().ends_with("-1.0.0") && matrix.unit == Some(arcsecond()) {
        matrix.unit = Some(pixel());
    }
    let mut shape: Option<Vec<usize>> = None;
    let pixel_table = table(entry, crpix, entry.array(crpix)?, &[2], &pixel(), &mut shape)?;
    let matrix = table(entry, "pc_table", matrix, &[2, 2], &pixel(), &mut shape)?;
    let centre = entry.array("crval_table")?;
    let centre = table(entry, "crval_table", centre, &[2], &degree(), &mut shape)?;
    let shape = shape.unwrap_or_default();
    if shape.is_empty() || shape.len() > MOST_TABLE_AXES {
        return Err(entry.error(format!(
            "found tables with {} axes of exposures, expected 1 to {MOST_TABLE_AXES}",
            shape.len()
        )));
    }

    let scale = entry.vector("cdelt", 2)?;
    let pole = entry.optional_quantity("lon_pole")?;
    let quantity = scale.unit.is_some() || pole.as_ref().is_some_and(|pole| pole.unit.is_some());
    let per_pixel = degree().divide(&pixel()).map_err(|error| entry.error(error.to_string()))?;
    let scale = scale.in_unit(&per_pixel).map_err(|error| entry.place_at("cdelt", error))?;
    let pole = match &pole {
        Some(pole) => pole.in_unit(&degree()).map_err(|error| entry.place_at("lon_pole", error))?,
        None => 180.0,
    };

    let axes = shape.len();
    let indices = INDICES.iter().take(axes);
    let (plane, sphere) = (["x", "y"], ["lon", "lat"]);
    let (from, to) = if to_sky { (plane, sphere) } else { (sphere, plane) };
    let inputs: Vec<String> = from.iter().chain(indices).map(|&name| name.to_owned()).collect();
    let outputs: Vec<String> = to.iter().map(|&name| name.to_owned()).collect();
    let names = (inputs, outputs);
    let projection = match projection {
        Ok(projection) => projection,
        Err(tag) => {
            let kind = Kind::Unknown { tag, inputs: axes + 2, outputs: 2 };
            return Ok(Leaf { path: Some(model.path.clone()), ..Leaf::with_names(kind, names) });
        }
    };
    let scale = scale.try_into().unwrap_or([f64::NAN; 2]);
    let pointing = Pointing { shape, pixel: pixel_table, matrix, centre, scale, pole, projection };
    let function = Arc::new(Varying::new(Arc::new(pointing), to_sky));
    let (from, to) = if to_sky { (pixel(), degree()) } else { (degree(), pixel()) };
    let mut units = vec![Some(from); 2];
    units.extend(vec![Some(pixel()); axes]);
    let units = Units { inputs: units, outputs: vec![OutputUnit::Of(to); 2], quantity, ..Units::default() };
    Ok(Leaf::with_names(Kind::Function(function), names).with_units(units))
}

/// Checks that the last axes of a table are those of one entry, and that the others are those of the other tables.
fn table(
    entry: &Entry<'_>,
    key: &str,
    array: Array,
    item: &[usize],
    unit: &Unit,
    shape: &mut Option<Vec<usize>>,
) -> Result<Table> {
    let Some(exposures) = array.shape.strip_suffix(item) else {
        let message = format!("found the shape {:?}, expected one that ends with {item:?}", array.shape);
        return Err(entry.error_at(key, message));
    };
    let is_single = exposures.is_empty();
    if !is_single {
        match shape {
            Some(known) if known != exposures => {
                let message =
                    format!("found entries for {exposures:?} exposures, but other tables have {known:?}");
                return Err(entry.error_at(key, message));
            }
            _ => *shape = Some(exposures.to_vec()),
        }
    }
    let values = array.in_unit(unit).map_err(|error| entry.place_at(key, error))?;
    Ok(Table { values, is_single })
}

/// Reads `coupled_compound_model`: two transforms that share inputs, where the inverse of the left one needs those
/// inputs too, which the inverse of the right one finds.
fn coupled(reader: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let list = entry.require("forward")?;
    let (Some(left), Some(right), 2) = (list.item(0), list.item(1), list.len()) else {
        return Err(list.expected("a list of two transforms").under("forward"));
    };
    let left = reader.read_child(&["forward", "0"], left)?;
    let right = reader.read_child(&["forward", "1"], right)?;
    let (n, m) = (left.kind.inputs(), right.kind.inputs());
    let shared = match entry.optional_index("shared_inputs", MAX_AXES)? {
        Some(shared) if shared <= n.min(m) => shared,
        Some(shared) if reader.guessed.is_some() => shared.min(n).min(m),
        Some(shared) => {
            let message = format!("found {shared} shared inputs, but the transforms have {n} and {m} inputs");
            return Err(entry.error_at("shared_inputs", message));
        }
        None => return Err(entry.error("the required property 'shared_inputs' is missing")),
    };
    let inputs = n + m - shared;
    if inputs > MAX_AXES {
        return Err(entry.error(format!("more than {MAX_AXES} inputs: {inputs}")));
    }
    let part = |kind: Kind| reader.part(Leaf::new(kind));
    let mapping = (0..n).chain(n - shared..inputs).collect();
    let both = part(Kind::Concatenate(Arc::clone(&left), Arc::clone(&right)));
    let forward = part(Kind::Compose(part(Kind::Remap { mapping, inputs }), both));
    let backward = uncoupled(reader, &left, &right, shared);
    let names = (
        left.inputs.iter().chain(right.inputs.iter().skip(shared)).cloned().collect(),
        left.outputs.iter().chain(&right.outputs).cloned().collect(),
    );
    Ok(Leaf::with_names(Kind::Paired(forward, backward), names))
}

/// Makes the inverse of a coupled transform, if both transforms have an inverse.
fn uncoupled(reader: &Reader, left: &Model, right: &Model, shared: usize) -> Option<Arc<Model>> {
    let part = |kind: Kind| reader.part(Leaf::new(kind));
    let (left_inverse, right_inverse) = (left.inverse()?, right.inverse()?);
    let (alone, found) = (left.kind.outputs(), right_inverse.kind.outputs());
    if left_inverse.kind.inputs() != alone + shared
        || right_inverse.kind.inputs() != right.kind.outputs()
        || found < shared
    {
        return None;
    }
    let first = part(Kind::Concatenate(part(Kind::Identity(alone)), right_inverse));
    // The shared inputs go to both.
    let mapping = (0..alone + shared).chain(alone..alone + found).collect();
    let copy = part(Kind::Remap { mapping, inputs: alone + found });
    let second = part(Kind::Concatenate(left_inverse, part(Kind::Identity(found))));
    Some(part(Kind::Compose(first, part(Kind::Compose(copy, second)))))
}

/// Reads `ravel_model`: the positions in an array as one number.
fn ravel(_: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let node = entry.require("array_shape")?;
    if node.kind() != NodeKind::Sequence {
        return Err(node.expected("a list of lengths").under("array_shape"));
    }
    if node.len() > MAX_AXES {
        return Err(node.error(format!("more than {MAX_AXES} axes")).under("array_shape"));
    }
    let length = |item: asdf_core::NodeRef<'_>| {
        item.as_u64().filter(|&length| length > 0).ok_or_else(|| item.expected("a length: an integer from 1"))
    };
    let lengths: Vec<u64> = entry.list("array_shape", "a list of lengths", length)?;
    let last_is_fastest = entry.choice("order", &["F", "C"])? == 1;
    let raster = Raster::new(&lengths, last_is_fastest).ok_or_else(|| {
        entry.error_at("array_shape", "expected at least two axes, and at most 2^53 positions")
    })?;
    let units = Units {
        inputs: vec![Some(pixel()); lengths.len()],
        outputs: vec![OutputUnit::Of(pixel())],
        ..Units::default()
    };
    let names = ((0..lengths.len()).map(|axis| format!("x{axis}")).collect(), vec!["y".to_owned()]);
    Ok(Leaf::with_names(Kind::Function(Arc::new(raster)), names).with_units(units))
}

/// Reads `asymmetric_mapping_model`: inputs in another order, with another mapping for the inverse.
fn asymmetric(reader: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let remap = |key: &str, count: &str| {
        let mapping = entry.indices(key, MAX_AXES - 1)?;
        let needed = mapping.iter().max().map_or(0, |highest| highest + 1);
        let inputs = entry.optional_index(count, MAX_AXES)?.unwrap_or(needed);
        if mapping.is_empty() || mapping.len() > MAX_AXES || inputs < needed {
            let message = format!("found {} items up to {needed} for {inputs} inputs", mapping.len());
            return Err(entry.error_at(key, message));
        }
        Ok(reader.part(Leaf::new(Kind::Remap { mapping, inputs })))
    };
    let forward = remap("forward_mapping", "forward_n_inputs")?;
    let backward = remap("backward_mapping", "backward_n_inputs")?;
    let names = |count| (0..count).map(|index| format!("x{index}")).collect();
    let names = (names(forward.kind.inputs()), names(forward.kind.outputs()));
    Ok(Leaf::with_names(Kind::Paired(forward, Some(backward)), names))
}

fn pixel() -> Unit {
    Unit::parse_lenient("pixel")
}

fn arcsecond() -> Unit {
    Unit::parse_lenient("arcsec")
}
