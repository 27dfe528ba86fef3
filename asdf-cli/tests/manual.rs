//! The examples at the end of every command's help. Each runs without a usage error, in a folder with the files that
//! they name.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::path::Path;
use std::process::{Command, Output, Stdio};

use asdf_core::{File, NdArray, Threads};

fn program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_asdf"))
}

fn run(line: &str, folder: &Path) -> Output {
    let path = std::env::join_paths(
        [program().parent().unwrap().to_path_buf()]
            .into_iter()
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    );
    Command::new("sh")
        .args(["-c", line])
        .current_dir(folder)
        .env("PATH", path.unwrap())
        .env("HOME", folder.join("home"))
        .env("VIRTUAL_ENV", folder.join("venv"))
        .env("EDITOR", "true")
        .env_remove("VISUAL")
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// Returns the commands of the program, including those of `schema`.
fn commands() -> Vec<String> {
    let help = |words: &str| {
        let output = Command::new(program()).args(words.split_whitespace()).arg("--help").output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let listed = |help: &str| -> Vec<String> {
        let list = help.split("\nCommands:\n").nth(1).unwrap_or_default();
        let names = list.lines().take_while(|line| !line.is_empty()).filter(|line| !line.starts_with("   "));
        names
            .map(|line| line.split_whitespace().next().unwrap().to_owned())
            .filter(|name| name != "help")
            .collect()
    };
    let mut all = Vec::new();
    for name in listed(&help("")) {
        for below in listed(&help(&name)) {
            all.push(format!("{name} {below}"));
        }
        all.push(name);
    }
    all
}

/// The help of a command on a terminal with this number of columns.
fn help(command: &str, columns: usize) -> String {
    let mut program = Command::new(program());
    program.args(command.split_whitespace()).arg("--help").env("COLUMNS", columns.to_string());
    String::from_utf8(program.output().unwrap().stdout).unwrap()
}

/// The first paragraphs in a help: of the command, its options, arguments and, in a list, its commands.
fn summaries(help: &str) -> Vec<String> {
    let mut summaries = vec![Vec::new()];
    let mut is_open = true;
    for line in help.split("\nExamples:\n").next().unwrap().lines() {
        let indent = line.len() - line.trim_start().len();
        let in_list = (indent == 2).then(|| line.trim_start().split_once("  ")).flatten();
        if let Some((_, summary)) = in_list.filter(|(name, _)| !name.starts_with('-')) {
            summaries.push(vec![summary.trim()]);
            is_open = true;
        } else if line.trim_start().starts_with(['-', '<', '[']) && indent < 10 {
            summaries.push(Vec::new());
            is_open = true;
        } else if line.trim().is_empty() {
            is_open = false;
        } else if is_open {
            summaries.last_mut().unwrap().push(line.trim());
        }
    }
    let without_values = |summary: Vec<&str>| {
        let summary = summary.join(" ");
        let end = [" [default: ", " [possible values: ", " [alias"]
            .iter()
            .filter_map(|note| summary.find(note))
            .min()
            .unwrap_or(summary.len());
        summary[..end].to_owned()
    };
    summaries.into_iter().map(without_values).collect()
}

#[test]
fn help_fits_a_terminal() {
    let mut all = commands();
    all.push(String::new());
    let faults = Threads::ALL.map(&all, |command| {
        let mut faults = Vec::new();
        for line in help(command, 80).lines().filter(|line| line.chars().count() > 80) {
            faults.push(format!("asdf {command}: wider than 80 columns: {line}"));
        }
        let help = help(command, 100);
        let summaries = summaries(&help);
        if summaries.len() < 5 {
            faults.push(format!("asdf {command}: only {summaries:?} were found"));
        }
        for summary in summaries.iter().filter(|summary| summary.chars().count() > 70) {
            faults.push(format!("asdf {command}: longer than 70 characters: {summary}"));
        }
        for line in help.split("\nExamples:\n").nth(1).unwrap_or_default().lines() {
            if !["  asdf ", "  if asdf ", "  EDITOR=", "  #", "  gunzip ", "  curl "]
                .iter()
                .any(|head| line.starts_with(head))
            {
                faults.push(format!("asdf {command}: an example is too long for one line: {line}"));
            }
        }
        faults
    });
    let mut faults: Vec<String> = faults.into_iter().flatten().collect();
    faults.sort();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Returns the command lines of a help's examples, without remarks and lines that are not for a shell.
fn examples(command: &str) -> Vec<String> {
    let output = Command::new(program()).args(command.split_whitespace()).arg("--help").output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    let mut lines: Vec<String> = Vec::new();
    for line in help.split("\nExamples:\n").nth(1).unwrap_or_default().lines() {
        let Some(line) = line.strip_prefix("  ") else { continue };
        let begins = ["asdf ", "if asdf ", "EDITOR=", "#"].iter().any(|head| line.starts_with(head));
        match lines.last_mut().filter(|_| !begins) {
            // A line that was wrapped at the width of the terminal.
            Some(last) => {
                last.push(' ');
                last.push_str(line);
            }
            None => lines.push(line.to_owned()),
        }
    }
    lines.retain(|line| !line.starts_with('#'));
    let bare = |line: String| {
        line.split("  ").next().unwrap().replace("then ...", "then true; fi").replace("&& ...", "&& true")
    };
    lines.into_iter().map(bare).collect()
}

/// Creates a folder with all files that the examples name.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        path
    };
    let mut file = File::new();
    let large = NdArray::new(&[120, 1010], &vec![1_u8; 120 * 1010]).unwrap();
    let image = NdArray::new(&[2, 2], &[1.5_f32, 2.5, 3.5, 4.5]).unwrap();
    for path in ["/roman", "/roman/meta", "/roman/meta/exposure", "/roman/meta/instrument", "/meta", "/wcs"] {
        let mapping = file.tree_mut().add_mapping([]);
        file.tree_mut().edit(path).set(mapping).unwrap();
    }
    for (path, text) in [
        ("/roman/meta/exposure/type", "WFI_IMAGE"),
        ("/roman/meta/exposure/start_time", "2026-11-20"),
        ("/roman/meta/instrument/detector", "WFI01"),
        ("/roman/meta/comment", "none"),
        ("/target", "M31"),
        ("/serial", "1"),
    ] {
        file.set(path, text).unwrap();
    }
    file.set("/calibrated", &true).unwrap();
    file.set("/meta/exposure_time", &61.5).unwrap();
    file.set("/filters", &vec!["F062", "F087"]).unwrap();
    file.set("/roman/data", &image).unwrap();
    file.set("/roman/err", &image).unwrap();
    file.set("/roman/dq", &image).unwrap();
    file.set("/data", &image).unwrap();
    for name in [
        "image.asdf",
        "r1.asdf",
        "m31.asdf",
        "old.asdf",
        "new.asdf",
        "raw.asdf",
        "calibrated.asdf",
        "parts.asdf",
        "edited_by_hand.asdf",
        "archive/one.asdf",
        "night/two.asdf",
        "before/a.asdf",
        "after/a.asdf",
        "converted/x.asdf",
        "parts/x.asdf",
        "m31_exploded.asdf",
    ] {
        file.write(at(name)).unwrap();
    }
    let whole = std::fs::read(at("image.asdf")).unwrap();
    std::fs::write(at("cut.asdf"), &whole[..whole.len() - 70]).unwrap();
    file.set("/roman/data", &large).unwrap();
    file.set("/roman/dq", &NdArray::new(&[120, 1010], &vec![9_u32; 120 * 1010]).unwrap()).unwrap();
    file.write(at("image.asdf")).unwrap();
    // Images in three bands, and a light curve.
    let mut file = File::new();
    for band in ["/i", "/r", "/g"] {
        file.set(band, &image).unwrap();
    }
    file.set("/time", &NdArray::new(&[3], &[1.0, 2.0, 4.0]).unwrap()).unwrap();
    file.set("/flux", &NdArray::new(&[3], &[5.0, 3.0, 4.0]).unwrap()).unwrap();
    file.write(at("sky.asdf")).unwrap();
    file.write(at("star.asdf")).unwrap();
    // A cube, and files that other programs write.
    let mut file = File::new();
    file.set("/cube", &NdArray::new(&[20, 4, 4], &vec![1_u8; 320]).unwrap()).unwrap();
    file.write(at("cube.asdf")).unwrap();
    for line in [
        "asdf export m31.asdf /data -o data.npy",
        "asdf export m31.asdf /data -o m31.fits",
        "asdf import m31.fits jwst.asdf --path /fits",
        "asdf export m31.asdf /data -o gaia.vot",
    ] {
        assert!(run(line, folder.path()).status.success(), "{line}");
    }
    std::fs::copy("tests/console/files/jwst.fits", at("jw01234_cal.fits")).unwrap();
    for name in ["catalog.csv", "stars.csv"] {
        std::fs::write(at(name), "name,flux\na,1.5\nb,2\n").unwrap();
    }
    assert!(run("gzip stars.csv", folder.path()).status.success());
    // A file with one array, and one with a table.
    let mut file = File::new();
    file.set("/sources", &NdArray::new(&[2], &[1.0, 2.0]).unwrap()).unwrap();
    file.write(at("catalog.asdf")).unwrap();
    std::fs::write(at("template.yaml"), "meta: {date: none}\n").unwrap();
    std::fs::write(
        at("tree.yaml"),
        "{type: object, required: [target], properties: {target: {type: string}}}\n",
    )
    .unwrap();
    for package in ["camera", "venv/lib/python3.11/site-packages/rad/resources"] {
        let schema = "%YAML 1.1\n---\nid: asdf://example.org/schemas/NAME-1.0.0\ntype: object\nproperties:\n  seconds: {type: number, archive_catalog: {datatype: float, destination: [WFIExposure.seconds]}}\n...\n";
        for name in ["exposure", "wfi_image"] {
            std::fs::write(at(&format!("{package}/{name}.yaml")), schema.replace("NAME", name)).unwrap();
        }
        let manifest = "%YAML 1.1\n---\nid: asdf://example.org/manifests/camera-1.0.0\nextension_uri: asdf://example.org/extensions/camera-1.0.0\ntags:\n- {tag_uri: 'asdf://example.org/tags/exposure-1.0.0', schema_uri: 'asdf://example.org/schemas/exposure-1.0.0'}\n- {tag_uri: 'asdf://example.org/tags/wfi_image-1.0.0', schema_uri: 'asdf://example.org/schemas/wfi_image-1.0.0'}\n...\n";
        std::fs::write(at(&format!("{package}/camera-1.0.0.yaml")), manifest).unwrap();
    }
    for shell in [
        ".local/share/bash-completion/completions",
        ".zfunc",
        ".config/fish/completions",
        ".local/share/man/man1",
    ] {
        std::fs::create_dir_all(at("home").join(shell)).unwrap();
    }
    folder
}

/// Copies a folder, because examples change files.
fn copy(from: &Path) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for entry in walkdir::WalkDir::new(from).min_depth(1) {
        let entry = entry.unwrap();
        let to = folder.path().join(entry.path().strip_prefix(from).unwrap());
        match entry.file_type().is_dir() {
            true => std::fs::create_dir_all(to).unwrap(),
            false => drop(std::fs::copy(entry.path(), to).unwrap()),
        }
    }
    folder
}

