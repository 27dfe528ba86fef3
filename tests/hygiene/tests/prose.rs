//! Comments, documentation and messages are plain English: without habits that readers have to decode, and without
//! sentences that have to be read twice.
//!
//! `prose.txt` lists the exceptions: a file, and a part of the sentence.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;
use std::path::PathBuf;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use pulldown_cmark::{Event, Options, Parser};
use regex::Regex;

mod repository;

/// The most words that a sentence has.
const WORDS: usize = 35;

/// Finds the sentences that break a rule.
struct Rules {
    habits: Vec<(Regex, &'static str)>,
}

impl Rules {
    fn new() -> Self {
        let habits = [
            (r"\b(?:is|are|was|were) no [a-z`]+", "say \"is not a\" or \"has no\""),
            (r"\bso (?:many|much|few|deep)\b", "say \"N\" or \"up to N\""),
            (r"\bas (?:many|much|few)\b", "say \"N\" or \"up to N\""),
            (r"\b(?:is|are|was|were|be|been|being) told\b", "say who reports it"),
            (r"\bfor who(?:m|ever)?\b", "say \"for callers that\""),
            (r"\b(?:that|those|what) of (?:which|what|whom)\b", "name the thing"),
        ];
        Self { habits: habits.map(|(habit, instead)| (Regex::new(habit).unwrap(), instead)).into() }
    }

    /// Returns what is wrong with a sentence.
    fn fault(&self, sentence: &str) -> Option<String> {
        let lower = sentence.to_lowercase();
        for (habit, instead) in &self.habits {
            for found in habit.find_iter(&lower) {
                let rest = &lower[found.end()..];
                let is_right = match found.as_str() {
                    // "There is no block 5", "it is no longer read".
                    text if text.contains(" no ") => {
                        lower[..found.start()].ends_with("there ")
                            || ["longer", "more", "less", "fewer", "later", "earlier", "older", "newer"]
                                .iter()
                                .any(|word| text.ends_with(&format!(" {word}")))
                    }
                    // "As many columns as rows".
                    text if text.starts_with("as ") => rest.contains(" as "),
                    _ => false,
                };
                if !is_right {
                    return Some(format!("\"{}\": {instead}", found.as_str()));
                }
            }
        }
        let words =
            sentence.split_whitespace().filter(|word| word.chars().any(char::is_alphanumeric)).count();
        (words > WORDS).then(|| format!("{words} words: make two sentences of it"))
    }
}

/// The sentences of a text in Markdown. A word in backticks is one word.
fn sentences(markdown: &str) -> Vec<String> {
    let mut blocks = vec![String::new()];
    let mut code_blocks = 0_usize;
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        match event {
            Event::Start(tag) => {
                code_blocks += usize::from(matches!(tag, pulldown_cmark::Tag::CodeBlock(_)));
                if !is_inline(&tag.to_end()) {
                    blocks.push(String::new());
                }
            }
            Event::End(tag) => {
                code_blocks -= usize::from(tag == pulldown_cmark::TagEnd::CodeBlock);
                if !is_inline(&tag) {
                    blocks.push(String::new());
                }
            }
            Event::Text(text) if code_blocks == 0 => blocks.last_mut().unwrap().push_str(&text),
            Event::Code(code) => {
                let words = code.split_whitespace().collect::<Vec<_>>();
                blocks.last_mut().unwrap().push_str(&format!("`{}`", words.join("_")));
            }
            Event::SoftBreak | Event::HardBreak => blocks.last_mut().unwrap().push(' '),
            _ => {}
        }
    }
    let end = Regex::new(r"[.?!]['”)\]]*\s+").unwrap();
    let sentences = blocks.iter().flat_map(|block| end.split(block));
    sentences.map(|one| one.trim().to_owned()).filter(|one| !one.is_empty()).collect()
}

fn is_inline(tag: &pulldown_cmark::TagEnd) -> bool {
    use pulldown_cmark::TagEnd;
    matches!(tag, TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link | TagEnd::Image)
}

/// The comments of a source file, each with its consecutive lines.
fn comments(code: &str) -> Vec<String> {
    let mut comments: Vec<(&str, String)> = Vec::new();
    let mut continues = false;
    for line in code.lines() {
        let line = line.trim_start();
        let Some(mark) = ["//!", "///", "//"].into_iter().find(|mark| line.starts_with(mark)) else {
            continues = false;
            continue;
        };
        if !(continues && comments.last().is_some_and(|(last, _)| *last == mark)) {
            comments.push((mark, String::new()));
        }
        continues = true;
        let text = &mut comments.last_mut().unwrap().1;
        text.push_str(line[mark.len()..].strip_prefix(' ').unwrap_or(&line[mark.len()..]));
        text.push('\n');
    }
    comments.into_iter().map(|(_, text)| text).collect()
}

