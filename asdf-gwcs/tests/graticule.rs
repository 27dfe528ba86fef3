//! Lines of constant longitude and latitude, and compasses.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use asdf_core::File;
use asdf_gwcs::{Coordinate, Graticule, GraticuleLine, Wcs};

const FIELD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/files/field.asdf");
const DISTORTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/files/distorted.asdf");

/// The field of 200 x 100 pixels with changes to its text.
fn changed(changes: &[(&str, &str)]) -> Wcs {
    let mut text = std::fs::read_to_string(FIELD).unwrap();
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    Wcs::only(&File::from_bytes(text.into_bytes()).unwrap()).unwrap()
}

/// The field with its centre at this position in degrees.
fn field_at(longitude: &str, latitude: &str) -> Wcs {
    changed(&[
        ("phi: 10.6847", &format!("phi: {longitude}")),
        ("theta: 41.2688", &format!("theta: {latitude}")),
    ])
}

fn graticule(wcs: &Wcs) -> Graticule {
    wcs.graticule([-0.5, 199.5], [-0.5, 99.5]).unwrap()
}

fn of(graticule: &Graticule, coordinate: Coordinate) -> Vec<&GraticuleLine> {
    graticule.lines().iter().filter(|line| line.coordinate() == coordinate).collect()
}

fn labels(graticule: &Graticule, coordinate: Coordinate) -> Vec<&str> {
    of(graticule, coordinate).into_iter().map(GraticuleLine::label).collect()
}

/// Returns the difference of two angles from 0 to 180 degrees.
fn apart(a: f64, b: f64) -> f64 {
    ((a - b + 180.0).rem_euclid(360.0) - 180.0).abs()
}

/// Checks each vertex against the forward transform, and returns the number of vertices.
fn check(wcs: &Wcs, graticule: &Graticule) -> usize {
    let mut count = 0;
    for (place, coordinate) in [Coordinate::Longitude, Coordinate::Latitude].into_iter().enumerate() {
        let lines = of(graticule, coordinate);
        assert!((3..=9).contains(&lines.len()), "{} lines of {coordinate:?}", lines.len());
        let step = apart(lines[0].degrees(), lines[1].degrees());
        for line in lines {
            assert!(line.polylines().iter().all(|polyline| polyline.len() >= 2));
            for pixel in line.polylines().iter().flatten() {
                let found = wcs.pixel_to_world(pixel).unwrap()[place];
                let off = apart(found, line.degrees());
                assert!(off <= 1e-3 * step, "{} at {pixel:?}: {found}, {off} degrees off", line.label());
                count += 1;
            }
        }
    }
    count
}

#[test]
fn vertices_have_the_value_of_their_line() {
    let wcs = changed(&[]);
    let found = graticule(&wcs);
    assert_eq!(
        labels(&found, Coordinate::Longitude),
        ["00h42m38s", "00h42m40s", "00h42m42s", "00h42m44s", "00h42m46s", "00h42m48s", "00h42m50s"]
    );
    assert_eq!(
        labels(&found, Coordinate::Latitude),
        [
            "+41d15m30s",
            "+41d15m40s",
            "+41d15m50s",
            "+41d16m",
            "+41d16m10s",
            "+41d16m20s",
            "+41d16m30s",
            "+41d16m40s"
        ]
    );
    assert_eq!(found.spacing(Coordinate::Longitude), Some("00h00m02s"));
    assert_eq!(found.spacing(Coordinate::Latitude), Some("00d00m10s"));
    assert!(check(&wcs, &found) > 500);
    // A line crosses the whole image.
    let middle = of(&found, Coordinate::Longitude)[3].polylines();
    assert_eq!(middle.len(), 1);
    let ends = [middle[0][0][1], middle[0][middle[0].len() - 1][1]];
    assert_eq!((ends[0].min(ends[1]), ends[0].max(ends[1])), (-0.5, 99.5));
}

#[test]
fn lines_follow_a_distortion() {
    let wcs = Wcs::only(&File::open(DISTORTED).unwrap()).unwrap();
    let shape = wcs.pixel_shape().unwrap();
    let edge = |axis: usize| [-0.5, f64::from(u32::try_from(shape[axis]).unwrap()) - 0.5];
    assert!(check(&wcs, &wcs.graticule(edge(0), edge(1)).unwrap()) > 500);
}

