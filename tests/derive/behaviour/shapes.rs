//! Unit structs, lists, variants with fields, types that hold themselves, borrowed values.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use asdf_core::value::{Extra, KeptTag};
use asdf_core::yaml::parse;
use asdf_core::{Asdf, Node, error};

use super::{from_text, refused, round_trip, to_text};

#[derive(Asdf, Debug, PartialEq)]
#[asdf(tag = "tag:x/marker-1.0.0")]
struct Marker;

#[derive(Asdf, Debug, PartialEq)]
struct Nothing;

#[test]
fn a_unit_struct_is_an_empty_mapping() {
    round_trip("!<tag:x/marker-1.0.0> {}", &Marker);
    round_trip("{}", &Nothing);
    assert_eq!(
        refused::<Marker>("{a: 1}").lines().next(),
        Some("line 1, column 2: unknown property 'a' of `Marker`")
    );
    assert!(refused::<Nothing>("[]").contains("expected a mapping for `Nothing`"));
}

#[derive(Asdf, Debug, PartialEq)]
struct Range(f64, Option<f64>, String);

#[derive(Asdf, Debug, PartialEq)]
#[asdf(tag = "tag:x/pair-1.1.0", accepts = ["tag:x/pair-1.*"])]
struct Pair<T>(T, #[asdf(tag)] KeptTag, T);

#[test]
fn several_values_are_a_list() {
    round_trip("[0.5, 2.5, um]", &Range(0.5, Some(2.5), "um".into()));
    assert_eq!(from_text::<Range>("[0.5, ~, um]"), Range(0.5, None, "um".into()));
    round_trip(
        "!<tag:x/pair-1.0.0> [a, b]",
        &Pair("a".to_owned(), KeptTag::As("tag:x/pair-1.0.0".into()), "b".to_owned()),
    );
    assert_eq!(
        refused::<Range>("[0.5, 2.5]"),
        "line 1, column 1: found a sequence of 2 items, expected a sequence of 3 items for `Range`"
    );
    assert_eq!(
        refused::<Range>("[a, 1.5, 3]"),
        "line 1, column 2: /0: found the string 'a', expected a number\n\
         line 1, column 10: /2: found the integer 3, expected a string"
    );
}

#[derive(Asdf, Debug, PartialEq)]
enum Region {
    Circle {
        radius: f64,
    },
    Box {
        width: f64,
        height: f64,
        #[asdf(rename = "position angle", default = 0.0)]
        angle: f64,
    },
    Point(f64, f64),
    #[asdf(rename = "all")]
    All,
}

#[test]
fn variants_are_distinguished_by_their_shape() {
    round_trip("{radius: 1.5}", &Region::Circle { radius: 1.5 });
    round_trip(
        "{width: 1.5, height: 2.0, position angle: 3.0}",
        &Region::Box { width: 1.5, height: 2.0, angle: 3.0 },
    );
    assert_eq!(
        from_text::<Region>("{width: 1, height: 2}"),
        Region::Box { width: 1.0, height: 2.0, angle: 0.0 }
    );
    round_trip("[1.0, 2.0]", &Region::Point(1.0, 2.0));
    round_trip("all", &Region::All);
    let error = refused::<Region>("{width: 1}");
    assert!(error.contains("as `Circle`: the required property 'radius' is missing"), "{error}");
    assert!(error.contains("as `Box`: the required property 'height' is missing"), "{error}");
    assert_eq!(
        refused::<Region>("[1]"),
        "line 1, column 1: found a sequence of 1 item, expected a sequence of 2 items for `Region::Point`"
    );
    assert_eq!(
        refused::<Region>("5"),
        "line 1, column 1: found the integer 5, expected 'all', a mapping or a sequence for `Region`"
    );
}

#[derive(Asdf, Debug, PartialEq)]
#[asdf(tag = "tag:x/region-1.0.0", key = "kind")]
enum Keyed {
    #[asdf(rename = "circle")]
    Circle { radius: f64 },
    #[asdf(rename = "polygon")]
    Polygon {
        corners: Vec<[f64; 2]>,
        #[asdf(extra)]
        extra: Extra,
    },
    #[asdf(rename = "all")]
    All,
}

#[test]
fn variants_are_distinguished_by_a_key() {
    round_trip("!<tag:x/region-1.0.0> {kind: circle, radius: 1.5}", &Keyed::Circle { radius: 1.5 });
    round_trip("!<tag:x/region-1.0.0> {kind: all}", &Keyed::All);
    let polygon: Keyed = from_text("{kind: polygon, corners: [[0, 1]], note: x}");
    assert!(
        matches!(&polygon, Keyed::Polygon { corners, extra } if corners == &[[0.0, 1.0]] && extra.len() == 1)
    );
    assert!(to_text(&polygon).contains("{kind: polygon, corners: [[0.0, 1.0]], note: x}"));
    assert_eq!(
        refused::<Keyed>("{radius: 1}"),
        "line 1, column 1: the required property 'kind' is missing; it selects the variant of `Keyed`"
    );
    assert_eq!(
        refused::<Keyed>("{kind: cirle, radius: 1}"),
        "line 1, column 8: /kind: found the string 'cirle', expected 'circle', 'polygon' or 'all' for `Keyed`\n  \
         hint: did you mean 'circle'?"
    );
    assert_eq!(
        refused::<Keyed>("{kind: circle, radius: big}"),
        "line 1, column 24: /radius: found the string 'big', expected a number"
    );
    assert!(refused::<Keyed>("{kind: all, radius: 1}").contains("unknown property 'radius' of `Keyed::All`"));
    assert!(refused::<Keyed>("circle").contains("expected a mapping for `Keyed`"));
}

#[derive(Asdf, Debug, PartialEq)]
enum Outer {
    Region(Region),
    Words(Vec<String>),
    Number(f64),
}

#[test]
fn enums_can_be_nested() {
    round_trip("{radius: 1.5}", &Outer::Region(Region::Circle { radius: 1.5 }));
    round_trip("[a, b]", &Outer::Words(vec!["a".into(), "b".into()]));
    round_trip("2.5", &Outer::Number(2.5));
}

#[derive(Asdf, Debug, PartialEq, Default)]
struct Folder {
    name: String,
    #[asdf(default)]
    folders: Vec<Folder>,
    parent: Option<Box<Folder>>,
    #[asdf(default)]
    named: BTreeMap<String, Folder>,
}

#[test]
fn a_type_holds_itself() {
    let inner = |name: &str| Folder { name: name.into(), ..Folder::default() };
    let value = Folder {
        folders: vec![inner("b"), inner("c")],
        parent: Some(Box::new(inner("d"))),
        named: BTreeMap::from([("e".to_owned(), inner("e"))]),
        ..inner("a")
    };
    let text = to_text(&value);
    assert_eq!(from_text::<Folder>(&text), value);
}

#[test]
fn a_node_that_holds_itself_is_an_error_and_does_not_overflow() {
    for text in [
        "&a {name: x, parent: *a}",
        "&a {name: x, folders: [*a, *a]}",
        "&a {name: x, named: {self: *a}}",
        "&a {name: x, folders: [{name: y, parent: *a}]}",
    ] {
        let tree = parse(text).unwrap();
        let error = tree.get::<Folder>("").unwrap_err();
        assert_eq!(error.kind(), error::Kind::Limit, "{text}: {error}");
    }
}

#[derive(Asdf, Debug, PartialEq, Clone)]
struct Borrowed<'a> {
    name: Cow<'a, str>,
    values: Cow<'a, [f64]>,
}

