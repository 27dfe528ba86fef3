//! Checks the standard's own schemas as a package, and as documents for editors.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::Path;

use asdf_core::tree::{Kind, NodeRef};
use asdf_core::yaml;
use asdf_schemas::package::{Package, bundle};
use asdf_schemas::{Registry, Validator};
use serde_json::Value;

#[test]
fn the_standards_own_schemas_pass() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schemas");
    let package = Package::read(&[folder], Registry::empty()).unwrap();
    let (mut files, mut examples, mut wrong) = (0, 0, Vec::new());
    for file in package.check() {
        files += 1;
        examples += file.report.validated();
        // The manifest of astropy's units and equivalencies is in another package.
        let elsewhere =
            |text: &str| text.contains("no known manifest has the tag tag:astropy.org:astropy/units/");
        let findings = file.report.violations().iter().chain(file.report.warnings());
        let findings = findings.filter(|finding| !elsewhere(finding.message()));
        wrong.extend(findings.map(|finding| format!("{}:{finding}", file.path.display())));
    }
    assert!(wrong.is_empty(), "{} findings:\n{}", wrong.len(), wrong.join("\n"));
    assert!(files > 600 && examples > 900, "only {files} files and {examples} examples");
}

/// Converts a tree without its tags to JSON; `None` if JSON cannot represent it.
fn json(node: NodeRef<'_>) -> Option<Value> {
    Some(match node.kind() {
        Kind::Null => Value::Null,
        Kind::Bool => node.as_bool()?.into(),
        Kind::Int => node.as_i64()?.into(),
        Kind::Float => Value::Number(serde_json::Number::from_f64(node.as_f64()?)?),
        Kind::String | Kind::Timestamp => node.text()?.into(),
        Kind::Sequence => node.items().map(json).collect::<Option<Vec<_>>>()?.into(),
        Kind::Mapping => {
            let members = node.entries().map(|(key, value)| Some((key.text()?.to_owned(), json(value)?)));
            Value::Object(members.collect::<Option<_>>()?)
        }
    })
}

#[test]
fn documents_for_editors_allow_what_the_schema_allows() {
    let registry = Registry::standard();
    let validator = Validator::standard();
    let (mut documents, mut examples) = (0, 0);
    for tag in registry.tags() {
        for id in registry.schemas_of(tag) {
            let bundle = bundle(&registry, &[id]).unwrap();
            assert!(jsonschema::draft7::meta::is_valid(&bundle), "{id}");
            let compiled = jsonschema::draft7::new(&bundle).unwrap();
            documents += 1;
            let schema = registry.schema(id).unwrap();
            for example in schema.find("/examples").into_iter().flat_map(NodeRef::items) {
                let Some(text) = example.items().last().and_then(NodeRef::as_str) else { continue };
                let Ok(tree) = yaml::parse(&format!("%TAG ! tag:stsci.edu:asdf/\n---\n{text}\n")) else {
                    continue;
                };
                let root = tree.root().unwrap();
                // Schemas see tagged scalars and numbers in a special notation as strings.
                let plain = root.walk().all(|node| node.own_tag().is_none() || !node.kind().is_scalar());
                let Some(value) = json(root).filter(|_| plain) else { continue };
                if !validator.validate_node(root, id).unwrap().is_valid() {
                    continue;
                }
                examples += 1;
                let errors: Vec<String> =
                    compiled.iter_errors(&value).map(|error| error.to_string()).collect();
                assert!(errors.is_empty(), "{id}: {value}: {errors:?}");
            }
        }
    }
    assert!(documents > 400 && examples > 300, "only {documents} documents and {examples} examples");
}
