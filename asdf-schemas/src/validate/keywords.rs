//! The keywords that ASDF adds to JSON Schema.

use asdf_core::tree::{ASDF_TAG, Kind, NodeRef, tag_matches};
use asdf_core::value::FromNode;
use asdf_core::{Datatype, NdArray};
use jsonschema::{Keyword, ValidationError};
use serde_json::{Map, Value};

use super::check::OwnKeyword;
use super::datatypes::of_schema;
use super::instance::{Instance, TreeJson};

/// A keyword as a function that returns the message if a node violates it.
struct Rule<F>(F);

impl<'i, F> Keyword<'i, TreeJson> for Rule<F>
where
    F: Fn(Instance<'_>) -> Option<String> + Send + Sync,
{
    fn validate(&self, instance: Instance<'i>) -> Result<(), ValidationError<'i>> {
        match (self.0)(instance) {
            None => Ok(()),
            Some(message) => Err(ValidationError::custom(message)),
        }
    }

    fn is_valid(&self, instance: Instance<'i>) -> bool {
        (self.0)(instance).is_none()
    }
}

type Boxed = Box<dyn for<'i> Keyword<'i, TreeJson>>;
type Built<'a> = Result<Boxed, ValidationError<'a>>;

fn rule(check: impl Fn(Instance<'_>) -> Option<String> + Send + Sync + 'static) -> Boxed {
    Box::new(Rule(check))
}

/// `tag`: the node has this tag, or one that matches the pattern. A node without a tag has the YAML tag of its kind.
pub(super) fn tag<'a>(_: &'a Map<String, Value>, value: &'a Value) -> Built<'a> {
    let pattern = value.as_str().unwrap_or_default().to_owned();
    Ok(rule(move |instance| {
        let own = tag_of(instance);
        (!tag_matches(&pattern, &own)).then(|| match instance.node() {
            Some(node) if node.own_tag().is_none() => {
                format!("found {}, expected a node tagged {pattern}", node.describe())
            }
            _ => format!("found the tag {}, expected {pattern}", own.escape_debug()),
        })
    }))
}

fn tag_of(instance: Instance<'_>) -> String {
    let Some(node) = instance.node() else { return Kind::String.yaml_tag().to_owned() };
    if let Some(tag) = node.own_tag() {
        return tag.to_owned();
    }
    if let Some(tag) = node.tag().filter(|tag| tag.ends_with(":set") || tag.ends_with(":omap")) {
        return tag.to_owned();
    }
    node.kind().yaml_tag().to_owned()
}

/// Whether a node is tagged as an array. Other nodes are not checked, as in Python's asdf since 5.0.
fn is_array(node: NodeRef<'_>) -> bool {
    node.tag()
        .and_then(|tag| tag.strip_prefix(ASDF_TAG))
        .is_some_and(|name| name.starts_with("core/ndarray-"))
}

/// The number of axes, without reading more of the array than its shape.
fn axes(node: NodeRef<'_>) -> Option<u64> {
    match node.get("shape").filter(|shape| shape.kind() == Kind::Sequence) {
        Some(shape) => Some(shape.len() as u64),
        None => NdArray::from_node(node).ok().map(|array| array.shape().len() as u64),
    }
}

/// `ndim`: the array has this many axes.
pub(super) fn ndim<'a>(_: &'a Map<String, Value>, value: &'a Value) -> Built<'a> {
    let wanted = value.as_u64();
    Ok(rule(move |instance| {
        let node = instance.node().filter(|node| is_array(*node))?;
        let found = axes(node);
        (found != wanted).then(|| dimensions(found, &format!("expected {}", wanted.unwrap_or_default())))
    }))
}

/// `max_ndim`: the array has at most this many axes.
pub(super) fn max_ndim<'a>(_: &'a Map<String, Value>, value: &'a Value) -> Built<'a> {
    let most = value.as_u64();
    Ok(rule(move |instance| {
        let node = instance.node().filter(|node| is_array(*node))?;
        let found = axes(node);
        (found.is_none() || found > most)
            .then(|| dimensions(found, &format!("expected at most {}", most.unwrap_or_default())))
    }))
}

fn dimensions(found: Option<u64>, expected: &str) -> String {
    match found {
        Some(1) => format!("found an array of 1 axis, {expected}"),
        Some(found) => format!("found an array of {found} axes, {expected}"),
        None => format!("found an array without a shape, {expected} axes"),
    }
}

/// `datatype`: the array has this datatype, or, without `exact_datatype`, one that casts to it safely.
pub(super) fn datatype<'a>(parent: &'a Map<String, Value>, value: &'a Value) -> Built<'a> {
    let wanted = of_schema(value);
    let exact = parent.get("exact_datatype").and_then(Value::as_bool).unwrap_or(false);
    let shown = wanted.as_ref().map_or_else(|| value.to_string(), ToString::to_string);
    Ok(rule(move |instance| {
        let node = instance.node().filter(|node| is_array(*node))?;
        let found = match node.get("datatype") {
            Some(datatype) => Datatype::from_node(datatype).ok(),
            None => NdArray::from_node(node).ok().map(|array| array.datatype().clone()),
        };
        let (Some(found), Some(wanted)) = (&found, &wanted) else {
            return Some(format!("found an array of unknown datatype, expected {shown}"));
        };
        let fits = found == wanted || (!exact && found.casts_safely_to(wanted));
        (!fits).then(|| match exact {
            true => format!("found an array of {found}, expected exactly {shown}"),
            false => {
                format!("found an array of {found}, expected {shown} or a datatype that casts safely to it")
            }
        })
    }))
}

/// `type: string` without `format: date-time`: a timestamp is not a string.
pub(super) fn no_timestamp<'a>(_: &'a Map<String, Value>, _: &'a Value) -> Built<'a> {
    Ok(rule(|instance| {
        let node =
            instance.node().filter(|node| node.kind() == Kind::Timestamp && node.own_tag().is_none())?;
        Some(format!("found {}, expected a string", node.describe()))
    }))
}

/// A keyword that the validating program has added.
pub(super) fn own<'a>(keyword: &OwnKeyword, value: &'a Value) -> Built<'a> {
    let (holds, value) = (keyword.holds.clone(), value.clone());
    Ok(rule(move |instance| holds(&value, instance.node()?)))
}
