//! Tables.

use asdf_core::Result;
use asdf_units::Unit;

use super::quantity::{Array, Quantity};
use super::{Entry, Leaf, Reader};
use crate::bounds::Bounds;
use crate::function::Each;
use crate::leaf::lookup::Lookup;
use crate::leaf::tabular::{Method, Outside, Tabular};
use crate::model::{Kind, OutputUnit, Units};

/// Reads `tabular`: a table with one axis for each input.
pub(super) fn tabular(_: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let table = entry.array("lookup_table")?;
    let inputs = table.shape.len();
    let (points, unit) = points(entry, &table.shape)?;
    let method = match entry.get("method").map(|_| entry.text("method")).transpose()? {
        None | Some("linear" | "slinear") => Method::Linear,
        Some("nearest") => Method::Nearest,
        Some(method @ ("splinef2d" | "cubic" | "quintic" | "pchip")) => {
            let tag = format!("{} with the method {method}", entry.tag());
            return Ok(Leaf::new(Kind::Unknown { tag, inputs, outputs: 1 }));
        }
        Some(_) => {
            let message = "expected one of linear, slinear, nearest, splinef2d, cubic, quintic, pchip";
            return Err(entry.error_at("method", message));
        }
    };
    let bounds_error = match entry.get("bounds_error") {
        Some(node) => node.as_bool().ok_or_else(|| node.expected("true or false").under("bounds_error"))?,
        None => true,
    };
    let fill = match entry.optional_quantity("fill_value")? {
        Some(Quantity { value, unit: None }) => Some(value),
        Some(fill) => Some(match &table.unit {
            Some(unit) => fill.in_unit(unit).map_err(|error| entry.place_at("fill_value", error))?,
            None => return Err(entry.error_at("fill_value", "found a unit, but the table has none")),
        }),
        None => None,
    };
    let outside = match (bounds_error, fill) {
        (true, _) => Outside::Value(f64::NAN),
        (false, Some(value)) => Outside::Value(value),
        (false, None) => Outside::Extrapolate,
    };
    let extent = points.iter().map(|points| {
        let ends = points.iter().copied();
        Some([ends.clone().fold(f64::INFINITY, f64::min), ends.fold(f64::NEG_INFINITY, f64::max)])
    });
    let bounds = Bounds::Box(extent.collect());
    let function =
        Tabular::new(points, table.values, method, outside).map_err(|error| entry.node().place(error))?;
    let mut leaf = Leaf::function(std::sync::Arc::new(function)).with_units(Units {
        inputs: if unit.is_some() { vec![unit; inputs] } else { Vec::new() },
        outputs: vec![table.unit.map_or(OutputUnit::None, OutputUnit::Of)],
        quantity: false,
        ..Units::default()
    });
    leaf.outputs = vec!["y".to_owned()];
    leaf.bounds = Some(bounds);
    Ok(leaf)
}

/// Reads the points of each axis, which are 0, 1, 2 and so on if they are missing, and their unit.
fn points(entry: &Entry<'_>, shape: &[usize]) -> Result<(Vec<Vec<f64>>, Option<Unit>)> {
    if entry.get("points").is_none() {
        #[expect(clippy::cast_precision_loss, reason = "tables have fewer than 2^53 values")]
        let points = shape.iter().map(|&length| (0..length).map(|index| index as f64).collect());
        return Ok((points.collect(), None));
    }
    let arrays = entry.list("points", "a list with the points of each axis", |node| {
        let array = Array::read(node)?;
        match array.shape.as_slice() {
            [_] => Ok(array),
            _ => Err(node.expected("a list of numbers")),
        }
    })?;
    // A table with one axis can have more arrays, which are ignored as by astropy.
    let arrays: Vec<Array> = arrays.into_iter().take(if shape.len() == 1 { 1 } else { usize::MAX }).collect();
    let lengths: Vec<usize> = arrays.iter().map(|array| array.values.len()).collect();
    if lengths != shape {
        let message = format!("found axes of {lengths:?} points, expected {shape:?} for the table");
        return Err(entry.error_at("points", message));
    }
    let unit = arrays.first().and_then(|array| array.unit.clone());
    let mut points = Vec::with_capacity(arrays.len());
    for (axis, array) in arrays.into_iter().enumerate() {
        let converted = match &unit {
            Some(unit) => array.in_unit(unit),
            None if array.unit.is_some() => {
                let message = "found a unit, but the points of the first axis have none";
                return Err(entry.error_at("points", message));
            }
            None => Ok(array.values),
        };
        points.push(converted.map_err(|error| entry.place_at("points", error.under(axis)))?);
    }
    Ok((points, unit))
}

/// Reads `lookuptable` of old files: a table that is indexed by the rounded input, whose unit is ignored.
pub(super) fn lookuptable(_: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let table = entry.array("lookup_table")?;
    if table.shape.len() != 1 {
        return Err(entry.error_at("lookup_table", "expected a list of numbers"));
    }
    let lookup = Lookup::new(table.values).map_err(|error| entry.place_at("lookup_table", error))?;
    let output = table.unit.map_or(OutputUnit::None, OutputUnit::Of);
    Ok(Leaf::function(Each::shared(lookup)).with_units(Units {
        inputs: Vec::new(),
        outputs: vec![output],
        quantity: false,
        ..Units::default()
    }))
}
