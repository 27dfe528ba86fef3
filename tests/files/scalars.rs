//! Checks the kinds and values of scalars against a table. `tests/interop` compares the table with PyYAML too.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::fmt::Write as _;

use asdf_core::tree::Kind;
use asdf_core::value::{BigInt, Timestamp};
use asdf_core::{FromNode, NodeRef, yaml};
use asdf_tests::iso;

const TABLE: &str = include_str!("../data/scalars.txt");

/// Iterates over the rows: the text, the expected value, and Python's value and the reason if it differs.
fn rows() -> impl Iterator<Item = Vec<&'static str>> {
    TABLE
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| line.split(" | ").collect())
}

fn document(written: &str) -> String {
    let body = written.replace('⇥', "\t").replace('↵', "\n  ");
    format!("%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n---\n- {body}\n...\n")
}

/// Describes what is wrong with a node, if anything.
fn wrong(node: NodeRef<'_>, kind: &str, value: &str) -> Option<String> {
    let kinds = [
        ("null", Kind::Null),
        ("bool", Kind::Bool),
        ("int", Kind::Int),
        ("float", Kind::Float),
        ("str", Kind::String),
        ("timestamp", Kind::Timestamp),
        ("seq", Kind::Sequence),
        ("map", Kind::Mapping),
    ];
    let (_, kind) = kinds.into_iter().find(|(name, _)| *name == kind)?;
    let right = node.kind() == kind
        && match kind {
            Kind::Bool => node.as_bool() == value.parse().ok(),
            Kind::Int => is_integer(node, &value.parse().unwrap()),
            Kind::Float => is_float(node, value.parse().unwrap()),
            Kind::String => node.as_str() == Some(&serde_json::from_str::<String>(value).unwrap()),
            Kind::Timestamp => {
                let timestamp = Timestamp::from_node(node).unwrap();
                timestamp.moment().map_or("none".to_owned(), iso) == value
                    && node.text() == Some(timestamp.as_str())
            }
            Kind::Null => node.is_null() && Option::<bool>::from_node(node).unwrap().is_none(),
            Kind::Sequence | Kind::Mapping => true,
        };
    // The accessors for other kinds must return `None`.
    let numeric = matches!(kind, Kind::Int | Kind::Float);
    let alone = node.as_bool().is_some() == (kind == Kind::Bool)
        && node.as_bigint().is_some() == (kind == Kind::Int)
        && node.as_f64().is_some() == numeric
        && node.as_str().is_some() == (kind == Kind::String)
        && node.is_null() == (kind == Kind::Null);
    (!right || !alone).then(|| {
        let values = (node.as_bool(), node.as_bigint(), node.as_f64(), node.as_str());
        format!("{}, of which the values are {values:?}", node.describe())
    })
}

/// Returns whether every integer type reads the value, or reports that it does not fit.
fn is_integer(node: NodeRef<'_>, value: &BigInt) -> bool {
    node.as_bigint().as_ref() == Some(value)
        && node.as_i128() == i128::try_from(value).ok()
        && node.as_i64() == i64::try_from(value).ok()
        && node.as_u64() == u64::try_from(value).ok()
        && node.as_f64() == value.to_string().parse().ok()
}

fn is_float(node: NodeRef<'_>, value: f64) -> bool {
    let found = node.as_f64();
    found.is_some_and(|found| found.to_bits() == value.to_bits() || (found.is_nan() && value.is_nan()))
}

#[test]
fn every_scalar_matches_the_table() {
    let mut faults = String::new();
    let mut count = 0;
    for row in rows() {
        count += 1;
        let (written, meaning) = (row[0], row[1]);
        assert!(matches!(row.len(), 2 | 4), "{row:?}: a difference has what Python makes of it and why");
        let (kind, value) = meaning.split_once(' ').unwrap_or((meaning, ""));
        let found = match yaml::parse(&document(written)) {
            Ok(tree) => wrong(tree.root().unwrap().item(0).unwrap(), kind, value),
            Err(error) => Some(error.to_string()),
        };
        if let Some(found) = found {
            writeln!(faults, "{written}: {meaning}, not {found}").unwrap();
        }
    }
    assert!(count >= 400 && faults.is_empty(), "{count} rows\n{faults}");
}

#[test]
fn every_scalar_keeps_its_kind_when_it_is_written() {
    for row in rows() {
        let tree = yaml::parse(&document(row[0])).unwrap();
        let text = yaml::emit(&tree, yaml::EmitOptions::default()).unwrap();
        let again = yaml::parse(&text).unwrap();
        assert!(tree.root() == again.root(), "{row:?}\n{text}");
    }
}
