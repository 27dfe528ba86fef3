//! Tests of every row of `validate/differences.md`.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;
use std::sync::Arc;

use asdf_core::{File, yaml};
use asdf_schemas::validate::Code;
use asdf_schemas::{Registry, Report, Validator};

/// A test of a row.
enum Shown {
    /// Under a schema, a value is valid, or not.
    Valid(&'static str, &'static str, bool),
    /// Under a schema, a value has findings with these codes.
    Codes(&'static str, &'static str, &'static [Code]),
    Else(fn()),
}

use Code::*;
use Shown::{Codes, Else, Valid};

const SPIRAL: &str = "{$ref: 'asdf://x.org/s', title: again}";
const BESIDE: &str = "{$ref: 'http://stsci.edu/schemas/asdf/core/software-1.0.0', required: [author]}";
const BESIDE_ID: &str =
    "{$ref: 'http://stsci.edu/schemas/asdf/core/software-1.0.0', id: 'asdf://elsewhere.org/x'}";
const ALTERNATIVES: &str = "{anyOf: [{type: string}, {type: object, properties: {a: {type: integer}}}]}";
const ARRAY: &str = "!core/ndarray-1.1.0 {source: 0, shape: [2, 3], datatype: int16, byteorder: big}";

const ROWS: &[(&str, &[Shown])] = &[
    // Types
    (
        "booleans under `integer`, `number`",
        &[Valid("{type: integer}", "true", false), Valid("{type: number}", "true", false)],
    ),
    ("`1.0` under `integer`", &[Valid("{type: integer}", "1.0", false), Valid("{type: integer}", "1", true)]),
    (
        "NaN and infinity",
        &[
            Valid("{type: number, minimum: 0, maximum: 1}", ".nan", true),
            Valid("{type: number, minimum: 0}", "-.inf", false),
            Valid("{type: number, maximum: 5}", ".inf", false),
            Valid("{type: integer}", ".nan", false),
        ],
    ),
    ("NaN under `multipleOf`", &[Valid("{multipleOf: 2}", ".nan", true)]),
    (
        "infinity under `multipleOf`",
        &[Valid("{multipleOf: 0.5}", ".inf", true), Valid("{multipleOf: 2}", ".inf", true)],
    ),
    (
        "integers beyond 64 bits",
        &[
            Codes("{}", "9223372036854775808", &[Integers]),
            Codes("{}", "-9223372036854775809", &[Integers]),
            Codes("{}", "{9223372036854775808: 1}", &[Integers]),
            Codes("{}", "[-9223372036854775808, -9223372036854775807, 9223372036854775807]", &[]),
        ],
    ),
    (
        "`1e3`, `1:30`, `yes`",
        &[
            Valid("{type: string}", "1e3", true),
            Valid("{enum: [90]}", "1:30", true),
            Valid("{enum: [true]}", "yes", true),
        ],
    ),
    (
        "timestamps under `type: string`",
        &[
            Valid("{type: string}", "2026-11-20", false),
            Valid("{type: string, format: date-time}", "2026-11-20 12:00:00", true),
        ],
    ),
    (
        "a date without a time under `format: date-time`",
        &[Valid("{type: string, format: date-time}", "2026-11-20", true)],
    ),
    ("`!!set`", &[Valid("{type: object}", "!!set {a, b}", true)]),
    (
        "`!!omap`",
        &[
            Valid(
                "{type: object, properties: {a: {type: integer}}, required: [a]}",
                "!!omap [a: 1, b: 2]",
                true,
            ),
            Valid("{type: object, properties: {b: {type: string}}}", "!!omap [a: 1, b: 2]", false),
            Valid("{type: object, properties: {a: {type: string}}}", "!!omap [b: 1, a: 1]", false),
            Valid(
                "{type: object, required: [a], patternProperties: {'^b': {type: string}}}",
                "!!omap [a: 1, b: c]",
                true,
            ),
            Valid("{additionalProperties: false, properties: {a: {}}}", "!!omap [a: 1, b: 1]", false),
            Valid("{type: array}", "!!omap [a: 1]", false),
        ],
    ),
    ("`!!binary`", &[Valid("{type: string}", "!!binary aGVsbG8=", true)]),
    ("an unknown name under `type`", &[Codes("{type: strange}", "5", &[Schema])]),
    (
        "scalars with a tag of their own",
        &[
            Valid("{type: integer}", "!unknown-1.0.0 5", false),
            Valid("{type: string}", "!unknown-1.0.0 5", true),
            Valid("{enum: [1, a, [b]]}", "!unknown-1.0.0 a", true),
        ],
    ),
    // Tags
    (
        "`*` and `**` in patterns",
        &[
            Valid("{tag: 'tag:nobody.org:*-1.0.0'}", "!<tag:nobody.org:a/b-1.0.0> {}", false),
            Valid("{tag: 'tag:nobody.org:*/b-1.0.0'}", "!<tag:nobody.org:a/b-1.0.0> {}", true),
            Valid("{tag: 'tag:nobody.org:**-1.0.0'}", "!<tag:nobody.org:a/b-1.0.0> {}", true),
            Valid("{tag: 'tag:nobody.org:a-1.?.0'}", "!<tag:nobody.org:a-1.0.0> {}", false),
        ],
    ),
    (
        "values without a tag",
        &[
            Valid("{tag: 'tag:yaml.org,2002:str'}", "a", true),
            Valid("{tag: 'tag:yaml.org,2002:bool'}", "no", true),
            Valid("{tag: 'tag:yaml.org,2002:int'}", "5", true),
            Valid("{tag: 'tag:yaml.org,2002:float'}", ".nan", true),
            Valid("{tag: 'tag:yaml.org,2002:seq'}", "[]", true),
            Valid("{tag: 'tag:yaml.org,2002:map'}", "{}", true),
            Valid("{tag: 'tag:yaml.org,2002:str'}", "5", false),
        ],
    ),
    ("`null` under `tag: tag:yaml.org,2002:null`", &[Valid("{tag: 'tag:yaml.org,2002:null'}", "~", true)]),
    (
        "timestamps under `tag: tag:yaml.org,2002:timestamp`",
        &[Valid("{tag: 'tag:yaml.org,2002:timestamp'}", "2026-11-20", true)],
    ),
    (
        "a tag on an entry of an `!!omap`",
        &[
            Codes("{type: array}", "!!omap [!unknown-1.0.0 {a: 1}]", &[UnknownTag]),
            Codes("{type: object}", "!!omap [!unknown-1.0.0 {a: 1}]", &[Type, UnknownTag]),
        ],
    ),
    ("an explicit `!!map`", &[Valid("{tag: 'tag:yaml.org,2002:map', type: object}", "!!map {}", true)]),
    ("unknown tags", &[Codes("{}", "[!unknown-1.0.0 a, !unknown-1.0.0 b]", &[UnknownTag])]),
    (
        "a tag whose schema is missing",
        &[Else(a_tag_whose_schema_is_missing), Codes("{$ref: nowhere}", "5", &[Schema])],
    ),
    // What is visited
    (
        "tagged nodes in parts of a tree that a custom schema does not describe",
        &[Else(parts_that_are_not_described)],
    ),
    ("all schemas of a tag", &[Else(all_schemas_of_a_tag)]),
    (
        "a node under several aliases",
        &[Codes("{}", "[&a !core/software-1.0.0 {name: x}, *a, {b: *a}]", &[Required])],
    ),
    (
        "cycles",
        &[
            Codes("{}", "&a [*a]", &[]),
            Codes(SPIRAL, "&a {x: *a}", &[]),
            Codes("{}", "&a !core/software-1.0.0 {name: x, version: *a}", &[Type]),
            Codes("{}", "&a !core/ndarray-1.1.0 [1, *a]", &[]),
        ],
    ),
    ("the place of a violation", &[Else(every_violation_has_its_place)]),
    (
        "the number of violations",
        &[Codes(
            "{type: object, required: [a, b], minProperties: 3}",
            "{}",
            &[Required, Required, MinProperties],
        )],
    ),
    (
        "a mapping with a key `$ref`",
        &[
            Valid("{type: string}", "{$ref: 'x.asdf#/a'}", true),
            Valid("{anyOf: [{items: {type: string}}, {items: {type: array}}]}", "[{$ref: x}, a]", true),
            Valid("{anyOf: [{items: {type: string}}, {items: {type: array}}]}", "[{$ref: x}, 1]", false),
        ],
    ),
    ("trees that are deep, or large by their aliases", &[Else(trees_that_are_deep_or_large)]),
    // Keywords
    (
        "keywords beside `$ref`",
        &[
            Valid(BESIDE, "{name: a, version: b}", false),
            Valid(BESIDE, "{name: a, version: b, author: c}", true),
        ],
    ),
    (
        "an `id` beside `$ref`",
        &[Valid(BESIDE_ID, "{name: a}", false), Valid(BESIDE_ID, "{name: a, version: b}", true)],
    ),
    (
        "`format`",
        &[
            Valid("{type: string, format: uri}", "no uri", true),
            Valid("{type: string, format: date-time}", "'no time'", true),
        ],
    ),
    (
        "keywords of later drafts (`const`, `if`, `contains`, `propertyNames`)",
        &[
            Valid("{const: 5, if: {type: integer}, then: {minimum: 7}}", "6", true),
            Valid("{contains: {type: string}, propertyNames: {minLength: 9}}", "[1]", true),
            Valid("{propertyNames: {minLength: 9}, dependentRequired: {a: [b]}}", "{a: 1}", true),
        ],
    ),
    (
        "`exclusiveMinimum: 7`",
        &[
            Valid("{exclusiveMinimum: 7, minimum: 7}", "7", false),
            Valid("{exclusiveMinimum: 0, minimum: 7}", "7", true),
            Valid("{exclusiveMinimum: x, minimum: 7}", "7", false),
            Valid("{exclusiveMinimum: 7}", "7", true),
        ],
    ),
    (
        "booleans in the place of schemas",
        &[
            Valid("{items: false, not: {items: false, type: string}}", "[1]", true),
            Valid("{properties: {a: false}}", "{a: 1}", true),
        ],
    ),
    ("`required: true`", &[Valid("{required: true}", "{}", true)]),
    (
        "`enum`",
        &[
            Valid("{enum: [1]}", "true", false),
            Valid("{enum: [[1]]}", "[true]", false),
            Valid("{enum: [[a]]}", "[!unknown-1.0.0 a]", true),
            Valid("{enum: [a]}", "!unknown-1.0.0 a", true),
        ],
    ),
    (
        "`enum`, `uniqueItems`: `1` and `1.0`",
        &[
            Valid("{enum: [1]}", "1.0", true),
            Valid("{uniqueItems: true}", "[1, 1.0]", false),
            Valid("{uniqueItems: true}", "[0x10, 16]", false),
            Valid("{uniqueItems: 1}", "[1, 1.0]", false),
            Valid("{uniqueItems: true}", "[1, true, a]", true),
            Valid("{uniqueItems: true}", "['1', 1]", true),
            Valid("{uniqueItems: true}", "[{a: 1, b: [2]}, {b: [2.0], a: 1}]", false),
            Valid("{uniqueItems: true}", "[{a: 1, b: 2}, {b: 2, a: 2}]", true),
        ],
    ),
    (
        "`uniqueItems` and NaN",
        &[Valid("{uniqueItems: true}", "[.nan, .nan]", true), Valid("{enum: [.nan]}", ".nan", true)],
    ),
    (
        "`pattern`: `$` before a newline at the end",
        &[Valid("{pattern: 'a$'}", "\"a\\n\"", false), Valid("{pattern: 'a$'}", "a", true)],
    ),
    (
        "`pattern`: `\\d`",
        &[Valid("{pattern: '^\\d$'}", "'৪'", false), Valid("{pattern: '^\\d$'}", "'4'", true)],
    ),
    ("`minLength` of arrays", &[Valid("{minLength: 5}", "[1]", true)]),
    (
        "keys that are not strings, under `properties`",
        &[
            Valid("{properties: {'1': {type: string}}}", "{1: 5}", false),
            Valid("{additionalProperties: false}", "{1: 5}", false),
        ],
    ),
    (
        "keys that are not strings, under `patternProperties`",
        &[Valid("{patternProperties: {'^1': {type: string}}}", "{1: 5}", false)],
    ),
    (
        "keys that are neither strings, integers nor booleans",
        &[
            Codes("{}", "{1.5: a, ~: b, [c]: d, 2026-11-20: e}", &[Keys, Keys, Keys, Keys]),
            Codes("{}", "{a: 1, 5: 2, true: 3}", &[]),
        ],
    ),
    (
        "the same key twice",
        &[Codes("{}", "{a: 1, a: 2}", &[DuplicateKey]), Codes("{}", "{1: 1, 0x1: 2}", &[DuplicateKey])],
    ),
    (
        "`anyOf`, `oneOf`",
        &[
            Codes(ALTERNATIVES, "{a: b}", &[Type]),
            Codes(ALTERNATIVES, "5", &[AnyOf]),
            Else(the_closest_alternative),
        ],
    ),
    (
        "`dependencies`",
        &[
            Valid("{dependencies: {a: [b], c: {required: [d]}}}", "{a: 1, b: 2, c: 3, d: 4}", true),
            Valid("{dependencies: {a: [b]}}", "{a: 1}", false),
            Valid("{dependencies: {a: {required: [b]}}}", "{a: 1}", false),
        ],
    ),
    ("order of violations", &[Else(violations_come_in_the_order_of_the_tree)]),
    // Keywords of ASDF
    (
        "`propertyOrder`, `flowStyle`, `style`",
        &[Valid("{propertyOrder: [b, a], flowStyle: block, style: literal}", "{a: 1}", true)],
    ),
    (
        "`ndim`, `max_ndim`, `datatype` of nodes that are not tagged `core/ndarray-*`",
        &[Valid("{ndim: 3, max_ndim: 0, datatype: int8}", "[1, 2]", true), Valid("{ndim: 3}", ARRAY, false)],
    ),
    ("`ndim` of ragged inline data", &[Valid("{ndim: 1}", "!core/ndarray-1.1.0 [1, [2]]", false)]),
    (
        "an unknown tag on an element of inline data",
        &[
            Codes("{datatype: float64}", "!core/ndarray-1.1.0 [1.5, !unknown-1.0.0 2.5]", &[UnknownTag]),
            Codes("{datatype: float64}", "!core/ndarray-1.1.0 [1.5, a]", &[Datatype]),
        ],
    ),
    ("an array without `shape` and `data`", &[Valid("{ndim: 1}", "!core/ndarray-1.1.0 {source: 0}", false)]),
    (
        "`datatype` without `exact_datatype`",
        &[
            Valid("{datatype: int32}", ARRAY, true),
            Valid("{datatype: float32}", ARRAY, true),
            Valid("{datatype: int8}", ARRAY, false),
            Valid("{datatype: int32, exact_datatype: true}", ARRAY, false),
            Valid("{datatype: int16, exact_datatype: true}", ARRAY, true),
        ],
    ),
    ("`exact_datatype` alone", &[Valid("{exact_datatype: true}", ARRAY, true)]),
    (
        "an unknown datatype in a file",
        &[Valid(
            "{datatype: int8}",
            "!core/ndarray-1.1.0 {source: 0, datatype: strange, byteorder: big}",
            false,
        )],
    ),
    // Around validation
    (
        "missing defaults, in files older than standard 1.6.0",
        &[Else(defaults_of_old_files_are_filled_in), Else(defaults_of_schemas_for_whole_trees_are_filled_in)],
    ),
    (
        "a default that is not of the type of the `$ref` beside it",
        &[Else(defaults_that_contradict_their_schema_are_not_filled_in)],
    ),
    (
        "missing defaults, in files of standard 1.6.0 and later",
        &[Else(defaults_of_new_files_are_not_filled_in)],
    ),
    (
        "schemas against their metaschema",
        &[Valid("{ndim: -1}", ARRAY, true), Valid("{minLength: a, maximum: b}", "5", true)],
    ),
];

/// The first cells of the rows of all tables.
fn rows() -> Vec<&'static str> {
    let text = include_str!("../src/validate/differences.md");
    let cells = text.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
    cells.filter(|cell| !cell.is_empty() && !cell.starts_with('|')).collect()
}

