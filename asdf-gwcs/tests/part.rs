//! Parts of images, and their keywords of FITS.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use asdf_core::File;
use asdf_gwcs::{Inverse, KeywordValue, SipHeader, SipOptions, Wcs};

const ICRS: &str = "!<tag:astropy.org:astropy/coordinates/frames/icrs-1.1.0> {frame_attributes: {}}";

/// A file with a wcs whose first transform is `transform`, from pixels to degrees.
fn file(transform: &str, shape: &str) -> File {
    in_frame(transform, shape, ICRS)
}

/// The same with another reference frame.
fn in_frame(transform: &str, shape: &str, frame: &str) -> File {
    let text = format!(
        "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0
wcs: !<tag:stsci.edu:gwcs/wcs-1.4.0>
  name: ''
  pixel_shape: {shape}
  steps:
  - !<tag:stsci.edu:gwcs/step-1.3.0>
    frame: !<tag:stsci.edu:gwcs/frame2d-1.2.0>
      axes_names: [x, y]
      axes_order: [0, 1]
      name: detector
      unit: [!unit/unit-1.0.0 pixel, !unit/unit-1.0.0 pixel]
    transform: {transform}
  - !<tag:stsci.edu:gwcs/step-1.3.0>
    frame: !<tag:stsci.edu:gwcs/celestial_frame-1.2.0>
      axes_names: [lon, lat]
      axes_order: [0, 1]
      name: world
      reference_frame: {frame}
      unit: [!unit/unit-1.0.0 deg, !unit/unit-1.0.0 deg]
    transform: null
...\n"
    );
    File::from_bytes(text.into_bytes()).unwrap()
}

const BOX: &str = "bounding_box: !transform/property/bounding_box-1.2.0 {ignore: [], \
                   intervals: {x: [-0.5, 99.5], y: [-0.5, 49.5]}, order: F}";

/// A gnomonic projection whose tangent point is far outside of the image.
fn gnomonic() -> File {
    file(
        &format!(
            "!<tag:stsci.edu:gwcs/fitswcs_imaging-1.1.0> {{crpix: [-4000.5, 9000.25], crval: [359.995, -45.5], \
             cdelt: [-1.0e-4, 1.0e-4], pc: [[0.8, 0.6], [-0.6, 0.8]], \
             projection: !transform/gnomonic-1.4.0 {{direction: pix2sky}}, inputs: [x, y], outputs: [lon, lat], {BOX}}}"
        ),
        "[100, 50]",
    )
}

/// A gnomonic projection of an image with a cubic distortion of about 0.1 pixels.
fn distorted() -> File {
    let polynomial = |linear: &str, cubic: &str| {
        format!(
            "!transform/polynomial-1.4.0 {{coefficients: [[0.0, {0}, 0.0, 0.0], [{1}, 0.0, 1.0e-6, 0.0], \
             [2.0e-6, 0.0, 0.0, 0.0], [{cubic}, 0.0, 0.0, 0.0]], inputs: [x, y], outputs: [z]}}",
            if linear == "x" { 0.001 } else { 1.0 },
            if linear == "x" { 1.0 } else { -0.002 },
        )
    };
    let (x, y) = (polynomial("x", "1.0e-7"), polynomial("y", "-2.0e-7"));
    let both = |left: &str, right: &str, inputs: &str, outputs: &str| {
        format!(
            "!transform/concatenate-1.4.0 {{forward: [{left}, {right}], inputs: {inputs}, outputs: {outputs}}}"
        )
    };
    let then = |first: &str, second: &str, outputs: &str, more: &str| {
        format!(
            "!transform/compose-1.4.0 {{forward: [{first}, {second}], inputs: [x, y], outputs: {outputs}{more}}}"
        )
    };
    let remap = "!transform/remap_axes-1.4.0 {mapping: [0, 1, 0, 1], inputs: [x, y], outputs: [a, b, c, d]}";
    let polynomials = both(&x, &y, "[a, b, c, d]", "[x, y]");
    let scale = "!transform/scale-1.4.0 {factor: 3.0e-5, inputs: [x], outputs: [y]}";
    let scales = both(scale, scale, "[x0, x1]", "[y0, y1]");
    let project = "!transform/gnomonic-1.4.0 {direction: pix2sky, inputs: [x, y], outputs: [phi, theta]}";
    let rotate = "!transform/rotate3d-1.5.0 {direction: native2celestial, phi: 0.01, theta: 60.0, psi: 180.0, \
                  inputs: [phi_N, theta_N], outputs: [alpha_C, delta_C]}";
    let chain = then(remap, &polynomials, "[x, y]", "");
    let chain = then(&chain, &scales, "[y0, y1]", "");
    let chain = then(&chain, project, "[phi, theta]", "");
    file(&then(&chain, rotate, "[alpha_C, delta_C]", &format!(", {BOX}")), "[100, 50]")
}

