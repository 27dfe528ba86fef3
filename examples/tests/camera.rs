//! Tests of the camera example.

use std::path::Path;
use std::sync::Arc;

use asdf_core::{File, OpenOptions, yaml};
use asdf_examples::exposure::{Exposure, Region};
use asdf_examples::{exposure, extension, file, package, registry};
use asdf_schemas::Validator;

#[test]
fn the_package_is_made_from_the_types() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("package");
    let package = package().unwrap();
    if std::env::var_os("UPDATE_GENERATED").is_some() {
        package.write(&folder).unwrap();
    }
    let manifest = (package.manifest_id(), package.manifest().unwrap());
    let schemas = package.schemas().map(|(id, text)| (id.to_owned(), text.to_owned()));
    for (id, text) in schemas.chain([manifest]) {
        let path = folder.join(format!("{}.yaml", id.trim_start_matches("asdf://example.org/camera/")));
        let there = std::fs::read_to_string(&path).unwrap();
        assert_eq!(there, text, "run with UPDATE_GENERATED=1 to rewrite {}", path.display());
    }
}

#[test]
fn a_file_is_valid_and_is_read_as_it_was_written() {
    let bytes = file().unwrap().to_bytes().unwrap();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    assert!(text.contains("exposure: !camera!exposure-1.1.0"), "{text}");
    assert!(text.contains("extension_uri: asdf://example.org/camera/extensions/camera-1.1.0"), "{text}");
    let file = OpenOptions::new().extension(extension().unwrap()).open_bytes(bytes).unwrap();
    assert!(file.warnings().is_empty());
    let report = Validator::new(Arc::new(registry().unwrap())).validate_file(&file);
    assert!(report.is_valid() && report.unknown_tags().is_empty(), "{:?}", report.violations());
    let found: Exposure = file.get("/exposure").unwrap();
    assert_eq!(found.region, exposure().unwrap().region);
    assert_eq!(found.bias, exposure().unwrap().bias);
    assert_eq!(found.image.read::<u16>().unwrap(), exposure().unwrap().image.read::<u16>().unwrap());
}

#[test]
fn types_and_schemas_refuse_the_same_values() {
    let good = "number: 1\nstart: !<tag:stsci.edu:asdf/time/time-1.4.0> '2026-11-20T12:30:00'\n\
                duration: !<tag:stsci.edu:asdf/unit/quantity-1.3.0> {value: 1.0, unit: !<tag:stsci.edu:asdf/unit/unit-1.0.0> s}\n\
                mode: single\nregion: {kind: rows, first: 1, count: 2}\n\
                image: !<tag:stsci.edu:asdf/core/ndarray-1.1.0> [[1, 2]]\n";
    let validator = Validator::new(Arc::new(registry().unwrap()));
    let schema = "asdf://example.org/camera/schemas/exposure-1.1.0";
    let valid = |text: &str| {
        let tree = yaml::parse(text).unwrap();
        let report = validator.validate_node(tree.root().unwrap(), schema).unwrap();
        let typed = tree.get::<Exposure>("");
        assert_eq!(report.is_valid(), typed.is_ok(), "{text}: {:?} {typed:?}", report.violations());
        typed.is_ok()
    };
    assert!(valid(good));
    assert!(valid(&format!("{good}more: 1\n")));
    for (from, to) in [
        ("number: 1", "number: 0"),
        ("number: 1", "number: one"),
        ("number: 1\n", ""),
        ("single", "triple"),
        ("kind: rows", "kind: columns"),
        ("kind: rows, ", ""),
        ("count: 2", "size: 2"),
        ("image: !<tag:stsci.edu:asdf/core/ndarray-1.1.0> [[1, 2]]", "image: none"),
        (
            "duration: !<tag:stsci.edu:asdf/unit/quantity-1.3.0>",
            "duration: !<tag:stsci.edu:asdf/unit/unit-1.0.0>",
        ),
    ] {
        assert!(!valid(&good.replacen(from, to, 1)), "{to}");
    }
}

#[test]
fn files_of_the_first_version_are_read() {
    let text = "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n\
                %TAG !camera! asdf://example.org/camera/tags/\n--- !core/asdf-1.1.0\n\
                exposure: !camera!exposure-1.0.0\n  number: 7\n  start: !time/time-1.4.0 2026-11-20T12:30:00\n  \
                seconds: 2.5\n  mode: double\n  region: {kind: rows, first: 0, count: 8}\n  \
                image: !core/ndarray-1.1.0 [[1, 2]]\n  observer: me\n...\n";
    let file = File::from_bytes(text.as_bytes().to_vec()).unwrap();
    let exposure: Exposure = file.get("/exposure").unwrap();
    assert_eq!(exposure.duration.unit.get(), "s");
    assert_eq!(exposure.region, Some(Region::Rows { first: 0, count: 8 }));
    assert_eq!(exposure.extra.len(), 1);
}
