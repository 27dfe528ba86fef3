//! Checks that no code reads or edits the text of an error. Programs use codes and other data instead.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test that cannot go on has failed"
)]

use std::collections::BTreeSet;
use std::path::PathBuf;

use regex::Regex;

mod repository;

/// Code that is allowed to read such a text: the file, the code, and the reason.
const ALLOWED: [(&str, &str, &str); 9] = [
    ("asdf-core/src/error/mod.rs", "text.rfind", "std::io::Error has no message without the system's number"),
    ("asdf-core/src/value/check/pattern.rs", "text.lines", "regex::Error has no message without the pattern"),
    ("asdf-cli/src/config.rs", "error.message().lines", "toml's messages can have several lines"),
    (
        "asdf-tables/src/read/json.rs",
        "text.rsplit_once",
        "serde_json::Error has no message without the position",
    ),
    (
        "asdf-schemas/codegen/src/config/file.rs",
        "message.split",
        "yaml_serde::Error has no message without the position",
    ),
    (
        "asdf-schemas/codegen/src/unchecked.rs",
        "message.strip_suffix",
        "a loss is not an error: it becomes docs",
    ),
    (
        "asdf-schemas/src/validate/closest.rs",
        "message.split_once",
        "jsonschema carries faults of keywords as text",
    ),
    ("asdf-sql/src/lost_executors.rs", "text.contains", "Ballista sends the errors of a cluster as text"),
    ("examples/src/bin/refused.rs", "error.to_string().replace", "indents what it prints"),
];

/// Methods that read a text, or edit it.
const READS: &str = "(?:contains|starts_with|ends_with|r?find|r?matches|r?match_indices|r?split(?:n|_once|_at|_terminator|_inclusive|_whitespace)?|strip_(?:pre|suf)fix|trim_(?:start|end)_matches|replacen?|lines|eq_ignore_ascii_case)";

/// Names of variables that hold errors, warnings and their hints.
const NAMES: &str = "(?:[a-z]+_)?(?:error|err|hint|warning|violation|fault|problem|why)";

/// Method calls that can be between a text and a method that reads it.
const SAME: &str = r"(?:\.(?:as_str|as_deref|as_ref|to_owned|to_string|to_lowercase|into_owned|clone|unwrap|unwrap_or_default|cloned)\(\))*";

/// Finds code that reads the text of an error. Tests are left out.
struct Finder {
    direct: Regex,
    bound: Regex,
    reads: String,
    blanks: Regex,
}

impl Finder {
    fn new() -> Self {
        let text = r"(?:message|hint|summary|display_with)";
        let direct = [
            // error.message().contains(..), error.hint().map(ToString::to_string).is_some_and(|hint| hint.contains(..))
            format!(r"\w+(?:\(\))?\.{text}\([^()]*\){SAME}\.{READS}\("),
            format!(r"\b{NAMES}(?:\(\))?\.to_string\(\){SAME}\.{READS}\("),
            format!(r"\b(?:hint|message){SAME}\.{READS}\("),
            // The text that is printed between a message and its hint.
            format!(r#"\.{READS}\([^()"]*"[^"]*hint: ?""#),
        ];
        let bound = format!(
            r#"\blet (?:mut )?(\w+)(?:: ?&?\w+)? ?= ?(?:[^;{{}}]*\.{text}\([^()]*\)|[^;{{}}]*\b{NAMES}\.to_string\(\)|format!\("\{{{NAMES}\}}"\))[^;{{}}]*;"#
        );
        Self {
            direct: Regex::new(&direct.join("|")).unwrap(),
            bound: Regex::new(&bound).unwrap(),
            reads: format!(r"{SAME}\.{READS}\("),
            blanks: Regex::new(r"\s+(\.)|\s+").unwrap(),
        }
    }

    fn find(&self, code: &str) -> Vec<String> {
        let code = code.split("\nmod tests {").next().unwrap_or_default();
        let lines = code.lines().map(str::trim).filter(|line| !line.starts_with("//"));
        let one = lines.collect::<Vec<_>>().join("\n");
        let mut found = Vec::new();
        for function in one.split("fn ") {
            // Put chains of calls on one line.
            let function =
                self.blanks.replace_all(function, |blank: &regex::Captures<'_>| match blank.get(1) {
                    Some(_) => ".",
                    None => " ",
                });
            found.extend(self.direct.find_iter(&function).map(|one| one.as_str().to_owned()));
            for binding in self.bound.captures_iter(&function) {
                let (all, name) = (binding.get(0).unwrap(), &binding[1]);
                let read = Regex::new(&format!(r"\b{name}{}", self.reads)).unwrap();
                found.extend(read.find(&function[all.end()..]).map(|one| one.as_str().to_owned()));
            }
        }
        found
    }
}