fn number(header: &SipHeader, name: &str) -> Option<f64> {
    let keyword = header.keywords().into_iter().find(|keyword| keyword.name == name)?;
    match keyword.value {
        KeywordValue::Float(value) => Some(value),
        KeywordValue::Int(value) => Some(value as f64),
        KeywordValue::Text(_) => None,
    }
}

fn text(header: &SipHeader, name: &str) -> Option<&'static str> {
    match header.keywords().into_iter().find(|keyword| keyword.name == name)?.value {
        KeywordValue::Text(text) => Some(text),
        _ => None,
    }
}

/// Evaluates the keywords: the position of a pixel that counts from 0.
fn evaluated(header: &SipHeader, [x, y]: [f64; 2]) -> [f64; 2] {
    let value = |name: &str| number(header, name).unwrap();
    let (u, v) = (x + 1.0 - value("CRPIX1"), y + 1.0 - value("CRPIX2"));
    let added = |letter: &str| {
        #[expect(clippy::cast_possible_truncation, reason = "orders are small")]
        let order = number(header, &format!("{letter}_ORDER")).unwrap_or(0.0) as i32;
        let terms = (0..=order).flat_map(|p| (0..=order - p).map(move |q| (p, q)));
        let term = |(p, q)| {
            number(header, &format!("{letter}_{p}_{q}")).unwrap_or(0.0) * f64::powi(u, p) * f64::powi(v, q)
        };
        terms.map(term).sum::<f64>()
    };
    let (u, v) = (u + added("A"), v + added("B"));
    let east = (value("CD1_1") * u + value("CD1_2") * v).to_radians();
    let north = (value("CD2_1") * u + value("CD2_2") * v).to_radians();
    let (sin, cos) = value("CRVAL2").to_radians().sin_cos();
    let toward = cos - north * sin;
    let longitude = value("CRVAL1") + east.atan2(toward).to_degrees();
    [longitude.rem_euclid(360.0), (sin + north * cos).atan2(east.hypot(toward)).to_degrees()]
}

fn separation([a, b]: [f64; 2], world: &[f64]) -> f64 {
    let longitude = (a - world[0] + 180.0).rem_euclid(360.0) - 180.0;
    (longitude * b.to_radians().cos()).hypot(b - world[1])
}

#[test]
fn a_gnomonic_projection_keeps_its_tangent_point_and_needs_no_distortion() {
    let wcs = Wcs::only(&gnomonic()).unwrap();
    let header = wcs.to_fits_sip(0.5).unwrap();
    assert_eq!((text(&header, "CTYPE1"), text(&header, "CTYPE2")), (Some("RA---TAN"), Some("DEC--TAN")));
    assert_eq!((text(&header, "RADESYS"), number(&header, "LONPOLE")), (Some("ICRS"), Some(180.0)));
    assert_eq!((number(&header, "CRVAL1"), number(&header, "CRVAL2")), (Some(359.995), Some(-45.5)));
    assert!((number(&header, "CRPIX1").unwrap() + 3999.5).abs() < 1e-4);
    assert!((number(&header, "CRPIX2").unwrap() - 9001.25).abs() < 1e-4);
    assert!((number(&header, "CD1_1").unwrap() + 0.8e-4).abs() < 1e-12);
    assert!((number(&header, "CD2_1").unwrap() + 0.6e-4).abs() < 1e-12);
    assert!(header.error() < 1e-7 && header.is_within() && header.degree() == 1);
    assert_eq!(number(&header, "A_ORDER"), None);
    let pixel = [99.0, 0.0];
    let world = wcs.pixel_to_world(&pixel).unwrap();
    assert!(separation(evaluated(&header, pixel), &world) < 1e-11);
}

