//! Enums: names, values by kind and tag, and both.

use asdf_core::tree::Kind;
use asdf_core::value::KeptTag;
use asdf_core::yaml::parse;
use asdf_core::{Asdf, FromNode, Node};

use super::{from_text, refused, round_trip, to_text};

#[derive(Asdf, Debug, Clone, Copy, PartialEq)]
enum Interpolation {
    #[asdf(rename = "nearest-neighbour")]
    Nearest,
    #[asdf(rename = "linear")]
    Linear,
    Cubic,
    r#Type,
}

#[test]
fn names_are_strings() {
    round_trip("nearest-neighbour", &Interpolation::Nearest);
    round_trip("Cubic", &Interpolation::Cubic);
    round_trip("Type", &Interpolation::r#Type);
    assert_eq!(
        refused::<Interpolation>("liner"),
        "line 1, column 1: found the string 'liner', expected 'nearest-neighbour', 'linear', 'Cubic' or 'Type' \
         for `Interpolation`\n  hint: did you mean 'linear'?"
    );
    assert_eq!(
        refused::<Interpolation>("[]"),
        "line 1, column 1: found a sequence of 0 items, expected 'nearest-neighbour', 'linear', 'Cubic' or \
         'Type' for `Interpolation`"
    );
}

#[derive(Asdf, Debug, PartialEq)]
enum Word {
    #[asdf(rename = "yes")]
    Yes,
    #[asdf(rename = "1")]
    One,
}

#[test]
fn names_that_look_like_something_else_are_quoted() {
    assert_eq!(to_text(&vec![Word::Yes, Word::One]), "['yes', '1']");
    round_trip("['yes', '1']", &vec![Word::Yes, Word::One]);
    assert!(refused::<Word>("yes").contains("found the boolean yes"));
}

#[derive(Asdf, Debug, PartialEq)]
struct Circle {
    radius: f64,
}

#[derive(Asdf, Debug, PartialEq)]
struct Square {
    side: f64,
}

#[derive(Asdf, Debug, PartialEq)]
enum Size {
    Number(f64),
    Pair(Vec<f64>),
    Text(String),
}

#[derive(Asdf, Debug, PartialEq)]
enum Shape {
    Circle(Circle),
    Square(Square),
    Points(Vec<f64>),
}

#[test]
fn values_are_chosen_by_kind() {
    round_trip("1.0", &Size::Number(1.0));
    round_trip("[1.0, 2.0]", &Size::Pair(vec![1.0, 2.0]));
    round_trip("a", &Size::Text("a".into()));
    assert_eq!(
        refused::<Size>("{a: 1}"),
        "line 1, column 1: found a mapping of 1 entry, expected a number, a sequence or a string for `Size`"
    );
}

#[test]
fn the_only_matching_variant_reports_its_own_error() {
    assert_eq!(refused::<Size>("[1, x]"), "line 1, column 5: /1: found the string 'x', expected a number");
}

#[test]
fn several_variants_are_tried_in_order() {
    round_trip("{radius: 1.0}", &Shape::Circle(Circle { radius: 1.0 }));
    round_trip("{side: 1.0}", &Shape::Square(Square { side: 1.0 }));
    assert_eq!(
        refused::<Shape>("{side: x}"),
        "line 1, column 1: found a mapping of 1 entry, expected one of `Shape`; as `Circle`: the required \
         property 'radius' is missing (and 1 more); as `Square`: /side: found the string 'x', expected a number"
    );
}

#[derive(Asdf, Debug, PartialEq)]
enum Extent {
    #[asdf(rename = "auto")]
    Auto,
    Number(f64),
    Named(Interpolation),
    Other(String),
}

#[test]
fn names_and_values_mix() {
    round_trip("auto", &Extent::Auto);
    round_trip("1.0", &Extent::Number(1.0));
    round_trip("linear", &Extent::Named(Interpolation::Linear));
    round_trip("x", &Extent::Other("x".into()));
    assert_eq!(
        refused::<Extent>("null"),
        "line 1, column 1: found null, expected 'auto', a number or a string for `Extent`"
    );
}

#[derive(Asdf, Debug, PartialEq)]
enum NumberOrAuto {
    #[asdf(rename = "auto")]
    Auto,
    Number(f64),
}

#[derive(Asdf, Debug, PartialEq)]
enum Outer {
    Inner(NumberOrAuto),
    List(Vec<NumberOrAuto>),
}

#[test]
fn enums_nest() {
    round_trip("auto", &Outer::Inner(NumberOrAuto::Auto));
    round_trip("[auto, 1.0]", &Outer::List(vec![NumberOrAuto::Auto, NumberOrAuto::Number(1.0)]));
    assert!(Outer::TYPES.contains(Kind::String) && !Outer::TYPES.contains(Kind::Mapping));
    assert_eq!(
        refused::<Outer>("[auto, autp]"),
        "line 1, column 8: /1: found the string 'autp', expected 'auto' or a number for `NumberOrAuto`\n  \
         hint: did you mean 'auto'?"
    );
}

#[derive(Asdf, Debug, PartialEq)]
#[asdf(tag = "tag:x/circle-1.0.0")]
struct TaggedCircle {
    radius: f64,
}

#[derive(Asdf, Debug, PartialEq)]
#[asdf(tag = "tag:x/square-1.0.0")]
struct TaggedSquare {
    side: f64,
}

#[derive(Asdf, Debug, PartialEq)]
enum TaggedShape {
    Circle(TaggedCircle),
    Square(Box<TaggedSquare>),
}

#[test]
fn values_are_chosen_by_tag() {
    round_trip("!<tag:x/circle-1.0.0> {radius: 1.0}", &TaggedShape::Circle(TaggedCircle { radius: 1.0 }));
    round_trip(
        "!<tag:x/square-1.0.0> {side: 1.0}",
        &TaggedShape::Square(Box::new(TaggedSquare { side: 1.0 })),
    );
    assert_eq!(
        refused::<TaggedShape>("!<tag:x/square-1.0.0> {radius: 1.0}"),
        "line 1, column 23: the required property 'side' is missing\n\
         line 1, column 24: unknown property 'radius' of `TaggedSquare`\n  \
         hint: add a field `#[asdf(extra)] extra: Extra` to keep unknown properties"
    );
    assert_eq!(
        refused::<Vec<TaggedShape>>("[!<tag:x/hexagon-1.0.0> {side: 1.0}]"),
        "line 1, column 25: /0: found the tag tag:x/hexagon-1.0.0, expected a mapping tagged \
         tag:x/circle-1.0.0 or a mapping tagged tag:x/square-1.0.0\n  \
         hint: use a field of type `Tagged<T>` or `Node` to keep unknown tags and versions"
    );
    assert_eq!(
        refused::<TaggedShape>("5"),
        "line 1, column 1: found the integer 5, expected a mapping tagged tag:x/circle-1.0.0 or a mapping tagged \
         tag:x/square-1.0.0 for `TaggedShape`"
    );
    assert_eq!(
        from_text::<TaggedShape>("{side: 1.0}"),
        TaggedShape::Square(Box::new(TaggedSquare { side: 1.0 }))
    );
}

#[derive(Asdf, Debug, PartialEq)]
enum WithRest {
    Circle(TaggedCircle),
    Other(Box<Node>),
}

#[test]
fn a_node_as_the_last_variant_takes_the_rest() {
    for text in ["!<tag:x/hexagon-1.0.0> {side: 1.0}", "5", "{radius: x}"] {
        let value: WithRest = from_text(text);
        assert!(matches!(value, WithRest::Other(_)), "{text}");
        round_trip(text, &value);
    }
}

#[derive(Asdf, Debug, PartialEq)]
#[asdf(tag = "tag:x/level-1.1.0", accepts = ["tag:x/level-1.0.0"])]
enum Level {
    #[asdf(rename = "auto")]
    Auto,
    Number(f64),
    Range(Vec<f64>),
}

#[test]
fn an_enum_can_have_a_tag() {
    round_trip("!<tag:x/level-1.1.0> auto", &Level::Auto);
    let error = asdf_core::Node::new(&Level::Number(1.0)).expect_err("a tagged scalar is text");
    assert!(error.message().ends_with("cannot have the tag tag:x/level-1.1.0: a tagged scalar is text"));
    round_trip("!<tag:x/level-1.1.0> [1.0]", &Level::Range(vec![1.0]));
    assert_eq!(from_text::<Level>("!<tag:x/level-1.0.0> auto"), Level::Auto);
    assert_eq!(from_text::<Level>("auto"), Level::Auto);
    assert_eq!(
        refused::<Level>("!<tag:x/level-1.1.0> {}"),
        "line 1, column 22: found a mapping of 0 entries tagged tag:x/level-1.1.0, expected 'auto', a number \
         or a sequence for `Level`"
    );
    assert!(refused::<Level>("!<tag:x/level-2.0.0> auto").contains("found the tag tag:x/level-2.0.0"));
}

#[derive(Asdf, Debug, PartialEq)]
#[asdf(tag = "tag:x/extent-1.1.0", accepts = ["tag:x/extent-1.*"])]
struct Versions(Extent, #[asdf(tag)] KeptTag);

#[derive(Asdf, Debug, PartialEq)]
enum Nested {
    Versions(Versions),
    Shape(TaggedShape),
    Outer(Vec<Outer>),
}

#[test]
fn the_tag_around_an_enum_is_not_one_of_its_values() {
    round_trip("!<tag:x/extent-1.1.0> auto", &Versions(Extent::Auto, KeptTag::Newest));
    round_trip(
        "!<tag:x/extent-1.0.0> auto",
        &Versions(Extent::Auto, KeptTag::As("tag:x/extent-1.0.0".into())),
    );
    for text in ["!<tag:x/extent-1.0.0> auto", "!<tag:x/circle-1.0.0> {radius: 1.0}", "x", "[auto, [1.0]]"] {
        round_trip(text, &from_text::<Nested>(text));
    }
    assert_eq!(
        refused::<Versions>("!<tag:x/extent-1.0.0> []"),
        "line 1, column 23: found a sequence of 0 items tagged tag:x/extent-1.0.0, expected 'auto', a number or a \
         string for `Extent`"
    );
    // `get` reads whatever tag the node itself has.
    let tree = parse("[!<tag:x> 1.0, !<tag:x> {radius: 1.0}]").unwrap();
    assert_eq!(tree.get::<Extent>("/0").unwrap(), Extent::Number(1.0));
    assert_eq!(
        tree.get::<TaggedShape>("/1").unwrap_err().to_string(),
        "line 1, column 25: /1: found a mapping of 1 entry tagged tag:x, expected one of `TaggedShape`; as \
         `Circle`: found the tag tag:x, expected tag:x/circle-1.0.0; as `Square`: found the tag tag:x, expected \
         tag:x/square-1.0.0"
    );
}

#[derive(Asdf, Debug, PartialEq)]
#[asdf(tag = "tag:x/word-1.0.0")]
struct TaggedWord(String);

#[derive(Asdf, Debug, PartialEq)]
enum AutoOrWord {
    #[asdf(rename = "auto")]
    Auto,
    Word(TaggedWord),
}

#[test]
fn a_tag_says_more_than_a_name() {
    round_trip("auto", &AutoOrWord::Auto);
    round_trip("!<tag:x/word-1.0.0> auto", &AutoOrWord::Word(TaggedWord("auto".into())));
    let tree = parse("!<tag:y> auto").unwrap();
    assert_eq!(tree.get::<AutoOrWord>("").unwrap(), AutoOrWord::Auto);
}
