//! Angles and sizes that functions are given: numbers, texts, or quantities of astropy.

use asdf_core::Error;
use asdf_gwcs::{Angle, Length, Size};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use crate::error::Failure;

/// Converts an angle to degrees. Texts with colons are in hours if `hours` is set.
pub(crate) fn degrees(angle: &Bound<'_, PyAny>, hours: bool) -> PyResult<f64> {
    if angle.hasattr("to_value")? {
        return angle.call_method1("to_value", ("deg",))?.extract();
    }
    let Ok(text) = angle.extract::<String>() else { return angle.extract() };
    let degrees = Angle::parse(&text).map(|angle| angle.degrees(hours)).filter(|degrees| degrees.is_finite());
    degrees.ok_or_else(|| {
        let message = format!("found '{text}', expected degrees, or an angle such as 17h45m40.03s");
        Failure::from(Error::usage(message)).into()
    })
}

/// Converts a size: one length, or a pair of width and height.
pub(crate) fn size(size: &Bound<'_, PyAny>) -> PyResult<Size> {
    if let Ok(text) = size.extract::<String>() {
        return Ok(text.parse().map_err(Failure::from)?);
    }
    if size.is_instance_of::<PyTuple>() || size.is_instance_of::<PyList>() {
        let lengths = size.try_iter()?.map(|part| length(&part?)).collect::<PyResult<Vec<Length>>>()?;
        let [width, height] = lengths.as_slice() else {
            let error = Error::usage(format!("found {} lengths, expected width and height", lengths.len()));
            return Err(Failure::from(error).into());
        };
        return Ok(Size { width: *width, height: *height });
    }
    let length = length(size)?;
    Ok(Size { width: length, height: length })
}

fn length(length: &Bound<'_, PyAny>) -> PyResult<Length> {
    let found = if length.hasattr("to_value")? {
        match length.call_method1("to_value", ("arcsec",)) {
            Ok(arcseconds) => Length::Arcseconds(arcseconds.extract()?),
            Err(error) => match length.call_method1("to_value", ("pix",)) {
                Ok(pixels) => Length::Pixels(pixels.extract()?),
                Err(_) => return Err(error),
            },
        }
    } else if let Ok(text) = length.extract::<String>() {
        text.parse::<Size>().map_err(Failure::from)?.width
    } else {
        Length::Pixels(length.extract()?)
    };
    match found {
        Length::Pixels(number) | Length::Arcseconds(number) if number > 0.0 && number.is_finite() => {
            Ok(found)
        }
        _ => {
            let message = format!("found the size {length}, expected a positive number");
            Err(Failure::from(Error::usage(message)).into())
        }
    }
}
