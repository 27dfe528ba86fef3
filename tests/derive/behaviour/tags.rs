//! Tags are written, checked and kept.

use asdf_core::value::{Extra, KeptTag};
use asdf_core::yaml::parse;
use asdf_core::{Asdf, Node, NodeId, Tagged, ToNode, Tree, error};

use super::{from_text, refused, round_trip};

#[derive(Asdf, Debug, PartialEq)]
#[asdf(tag = "asdf://example.org/tags/filter-1.1.0")]
struct Filter {
    name: String,
}

#[test]
fn the_tag_is_written() {
    round_trip("!<asdf://example.org/tags/filter-1.1.0> {name: r}", &Filter { name: "r".into() });
    assert_eq!(Filter::TAG, "asdf://example.org/tags/filter-1.1.0");
    assert!(Filter::ACCEPTS.is_empty());
}

#[test]
fn a_node_without_a_tag_is_read_and_another_tag_is_refused() {
    assert_eq!(from_text::<Filter>("{name: r}"), Filter { name: "r".into() });
    let tree = parse("a: !<asdf://example.org/tags/filter-1.0.0> {name: r}").unwrap();
    assert_eq!(
        tree.get::<Filter>("/a").unwrap_err().to_string(),
        "line 1, column 44: /a: found the tag asdf://example.org/tags/filter-1.0.0, expected \
         asdf://example.org/tags/filter-1.1.0\n  \
         hint: use a field of type `Tagged<T>` or `Node` to keep unknown tags and versions"
    );
}

#[derive(Asdf, Debug, PartialEq)]
#[asdf(tag = "tag:x/filter-1.2.0", accepts = ["tag:x/filter-1.*", "tag:old/filter-0.1.0"], new)]
struct Versions {
    name: String,
    #[asdf(tag)]
    version: KeptTag,
    #[asdf(extra)]
    extra: Extra,
}

#[test]
fn the_version_that_was_read_is_written() {
    let with = |version| Versions { version, ..Versions::new("r".into()) };
    round_trip("!<tag:x/filter-1.2.0> {name: r}", &with(KeptTag::Newest));
    round_trip("!<tag:x/filter-1.0.0> {name: r}", &with(KeptTag::As("tag:x/filter-1.0.0".into())));
    round_trip("!<tag:old/filter-0.1.0> {name: r}", &with(KeptTag::As("tag:old/filter-0.1.0".into())));
    round_trip("{name: r}", &with(KeptTag::Untagged));
    assert_eq!(Versions::new("r".into()).version, KeptTag::Newest);
    assert_eq!(Versions::ACCEPTS, ["tag:x/filter-1.*", "tag:old/filter-0.1.0"]);
    assert!(
        refused::<Versions>("!<tag:x/filter-2.0.0> {name: r}").contains("found the tag tag:x/filter-2.0.0")
    );
}

#[test]
fn a_tag_that_the_type_does_not_accept_is_not_written() {
    let with = |tag: &str| {
        let version = KeptTag::As(tag.into());
        Node::new(&Versions { version, ..Versions::new("r".into()) })
    };
    assert!(with("tag:x/filter-1.5.0").is_ok());
    for tag in ["tag:x/filter-2.0.0", "tag:x/software-1.0.0", "no URI\nat all"] {
        let error = with(tag).unwrap_err();
        assert_eq!(error.kind(), error::Kind::Usage);
        let expected = "tag:x/filter-1.2.0 or tag:x/filter-1.* or tag:old/filter-0.1.0";
        let tag = tag.escape_debug();
        assert_eq!(error.message(), format!("cannot write a value with the tag {tag}, expected {expected}"));
    }
}

#[derive(Asdf, Debug, PartialEq)]
#[asdf(tag = "tag:x/filter-1.2.0", accepts = ["tag:x/filter-1.*"])]
struct Upgraded {
    name: String,
}

#[test]
fn without_a_field_for_it_the_newest_version_is_written() {
    let value: Upgraded = from_text("!<tag:x/filter-1.0.0> {name: r}");
    let node = Node::new(&value).unwrap();
    assert_eq!(node.view().tag(), Some("tag:x/filter-1.2.0"));
}

#[derive(Asdf, Debug, PartialEq)]
struct Instrument {
    filter: Tagged<Filter>,
    filters: Vec<Versions>,
}

#[test]
fn values_with_tags_can_be_fields() {
    let text = "{filter: !<asdf://example.org/tags/filter-9.0.0> {nom: r}, filters: [\
                !<tag:x/filter-1.0.0> {name: g}, !<tag:x/filter-1.2.0> {name: h, more: 1}]}";
    let value: Instrument = from_text(text);
    assert!(value.filter.known().is_none());
    round_trip(text, &value);
    assert_eq!(
        refused::<Instrument>("filter: {name: r}\nfilters:\n- !<tag:y> {name: r}\n"),
        "line 3, column 12: /filters/0: found the tag tag:y, expected a mapping tagged tag:x/filter-1.2.0\n  \
         hint: use a field of type `Tagged<T>` or `Node` to keep unknown tags and versions"
    );
}

#[derive(Asdf, Debug, PartialEq)]
#[asdf(tag = "tag:x/a-1.0.0")]
#[asdf(accepts = ["tag:**/a-1.*"])]
struct Anywhere {}

#[test]
fn patterns_have_stars() {
    for (text, fits) in
        [("!<tag:x/a-1.5.0> {}", true), ("!<tag:y/z/a-1.0.0> {}", true), ("!<tag:x/b-1.0.0> {}", false)]
    {
        assert_eq!(parse(text).unwrap().get::<Anywhere>("").is_ok(), fits, "{text}");
    }
}

#[derive(Asdf, Debug, PartialEq)]
#[asdf(tag = "tag:x/constant-1.0.0")]
struct Constant(Node);

