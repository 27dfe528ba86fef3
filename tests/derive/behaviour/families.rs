//! Derived types for tag families of the standard, astropy and RAD whose types people write by hand. The types have the
//! number of lines that the guide of asdf-schemas states, and can read and write the values of these tags.

#![allow(clippy::large_enum_variant, reason = "shown as people write them first")]

use std::collections::BTreeMap;
use std::fmt::Debug;

use asdf_core::value::Extra;
use asdf_core::{Asdf, File, FromNode, NdArray, Node, ToNode};

use super::{from_text, refused};

// family: core/integer
#[derive(Debug, PartialEq, Asdf)]
#[asdf(tag = "tag:stsci.edu:asdf/core/integer-1.1.0", accepts = ["tag:stsci.edu:asdf/core/integer-*"])]
struct Integer {
    words: NdArray,
    sign: Sign,
    string: Option<String>,
}
#[derive(Debug, PartialEq, Asdf)]
enum Sign {
    #[asdf(rename = "+")]
    Plus,
    #[asdf(rename = "-")]
    Minus,
}

// family: core/externalarray
#[derive(Debug, PartialEq, Asdf)]
#[asdf(tag = "tag:stsci.edu:asdf/core/externalarray-1.0.0")]
struct ExternalArray {
    fileuri: String,
    target: Node,
    datatype: String,
    shape: Vec<u64>,
}

// family: core/constant
#[derive(Debug, PartialEq, Asdf)]
#[asdf(tag = "tag:stsci.edu:asdf/core/constant-1.0.0")]
struct Constant(Node);

// family: core/software
#[derive(Debug, PartialEq, Asdf)]
#[asdf(tag = "tag:stsci.edu:asdf/core/software-1.0.0")]
struct Software {
    name: String,
    version: String,
    #[asdf(extra)]
    extra: Extra,
}

// family: core/column
#[derive(Debug, PartialEq, Asdf)]
#[asdf(tag = "tag:stsci.edu:asdf/core/column-1.0.0", accepts = ["tag:stsci.edu:asdf/core/column-*"])]
struct Column {
    data: NdArray,
    name: String,
    description: Option<String>,
    unit: Option<Unit>,
    meta: Option<BTreeMap<String, Node>>,
}

// family: core/table
#[derive(Debug, PartialEq, Asdf)]
#[asdf(tag = "tag:stsci.edu:asdf/core/table-1.0.0", accepts = ["tag:stsci.edu:asdf/core/table-*"])]
struct Table {
    columns: Vec<Column>,
    meta: Option<BTreeMap<String, Node>>,
}

// family: unit/unit
#[derive(Debug, PartialEq, Asdf)]
#[asdf(tag = "tag:stsci.edu:asdf/unit/unit-1.0.0")]
struct Unit(String);

// family: unit/quantity
#[derive(Debug, PartialEq, Asdf)]
#[asdf(tag = "tag:stsci.edu:asdf/unit/quantity-1.1.0", accepts = ["tag:stsci.edu:asdf/unit/quantity-*"])]
struct Quantity {
    value: QuantityValue,
    unit: Unit,
    datatype: Option<String>,
}
#[derive(Debug, PartialEq, Asdf)]
enum QuantityValue {
    Number(f64),
    Array(NdArray),
}

// family: time/time
#[derive(Debug, PartialEq, Asdf)]
#[asdf(tag = "tag:stsci.edu:asdf/time/time-1.1.0")]
enum Time {
    Text(String),
    Array(NdArray),
    Full {
        value: Node,
        format: Option<String>,
        base_format: Option<String>,
        scale: Option<String>,
        location: Option<Location>,
    },
}
#[derive(Debug, PartialEq, Asdf)]
struct Location {
    x: Quantity,
    y: Quantity,
    z: Quantity,
}

// family: fits/fits
#[derive(Debug, PartialEq, Asdf)]
#[asdf(tag = "tag:stsci.edu:asdf/fits/fits-1.0.0", accepts = ["tag:stsci.edu:asdf/fits/fits-*"])]
struct Fits(Vec<Hdu>);
#[derive(Debug, PartialEq, Asdf)]
struct Hdu {
    header: Vec<Vec<Node>>,
    data: Option<Data>,
}
#[derive(Debug, PartialEq, Asdf)]
enum Data {
    Image(NdArray),
    Table(Table),
}

