//! Opening world coordinate systems, their frames, and what they compute.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use asdf_core::File;
use asdf_gwcs::{Bounding, FrameKind, Inverse, Wcs};

const HEAD: &str = "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n%TAG !g! tag:stsci.edu:gwcs/\n--- !core/asdf-1.1.0\n";

fn file(tree: &str) -> File {
    File::from_bytes(format!("{HEAD}{tree}...\n").into_bytes()).unwrap()
}

fn field() -> Wcs {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/files/field.asdf");
    Wcs::only(&File::open(path).unwrap()).unwrap()
}

/// A system with one step, from a frame to a frame.
fn one_step(from: &str, transform: &str, to: &str) -> File {
    file(&format!(
        "wcs: !g!wcs-1.4.0\n  name: ''\n  steps:\n  - !g!step-1.3.0\n    frame: {from}\n    transform: {transform}\n  - !g!step-1.3.0\n    frame: {to}\n    transform: null\n"
    ))
}

fn near(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() <= tolerance, "{found} instead of {expected}");
    }
}

/// The numbers are those of gwcs 1.0.3.
#[test]
fn pixels_become_positions_and_back() {
    let wcs = field();
    near(
        &wcs.pixel_to_world(&[99.5, 49.5]).unwrap(),
        &[10.684_700_000_000_003, 41.268_800_000_000_006],
        1e-13,
    );
    near(&wcs.pixel_to_world(&[0.0, 0.0]).unwrap(), &[10.710_513_140_669_793, 41.257_902_117_537_775], 1e-13);
    near(&wcs.pixel_to_world(&[199.0, 99.0]).unwrap(), &[10.658_878_242_981_801, 41.279_692_115_063], 1e-13);
    assert!(wcs.pixel_to_world(&[-0.6, 0.0]).unwrap().iter().all(|value| value.is_nan()));
    for inverse in [Inverse::Stored, Inverse::Exact] {
        near(
            &wcs.world_to_pixel(&[10.69, 41.27], inverse).unwrap(),
            &[79.931_297_540_043_32, 56.479_042_765_493_4],
            1e-9,
        );
    }
    assert!(wcs.pixel_to_world(&[1.0]).is_err());
}

#[test]
fn corners_are_those_of_gwcs() {
    let corners = field().footprint().unwrap();
    let expected = [
        [10.710_639_470_928_239, 41.257_797_089_258_96],
        [10.711_978_054_557_797, 41.277_796_780_577_28],
        [10.658_751_787_094_637, 41.279_797_086_733_31],
        [10.657_429_464_764_963, 41.259_796_782_764_73],
    ];
    assert_eq!(corners.len(), 4);
    corners.iter().zip(&expected).for_each(|(found, expected)| near(found, expected, 1e-13));
}

#[test]
fn edges_belong_to_the_image() {
    let wcs = field();
    let corner = &wcs.footprint().unwrap()[0];
    assert!(wcs.contains(corner[0], corner[1]).unwrap());
    assert!(wcs.contains(10.69, 41.27).unwrap());
    assert!(!wcs.contains(10.75, 41.27).unwrap());
    assert!(!wcs.contains(190.69, -41.27).unwrap());
    assert!(!wcs.contains(f64::NAN, 41.27).unwrap());
    let outside = [10.75, 41.27];
    assert!(wcs.world_to_pixel(&outside, Inverse::Exact).unwrap().iter().all(|value| value.is_nan()));
    let everywhere = wcs.inverse_with(Inverse::Exact, Bounding::None).unwrap();
    assert!(everywhere.values(&outside).unwrap().iter().all(|value| value.is_finite()));
}

#[test]
fn an_outline_has_points_along_the_edges() {
    let wcs = field();
    let outline = wcs.outline(10).unwrap();
    assert_eq!((outline.frame(), outline.vertices().len()), ("icrs", 40));
    let corners = wcs.footprint_outline().unwrap();
    assert_eq!(corners.vertices()[1], outline.vertices()[10]);
    assert!(corners.to_stcs().starts_with("POLYGON ICRS 10.71063947092"));
    assert!(wcs.outline(0).is_err());
}

