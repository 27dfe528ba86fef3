//! Schemas that are made from types accept and refuse the same values as the types.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Arc;

use asdf_core::array::{ANY_AXES, AnyDatatype, Array, Ascii, Safely};
use asdf_core::file::Extension;
use asdf_core::value::{Extra, Nullable, TagPattern, Timestamp};
use asdf_core::yaml::parse;
use asdf_core::{Asdf, FromNode, NdArray, Tagged, ToNode, error};
use asdf_schemas::export::{ExportedPackage, schema};
use asdf_schemas::{Registry, Validator};

const ID: &str = "asdf://example.org/schemas/exported-1.0.0";

/// Checks that the type and its schema agree on whether a text is valid.
fn agree<T: FromNode + ToNode + Debug>(texts: &[(&str, bool)]) {
    let text = schema::<T>(ID).expect("a type has a schema");
    let mut registry = Registry::new();
    registry.add_schema(&text).expect("the schema is one");
    let validator = Validator::new(Arc::new(registry));
    for (value, good) in texts {
        let tree = parse(value).expect("the text is YAML");
        let root = tree.root().expect("the text has a root");
        let report = validator.validate_node(root, ID).expect("the schema can be used");
        let read = asdf_core::value::read::<T>(root);
        assert_eq!(read.is_ok(), *good, "{value}: {read:?}");
        assert_eq!(report.is_valid(), *good, "{value}: {:?}\n{text}", report.violations());
        if let Ok(value) = read {
            let node = asdf_core::Node::new(&value).expect("the value can be written");
            let report = validator.validate_node(node.view(), ID).expect("the schema can be used");
            assert!(report.is_valid(), "{value:?}: {:?}\n{text}", report.violations());
        }
    }
}

#[derive(TagPattern)]
#[asdf(tags = ["tag:x/filter-1.*"])]
enum FilterV1 {}

#[derive(TagPattern)]
#[asdf(tags = ["tag:x/filter-1.*", "tag:x/grism-2.0.0"])]
enum FilterOrGrism {}

#[derive(Asdf, Debug)]
#[asdf(tag = "tag:x/filter-1.0.0")]
struct Filter {}

#[derive(Asdf, Debug)]
struct Elements {
    one: Option<Tagged<Filter, FilterV1>>,
    several: Option<Tagged<Filter, FilterOrGrism>>,
}

#[test]
fn patterns_of_tags_are_in_the_schema() {
    agree::<Elements>(&[
        ("{one: !<tag:x/filter-1.0.0> {}, several: !<tag:x/filter-1.3.0> {}}", true),
        ("{one: !<tag:x/filter-1.9.0> 5, several: !<tag:x/grism-2.0.0> 5}", true),
        ("one: !<tag:x/filter-2.0.0> {}", false),
        ("one: !<tag:x/grism-2.0.0> {}", false),
        ("several: !<tag:x/grism-2.1.0> {}", false),
    ]);
    assert!(schema::<Elements>(ID).unwrap().contains("tag: tag:x/filter-1.*"));
}

/// All that may be in a struct.
///
/// And more.
#[derive(Asdf, Debug)]
struct Everything {
    /// A number.
    ///
    /// Of seconds.
    number: f64,
    small: u8,
    text: Option<String>,
    flag: bool,
    #[asdf(default = 5)]
    count: i64,
    list: Vec<[i32; 2]>,
    tuple: (f64, String),
    map: BTreeMap<String, bool>,
    nullable: Nullable<bool>,
    time: Timestamp,
    name: Name,
    angle: Angle,
    few: Few,
}

#[derive(Asdf, Debug)]
#[asdf(check(pattern = "^[a-z]+$", pattern = "b", min_length = 2, max_length = 4))]
struct Name(String);

#[derive(Asdf, Debug)]
#[asdf(check(minimum = 0, exclusive_maximum = 360, multiple_of = 0.5))]
struct Angle(f64);

#[derive(Asdf, Debug)]
#[asdf(check(min_items = 1, max_items = 2, unique_items))]
struct Few(Vec<u8>);

#[derive(Asdf, Debug)]
#[asdf(check(one_of = [-1, 0.5, 1]))]
struct Step(f64);

#[test]
fn one_of_several_numbers() {
    agree::<Step>(&[("-1", true), ("1.0", true), ("0.5", true), ("0", false), ("-0.5", false), ("a", false)]);
}

