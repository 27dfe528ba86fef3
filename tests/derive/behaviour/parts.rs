//! Fields that do not map to exactly one property: flattened, left out, or with several names.

use asdf_core::value::{Extra, description::Form};
use asdf_core::{Asdf, FromNode};

use super::{from_text, refused, round_trip, to_text};

#[derive(Asdf, Debug, Clone, PartialEq)]
struct Base {
    name: String,
    inputs: Option<Vec<String>>,
    #[asdf(extra)]
    extra: Extra,
}

#[derive(Asdf, Debug, Clone, PartialEq)]
struct Bounds<T> {
    #[asdf(flatten)]
    low: Low<T>,
    high: T,
}

#[derive(Asdf, Debug, Clone, PartialEq)]
struct Low<T> {
    #[asdf(rename = "from", alias = "low")]
    low: T,
}

#[derive(Asdf, Debug, Clone, PartialEq)]
#[asdf(tag = "tag:x/shift-1.0.0", new)]
struct Shift {
    offset: f64,
    #[asdf(flatten)]
    base: Base,
    #[asdf(flatten)]
    bounds: Bounds<f64>,
    unit: Option<String>,
}

#[derive(Asdf, Debug, PartialEq)]
struct Open {
    #[asdf(extra)]
    extra: Extra,
    #[asdf(flatten)]
    base: Base,
    /// After the base.
    last: u8,
}

#[derive(Asdf, Debug, PartialEq)]
#[asdf(key = "kind")]
enum Model {
    Scale {
        factor: f64,
        #[asdf(flatten)]
        base: Base,
        #[asdf(skip)]
        cache: Vec<u8>,
    },
}

fn base() -> Base {
    Base { name: "a".into(), inputs: None, extra: Extra::new() }
}

#[test]
fn the_properties_of_a_flattened_field_are_next_to_the_others() {
    let bounds = Bounds { low: Low { low: 0.5 }, high: 2.0 };
    let shift = Shift { unit: Some("m".into()), ..Shift::new(1.5, base(), bounds) };
    let text = "!<tag:x/shift-1.0.0> {offset: 1.5, name: a, from: 0.5, high: 2.0, unit: m}";
    round_trip(text, &shift);
    assert_eq!(to_text(&shift), text);
    round_trip(
        "{kind: Scale, factor: 2.0, name: a}",
        &Model::Scale { factor: 2.0, base: base(), cache: Vec::new() },
    );
    assert_eq!(
        refused::<Shift>("{offset: x, nam: a, low: 1.0, high: 2.0}"),
        "line 1, column 10: /offset: found the string 'x', expected a number\n\
         line 1, column 1: the required property 'name' is missing\n\
         line 1, column 13: unknown property 'nam' of `Shift`\n  \
         hint: did you mean 'name'? add a field `#[asdf(extra)] extra: Extra` to keep unknown properties"
    );
}

#[test]
fn unknown_properties_go_to_the_outer_extra() {
    let open: Open = from_text("{more: 1, name: a, last: 3, other: 2}");
    assert_eq!((open.extra.len(), open.base.extra.len(), open.last), (2, 0, 3));
    assert_eq!(to_text(&open), "{name: a, last: 3, more: 1, other: 2}");

    // Properties in the inner `extra` are written too, unless they exist already.
    let mut inner = Open { base: base(), ..open };
    inner.base.extra.insert("own", &5).expect("5 can be written");
    assert_eq!(to_text(&inner), "{name: a, last: 3, more: 1, other: 2, own: 5}");
    for key in ["more", "last"] {
        let mut twice = Open { base: base(), ..from_text("{more: 1, name: a, last: 3}") };
        twice.base.extra.insert(key, &5).expect("5 can be written");
        let error = asdf_core::Node::new(&twice).expect_err("a key is there twice");
        assert_eq!(error.to_string(), format!("/{key}: the extra property '{key}' is also a field"));
    }
}

#[derive(Asdf, Debug, Clone, PartialEq, Default)]
struct Labelled {
    name: Option<String>,
}

#[derive(Asdf, Debug, PartialEq)]
#[asdf(new, builder)]
struct Rotation {
    #[asdf(flatten, default)]
    base: Labelled,
    angle: f64,
}

#[test]
fn a_flattened_field_with_a_default_is_optional() {
    let mut rotation = Rotation::new(0.5);
    assert_eq!(to_text(&rotation), "{angle: 0.5}");
    rotation.base.name = Some("a".into());
    round_trip("{name: a, angle: 0.5}", &rotation);
    assert_eq!(
        Rotation::builder().angle(0.5).base(rotation.base.clone()).build().expect("all is set"),
        rotation
    );
    assert_eq!(Rotation::builder().angle(0.5).build().expect("all is set"), Rotation::new(0.5));
}

#[test]
fn flattened_properties_are_described() {
    let Form::Mapping { properties, open } = Open::describe().form else { panic!("a struct is a mapping") };
    let keys: Vec<_> = properties.iter().map(|property| (property.key, property.required)).collect();
    assert_eq!(keys, [("name", true), ("inputs", false), ("last", true)]);
    assert!(open);
    let Form::Mapping { properties, open } = Shift::describe().form else { panic!("a struct is a mapping") };
    let keys: Vec<_> = properties.iter().map(|property| property.key).collect();
    assert_eq!(keys, ["offset", "name", "inputs", "from", "high", "unit"]);
    assert!(!open);
}

#[derive(Asdf, Debug, PartialEq)]
#[asdf(new)]
struct Camera {
    #[asdf(alias = "label", alias = "title")]
    name: String,
    #[asdf(alias = "t", default = 1.5)]
    time: f64,
    #[asdf(skip)]
    cache: Vec<u8>,
    #[asdf(skip, default = 7)]
    answer: u8,
}

#[test]
fn an_alias_is_read_and_not_written() {
    let camera = Camera::new("a".into());
    assert_eq!((camera.cache.len(), camera.answer), (0, 7));
    for text in ["{name: a}", "{label: a}", "{title: a, t: 1.5}"] {
        assert_eq!(from_text::<Camera>(text), camera);
    }
    assert_eq!(to_text(&Camera { cache: vec![1], ..camera }), "{name: a, time: 1.5}");
    assert_eq!(
        refused::<Camera>("{title: 5}"),
        "line 1, column 9: /title: found the integer 5, expected a string"
    );
    assert_eq!(
        refused::<Camera>("{title: a, name: b}"),
        "line 1, column 1: found 'name' and 'title', which are names of the same property\n  \
         hint: remove one of them"
    );
    assert_eq!(refused::<Camera>("{}"), "line 1, column 1: the required property 'name' is missing");
}

#[test]
fn a_field_that_is_left_out_has_its_default() {
    assert_eq!(from_text::<Camera>("{name: a}"), Camera::new("a".into()));
    assert!(refused::<Camera>("{name: a, cache: [1]}").contains("unknown property 'cache' of `Camera`"));
}

#[derive(Asdf, Debug, Clone, PartialEq)]
#[asdf(write_check = Self::is_named)]
struct Named {
    name: String,
}

impl Named {
    fn is_named(&self) -> asdf_core::Result<()> {
        if self.name.is_empty() { Err(asdf_core::Error::mismatch("found no name")) } else { Ok(()) }
    }
}

#[derive(Asdf, Debug, PartialEq)]
struct Holder {
    #[asdf(flatten)]
    named: Named,
}

#[test]
fn a_flattened_field_is_checked_before_it_is_written() {
    let named = Named { name: String::new() };
    assert!(asdf_core::Node::new(&named).is_err());
    assert!(asdf_core::Node::new(&Holder { named }).is_err());
}
