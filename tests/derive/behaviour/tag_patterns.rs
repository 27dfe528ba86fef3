//! Fields that accept the tags that match a pattern.

use std::collections::BTreeMap;

use asdf_core::value::{AnyTag, KeptTag, Nullable, TagPattern, TaggedNode};
use asdf_core::yaml::parse;
use asdf_core::{Asdf, FromNode, Node, Tagged, ToNode, error};

use super::{from_text, refused, round_trip};

const HINT: &str = "\n  hint: use a field of type `Tagged<T>` or `Node` to keep unknown tags and versions";

#[derive(TagPattern)]
#[asdf(tags = ["tag:x/filter-1.*"])]
enum FilterV1 {}

#[derive(TagPattern)]
#[asdf(tags = ["tag:x/filter-1.0.*", "tag:**/grism-*"])]
enum FilterOrGrism {}

/// It reads version 2 as well, which not every field takes.
#[derive(Asdf, Debug, Clone, PartialEq)]
#[asdf(tag = "tag:x/filter-1.1.0", accepts = ["tag:x/filter-2.0.0"], new)]
struct Filter {
    name: String,
    #[asdf(tag)]
    tag: KeptTag,
}

#[derive(Asdf, Debug, PartialEq)]
struct Camera {
    filter: Tagged<Filter, FilterV1>,
    other: Option<Tagged<Filter, FilterOrGrism>>,
    list: Option<Vec<Tagged<Filter, FilterV1>>>,
    map: Option<BTreeMap<String, Nullable<Tagged<Filter, FilterV1>>>>,
    any: Option<Box<Tagged<Filter>>>,
}

#[test]
fn matching_tags_are_read_or_kept() {
    let text = "{filter: !<tag:x/filter-1.1.0> {name: r}, other: !<tag:y/z/grism-7> [1], \
                list: [!<tag:x/filter-1.9.0> {nom: r}, {name: g}], map: {a: null, b: !<tag:x/filter-1.> 5}, \
                any: !<tag:y> {}}";
    let camera: Camera = from_text(text);
    assert_eq!(camera.filter.known().map(|filter| filter.name.as_str()), Some("r"));
    assert!(camera.filter.other().is_none());
    let kept = camera.other.as_ref().and_then(Tagged::other).unwrap();
    assert_eq!(kept.view().tag(), Some("tag:y/z/grism-7"));
    assert!(matches!(camera.list.as_deref(), Some([Tagged::Other(_), Tagged::Known(_)])));
    round_trip(text, &camera);
}

#[test]
fn other_tags_are_refused() {
    assert_eq!(
        refused::<Camera>("filter: {name: r}\nlist:\n- {name: g}\n- !<tag:x/grism-1.0.0> {}\n"),
        format!(
            "line 4, column 24: /list/1: found the tag tag:x/grism-1.0.0, expected a mapping tagged \
             tag:x/filter-1.*{HINT}"
        )
    );
    assert_eq!(
        refused::<Camera>("{filter: {name: r}, other: !<tag:x/filter-1.1.0> {name: r}}"),
        format!(
            "line 1, column 50: /other: found the tag tag:x/filter-1.1.0, expected a mapping tagged \
             tag:x/filter-1.0.* or a mapping tagged tag:**/grism-*{HINT}"
        )
    );
    // The same holds for a tag that the type itself would read.
    let text = "filter: !<tag:x/filter-2.0.0> {name: r}";
    assert!(refused::<Camera>(text).contains("found the tag tag:x/filter-2.0.0"));
    // Reading the value itself fails too.
    let tree = parse("!<tag:x/filter-2.0.0> {name: r}").unwrap();
    assert!(tree.get::<Tagged<Filter>>("").is_ok());
    let error = tree.get::<Tagged<Filter, FilterV1>>("").unwrap_err();
    assert_eq!(
        error.message(),
        "found the tag tag:x/filter-2.0.0, expected a mapping tagged tag:x/filter-1.*"
    );
    assert_eq!(
        refused::<Camera>("{filter: 5}"),
        "line 1, column 10: /filter: found the integer 5, expected a mapping for `Filter`"
    );
}