#[test]
fn the_scale_is_in_arcseconds() {
    let size = (0.0002_f64.hypot(0.00001)) * 3600.0;
    near(&field().pixel_scale().unwrap(), &[size, size], 1e-9);
}

#[test]
fn a_grid_is_in_the_order_of_the_array() {
    let wcs = field();
    let blocks: Vec<_> = wcs.grid(&[0..3, 10..12]).unwrap().collect::<Result<_, _>>().unwrap();
    assert_eq!(blocks.len(), 1);
    let block = &blocks[0];
    assert_eq!((block.rows, block.width), (2, 3));
    assert_eq!(block.pixels, [[0.0, 1.0, 2.0, 0.0, 1.0, 2.0], [10.0, 10.0, 10.0, 11.0, 11.0, 11.0]]);
    let one = wcs.pixel_to_world(&[1.0, 11.0]).unwrap();
    assert_eq!([block.world[0][4], block.world[1][4]], [one[0], one[1]]);
    let rows: usize = wcs.grid(&[0..40_000, 0..7]).unwrap().map(|block| block.unwrap().rows).sum();
    assert_eq!(rows, 7);
    assert_eq!(wcs.grid(&[0..0, 0..7]).unwrap().count(), 0);
    #[expect(clippy::single_range_in_vec_init, reason = "a range is missing")]
    let one_range = [0..1];
    assert!(wcs.grid(&one_range).is_err());
    assert!(wcs.grid(&[i64::MIN..i64::MAX, 0..1]).is_err());
}

#[test]
fn transforms_between_named_frames() {
    let wcs = field();
    let names: Vec<&str> = wcs.steps().map(|step| step.frame().name()).collect();
    assert_eq!(names, ["detector", "focal", "world"]);
    let forward = wcs.transform("detector", "focal").unwrap();
    assert_eq!(forward.values(&[0.0, 0.0]).unwrap(), [-99.5, -49.5]);
    // The bounding box applies to pixels only.
    assert!(forward.values(&[-1.0, 0.0]).unwrap()[0].is_nan());
    assert_eq!(wcs.transform("focal", "detector").unwrap().values(&[-100.5, 0.0]).unwrap(), [-1.0, 49.5]);
    let message = |from: &str, to: &str| wcs.transform(from, to).unwrap_err().message().to_owned();
    assert_eq!(message("detector", "sky"), "no frame 'sky'; the frames are detector, focal, world");
    assert_eq!(message("focal", "focal"), "found the frame 'focal' twice, expected two frames");
}

#[test]
fn transforms_around_an_unknown_one_work() {
    let shift = "!transform/shift-1.2.0 {offset: 1.0, inputs: [x], outputs: [y]}";
    let file = file(&format!(
        "wcs: !g!wcs-1.0.0\n  name: ''\n  steps:\n  - !g!step-1.0.0 {{frame: a, transform: {shift}}}\n  - !g!step-1.0.0 {{frame: b, transform: !<tag:example.org:x/lens-1.0.0> {{inputs: [x], outputs: [y]}}}}\n  - !g!step-1.0.0 {{frame: c, transform: {shift}}}\n  - !g!step-1.0.0 {{frame: d}}\n"
    ));
    let wcs = Wcs::only(&file).unwrap();
    let unknown: Vec<_> = wcs.steps().flat_map(|step| step.unknown_transforms()).collect();
    assert_eq!(unknown, [("/wcs/steps/1/transform", "tag:example.org:x/lens-1.0.0")]);
    assert_eq!(wcs.transform("a", "b").unwrap().values(&[1.0]).unwrap(), [2.0]);
    assert_eq!(wcs.transform("d", "c").unwrap().values(&[1.0]).unwrap(), [0.0]);
    for error in [wcs.pixel_to_world(&[1.0]).unwrap_err(), wcs.transform("a", "c").unwrap_err()] {
        assert_eq!(error.path(), Some("/wcs/steps/1/transform"));
        assert!(error.message().contains("tag:example.org:x/lens-1.0.0"), "{error}");
    }
    assert!(wcs.transform("d", "a").is_err());
}

