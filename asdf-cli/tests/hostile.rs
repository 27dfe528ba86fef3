//! Text of files never controls a terminal or a build server, whatever command prints it.
//!
//! `hostile/cases.txt` has commands with the kind of their output. They read files whose names, keys, values, tags and
//! comments have control characters, bidirectional controls, and line breaks before commands of build servers. Each
//! command and each output format of the program must have a case.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::path::Path;
use std::process::{Command, Stdio};

use asdf_core::{NdArray, OpenOptions, Threads};

/// Text that tries to act. It has no slash, so that it can be the name of a file.
const HOSTILE: &str = "x\u{1b}[31m\u{7}\u{7f}\u{9b}31m\u{85}\u{61c}\u{200e}\u{202e}\u{2028}\u{2029}\u{2066}\u{fff9}\u{feff}\u{e0041}\r\n::error file=a::pwned\n ##[error]pwned\n##vso[task.x]y\n::z";
/// The same without characters that YAML does not allow in comments.
const HEADER: &str = " x\u{61c}\u{200e}\u{202e}\u{2066}\u{fff9}\u{e0041}##[error]pwned";

/// Returns the text in a double-quoted string of YAML.
fn yaml(text: &str) -> String {
    text.chars().map(|c| format!("\\U{:08x}", u32::from(c))).collect()
}

fn data(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile").join(name);
    std::fs::read_to_string(path).unwrap().replace("HOSTILE", &yaml(HOSTILE)).replace("HEADER", HEADER)
}

/// Replaces a word in capitals by a hostile path or text.
fn word(word: &str) -> String {
    let files =
        ["GOOD", "BAD", "TEXT", "DAMAGED", "NOT", "MISSING", "SCHEMAS", "SCHEMA", "TABLE", "YAML", "OUT"];
    let key = format!("/{HOSTILE}");
    if word == "KEY" {
        return key;
    }
    let (stem, ending) = word.split_once('.').filter(|(stem, _)| *stem == "OUT").unwrap_or((word, "asdf"));
    if files.contains(&stem) {
        let ending = match stem {
            "TABLE" => "csv",
            "YAML" | "SCHEMA" => "yaml",
            _ => ending,
        };
        let folder = if stem == "SCHEMA" { format!("SCHEMAS{HOSTILE}.asdf/") } else { String::new() };
        return format!("{folder}{stem}{HOSTILE}.{ending}");
    }
    word.replace("HOSTILE", HOSTILE)
}

/// Creates a folder with hostile files.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(word(name));
    let good = data("good.asdf");
    std::fs::write(path("TEXT"), &good).unwrap();
    let mut file = OpenOptions::new().open_bytes(good.into_bytes()).unwrap();
    file.set("/image", &NdArray::new(&[2, 2], &[1.0_f32, 2.0, 3.0, 4.0]).unwrap()).unwrap();
    let bytes = file.to_bytes().unwrap();
    std::fs::write(path("GOOD"), &bytes).unwrap();
    // The end of the last block and the block index are lost.
    let magic = bytes.windows(4).rposition(|bytes| bytes == b"\xd3BLK").unwrap();
    std::fs::write(path("DAMAGED"), &bytes[..magic + 60]).unwrap();
    std::fs::write(path("BAD"), data("bad.asdf")).unwrap();
    std::fs::write(path("NOT"), HOSTILE).unwrap();
    std::fs::create_dir(path("SCHEMAS")).unwrap();
    std::fs::write(path("SCHEMA"), data("schema.yaml")).unwrap();
    std::fs::write(path("SCHEMAS").join(format!("manifest{HOSTILE}.yaml")), data("manifest.yaml")).unwrap();
    std::fs::write(path("TABLE"), format!("\"{HOSTILE}\",b\n\"{HOSTILE}\",1\n")).unwrap();
    folder
}

fn program() -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_asdf"));
    program.stdin(Stdio::null()).env_remove("CLICOLOR_FORCE").env_remove("ASDF_PACKAGES");
    program
}

/// Returns what is wrong with the output of a case.
fn wrong(kind: &str, command: &str) -> Vec<String> {
    let folder = folder();
    let arguments: Vec<String> = command.split_whitespace().map(word).collect();
    let output = program()
        .args(&arguments)
        .current_dir(folder.path())
        .env("XDG_CONFIG_HOME", folder.path())
        .env("EDITOR", "sed -i s/ok/better/")
        .output()
        .unwrap();
    let mut wrong = Vec::new();
    if output.status.code().is_none_or(|code| code > 2) {
        wrong.push(format!("ended with {}", output.status));
    }
    match String::from_utf8(output.stderr) {
        Ok(text) => {
            wrong.extend(acts(&text, false).map(|found| format!("standard error {found}\n{text:?}")));
        }
        Err(_) => wrong.push("standard error is not UTF-8".to_owned()),
    }
    if kind == "other" {
        return wrong;
    }
    let Ok(text) = String::from_utf8(output.stdout) else {
        wrong.push("standard output is not UTF-8".to_owned());
        return wrong;
    };
    let found = match kind {
        "text" => acts(&text, false),
        "json" => acts(&text, false).or_else(|| {
            let mut values = serde_json::Deserializer::from_str(&text).into_iter::<serde_json::Value>();
            values.find_map(Result::err).map(|error| format!("is not JSON: {error}"))
        }),
        "github" => acts(&text, true),
        "xml" => acts(&text, false).or_else(|| not_xml(&text)),
        "xml-data" => not_xml(&text),
        "csv" => not_csv(&text, false),
        "safe-csv" => not_csv(&text, true),
        "data" => None,
        other => Some(format!("has the unknown kind {other}")),
    };
    if let Some(found) = found {
        wrong.push(format!("standard output {found}\n{text:?}"));
    }
    wrong
}

