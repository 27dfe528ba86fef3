//! Checks that the tables of features in the documentation and READMEs of the libraries agree with `Cargo.toml`.
//!
//! `UPDATE_EXPECTED=1 cargo test -p asdf-tests --test files features` rewrites the tables; review the difference.

#![allow(clippy::unwrap_used, reason = "a test that fails here has failed")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A feature: its name, the features and dependencies that it enables, and its comment.
#[derive(Debug)]
struct Feature {
    name: String,
    needs: Vec<String>,
    comment: Option<String>,
}

fn folder(package: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(package)
}

/// Returns the features of a package, in the order of its `Cargo.toml`.
fn features(package: &str) -> Vec<Feature> {
    let text = std::fs::read_to_string(folder(package).join("Cargo.toml")).unwrap();
    let (_, section) = text.split_once("\n[features]\n").unwrap();
    let lines = section.lines().take_while(|line| !line.starts_with('['));
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let (name, rest) = line.split_once(" = [").unwrap_or_else(|| panic!("{package}: {line}"));
            let (needs, comment) = rest.split_once(']').unwrap_or_else(|| panic!("{package}: {line}"));
            let needs = needs.split(',').map(|need| need.trim().trim_matches('"').to_owned());
            let comment = comment.trim().strip_prefix("# ").map(str::to_owned);
            Feature { name: name.to_owned(), needs: needs.filter(|need| !need.is_empty()).collect(), comment }
        })
        .collect()
}

/// Returns the features that are on by default, directly or indirectly: those of the package, and those of asdf-core with
/// the prefix `asdf-core/`.
fn defaults(features: &[Feature], core: &[Feature]) -> BTreeSet<String> {
    let mut needs: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for feature in features {
        needs.insert(feature.name.clone(), feature.needs.clone());
    }
    for feature in core {
        let inner = feature.needs.iter().map(|need| format!("asdf-core/{need}"));
        needs.insert(format!("asdf-core/{}", feature.name), inner.collect());
    }
    let mut found = BTreeSet::new();
    let mut pending = vec!["default".to_owned()];
    while let Some(name) = pending.pop() {
        let inner = needs.get(&name).cloned().unwrap_or_default();
        if found.insert(name) {
            pending.extend(inner);
        }
    }
    found
}

fn table(package: &str) -> String {
    let core = features("asdf-core");
    let features = features(package);
    let defaults = defaults(&features, &core);
    let mut table = String::from("| feature | default | C compiler | what it adds |\n|---|---|---|---|\n");
    for feature in features.iter().filter(|feature| feature.name != "default") {
        // A feature that only enables one of asdf-core has the same description.
        let forwarded = match feature.needs.as_slice() {
            [only] => core.iter().find(|other| *only == format!("asdf-core/{}", other.name)),
            _ => None,
        };
        let comment = feature.comment.as_ref().or_else(|| forwarded?.comment.as_ref());
        let comment = comment.unwrap_or_else(|| panic!("{package}: `{}` has no comment", feature.name));
        let on = defaults.contains(&feature.name)
            || forwarded.is_some_and(|other| defaults.contains(&format!("asdf-core/{}", other.name)));
        let default = if on { "yes" } else { "" };
        let (what, compiler) = match comment.split_once("; needs a C compiler") {
            Some((what, _)) => (what, "needed"),
            None => (comment.as_str(), ""),
        };
        let cell = |text: &str| if text.is_empty() { " |".to_owned() } else { format!(" {text} |") };
        table += &format!("| `{}` |{}{}{}\n", feature.name, cell(default), cell(compiler), cell(what));
    }
    table
}

/// Replaces the table of features in a text.
fn with_table(text: &str, table: &str) -> String {
    let at = text.find("| feature |").expect("the text has a table of features");
    let (before, rest) = text.split_at(at);
    let after: String = rest.split_inclusive('\n').skip_while(|line| line.starts_with('|')).collect();
    format!("{before}{table}{after}")
}

#[test]
fn tables_of_features_are_those_of_cargo() {
    let mut wrong = Vec::new();
    for package in ["asdf-core", "asdf-schemas", "asdf-fits", "asdf-gwcs", "asdf-tables"] {
        let table = table(package);
        for name in ["src/features.md", "README.md"] {
            let file = folder(package).join(name);
            let text = std::fs::read_to_string(&file).unwrap();
            let expected = with_table(&text, &table);
            if text == expected {
                continue;
            }
            if std::env::var_os("UPDATE_EXPECTED").is_some() {
                std::fs::write(&file, expected).unwrap();
            } else {
                wrong.push(format!("{package}/{name} does not have this table:\n{table}"));
            }
        }
        let library = std::fs::read_to_string(folder(package).join("src/lib.rs")).unwrap();
        assert!(library.contains("#![doc = include_str!(\"features.md\")]"), "{package}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// asdf-schemas forwards every feature of `asdf-core` under the same name.
#[test]
fn features_of_asdf_core_have_the_same_names_in_asdf_schemas() {
    let schemas = features("asdf-schemas");
    // asdf-schemas always enables the derive, and with it regular expressions.
    let own = |feature: &&Feature| !["derive", "regex"].contains(&feature.name.as_str());
    for feature in features("asdf-core").iter().filter(own) {
        let same = schemas.iter().find(|other| other.name == feature.name);
        let needs = &same.unwrap_or_else(|| panic!("asdf-schemas has no `{}`", feature.name)).needs;
        let name = format!("asdf-core/{}", feature.name);
        assert!(feature.name == "default" || needs.contains(&name), "asdf-schemas: {}", feature.name);
    }
}
