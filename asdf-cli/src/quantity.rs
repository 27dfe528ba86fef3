//! A single number with a unit.

use std::cmp::Ordering;

use asdf_core::Datatype;
use asdf_core::array::Value;
use asdf_core::tree::{Kind, NodeRef};
use asdf_tables::Column;

use crate::printable::line;
use crate::value_text;

/// The number of a quantity, an angle or a time difference.
#[derive(Debug)]
pub(crate) struct Quantity {
    value: Value,
    datatype: Datatype,
    unit: Option<String>,
}

impl Quantity {
    /// Reads a quantity from a node; `None` for all other nodes. Times are not quantities: they have a scale instead
    /// of a unit.
    pub(crate) fn of(node: NodeRef<'_>) -> Option<Self> {
        if node.kind() != Kind::Mapping {
            return None;
        }
        let column = Column::from_node(node).filter(|column| column.array.shape().is_empty())?;
        let is_instant = column.metadata.get("type").is_some_and(|kind| kind == "time");
        let value = column.array.elements().ok()?.next()?;
        let is_number = matches!(value, Value::Int(_) | Value::Uint(_) | Value::Float(_) | Value::Complex(_));
        let datatype = column.array.datatype().clone();
        (is_number && !is_instant).then_some(Self { value, datatype, unit: column.unit })
    }

    /// Returns number and unit, as in `120.5 s`.
    pub(crate) fn text(&self) -> String {
        let number = value_text::plain(&self.value, &self.datatype);
        self.unit.as_ref().map_or_else(|| number.clone(), |unit| format!("{number} {}", line(unit)))
    }

    /// Returns the number as the nearest float; `None` if it is complex.
    pub(crate) fn number(&self) -> Option<f64> {
        self.value.to_f64()
    }

    /// Compares the quantity with a number, ignoring the unit, or with a string of number and unit. A string is
    /// equal, or there is no order.
    pub(crate) fn compare(&self, other: NodeRef<'_>) -> Option<Ordering> {
        match (&self.value, other.kind()) {
            (Value::Int(number), Kind::Int) => Some(number.cmp(&other.as_i128()?)),
            (_, Kind::Int | Kind::Float) => self.number()?.partial_cmp(&other.as_f64()?),
            (_, Kind::String) => Some(Ordering::Equal).filter(|_| other.text() == Some(&self.text())),
            _ => None,
        }
    }
}
