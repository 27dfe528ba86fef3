//! Makes a Level 3 mosaic from one Level 2 image.

use std::path::Path;

use asdf_core::array::Array;
use asdf_core::value::{Nullable, Number};
use asdf_core::{Error, File, Result};
use asdf_schemas::sample::Minimal as _;
use ndarray::{Array2, Array3, Zip};

use crate::rad::meta::L3WcsinfoProjection;
use crate::rad::{WfiImage, WfiMosaic};

/// The dark current of every pixel, in the units of the image.
const DARK: f32 = 0.25;

/// Reads a Level 2 file and writes a Level 3 file.
///
/// # Errors
/// If the Level 2 file cannot be read or is not a Level 2 image of Roman, and if the Level 3 file cannot be written.
pub(crate) fn run(l2: &Path, l3: &Path) -> Result<()> {
    let input = File::open(l2)?;
    let image: WfiImage = input.get("/roman").map_err(|error| error.at_file(l2))?;

    // Convert the pixels to arrays of the crate `ndarray`. Flagged pixels become NaN and have no weight.
    let mut data: Array2<f32> = image.data.to_ndarray()?;
    let flags: Array2<u32> = image.dq.to_ndarray()?;
    data -= DARK;
    Zip::from(&mut data).and(&flags).for_each(|pixel, flags| {
        if *flags != 0 {
            *pixel = f32::NAN;
        }
    });
    let variance = image.var_poisson.to_ndarray()?.mapv(f32::from);
    let mut weight = variance.mapv(|variance| if variance > 0.0 { 1.0 / variance } else { 0.0 });
    Zip::from(&mut weight).and(&flags).for_each(|weight, flags| {
        if *flags != 0 {
            *weight = 0.0;
        }
    });

    // Start with the smallest mosaic that conforms to the schema, and set the known values of the image.
    let mut mosaic = WfiMosaic::minimal().ok_or_else(|| Error::usage("cannot make a minimal mosaic"))?;
    let (rows, columns) = data.dim();
    let meta = &mut mosaic.meta;
    let old = &image.meta;
    let name = l3.file_name().unwrap_or_default().to_string_lossy();
    meta.filename = name.parse()?;
    meta.file_date = old.file_date.clone();
    meta.telescope = old.telescope.clone();
    meta.origin = old.origin.clone();
    meta.calibration_software_name = old.calibration_software_name.clone();
    meta.calibration_software_version = old.calibration_software_version.clone();
    meta.instrument.optical_element = Nullable::Value(old.instrument.optical_element.clone());
    meta.observation.program = Nullable::Value(old.observation.program);
    meta.observation.visit = Nullable::Value(old.observation.visit);
    meta.coadd_info.time_first = old.exposure.start_time.clone();
    meta.coadd_info.time_last = old.exposure.end_time.clone();
    meta.coadd_info.exposure_time = old.exposure.exposure_time.clone();
    meta.resample.members = vec![l2.file_name().unwrap_or_default().to_string_lossy().into_owned()];
    meta.resample.pointings = 1;
    let good = weight.iter().filter(|weight| **weight > 0.0).count();
    meta.statistics.good_pixel_fraction = Number::from(good as f64 / weight.len() as f64);
    meta.wcsinfo.projection = L3WcsinfoProjection::Tan;
    meta.wcsinfo.image_shape = [columns as i64, rows as i64];
    // The coordinates have a tag of another package, so both types hold them as a plain node.
    meta.wcs = old.wcs.clone();

    mosaic.err = Array::try_from(variance.mapv(f32::sqrt))?;
    mosaic.var_rnoise = Array::try_from(Array2::<f32>::zeros((rows, columns)))?;
    mosaic.var_poisson = Array::try_from(variance)?;
    mosaic.context = Array::try_from(Array3::<u32>::from_elem((1, rows, columns), 1))?;
    mosaic.weight = Array::try_from(weight)?;
    mosaic.data = Array::try_from(data)?;

    let mut output = File::new();
    output.set("/roman", &mosaic)?;
    output.write(l3)
}