fn validated(schema: &str, value: &str) -> Report {
    let mut registry = Registry::new();
    registry.add_schema(&format!("{{id: 'asdf://x.org/s', properties: {{x: {schema}}}}}")).unwrap();
    registry.add_tag("asdf://x.org/t", "asdf://x.org/s");
    let text = format!("%TAG ! tag:stsci.edu:asdf/\n--- !<asdf://x.org/t> {{x: {value}}}\n");
    Validator::new(Arc::new(registry)).validate_tree(&yaml::parse(&text).unwrap())
}

/// In the order of their ids.
fn codes(report: &Report) -> Vec<Code> {
    let mut codes: Vec<Code> = report.findings().map(asdf_schemas::Violation::code).collect();
    codes.sort();
    codes
}

#[test]
fn every_row_has_a_test_and_every_test_a_row() {
    let rows: BTreeSet<&str> = rows().into_iter().collect();
    let tested: BTreeSet<&str> = ROWS.iter().map(|(row, _)| *row).collect();
    assert_eq!(rows.difference(&tested).collect::<Vec<_>>(), Vec::<&&str>::new(), "rows without a test");
    assert_eq!(tested.difference(&rows).collect::<Vec<_>>(), Vec::<&&str>::new(), "tests without a row");
    assert!(rows.len() > 50 && ROWS.len() == rows.len() && ROWS.iter().all(|(_, shown)| !shown.is_empty()));
}

