//! Structs with one value.

use asdf_core::tree::Kind;
use asdf_core::value::KeptTag;
use asdf_core::{Asdf, FromNode, Node};

use super::{from_text, refused, round_trip};

#[derive(Asdf, Debug, PartialEq)]
#[asdf(new)]
struct Filename(String);

#[derive(Asdf, Debug, PartialEq)]
struct Maybe(Option<f64>);

#[derive(Asdf, Debug, PartialEq)]
struct Holder {
    name: Filename,
    maybe: Maybe,
}

#[test]
fn a_newtype_is_its_value() {
    round_trip("abc.fits", &Filename::new("abc.fits".into()));
    assert!(Filename::TYPES.contains(Kind::String) && !Filename::TYPES.contains(Kind::Int));
    assert_eq!(refused::<Filename>("5"), "line 1, column 1: found the integer 5, expected a string");
}

#[test]
fn optional_values_stay_optional_inside_a_newtype() {
    round_trip("{name: a}", &Holder { name: Filename("a".into()), maybe: Maybe(None) });
    round_trip("{name: a, maybe: 1.0}", &Holder { name: Filename("a".into()), maybe: Maybe(Some(1.0)) });
}

#[derive(Asdf, Debug, PartialEq)]
struct Anything(Node);

#[test]
fn a_newtype_passes_on_the_tags_that_its_value_keeps() {
    let text = "[!<tag:x> {a: 1}, 5]";
    round_trip(text, &from_text::<Vec<Anything>>(text));
}

#[derive(Asdf, Debug, PartialEq)]
#[asdf(tag = "tag:x/list-1.0.0")]
struct List(Vec<u8>);

#[test]
fn a_tag_goes_to_the_node_of_the_value() {
    round_trip("!<tag:x/list-1.0.0> [1, 2]", &List(vec![1, 2]));
    assert_eq!(from_text::<List>("[1, 2]"), List(vec![1, 2]));
    assert_eq!(
        refused::<List>("!<tag:x/list-1.1.0> [1, 2]"),
        "line 1, column 21: found the tag tag:x/list-1.1.0, expected a sequence tagged \
         tag:x/list-1.0.0\n  \
         hint: use a field of type `Tagged<T>` or `Node` to keep unknown tags and versions"
    );
    assert_eq!(
        refused::<List>("!<tag:x/list-1.0.0> [1, x]"),
        "line 1, column 25: /1: found the string 'x', expected an integer from 0 to 255"
    );
}

#[derive(Asdf, Debug, PartialEq)]
#[asdf(tag = "tag:x/list-1.1.0", accepts = ["tag:x/list-1.*"], new)]
struct Versions(Vec<u8>, #[asdf(tag)] KeptTag);

#[derive(Asdf, Debug, PartialEq)]
#[asdf(tag = "tag:x/list-1.1.0", new)]
struct Reversed(#[asdf(tag)] KeptTag, Vec<u8>);

#[test]
fn a_newtype_can_keep_its_tag() {
    round_trip("!<tag:x/list-1.0.0> [1]", &Versions(vec![1], KeptTag::As("tag:x/list-1.0.0".into())));
    round_trip("[1]", &Versions(vec![1], KeptTag::Untagged));
    round_trip("!<tag:x/list-1.1.0> [1]", &Versions::new(vec![1]));
    round_trip("[1]", &Reversed(KeptTag::Untagged, vec![1]));
    round_trip("!<tag:x/list-1.1.0> [1]", &Reversed::new(vec![1]));
}
