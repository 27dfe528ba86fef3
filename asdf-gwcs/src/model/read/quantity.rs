//! Numbers and arrays of numbers with or without a unit.

use asdf_core::tree::Kind;
use asdf_core::{Error, FromNode, NdArray, NodeRef, Result};
use asdf_units::Unit;

use super::Entry;

/// The most numbers in one parameter.
const MAX_NUMBERS: u64 = 1 << 24;

/// The tags of numbers with a unit: quantities, and the angles of astropy, which have the same properties.
const QUANTITIES: &[&str] = &[
    "tag:stsci.edu:asdf/unit/quantity-",
    "tag:astropy.org:astropy/units/quantity-",
    "tag:astropy.org:astropy/coordinates/angle-",
    "tag:astropy.org:astropy/coordinates/latitude-",
    "tag:astropy.org:astropy/coordinates/longitude-",
];

/// A number, and its unit if it has one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Quantity {
    pub(crate) value: f64,
    pub(crate) unit: Option<Unit>,
}

/// Numbers in C order with a shape, and their unit if they have one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Array {
    pub(crate) values: Vec<f64>,
    pub(crate) shape: Vec<usize>,
    pub(crate) unit: Option<Unit>,
}

impl Quantity {
    /// Reads a number, or a number with a unit.
    pub(crate) fn read(node: NodeRef<'_>) -> Result<Self> {
        if let Some(value) = node.as_f64() {
            return Ok(Self { value, unit: None });
        }
        if node.kind() != Kind::Mapping {
            return Err(node.expected("one number"));
        }
        let array = Array::read(node)?;
        match array.values.as_slice() {
            &[value] => Ok(Self { value, unit: array.unit }),
            _ => Err(node.expected("one number")),
        }
    }

    /// Converts the number to a unit. A number without a unit is in that unit already.
    pub(crate) fn in_unit(&self, unit: &Unit) -> Result<f64> {
        match &self.unit {
            Some(own) => Ok(self.value * factor(own, unit)?),
            None => Ok(self.value),
        }
    }
}

impl Array {
    /// Reads a list, an array, or a quantity with a number or an array.
    pub(crate) fn read(node: NodeRef<'_>) -> Result<Self> {
        let (value, unit) = parts(node)?;
        let step = unit.is_some().then_some("value");
        let unit = unit.map(unit_of).transpose().map_err(|error| error.under("unit"))?;
        let (values, shape) = numbers(value).map_err(|error| match step {
            Some(step) => error.under(step),
            None => error,
        })?;
        Ok(Self { values, shape, unit })
    }

    /// Converts the numbers to a unit. Numbers without a unit are in that unit already.
    pub(crate) fn in_unit(mut self, unit: &Unit) -> Result<Vec<f64>> {
        if let Some(own) = &self.unit {
            let factor = factor(own, unit)?;
            self.values.iter_mut().for_each(|value| *value *= factor);
        }
        Ok(self.values)
    }
}

/// Returns the value and the unit of a quantity; any other node is a value without a unit.
fn parts(node: NodeRef<'_>) -> Result<(NodeRef<'_>, Option<NodeRef<'_>>)> {
    let is_quantity = node.own_tag().is_some_and(|tag| QUANTITIES.iter().any(|start| tag.starts_with(start)));
    if !is_quantity {
        return Ok((node, None));
    }
    match (node.get("value"), node.get("unit")) {
        (Some(value), Some(unit)) => Ok((value, Some(unit))),
        (None, _) => Err(node.error("the required property 'value' is missing")),
        (_, None) => Err(node.error("the required property 'unit' is missing")),
    }
}

fn numbers(node: NodeRef<'_>) -> Result<(Vec<f64>, Vec<usize>)> {
    if let Some(value) = node.as_f64() {
        return Ok((vec![value], Vec::new()));
    }
    if !matches!(node.kind(), Kind::Sequence | Kind::Mapping) {
        return Err(node.expected("a number, a list of numbers or an array"));
    }
    let array = NdArray::from_node(node)?;
    if array.len() > MAX_NUMBERS {
        let message = format!("an array of {} elements, expected up to {MAX_NUMBERS}", array.len());
        return Err(node.place(Error::limit(message)));
    }
    if array.mask().is_some() {
        return Err(node.error("found an array with a mask, expected an array without missing elements"));
    }
    let values = array.read_lossy::<f64>().map_err(|error| node.place(error))?;
    let shape = array.shape().iter().map(|&length| usize::try_from(length).unwrap_or(usize::MAX)).collect();
    Ok((values, shape))
}

/// Reads a unit, in VOUnit or another known notation.
pub(crate) fn unit_of(node: NodeRef<'_>) -> Result<Unit> {
    node.text().map(Unit::parse_lenient).ok_or_else(|| node.expected("a unit"))
}

/// Returns the factor from one unit to another.
pub(crate) fn factor(from: &Unit, to: &Unit) -> Result<f64> {
    from.factor_to(to).map_err(|error| Error::mismatch(error.to_string()))
}

/// Returns the unit of angles in transforms.
pub(crate) fn degree() -> Unit {
    Unit::parse_lenient("deg")
}

/// Converts an angle of a transform to degrees. A number without a unit is in degrees already.
pub(crate) fn degrees(entry: &Entry<'_>, key: &str, angle: &Quantity) -> Result<f64> {
    angle.in_unit(&degree()).map_err(|error| entry.place_at(key, error))
}
