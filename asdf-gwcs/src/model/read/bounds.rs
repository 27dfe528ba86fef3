//! Reading of bounding boxes.

use asdf_core::tree::Kind as NodeKind;
use asdf_core::{NodeRef, Result};
use asdf_units::Unit;

use super::entry::{Entry, read_name};
use super::quantity::Quantity;
use crate::bounds::{Bounds, Compound};
use crate::model::{Kind, Model};

/// The inputs of a transform that has a box.
#[derive(Debug, Clone, Copy)]
struct Inputs<'a> {
    model: &'a Model,
    names: &'a [String],
}

/// One interval for each input, or `None` for an input that may have any value.
type Intervals = Vec<Option<[f64; 2]>>;

/// Reads the bounding box of a transform; `None` if it has none.
///
/// # Errors
/// If the box is malformed, lacks an input, or names an input that does not exist.
pub(super) fn read(entry: &Entry<'_>, model: &Model) -> Result<Option<Bounds>> {
    let Some(node) = entry.get("bounding_box") else { return Ok(None) };
    let inputs = Inputs { model, names: &model.inputs };
    let bounds = match (node.kind(), name_of(node)) {
        (NodeKind::Sequence, _) => inputs.list(node).map(Bounds::Box),
        (NodeKind::Mapping, Some("bounding_box")) => inputs.named(node, &[]).map(Bounds::Box),
        (NodeKind::Mapping, Some("compound_bounding_box")) => inputs.compound(node).map(Bounds::Compound),
        _ => Err(node.expected("a bounding box")),
    };
    bounds.map(Some).map_err(|error| error.under("bounding_box"))
}

/// Returns the name of a box: its tag without the authority and the version.
fn name_of(node: NodeRef<'_>) -> Option<&str> {
    let (authority, name) = super::name::split(node.own_tag()?)?;
    name.strip_prefix("property/").filter(|_| authority == "transform")
}