#[test]
fn the_keywords_have_the_equinox_of_the_frame() {
    let header = |frame: &str| {
        let scale = "!transform/scale-1.2.0 {factor: 1.0e-4}";
        let transform = format!(
            "!transform/concatenate-1.2.0 {{{BOX}, forward: [{scale}, {scale}], inputs: [x, y], outputs: [lon, lat]}}"
        );
        Wcs::only(&in_frame(&transform, "[100, 50]", frame)).unwrap().to_fits_sip(0.5)
    };
    let tagged = |name: &str, attributes: &str| {
        header(&format!(
            "!<tag:astropy.org:astropy/coordinates/frames/{name}-1.2.0> {{frame_attributes: {{{attributes}}}}}"
        ))
    };
    let time = |text: &str| format!("equinox: !time/time-1.4.0 {text}");
    for (name, attributes, radesys, equinox) in [
        ("fk5", String::new(), "FK5", 2000.0),
        ("fk5", time("{scale: tt, value: J2000.000}"), "FK5", 2000.0),
        ("fk5", time("J1975.000"), "FK5", 1975.0),
        ("fk5", time("{format: jd, value: 2451545.0}"), "FK5", 2000.0),
        ("fk4", String::new(), "FK4", 1950.0),
        ("fk4", time("{scale: tt, value: B1975.000}"), "FK4", 1975.0),
        ("fk4noeterms", time("B1950.000"), "FK4-NO-E", 1950.0),
    ] {
        let header = tagged(name, &attributes).unwrap();
        let found = (text(&header, "RADESYS"), number(&header, "EQUINOX"));
        assert_eq!(found, (Some(radesys), Some(equinox)), "{name} {attributes}");
    }
    for (name, attributes) in
        [("icrs", String::new()), ("galactic", String::new()), ("icrs", time("J1975.0"))]
    {
        assert_eq!(number(&tagged(name, &attributes).unwrap(), "EQUINOX"), None, "{name}");
    }
    // Old files have the type of the frame.
    let old = header("{type: FK5, equinox: J1985.5}").unwrap();
    assert_eq!((text(&old, "RADESYS"), number(&old, "EQUINOX")), (Some("FK5"), Some(1985.5)));
    // A wrong equinox would be a wrong position.
    let error = tagged("fk5", &time("{format: unix, value: 1000000000.0}")).unwrap_err();
    assert!(error.message().starts_with("found the equinox '1000000000.0', expected a year"), "{error}");
}

#[test]
fn the_degree_is_raised_until_the_error_is_small() {
    let wcs = Wcs::only(&distorted()).unwrap();
    let exact = wcs.to_fits_sip(1e-6).unwrap();
    assert_eq!((exact.degree(), text(&exact, "CTYPE1")), (3, Some("RA---TAN-SIP")));
    assert!(exact.is_within() && exact.error() <= 1e-6 && exact.inverse_error() <= 1e-6);
    let rough = wcs.to_fits_sip(0.1).unwrap();
    assert!(rough.degree() < 3 && rough.error() <= 0.1);
    let plain = wcs.to_fits_sip_with(&SipOptions::new().max_error(1e-6).max_degree(1)).unwrap();
    assert!(!plain.is_within() && plain.error() > 0.01 && text(&plain, "CTYPE1") == Some("RA---TAN"));
    for header in [&exact, &rough, &plain] {
        for pixel in [[0.0, 0.0], [99.0, 49.0], [12.25, 40.5]] {
            let world = wcs.pixel_to_world(&pixel).unwrap();
            let pixels = separation(evaluated(header, pixel), &world) / 3e-5;
            assert!(pixels < 1.01 * header.error() + 1e-7, "{pixel:?}: {pixels}, {}", header.error());
        }
    }
}

#[test]
fn the_wcs_of_a_part_gives_the_same_positions() {
    for (mut file, has_shift) in [(gnomonic(), true), (distorted(), true), (distorted(), false)] {
        let wcs = Wcs::only(&file).unwrap();
        let start = if has_shift { [60, 20] } else { [0, 0] };
        let ranges = [start[0]..start[0] + 50, start[1]..start[1] + 10];
        let node = wcs.slice(file.at(wcs.path()).unwrap(), &ranges).unwrap();
        file.set("/part", &node).unwrap();
        let file = File::from_bytes(file.to_bytes().unwrap()).unwrap();
        assert_eq!(Wcs::open(&file, "/wcs").unwrap().pixel_shape(), Some([100, 50].as_slice()));
        let part = Wcs::open(&file, "/part").unwrap();
        assert_eq!(part.pixel_shape(), Some([50, 10].as_slice()));
        // The old box ends at 99.5.
        let end = if has_shift { 39.5 } else { 49.5 };
        assert_eq!(part.bounding_box(), Some([Some([-0.5, end]), Some([-0.5, 9.5])].as_slice()));
        for pixel in [[0.0, 0.0], [39.0, 9.0], [3.5, 7.25]] {
            let old = wcs.pixel_to_world(&[pixel[0] + start[0] as f64, pixel[1] + start[1] as f64]).unwrap();
            let new = part.pixel_to_world(&pixel).unwrap();
            assert!(separation([old[0], old[1]], &new) < 1e-13);
            let back = part.world_to_pixel(&new, Inverse::Exact).unwrap();
            assert!((back[0] - pixel[0]).abs() < 1e-6 && (back[1] - pixel[1]).abs() < 1e-6);
        }
        assert!(part.pixel_to_world(&[3.0, 10.0]).unwrap()[0].is_nan());
        let has_added = file.at("/part/steps/0/transform/forward/0/forward/0/offset").is_ok();
        assert_eq!(has_added, has_shift);
    }
}

