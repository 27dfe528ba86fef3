//! Older versions of a type become the newest.

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
        let wavelength = number.ok_or_else(|| format!("'{}' is no wavelength in nm", old.wavelength))?;
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
fn an_older_version_that_is_wrong_is_told_in_its_own_words() {
    assert_eq!(
        refused::<Filter>("!<tag:x/filter-1.1.0> {centre: 5}").lines().next(),
        Some("line 1, column 23: the required property 'wavelength' is missing")
    );
    assert_eq!(
        refused::<Filter>("!<tag:x/filter-1.0.0> {wavelength: red}"),
        "line 1, column 23: a value with the tag tag:x/filter-1.0.0 cannot become one of tag:x/filter-1.1.0: 'red' is no \
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
