//! Compares the parser with the reference parser, granit-parser, and with the YAML test suite.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::parse;
use super::verdict::{surprise, verdict};
use crate::tree::{Kind, NodeRef, Style, Tree};

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut found = Vec::new();
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns the text of a text file, or the tree of an ASDF file.
fn text(path: &Path) -> Option<String> {
    let bytes = std::fs::read(path).ok()?;
    let end = bytes.windows(5).position(|window| window == b"\n...\n" || window == b"\n...\r");
    let end = if path.extension().is_some_and(|found| found == "asdf") { end.map(|at| at + 5) } else { None };
    String::from_utf8(bytes.get(..end.unwrap_or(bytes.len()))?.to_vec()).ok()
}

/// Parses the list of known differences: lines of `name: reason`.
fn listed(list: &str) -> BTreeMap<&str, &str> {
    list.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(": ")).collect()
}

/// Runs the fuzz target `differential` on its seeds. Only here and in `fuzz/` the reference parser is compiled.
#[test]
fn seeds_of_fuzzing_agree_with_the_reference_parser() {
    let seeds = std::fs::read_dir(root().join("fuzz/seeds/differential")).unwrap();
    let texts: Vec<String> =
        seeds.filter_map(|seed| std::fs::read_to_string(seed.unwrap().path()).ok()).collect();
    assert!(texts.len() >= 30, "only {} seeds", texts.len());
    for text in texts {
        assert_eq!(surprise(&text), None, "{text:?}");
    }
}

