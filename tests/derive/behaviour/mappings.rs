//! Structs with named fields.

use std::collections::BTreeMap;

use asdf_core::Asdf;
use asdf_core::value::{Extra, Nullable, Timestamp};

use super::{from_text, refused, round_trip, to_text};

#[derive(Asdf, Debug, Clone, PartialEq)]
struct Exposure {
    start: Timestamp,
    duration: f64,
    frames: Option<u16>,
    filter: Option<String>,
}

fn exposure() -> Exposure {
    Exposure {
        start: Timestamp::new("2026-11-20").expect("it is a day"),
        duration: 1.5,
        frames: None,
        filter: None,
    }
}

#[test]
fn a_missing_option_is_none_and_none_is_not_written() {
    round_trip("{start: 2026-11-20, duration: 1.5}", &exposure());
    round_trip("{start: 2026-11-20, duration: 1.5, frames: 4}", &Exposure { frames: Some(4), ..exposure() });
    assert_eq!(from_text::<Exposure>("{start: 2026-11-20, duration: 1.5, filter: null}"), exposure());
    assert_eq!(to_text(&exposure()), "{start: 2026-11-20, duration: 1.5}");
}

#[test]
fn properties_are_written_in_the_order_of_the_fields() {
    let value: Exposure = from_text("{filter: r, duration: 2, start: 2026-11-20}");
    assert_eq!(to_text(&value), "{start: 2026-11-20, duration: 2.0, filter: r}");
}

#[test]
fn all_faults_are_reported_at_once() {
    assert_eq!(
        refused::<Exposure>("duration: long\nframes: 70000\nfiltre: r\n"),
        "line 1, column 1: the required property 'start' is missing\n\
         line 1, column 11: /duration: found the string 'long', expected a number\n\
         line 2, column 9: /frames: found the integer 70000, expected an integer from 0 to 65535\n\
         line 3, column 1: unknown property 'filtre' of `Exposure`\n  \
         hint: did you mean 'filter'? add a field `#[asdf(extra)] extra: Extra` to keep unknown properties"
    );
}

#[test]
fn another_kind_is_refused_with_the_name_of_the_type() {
    assert_eq!(
        refused::<Exposure>("[1, 2]"),
        "line 1, column 1: found a sequence of 2 items, expected a mapping for `Exposure`"
    );
}

#[derive(Asdf, Debug, PartialEq)]
struct Observation {
    exposures: Vec<Exposure>,
    by_name: BTreeMap<String, Exposure>,
    parent: Option<Box<Observation>>,
}

#[test]
fn faults_deep_down_have_their_path() {
    let text = "exposures:\n- {start: 2026-11-20, duration: 1}\n- {start: 2026-11-20, duration: x}\n\
                by_name:\n  a/b: 5\nparent: {exposures: [], by_name: {}, parent: []}\n";
    assert_eq!(
        refused::<Observation>(text),
        "line 3, column 33: /exposures/1/duration: found the string 'x', expected a number\n\
         line 5, column 8: /by_name/a~1b: found the integer 5, expected a mapping for `Exposure`\n\
         line 6, column 46: /parent/parent: found a sequence of 0 items, expected a mapping for `Observation`"
    );
}

#[test]
fn types_may_hold_themselves() {
    let inner = Observation { exposures: vec![], by_name: BTreeMap::new(), parent: None };
    let outer = Observation {
        exposures: vec![exposure()],
        by_name: [("a".to_owned(), exposure())].into(),
        parent: Some(Box::new(inner)),
    };
    round_trip(
        "{exposures: [{start: 2026-11-20, duration: 1.5}], by_name: {a: {start: 2026-11-20, duration: 1.5}}, \
         parent: {exposures: [], by_name: {}}}",
        &outer,
    );
}

#[derive(Asdf, Debug, PartialEq)]
struct Open {
    #[asdf(extra)]
    extra: Extra,
    name: String,
}

#[test]
fn unknown_properties_are_kept_with_their_tags_and_order() {
    let text = "{name: a, z: !<tag:x/y-1.0> [1, 2], 5: five, b: {c: null}}";
    let value: Open = from_text(text);
    assert_eq!(value.extra.len(), 3);
    assert_eq!(value.extra.get("z").unwrap().own_tag(), Some("tag:x/y-1.0"));
    round_trip(text, &value);
    round_trip("{name: a}", &Open { extra: Extra::new(), name: "a".into() });
}

#[test]
fn an_extra_property_cannot_hide_a_field() {
    let mut value = Open { extra: Extra::new(), name: "a".into() };
    value.extra.insert("name", "b").unwrap();
    let error = asdf_core::Node::new(&value).unwrap_err();
    assert_eq!(error.to_string(), "/name: the extra property 'name' is also a field");
}

#[derive(Asdf, Debug, PartialEq)]
struct Renamed {
    r#type: String,
    #[asdf(rename = "p/q r")]
    odd: u8,
    #[asdf(rename = "")]
    empty: Option<u8>,
    #[asdf(rename = "type")]
    #[asdf(with = upper)]
    #[cfg(any())]
    never: u8,
}