#[derive(Asdf)]
#[asdf(tag = "tag:x/note-1.0.0", write_only)]
struct Gain(f64);

#[derive(Asdf)]
#[asdf(tag = "tag:x/note-1.0.0")]
struct Note(Option<String>, #[asdf(tag)] KeptTag);

fn error(value: &impl ToNode) -> String {
    Node::new(value).expect_err("the value cannot have a tag").to_string()
}

#[test]
fn a_number_under_a_tag_is_not_written() {
    let constant = |value: &dyn Fn(&mut Tree) -> NodeId| {
        let mut tree = Tree::new();
        let id = value(&mut tree);
        Constant(Node::from_ref(tree.node(id)).unwrap())
    };
    assert_eq!(
        error(&constant(&|tree| tree.add_float(2.0))),
        "the float 2.0 cannot have the tag tag:x/constant-1.0.0: a tagged scalar is text\n  \
         hint: write a mapping or a `String`"
    );
    assert!(Node::new(&constant(&|tree| tree.add_str("2.0"))).is_ok());
    assert!(Node::new(&constant(&|tree| tree.add_sequence([]))).is_ok());
    assert!(error(&Gain(1.5)).contains("the float 1.5 cannot have the tag"));
    assert!(error(&Note(None, KeptTag::Newest)).contains("null cannot have the tag"));
    assert!(Node::new(&Note(None, KeptTag::Untagged)).is_ok());
    assert!(Node::new(&Note(Some("a".into()), KeptTag::Newest)).is_ok());
    // A value that was read with the tag is text, and stays text.
    round_trip("!<tag:x/constant-1.0.0> 5", &from_text::<Constant>("!<tag:x/constant-1.0.0> 5"));
}

const SHARED: &str = "tag:x/filter-1.0.0";

/// Places that ask for another tag than that of new values.
#[derive(Asdf, Debug, PartialEq)]
struct Places {
    #[asdf(write_tags = ["tag:x/filter-1.0.0"])]
    one: Versions,
    #[asdf(write_tags = ["tag:x/filter-1.0.0", "tag:x/filter-1.1.*"])]
    some: Option<Versions>,
    either: Either,
}

#[derive(Asdf, Debug, PartialEq)]
enum Either {
    #[asdf(write_tags = ["tag:x/filter-1.0.0"])]
    Filter(Box<Versions>),
    Number(f64),
}

#[test]
fn a_field_sets_the_tag_of_new_values() {
    let with = |version| Versions { version, ..Versions::new("r".into()) };
    let written = |version: KeptTag| {
        let either = Either::Filter(Box::new(with(version.clone())));
        let node =
            Node::new(&Places { one: with(version.clone()), some: Some(with(version)), either }).unwrap();
        ["one", "some", "either"].map(|key| node.view().get(key).unwrap().own_tag().map(str::to_owned))
    };
    let tags = |tags: [&str; 3]| tags.map(|tag| Some(tag.to_owned()));
    assert_eq!(written(KeptTag::Newest), tags([SHARED; 3]));
    assert_eq!(written(KeptTag::As("tag:x/filter-1.3.0".into())), tags([SHARED; 3]));
    let kept = "tag:x/filter-1.1.5";
    assert_eq!(written(KeptTag::As(kept.into())), tags([SHARED, kept, SHARED]));
    assert_eq!(written(KeptTag::Untagged), [None, None, None]);

    // A value that is read with another accepted tag is written with the tag of the field.
    let read: Places = from_text("{one: !<tag:x/filter-1.2.0> {name: r}, either: 1.5}");
    assert_eq!(Node::new(&read).unwrap().view().get("one").unwrap().own_tag(), Some(SHARED));
    assert_eq!(read.some, None);
    assert!(Node::new(&read).unwrap().view().get("some").is_none());
}

#[derive(Asdf)]
struct Misplaced {
    #[asdf(write_tags = ["tag:x/grism-1.0.0"])]
    filter: Versions,
}

#[test]
fn a_field_cannot_set_a_tag_that_the_type_does_not_accept() {
    let error = Node::new(&Misplaced { filter: Versions::new("r".into()) }).unwrap_err();
    assert_eq!(error.kind(), error::Kind::Usage);
    assert_eq!(
        error.to_string(),
        "/filter: cannot write a value of the tag tag:x/filter-1.2.0 with tag:x/grism-1.0.0, which its field \
         requires: its type does not accept that tag"
    );
}

/// A base without a tag, and what builds on it.
#[derive(Asdf, Debug, PartialEq)]
#[asdf(by_tag)]
enum AnyElement {
    Element(Element),
    Filter(Filter),
    Grism(Grism),
}

#[derive(Asdf, Debug, PartialEq)]
struct Element {
    size: Option<f64>,
    #[asdf(extra)]
    extra: Extra,
}

#[derive(Asdf, Debug, PartialEq)]
#[asdf(tag = "tag:x/grism-1.0.0")]
struct Grism {
    #[asdf(extra)]
    extra: Extra,
}

#[test]
fn only_a_tag_selects_a_type_that_builds_on_a_base() {
    assert_eq!(
        from_text::<AnyElement>("!<tag:x/grism-1.0.0> {}"),
        AnyElement::Grism(Grism { extra: Extra::new() })
    );
    assert!(matches!(from_text("{name: r, size: 1}"), AnyElement::Element(_)));
    // A `Grism` can have any properties, including this one.
    assert_eq!(
        refused::<AnyElement>("{size: wide}"),
        "line 1, column 8: /size: found the string 'wide', expected a number"
    );
    assert_eq!(
        refused::<AnyElement>("wide"),
        "line 1, column 1: found the string 'wide', expected a mapping for `AnyElement`"
    );
}