#[test]
fn every_row_is_as_it_says() {
    for (row, shown) in ROWS {
        for shown in *shown {
            match shown {
                Valid(schema, value, valid) => {
                    let report = validated(schema, value);
                    assert!(report.warnings().is_empty(), "{row}: {:?}", report.warnings());
                    assert_eq!(
                        report.is_valid(),
                        *valid,
                        "{row}: {schema} of {value}: {:?}",
                        report.violations()
                    );
                }
                Codes(schema, value, expected) => {
                    assert_eq!(codes(&validated(schema, value)), *expected, "{row}: {schema} of {value}");
                }
                Else(test) => test(),
            }
        }
    }
}

fn a_tag_whose_schema_is_missing() {
    let mut registry = Registry::new();
    registry.add_tag("asdf://x.org/t", "asdf://x.org/nowhere");
    let report =
        Validator::new(Arc::new(registry)).validate_tree(&yaml::parse("!<asdf://x.org/t> {}").unwrap());
    assert_eq!(codes(&report), [Schema]);
    assert!(report.is_valid() && report.warnings()[0].message().contains("asdf://x.org/nowhere"));
}

fn parts_that_are_not_described() {
    let mut registry = Registry::new();
    registry.add_schema_as("file:///s.yaml", "{properties: {a: {type: object}}}").unwrap();
    let validator = Validator::new(Arc::new(registry)).with_schema("file:///s.yaml").unwrap();
    let tree = yaml::parse("%TAG ! tag:stsci.edu:asdf/\n--- {b: {x: !core/complex-1.0.0 junk}}").unwrap();
    let report = validator.validate_tree(&tree);
    assert_eq!(report.violations()[0].path().as_str(), "/b/x");
}

