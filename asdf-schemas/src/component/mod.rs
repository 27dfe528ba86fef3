//! Splits a value into its arrays, with names, units and metadata.
//!
//! Columns of astropy's tables can be times, coordinates, angles and quantities. This module splits them, so that tables can be
//! written to formats that only support arrays.

mod celestial;
mod elapsed;
mod instants;
mod single;

use std::collections::BTreeMap;

use asdf_core::__private as derived;
use asdf_core::array::ChunkedArray;
use asdf_core::tree::{Kind, NodeRef, tag_matches};
use asdf_core::value::FromNode;
use asdf_core::{NdArray, Result};

use crate::unit::Unit;

/// The maximum depth of nested values. Deeper ones are ignored.
const DEEPEST: usize = 8;

/// One of the arrays of a value, such as the right ascension of a coordinate.
///
/// # Examples
///
/// ```
/// use asdf_core::yaml;
/// use asdf_schemas::Component;
///
/// let tree = yaml::parse(
///     "%TAG ! tag:stsci.edu:asdf/\n%TAG !a! tag:astropy.org:astropy/\n\
///      --- !a!coordinates/skycoord-1.0.0\n\
///      frame: galactic\n\
///      l: !a!coordinates/longitude-1.2.0\n  \
///        {value: !core/ndarray-1.1.0 [10.0, 20.0], unit: !unit/unit-1.0.0 deg}\n\
///      b: !a!coordinates/latitude-1.2.0\n  \
///        {value: !core/ndarray-1.1.0 [-1.5, 2.5], unit: !unit/unit-1.0.0 deg}\n",
/// )?;
/// let all = Component::all_of(tree.at("")?)?;
/// let names: Vec<&str> = all.iter().map(|component| component.name.as_str()).collect();
/// assert_eq!(names, ["l", "b"]);
/// assert_eq!(all[1].array.read::<f64>()?, [-1.5, 2.5]);
/// assert_eq!(all[1].unit.as_ref().map(|unit| unit.get()), Some("deg"));
/// assert_eq!(all[1].metadata["frame"], "galactic");
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone)]
#[doc(alias = "SkyCoord")]
#[doc(alias = "TimeDelta")]
#[doc(alias = "Longitude")]
#[doc(alias = "Latitude")]
#[doc(alias = "Angle")]
pub struct Component {
    /// Its name in the value, such as `ra` or `obstime.jd1`. It is empty if the value is a single array.
    pub name: String,
    /// The elements.
    pub array: NdArray,
    /// The unit of the elements, if there is one. It can be any text.
    pub unit: Option<Unit>,
    /// The description of a column.
    pub description: Option<String>,
    /// Other properties of the value, such as `frame`, `equinox`, `scale` and `format`.
    pub metadata: BTreeMap<String, String>,
}

impl Component {
    /// Returns the arrays of a node. There are none if its tag is not supported.
    ///
    /// | value | tags | components |
    /// |---|---|---|
    /// | array | `core/ndarray-1.*`, `core/chunked-array-1.*` of the standard | itself |
    /// | column | `core/column-*`, `table/column-*` | its data |
    /// | quantity, angle, spectral coordinate | `unit/quantity-*`, astropy's `coordinates/angle-*`, `latitude-*`, `longitude-*`, `spectralcoord-*` | its value |
    /// | time | `time/time-*` | its value in its format, with the metadata `scale` and `format` |
    /// | time difference | astropy's `time/timedelta-*` | one number in its format: days for `jd`, seconds for `sec` |
    /// | coordinates | astropy's `coordinates/skycoord-*`, `frames/*`, `representation-*`, `earthlocation-*` | one for each coordinate; the others of its properties are metadata |
    /// | array of records, uncertainty | astropy's `table/ndarraymixin-*`, `nddata/uncertainty-*` | its array |
    ///
    /// - A single number is an array without axes. Its datatype is that of the quantity, or int64, float64 or complex128.
    /// - A single time as text is an array of text without axes.
    /// - Single coordinates of a position are metadata.
    /// - Unknown units are kept.
    ///
    /// # Errors
    /// Fails if an array is not valid, or the values of a time difference cannot be read.
    pub fn all_of(node: NodeRef<'_>) -> Result<Vec<Self>> {
        all_of(node, 0)
    }

    fn of_array(array: NdArray) -> Self {
        Self { name: String::new(), array, unit: None, description: None, metadata: BTreeMap::new() }
    }

    /// Adds a prefix to the name.
    fn under(mut self, name: &str) -> Self {
        self.name = if self.name.is_empty() { name.to_owned() } else { format!("{name}.{}", self.name) };
        self
    }

    fn with(mut self, key: &str, value: impl Into<String>) -> Self {
        self.metadata.insert(key.to_owned(), value.into());
        self
    }
}