/// Lists the sources of all crates, without generated code and modules that only tests use.
fn sources() -> Vec<PathBuf> {
    let only_tests = Regex::new(r"#\[cfg\((?:test|any\(test, fuzzing\))\)\]\n(?:pub )?mod (\w+);").unwrap();
    let mut sources = repository::files("rs", &["tests", "generated", "fuzz"]);
    let mut tests = BTreeSet::new();
    for path in &sources {
        let text = std::fs::read_to_string(path).unwrap();
        let modules = only_tests.captures_iter(&text);
        tests.extend(modules.map(|module| path.with_file_name(format!("{}.rs", &module[1]))));
    }
    sources.retain(|path| !tests.contains(path));
    sources
}

#[test]
fn no_code_reads_the_text_of_an_error() {
    let root = repository::root();
    let finder = Finder::new();
    let mut unused: BTreeSet<(&str, &str)> = ALLOWED.iter().map(|(file, read, _)| (*file, *read)).collect();
    let mut wrong = Vec::new();
    let sources = sources();
    assert!(sources.len() > 400, "only {} files of code", sources.len());
    for path in sources {
        let name = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
        for read in finder.find(&std::fs::read_to_string(&path).unwrap()) {
            match ALLOWED.iter().find(|(file, allowed, _)| *file == name && read.contains(allowed)) {
                Some((file, allowed, _)) => {
                    unused.remove(&(*file, *allowed));
                }
                None => wrong.push(format!("{name}: {read}")),
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "these read the text of an error; give it a code, a `Hint` or another field:\n{}",
        wrong.join("\n")
    );
    assert!(unused.is_empty(), "remove these from ALLOWED, since the code is gone: {unused:?}");
}

#[test]
fn code_that_reads_the_text_of_an_error_is_found() {
    let finder = Finder::new();
    for code in [
        // As it was in this workspace.
        r#"warnings.iter().any(|warning| warning.message().contains("draft 0.1.0"))"#,
        r#"let text = error.to_string(); let m = text.split_once("\n  hint: ").map_or(0, |_| 1);"#,
        r#"Self { message: error.to_string().replace(&shown, ""), hint }"#,
        r#"place + &rest.replace("\n  hint: ", &hint)"#,
        r#"let package = hint.strip_prefix("add the schemas of the Python package `");"#,
        r#"let deep = names.iter().any(|name| hint.contains(name));"#,
        r#"error.map_hint(|hint| { hint.replace("ParseOptions::max_depth", "Limits::tree_depth") })"#,
        r#"let text = finding.violation.to_string(); let rest = text.split_once(": ").map_or("", |(_, rest)| rest);"#,
        r#"Rule::Custom { message, .. } => match message.split_once("expected ") {"#,
        // Others like these.
        "if error\n    .message()\n    .starts_with(\"no\") {}",
        "error.hint().is_some_and(|hint| hint.to_string().ends_with(\"version\"))",
        "let text = format!(\"{error}\");\nif text.contains(\"x\") {}",
        "let first = one.message();\nfirst.lines()",
        "read_error.to_string().trim_start_matches(\"a\")",
        "error.display_with(Words).to_string().find(\"--\")",
    ] {
        assert!(!finder.find(code).is_empty(), "{code}");
    }
    for code in [
        "error.message().to_owned()",
        "let text = node.to_string();\ntext.contains('a')",
        "// error.message().contains(\"a\")\n",
        "match error.code() { Some(Code::Draft) => {} }",
        "error.others().iter().find(|other| other.kind() == Kind::Io)",
        "#[cfg(test)]\nmod tests {\n    fn f() { error.message().contains(\"a\") }\n}",
    ] {
        assert_eq!(finder.find(code), [""; 0], "{code}");
    }
}
