//! Transforms that are chosen by slit (NIRSpec) or by spectral order (NIRISS).
//!
//! Inputs are numbers, but the names of slits can be strings. If all slits of a transform have numbers, or names that
//! are numbers, a slit is chosen by its number. Otherwise it is chosen by its position in the list, from 0.

use std::sync::Arc;

use asdf_core::tree::Kind as NodeKind;
use asdf_core::{NodeRef, Result};

use super::parts::{chosen, items, read_parts};
use crate::model::read::quantity::Array;
use crate::model::read::{Entry, Leaf, Reader};
use crate::model::{Case, Choices, Model};

/// The position of a slit's number among its properties.
const SLIT_ID: usize = 19;

/// The number of a slit that has a name instead.
const NO_SLIT_ID: f64 = -9999.0;

/// Reads `gwa_to_slit`: from the grating wheel to a slit.
pub(super) fn gwa_to_slit(reader: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let choices = slits(reader, entry, [3, 3], true)?;
    let inputs = ["name", "angle1", "angle2", "angle3"];
    Ok(Leaf::new(chosen(reader, choices, 0, Some(0))).named(&inputs, &["name", "x_slit", "y_slit", "lam"]))
}

/// Reads `slit_to_gwa`: from a slit to the grating wheel.
pub(super) fn slit_to_gwa(reader: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let choices = slits(reader, entry, [3, 3], true)?;
    let outputs = ["name", "angle1", "angle2", "angle3"];
    Ok(Leaf::new(chosen(reader, choices, 0, Some(0))).named(&["name", "x_slit", "y_slit", "lam"], &outputs))
}

/// Reads `slit_to_msa`: from a slit to the array of shutters. Old files have no output for the slit.
pub(super) fn slit_to_msa(reader: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let is_old = entry.count_of("outputs") == Some(2);
    let choices = slits(reader, entry, [2, 2], !is_old)?;
    let inputs = ["name", "x_slit", "y_slit"];
    Ok(if is_old {
        Leaf::new(chosen(reader, choices, 0, None)).named(&inputs, &["x_msa", "y_msa"])
    } else {
        Leaf::new(chosen(reader, choices, 0, Some(2))).named(&inputs, &["x_msa", "y_msa", "name"])
    })
}

/// Reads `msa_to_slit`: from the array of shutters to a slit.
pub(super) fn msa_to_slit(reader: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let choices = slits(reader, entry, [2, 2], true)?;
    let outputs = ["name", "x_slit", "y_slit"];
    Ok(Leaf::new(chosen(reader, choices, 2, Some(0))).named(&["x_msa", "y_msa", "name"], &outputs))
}

/// Reads `niriss_soss`: from pixels to the sky and wavelengths, by spectral order.
pub(super) fn niriss_soss(reader: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let counts = [2, 3];
    let models = read_parts(reader, entry, "models", counts)?;
    let keys = orders(entry, "spectral_orders")?;
    let choices = by_order(entry, "models", keys, models, counts)?;
    let leaf = Leaf::new(chosen(reader, choices, 2, None));
    Ok(leaf.named(&["x", "y", "spectral_order"], &["ra", "dec", "lam"]))
}

/// Reads a list of spectral orders.
pub(super) fn orders(entry: &Entry<'_>, key: &str) -> Result<Vec<f64>> {
    let nodes = items(entry, key)?.into_iter().enumerate();
    nodes
        .map(|(at, node)| {
            let order = number_of(node).filter(|order| order.is_finite() && order.fract() == 0.0);
            order.ok_or_else(|| node.expected("a spectral order: an integer").under(at).under(key))
        })
        .collect()
}

/// Makes the choice by spectral order. If an order occurs twice, the last transform counts, as in Python.
pub(super) fn by_order(
    entry: &Entry<'_>,
    key: &str,
    orders: Vec<f64>,
    models: Vec<Arc<Model>>,
    counts: [usize; 2],
) -> Result<Choices> {
    let mut choices = choices(entry, key, orders, models, counts)?;
    choices.cases.reverse();
    choices.truncate = true;
    Ok(choices)
}

/// Reads slits and their transforms. If a slit occurs twice, the first transform counts, as in Python.
fn slits(reader: &mut Reader, entry: &Entry<'_>, counts: [usize; 2], has_ids: bool) -> Result<Choices> {
    let models = read_parts(reader, entry, "models", counts)?;
    let numbers = slit_numbers(entry, has_ids)?;
    let count = numbers.len();
    let by_position = || (0_u32..).map(f64::from).take(count).collect();
    let all: Option<Vec<f64>> = numbers.into_iter().collect();
    choices(entry, "models", all.unwrap_or_else(by_position), models, counts)
}

fn choices(
    entry: &Entry<'_>,
    key: &str,
    keys: Vec<f64>,
    models: Vec<Arc<Model>>,
    [inputs, outputs]: [usize; 2],
) -> Result<Choices> {
    if keys.len() != models.len() || models.is_empty() {
        let message = format!(
            "found {} transforms for {} values that choose one, expected one each",
            models.len(),
            keys.len()
        );
        return Err(entry.error_at(key, message));
    }
    let cases = keys.into_iter().zip(models).map(|(key, model)| Case { key, model }).collect();
    Ok(Choices { cases, truncate: false, inputs, outputs })
}

/// Returns the number of each slit; `None` for a slit whose name is not a number.
fn slit_numbers(entry: &Entry<'_>, has_ids: bool) -> Result<Vec<Option<f64>>> {
    let node = entry.require("slits")?;
    if node.kind() != NodeKind::Sequence {
        let array = entry.array("slits")?;
        return match array {
            Array { values, shape, .. } if shape.len() == 1 => Ok(values.into_iter().map(Some).collect()),
            _ => Err(entry.error_at("slits", "expected a list of slits, or an array with one dimension")),
        };
    }
    let slit = |(at, node): (usize, NodeRef<'_>)| {
        let number = match node.kind() {
            NodeKind::Sequence => {
                let id = node.item(SLIT_ID).and_then(number_of).filter(|id| has_ids && *id != NO_SLIT_ID);
                match (id, node.item(0)) {
                    (Some(id), _) => Some(id),
                    (None, Some(name)) => number_of(name),
                    (None, None) => {
                        return Err(node.expected("a slit: a list that starts with a name").under(at));
                    }
                }
            }
            _ if node.as_f64().is_some() || node.as_str().is_some() => number_of(node),
            _ => return Err(node.expected("a slit: a name, a number, or a list").under(at)),
        };
        Ok(number.filter(|number| !number.is_nan()))
    };
    node.items().enumerate().map(slit).collect::<Result<_>>().map_err(|error| error.under("slits"))
}

/// Returns a number, also from a string that has one.
fn number_of(node: NodeRef<'_>) -> Option<f64> {
    node.as_f64().or_else(|| node.as_str()?.trim().parse().ok())
}