#[test]
fn axes_are_in_the_order_of_the_numbers() {
    let sky = "!g!celestial_frame-1.0.0 {name: sky, axes_names: [lon, lat], axes_order: [2, 0], reference_frame: !<tag:astropy.org:astropy/coordinates/frames/galactic-1.0.0> {frame_attributes: {}}, unit: [!unit/unit-1.0.0 deg, !unit/unit-1.0.0 rad]}";
    let spectral = "!g!spectral_frame-1.0.0 {name: wave, axes_order: [1], unit: [!unit/unit-1.0.0 um]}";
    let frame = format!("!g!composite_frame-1.0.0 {{name: cube, frames: [{sky}, {spectral}]}}");
    let file = one_step("detector", "!transform/identity-1.0.0 {n_dims: 3}", &frame);
    let wcs = Wcs::open(&file, "/wcs").unwrap();
    let frame = wcs.world_frame().unwrap();
    let names: Vec<&str> = frame.axes().iter().map(|axis| axis.name()).collect();
    let units: Vec<String> = frame.axes().iter().map(|axis| axis.unit().to_string()).collect();
    let types: Vec<&str> = frame.axes().iter().map(|axis| axis.physical_type()).collect();
    assert_eq!(names, ["lat", "", "lon"]);
    assert_eq!(units, ["rad", "um", "deg"]);
    assert_eq!(types, ["pos.galactic.lat", "em.wl", "pos.galactic.lon"]);
    assert_eq!(frame.sky_axes(), Some([2, 0]));
    assert_eq!(frame.axes_order(), [2, 0, 1]);
    assert_eq!(frame.sky_reference().unwrap().name(), "galactic");
    assert_eq!((frame.kind(), frame.parts().len()), (FrameKind::Composite, 2));
    assert_eq!(wcs.pixel_frame().unwrap().kind(), FrameKind::Named);
}

#[test]
fn frames_of_every_kind_have_defaults() {
    let axes = |frame: &str| {
        let file = one_step("detector", "!transform/identity-1.0.0 {}", frame);
        let wcs = Wcs::open(&file, "/wcs").unwrap();
        let texts = wcs.world_axes().iter().map(|axis| {
            format!("{}|{}|{}|{}", axis.name(), axis.unit(), axis.physical_type(), axis.axis_type())
        });
        let frame = wcs.world_frame().unwrap();
        let reference = frame.reference().map(|reference| reference.name().to_owned());
        (texts.collect::<Vec<_>>().join(" "), frame.kind(), reference)
    };
    for (frame, expected, kind, reference) in [
        (
            "!g!frame2d-1.0.0 {name: f}",
            "x|pixel|custom:x|SPATIAL y|pixel|custom:y|SPATIAL",
            FrameKind::Plane,
            None,
        ),
        (
            "!g!stokes_frame-1.0.0 {name: f, axes_order: [0]}",
            "stokes|1|phys.polarization.stokes|STOKES",
            FrameKind::Stokes,
            None,
        ),
        (
            "!g!temporal_frame-1.2.0 {name: f, axes_names: [t], reference_frame: !time/time-1.4.0 2010-01-01T00:00:00.000}",
            "t|s|time|TIME",
            FrameKind::Temporal,
            Some("2010-01-01T00:00:00.000"),
        ),
        (
            "!g!celestial_frame-1.2.0 {name: f, reference_frame: !<tag:astropy.org:astropy/coordinates/frames/fk5-1.0.0> {frame_attributes: {}}}",
            "lon|deg|pos.eq.ra|SPATIAL lat|deg|pos.eq.dec|SPATIAL",
            FrameKind::Celestial,
            Some("fk5"),
        ),
        (
            "!<tag:stsci.edu:asdf/wcs/celestial_frame-1.1.0> {name: f, reference_frame: {type: galactic}}",
            "lon|deg|pos.galactic.lon|SPATIAL lat|deg|pos.galactic.lat|SPATIAL",
            FrameKind::Celestial,
            Some("galactic"),
        ),
        (
            "!g!spectral_frame-1.0.0 {name: f, unit: [!unit/unit-1.0.0 Hz]}",
            "|Hz|em.freq|SPECTRAL",
            FrameKind::Spectral,
            None,
        ),
        (
            "!g!frame-1.2.0 {name: f, naxes: 1, axes_type: [PIXEL], axes_names: [null], unit: [!unit/unit-1.0.0 pixel]}",
            "|pixel|custom:PIXEL|PIXEL",
            FrameKind::Generic,
            None,
        ),
        ("!g!frame-1.0.0 {name: v2v3}", "", FrameKind::Generic, None),
        ("!<tag:example.org:frames/lab-1.0.0> {name: lab}", "", FrameKind::Other, None),
    ] {
        assert_eq!(axes(frame), (expected.to_owned(), kind, reference.map(str::to_owned)), "{frame}");
    }
}