#[test]
fn structs_and_constraints() {
    let good = "number: 1.5\nsmall: 255\ntext: a\nflag: true\ncount: 1\nlist: [[1, 2]]\ntuple: [1, a]\nmap: {a: true}\n\
                nullable: ~\ntime: 2026-11-20T12:30:00\nname: ab\nangle: 359.5\nfew: [1, 2]\n";
    let mut texts =
        vec![(good.to_owned(), true), (good.replace("count: 1\n", "").replace("text: a\n", ""), true)];
    for (from, to) in [
        ("1.5", "a"),
        ("255", "256"),
        ("255", "-1"),
        ("text: a", "text: 5"),
        ("flag: true", "flag: 1"),
        ("[[1, 2]]", "[[1, 2, 3]]"),
        ("[1, a]", "[1]"),
        ("{a: true}", "{a: 1}"),
        ("nullable: ~", "nullable: 5"),
        ("time: 2026-11-20T12:30:00", "time: 5"),
        ("name: ab", "name: aa"),
        ("name: ab", "name: b"),
        ("name: ab", "name: ababa"),
        ("359.5", "360"),
        ("359.5", "359.25"),
        ("359.5", "-0.5"),
        ("[1, 2]\n", "[1, 1]\n"),
        ("few: [1, 2]", "few: []"),
        ("few: [1, 2]", "few: [1, 2, 3]"),
        ("small: 255\n", ""),
        ("small", "smal"),
    ] {
        texts.push((good.replacen(from, to, 1), false));
    }
    let texts: Vec<(&str, bool)> = texts.iter().map(|(text, good)| (text.as_str(), *good)).collect();
    agree::<Everything>(&texts);
    let text = schema::<Everything>(ID).unwrap();
    assert!(text.contains("title: All that may be in a struct.\ndescription: And more.\n"), "{text}");
    assert!(text.contains("title: A number.\n    description: Of seconds."), "{text}");
    assert!(text.contains("default: 5"), "{text}");
}

#[derive(Asdf, Debug)]
enum Choice {
    #[asdf(rename = "auto")]
    Auto,
    #[asdf(rename = "none")]
    None,
    Number(f64),
    Pair(i32, i32),
    Circle {
        radius: f64,
        #[asdf(extra)]
        extra: Extra,
    },
}

#[derive(Asdf, Debug)]
#[asdf(key = "kind")]
enum Keyed {
    A { x: i32 },
    B { x: String, y: Option<f64> },
    C,
}

#[test]
fn enums() {
    agree::<Choice>(&[
        ("auto", true),
        ("other", false),
        ("1.5", true),
        ("[1, 2]", true),
        ("[1]", false),
        ("{radius: 1, more: 2}", true),
        ("{more: 2}", false),
        ("true", false),
    ]);
    agree::<Keyed>(&[
        ("{kind: A, x: 1}", true),
        ("{kind: B, x: a}", true),
        ("{kind: B, x: 1}", false),
        ("{kind: C}", true),
        ("{kind: C, x: 1}", false),
        ("{x: 1}", false),
    ]);
}

/// A folder of folders.
#[derive(Asdf, Debug)]
struct Folder {
    name: String,
    part: Option<Box<Part>>,
    #[asdf(default)]
    folders: Vec<Folder>,
}

#[derive(Asdf, Debug)]
struct Part {
    next: Option<Box<Part>>,
}

#[test]
fn types_that_hold_themselves() {
    agree::<Part>(&[("{}", true), ("{next: {next: {}}}", true), ("{next: {next: 5}}", false)]);
    agree::<Folder>(&[
        ("{name: a}", true),
        ("{name: a, folders: [{name: b, folders: [{name: c}]}], part: {next: {}}}", true),
        ("{name: a, folders: [{name: b, folders: [{name: 5}]}]}", false),
        ("{name: a, part: {next: {next: 5}}}", false),
    ]);
}

#[test]
fn arrays_of_a_type_are_of_exactly_its_datatype() {
    const TAG: &str = "!<tag:stsci.edu:asdf/core/ndarray-1.1.0>";
    let texts = |good: [bool; 4]| {
        [
            "{data: [[1.0]], datatype: float32}",
            "{data: [[1.0]], datatype: float16}",
            "{data: [1.0], datatype: float32}",
            "{data: [[1.0]], datatype: float64}",
        ]
        .map(|text| format!("{TAG} {text}"))
        .into_iter()
        .zip(good)
        .collect::<Vec<_>>()
    };
    let check = |texts: Vec<(String, bool)>, agree: fn(&[(&str, bool)])| {
        agree(&texts.iter().map(|(text, good)| (text.as_str(), *good)).collect::<Vec<_>>());
    };
    check(texts([true, false, false, false]), agree::<Array<f32, 2>>);
    check(texts([true, true, false, false]), agree::<Array<Safely<f32>, 2>>);
    check(texts([true, true, true, true]), agree::<Array<AnyDatatype, ANY_AXES, 2>>);
    check(texts([false, false, true, false]), agree::<Array<f32, ANY_AXES, 1>>);
    let named = |text: &str, good| (format!("{TAG} {text}"), good);
    let names = vec![
        named("{data: [a], datatype: [ascii, 4]}", true),
        named("{data: [a], datatype: [ascii, 3]}", false),
        named("{data: [a], datatype: [ucs4, 4]}", false),
    ];
    check(names, agree::<Array<Ascii<4>>>);
}

#[derive(Asdf, Debug)]
struct Track {
    #[asdf(array)]
    points: Vec<[f32; 2]>,
}

