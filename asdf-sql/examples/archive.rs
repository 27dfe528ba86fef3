//! Makes a folder of files as in an archive of images, to try queries on: `cargo run -p asdf-sql --example archive FOLDER 1000`.
//!
//! Most files are images of 32 x 32 pixels with metadata, world coordinates and a table of sources. Some are broken, some are
//! of another kind, and some have faults. The same numbers always give the same files.

use std::fmt::Write as _;
use std::path::Path;

use asdf_core::{Compression, Error, File, NdArray, Result, WriteOptions};
use asdf_schemas::table::{Column, Table};

const FILTERS: [&str; 8] = ["F062", "F087", "F106", "F129", "F146", "F158", "F184", "F213"];
const TIMES: [f64; 4] = [30.4, 60.8, 121.6, 152.0];
/// The number of pixels of each axis.
const SIZE: u32 = 32;

/// What is in a file of the archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Content {
    /// An image.
    Image,
    /// An image whose exposure time is a text.
    WrongTime,
    /// An image with a quantity that has no unit, which its schema refuses.
    Invalid,
    /// A description of a camera.
    Other,
    /// A file that ends in the middle of its tree.
    Broken,
}

/// Returns what is in the file with a number.
pub(crate) fn content(number: u32) -> Content {
    match number {
        _ if number % 50 == 17 => Content::Broken,
        _ if number % 40 == 23 => Content::Other,
        _ if number % 61 == 30 => Content::WrongTime,
        _ if number % 70 == 11 => Content::Invalid,
        _ => Content::Image,
    }
}

/// Makes files with the numbers from 0 to `count - 1`.
///
/// # Errors
/// If a file cannot be written.
pub(crate) fn make(folder: &Path, count: u32) -> Result<()> {
    for number in 0..count {
        let path = folder.join(format!("r{number:06}_cal.asdf"));
        let options = WriteOptions::new().compression(Compression::LZ4);
        let bytes = match content(number) {
            Content::Other => of_text("camera: {lens: {mm: 35}, name: finder}\n")?.to_bytes()?,
            Content::Broken => options.to_bytes(&image(number)?)?.get(..1000).unwrap_or_default().to_vec(),
            _ => options.to_bytes(&image(number)?)?,
        };
        // Many files are written faster if the program does not wait for the disk after each.
        std::fs::write(&path, bytes).map_err(|error| Error::io("writing", error).at_file(&path))?;
    }
    Ok(())
}

fn of_text(tree: &str) -> Result<File> {
    let header =
        "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n";
    File::from_bytes(format!("{header}{tree}...\n").into_bytes())
}

#[allow(clippy::indexing_slicing, reason = "a remainder is less than the length")]
fn pick<T: Copy>(values: &[T], number: u32) -> T {
    values[number as usize % values.len()]
}

fn image(number: u32) -> Result<File> {
    let minutes = number * 7 % (60 * 24);
    let time = match content(number) {
        Content::WrongTime => "unknown".to_owned(),
        _ => format!("{:?}", pick(&TIMES, number / 3)),
    };
    let step = pick(&["COMPLETE", "COMPLETE", "SKIPPED", "INCOMPLETE"], number / 5);
    let mut tree = String::new();
    let _ = write!(
        tree,
        "roman:
  meta:
    filename: r{number:06}_cal.asdf
    exposure:
      type: {kind}
      start_time: !time/time-1.2.0 2026-10-{day:02}T{hour:02}:{minute:02}:00.000
      exposure_time: {time}
    instrument: {{name: WFI, detector: WFI{detector:02}, optical_element: {filter}}}
    program: {{number: {program}, title: 'Survey {program}'}}
    cal_step: {{flat_field: {step}}}
    aperture: {aperture}
    sky_background: {background}
    wcs: !<tag:stsci.edu:gwcs/wcs-1.4.0>
{wcs}",
        kind = if number % 9 == 4 { "WFI_DARK" } else { "WFI_IMAGE" },
        day = 1 + number / 200 % 30,
        hour = minutes / 60,
        minute = minutes % 60,
        detector = 1 + number % 18,
        filter = pick(&FILTERS, number / 18),
        program = 1 + number / 100 % 5,
        aperture = match content(number) {
            Content::Invalid => "!unit/quantity-1.3.0 {value: 2.4}",
            _ => "!unit/quantity-1.3.0 {value: 2.4, unit: m}",
        },
        background = f64::from(number % 100) / 100.0,
        wcs = wcs(150.0 + 0.01 * f64::from(number % 20), 2.0 + 0.01 * f64::from(number / 20 % 50)),
    );
    let mut file = of_text(&tree)?;
    file.set("/roman/data", &pixels(number)?)?;
    file.set("/roman/sources", &sources(number)?)?;
    Ok(file)
}