// family: astropy/earthlocation
#[derive(Debug, PartialEq, Asdf)]
#[asdf(tag = "tag:astropy.org:astropy/coordinates/earthlocation-1.0.0")]
struct EarthLocation {
    x: Quantity,
    y: Quantity,
    z: Quantity,
    ellipsoid: Option<String>,
}

// family: astropy/longitude
#[derive(Debug, PartialEq, Asdf)]
#[asdf(tag = "tag:astropy.org:astropy/coordinates/longitude-1.0.0")]
struct Longitude {
    value: QuantityValue,
    unit: Unit,
    datatype: Option<String>,
    wrap_angle: Angle,
}

// family: astropy/angle
#[derive(Debug, PartialEq, Asdf)]
#[asdf(tag = "tag:astropy.org:astropy/coordinates/angle-1.0.0")]
struct Angle {
    value: QuantityValue,
    unit: Unit,
    datatype: Option<String>,
}

// family: astropy/spectralcoord
#[derive(Debug, PartialEq, Asdf)]
#[asdf(tag = "tag:astropy.org:astropy/coordinates/spectralcoord-1.0.0")]
struct SpectralCoord {
    value: QuantityValue,
    unit: Unit,
    observer: Option<Node>,
    target: Option<Node>,
}

// family: astropy/equivalency
#[derive(Debug, PartialEq, Asdf)]
#[asdf(tag = "tag:astropy.org:astropy/units/equivalency-1.0.0")]
struct Equivalency(Vec<Equivalent>);
#[derive(Debug, PartialEq, Asdf)]
struct Equivalent {
    name: String,
    kwargs_names: Vec<String>,
    kwargs_values: Vec<Node>,
}

// family: astropy/uncertainty
#[derive(Debug, PartialEq, Asdf)]
#[asdf(tag = "tag:astropy.org:astropy/nddata/uncertainty-1.0.0")]
struct Uncertainty {
    name: UncertaintyName,
    array: NdArray,
    unit: Option<Unit>,
}
#[derive(Debug, PartialEq, Asdf)]
enum UncertaintyName {
    #[asdf(rename = "stddev")]
    StdDev,
    #[asdf(rename = "unknown")]
    Unknown,
    #[asdf(rename = "variance")]
    Variance,
}

// family: astropy/slicedwcs
#[derive(Debug, PartialEq, Asdf)]
#[asdf(tag = "tag:astropy.org:astropy/wcs/slicedwcs-1.0.0")]
struct SlicedWcs {
    wcs: Node,
    slices_array: Vec<Slice>,
}
#[derive(Debug, PartialEq, Asdf)]
enum Slice {
    At(i64),
    Range { start: Option<i64>, stop: Option<i64>, step: Option<i64> },
}

// family: rad/l2_cal_step
/// How far each step of the calibration of an exposure came.
#[derive(Debug, PartialEq, Asdf)]
struct L2CalStep {
    /// Is the image tied to coordinates on the sky?
    assign_wcs: CalStep,
    /// Are differences between pixels taken out?
    flat_field: CalStep,
    /// Is the dark current taken away?
    dark: CalStep,
    /// Are known bad pixels marked?
    dq_init: CalStep,
    /// Is the scale that of fluxes?
    flux: CalStep,
    /// Is the response made linear?
    linearity: CalStep,
    /// Is the factor to physical units known?
    photom: CalStep,
    /// Is there a catalog of sources?
    source_catalog: CalStep,
    /// Are the slopes of the ramps fitted?
    ramp_fit: CalStep,
    /// Are reference pixels taken into account?
    refpix: CalStep,
    /// Are saturated pixels marked?
    saturation: CalStep,
    /// Are outliers marked?
    outlier_detection: CalStep,
    /// Are coordinates corrected by stars?
    tweakreg: CalStep,
    /// Are backgrounds made alike?
    skymatch: CalStep,
    #[asdf(extra)]
    extra: Extra,
}
#[derive(Debug, PartialEq, Asdf)]
enum CalStep {
    #[asdf(rename = "INCOMPLETE")]
    Incomplete,
    #[asdf(rename = "N/A")]
    NotApplicable,
    #[asdf(rename = "COMPLETE")]
    Complete,
    #[asdf(rename = "FAILED")]
    Failed,
    #[asdf(rename = "SKIPPED")]
    Skipped,
}