fn all_schemas_of_a_tag() {
    let mut registry = Registry::empty();
    registry.add_schema("{id: 'asdf://x.org/a', required: [a]}").unwrap();
    registry.add_schema("{id: 'asdf://x.org/b', required: [b]}").unwrap();
    let schemas = "schema_uri: ['asdf://x.org/a', 'asdf://x.org/b']";
    registry.add_manifest(&format!("tags: [{{tag_uri: 'asdf://x.org/t', {schemas}}}]")).unwrap();
    let report =
        Validator::new(Arc::new(registry)).validate_tree(&yaml::parse("!<asdf://x.org/t> {}").unwrap());
    let from: Vec<_> = report.violations().iter().filter_map(|one| one.schema()).collect();
    assert_eq!(from, ["asdf://x.org/a", "asdf://x.org/b"]);
}

fn every_violation_has_its_place() {
    let report = validated("{type: object, properties: {a: {items: {type: string}}}}", "{a: [b, 5]}");
    let one = &report.violations()[0];
    assert_eq!((one.path().as_str(), one.position(), one.end()), ("/x/a/1", Some((2, 35)), Some((2, 36))));
}

fn trees_that_are_deep_or_large() {
    let mut text = "!core/ndarray-1.1.0 [&l0 [1, 1, 1, 1, 1, 1, 1, 1]".to_owned();
    for level in 1..12 {
        let items = vec![format!("*l{}", level - 1); 8].join(", ");
        text.push_str(&format!(", &l{level} [{items}]"));
    }
    assert_eq!(codes(&validated("{}", &format!("{text}]"))), [Limit, Limit]);
    // Deeper than the parser goes by default.
    let text =
        format!("%TAG ! tag:stsci.edu:asdf/\n--- !core/ndarray-1.1.0 {}{}", "[".repeat(600), "]".repeat(600));
    let options = yaml::ParseOptions::new().max_depth(1000);
    let tree = yaml::parse_with(text.into(), options).unwrap();
    assert_eq!(codes(&Validator::standard().validate_tree(&tree)), [Limit]);
}