/// The pixels: the background, a ramp and one missing value.
fn pixels(number: u32) -> Result<NdArray> {
    let background = f64::from(number % 100) / 100.0;
    let mut pixels: Vec<f32> = Vec::new();
    for pixel in 0..SIZE * SIZE {
        #[allow(clippy::cast_possible_truncation, reason = "a small number")]
        pixels.push((background + f64::from(pixel % SIZE) / 64.0) as f32);
    }
    if let Some(pixel) = pixels.get_mut(number as usize % 1024) {
        *pixel = f32::NAN;
    }
    NdArray::new(&[SIZE.into(), SIZE.into()], &pixels)
}

/// A table of up to five sources.
fn sources(number: u32) -> Result<Table> {
    let count = 1 + number % 5;
    let ids: Vec<i32> = (0..count).filter_map(|source| i32::try_from(number * 10 + source).ok()).collect();
    let fluxes: Vec<f64> = (0..count).map(|source| f64::from(number % 13 + source) * 1.5).collect();
    let shape = [count.into()];
    let id = Column::from_array("id", NdArray::new(&shape, &ids)?)?;
    let flux = Column::from_array("flux", NdArray::new(&shape, &fluxes)?)?.with_unit("nJy")?;
    Table::from_columns([id, flux])
}

/// The world coordinates of an image with a centre in degrees. A pixel has 1.44 arcseconds.
fn wcs(ra: f64, dec: f64) -> String {
    format!(
        "      name: image
      pixel_shape: [32, 32]
      steps:
      - !<tag:stsci.edu:gwcs/step-1.3.0>
        frame: !<tag:stsci.edu:gwcs/frame2d-1.2.0>
          name: detector
          axes_names: [x, y]
          axes_order: [0, 1]
          axis_physical_types: ['custom:x', 'custom:y']
          unit: [!unit/unit-1.0.0 pixel, !unit/unit-1.0.0 pixel]
        transform: !transform/compose-1.4.0
          bounding_box: !transform/property/bounding_box-1.2.0
            ignore: []
            intervals: {{x: [-0.5, 31.5], y: [-0.5, 31.5]}}
            order: F
          forward:
          - !transform/compose-1.4.0
            forward:
            - !transform/concatenate-1.4.0
              forward:
              - !transform/shift-1.4.0 {{inputs: [x], offset: -15.5, outputs: [x]}}
              - !transform/shift-1.4.0 {{inputs: [y], offset: -15.5, outputs: [y]}}
              inputs: [x, y]
              outputs: [x, y]
            - !transform/compose-1.4.0
              forward:
              - !transform/affine-1.5.0
                inputs: [x, y]
                matrix: !core/ndarray-1.1.0 [[-0.0004, 0.0], [0.0, 0.0004]]
                outputs: [x, y]
                translation: !core/ndarray-1.1.0 [0.0, 0.0]
              - !transform/gnomonic-1.4.0 {{direction: pix2sky, inputs: [x, y], outputs: [phi, theta]}}
              inputs: [x, y]
              outputs: [phi, theta]
            inputs: [x, y]
            outputs: [phi, theta]
          - !transform/rotate3d-1.5.0
            direction: native2celestial
            inputs: [phi_N, theta_N]
            outputs: [alpha_C, delta_C]
            phi: {ra:?}
            psi: 180.0
            theta: {dec:?}
          inputs: [x, y]
          outputs: [alpha_C, delta_C]
      - !<tag:stsci.edu:gwcs/step-1.3.0>
        frame: !<tag:stsci.edu:gwcs/celestial_frame-1.2.0>
          name: world
          axes_names: [ra, dec]
          axes_order: [0, 1]
          axis_physical_types: [pos.eq.ra, pos.eq.dec]
          reference_frame: !<tag:astropy.org:astropy/coordinates/frames/icrs-1.1.0> {{frame_attributes: {{}}}}
          unit: [!unit/unit-1.0.0 deg, !unit/unit-1.0.0 deg]
        transform: null
"
    )
}

#[allow(dead_code, reason = "the tests include this file as a module")]
fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (folder, count) = (arguments.next(), arguments.next().and_then(|count| count.parse().ok()));
    let (Some(folder), Some(count)) = (folder, count) else {
        return Err(Error::usage("expected a folder and a number of files"));
    };
    std::fs::create_dir_all(&folder).map_err(|error| Error::io("creating", error).at_file(&folder))?;
    make(Path::new(&folder), count)
}