#[test]
fn right_ascensions_around_zero() {
    let wcs = field_at("0.0", "10.0");
    let found = graticule(&wcs);
    let labels = labels(&found, Coordinate::Longitude);
    assert!(
        labels.contains(&"23h59m58s") && labels.contains(&"00h") && labels.contains(&"00h00m02s"),
        "{labels:?}"
    );
    check(&wcs, &found);
}

#[test]
fn a_pole_has_meridians_and_circles() {
    for latitude in ["90.0", "-90.0"] {
        let wcs = field_at("30.0", latitude);
        let found = graticule(&wcs);
        assert_eq!(labels(&found, Coordinate::Longitude).len(), 8);
        check(&wcs, &found);
        let circles = of(&found, Coordinate::Latitude);
        let inner = circles.iter().max_by(|a, b| a.degrees().abs().total_cmp(&b.degrees().abs())).unwrap();
        let circle = &inner.polylines()[0];
        assert_eq!((inner.polylines().len(), circle.first()), (1, circle.last()));
        // Meridians end next to the pole, which is at the centre of the image.
        for line in of(&found, Coordinate::Longitude) {
            let distances = line.polylines().iter().flatten().map(|[x, y]| (x - 99.5).hypot(y - 49.5));
            let nearest = distances.fold(f64::INFINITY, f64::min);
            assert!(nearest < 6.0, "{} begins {nearest} pixels from the pole", line.label());
        }
    }
}

#[test]
fn longitudes_that_are_no_right_ascensions_are_degrees() {
    let galactic =
        [("coordinates/frames/icrs", "coordinates/frames/galactic"), ("pos.eq.ra", "pos.galactic.lon")];
    let found = graticule(&changed(&galactic));
    assert_eq!(labels(&found, Coordinate::Longitude)[0], "10d39m30s");
}

#[test]
fn parts_of_an_image_have_finer_lines() {
    let wcs = changed(&[]);
    let found = wcs.graticule([10.0, 20.0], [30.0, 40.0]).unwrap();
    assert_eq!(found.spacing(Coordinate::Latitude), Some("00d00m01s"));
    check(&wcs, &found);
    let inside = |[x, y]: &[f64; 2]| (10.0..=20.0).contains(x) && (30.0..=40.0).contains(y);
    assert!(found.lines().iter().flat_map(GraticuleLine::polylines).flatten().all(inside));
}

#[test]
fn rectangles_without_an_area_are_errors() {
    let error = changed(&[]).graticule([0.0, 0.0], [0.0, 1.0]).unwrap_err();
    assert_eq!(error.path(), Some("/meta/wcs"));
    assert!(changed(&[]).graticule([0.0, f64::NAN], [0.0, 1.0]).is_err());
}

/// Compares a compass with positions a small step away.
fn check_compass(wcs: &Wcs, pixel: [f64; 2]) {
    let compass = wcs.compass(pixel).unwrap();
    let position = |direction: [f64; 2], length: f64| {
        let pixel = [pixel[0] + length * direction[0], pixel[1] + length * direction[1]];
        wcs.pixel_to_world(&pixel).unwrap()
    };
    let change = |direction: [f64; 2]| {
        let (before, after) = (position(direction, -1e-2), position(direction, 1e-2));
        let turn = (after[0] - before[0] + 180.0).rem_euclid(360.0) - 180.0;
        [turn * before[1].to_radians().cos(), after[1] - before[1]]
    };
    let [along, up] = change(compass.north);
    assert!(up > 0.0 && along.abs() < 1e-3 * up, "north at {pixel:?}: {along} {up}");
    let [along, up] = change(compass.east);
    assert!(along > 0.0 && up.abs() < 1e-3 * along, "east at {pixel:?}: {along} {up}");
    for [x, y] in [compass.north, compass.east] {
        assert!((x.hypot(y) - 1.0).abs() < 1e-12);
    }
}