fn the_closest_alternative() {
    let report = validated(ALTERNATIVES, "{a: b}");
    assert_eq!(report.violations()[0].message(), "found the string 'b', expected an integer");
    assert_eq!(
        validated(ALTERNATIVES, "5").violations()[0].message(),
        "found the integer 5, expected a string or a mapping"
    );
    assert_eq!(
        validated("{type: number}", "!unknown-1.0.0 5").violations()[0].message(),
        "found the integer 5 tagged tag:stsci.edu:asdf/unknown-1.0.0, expected a number; a tagged scalar counts as a string"
    );
}

fn violations_come_in_the_order_of_the_tree() {
    let schema = "{properties: {b: {type: string}, a: {type: string}}, required: [z]}";
    let report = validated(schema, "{a: 1, b: 2, c: !core/software-1.0.0 {}}");
    let places: Vec<_> = report.violations().iter().map(|one| one.position().unwrap()).collect();
    assert!(places.is_sorted() && places.len() == 5, "{places:?}");
}

/// What is wrong with a file of a version of the standard whose root lacks a property.
fn lacking_a_default(standard: &str, schema: &str) -> Vec<asdf_schemas::validate::Code> {
    let mut registry = Registry::empty();
    registry
        .add_schema("{id: 'asdf://x.org/s', required: [a], properties: {a: {type: integer, default: 5}}}")
        .unwrap();
    registry.add_schema("{id: 'asdf://x.org/any'}").unwrap();
    registry.add_tag("asdf://x.org/t", schema);
    let text =
        format!("#ASDF 1.0.0\n#ASDF_STANDARD {standard}\n%YAML 1.1\n--- !<asdf://x.org/t> {{b: 1}}\n...\n");
    let file = File::from_bytes(text.into_bytes()).unwrap();
    let mut validator = Validator::new(Arc::new(registry));
    if schema == "asdf://x.org/any" {
        validator = validator.with_schema("asdf://x.org/s").unwrap();
    }
    let found = codes(&validator.validate_file(&file));
    // The file stays as it is.
    assert!(file.tree().find("/a").is_none() && file.tree().find("/b").is_some());
    found
}

fn defaults_of_old_files_are_filled_in() {
    for standard in ["1.0.0", "1.4.0", "1.5.0"] {
        assert!(lacking_a_default(standard, "asdf://x.org/s").is_empty());
    }
}

fn defaults_of_schemas_for_whole_trees_are_filled_in() {
    assert!(lacking_a_default("1.5.0", "asdf://x.org/any").is_empty());
    assert_eq!(lacking_a_default("1.6.0", "asdf://x.org/any"), [Required]);
}

fn defaults_of_new_files_are_not_filled_in() {
    assert_eq!(lacking_a_default("1.6.0", "asdf://x.org/s"), [Required]);
}

fn defaults_that_contradict_their_schema_are_not_filled_in() {
    let text = "#ASDF 1.0.0\n#ASDF_STANDARD 1.5.0\n%YAML 1.1\n\
        --- !<tag:astropy.org:astropy/coordinates/frames/icrs-1.0.0> {ra: {value: 1.0}, dec: {value: 2.0}}\n...\n";
    let file = File::from_bytes(text.as_bytes().to_vec()).unwrap();
    let report = Validator::standard().validate_file(&file);
    assert!(report.violations().iter().all(|one| !one.path().as_str().contains("wrap_angle")), "{report:?}");
}
