//! Any text as a schema: it is checked, bundled, arranges and validates a tree, and makes values that it accepts.

use std::collections::HashSet;
use std::sync::LazyLock;

use asdf_core::file::Version;
use asdf_core::yaml::parse;
use asdf_schemas::package::{Package, bundle};
use asdf_schemas::sample::Sampler;
use asdf_schemas::{Registry, Validator, minimal};

const STANDARD: Version = Version::new(1, 6, 0);

static BUILT_IN: LazyLock<HashSet<String>> =
    LazyLock::new(|| Registry::standard().ids().into_iter().map(str::to_owned).collect());

pub fn run(data: &[u8]) {
    // The input is a schema, a NUL and a tree, whose bytes also choose a sample.
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (schema, tree) = text.split_once('\0').unwrap_or((text, "{a: 1, b: [x]}"));
    let folder = crate::folder();
    let path = folder.path().join("fuzz-1.0.0.yaml");
    std::fs::write(&path, schema).expect("the schema is written");
    let package = Package::read(&[&path], Registry::new()).expect("the schema is read");
    for checked in package.check() {
        for finding in checked.report.findings() {
            assert!(finding.to_string().len() < 4000 + 3 * schema.len(), "{finding}");
        }
    }
    let registry = package.registry();
    let ids: Vec<&str> = registry.ids().into_iter().filter(|id| !BUILT_IN.contains(*id)).collect();
    for id in ids {
        let _ = bundle(registry, &[id]);
        let _ = minimal(registry, STANDARD, id);
        let validator = Validator::new(registry.clone()).max_expanded(1000).max_findings(20);
        if let Ok(mut tree) = parse(tree) {
            let first = tree.root().map(|root| validator.validate_node(root, id));
            registry.arrange(&mut tree);
            if let Some((Ok(first), Some(root))) = first.map(|first| (first, tree.root())) {
                let then = validator.validate_node(root, id).expect("validated before");
                assert_eq!(
                    then.violations().len(),
                    first.violations().len(),
                    "another order, another verdict"
                );
            }
        }
        let Ok(mut sampler) = Sampler::new(registry.clone(), STANDARD) else { continue };
        if let Ok(Some(sample)) = sampler.sample_schema(id, &tree.as_bytes()[..tree.len().min(16)]) {
            let report = validator.validate_node(sample.view(), id).expect("a schema that makes a sample");
            assert!(report.is_valid(), "{}", report.violations()[0]);
        }
    }
}
