//! Tests types that `asdf_codegen::Config::standard` generates from a package whose schemas refer to the standard's.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use asdf_core::{FromNode, Node, yaml};
use asdf_schemas::time::{Time, time::v1_1_0};
use asdf_schemas::unit::Quantity;

#[allow(dead_code, unreachable_pub, clippy::large_enum_variant, reason = "generated, and only partly used")]
mod types {
    include!(concat!(env!("OUT_DIR"), "/types.rs"));
}

use types::{Reading, ReadingEither};

/// Reads a node with the tags of the standard written as `!core/...`.
fn read<T: FromNode>(text: &str) -> asdf_core::Result<T> {
    yaml::parse(&format!("%TAG ! tag:stsci.edu:asdf/\n--- {text}\n")).unwrap().get("")
}

#[test]
fn schemas_of_the_standard_are_the_types_that_exist() {
    let quantity = Quantity::checked(1.5, "mJy").unwrap();
    let mut reading = Reading::new(Time::parse("2026-01-02T03:04:05").unwrap(), quantity.clone());
    reading.ended = Some(Time::parse("2026-01-02T03:05:00").unwrap());
    reading.either = Some(asdf_core::value::Nullable::Value(ReadingEither::Quantity(quantity)));
    reading.by = Some(asdf_schemas::basic::Software::new("probe".to_owned(), "1.0".to_owned()));
    let node = Node::new(&reading).unwrap();
    assert_eq!(Reading::from_node(node.view()).unwrap(), reading);
    let exactly: Option<v1_1_0::Time> = reading.exactly;
    assert!(exactly.is_none());
}

#[test]
fn all_versions_that_the_schema_allows_are_read() {
    for time in ["time/time-1.0.0", "time/time-1.1.0", "time/time-1.3.0", "time/time-1.4.0"] {
        let text = format!(
            "{{begun: !{time} 2026-01-02T03:04:05, ended: !{time} 2026-01-02T03:04:06, \
             exactly: !time/time-1.1.0 2026-01-02T03:04:05, \
             dose: !unit/quantity-1.1.0 {{value: 2.0, unit: !unit/unit-1.0.0 Gy}}}}"
        );
        let reading: Reading = read(&text).unwrap();
        assert_eq!(reading.dose.number().unwrap(), 2.0);
        // It is written with the versions that were read.
        let node = Node::new(&reading).unwrap();
        let tag = |key: &str| node.view().get(key).and_then(|node| node.own_tag().map(str::to_owned));
        assert_eq!(tag("begun"), Some(format!("tag:stsci.edu:asdf/{time}")));
        assert_eq!(tag("exactly"), Some("tag:stsci.edu:asdf/time/time-1.1.0".to_owned()));
    }
    // A type for one version does not read the tags of other versions.
    assert!(read::<v1_1_0::Time>("!time/time-1.4.0 2026-01-02T03:04:05").is_err());
}

/// Tests the assertions of the generated code about existing types.
#[test]
fn a_type_reads_the_tags_that_it_is_given_for() {
    use asdf_core::__private::reads_tag;

    const {
        assert!(reads_tag::<Time>("tag:stsci.edu:asdf/time/time-1.*"));
        assert!(reads_tag::<Quantity>("tag:stsci.edu:asdf/unit/quantity-1.2.0"));
        assert!(!reads_tag::<Time>("tag:stsci.edu:asdf/unit/unit-1.*"));
        assert!(!reads_tag::<v1_1_0::Time>("tag:stsci.edu:asdf/time/time-1.4.0"));
    };
    let generated = include_str!(concat!(env!("OUT_DIR"), "/types.rs"));
    assert!(generated.contains("does not read a tag that fits tag:stsci.edu:asdf/unit/quantity-1.*"));
}