#[test]
fn own_cases_agree_with_the_reference_parser() {
    let differences = listed(include_str!("../../tests/yaml/differences.txt"));
    let cases = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/yaml"), "yaml");
    assert!(cases.len() >= 60, "only {} cases", cases.len());
    let mut wrong = String::new();
    for path in cases {
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let refused = name.starts_with("bad-");
        if parse(&text).is_err() != refused {
            writeln!(wrong, "{name}: {:?}", parse(&text)).unwrap();
        }
        let found = verdict(&text);
        if found.is_some() != differences.contains_key(name) {
            writeln!(wrong, "{name}: {found:?}").unwrap();
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn real_files_agree_with_the_reference_parser() {
    let mut paths = files(&root().join("schemas"), "yaml");
    paths.extend(files(&root().join("../shared/corpus/files"), "asdf"));
    let mut wrong = String::new();
    for path in &paths {
        if let Some(found) = text(path).and_then(|text| verdict(&text)) {
            writeln!(wrong, "{}: {found}", path.display()).unwrap();
        }
    }
    assert!(paths.len() > 20 && wrong.is_empty(), "{} files\n{wrong}", paths.len());
}

/// Formats a tree as events like the test suite, without document markers.
fn events(tree: &Tree) -> String {
    enum Step<'a> {
        Node(NodeRef<'a>),
        End(&'static str),
    }
    let mut out = String::new();
    let mut met = HashSet::new();
    let mut pending: Vec<Step<'_>> = tree.root().into_iter().map(Step::Node).collect();
    while let Some(step) = pending.pop() {
        let node = match step {
            Step::Node(node) => node,
            Step::End(line) => {
                out.push_str(line);
                continue;
            }
        };
        let anchor = node.anchor();
        if let (Some(name), false) = (anchor, met.insert(node.id())) {
            writeln!(out, "=ALI *{name}").unwrap();
            continue;
        }
        let (begin, end) = match (node.kind(), node.style()) {
            (Kind::Sequence, Style::Flow) => ("+SEQ []", "-SEQ\n"),
            (Kind::Sequence, _) => ("+SEQ", "-SEQ\n"),
            (Kind::Mapping, Style::Flow) => ("+MAP {}", "-MAP\n"),
            (Kind::Mapping, _) => ("+MAP", "-MAP\n"),
            _ => ("=VAL", ""),
        };
        out.push_str(begin);
        if let Some(name) = anchor {
            write!(out, " &{name}").unwrap();
        }
        if let Some(tag) = node.tag() {
            write!(out, " <{tag}>").unwrap();
        }
        if let Some(text) = node.text() {
            let mark = match node.style() {
                Style::SingleQuoted => '\'',
                Style::DoubleQuoted => '"',
                Style::Literal => '|',
                Style::Folded => '>',
                _ => ':',
            };
            let escaped =
                text.replace('\\', "\\\\").replace('\n', "\\n").replace('\t', "\\t").replace('\r', "\\r");
            write!(out, " {mark}{}", escaped.replace('\u{8}', "\\b")).unwrap();
        }
        out.push('\n');
        if !node.kind().is_scalar() {
            pending.push(Step::End(end));
            pending.extend(node.child_ids().iter().rev().map(|&id| Step::Node(tree.node(id))));
        }
    }
    out
}

#[test]
fn the_yaml_test_suite() {
    let folder = root().join("../shared/yaml-test-suite");
    let cases: Vec<PathBuf> =
        files(&folder, "yaml").into_iter().filter(|path| path.ends_with("in.yaml")).collect();
    if cases.is_empty() {
        return;
    }
    let differences = listed(include_str!("../../tests/yaml/suite.txt"));
    let (mut wrong, mut right, mut known) = (String::new(), 0, 0);
    for path in cases {
        let case = path.parent().unwrap();
        let name = case.strip_prefix(&folder).unwrap().to_str().unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let wanted = std::fs::read_to_string(case.join("test.event")).unwrap_or_default();
        let refused = case.join("error").exists();
        let body: String = wanted
            .lines()
            .filter(|line| !["+STR", "-STR", "+DOC", "-DOC"].iter().any(|mark| line.starts_with(mark)))
            // A `!` alone leaves no trace in our tree.
            .map(|line| line.replacen(" <!>", "", 1) + "\n")
            .collect();
        let found = match parse(&text) {
            Ok(_) if refused => Some("accepted".to_owned()),
            Ok(tree) if wanted.lines().any(|line| line.starts_with("+DOC")) || tree.root().is_some() => {
                let found = events(&tree);
                (found != body).then(|| format!("found\n{found}expected\n{body}"))
            }
            Ok(_) => None,
            Err(_) if refused => None,
            Err(error) => Some(format!("refused: {error}")),
        };
        match (found, differences.get(name)) {
            (None, None) => right += 1,
            (Some(_), Some(_)) => known += 1,
            (None, Some(_)) => writeln!(wrong, "{name} passes and is listed").unwrap(),
            (Some(found), None) => writeln!(wrong, "{name}: {found}\n{text}").unwrap(),
        }
        if !differences.contains_key(name) {
            if let Some(found) = verdict(&text) {
                writeln!(wrong, "{name} against the reference parser: {found}").unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "{right} right, {known} known differences\n{wrong}");
}

/// A small random number generator (xorshift), so that every run tries the same texts.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % sides.max(1)
    }
}

/// Changes a text in one to three places with characters and fragments that are significant in YAML.
fn mutate(text: &str, dice: &mut Dice) -> String {
    const FRAGMENTS: &[&str] = &[
        "\n",
        " ",
        "  ",
        "\t",
        ": ",
        "- ",
        "? ",
        ":",
        "-",
        "?",
        ",",
        "[",
        "]",
        "{",
        "}",
        "#",
        " #",
        "&a ",
        "*a",
        "!t ",
        "! ",
        "|",
        ">",
        "'",
        "\"",
        "\\",
        "\r\n",
        "\r",
        "---\n",
        "...\n",
        "%",
        "a",
        "1",
        "\n\n",
        "\n ",
        "\n- ",
        "|\n ",
        ">-\n  ",
        "é",
        "!!str ",
        "<<: ",
        "\"\\x41\"",
    ];
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..=dice.roll(3) {
        let at = dice.roll(chars.len() + 1);
        let end = (at + 1 + dice.roll(4)).min(chars.len());
        match dice.roll(4) {
            0 => drop(chars.drain(at.min(end)..end)),
            1 => {
                let copy: Vec<char> = chars.get(at.min(end)..end).unwrap_or_default().to_vec();
                let to = dice.roll(chars.len() + 1);
                drop(chars.splice(to..to, copy));
            }
            _ => {
                let fragment = FRAGMENTS[dice.roll(FRAGMENTS.len())];
                drop(chars.splice(at..at, fragment.chars()));
            }
        }
    }
    let mut text: String = chars.into_iter().collect();
    // A block scalar truncated by the end of the text is a known difference.
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

fn seeds() -> Vec<String> {
    let mut paths = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/yaml"), "yaml");
    let suite = files(&root().join("../shared/yaml-test-suite"), "yaml");
    paths.extend(suite.into_iter().filter(|path| path.ends_with("in.yaml")));
    paths.iter().filter_map(|path| std::fs::read_to_string(path).ok()).collect()
}

#[test]
fn changed_texts_agree_with_the_reference_parser() {
    let rounds = std::env::var("ASDF_MUTANTS").ok().and_then(|count| count.parse().ok()).unwrap_or(20_000);
    let (seeds, mut dice) = (seeds(), Dice(0x9E37_79B9_7F4A_7C15));
    let mut wrong = String::new();
    for _ in 0..rounds {
        let text = mutate(&seeds[dice.roll(seeds.len())], &mut dice);
        if let Some(found) = surprise(&text) {
            writeln!(wrong, "{text:?}: {found}").unwrap();
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// Creates a text with the given number of parts.
type Grow = fn(usize) -> String;

const GROWING: &[(&str, Grow)] = &[
    ("anchors", |n| (0..n).map(|i| format!("- &a{i} x\n- *a{i}\n")).collect()),
    ("keys", |n| (0..n).map(|i| format!("k{i}: v\n")).collect()),
    ("tags", |n| (0..n).map(|i| format!("- !t{i} v\n")).collect()),
    ("one flow sequence", |n| format!("[{}]\n", "1, ".repeat(n))),
    ("one flow mapping", |n| format!("{{{}}}\n", "a: 1, ".repeat(n))),
    ("flow items on lines", |n| format!("[\n{}]\n", " a b\n c,\n".repeat(n))),
    ("unfinished keys", |n| format!("[{}]\n", "[".repeat(500) + &"a ".repeat(n) + &"]".repeat(500))),
    ("comments", |n| "# c\n".repeat(n) + "a\n"),
    ("comments after values", |n| "- a # c\n# d\n".repeat(n)),
    ("blank lines", |n| format!("- a\n{}- b\n", "\n".repeat(n))),
    ("one plain scalar", |n| format!("a: {}\n", "word ".repeat(n))),
    ("plain lines", |n| format!("a:\n{}", "  word\n\n".repeat(n))),
    ("one quoted scalar", |n| format!("\"{}\"\n", "w\\n\\x41 ".repeat(n))),
    ("one literal", |n| format!("|\n{}", "  text\n\n".repeat(n))),
    ("one folded", |n| format!(">\n{}", "  text\n   more\n".repeat(n))),
    ("quotes never closed", |n| format!("{}'", "- 'a'\n".repeat(n))),
    ("colons", |n| format!("- {}\n", ":".repeat(n))),
    ("dashes", |n| format!("{}\n", "-".repeat(n))),
];

#[test]
fn twice_the_text_is_twice_the_nodes() {
    // Large enough that quadratic work anywhere would be noticeable.
    for &(name, make) in GROWING {
        let count = |n: usize| parse(&make(n)).map_or(0, |tree| tree.len());
        let (one, two) = (count(40_000), count(80_000));
        assert!(two >= one && two <= 2 * one + 2, "{name}: {one} and {two} nodes");
    }
    for open in ["[", "{a: ", "- ", "? ", "[? "] {
        assert!(parse(&open.repeat(200_000)).is_err(), "{open}");
    }
    let deep = "[".repeat(512) + &"]".repeat(512);
    assert!(parse(&deep).is_ok() && parse(&format!("[{deep}]")).is_err());
    let blocks: String = (0..400).map(|depth| " ".repeat(depth) + "k:\n").collect();
    assert_eq!(parse(&blocks).unwrap().root().unwrap().walk().count(), 401);
}