#[test]
fn faults_have_a_path() {
    let shift = "!transform/shift-1.2.0 {offset: 1.0}";
    for (tree, path, message) in [
        ("wcs: !g!wcs-1.0.0 {name: ''}", "/wcs", "the wcs lacks `steps`"),
        ("wcs: !g!wcs-1.0.0 {name: '', steps: []}", "/wcs/steps", "expected a list of at least two steps"),
        ("wcs: 5", "/wcs", "found the integer 5, expected a world coordinate system (tag `gwcs/wcs`)"),
        (
            "wcs: !g!wcs-1.0.0 {name: '', steps: [{frame: a}, 5]}",
            "/wcs/steps/1",
            "found the integer 5, expected a step (tag `gwcs/step`)",
        ),
        (
            "wcs: !g!wcs-1.0.0 {name: '', steps: [{frame: a}, {transform: null}]}",
            "/wcs/steps/1",
            "the step lacks `frame`",
        ),
        (
            "wcs: !g!wcs-1.0.0 {name: '', steps: [{frame: a}, {frame: 3}]}",
            "/wcs/steps/1/frame",
            "found the integer 3, expected a frame or the name of one",
        ),
        (
            "wcs: !g!wcs-1.0.0 {name: '', steps: [{frame: a}, {frame: !g!frame2d-1.0.0 {name: f, unit: [!unit/unit-1.0.0 m]}}]}",
            "/wcs/steps/1/frame/unit",
            "found 1 items, expected 2, one for each axis",
        ),
        (
            "wcs: !g!wcs-1.0.0 {name: '', pixel_shape: [1.5], steps: [{frame: a}, {frame: b}]}",
            "/wcs/pixel_shape/0",
            "expected a number of pixels",
        ),
        (
            &format!(
                "wcs: !g!wcs-1.0.0 {{name: '', steps: [{{frame: a, transform: {shift}}}, {{frame: b, transform: {shift}}}]}}"
            ),
            "/wcs/steps/1/transform",
            "the last step has a transform",
        ),
        (
            "wcs: !g!wcs-1.0.0 {name: '', steps: [{frame: a}, {frame: !g!composite_frame-1.0.0 {name: c, frames: [!g!stokes_frame-1.0.0 {name: s}, !g!stokes_frame-1.0.0 {name: t}]}}]}",
            "/wcs/steps/1/frame/frames",
            "found the axes [0, 0] in `axes_order` of the parts",
        ),
        (
            &format!(
                "wcs: !g!wcs-1.0.0 {{name: '', steps: [{{frame: a, transform: !transform/compose-1.2.0 {{forward: [{shift}, !transform/shift-1.2.0 {{offset: x}}]}}}}, {{frame: b}}]}}"
            ),
            "/wcs/steps/0/transform/forward/1/offset",
            "expected",
        ),
    ] {
        let error = Wcs::open(&file(&format!("{tree}\n")), "/wcs").unwrap_err();
        assert_eq!(error.path(), Some(path), "{error}");
        assert!(error.message().contains(message), "{error}");
    }
    let error = Wcs::open(&file("a: 1\n"), "/wcs").unwrap_err();
    assert_eq!(error.path(), Some("/wcs"));
}

#[test]
fn systems_are_found_once() {
    let wcs =
        "!g!wcs-1.0.0 {name: '', steps: [{frame: a, transform: !transform/identity-1.0.0 {}}, {frame: b}]}";
    let found = file(&format!("a: &w {wcs}\nb: *w\nc: [{wcs}]\n"));
    assert_eq!(Wcs::find(&found), ["/a", "/c/0"]);
    assert!(Wcs::only(&found).unwrap_err().to_string().contains("name one by its path, such as /a or /c/0"));
    assert!(Wcs::only(&file("a: 1\n")).unwrap_err().message().contains("no world coordinate system"));
}