/// Returns how a text acts on a terminal or on a build server.
fn acts(text: &str, annotations: bool) -> Option<String> {
    let is_control = |c: char| {
        (c.is_control() && c != '\n')
            || matches!(c,
                '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
    };
    if let Some(c) = text.chars().find(|c| is_control(*c)) {
        return Some(format!("has the character {c:?}"));
    }
    let annotation =
        regex::Regex::new("^::(error|warning|notice) file=[^,:]+,title=ASDF-[A-Z][0-9]{3}[,:]").unwrap();
    text.lines().find_map(|line| {
        let begins = line.trim_start().starts_with("::") && !(annotations && annotation.is_match(line));
        let has = line.contains("##[") || line.contains("##vso[");
        (begins || has).then(|| format!("has the command {line:?}"))
    })
}

fn not_xml(text: &str) -> Option<String> {
    roxmltree::Document::parse(text).err().map(|error| format!("is not XML: {error}"))
}

fn not_csv(text: &str, safe: bool) -> Option<String> {
    let mut rows = csv::Reader::from_reader(text.as_bytes());
    let mut cells: Vec<String> = rows.headers().unwrap().iter().map(str::to_owned).collect();
    for row in rows.records() {
        match row {
            Ok(row) => cells.extend(row.iter().map(str::to_owned)),
            Err(error) => return Some(format!("is not CSV: {error}")),
        }
    }
    let is_formula = |cell: &&String| {
        cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']) && cell.parse::<f64>().is_err()
    };
    let formula = cells.iter().find(is_formula);
    match (formula, safe) {
        (Some(cell), true) => Some(format!("has the formula {cell:?}")),
        (None, true) if !cells.iter().any(|cell| cell.starts_with("'=")) => {
            Some("has no safe cell".to_owned())
        }
        (_, false) if !cells.iter().any(|cell| cell.contains(HOSTILE)) => {
            Some("has changed texts".to_owned())
        }
        _ => None,
    }
}

/// The cases: a kind and a command.
fn cases() -> Vec<(String, String)> {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile/cases.txt"));
    let text = text.unwrap();
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let is_there = |command: &str| {
        (cfg!(feature = "picture") || !(command.starts_with("preview") || command.contains("png")))
            && (cfg!(feature = "query") || !command.starts_with("query"))
            && (cfg!(feature = "tables") || !command.starts_with("export"))
    };
    lines
        .map(|line| line.split_once(char::is_whitespace).unwrap())
        .map(|(kind, command)| (kind.to_owned(), command.trim().to_owned()))
        .filter(|(_, command)| is_there(command))
        .collect()
}

#[test]
fn text_of_files_never_acts() {
    let cases = cases();
    let found = Threads::ALL.map(&cases, |(kind, command)| {
        let wrong = wrong(kind, command);
        (!wrong.is_empty()).then(|| format!("{command}: {}", wrong.join("\n")))
    });
    let found: Vec<String> = found.into_iter().flatten().collect();
    assert!(found.is_empty(), "{} of {} cases:\n{}", found.len(), cases.len(), found.join("\n"));
}

/// A command cannot be tested by files that it does not read.
#[test]
fn cases_print_text_of_files() {
    let folder = folder();
    for command in ["info --all GOOD", "get GOOD", "search BAD", "validate --format github BAD", "stats BAD"]
    {
        let arguments = command.split_whitespace().map(word);
        let output = program().args(arguments).current_dir(folder.path()).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        assert!(text.contains("pwned"), "{command}: {text}");
    }
}

fn help(words: &str) -> String {
    let output = program().args(words.split_whitespace()).arg("--help").output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the commands below a command.
fn commands(above: &str) -> Vec<String> {
    let help = help(above);
    let list = help.split("\nCommands:\n").nth(1).unwrap_or_default();
    let names = list.lines().take_while(|line| !line.is_empty()).filter(|line| !line.starts_with("   "));
    let names = names.map(|line| line.split_whitespace().next().unwrap()).filter(|name| *name != "help");
    names.map(|name| format!("{above} {name}").trim().to_owned()).collect()
}

/// Returns the options of a command that choose a format, each with a value if it has one.
fn formats(command: &str) -> Vec<String> {
    let help = help(command);
    let mut option = None;
    let mut found = Vec::new();
    for line in help.lines() {
        let words = line.trim_start();
        if words.starts_with('-') && line.len() - words.len() <= 6 {
            let mut names = ["--format", "--to", "--json"].into_iter();
            option = names.find(|name| words.split([' ', ',']).any(|word| word == *name));
            if option == Some("--json") {
                found.push("--json".to_owned());
            }
        }
        let value = words.strip_prefix("- ").and_then(|rest| rest.split_once(':')).map(|(name, _)| name);
        if let (Some(option), Some(value)) = (option, value) {
            found.push(format!("{option} {value}"));
        }
    }
    found
}

#[test]
fn every_command_and_every_format_has_a_case() {
    let cases = cases();
    let mut all = Vec::new();
    for name in commands("") {
        let below = commands(&name);
        all.extend(if below.is_empty() { vec![name] } else { below });
    }
    assert!(all.len() > 25, "{all:?}");
    let mut missing = Vec::new();
    for command in &all {
        let own = |case: &str| {
            case.strip_prefix(command.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        };
        if !cases.iter().any(|(_, case)| own(case)) {
            missing.push(command.clone());
        }
        for format in formats(command) {
            let has = |case: &str| format!("{case} ").contains(&format!(" {format} "));
            if !cases.iter().any(|(_, case)| own(case) && has(case)) {
                missing.push(format!("{command} {format}"));
            }
        }
    }
    assert!(missing.is_empty(), "without a case in tests/hostile/cases.txt: {missing:?}");
}