#[test]
fn what_does_not_fit_is_not_written() {
    let filter = |tag| Filter { name: "r".into(), tag };
    let written = |tag| Node::new(&Tagged::<_, FilterV1>::from(filter(tag)));
    for good in [KeptTag::Newest, KeptTag::Untagged, KeptTag::As("tag:x/filter-1.1.0".into())] {
        assert!(written(good).is_ok());
    }
    let error = written(KeptTag::As("tag:x/filter-2.0.0".into())).unwrap_err();
    assert_eq!(error.kind(), error::Kind::Usage);
    assert_eq!(
        error.message(),
        "found a value with the tag tag:x/filter-2.0.0, expected a value tagged tag:x/filter-1.*"
    );
    let camera = Camera {
        filter: filter(KeptTag::As("tag:x/filter-2.0.0".into())).into(),
        other: None,
        list: None,
        map: None,
        any: None,
    };
    assert_eq!(Node::new(&camera).unwrap_err().path(), Some("/filter"));
}

fn node(text: &str) -> Node {
    super::tree(text).get("").expect("the text has a root")
}

#[test]
fn only_matching_tags_are_kept() {
    let later = node("!<tag:x/filter-1.9.0> {}");
    let kept: Tagged<Filter, FilterV1> = Tagged::keep(later.clone()).unwrap();
    assert_eq!(Node::new(&kept).unwrap(), later);
    assert_eq!(kept.other(), Some(&later));
    assert_eq!(TaggedNode::<FilterV1>::new(later.clone()).unwrap().into_node(), later);
    for (text, found) in [("!<tag:y> {}", "a mapping of 0 entries tagged tag:y"), ("x", "the string 'x'")] {
        let error = Tagged::<Filter, FilterV1>::keep(node(text)).unwrap_err();
        assert_eq!(error.kind(), error::Kind::Mismatch);
        assert_eq!(error.message(), format!("found {found}, expected a node tagged tag:x/filter-1.*"));
        // Without a pattern, any node is kept.
        assert_eq!(Tagged::<Filter>::keep(node(text)).unwrap(), Tagged::Other(node(text)));
    }
    assert!(
        FilterV1::fits("tag:x/filter-1.0.0") && !FilterV1::fits("tag:x/filter-2.0.0") && AnyTag::fits("")
    );
}

#[derive(Asdf, Debug, PartialEq)]
enum Element {
    Filter(Tagged<Filter, FilterV1>),
    Number(f64),
    Any(Tagged<Filter>),
}

#[test]
fn the_pattern_chooses_a_variant() {
    assert!(matches!(from_text("!<tag:x/filter-1.7.0> 5"), Element::Filter(Tagged::Other(_))));
    assert!(matches!(from_text("5"), Element::Number(_)));
    assert!(matches!(from_text("!<tag:x/filter-2.0.0> {name: r}"), Element::Any(Tagged::Known(_))));
    assert!(matches!(from_text("!<tag:y> 5"), Element::Any(Tagged::Other(_))));
}

/// A pattern by hand.
struct ByHand;

impl TagPattern for ByHand {
    const PATTERNS: &'static [&'static str] = &["tag:x/*"];

    type Kept = TaggedNode<Self>;

    fn keep(node: Node) -> asdf_core::Result<Self::Kept> {
        TaggedNode::new(node)
    }
}

fn through<T: FromNode + ToNode>(text: &str) -> bool {
    super::tree(text).get::<T>("").and_then(|value| Node::new(&value)).is_ok()
}

#[test]
fn generic_and_made_by_hand() {
    assert!(through::<Tagged<Filter, ByHand>>("!<tag:x/anything> 5"));
    assert!(!through::<Tagged<Filter, ByHand>>("!<tag:x/y/filter> 5"));
    assert!(through::<Tagged<Tagged<Filter, ByHand>, FilterV1>>("!<tag:x/filter-1.9.0> 5"));
}
