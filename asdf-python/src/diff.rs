//! `diff`: compares files.

use asdf_core::tree::{Change, Difference, DifferenceOptions, NodeRef, Path, Tolerance};
use asdf_core::{Error, File, Result};
use asdf_schemas::{Defaults, Registry};
use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use crate::copy::copy_of;
use crate::error::Failure;
use crate::interrupt::interruptible;
use crate::shared::{Origin, Shared};
use crate::source::{located, shared};
use crate::value::Found;

/// A side of a difference, before it becomes an object of Python.
enum Side {
    Nothing,
    Node(Found),
    Text(String),
    Texts(Vec<String>),
    Shape(Vec<u64>),
    Count(u64),
}

/// A difference: the path, the column, the name of the change, both sides, and the text.
struct Row {
    path: String,
    column: Option<String>,
    change: &'static str,
    sides: [Side; 2],
    text: String,
}

/// Compare two files; see `asdfast.diff`.
///
/// Returns the differences, whether all were found, and the paths that were ignored.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the arguments of Python have names")]
pub(crate) fn _diff<'py>(
    py: Python<'py>,
    left: &Bound<'py, PyAny>,
    right: &Bound<'py, PyAny>,
    tolerances: (f64, f64),
    ignore: Vec<String>,
    values: bool,
    ignore_versions: bool,
    all: bool,
    max_differences: usize,
) -> PyResult<Bound<'py, PyTuple>> {
    let (relative, absolute) = tolerances;
    let tolerance = Tolerance { relative, absolute };
    let options = DifferenceOptions::new().tolerance(tolerance).max_differences(max_differences);
    let options = options.writer(all).datatypes(!values);
    let ignore = ignore.iter().map(|text| pattern(text)).collect::<Result<Vec<String>>>();
    let options = ignore.map_err(Failure::from)?.into_iter().fold(options, DifferenceOptions::ignore);
    let sides = [shared(left)?, shared(right)?];
    let slow = sides.iter().any(|side| side.origin().slow);
    let (rows, complete, ignored, copies) = interruptible(py, move || {
        let defaults = Defaults::new(Registry::standard());
        let [left, right] = sides.map(|side| {
            let copy = complete(&side.read(), &defaults);
            copy.map(|copy| Shared::new(copy, Origin { slow, ..Origin::default() }))
                .map_err(|error| located(&side, error))
        });
        let copies = [left?, right?];
        let (rows, complete, ignored) = {
            let [left, right] = &copies;
            let (left, right) = (left.read(), right.read());
            let versions = all || (!ignore_versions && left.standard() == right.standard());
            let differences = left.difference(&right, &options.versions(versions))?;
            let rows = differences.iter().map(row).collect::<Result<Vec<Row>>>()?;
            let ignored: Vec<String> =
                differences.ignored().iter().map(|path| path.as_str().to_owned()).collect();
            (rows, differences.is_complete(), ignored)
        };
        Ok((rows, complete, ignored, copies))
    })?
    .map_err(|error: Error| Failure::from(error))?;
    let list = PyList::empty(py);
    let [left, right] = copies;
    for Row { path, column, change, sides: [one, other], text } in rows {
        list.append((
            path,
            change,
            one.into_object(py, &left)?,
            other.into_object(py, &right)?,
            column,
            text,
        ))?;
    }
    (list, complete, ignored).into_pyobject(py)
}

/// Parses the pattern of a path.
fn pattern(text: &str) -> Result<String> {
    Path::pattern(text).ok_or_else(|| {
        let text = text.escape_debug();
        Error::usage(format!("found ignore='{text}', expected a path such as /history or history.entries[0]"))
    })
}

/// Makes a copy of a file, with the defaults that files of old standards leave out.
fn complete(file: &File, defaults: &Defaults) -> Result<File> {
    let mut copy = copy_of(file)?;
    if let Some(tree) = defaults.filled(copy.tree())? {
        *copy.tree_mut() = tree;
    }
    Ok(copy)
}

fn row(difference: &Difference<'_>) -> Result<Row> {
    let node = |node: Option<NodeRef<'_>>| match node {
        Some(node) => Side::Node(Found::of(node).unwrap_or_else(|_| Found::Text(node.describe()))),
        None => Side::Nothing,
    };
    let tag = |node: Option<NodeRef<'_>>| match node.and_then(NodeRef::tag) {
        Some(tag) => Side::Text(tag.to_owned()),
        None => Side::Nothing,
    };
    let keys = |node: Option<NodeRef<'_>>| {
        let entries = node.into_iter().flat_map(NodeRef::entries);
        Side::Texts(entries.filter_map(|(key, _)| key.text().map(str::to_owned)).collect())
    };
    let (left, right) = (difference.left, difference.right);
    let sides = match &difference.change {
        Change::Tag => [tag(left), tag(right)],
        Change::Order => [keys(left), keys(right)],
        Change::Datatype(left, right) => [Side::Text(left.clone()), Side::Text(right.clone())],
        Change::Shape(shape) => [Side::Shape(shape.left.clone()), Side::Shape(shape.right.clone())],
        Change::Rows(left, right) => [Side::Count(*left), Side::Count(*right)],
        Change::Elements(elements) => [Side::Text(elements.left.clone()), Side::Text(elements.right.clone())],
        _ => [node(left), node(right)],
    };
    Ok(Row {
        path: difference.path.as_str().to_owned(),
        column: difference.column.clone(),
        change: difference.change.name(),
        sides,
        text: difference.to_string(),
    })
}

impl Side {
    fn into_object<'py>(self, py: Python<'py>, shared: &Shared) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Self::Nothing => Ok(py.None().into_bound(py)),
            Self::Node(found) => found.into_object(py, shared),
            Self::Text(text) => text.into_bound_py_any(py),
            Self::Texts(texts) => texts.into_bound_py_any(py),
            Self::Shape(shape) => PyTuple::new(py, shape)?.into_bound_py_any(py),
            Self::Count(count) => count.into_bound_py_any(py),
        }
    }
}