// family: rad/coordinates
/// What positions refer to.
#[derive(Debug, PartialEq, Asdf)]
#[asdf(notes = [
    ("reference_frame", "archive_catalog/datatype", "nvarchar(10)"),
    ("reference_frame", "archive_catalog/destination", "WFIExposure.reference_frame"),
])]
struct Coordinates {
    /// The frame of the coordinates on the sky.
    #[asdf(default = ReferenceFrame::Icrs)]
    reference_frame: ReferenceFrame,
}
#[derive(Debug, PartialEq, Asdf)]
enum ReferenceFrame {
    #[asdf(rename = "ICRS")]
    Icrs,
}

// family: rad/cal_logs
/// The messages of the calibration, in their order.
#[derive(Debug, PartialEq, Asdf)]
#[asdf(tag = "asdf://stsci.edu/datamodels/roman/tags/cal_logs-1.0.0")]
struct CalLogs(Vec<String>);

// family: rad/statistics
/// What the pixels of an image are like, taken together.
#[derive(Debug, PartialEq, Asdf)]
#[asdf(notes = [
    ("zodiacal_light", "archive_catalog/destination", "WFIExposure.zodiacal_light"),
    ("image_median", "archive_catalog/destination", "WFIExposure.image_median"),
    ("image_rms", "archive_catalog/destination", "WFIExposure.image_rms"),
    ("good_pixel_fraction", "archive_catalog/destination", "WFIExposure.good_pixel_fraction"),
])]
struct Statistics {
    /// An estimate of the zodiacal light over the image, in MJy/sr.
    zodiacal_light: f64,
    /// The median of the image, in DN/s.
    image_median: f64,
    /// The mean absolute deviation of the image, in DN/s.
    image_rms: f64,
    /// Which part of the pixels may be used.
    good_pixel_fraction: f64,
}
// end

/// Reads a text as a type, writes the value to a file, and reads it back.
fn same<T: FromNode + ToNode + Debug + PartialEq>(text: &str) {
    let value: T = from_text(text);
    let mut file = File::new();
    file.set("/value", &value).expect("it can be written");
    let bytes = file.to_bytes().expect("the file can be written");
    assert_eq!(
        File::from_bytes(bytes).and_then(|file| file.get::<T>("/value")).expect("it can be read"),
        value
    );
}

