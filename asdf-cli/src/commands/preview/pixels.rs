//! The world coordinates of the pixels that are shown.

use asdf_core::{Error, File, Result};
use asdf_gwcs::{Coordinate, Graticule, ImageSlice, Wcs};
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
    let pixels = ImageSlice::new(shown.whole, shown.slices, shown.part).ok_or_else(|| {
        let message = format!("the slice does not show the last two axes, which {} needs", choice.option);
        let hint = format!("select indices of the axes before the last two, or leave out {}", choice.option);
        Error::usage(message).with_hint(hint).at_path(shown.path)
    })?;
    let graticule = has_grid.then(|| pixels.graticule(&wcs).map_err(|error| without(error, "--grid")));
    let graticule = graticule.transpose()?;
    let compass = has_compass.then(|| pixels.compass(&wcs).map_err(|error| without(error, "--compass")));
    let compass = compass.transpose()?.map(|compass| Compass::new(compass.north, compass.east));
    let lines = graticule.as_ref().map(|graticule| lines(graticule, &pixels)).unwrap_or_default();
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
        if self.path.is_none() && Wcs::find(file).is_empty() {
            let error = Error::missing("the file has no world coordinate system (tag `gwcs/wcs`)");
            return Err(error.with_hint(format!("leave out {}", self.option)));
        }
        match self.path.is_none().then(|| Wcs::path_for(file, image)).flatten() {
            Some(path) => Wcs::open(file, &path),
            None => wcs_choice::named_or_only(file, self.path, "--wcs"),
        }
    }
}

/// Warns if the world coordinates are for an image of another size.
fn warn(wcs: &Wcs, shown: &Shown<'_>, context: &Context) {
    if let Some(error) = wcs.check_shape(shown.whole) {
        context.warnings.tell(error.at_file(shown.file));
    }
}

/// Returns the lines in elements of the shown part.
fn lines(graticule: &Graticule, pixels: &ImageSlice) -> Vec<GridLine> {
    let lines = graticule.lines().iter().map(|line| {
        let parts =
            line.polylines().iter().map(|part| part.iter().map(|pixel| pixels.element(*pixel)).collect());
        GridLine::new(parts.collect(), Some(line.label().to_owned()))
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