#[test]
fn keys_can_differ_from_names() {
    round_trip("{type: a, p/q r: 1, '': 2}", &Renamed { r#type: "a".into(), odd: 1, empty: Some(2) });
    assert_eq!(
        refused::<Renamed>("{type: a, p/q r: x}"),
        "line 1, column 18: /p~1q r: found the string 'x', expected an integer from 0 to 255"
    );
}

fn nine() -> u8 {
    9
}

mod constants {
    pub(super) const LIMIT: f64 = 0.5;
    pub(super) fn list() -> Vec<u8> {
        vec![1]
    }
}

#[derive(Asdf, Debug, PartialEq)]
#[asdf(new)]
struct Defaults {
    name: String,
    #[asdf(default)]
    of_type: Vec<u8>,
    #[asdf(default = nine)]
    called: u8,
    #[asdf(default = constants::list)]
    by_path: Vec<u8>,
    #[asdf(default = constants::LIMIT)]
    constant: f64,
    #[asdf(default = -1)]
    literal: i64,
    #[asdf(default = "linear")]
    text: String,
    #[asdf(default = Some(3))]
    option: Option<u8>,
    comment: Option<String>,
}

#[test]
fn missing_properties_have_their_defaults() {
    let value = Defaults::new("a".into());
    assert_eq!(
        value,
        Defaults {
            name: "a".into(),
            of_type: vec![],
            called: 9,
            by_path: vec![1],
            constant: 0.5,
            literal: -1,
            text: "linear".into(),
            option: Some(3),
            comment: None,
        }
    );
    assert_eq!(from_text::<Defaults>("{name: a}"), value);
    assert_eq!(
        to_text(&value),
        "{name: a, of_type: [], called: 9, by_path: [1], constant: 0.5, literal: -1, text: linear, option: 3}"
    );
}

#[test]
fn none_is_written_if_its_absence_would_mean_something_else() {
    let value = Defaults { option: None, ..Defaults::new("a".into()) };
    assert!(to_text(&value).ends_with("option: null}"));
    assert_eq!(from_text::<Defaults>(&to_text(&value)), value);
}

mod upper {
    use asdf_core::{NodeId, NodeRef, Result, Tree};

    pub(super) fn from_node(node: NodeRef<'_>) -> Result<String> {
        node.as_str().map(str::to_uppercase).ok_or_else(|| node.expected("a word"))
    }

    pub(super) fn to_node(value: &str, tree: &mut Tree) -> Result<NodeId> {
        Ok(tree.add_str(&value.to_lowercase()))
    }
}

#[derive(Asdf, Debug, PartialEq)]
#[asdf(new)]
struct With {
    #[asdf(with = upper)]
    required: String,
    #[asdf(with = upper)]
    optional: Option<String>,
    #[asdf(with = self::upper, default = "NONE", rename = "or else")]
    defaulted: String,
    #[asdf(with = upper, default = Some("X".to_owned()))]
    both: Option<String>,
}

#[test]
fn a_module_reads_and_writes_for_another_type() {
    let value = With { optional: Some("B".into()), ..With::new("A".into()) };
    assert_eq!(value.defaulted, "NONE");
    round_trip("{required: a, optional: b, or else: none, both: x}", &value);
    let value: With = from_text("{required: a, both: null}");
    assert_eq!(value, With { both: None, ..With::new("A".into()) });
    round_trip("{required: a, or else: none, both: null}", &value);
    assert_eq!(
        refused::<With>("optional: 5\n"),
        "line 1, column 1: the required property 'required' is missing\n\
         line 1, column 11: /optional: found the integer 5, expected a word"
    );
}

#[derive(Asdf, Debug, PartialEq)]
struct Nulls {
    value: Option<Nullable<f64>>,
}

#[test]
fn null_and_absence_can_be_kept_apart() {
    round_trip("{}", &Nulls { value: None });
    round_trip("{value: null}", &Nulls { value: Some(Nullable::Null) });
    round_trip("{value: 1.0}", &Nulls { value: Some(Nullable::Value(1.0)) });
}

#[derive(Asdf, Debug, PartialEq)]
#[asdf(new)]
struct Empty {}

#[test]
fn a_struct_without_fields_is_an_empty_mapping() {
    round_trip("{}", &Empty::new());
    assert_eq!(
        refused::<Empty>("{a: 1}"),
        "line 1, column 2: unknown property 'a' of `Empty`\n  \
         hint: add a field `#[asdf(extra)] extra: Extra` to keep unknown properties"
    );
}

#[test]
fn a_foreign_tag_on_a_struct_without_one_is_not_lost_silently() {
    assert_eq!(
        refused::<Empty>("!<tag:x> {}"),
        "line 1, column 10: found the tag tag:x, expected a mapping\n  \
         hint: use a field of type `Tagged<T>` or `Node` to keep unknown tags and versions"
    );
}
