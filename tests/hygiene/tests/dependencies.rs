//! Checks the licences and sources of all dependencies by the rules in `deny.toml`.
//!
//! `cargo deny check` does this too, but compiling it takes minutes.

use std::path::PathBuf;
use std::process::Command;

use serde::Deserialize;
use spdx::{Expression, LicenseReq, Licensee, ParseMode};

/// The only place that dependencies come from.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// What `cargo metadata` prints.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    /// `None` for packages of this workspace.
    source: Option<String>,
    license: Option<String>,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    req: String,
    path: Option<PathBuf>,
}

/// The parts of `deny.toml` that are checked here.
#[derive(Deserialize)]
struct Rules {
    licenses: Licenses,
}

#[derive(Deserialize)]
struct Licenses {
    allow: Vec<String>,
}

/// The licences that the rules allow.
fn allowed() -> Vec<Licensee> {
    let rules: Rules = toml::from_str(include_str!("../../../deny.toml")).expect("the rules can be read");
    let names = rules.licenses.allow.iter();
    names.map(|name| Licensee::parse(name).expect("an SPDX licence")).collect()
}

/// All packages that any feature needs, on any machine.
fn packages() -> Vec<Package> {
    let cargo = std::env::var_os("CARGO").expect("cargo runs the tests");
    let arguments = ["metadata", "--format-version", "1", "--all-features", "--locked"];
    let output = Command::new(cargo).args(arguments).output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Metadata = serde_json::from_slice(&output.stdout).expect("metadata can be read");
    metadata.packages
}

/// Returns what the rules say against a package.
fn faults(package: &Package, allowed: &[Licensee]) -> Vec<String> {
    let name = &package.name;
    let mut faults = Vec::new();
    match package.source.as_deref() {
        Some(REGISTRY) => {}
        Some(other) => faults.push(format!("{name} comes from {other}, not from crates.io")),
        None => {
            let any = package.dependencies.iter().filter(|one| one.req == "*" && one.path.is_none());
            faults.extend(any.map(|one| format!("{name} depends on any version of {}", one.name)));
        }
    }
    let is_allowed = |required: &LicenseReq| allowed.iter().any(|licensee| licensee.satisfies(required));
    let Some(licence) = &package.license else {
        faults.push(format!("{name} names no licence"));
        return faults;
    };
    match Expression::parse_mode(licence, ParseMode::LAX) {
        Ok(expression) if expression.evaluate(is_allowed) => {}
        Ok(_) => faults.push(format!("the licence of {name} is {licence}, which deny.toml does not allow")),
        Err(error) => faults.push(format!("cannot read the licence of {name}: {error}")),
    }
    faults
}

#[test]
fn dependencies_have_allowed_licences_and_sources() {
    let (allowed, packages) = (allowed(), packages());
    assert!(packages.len() > 100, "{} packages", packages.len());
    let faults: Vec<String> = packages.iter().flat_map(|package| faults(package, &allowed)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn each_rule_can_be_broken() {
    let found = |source: Option<&str>, licence: Option<&str>, requirement: &str| {
        let package = Package {
            name: "p".to_owned(),
            source: source.map(str::to_owned),
            license: licence.map(str::to_owned),
            dependencies: vec![Dependency { name: "q".to_owned(), req: requirement.to_owned(), path: None }],
        };
        faults(&package, &allowed()).join("; ")
    };
    assert_eq!(found(Some(REGISTRY), Some("MIT/GPL-3.0"), "*"), "");
    assert_eq!(
        found(Some("git+https://example.org"), Some("MIT AND GPL-3.0-only"), "1"),
        "p comes from git+https://example.org, not from crates.io; \
         the licence of p is MIT AND GPL-3.0-only, which deny.toml does not allow"
    );
    assert_eq!(found(None, None, "*"), "p depends on any version of q; p names no licence");
}
