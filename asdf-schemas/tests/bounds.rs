//! Schemas and trees that would take the engine too long, or end it.

use std::sync::Arc;

use asdf_core::yaml::parse;
use asdf_schemas::validate::Code;
use asdf_schemas::{Registry, Report, Validator};

const ID: &str = "asdf://x.org/s";

fn validator(schema: &str) -> Validator {
    let mut registry = Registry::new();
    registry.add_schema(&format!("id: '{ID}'\n{schema}")).expect("the schema is YAML");
    Validator::new(Arc::new(registry)).with_schema(ID).expect("the schema can be used")
}

fn report(schema: &str, tree: &str) -> Report {
    validator(schema).validate_tree(&parse(tree).expect("the tree is YAML"))
}

/// Definitions of which each refers twice to the next one.
fn doubling(keyword: &str, last: &str) -> String {
    let mut text = "$ref: '#/definitions/d0'\ndefinitions:\n".to_owned();
    for level in 0..40 {
        let next = format!("{{$ref: '#/definitions/d{}'}}", level + 1);
        text += &format!("  d{level}: {{{keyword}: [{next}, {next}]}}\n");
    }
    text + &format!("  d40: {last}\n")
}

#[test]
fn schemas_that_refer_to_their_parts_too_often_are_a_finding() {
    for (keyword, last) in [("allOf", "{}"), ("allOf", "{type: integer}"), ("anyOf", "{type: string}")] {
        for tree in ["{a: 1}", "5.5"] {
            let report = report(&doubling(keyword, last), tree);
            let codes: Vec<_> = report.violations().iter().map(|one| one.code()).collect();
            assert_eq!(codes, [Code::Limit], "{keyword} {last} {tree}");
            let message = report.violations()[0].message();
            assert!(message.starts_with("the schema asdf://x.org/s takes too many steps"), "{message}");
        }
    }
    // The first alternative fits, so the others do not matter.
    assert!(report(&doubling("anyOf", "{type: object}"), "{a: 1}").is_valid());
}

#[test]
fn a_schema_that_doubles_with_each_level_of_the_tree_is_a_finding() {
    let schema = "allOf: [{items: {$ref: '#'}}, {items: {$ref: '#'}}]\ntype: array\n";
    let tree = format!("{}x{}", "[".repeat(100), "]".repeat(100));
    let report = report(schema, &tree);
    assert!(report.violations().iter().any(|one| one.code() == Code::Limit), "{:?}", report.violations());
}

#[test]
fn a_schema_is_given_up_after_several_nodes() {
    let mut registry = Registry::new();
    registry.add_schema(&format!("id: '{ID}'\n{}", doubling("allOf", "{}"))).unwrap();
    registry.add_tag("asdf://x.org/t", ID);
    let tree = format!("[{}]", ["!<asdf://x.org/t> {}"; 1000].join(", "));
    let report = Validator::new(Arc::new(registry)).validate_tree(&parse(&tree).unwrap());
    assert_eq!(report.violations().len(), 1000);
}

#[test]
fn errors_of_long_unions_are_limited() {
    let branches: Vec<String> = (0..2000).map(|at| format!("{{required: [k{at}]}}")).collect();
    let schema = format!("items: {{oneOf: [{}]}}\n", branches.join(", "));
    let few = report(&schema, "[{k1: 1}, {a: 1}]");
    assert!(few.violations().iter().all(|one| one.code() != Code::Limit), "{:?}", few.violations());
    assert_eq!(few.violations().len(), 1);
    let many = report(&schema, &format!("[{}]", ["{a: 1}"; 2000].join(", ")));
    assert_eq!(many.violations().iter().map(|one| one.code()).collect::<Vec<_>>(), [Code::Limit]);
}

#[test]
fn a_pattern_that_gives_up_does_not_make_a_tree_invalid() {
    let schema = "properties: {s: {pattern: '^(a|a)*\\1b'}}\n";
    for tree in ["s: ", "!!omap [s: "].map(|start| format!("{start}{}", "a".repeat(60))) {
        let end = if tree.starts_with('!') { "]" } else { "" };
        let report = report(schema, &(tree + end));
        assert!(report.is_valid(), "{:?}", report.violations());
        let warning = &report.warnings()[0];
        assert_eq!((warning.code(), report.warnings().len()), (Code::Schema, 1));
        assert!(warning.path().as_str().ends_with("/s"), "{warning}");
        assert!(warning.hint().is_some());
    }
    // Other faults are found nevertheless.
    let schema =
        "required: [t]\nproperties: {s: {pattern: '^(a|a)*\\1b'}}\npatternProperties: {'^(a|a)*\\1b': {}}\n";
    let both = report(schema, &format!("s: {0}\n{0}: 1\n", "a".repeat(60)));
    assert_eq!(both.violations().iter().map(|one| one.code()).collect::<Vec<_>>(), [Code::Required]);
}

#[test]
fn schemas_whose_aliases_expand_without_limit_are_refused() {
    let mut text = format!("id: '{ID}'\ndefinitions:\n  a0: &a0 {{type: object}}\n");
    for level in 1..40 {
        text += &format!("  a{level}: &a{level} {{anyOf: [*a{0}, *a{0}]}}\n", level - 1);
    }
    let circle = format!("&s\nid: '{ID}'\nitems: *s\n");
    for (text, limit) in [(text + "not: *a39\n", "1000000 nodes"), (circle, "512 levels")] {
        let mut registry = Registry::new();
        registry.add_schema(&text).unwrap();
        let error = Validator::new(Arc::new(registry)).with_schema(ID).unwrap_err();
        assert!(error.to_string().contains(&format!("the schema has more than {limit}")), "{error}");
    }
}