#[test]
fn old_lists_of_intervals_keep_their_order() {
    let mut file = file(
        "!transform/concatenate-1.2.0 {forward: [!transform/shift-1.2.0 {offset: 1.0}, !transform/shift-1.2.0 \
         {offset: 2.0}], bounding_box: [[-0.5, 49.5], [-0.5, 99.5]]}",
        "null",
    );
    let wcs = Wcs::only(&file).unwrap();
    let part = wcs.slice(file.at("/wcs").unwrap(), &[10..30, 40..60]).unwrap();
    file.set("/wcs", &part).unwrap();
    let transform = file.at("/wcs/steps/0/transform").unwrap();
    assert_eq!(transform.own_tag(), Some("tag:stsci.edu:asdf/transform/compose-1.2.0"));
    assert_eq!(
        file.get::<Vec<Vec<f64>>>("/wcs/steps/0/transform/bounding_box").unwrap(),
        [[-0.5, 9.5], [-0.5, 19.5]]
    );
    assert!(file.at("/wcs/pixel_shape").unwrap().is_null());
    assert_eq!(Wcs::only(&file).unwrap().pixel_to_world(&[2.0, 3.0]).unwrap(), [13.0, 45.0]);
}

#[test]
fn wrong_ranges_are_errors() {
    let file = gnomonic();
    let wcs = Wcs::only(&file).unwrap();
    let node = file.at("/wcs").unwrap();
    #[expect(clippy::single_range_in_vec_init, clippy::reversed_empty_ranges, reason = "these are wrong")]
    let wrong = [vec![0..1, 0..1, 0..1], vec![5..5], vec![9..2], vec![0..i64::MAX], vec![i64::MIN..0]];
    for ranges in wrong {
        let error = wcs.slice(node, &ranges).unwrap_err();
        assert_eq!(error.path(), Some("/wcs"), "{ranges:?}: {error}");
    }
}

#[test]
fn pixels_of_one_image_in_another() {
    let (one, other) = (gnomonic(), distorted());
    let (one, other) = (Wcs::only(&one).unwrap(), Wcs::only(&other).unwrap());
    // The map of an image to itself.
    for wcs in [&one, &other] {
        let block = wcs.pixel_map(wcs).unwrap().next().unwrap().unwrap();
        assert_eq!((block.first_row, block.rows, block.width), (0, 50, 100));
        for (number, (x, y)) in block.x.iter().zip(&block.y).enumerate() {
            let near = |found: f64, expected: usize| (found - expected as f64).abs() < 1e-6;
            assert!(near(*x, number % 100) && near(*y, number / 100), "{number}: {x}, {y}");
        }
    }
    // A part of an image in the whole.
    let mut file = distorted();
    let node = other.slice(file.at("/wcs").unwrap(), &[10..90, 5..45]).unwrap();
    file.set("/wcs", &node).unwrap();
    let part = Wcs::only(&file).unwrap();
    let exact = || other.pixel_map(&part).unwrap();
    let mut near = exact().within(1e-6).unwrap();
    assert!(near.spacing().is_some_and(|spacing| spacing >= 4), "{:?}", near.spacing());
    let (exact, near) = (exact().next().unwrap().unwrap(), near.next().unwrap().unwrap());
    for number in 0..5000 {
        let (x, y) = (number % 100, number / 100);
        let is_inside = (10..90).contains(&x) && (5..45).contains(&y);
        assert_eq!(exact.x[number].is_nan(), !is_inside, "{x}, {y}");
        if is_inside {
            assert!((exact.x[number] - (x as f64 - 10.0)).abs() < 1e-6);
            assert!((exact.y[number] - (y as f64 - 5.0)).abs() < 1e-6);
            assert!((exact.x[number] - near.x[number]).abs() < 1e-6);
            assert!((exact.y[number] - near.y[number]).abs() < 1e-6);
        }
    }
    // Blocks follow each other.
    let rows: Vec<(i64, usize)> = other
        .pixel_map(&part)
        .unwrap()
        .ranges(0..2000, 7..400)
        .unwrap()
        .map(|block| block.unwrap())
        .map(|block| (block.first_row, block.rows))
        .collect();
    assert_eq!(rows, [(7, 131), (138, 131), (269, 131)]);
    assert!(other.pixel_map(&part).unwrap().ranges(0..i64::MAX, 0..1).is_err());
    // No mesh is good enough for an error of 0.
    assert_eq!(other.pixel_map(&part).unwrap().within(0.0).unwrap().spacing(), None);
}
