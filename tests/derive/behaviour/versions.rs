//! Older versions of a type are converted to the newest.

use asdf_core::value::KeptTag;
use asdf_core::yaml::parse;
use asdf_core::{Asdf, Node, Tagged};

use super::{from_text, refused, round_trip};

/// The oldest version: a name with its unit.
#[derive(Asdf, Debug, PartialEq)]
#[asdf(tag = "tag:x/filter-1.0.0")]
struct Filter1_0 {
    wavelength: String,
}

/// The wavelength is a number.
#[derive(Asdf, Debug, PartialEq)]
#[asdf(tag = "tag:x/filter-1.1.0", upgrades = [Filter1_0])]
struct Filter1_1 {
    wavelength: f64,
}

impl TryFrom<Filter1_0> for Filter1_1 {
    type Error = String;

    fn try_from(old: Filter1_0) -> Result<Self, String> {
        let number = old.wavelength.strip_suffix(" nm").and_then(|number| number.parse().ok());
        let wavelength = number.ok_or_else(|| format!("'{}' is not a wavelength in nm", old.wavelength))?;
        Ok(Self { wavelength })
    }
}

/// It has a name of its own.
#[derive(Asdf, Debug, PartialEq)]
#[asdf(tag = "tag:x/filter-2.0.0", accepts = ["tag:x/filter-2.*"], upgrades = [Filter1_1])]
struct Filter {
    centre: f64,
    name: Option<String>,
}

impl From<Filter1_1> for Filter {
    fn from(old: Filter1_1) -> Self {
        Self { centre: old.wavelength, name: None }
    }
}

#[test]
fn older_versions_are_read_step_by_step_and_written_as_the_newest() {
    for text in [
        "!<tag:x/filter-2.1.0> {centre: 5}",
        "{centre: 5}",
        "!<tag:x/filter-1.1.0> {wavelength: 5}",
        "!<tag:x/filter-1.0.0> {wavelength: 5 nm}",
    ] {
        let filter: Filter = from_text(text);
        assert_eq!(filter, Filter { centre: 5.0, name: None }, "{text}");
        assert_eq!(Node::new(&filter).unwrap().view().tag(), Some("tag:x/filter-2.0.0"));
    }
    round_trip(
        "!<tag:x/filter-2.0.0> {centre: 5.0, name: r}",
        &Filter { centre: 5.0, name: Some("r".into()) },
    );
}

#[test]
fn an_invalid_older_version_has_the_error_of_its_type() {
    assert_eq!(
        refused::<Filter>("!<tag:x/filter-1.1.0> {centre: 5}").lines().next(),
        Some("line 1, column 23: the required property 'wavelength' is missing")
    );
    assert_eq!(
        refused::<Filter>("!<tag:x/filter-1.0.0> {wavelength: red}"),
        "line 1, column 23: a value with the tag tag:x/filter-1.0.0 cannot become one of tag:x/filter-1.1.0: 'red' is not a \
         wavelength in nm"
    );
}

#[test]
fn an_unknown_version_stays_a_node() {
    let tree = parse("[!<tag:x/filter-3.0.0> {x: 1}, !<tag:x/filter-1.0.0> {wavelength: 1 nm}]").unwrap();
    let filters: Vec<Tagged<Filter>> = tree.get("").unwrap();
    assert!(matches!(filters.as_slice(), [Tagged::Other(_), Tagged::Known(_)]));
    assert_eq!(Node::new(&filters[0]).unwrap().view(), tree.at("/0").unwrap());
    assert!(refused::<Filter>("!<tag:x/filter-3.0.0> {x: 1}").contains("found the tag tag:x/filter-3.0.0"));
}

/// A later version: more is optional, another property is new.
#[derive(Asdf, Debug, PartialEq)]
#[asdf(tag = "tag:x/lamp-1.2.0", accepts = ["tag:x/lamp-1.1.0"], versions = [Lamp1_0, Lamp0_9])]
struct Lamp {
    power: Option<f64>,
    name: Option<Short>,
    #[asdf(tag)]
    tag: KeptTag,
}

/// A name of at most five characters.
#[derive(Asdf, Debug, PartialEq)]
#[asdf(check(max_length = 5))]
struct Short(String);

#[derive(Asdf, Debug, PartialEq)]
#[asdf(tag = "tag:x/lamp-1.0.0")]
struct Lamp1_0 {
    power: f64,
}

#[derive(Asdf, Debug, PartialEq)]
#[asdf(tag = "tag:x/lamp-0.9.0")]
struct Lamp0_9 {
    name: String,
}

/// The value without a tag of its own.
#[derive(Asdf, Debug, PartialEq)]
struct Wrapped(Lamp);

#[test]
fn other_versions_are_read_if_they_fit_and_keep_their_version() {
    for text in [
        "!<tag:x/lamp-1.2.0> {power: 5.0, name: blue}",
        "!<tag:x/lamp-1.1.0> {power: 5.0, name: blue}",
        "!<tag:x/lamp-1.0.0> {power: 5.0}",
        "!<tag:x/lamp-0.9.0> {name: blue}",
    ] {
        round_trip(text, &from_text::<Lamp>(text));
        round_trip(text, &from_text::<Wrapped>(text));
        let tagged: Tagged<Lamp> = from_text(text);
        assert!(tagged.known().is_some(), "{text}");
        round_trip(text, &tagged);
    }
}

#[test]
fn a_value_that_no_longer_fits_its_version_is_written_as_the_newest() {
    let mut lamp: Lamp = from_text("!<tag:x/lamp-1.0.0> {power: 5}");
    lamp.power = Some(6.0);
    assert_eq!(Node::new(&lamp).unwrap().view().tag(), Some("tag:x/lamp-1.0.0"));
    lamp.power = None;
    assert_eq!(Node::new(&lamp).unwrap().view().tag(), Some("tag:x/lamp-1.2.0"));
    lamp.name = Some(Short::new("red".into()).unwrap());
    assert_eq!(Node::new(&lamp).unwrap().view().tag(), Some("tag:x/lamp-1.2.0"));
}

#[test]
fn an_error_names_the_type_that_reads_the_version() {
    let text = "!<tag:x/lamp-0.9.0> {name: yellow}";
    let error = refused::<Lamp>(text);
    assert_eq!(
        error.lines().collect::<Vec<_>>(),
        [
            "line 1, column 21: a value with the tag tag:x/lamp-0.9.0 cannot be read as one of tag:x/lamp-1.2.0: \
             /name: found the string 'yellow', expected at most 5 characters for `Short`",
            "  hint: use the type `derive::versions::Lamp0_9`, which reads this version",
        ]
    );
    for tagged in [from_text::<Tagged<Lamp>>(text).other(), from_text::<Tagged<Wrapped>>(text).other()] {
        assert_eq!(tagged.unwrap().view().tag(), Some("tag:x/lamp-0.9.0"));
    }
    let both: Vec<Tagged<Box<Lamp>>> = from_text(&format!("[{text}, !<tag:x/lamp-0.9.0> {{name: red}}]"));
    assert!(both[0].other().is_some() && both[1].known().is_some());
}

#[test]
fn a_value_that_is_not_valid_for_its_version_is_refused() {
    let text = "!<tag:x/lamp-1.0.0> {name: blue}";
    let missing = "line 1, column 21: the required property 'power' is missing";
    assert_eq!(refused::<Lamp>(text).lines().next(), Some(missing));
    assert_eq!(refused::<Tagged<Lamp>>(text).lines().next(), Some(missing));
    assert_eq!(refused::<Lamp>("!<tag:x/lamp-0.8.0> {name: blue}").lines().count(), 2);
}
