//! Types that are read and written as other types.

use asdf_core::tree::Kind;
use asdf_core::value::OwnTag;
use asdf_core::{Asdf, FromNode, Node};

use super::{from_text, refused, round_trip};

/// An angle, written in degrees.
#[derive(Asdf, Debug, Clone, PartialEq)]
#[asdf(try_from = "f64", into = "f64")]
struct Latitude {
    degrees: f64,
}

impl TryFrom<f64> for Latitude {
    type Error = &'static str;

    fn try_from(degrees: f64) -> Result<Self, &'static str> {
        if degrees.abs() <= 90.0 { Ok(Self { degrees }) } else { Err("a latitude is from -90 to 90 degrees") }
    }
}

impl From<Latitude> for f64 {
    fn from(latitude: Latitude) -> Self {
        latitude.degrees
    }
}

#[derive(Asdf, Debug, PartialEq)]
struct Site {
    latitude: Latitude,
    others: Option<Vec<Latitude>>,
}

#[test]
fn a_value_is_read_and_written_as_the_other_type() {
    round_trip("12.5", &Latitude { degrees: 12.5 });
    round_trip("{latitude: 1.5}", &Site { latitude: Latitude { degrees: 1.5 }, others: None });
    assert!(Latitude::TYPES.contains(Kind::Float) && !Latitude::TYPES.contains(Kind::Mapping));
    assert_eq!(Latitude::OWN_TAG, OwnTag::None);
    assert_eq!(refused::<Latitude>("north"), "line 1, column 1: found the string 'north', expected a number");
}

#[test]
fn the_error_of_the_conversion_is_that_of_the_node() {
    assert_eq!(
        refused::<Site>("{latitude: 91, others: [0, -90.5]}"),
        "line 1, column 12: /latitude: the integer 91 cannot become `Latitude`: a latitude is from -90 to 90 degrees\n\
         line 1, column 28: /others/1: the float -90.5 cannot become `Latitude`: a latitude is from -90 to 90 degrees"
    );
}

/// A mapping in the file, flags here.
#[derive(Asdf, Debug, Clone, Copy, PartialEq)]
#[asdf(from = "Switches", into = "Switches", tag = "asdf://example.org/tags/flags-1.0.0", write_check = none_unknown)]
struct Flags(u8);

#[derive(Asdf)]
struct Switches {
    lamp: bool,
    shutter: bool,
}

impl From<Switches> for Flags {
    fn from(switches: Switches) -> Self {
        Self(u8::from(switches.lamp) + 2 * u8::from(switches.shutter))
    }
}

impl From<Flags> for Switches {
    fn from(flags: Flags) -> Self {
        Self { lamp: flags.0 & 1 != 0, shutter: flags.0 & 2 != 0 }
    }
}

fn none_unknown(flags: &Flags) -> asdf_core::Result<()> {
    if flags.0 < 4 { Ok(()) } else { Err(asdf_core::Error::usage(format!("unknown flags: {}", flags.0))) }
}

#[test]
fn a_converted_type_may_have_a_tag_and_a_check() {
    round_trip("!<asdf://example.org/tags/flags-1.0.0> {lamp: false, shutter: true}", &Flags(2));
    assert_eq!(from_text::<Flags>("{lamp: true, shutter: true}"), Flags(3));
    assert_eq!(Node::new(&Flags(4)).unwrap_err().to_string(), "unknown flags: 4");
    assert_eq!(
        refused::<Flags>("{lamp: 1, shutter: true}"),
        "line 1, column 8: /lamp: found the integer 1, expected a boolean"
    );
}

/// One of several, with a parameter.
#[derive(Asdf, Debug, Clone, PartialEq)]
#[asdf(from = "Vec<T>", into = "Vec<T>")]
enum Few<T: Clone> {
    None,
    Some(T, Vec<T>),
}

impl<T: Clone> From<Vec<T>> for Few<T> {
    fn from(values: Vec<T>) -> Self {
        let mut values = values.into_iter();
        values.next().map_or(Self::None, |first| Self::Some(first, values.collect()))
    }
}

impl<T: Clone> From<Few<T>> for Vec<T> {
    fn from(few: Few<T>) -> Self {
        match few {
            Few::None => Self::new(),
            Few::Some(first, rest) => std::iter::once(first).chain(rest).collect(),
        }
    }
}

#[test]
fn a_converted_type_may_have_parameters() {
    round_trip("[]", &Few::<f64>::None);
    round_trip("[1.5, 2.5]", &Few::Some(1.5, vec![2.5]));
    assert_eq!(
        refused::<Few<bool>>("[true, 5]"),
        "line 1, column 8: /1: found the integer 5, expected a boolean"
    );
}

/// Only written: it cannot be made of what is in the file.
#[derive(Asdf, Clone)]
#[asdf(into = "String", write_only)]
struct Shown(u8);

impl From<Shown> for String {
    fn from(shown: Shown) -> Self {
        format!("no. {}", shown.0)
    }
}

#[test]
fn a_type_that_is_only_written_is_converted_too() {
    assert_eq!(Node::new(&Shown(5)).unwrap().view().as_str(), Some("no. 5"));
}