#[test]
fn values_of_the_families_are_read_and_written() {
    let unit = "!<tag:stsci.edu:asdf/unit/unit-1.0.0> m";
    let column = format!(
        "!<tag:stsci.edu:asdf/core/column-1.0.0> {{name: a, data: [1.5, 2], unit: {unit}, meta: {{by: hand}}}}"
    );
    let quantity =
        |value: &str| format!("!<tag:stsci.edu:asdf/unit/quantity-1.1.0> {{value: {value}, unit: {unit}}}");
    let angle = |name: &str, more: &str| {
        format!(
            "!<tag:astropy.org:astropy/coordinates/{name}-1.0.0> {{value: 1.5, unit: {unit}, datatype: float64{more}}}"
        )
    };
    let place = format!("{{x: {}, y: {}, z: {}}}", quantity("1.5"), quantity("[1, 2]"), quantity("-0.5"));
    let time = |text: &str| format!("!<tag:stsci.edu:asdf/time/time-1.1.0> {text}");

    same::<Integer>(
        "!<tag:stsci.edu:asdf/core/integer-1.0.0> {words: [1, 2], sign: '-', string: '-8589934593'}",
    );
    same::<ExternalArray>(
        "!<tag:stsci.edu:asdf/core/externalarray-1.0.0> {fileuri: a.fits, target: 1, datatype: int16, shape: [2, 3]}",
    );
    same::<Constant>("!<tag:stsci.edu:asdf/core/constant-1.0.0> [a, {b: 1}]");
    same::<Software>("!<tag:stsci.edu:asdf/core/software-1.0.0> {name: asdf, version: 6.0.0, author: N. N.}");
    same::<Column>(&column);
    same::<Table>(&format!("!<tag:stsci.edu:asdf/core/table-1.1.0> {{columns: [{column}], meta: {{a: b}}}}"));
    same::<Quantity>(&quantity("[1.5, 2]"));
    same::<Time>(&time("'2026-11-22T00:00:00'"));
    same::<Time>(&time(&format!("{{value: 2461000.5, format: jd, scale: tai, location: {place}}}")));
    same::<Fits>(&format!(
        "!<tag:stsci.edu:asdf/fits/fits-1.1.0> [{{header: [[SIMPLE, true], [], [END, '', none]]}}, \
         {{header: [], data: [[1, 2], [3, 4]]}}, \
         {{header: [], data: !<tag:stsci.edu:asdf/core/table-1.0.0> {{columns: [{column}]}}}}]"
    ));
    same::<EarthLocation>(&format!(
        "!<tag:astropy.org:astropy/coordinates/earthlocation-1.0.0> {}, ellipsoid: WGS84}}",
        place.strip_suffix('}').expect("it is a mapping")
    ));
    same::<Longitude>(&angle("longitude", &format!(", wrap_angle: {}", angle("angle", ""))));
    same::<SpectralCoord>(&format!(
        "!<tag:astropy.org:astropy/coordinates/spectralcoord-1.0.0> {{value: [1, 2], unit: {unit}, target: {{ra: 1}}}}"
    ));
    same::<Equivalency>(
        "!<tag:astropy.org:astropy/units/equivalency-1.0.0> [{name: a, kwargs_names: [b], kwargs_values: [1.5]}]",
    );
    same::<Uncertainty>(&format!(
        "!<tag:astropy.org:astropy/nddata/uncertainty-1.0.0> {{name: stddev, array: [1, 2], unit: {unit}}}"
    ));
    same::<SlicedWcs>(
        "!<tag:astropy.org:astropy/wcs/slicedwcs-1.0.0> {wcs: {a: 1}, slices_array: [3, {start: 1, stop: null, step: 2}]}",
    );
    let steps = [
        "assign_wcs",
        "flat_field",
        "dark",
        "dq_init",
        "flux",
        "linearity",
        "photom",
        "source_catalog",
        "ramp_fit",
        "refpix",
        "saturation",
        "outlier_detection",
        "tweakreg",
        "skymatch",
    ];
    same::<L2CalStep>(&format!("{{{}: N/A, of_a_later_version: COMPLETE}}", steps.join(": COMPLETE, ")));
    same::<Coordinates>("{reference_frame: ICRS}");
    same::<CalLogs>("!<asdf://stsci.edu/datamodels/roman/tags/cal_logs-1.0.0> [first, second]");
    same::<Statistics>("{zodiacal_light: 0.5, image_median: 1, image_rms: 0.1, good_pixel_fraction: 0.99}");
}

#[test]
fn values_that_the_families_do_not_allow_are_refused() {
    assert_eq!(
        refused::<Uncertainty>("!<tag:astropy.org:astropy/nddata/uncertainty-1.0.0> {name: rms, array: [1]}"),
        "line 1, column 60: /name: found the string 'rms', expected 'stddev', 'unknown' or 'variance' for \
         `UncertaintyName`"
    );
}

/// Counts the lines of code of each family, without blank lines and comments. For RAD, documentation counts, since it
/// becomes that of the schema.
fn lines() -> BTreeMap<&'static str, usize> {
    let mut lines = BTreeMap::new();
    let mut family = None;
    for line in include_str!("families.rs").lines().map(str::trim) {
        if let Some(name) = line.strip_prefix("// family: ") {
            family = Some(name);
        } else if line == "// end" {
            break;
        } else if let Some(name) = family.filter(|_| !line.is_empty()) {
            *lines.entry(name).or_insert(0) += 1;
        }
    }
    lines
}

#[test]
fn the_guide_counts_their_lines() {
    let guide = include_str!("../../../asdf-schemas/src/guide.md");
    let rows = guide.lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| `")?.split(" | ");
        let name = cells.next()?.strip_suffix('`')?;
        let ours: usize = cells.next()?.parse().ok()?;
        let theirs: usize = cells.next()?.split(' ').next()?.parse().ok()?;
        Some((name, (ours, theirs)))
    });
    let rows: BTreeMap<&str, (usize, usize)> = rows.collect();
    let counted = lines();
    assert_eq!(rows.iter().map(|(name, (ours, _))| (*name, *ours)).collect::<BTreeMap<_, _>>(), counted);
    assert!(rows.values().all(|(ours, theirs)| ours < theirs), "{rows:?}");
}
