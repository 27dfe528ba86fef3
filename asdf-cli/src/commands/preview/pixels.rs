//! The world coordinates of the pixels that are shown.

use asdf_core::array::Slice;
use asdf_core::{Error, File, Result};
use asdf_gwcs::{Coordinate, Graticule, Wcs};
use asdf_picture::{Compass, GridLine};
use serde_json::{Value as Json, json};

use super::sky::{Shown, Sky};
use crate::context::Context;
use crate::printable::line;
use crate::wcs_choice;

/// The world coordinate system to use, and the option that needs it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Choice<'a> {
    pub(super) path: Option<&'a str>,
    pub(super) option: &'a str,
}

/// The pixels of one axis that are shown: element `i` is the pixel `start + i * step`.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Pixels {
    /// The number of the axis in the whole array; `None` for a new axis.
    axis: Option<usize>,
    start: f64,
    step: f64,
}

impl Pixels {
    /// Returns the edges of the shown pixels, the lower one first.
    fn edges(&self, count: u64) -> [f64; 2] {
        let (first, last) = (self.start - 0.5 * self.step, self.pixel(number(count) - 0.5));
        [first.min(last), first.max(last)]
    }

    fn pixel(&self, element: f64) -> f64 {
        self.start + element * self.step
    }

    fn element(&self, pixel: f64) -> f64 {
        (pixel - self.start) / self.step
    }
}

/// Returns the lines and the compass for the shown part of an image.
pub(super) fn sky(
    choice: Choice<'_>,
    [has_grid, has_compass]: [bool; 2],
    file: &File,
    shown: &Shown<'_>,
    context: &Context,
) -> Result<Sky> {
    let wcs = choice.wcs(file, shown.path)?.threads(context.threads);
    warn(&wcs, shown, context);
    let [y, x] = last_two(shown.whole, shown.slices).ok_or_else(|| {
        let message = format!("the slice does not show the last two axes, which {} needs", choice.option);
        let hint = format!("select indices of the axes before the last two, or leave out {}", choice.option);
        Error::usage(message).with_hint(hint).at_path(shown.path)
    })?;
    let [height, width] = shown.part;
    let graticule = match has_grid {
        true => {
            Some(wcs.graticule(x.edges(width), y.edges(height)).map_err(|error| without(error, "--grid"))?)
        }
        false => None,
    };
    let compass = match has_compass {
        true => {
            let middle = [x.pixel(0.5 * (number(width) - 1.0)), y.pixel(0.5 * (number(height) - 1.0))];
            let compass = wcs.compass(middle).map_err(|error| without(error, "--compass"))?;
            let [north, east] =
                [compass.north, compass.east].map(|[along, up]| [along / x.step, up / y.step]);
            Some(Compass::new(north, east))
        }
        false => None,
    };
    let lines = graticule.as_ref().map(|graticule| lines(graticule, [x, y])).unwrap_or_default();
    if has_grid && lines.is_empty() {
        let error = Error::mismatch("no pixel of the image has a position on the sky");
        return Err(without(error, "--grid").at_path(wcs.path()));
    }
    let spacing = graticule.as_ref().map(|graticule| spacing(graticule, &wcs));
    let json = graticule.as_ref().map_or(Json::Null, |graticule| {
        let of = |coordinate| graticule.spacing(coordinate);
        json!({"longitude": of(Coordinate::Longitude), "latitude": of(Coordinate::Latitude)})
    });
    Ok(Sky { path: wcs.path().to_owned(), lines, compass, spacing, json })
}

/// Adds the hint to leave out an option, unless the error has a better one.
fn without(error: Error, option: &str) -> Error {
    match error.hint() {
        Some(_) => error,
        None => error.with_hint(format!("leave out {option}")),
    }
}

impl Choice<'_> {
    fn wcs(&self, file: &File, image: &str) -> Result<Wcs> {
        let found = if self.path.is_some() { Vec::new() } else { Wcs::find(file) };
        if self.path.is_none() && found.is_empty() {
            let error = Error::missing("the file has no world coordinate system (tag `gwcs/wcs`)");
            return Err(error.with_hint(format!("leave out {}", self.option)));
        }
        let beside = if found.len() > 1 { wcs_choice::beside(&found, image) } else { None };
        match beside {
            Some(path) => Wcs::open(file, path),
            None => wcs_choice::named_or_only(file, self.path, "--wcs"),
        }
    }
}

/// Warns if the world coordinates are for an image of another size.
fn warn(wcs: &Wcs, shown: &Shown<'_>, context: &Context) {
    let (Some(&[height, width]), Some([columns, rows, ..])) = (shown.whole.last_chunk(), wcs.pixel_shape())
    else {
        return;
    };
    if (width, height) != (*columns, *rows) {
        let message = format!(
            "the image has {width} x {height} pixels, but the world coordinates are those of {columns} x {rows}"
        );
        context.warnings.tell(Error::mismatch(message).at_path(wcs.path()).at_file(shown.file));
    }
}

/// Returns the lines in elements of the shown part.
fn lines(graticule: &Graticule, [x, y]: [Pixels; 2]) -> Vec<GridLine> {
    let element = |[column, row]: &[f64; 2]| [x.element(*column), y.element(*row)];
    let lines = graticule.lines().iter().map(|line| {
        let parts = line.polylines().iter().map(|part| part.iter().map(element).collect()).collect();
        GridLine::new(parts, Some(line.label().to_owned()))
    });
    lines.collect()
}

