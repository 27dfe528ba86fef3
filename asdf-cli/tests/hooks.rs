//! The definitions for pre-commit and GitHub Actions: the files that they name exist, and the program accepts their
//! arguments.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use asdf_core::{NodeRef, Tree, yaml};

const GOOD: &str = "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\nsoftware: !core/software-1.0.0 {name: camera, version: '2.1'}\n...\n";

/// Returns the folder of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

fn parsed(name: &str) -> Tree {
    yaml::parse(&std::fs::read_to_string(root().join(name)).unwrap()).unwrap()
}

fn text<'t>(node: NodeRef<'t>, key: &str) -> &'t str {
    node.get(key).and_then(|text| text.text()).unwrap_or_else(|| panic!("no {key}"))
}

/// Creates a folder with a valid file, an invalid one and a schema.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("good.asdf"), GOOD).unwrap();
    std::fs::write(folder.path().join("bad.asdf"), GOOD.replace("'2.1'", "2.1")).unwrap();
    std::fs::create_dir(folder.path().join("schemas")).unwrap();
    let schema = "%YAML 1.1\n---\n$schema: http://stsci.edu/schemas/yaml-schema/draft-01\nid: asdf://example.org/schemas/lens-1.0.0\ntype: object\n...\n";
    std::fs::write(folder.path().join("schemas/lens-1.0.0.yaml"), schema).unwrap();
    folder
}

fn shown(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn hooks_of_pre_commit() {
    let folder = folder();
    let tree = parsed(".pre-commit-hooks.yaml");
    let mut ids = Vec::new();
    for hook in tree.root().unwrap().items() {
        let id = text(hook, "id");
        ids.push(id);
        assert_eq!(text(hook, "language"), "script", "{id}");
        let mut words = text(hook, "entry").split(' ');
        let script = root().join(words.next().unwrap());
        let mode = std::fs::metadata(&script).unwrap().permissions().mode();
        assert_eq!(mode & 0o111, 0o111, "{id}: {} cannot be run", script.display());
        let commands = std::fs::read_to_string(&script).unwrap();
        assert!(commands.contains(concat!("-p ", env!("CARGO_PKG_NAME"))), "{commands}");
        assert!(commands.contains("/release/asdf\""), "{commands}");

        let files = regex::Regex::new(text(hook, "files")).unwrap();
        let names = ["good.asdf", "schemas/lens-1.0.0.yaml"];
        let names: Vec<&str> = names.into_iter().filter(|name| files.is_match(name)).collect();
        assert_eq!(names.len(), 1, "{id}");
        // The example in the comment of the file uses one of these too.
        let more: &[&str] = if id == "asdf-schema-check" { &["--schemas", "schemas"] } else { &[] };
        let output = Command::new(env!("CARGO_BIN_EXE_asdf"))
            .args(words)
            .args(more)
            .args(names)
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(output.status.success() && shown(&output).is_empty(), "{id}: {}", shown(&output));
    }
    assert_eq!(ids, ["asdf-validate", "asdf-schema-check"]);
}

/// Runs the last step of the action, with the program in the folder that the first step installs it to.
fn action(step: NodeRef<'_>, inputs: [&str; 4], folder: &Path) -> Output {
    let tools = tempfile::tempdir().unwrap();
    let programs = tools.path().join("asdf/bin");
    std::fs::create_dir_all(&programs).unwrap();
    symlink(env!("CARGO_BIN_EXE_asdf"), programs.join("asdf")).unwrap();
    // These are the options with which GitHub runs bash.
    let mut command = Command::new("bash");
    command.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", text(step, "run")]);
    for (name, value) in ["PATHS", "SCHEMAS", "PACKAGES", "ARGS"].into_iter().zip(inputs) {
        command.env(name, value);
    }
    command.env("RUNNER_TEMP", tools.path()).current_dir(folder).output().unwrap()
}

#[test]
fn the_action_of_github() {
    let folder = folder();
    let tree = parsed("action.yml");
    let action_file = tree.root().unwrap();
    let steps: Vec<NodeRef<'_>> = tree.find("/runs/steps").unwrap().items().collect();
    let [build, validate] = steps[..] else { panic!("there are {} steps", steps.len()) };

    let install = text(build, "run");
    let path = install.split_once("--path \"$GITHUB_ACTION_PATH/").unwrap().1.trim_end_matches('"');
    let manifest = std::fs::read_to_string(root().join(path).join("Cargo.toml")).unwrap();
    assert!(manifest.contains(concat!("name = \"", env!("CARGO_PKG_NAME"), "\"")), "{manifest}");
    assert!(install.contains("--root \"$RUNNER_TEMP/asdf\""), "{install}");

    // The script gets every input, and nothing else.
    let inputs: Vec<String> =
        action_file.get("inputs").unwrap().entries().map(|(key, _)| key.text().unwrap().to_owned()).collect();
    let given: Vec<String> = validate
        .get("env")
        .unwrap()
        .entries()
        .map(|(name, value)| {
            let input = name.text().unwrap().to_lowercase();
            assert_eq!(value.text().unwrap(), format!("${{{{ inputs.{input} }}}}"));
            input
        })
        .collect();
    assert_eq!(given, inputs);

    let good = action(validate, ["good.asdf", "", "", ""], folder.path());
    assert!(good.status.success(), "{}", shown(&good));
    let bad = action(validate, [".", "schemas", "", "--strict --no-blocks"], folder.path());
    assert_eq!(bad.status.code(), Some(1), "{}", shown(&bad));
    let annotation = "::error file=bad.asdf,title=ASDF-S001,line=6,col=";
    assert!(shown(&bad).lines().any(|line| line.starts_with(annotation)), "{}", shown(&bad));
    let unknown = action(validate, ["good.asdf", "", "no_such_package", ""], folder.path());
    assert_eq!(unknown.status.code(), Some(2));
    assert!(shown(&unknown).contains("Python package 'no_such_package' not found"), "{}", shown(&unknown));
}