fn all_of(node: NodeRef<'_>, depth: usize) -> Result<Vec<Component>> {
    let Some(tag) = node.own_tag().filter(|_| depth <= DEEPEST) else { return Ok(Vec::new()) };
    if NdArray::accepts_tag(tag) {
        return Ok(vec![Component::of_array(NdArray::from_node(node)?)]);
    }
    if ChunkedArray::accepts_tag(tag) {
        return Ok(vec![Component::of_array(ChunkedArray::from_node(node)?.array()?)]);
    }
    let is = |patterns: &[&str]| patterns.iter().any(|pattern| tag_matches(pattern, tag));
    if is(&["tag:stsci.edu:asdf/core/column-*", "tag:stsci.edu:asdf/table/column-*"]) {
        return column(node);
    }
    if is(&["tag:stsci.edu:asdf/unit/quantity-*"]) || celestial::is_quantity(tag) {
        return quantity(node);
    }
    if is(&["tag:stsci.edu:asdf/time/time-*"]) {
        return instants::all_of(node);
    }
    if is(&["tag:astropy.org:astropy/time/timedelta-*"]) {
        return elapsed::all_of(node);
    }
    if is(&["tag:astropy.org:astropy/coordinates/**"]) {
        return celestial::all_of(node, tag, depth);
    }
    if is(&["tag:astropy.org:astropy/table/ndarraymixin-*", "tag:astropy.org:astropy/nddata/uncertainty-*"]) {
        let found = below(node, "array", depth)?;
        let kind = node.get("name").and_then(NodeRef::as_str);
        return Ok(match (<[Component; 1]>::try_from(found), kind) {
            (Ok([array]), Some(kind)) => {
                vec![Component { unit: array.unit.clone().or(unit(node)), ..array }.with("uncertainty", kind)]
            }
            (Ok(one), None) => one.into(),
            (Err(found), _) => found,
        });
    }
    Ok(Vec::new())
}

/// Returns the components of a property.
fn below(node: NodeRef<'_>, key: &str, depth: usize) -> Result<Vec<Component>> {
    match node.get(key) {
        Some(value) => all_of(value, depth + 1).map_err(|error| error.under(key)),
        None => Ok(Vec::new()),
    }
}

/// Reads an array, with or without a tag, from a property.
fn array(node: NodeRef<'_>, key: &str) -> Result<Option<NdArray>> {
    let is_array = |node: &NodeRef<'_>| match node.own_tag() {
        Some(tag) => NdArray::accepts_tag(tag),
        None => node.kind() == Kind::Sequence,
    };
    let Some(value) = node.get(key) else { return Ok(None) };
    if value.own_tag().is_some_and(ChunkedArray::accepts_tag) {
        let whole = ChunkedArray::from_node(value).and_then(|chunks| chunks.array());
        return whole.map(Some).map_err(|error| error.under(key));
    }
    let found = Some(value).filter(is_array).map(NdArray::from_node).transpose();
    found.map_err(|error| error.under(key))
}

/// Reads an array or a single number from a property.
fn numbers(node: NodeRef<'_>, key: &str) -> Result<Option<NdArray>> {
    match (array(node, key)?, node.get(key)) {
        (None, Some(value)) => single::number(value, node.get("datatype")).map_err(|error| error.under(key)),
        (found, _) => Ok(found),
    }
}

fn unit(node: NodeRef<'_>) -> Option<Unit> {
    // A unit that is neither text nor tagged is ignored.
    Unit::from_node(node.get("unit")?).ok().filter(|unit| !unit.is_empty())
}

fn column(node: NodeRef<'_>) -> Result<Vec<Component>> {
    let Some(array) = array(node, "data")? else { return Ok(Vec::new()) };
    let description = node.get("description").and_then(NodeRef::as_str).filter(|text| !text.is_empty());
    let description = description.map(str::to_owned);
    Ok(vec![Component { unit: unit(node), description, ..Component::of_array(array) }])
}

fn quantity(node: NodeRef<'_>) -> Result<Vec<Component>> {
    let Some(array) = numbers(node, "value")? else { return Ok(Vec::new()) };
    let mut component = Component { unit: unit(node), ..Component::of_array(array) };
    if let Some(wrap) = node.get("wrap_angle").and_then(in_words) {
        component = component.with("wrap_angle", wrap);
    }
    Ok(vec![component])
}

/// Returns a single value as text, such as `360.0 deg`, or `None` for several values.
fn in_words(node: NodeRef<'_>) -> Option<String> {
    if let Some(text) = node.as_str().or_else(|| derived::text(node)).or_else(|| node.text()) {
        return Some(text.to_owned()).filter(|_| !node.is_null());
    }
    let value = node.get("value")?;
    let value = value.text().filter(|_| value.own_tag().is_none())?;
    let unit = unit(node).map(|unit| format!(" {unit}")).unwrap_or_default();
    Some(format!("{value}{unit}"))
}
