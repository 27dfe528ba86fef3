//! `preview`: pictures of arrays.

use asdf_core::array::Slice;
use asdf_core::{Error, File, NdArray, Result};
use asdf_gwcs::{GraticuleLine, ImageSlice, Wcs};
use asdf_picture::{
    Annotations, Bits, Bounds, Compass, Format, GridLine, Labels, Look, Origin, Overlay, last_axes,
};
use asdf_tables::Dataset;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::array::{Array, slices};
use crate::error::Failure;
use crate::interrupt::interruptible;
use crate::shared::Shared;
use crate::source::{located, shared};
use crate::warning::warn;

/// The options of a picture, as `asdfast.preview` has them.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Options {
    path: Option<String>,
    slice: Option<Py<PyAny>>,
    limits: Option<Py<PyAny>>,
    stretch: String,
    colormap: String,
    invert: bool,
    bad: Option<Py<PyAny>>,
    origin: String,
    size: Option<Py<PyAny>>,
    axes: bool,
    colorbar: bool,
    overlay: Option<String>,
    bits: Option<Vec<u32>>,
    x: Option<String>,
    rgb: Option<Vec<String>>,
    grid: bool,
    compass: bool,
    wcs: Option<String>,
    format: String,
}

/// What is drawn.
enum Drawing {
    Image(NdArray, Box<Annotations>),
    Line(Box<NdArray>, Option<Box<NdArray>>, Labels),
    Rgb(Box<[NdArray; 3]>),
}

/// Draw an array; see `asdfast.preview`.
#[pyfunction]
pub(crate) fn _preview<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    options: Options,
) -> PyResult<Bound<'py, PyBytes>> {
    let format = match options.format.as_str() {
        "png" => Format::Png,
        "jpeg" | "jpg" => Format::Jpeg,
        other => return Err(usage(format!("found format='{other}', expected 'png' or 'jpeg'"))),
    };
    let (look, bounds) = (options.look(py)?, options.bounds(py)?);
    let slices = options.slices(py)?;
    if options.wcs.is_some() && !options.has_sky() {
        return Err(usage("wcs needs grid or compass".to_owned()));
    }
    let (drawing, shared) = match source.cast::<Array>() {
        Ok(array) => (options.of_array(array.get(), &slices).map_err(Failure::from)?, None),
        Err(_) => {
            let shared = shared(source)?;
            // A file object of Python is read by code of Python, which other threads may run.
            let given = options.given_slice(py, &slices);
            let drawing = shared.away(|| options.of_file(&shared, &slices, given));
            let (drawing, warning) = drawing.map_err(|error| Failure::from(located(&shared, error)))?;
            if let Some(warning) = warning {
                warn(py, &located(&shared, warning))?;
            }
            (drawing, Some(shared))
        }
    };
    let drawn = interruptible(py, move || {
        let mut bytes = Vec::new();
        match drawing {
            Drawing::Image(image, annotations) => {
                look.image(&image, &annotations, bounds)?.picture.write(format, &mut bytes)
            }
            Drawing::Line(line, x, labels) => {
                look.line(&line, x.as_deref(), &labels, bounds)?.picture.write(format, &mut bytes)
            }
            Drawing::Rgb(images) => look.rgb(&images, bounds)?.picture.write(format, &mut bytes),
        }?;
        Ok(bytes)
    })?;
    let bytes: Vec<u8> = drawn.map_err(|error: Error| match &shared {
        Some(shared) => Failure::from(located(shared, error)),
        None => Failure::from(error),
    })?;
    Ok(PyBytes::new(py, &bytes))
}

fn usage(message: String) -> PyErr {
    Failure::from(Error::usage(message)).into()
}

impl Options {
    fn look(&self, py: Python<'_>) -> PyResult<Look> {
        let origin = match self.origin.as_str() {
            "bottom" | "lower" => Origin::Bottom,
            "top" | "upper" => Origin::Top,
            other => return Err(usage(format!("found origin='{other}', expected 'bottom' or 'top'"))),
        };
        let stretch = self.stretch.parse().map_err(Failure::from)?;
        let colormap = self.colormap.parse().map_err(Failure::from)?;
        let look = Look::new().stretch(stretch).colormap(colormap).inverted(self.invert).origin(origin);
        let look = match self.limits.as_ref().map(|limits| limits.bind(py)) {
            None => look,
            Some(limits) => look.limits(words(limits, ",")?.parse().map_err(Failure::from)?),
        };
        match self.bad.as_ref().map(|bad| bad.bind(py)) {
            None => Ok(look),
            Some(text) if text.is_instance_of::<PyString>() => match text.extract::<String>()?.as_str() {
                "none" => Ok(look.bad(None)),
                other => Err(usage(format!("found bad='{other}', expected (red, green, blue) or 'none'"))),
            },
            Some(colour) => {
                let (red, green, blue) = colour.extract()?;
                Ok(look.bad(Some([red, green, blue])))
            }
        }
    }