/// Returns a text such as `ra every 00h00m10s, dec every 00d05m (icrs)`.
fn spacing(graticule: &Graticule, wcs: &Wcs) -> String {
    let frame = wcs.world_frame().ok();
    let axes = frame.and_then(|frame| Some((frame.axes(), frame.sky_axes()?)));
    let name = |place: usize, default: &str| {
        let axis = axes.and_then(|(all, sky)| all.get(*sky.get(place)?));
        let name = axis.map(|axis| line(axis.name())).unwrap_or_default();
        if name.is_empty() { default.to_owned() } else { name }
    };
    let coordinates =
        [(Coordinate::Longitude, name(0, "longitude")), (Coordinate::Latitude, name(1, "latitude"))];
    let every = |(coordinate, name): (Coordinate, String)| {
        Some(format!("{name} every {}", graticule.spacing(coordinate)?))
    };
    let every: Vec<String> = coordinates.into_iter().filter_map(every).collect();
    let reference = frame.and_then(|frame| frame.sky_reference()).map(|reference| line(reference.name()));
    let reference = reference.map(|name| format!(" ({name})")).unwrap_or_default();
    format!("{}{reference}", every.join(", "))
}

/// Returns the pixels of the last two axes, which are `y` and `x`; `None` if a slice removes one of them.
fn last_two(shape: &[u64], slices: &[Slice]) -> Option<[Pixels; 2]> {
    let all = pixels(shape, slices)?;
    let [.., y, x] = all.as_slice() else { return None };
    let count = shape.len();
    let are_last = y.axis == count.checked_sub(2) && x.axis == count.checked_sub(1);
    (are_last && y.axis.is_some()).then_some([*y, *x])
}

/// Returns the pixels of each axis that slices select, with the meaning of numpy.
fn pixels(shape: &[u64], slices: &[Slice]) -> Option<Vec<Pixels>> {
    let uses_axis = |slice: &&Slice| matches!(slice, Slice::Index(_) | Slice::Range { .. });
    let rest = shape.len().checked_sub(slices.iter().filter(uses_axis).count())?;
    let place = slices.iter().position(|slice| *slice == Slice::Ellipsis).unwrap_or(slices.len());
    let (before, after) = (slices.iter().take(place), slices.iter().skip(place + 1));
    let all = before.copied().chain(std::iter::repeat_n(Slice::ALL, rest)).chain(after.copied());
    let mut axis = 0;
    let mut found = Vec::new();
    for slice in all {
        let (start, step) = match slice {
            Slice::NewAxis => {
                found.push(Pixels { axis: None, start: 0.0, step: 1.0 });
                continue;
            }
            Slice::Range { start, step, .. } => (start, step),
            _ => (None, 0),
        };
        let count = i64::try_from(*shape.get(axis)?).unwrap_or(i64::MAX);
        if step != 0 {
            let (first, low, high) = if step > 0 { (0, 0, count) } else { (count - 1, -1, count - 1) };
            let start = start.map(|start| if start < 0 { start.saturating_add(count) } else { start });
            let start = start.unwrap_or(first).clamp(low, high);
            found.push(Pixels { axis: Some(axis), start: signed(start), step: signed(step) });
        }
        axis += 1;
    }
    Some(found)
}

#[expect(clippy::cast_precision_loss, reason = "images have fewer than 2^53 pixels along an axis")]
fn number(count: u64) -> f64 {
    count as f64
}

#[expect(clippy::cast_precision_loss, reason = "images have fewer than 2^53 pixels along an axis")]
fn signed(count: i64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(shape: &[u64], text: &str) -> Option<[(f64, f64); 2]> {
        let found = last_two(shape, &Slice::parse(text).unwrap())?;
        Some(found.map(|pixels| (pixels.start, pixels.step)))
    }

    #[test]
    fn slices_select_pixels() {
        let whole = Some([(0.0, 1.0), (0.0, 1.0)]);
        assert_eq!(of(&[10, 20], ""), whole);
        assert_eq!(of(&[10, 20], "3:, ::2"), Some([(3.0, 1.0), (0.0, 2.0)]));
        assert_eq!(of(&[10, 20], "::-1, -5:"), Some([(9.0, -1.0), (15.0, 1.0)]));
        assert_eq!(of(&[10, 20], "50:, 30::-3"), Some([(10.0, 1.0), (19.0, -3.0)]));
        assert_eq!(of(&[3, 10, 20], "1"), whole);
        assert_eq!(of(&[3, 10, 20], "..., 4:"), Some([(0.0, 1.0), (4.0, 1.0)]));
        assert_eq!(of(&[3, 10, 20], "new, 2, ..., 4:8"), Some([(0.0, 1.0), (4.0, 1.0)]));
        for other in [":, 3", "..., 3", "0, 0, 0", "..., new"] {
            assert_eq!(of(&[3, 10, 20], other), None, "{other}");
        }
        assert_eq!(of(&[10], "new"), None);
    }

    #[test]
    fn pixels_reach_to_their_edges() {
        let pixels = Pixels { axis: Some(0), start: 9.0, step: -2.0 };
        assert_eq!(pixels.edges(3), [4.0, 10.0]);
        assert_eq!((pixels.pixel(2.0), pixels.element(5.0)), (5.0, 2.0));
    }
}
