//! Validates the files of `tests/validate`. NAME.expected has the findings for NAME.asdf, one per line; it is empty for a
//! valid file. `UPDATE_EXPECTED=1` rewrites the expectations; review them afterwards.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::fmt::Write as _;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use asdf_core::File;
use asdf_schemas::{Registry, Validator};
use proptest::prelude::*;

#[test]
fn every_file_has_the_expected_findings() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("validate");
    let mut files = 0;
    let mut wrong = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "asdf") {
            continue;
        }
        files += 1;
        let mut found = String::new();
        match File::open(&path) {
            Ok(file) => {
                for violation in Validator::standard().validate_file(&file).violations() {
                    let _ = writeln!(found, "{violation}");
                }
            }
            Err(error) => {
                let text = error.to_string().replace(&path.display().to_string(), "");
                let _ = writeln!(found, "{text}");
            }
        }
        let expected = path.with_extension("expected");
        if std::env::var_os("UPDATE_EXPECTED").is_some() {
            std::fs::write(&expected, &found).unwrap();
        }
        if std::fs::read_to_string(&expected).ok().as_deref() != Some(&found) {
            wrong.push(format!("{}:\n{found}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(files >= 15, "only {files} files were validated");
}

/// Validates a file of these items and seven blocks of 4 to 16 bytes. Returns a line for each finding, and the number of
/// validated tagged nodes.
fn found(validator: &Validator, items: &[String]) -> (Vec<String>, usize) {
    let items: String = items.iter().map(|item| format!("- {item}\n")).collect();
    let tree = format!(
        "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n---\n{items}...\n"
    );
    let mut bytes = tree.into_bytes();
    for size in [8_u8, 8, 8, 8, 4, 16, 8] {
        bytes.extend(b"\xd3BLK\0\x30\0\0\0\0\0\0\0\0");
        (0..3).for_each(|_| bytes.extend(u64::from(size).to_be_bytes()));
        bytes.extend([0; 16]);
        bytes.extend((0..size).map(|_| 0));
    }
    let report = validator.validate_file(&File::from_bytes(bytes).unwrap());
    let lines = report
        .findings()
        .map(|finding| format!("{} {} {}", finding.path(), finding.code().id(), finding.message()));
    (lines.collect(), report.validated())
}

static LIMITS: LazyLock<Validator> = LazyLock::new(|| {
    let mut registry = Registry::standard().as_ref().clone();
    let schema = "{id: 'asdf://x.org/limits', type: object, properties: {a: {minimum: 2, maximum: 5}, \
                  b: {items: {enum: [0, 3, x, 2.5]}}, c: {maxLength: 2}}}";
    registry.add_schema(schema).unwrap();
    registry.add_tag("asdf://x.org/limits", "asdf://x.org/limits");
    Validator::new(Arc::new(registry))
});

/// Makes one of a few numbers, or sometimes another value: most nodes are valid and similar to each other.
fn number(of: std::ops::Range<i64>) -> impl Strategy<Value = String> {
    const OTHERS: [&str; 9] =
        ["0x4", "2.5", "4.75", ".nan", "-0.0", "99999999999999999999", "x", "[4]", "'4'"];
    prop_oneof![
        20 => of.prop_map(|number| number.to_string()),
        1 => prop::sample::select(&OTHERS[..]).prop_map(str::to_owned),
    ]
}

fn item() -> impl Strategy<Value = String> {
    let third = prop_oneof![6 => Just("x"), 1 => Just("long"), 1 => Just("!y z"), 1 => Just("{}")];
    let limits = (number(1..7), number(0..5), third)
        .prop_map(|(a, b, c)| format!("!<asdf://x.org/limits> {{a: {a}, b: [{b}], c: {c}}}"));
    let datatype = prop_oneof![6 => Just("int8"), 1 => Just("int16"), 1 => Just("[ascii, 2]")];
    let array = (-1..9_i64, number(6..11), datatype, prop::option::weighted(0.2, number(0..2))).prop_map(
        |(source, length, datatype, offset)| {
            let offset = offset.map(|offset| format!(", offset: {offset}")).unwrap_or_default();
            let data = format!("source: {source}, shape: [{length}], datatype: {datatype}, byteorder: big");
            format!("!core/ndarray-1.1.0 {{{data}{offset}}}")
        },
    );
    prop_oneof![2 => limits, 3 => array]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    /// Nodes that are similar to a validated node are skipped. The findings must not depend on which node came first.
    #[test]
    fn each_node_is_judged_as_if_it_were_alone(items in prop::collection::vec(item(), 1..12)) {
        let (together, validated) = found(&LIMITS, &items);
        let mut alone = Vec::new();
        for (place, item) in items.iter().enumerate() {
            // Only the first use of an unknown tag is reported, so use all of them before.
            let one: Vec<String> = std::iter::repeat_n("0".to_owned(), place).chain([item.clone()]).collect();
            alone.extend(found(&LIMITS, &one).0);
        }
        let others = |lines: &[String]| -> Vec<String> {
            lines.iter().filter(|line| !line.contains("no schema for the tag")).cloned().collect()
        };
        prop_assert_eq!(others(&together), others(&alone));
        prop_assert_eq!(validated, items.len());
    }
}