/// Returns whether the other programs of an example are installed.
fn is_there(line: &str) -> bool {
    let others = [
        ("man -l", "man"),
        ("| display", "display"),
        ("| jq", "jq"),
        ("code --wait", "code"),
        ("asdf sql", "asdf-sql"),
    ];
    let missing = |program: &str| {
        let found = Command::new("sh").args(["-c", &format!("command -v {program}")]).output().unwrap();
        !found.status.success()
    };
    !others.iter().any(|(words, program)| line.contains(words) && missing(program))
}

/// Runs an example in its own folder, and returns a description of any fault.
fn wrong(line: &str, files: &Path) -> Option<String> {
    let folder = copy(files);
    // Examples that create a file which other examples read.
    let made = [
        ("asdf new ", "new.asdf"),
        ("asdf convert old.asdf ", "new.asdf"),
        ("asdf explode m31", "m31_exploded.asdf"),
        ("asdf export image.asdf /roman/data -o data.npy", "data.npy"),
        ("asdf import catalog", "catalog.asdf"),
        ("asdf import m31", "m31.asdf"),
        ("asdf cutout image.asdf --ra 269.83 ", "star.asdf"),
    ];
    for (_, name) in made.iter().filter(|(head, _)| line.starts_with(head)) {
        std::fs::remove_file(folder.path().join(name)).unwrap();
    }
    let mut line = line.to_owned();
    if line.starts_with("asdf preview ") && !line.contains(" -o ") && !line.contains(" --graphics ") {
        // Output goes to a pipe, so the kind of graphics must be given.
        line.push_str(" --graphics blocks");
    }
    let output = run(&line, folder.path());
    (!matches!(output.status.code(), Some(0 | 1)))
        .then(|| format!("{line}: {}{}", output.status, String::from_utf8_lossy(&output.stderr)))
}

#[test]
fn examples_are_right() {
    let files = folder();
    let commands = commands();
    let of_each = Threads::ALL.map(&commands, |command| examples(command));
    for (command, lines) in commands.iter().zip(&of_each) {
        assert!(!lines.is_empty() || command == "schema", "{command}: no examples in its help");
    }
    let lines: Vec<String> = of_each.into_iter().flatten().filter(|line| is_there(line)).collect();
    let wrong: Vec<String> =
        Threads::ALL.map(&lines, |line| wrong(line, files.path())).into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(lines.len() > 60, "only {} examples were found", lines.len());
}
