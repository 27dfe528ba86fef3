//! Coordinates of points: numbers or arrays of numpy, which are evaluated column by column.

use asdf_gwcs::{Axis, Transform, parse_coordinate};
use numpy::{IntoPyArray as _, PyArray1, PyArrayDyn, PyReadonlyArray1};
use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::error::Failure;

/// The number of points between two checks for Ctrl-C.
const POINTS: usize = 1 << 20;

/// Evaluates a transform at points. Numbers give numbers, and arrays are broadcast together.
///
/// Quantities are converted to the units of the axes.
pub(crate) fn evaluate<'py>(
    py: Python<'py>,
    transform: &Transform,
    axes: &[Axis],
    points: &Bound<'py, PyTuple>,
) -> PyResult<Bound<'py, PyAny>> {
    if points.len() != transform.inputs() {
        let names: Vec<&str> = axes.iter().map(Axis::name).filter(|name| !name.is_empty()).collect();
        let names = if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) };
        let message = format!("expected {} coordinates{names}, found {}", transform.inputs(), points.len());
        return Err(PyTypeError::new_err(message));
    }
    let numpy = py.import("numpy")?;
    let mut arrays = Vec::with_capacity(points.len());
    for (number, point) in points.iter().enumerate() {
        arrays.push(as_floats(&numpy, &point, axes.get(number))?);
    }
    let arrays = numpy.call_method1("broadcast_arrays", PyTuple::new(py, arrays)?)?;
    let mut columns: Vec<PyReadonlyArray1<'py, f64>> = Vec::with_capacity(points.len());
    let mut shape = PyTuple::empty(py);
    for array in arrays.try_iter()? {
        let array = array?.cast_into::<PyArrayDyn<f64>>()?;
        shape = array.getattr("shape")?.cast_into()?;
        // Copies only what is not contiguous.
        columns.push(array.call_method1("reshape", (-1,))?.extract()?);
    }
    let columns: Vec<PyReadonlyArray1<'py, f64>> = columns
        .into_iter()
        .map(|column| match column.as_slice() {
            Ok(_) => Ok(column),
            Err(_) => column.call_method0("copy")?.extract(),
        })
        .collect::<PyResult<_>>()?;
    let slices: Vec<&[f64]> = columns.iter().map(|column| column.as_slice()).collect::<Result<_, _>>()?;
    let results = values(py, transform, &slices)?;
    let mut objects = Vec::with_capacity(results.len());
    for result in results {
        objects.push(match shape.is_empty() {
            true => result.first().copied().unwrap_or(f64::NAN).into_bound_py_any(py)?,
            false => result.into_pyarray(py).call_method1("reshape", (&shape,))?,
        });
    }
    match objects.len() {
        1 => Ok(objects.swap_remove(0)),
        _ => PyTuple::new(py, objects)?.into_bound_py_any(py),
    }
}

/// Evaluates a transform in parts, between which Ctrl-C ends it.
fn values(py: Python<'_>, transform: &Transform, columns: &[&[f64]]) -> PyResult<Vec<Vec<f64>>> {
    let count = columns.first().map_or(0, |column| column.len());
    let mut results = vec![vec![f64::NAN; count]; transform.outputs()];
    let mut parts: Vec<_> = results.iter_mut().map(|result| result.chunks_mut(POINTS)).collect();
    for start in (0..count).step_by(POINTS) {
        let end = count.min(start + POINTS);
        let inputs: Vec<&[f64]> = columns.iter().filter_map(|column| column.get(start..end)).collect();
        let mut outputs: Vec<&mut [f64]> = parts.iter_mut().filter_map(Iterator::next).collect();
        py.detach(|| transform.columns_into(&inputs, &mut outputs)).map_err(Failure::from)?;
        py.check_signals()?;
    }
    Ok(results)
}

/// Converts a coordinate to an array of floats in the unit of its axis. Texts can be angles.
fn as_floats<'py>(
    numpy: &Bound<'py, PyModule>,
    point: &Bound<'py, PyAny>,
    axis: Option<&Axis>,
) -> PyResult<Bound<'py, PyAny>> {
    let point = match axis {
        Some(axis) if point.hasattr("to_value")? => {
            // A number without a unit is a quantity of the unit "".
            point.call_method1("to_value", (axis.unit().to_string(),))?
        }
        _ => point.clone(),
    };
    let py = numpy.py();
    let parse = |text: String| parse_coordinate(&text, axis).map_err(Failure::from);
    let point = if let Ok(text) = point.extract::<String>() {
        parse(text)?.into_bound_py_any(py)?
    } else {
        let array = numpy.call_method1("asarray", (point,))?;
        if array.getattr("dtype")?.getattr("kind")?.extract::<String>()? == "U" {
            let texts: Vec<String> = array.call_method1("ravel", ())?.extract()?;
            let numbers = texts.into_iter().map(parse).collect::<Result<Vec<f64>, Failure>>()?;
            PyArray1::from_vec(py, numbers).call_method1("reshape", (array.getattr("shape")?,))?
        } else {
            array
        }
    };
    let options = PyDict::new(py);
    options.set_item("dtype", "float64")?;
    numpy.call_method("asarray", (point,), Some(&options))
}

/// Makes an array of numpy with two columns.
pub(crate) fn pairs<'py>(py: Python<'py>, pairs: &[[f64; 2]]) -> PyResult<Bound<'py, PyAny>> {
    let flat: Vec<f64> = pairs.iter().flatten().copied().collect();
    PyArray1::from_vec(py, flat).call_method1("reshape", (pairs.len(), 2))
}