    fn bounds(&self, py: Python<'_>) -> PyResult<Bounds> {
        match &self.size {
            None => Ok(Bounds::Within(1024, 1024)),
            Some(size) => Ok(words(size.bind(py), "x")?.parse().map_err(Failure::from)?),
        }
    }

    fn slices(&self, py: Python<'_>) -> PyResult<Vec<Slice>> {
        let Some(slice) = &self.slice else { return Ok(Vec::new()) };
        let slice = slice.bind(py);
        match slice.extract::<String>() {
            Ok(text) => Ok(Slice::parse(&text).map_err(Failure::from)?),
            Err(_) => slices(slice)?.ok_or_else(|| {
                usage("expected a slice of numbers and ranges, as between numpy's brackets".into())
            }),
        }
    }

    fn bits(&self) -> Result<Option<Bits>> {
        let Some(bits) = &self.bits else { return Ok(None) };
        let texts: Vec<String> = bits.iter().map(u32::to_string).collect();
        texts.join(",").parse().map(Some)
    }

    /// Returns whether world coordinates are drawn.
    fn has_sky(&self) -> bool {
        self.grid || self.compass
    }

    fn of_array(&self, array: &Array, slices: &[Slice]) -> Result<Drawing> {
        let of_file = [&self.path, &self.overlay, &self.x].into_iter().any(Option::is_some);
        if of_file || self.rgb.is_some() || self.has_sky() {
            let message = "found an array, expected a file for path, overlay, x, rgb, grid and compass";
            return Err(Error::usage(message));
        }
        self.drawing(array.array.slice(slices)?, None, None, Labels::default())
    }

    /// Returns what to draw, and what to warn about.
    fn of_file(
        &self,
        shared: &Shared,
        slices: &[Slice],
        given: Option<String>,
    ) -> Result<(Drawing, Option<Error>)> {
        let file = shared.read();
        let at = |word: &str| {
            let path = file.tree().resolve_path(word).as_str().to_owned();
            let dataset = Dataset::at(&file, &path)?;
            Ok((path, dataset))
        };
        if let Some(words) = &self.rgb {
            if self.path.is_some() {
                return Err(Error::usage("found both path and rgb, expected one of them"));
            }
            if self.has_sky() {
                return Err(Error::usage("found rgb and grid or compass, which need one image"));
            }
            let images = words.iter().map(|word| {
                let (path, dataset) = at(word)?;
                let (array, _) = part(dataset, slices).map_err(|error| error.at_path(&path))?;
                Ok(last_axes(array)?.0)
            });
            let images: Vec<NdArray> = images.collect::<Result<_>>()?;
            let images = Box::try_from(images.into_boxed_slice());
            let images =
                images.map_err(|_| Error::usage("expected three paths in rgb: red, green and blue"))?;
            return Ok((Drawing::Rgb(images), None));
        }
        let (path, dataset) = self.path.as_deref().map_or_else(|| Dataset::default_of(&file), at)?;
        let located = |error: Error| if error.path().is_some() { error } else { error.at_path(&path) };
        let whole = match &dataset {
            Dataset::Array { array, .. } => array.shape().to_vec(),
            _ => Vec::new(),
        };
        let (array, unit) = part(dataset, slices).map_err(located)?;
        let companion = |word: &Option<String>| {
            let Some(word) = word else { return Ok(None) };
            let (own, dataset) = match word.contains('/') {
                true => at(word)?,
                false => Dataset::beside(&file, &path, word)?,
            };
            let is_whole = matches!(&dataset, Dataset::Array { array, .. } if array.shape() == whole);
            let slices = if is_whole { slices } else { &[] };
            let (array, unit) = part(dataset, slices).map_err(|error| error.at_path(&own))?;
            Ok(Some((own, array, unit)))
        };
        let x = companion(&self.x)?;
        let overlay = companion(&self.overlay)?.map(|(_, array, _)| array);
        let mut labels = Labels::default();
        labels.title = format!("{path}{}", part_text(given, array.shape()));
        labels.unit = unit;
        labels.x = x.as_ref().map(|(path, _, unit)| {
            let name = path.rsplit('/').next().unwrap_or_default().replace("~1", "/").replace("~0", "~");
            unit.as_ref().map_or_else(|| name.clone(), |unit| format!("{name} ({unit})"))
        });
        let drawing = self.drawing(array, x.map(|(_, array, _)| array), overlay, labels);
        let mut drawing = drawing.map_err(located)?;
        let mut warning = None;
        if self.has_sky() {
            warning = self.draw_sky(&mut drawing, &file, &path, &whole, slices)?;
        }
        Ok((drawing, warning))
    }

    /// Returns the text of the slice.
    fn given_slice(&self, py: Python<'_>, slices: &[Slice]) -> Option<String> {
        self.slice.as_ref().map(|slice| match slice.extract::<String>(py) {
            Ok(text) => text,
            Err(_) => slices.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
        })
    }