/// Each missing name would be compared with each key.
#[test]
fn only_the_first_of_many_faults_have_suggestions() {
    let names = |start: &str| (0..1000).map(|at| format!("{start}{at}")).collect::<Vec<_>>();
    let schema = format!("required: [{}]\n", names("name").join(", "));
    let tree = names("nam").iter().map(|name| format!("{name}: 1\n")).collect::<String>();
    let report = report(&schema, &tree);
    let hints = report.violations().iter().filter(|one| one.hint().is_some()).count();
    assert_eq!((report.violations().len(), hints), (1000, 200));
}

/// Every alternative is looked at once for its layout, however often schemas refer to it.
#[test]
fn layouts_of_schemas_that_refer_to_their_parts_often_are_found() {
    let mut text =
        format!("id: '{ID}'\nanyOf: [{{type: array}}, {{$ref: '#/definitions/d0'}}]\ndefinitions:\n");
    for level in 0..15 {
        let next = vec![format!("{{$ref: '#/definitions/d{}'}}", level + 1); 8];
        text += &format!("  d{level}: {{allOf: [{}]}}\n", next.join(", "));
    }
    text += "  d15: {propertyOrder: [b, a], required: [a]}\n";
    let mut registry = Registry::new();
    registry.add_schema(&text).unwrap();
    registry.add_tag("asdf://x.org/t", ID);
    let mut tree = asdf_core::Tree::new();
    let (a, b) = (tree.add_str("a"), tree.add_str("b"));
    let root = tree.add_mapping([(a, b), (b, a)]);
    tree.set_tag(root, Some("asdf://x.org/t"));
    tree.set_root(root);
    registry.arrange(&mut tree);
    let keys: Vec<_> = tree.root().unwrap().entries().filter_map(|(key, _)| key.as_str()).collect();
    assert_eq!(keys, ["b", "a"]);
}

/// Names are looked up, not searched.
#[test]
fn the_smallest_value_has_thousands_of_properties() {
    let names: Vec<String> = (0..5000).map(|at| format!("name{at}")).collect();
    let properties: String = names.iter().map(|name| format!("  {name}: {{type: integer}}\n")).collect();
    let mut registry = Registry::new();
    let required = names.join(", ");
    registry.add_schema(&format!("id: '{ID}'\nrequired: [{required}]\nproperties:\n{properties}")).unwrap();
    let made = asdf_schemas::minimal(&registry, asdf_core::file::Version::new(1, 6, 0), ID);
    assert_eq!(made.unwrap().node.view().len(), 5000);
}

#[test]
fn a_long_enum_counts() {
    let values: String = (0..100_000).map(|number| format!("  - value{number}\n")).collect();
    let schema = format!("enum:\n{values}");
    assert!(report(&schema, "value99999").is_valid());
    let report = report(&schema, "other");
    let message = report.violations()[0].message();
    assert!(
        message.starts_with("found the string 'other', expected one of value0, value1"),
        "{message:.100}"
    );
    assert!(message.ends_with("value99 and 99900 more"), "{}", message.len());
}

#[test]
fn a_long_chain_of_references_is_refused() {
    for (length, fits) in [(300, true), (100_000, false)] {
        let mut schema = format!("id: '{ID}'\n$ref: '#/definitions/d0'\ndefinitions:\n");
        for at in 0..length {
            schema += &format!("  d{at}: {{$ref: '#/definitions/d{}'}}\n", at + 1);
        }
        schema += &format!("  d{length}: {{type: string}}\n");
        let mut registry = Registry::new();
        registry.add_schema(&schema).unwrap();
        let validator = Validator::new(Arc::new(registry)).with_schema(ID);
        assert_eq!(validator.is_ok(), fits, "{length}");
        match validator {
            Ok(validator) => assert!(!validator.validate_tree(&parse("5").unwrap()).is_valid()),
            Err(error) => assert!(error.to_string().contains("more than 1024 levels"), "{error}"),
        }
    }
}

/// Each schema of a document refers to the next one in the other document, by its id or by a relative reference.
#[test]
fn a_long_chain_through_two_documents_is_refused() {
    let (a, b) = ("asdf://x.org/schemas/a", "asdf://x.org/schemas/b");
    for (length, fits) in [(150, true), (2000, false)] {
        let mut registry = Registry::new();
        for (id, other) in [(a, "b"), (b, a)] {
            let mut schema = format!("id: '{id}'\n$ref: '{other}#/definitions/d0'\ndefinitions:\n");
            for at in 0..length {
                schema += &format!("  d{at}: {{$ref: '{other}#/definitions/d{}'}}\n", at + 1);
            }
            registry.add_schema(&(schema + &format!("  d{length}: {{type: string}}\n"))).unwrap();
        }
        match Validator::new(Arc::new(registry)).with_schema(a) {
            Ok(validator) => assert!(fits && !validator.validate_tree(&parse("5").unwrap()).is_valid()),
            Err(error) => assert!(!fits && error.to_string().contains("more than 1024 levels"), "{error}"),
        }
    }
}

/// A table whose columns are aliases of one list: their lengths are compared without reading the list each time.
#[test]
fn columns_that_share_a_list_are_compared_at_once() {
    const MANY: usize = 30_000;
    let list = vec!["1"; MANY].join(", ");
    let column = "!<tag:stsci.edu:asdf/core/column-9.0.0> {name: a, data: *x}";
    let columns = vec![column; MANY].join(", ");
    let text = format!(
        "x: &x !<tag:stsci.edu:asdf/core/ndarray-1.1.0> [{list}]\nt: !<tag:stsci.edu:asdf/core/table-9.0.0> {{columns: [{columns}]}}\n"
    );
    let report = Validator::standard().validate_tree(&parse(&text).unwrap());
    assert!(report.is_valid() && report.warnings().is_empty(), "{:?}", report.warnings());
}