/// The string literals of a source file that are sentences, without those of its tests and its documentation.
fn strings(tokens: TokenStream, found: &mut Vec<String>) {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(mark) if mark.as_char() == '#' => {
                if matches!(tokens.peek(), Some(TokenTree::Punct(mark)) if mark.as_char() == '!') {
                    tokens.next();
                }
                let Some(TokenTree::Group(attribute)) = tokens.peek() else { continue };
                let text = attribute.stream().to_string().replace(' ', "");
                if text.starts_with("doc=") {
                    tokens.next();
                } else if text.starts_with("cfg(test") || text.starts_with("cfg(any(test") {
                    for token in tokens.by_ref() {
                        match token {
                            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => break,
                            TokenTree::Punct(mark) if mark.as_char() == ';' => break,
                            _ => {}
                        }
                    }
                }
            }
            TokenTree::Group(group) => strings(group.stream(), found),
            TokenTree::Literal(literal) => {
                let Ok(text) = syn::parse_str::<syn::LitStr>(&literal.to_string()) else { continue };
                // Examples and tables of usage have a line each; a message is one line.
                let lines = text.value();
                let lines = lines.lines().filter(|line| line.split_whitespace().count() > 2);
                found.extend(lines.map(str::to_owned));
            }
            _ => {}
        }
    }
}

/// The files of the repository that people write.
fn files() -> Vec<PathBuf> {
    let left_out = ["generated", "cases", "compile_fail", "report.md"];
    ["md", "rs"].into_iter().flat_map(|extension| repository::files(extension, &left_out)).collect()
}

#[test]
fn comments_docs_and_messages_are_plain_english() {
    let root = repository::root();
    let exceptions: Vec<(&str, &str)> = include_str!("prose.txt")
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| line.split_once(": ").unwrap())
        .collect();
    let mut unused: BTreeSet<_> = exceptions.iter().copied().collect();
    let rules = Rules::new();
    let mut wrong = Vec::new();
    let files = files();
    assert!(files.len() > 600, "only {} files", files.len());
    for path in files {
        let name = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
        let text = std::fs::read_to_string(&path).unwrap();
        let mut texts = Vec::new();
        if name.ends_with(".md") {
            texts.push(text);
        } else {
            texts.extend(comments(&text));
            if !name.contains("tests/") {
                // `quote!` marks what it inserts with `#`, which is not an attribute.
                strings(text.parse().unwrap(), &mut texts);
            }
        }
        for sentence in texts.iter().flat_map(|text| sentences(text)) {
            let Some(fault) = rules.fault(&sentence) else { continue };
            let exception = exceptions.iter().find(|(file, part)| *file == name && sentence.contains(part));
            match exception {
                Some(exception) => drop(unused.remove(exception)),
                None => wrong.push(format!("{name}: {fault}\n    {sentence}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{} sentences:\n{}", wrong.len(), wrong.join("\n"));
    assert!(unused.is_empty(), "no longer there: {unused:?}");
}

#[test]
fn habits_and_long_sentences_are_found() {
    let rules = Rules::new();
    let long = format!("This sentence has {} words", vec!["many"; 33].join(" "));
    for sentence in [
        "the unit is no unit of the standard",
        "Shows so many items at most",
        "Reads as many bytes and returns",
        "The caller is told of it",
        "For who collects several reads",
        "The block, that of which was read",
        &long,
    ] {
        assert!(rules.fault(sentence).is_some(), "{sentence}");
    }
    for sentence in [
        "There is no block 5",
        "The file is no longer open",
        "A table has as many names as columns",
        "Reports the `is_no_block` error",
    ] {
        assert_eq!(rules.fault(sentence), None, "{sentence}");
    }
    let markdown = "One. Two\nlines.\n\n```\nlet code = 1;\n```\n- `a b` c";
    assert_eq!(sentences(markdown), ["One", "Two lines.", "`a_b` c"]);
    let mut found = Vec::new();
    let code = "#[doc = \"not this one\"] fn f() { g(\"but this one\") } #[cfg(test)] mod tests { h(\"nor this one\") }";
    strings(code.parse().unwrap(), &mut found);
    assert_eq!(found, ["but this one"]);
}