    /// Adds lines of longitude and latitude, and the compass. Returns what to warn about.
    fn draw_sky(
        &self,
        drawing: &mut Drawing,
        file: &File,
        path: &str,
        whole: &[u64],
        slices: &[Slice],
    ) -> Result<Option<Error>> {
        let Drawing::Image(image, annotations) = drawing else {
            let error = Error::usage("found an array with one axis, expected an image for grid and compass");
            return Err(error.with_hint("leave out grid and compass").at_path(path));
        };
        let &[height, width] = image.shape() else { return Ok(None) };
        // The error for an array without elements follows.
        if height == 0 || width == 0 {
            return Ok(None);
        }
        let wcs = match (&self.wcs, Wcs::path_for(file, path)) {
            (Some(word), _) => Wcs::open(file, file.tree().resolve_path(word).as_str())?,
            (None, Some(path)) => Wcs::open(file, &path)?,
            (None, None) => Wcs::only(file)?,
        };
        let pixels = ImageSlice::new(whole, slices, [height, width]).ok_or_else(|| {
            Error::usage("the slice does not show the last two axes, which grid and compass need")
                .with_hint("select indices of the axes before the last two")
                .at_path(path)
        })?;
        if self.grid {
            annotations.grid =
                pixels.graticule(&wcs)?.lines().iter().map(|line| grid_line(line, &pixels)).collect();
        }
        if self.compass {
            let compass = pixels.compass(&wcs)?;
            annotations.compass = Some(Compass::new(compass.north, compass.east));
        }
        Ok(wcs.check_shape(whole))
    }

    fn drawing(
        &self,
        array: NdArray,
        x: Option<NdArray>,
        overlay: Option<NdArray>,
        labels: Labels,
    ) -> Result<Drawing> {
        let (array, _) = last_axes(array)?;
        let shape = array.shape();
        if shape.len() == 1 {
            if overlay.is_some() || self.colorbar {
                let message = format!("found an array of shape {shape:?}, expected an image with two axes");
                return Err(Error::usage(message).with_hint("leave out overlay and colorbar"));
            }
            return Ok(Drawing::Line(Box::new(array), x.map(Box::new), labels));
        }
        if x.is_some() {
            let message = format!("found an image of shape {shape:?}, expected an array with one axis for x");
            return Err(Error::usage(message).with_hint("take one row with slice, or leave out x"));
        }
        let mut annotations = Annotations::default();
        annotations.labels = labels;
        annotations.axes = self.axes;
        annotations.colorbar = self.colorbar;
        let bits = self.bits()?;
        annotations.overlay = overlay.map(|flags| Overlay::new(flags, bits));
        Ok(Drawing::Image(array, Box::new(annotations)))
    }
}

/// Returns which part of an array is drawn, such as `[(17)[0]]`, from its shape after the slice.
fn part_text(given: Option<String>, shape: &[u64]) -> String {
    // Of the axes before the last two, index 0 is drawn.
    let planes = vec!["0"; shape.len().saturating_sub(2)].join(", ");
    match (given, planes.is_empty()) {
        (Some(given), true) => format!("[{given}]"),
        (Some(given), false) => format!("[({given})[{planes}]]"),
        (None, true) => String::new(),
        (None, false) => format!("[{planes}]"),
    }
}

/// Converts a line to elements of the shown part.
fn grid_line(line: &GraticuleLine, pixels: &ImageSlice) -> GridLine {
    let parts = line.polylines().iter();
    let parts = parts.map(|part| part.iter().map(|pixel| pixels.element(*pixel)).collect());
    GridLine::new(parts.collect(), Some(line.label().to_owned()))
}

/// Returns the array of a dataset, or a part of it, and its unit.
fn part(dataset: Dataset, slices: &[Slice]) -> Result<(NdArray, Option<String>)> {
    match dataset.slice(slices)? {
        Dataset::Array { array, unit, .. } => Ok((array, unit)),
        Dataset::Table { .. } => Err(Error::usage("found a table, expected an image or a line")
            .with_hint("name one of its columns, or use asdfast.table")),
        Dataset::Fits(_) => Err(Error::usage("found a FITS file, expected one of its images")
            .with_hint("name the image, as in /fits/1/data")),
    }
}

/// Joins numbers to a text, and returns a text as it is.
fn words(value: &Bound<'_, PyAny>, separator: &str) -> PyResult<String> {
    if let Ok(text) = value.extract::<String>() {
        return Ok(text);
    }
    if !value.hasattr("__iter__")? {
        return Ok(value.str()?.to_string());
    }
    let words = value.try_iter()?.map(|word| Ok(word?.str()?.to_string()));
    Ok(words.collect::<PyResult<Vec<String>>>()?.join(separator))
}