impl Inputs<'_> {
    /// Reads a box without names: an interval, or a list of intervals with the one of the last input first.
    fn list(self, node: NodeRef<'_>) -> Result<Intervals> {
        let count = self.names.len();
        if count == 1 && node.item(0).is_none_or(|first| first.kind() != NodeKind::Sequence) {
            return Ok(vec![Some(self.interval(node, 0)?)]);
        }
        if node.len() != count {
            let message =
                format!("found a box of {} intervals, expected {count}: one for each input", node.len());
            return Err(node.error(message));
        }
        let reversed = node.items().enumerate().rev().enumerate();
        reversed
            .map(|(input, (at, item))| self.interval(item, input).map(Some).map_err(|e| e.under(at)))
            .collect()
    }

    /// Reads a box with names. Inputs in `ignored` have no limit, whatever the box says.
    fn named(self, node: NodeRef<'_>, ignored: &[usize]) -> Result<Intervals> {
        match node.get("order") {
            Some(order) if !order.is_null() && !matches!(order.as_str(), Some("C" | "F")) => {
                return Err(order.expected("one of C, F").under("order"));
            }
            // The order only matters for lists without names.
            _ => {}
        }
        let mut ignored = ignored.to_vec();
        ignored.extend(self.positions(node, "ignore")?);
        let list = node.get("intervals").filter(|list| list.kind() == NodeKind::Mapping);
        let list = list.ok_or_else(|| node.error("the required property 'intervals' is missing"))?;
        let mut intervals: Intervals = vec![None; self.names.len()];
        let mut is_given = vec![false; self.names.len()];
        for (key, value) in list.entries() {
            let input = self.position(key).map_err(|error| error.under("intervals"))?;
            let step = key.text().unwrap_or_default();
            let interval =
                self.interval(value, input).map_err(|error| error.under(step).under("intervals"))?;
            if let (Some(slot), Some(given)) = (intervals.get_mut(input), is_given.get_mut(input)) {
                (*slot, *given) = (Some(interval), true);
            }
        }
        for (input, name) in self.names.iter().enumerate() {
            if ignored.contains(&input) {
                intervals.iter_mut().skip(input).take(1).for_each(|interval| *interval = None);
            } else if is_given.get(input) != Some(&true) {
                return Err(list.error(format!("no interval for the input '{name}'")).under("intervals"));
            }
        }
        Ok(intervals)
    }

    /// Reads boxes that are chosen by the values of some inputs.
    fn compound(self, node: NodeRef<'_>) -> Result<Compound> {
        let arguments = list(node, "selector_args")?;
        let mut selectors = Vec::new();
        let mut ignored = self.positions(node, "ignore")?;
        for (at, argument) in arguments.items().enumerate() {
            let under = |error: asdf_core::Error| error.under(at).under("selector_args");
            let name =
                argument.get("argument").ok_or_else(|| argument.expected("a selector: argument and ignore"));
            let input = name.and_then(|name| self.position(name)).map_err(under)?;
            if selectors.contains(&input) {
                return Err(under(argument.error("the input selects twice")));
            }
            selectors.push(input);
            if argument.get("ignore").and_then(NodeRef::as_bool).unwrap_or(true) {
                ignored.push(input);
            }
        }
        if selectors.is_empty() {
            return Err(arguments.expected("at least one selector").under("selector_args"));
        }
        let boxes = list(node, "cbbox")?;
        let cases = boxes.items().enumerate().map(|(at, case)| {
            self.case(case, &selectors, &ignored).map_err(|error| error.under(at).under("cbbox"))
        });
        let cases = cases.collect::<Result<_>>()?;
        Ok(Compound { selectors, cases })
    }

    /// Reads the box of one value of the selecting inputs.
    fn case(
        self,
        node: NodeRef<'_>,
        selectors: &[usize],
        ignored: &[usize],
    ) -> Result<(Vec<f64>, Intervals)> {
        let key = list(node, "key")?;
        if key.len() != selectors.len() {
            let message =
                format!("found {} values, expected {}: one for each selector", key.len(), selectors.len());
            return Err(key.error(message).under("key"));
        }
        let values = key.items().zip(selectors).enumerate();
        let values = values.map(|(at, (value, &input))| {
            self.value(value, input).map_err(|error| error.under(at).under("key"))
        });
        let values = values.collect::<Result<_>>()?;
        let found = node.get("bbox").filter(|found| name_of(*found) == Some("bounding_box"));
        let found = found.ok_or_else(|| node.expected("a case with a bounding box"))?;
        Ok((values, self.named(found, ignored).map_err(|error| error.under("bbox"))?))
    }

    /// Reads a pair of numbers. They are converted to the unit of the input, if both have one.
    fn interval(self, node: NodeRef<'_>, input: usize) -> Result<[f64; 2]> {
        let (Some(low), Some(high), 2) = (node.item(0), node.item(1), node.len()) else {
            return Err(node.expected("an interval: two numbers"));
        };
        let low = self.value(low, input).map_err(|error| error.under(0))?;
        let high = self.value(high, input).map_err(|error| error.under(1))?;
        Ok([low, high])
    }

    fn value(self, node: NodeRef<'_>, input: usize) -> Result<f64> {
        let quantity = Quantity::read(node)?;
        match quantity.unit.as_ref().and_then(|_| unit_of_input(self.model, input)) {
            Some(unit) => quantity.in_unit(unit).map_err(|error| node.place(error)),
            None => Ok(quantity.value),
        }
    }

    /// Reads a list of names of inputs.
    fn positions(self, node: NodeRef<'_>, key: &str) -> Result<Vec<usize>> {
        let Some(list) = node.get(key).filter(|list| !list.is_null()) else { return Ok(Vec::new()) };
        if list.kind() != NodeKind::Sequence {
            return Err(list.expected("a list of names").under(key));
        }
        let items = list.items().enumerate();
        items.map(|(at, item)| self.position(item).map_err(|error| error.under(at).under(key))).collect()
    }

    /// Returns the position of an input that is given by name or by position.
    fn position(self, node: NodeRef<'_>) -> Result<usize> {
        let position = node.as_u64().and_then(|position| usize::try_from(position).ok());
        if let Some(position) = position.filter(|&position| position < self.names.len()) {
            return Ok(position);
        }
        let name = read_name(node)?;
        self.names.iter().position(|own| *own == name).ok_or_else(|| {
            let names = self.names.join(", ");
            node.error(format!("found the input '{}', expected one of {names}", name.escape_debug()))
        })
    }
}

/// Returns the unit that an input of a transform is converted to: the unit of the part that takes it first.
fn unit_of_input(model: &Model, input: usize) -> Option<&Unit> {
    match &model.kind {
        Kind::Compose(first, _) | Kind::Arithmetic(_, first, _) => unit_of_input(first, input),
        Kind::Concatenate(left, right) => match input.checked_sub(left.inputs.len()) {
            Some(input) => unit_of_input(right, input),
            None => unit_of_input(left, input),
        },
        Kind::FixInputs(inner, fixed) => {
            let is_free = |position: &usize| fixed.iter().all(|(other, _)| other != position);
            unit_of_input(inner, (0..inner.inputs.len()).filter(is_free).nth(input)?)
        }
        _ => model.units.inputs.get(input)?.as_ref(),
    }
}

/// Returns a property that must be a list.
fn list<'a>(node: NodeRef<'a>, key: &str) -> Result<NodeRef<'a>> {
    match node.get(key) {
        Some(list) if list.kind() == NodeKind::Sequence => Ok(list),
        Some(other) => Err(other.expected("a list").under(key)),
        None => Err(node.error(format!("the required property '{key}' is missing"))),
    }
}
