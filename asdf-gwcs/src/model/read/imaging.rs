//! `fitswcs_imaging`: the world coordinates of an image, as FITS describes them.

use asdf_core::Result;

use super::quantity::degree;
use super::{Entry, Leaf, Reader, name, rotation};
use crate::angle;
use crate::model::Kind;

/// The projections whose native pole is the reference point of FITS.
const ZENITHAL: &[&str] = &[
    "airy",
    "gnomonic",
    "slant_orthographic",
    "slant_zenithal_perspective",
    "stereographic",
    "zenithal_equal_area",
    "zenithal_equidistant",
    "zenithal_perspective",
];

/// Reads `fitswcs_imaging`: subtract the reference pixel, multiply by a matrix and a scale, project and rotate.
pub(super) fn fitswcs_imaging(reader: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let crpix = entry.vector("crpix", 2)?;
    let pixel = crpix.unit.clone();
    let [x, y] = two(crpix.values);
    let in_degrees = |key: &str| {
        let array = entry.vector(key, 2)?;
        let has_unit = array.unit.is_some();
        array
            .in_unit(&degree())
            .map(|values| (two(values), has_unit))
            .map_err(|error| entry.place_at(key, error))
    };
    let ([longitude, latitude], crval_has_unit) = in_degrees("crval")?;
    let cdelt = entry.vector("cdelt", 2)?;
    let [width, height] = two(cdelt.values);
    let pc = entry.matrix("pc", 2, 2)?.values;
    let node = entry.require("projection")?;
    let projection = reader.read_child(&["projection"], node)?;
    if (projection.inputs.len(), projection.outputs.len()) != (2, 2) {
        return Err(entry.error_at("projection", "the projection must have two inputs and two outputs"));
    }
    let pole = native_longitude_of_pole(&entry.inner(node)?, latitude).map_err(|e| e.under("projection"))?;
    let [longitude, latitude, pole] = [longitude, latitude, pole].map(angle::to_radians);
    let matrix = rotation::native_to_celestial(longitude, latitude, pole);

    let linear = |factor, offset| reader.part(Leaf::new(Kind::Linear { factor, offset }));
    let both = |left, right| reader.part(Leaf::new(Kind::Concatenate(left, right)));
    let then = |first, second| reader.part(Leaf::new(Kind::Compose(first, second)));
    let shift = both(linear(1.0, 0.0 - x), linear(1.0, 0.0 - y));
    let affine = reader.part(Leaf::new(Kind::Affine { matrix: pc, translation: vec![0.0; 2] }));
    let scale = both(linear(width, 0.0), linear(height, 0.0));
    let rotate = reader.part(rotation::spherical(reader, &matrix, true));
    let kind = Kind::Compose(shift, then(affine, then(scale, then(projection, rotate))));
    let quantity = pixel.is_some() || crval_has_unit;
    let leaf = Leaf::new(kind).named(&["x", "y"], &["lon", "lat"]);
    Ok(Leaf { quantity, ..leaf })
}

fn two(values: Vec<f64>) -> [f64; 2] {
    values.try_into().unwrap_or([f64::NAN; 2])
}

/// Returns the native longitude of the celestial pole in degrees, which FITS calls LONPOLE, by the rule for its default.
fn native_longitude_of_pole(projection: &Entry<'_>, latitude: f64) -> Result<f64> {
    let name = name::split(projection.tag()).map_or("", |(_, name)| name);
    if ZENITHAL.contains(&name) {
        return Ok(180.0);
    }
    let native_latitude = match name {
        "healpix_polar" => 90.0,
        _ if name.starts_with("conic_") => match projection.get("sigma") {
            Some(_) => projection.number_in("sigma", &degree())?,
            None => 90.0,
        },
        _ => 0.0,
    };
    Ok(if latitude < native_latitude { 180.0 } else { 0.0 })
}