#[derive(Asdf)]
#[asdf(tag = "tag:x/row-1.0.0", write_only)]
struct Row<'a, T> {
    name: &'a str,
    values: &'a [T],
    note: Option<&'a str>,
}

#[test]
fn borrowed_values_are_written_and_read_as_owned() {
    let values = [1.5, 2.5];
    let borrowed = Borrowed { name: Cow::Borrowed("a"), values: Cow::Borrowed(&values) };
    round_trip("{name: a, values: [1.5, 2.5]}", &borrowed);
    let row = Row { name: "a", values: &values, note: None };
    let node = Node::new(&row).unwrap();
    assert_eq!(node.view().tag(), Some("tag:x/row-1.0.0"));
    assert_eq!(Some(node.view()), parse("!<tag:x/row-1.0.0> {name: a, values: [1.5, 2.5]}").unwrap().root());
}

#[derive(Asdf, Debug, PartialEq)]
struct Collections {
    queue: VecDeque<u8>,
    shared: Rc<String>,
    text: Arc<str>,
    list: Box<[i32]>,
    map: HashMap<String, (u8, bool)>,
    letter: char,
    count: std::num::NonZeroU32,
    half: half::f16,
    complex: num_complex::Complex64,
    unit: (),
}

#[test]
fn fields_of_many_types() {
    let text = "{queue: [1, 2], shared: a, text: b, list: [3], map: {k: [1, true]}, letter: é, count: 5, half: 0.5, \
                complex: !<tag:stsci.edu:asdf/core/complex-1.0.0> 1+2i, unit: ~}";
    let value = Collections {
        queue: [1, 2].into(),
        shared: Rc::new("a".into()),
        text: "b".into(),
        list: [3].into(),
        map: HashMap::from([("k".to_owned(), (1, true))]),
        letter: 'é',
        count: std::num::NonZeroU32::new(5).unwrap(),
        half: half::f16::from_f32(0.5),
        complex: num_complex::Complex64::new(1.0, 2.0),
        unit: (),
    };
    round_trip(text, &value);
    let wrong =
        text.replace("letter: é", "letter: éé").replace("count: 5", "count: 0").replace("[1, 2]", "[1, 256]");
    let error = refused::<Collections>(&wrong);
    assert_eq!(error.lines().count(), 3, "{error}");
    assert!(error.contains("/queue/1: found the integer 256, expected an integer from 0 to 255"), "{error}");
    assert!(error.contains("expected a string of one character"), "{error}");
    assert!(error.contains("expected an integer from 1 to 4294967295, and not 0"), "{error}");
}