#[test]
fn compasses_point_where_coordinates_grow() {
    check_compass(&changed(&[]), [99.5, 49.5]);
    check_compass(&changed(&[]), [3.0, 90.0]);
    check_compass(&field_at("0.0", "10.0"), [99.5, 20.0]);
    check_compass(&field_at("30.0", "90.0"), [80.0, 60.0]);
    check_compass(&field_at("30.0", "-89.999"), [120.0, 60.0]);
    check_compass(&Wcs::only(&File::open(DISTORTED).unwrap()).unwrap(), [10.0, 10.0]);
    // In this image north is up and east is to the left, both almost.
    let compass = changed(&[]).compass([99.5, 49.5]).unwrap();
    assert!(compass.north[1] > 0.99 && compass.east[0] < -0.99, "{compass:?}");
    let solar = changed(&[(
        "astropy.org:astropy/coordinates/frames/icrs",
        "sunpy.org:sunpy/coordinates/frames/helioprojective",
    )]);
    let turned = solar.compass([99.5, 49.5]).unwrap();
    assert_eq!((turned.north, turned.east), (compass.north, compass.east.map(|part| -part)));
    assert!(changed(&[]).compass([f64::NAN, 0.0]).is_err());
}

/// A cube whose third pixel axis is a wavelength, with its pixel axes in this order.
fn cube(mapping: &str) -> Wcs {
    let head = "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n%TAG !g! tag:stsci.edu:gwcs/\n--- !core/asdf-1.1.0\n";
    let scale = "!transform/scale-1.4.0 {factor: 0.001, inputs: [x], outputs: [y]}";
    let two = format!(
        "!transform/concatenate-1.4.0 {{forward: [{scale}, {scale}], inputs: [a, b], outputs: [a, b]}}"
    );
    let three = format!(
        "!transform/concatenate-1.4.0 {{forward: [{two}, {scale}], inputs: [a, b, c], outputs: [a, b, c]}}"
    );
    let remap =
        format!("!transform/remap_axes-1.5.0 {{mapping: {mapping}, inputs: [a, b, c], outputs: [a, b, c]}}");
    let transform = format!(
        "!transform/compose-1.4.0 {{forward: [{remap}, {three}], inputs: [a, b, c], outputs: [a, b, c]}}"
    );
    let sky = "!g!celestial_frame-1.2.0 {name: sky, axes_order: [0, 1], reference_frame: !<tag:astropy.org:astropy/coordinates/frames/icrs-1.1.0> {frame_attributes: {}}, unit: [!unit/unit-1.0.0 deg, !unit/unit-1.0.0 deg]}";
    let wave = "!g!spectral_frame-1.2.0 {name: wave, axes_order: [2], unit: [!unit/unit-1.0.0 um]}";
    let text = format!(
        "{head}wcs: !g!wcs-1.4.0\n  name: ''\n  pixel_shape: [50, 40, 30]\n  steps:\n  - !g!step-1.3.0\n    frame: pixels\n    transform: {transform}\n  - !g!step-1.3.0\n    frame: !g!composite_frame-1.2.0 {{name: world, frames: [{sky}, {wave}]}}\n    transform: null\n...\n"
    );
    Wcs::only(&File::from_bytes(text.into_bytes()).unwrap()).unwrap()
}

#[test]
fn other_axes_of_a_cube_are_fixed() {
    let found = cube("[0, 1, 2]").graticule([-0.5, 49.5], [-0.5, 39.5]).unwrap();
    let line = of(&found, Coordinate::Latitude)[2];
    assert!(line.polylines()[0].iter().all(|[_, y]| (y - line.degrees() * 1000.0).abs() < 0.01));
    let [x, y] = cube("[0, 1, 2]").compass([10.0, 20.0]).unwrap().north;
    assert!(x.abs() < 1e-9 && (y - 1.0).abs() < 1e-9, "{x} {y}");
    let error = cube("[2, 1, 0]").graticule([-0.5, 49.5], [-0.5, 39.5]).unwrap_err();
    assert_eq!(error.path(), Some("/wcs"));
    assert!(error.message().contains("pixel axes 1 and 2"), "{error}");
}
