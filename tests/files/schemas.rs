//! Checks the schemas themselves: each is valid by its metaschema, and tags and schemas refer to each other.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;

use asdf_core::file::Version;
use asdf_core::tree::NodeRef;
use asdf_schemas::registry::Edition;
use asdf_schemas::{Registry, Validator};

/// The schema of the metaschemas.
const DRAFT_4: &str = "http://json-schema.org/draft-04/schema";
/// A metaschema that includes everything of draft 4.
const DRAFT_01: &str = "http://stsci.edu/schemas/yaml-schema/draft-01";
const ASDF_SCHEMA: &str = "http://stsci.edu/schemas/asdf/asdf-schema-1.1.0";
const MANIFEST: &str = "asdf://asdf-format.org/core/schemas/extension_manifest-1.0.0";

#[test]
fn every_schema_and_manifest_is_valid_by_its_metaschema() {
    let validator = Validator::standard();
    let registry = validator.registry();
    let mut by_metaschema: BTreeMap<String, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for id in registry.ids() {
        let tree = registry.schema(id).unwrap();
        let root = tree.root().unwrap();
        let metaschema = match root.get("$schema").and_then(NodeRef::as_str) {
            Some(metaschema) if metaschema.trim_end_matches('#') == DRAFT_4 => DRAFT_01,
            Some(metaschema) => metaschema.trim_end_matches('#'),
            None => MANIFEST,
        };
        let report = validator.validate_node(root, metaschema).unwrap();
        wrong.extend(report.violations().iter().map(|violation| format!("{id}: {violation}")));
        if metaschema == DRAFT_01 {
            // The metaschema that extends it for arrays accepts the same schemas.
            let report = validator.validate_node(root, ASDF_SCHEMA).unwrap();
            wrong.extend(report.violations().iter().map(|violation| format!("{id}: {violation}")));
        }
        *by_metaschema.entry(metaschema.to_owned()).or_default() += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(by_metaschema[DRAFT_01] > 550 && by_metaschema[MANIFEST] > 25, "{by_metaschema:?}");
}

#[test]
fn a_schema_that_breaks_its_metaschema_is_found() {
    let validator = Validator::standard();
    let text = "{properties: {a: {type: strin}}, propertyOrder: a}";
    let tree = asdf_core::yaml::parse(text).unwrap();
    let report = validator.validate_node(tree.root().unwrap(), DRAFT_01).unwrap();
    assert!(report.violations().len() >= 2, "{report:?}");
}

#[test]
fn tags_lead_to_schemas_and_back_in_every_version_of_the_standard() {
    let registry = Registry::standard();
    for minor in 0..8 {
        let version = Version::new(1, minor, 0);
        let edition = Edition::new(&registry, version).unwrap();
        for tag in edition.tags() {
            let schemas = edition.schemas_of(tag);
            assert!(!schemas.is_empty(), "{version}: {tag}");
            for schema in schemas {
                assert!(registry.text(schema).is_some(), "{version}: {tag}: {schema}");
                assert!(edition.tags_of(schema).contains(&tag), "{version}: {tag}: {schema}");
                assert!(registry.tags_of(schema).contains(&tag), "{version}: {tag}: {schema}");
            }
        }
        let core = format!("asdf://asdf-format.org/core/manifests/core-{version}");
        let manifest = registry.schema(&core).unwrap();
        for entry in manifest.find("/tags").unwrap().items() {
            let (tag, schema) = (entry.get("tag_uri").unwrap(), entry.get("schema_uri").unwrap());
            assert_eq!(edition.schemas_of(tag.as_str().unwrap()), [schema.as_str().unwrap()]);
            // The standard names one version of each type.
            assert_eq!(edition.newest(tag.as_str().unwrap()), tag.as_str());
        }
    }
    assert!(Edition::new(&registry, Version::new(1, 8, 0)).is_err());
}

/// The version maps for older readers agree with the manifests, which are authoritative.
#[test]
fn version_maps_agree_with_manifests() {
    let registry = Registry::standard();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../schemas/stsci.edu/asdf");
    let mut types = 0;
    for minor in 0..7 {
        let text = std::fs::read_to_string(format!("{folder}/version_map-1.{minor}.0.yaml")).unwrap();
        let map = asdf_core::yaml::parse(&text).unwrap();
        let edition = Edition::new(&registry, Version::new(1, minor, 0)).unwrap();
        for (name, version) in map.find("/tags").unwrap().entries() {
            let tag = format!("{}-{}", name.as_str().unwrap(), version.as_str().unwrap());
            assert!(edition.contains(&tag), "1.{minor}.0: {tag}");
            types += 1;
        }
    }
    assert!(types > 100, "only {types} types");
}