#[test]
fn lengths_of_rows_are_not_in_schemas() {
    let text = schema::<Track>(ID).unwrap();
    let mut registry = Registry::new();
    registry.add_schema(&text).unwrap();
    let validator = Validator::new(Arc::new(registry));
    let array = |rows: &str, datatype: &str| {
        let array = format!("{{data: {rows}, datatype: {datatype}}}");
        parse(&format!("points: !<tag:stsci.edu:asdf/core/ndarray-1.1.0> {array}")).unwrap()
    };
    for (rows, datatype, allowed, read) in [
        ("[[1.0, 2.0]]", "float32", true, true),
        ("[[1.0, 2.0, 3.0]]", "float32", true, false),
        ("[1.0, 2.0]", "float32", false, false),
    ] {
        let tree = array(rows, datatype);
        let report = validator.validate_node(tree.root().unwrap(), ID).unwrap();
        assert_eq!(report.is_valid(), allowed, "{rows} {datatype}: {:?}\n{text}", report.violations());
        assert_eq!(tree.get::<Track>("").is_ok(), read, "{rows} {datatype}");
    }
    let track = Track { points: vec![[1.0, 2.0], [3.0, 4.0]] };
    assert_eq!(track.points.len(), 2);
}

#[derive(Asdf, Debug)]
struct Position {
    /// In degrees.
    ra: f64,
    dec: f64,
    epoch: Option<f64>,
}

#[derive(Asdf, Debug)]
struct Source {
    name: String,
    #[asdf(flatten)]
    position: Position,
}

#[test]
fn flattened_fields_are_properties_of_the_whole() {
    agree::<Source>(&[
        ("{name: M31, ra: 10.7, dec: 41.3}", true),
        ("{name: M31, ra: 10.7, dec: 41.3, epoch: 2000.0}", true),
        ("{name: M31, ra: 10.7}", false),
        ("{ra: 10.7, dec: 41.3}", false),
        ("{name: M31, ra: east, dec: 41.3}", false),
        ("{name: M31, ra: 10.7, dec: 41.3, epoch: J2000}", false),
        ("{name: M31, position: {ra: 10.7, dec: 41.3}}", false),
    ]);
    let text = schema::<Source>(ID).unwrap();
    assert!(text.contains("required: [name, ra, dec]") && !text.contains("position"), "{text}");
}

#[derive(Asdf)]
#[asdf(tag = "asdf://example.org/camera/tags/dark-1.0.0")]
struct Dark {
    image: NdArray,
    again: Option<NdArray>,
}

fn package() -> ExportedPackage {
    let uri = "asdf://example.org/camera/extensions/camera-1.0.0";
    ExportedPackage::new(&Extension::new(uri).expect("a URI").with::<Dark>()).expect("a package")
}

#[test]
fn arrays_of_examples_are_lists() {
    let mut package = package();
    let image = NdArray::new(&[2, 2], &[1.0_f32, 2.0, 3.0, 4.5]).unwrap();
    let dark = Dark { again: Some(image.clone()), image };
    package.example("A small one.", &dark).unwrap();
    let text = package.schema(Dark::TAG).unwrap();
    assert!(!text.contains("source:"), "{text}");
    let example = asdf_core::yaml::parse(text).unwrap().get::<String>("/examples/0/1").unwrap();
    let read: Dark = asdf_core::yaml::parse(&example).unwrap().get("").unwrap();
    assert_eq!(read.image.read::<f32>().unwrap(), [1.0, 2.0, 3.0, 4.5]);
    assert_eq!(read.again.unwrap().datatype(), read.image.datatype());
    // The registry still accepts the schema.
    Registry::new().add_schema(text).unwrap();
}

#[test]
fn arrays_that_are_not_lists_are_refused_in_examples() {
    let mut package = package();
    let before = package.schema(Dark::TAG).unwrap().to_owned();
    for (array, found) in [
        (NdArray::new(&[101], &[0_u8; 101]).unwrap(), "found an array of uint8 [101] in a block"),
        (NdArray::new(&[], &[1_u8]).unwrap(), "found an array of uint8 [] in a block"),
    ] {
        let error = package.example("Too large.", &Dark { image: array, again: None }).unwrap_err();
        assert_eq!((error.kind(), error.path()), (error::Kind::Usage, Some("/image")));
        assert!(
            error.to_string().starts_with(&format!("/image: {found}, expected one of up to 100 elements")),
            "{error}"
        );
    }
    assert_eq!(package.schema(Dark::TAG).unwrap(), before);
}

#[test]
fn uris_of_extensions_are_checked() {
    let error = Extension::new("not a uri").unwrap_err();
    assert_eq!(error.kind(), error::Kind::Usage);
    assert!(error.to_string().starts_with("found `not a uri`, expected the URI of an extension"), "{error}");
    let error = ExportedPackage::new(&Extension::new("asdf://example.org/camera").unwrap()).unwrap_err();
    assert!(error.to_string().contains("has no path"), "{error}");
}
