//! Any text as a jq filter: it is compiled or there is an error with a position, and the values that it makes are JSON.
//!
//! `asdf query` limits the memory and the time of a filter with a process of its own. Here a filter runs only if its
//! words cannot make it run long.

use std::cell::RefCell;

use asdf_core::printable;
use jaq_core::load::lex::{Lexer, StrPart, Tok, Token};
use jaq_json::write::{Pp, write};
use jaq_json::{Val, read};
use jaq_std::input::RcIter;

#[allow(dead_code, reason = "the program uses the rest of it")]
#[path = "../../../asdf-cli/src/commands/query/filter.rs"]
mod filter;

use filter::{Filter, Given, Stopped};

const TREE: &[u8] =
    br#"{"a": 1, "b": [1, 2.5, null, true, "text"], "c": {"d": "2026-11-20", "e": [{}, []]}}"#;

/// The most values that are looked at, and the work that is allowed.
const MOST: usize = 200;
const WORK: u64 = 20_000;

/// Words that can run without end, print, or make values of any size.
const UNBOUNDED: &[&str] = &[
    "def",
    "recurse",
    "repeat",
    "while",
    "until",
    "range",
    "combinations",
    "walk",
    "env",
    "debug",
    "stderr",
    "splits",
    "gsub",
    "sub",
    "inputs",
    "now",
    "localtime",
    "mktime",
    "implode",
    "pow",
    "ldexp",
    "scalb",
    "scalbln",
];

pub fn run(data: &[u8]) {
    // The input is a filter, a NUL and a tree as JSON.
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (code, tree) = text.split_once('\0').unwrap_or((text, ""));
    let filter = match Filter::new(code, vec![("name".to_owned(), Val::from("value".to_owned()))]) {
        Ok(filter) => filter,
        Err(error) => {
            assert!(error.to_string().len() < 1000, "{error}");
            return;
        }
    };
    let tokens = Lexer::new(code).lex().expect("what is compiled has tokens");
    if tokens.iter().fold(1, |all, token| work(token).saturating_mul(all)) > WORK {
        return;
    }
    let tree = if tree.is_empty() { TREE } else { tree.as_bytes() };
    let Ok(tree) = read::parse_single(tree) else { return };
    let inputs: Box<dyn Iterator<Item = Result<Val, String>>> = Box::new(std::iter::once(Ok(tree.clone())));
    let given = Given { inputs: &RcIter::new(inputs), file: &RefCell::new(Some("file.asdf".to_owned())) };
    let mut count = 0;
    let stopped = filter.run(tree, &given, |value| {
        count += 1;
        check(value);
        match count < MOST {
            true => Ok(()),
            false => Err(asdf_core::Error::mismatch("enough")),
        }
    });
    if let Err(Stopped::Failed(error)) = stopped {
        assert!(error.to_string().len() < 2000, "{error}");
    }
}

/// Prints a value as `asdf query` does, and reads it again.
fn check(value: &Val) {
    let mut text = Vec::new();
    let style = Pp { indent: None, sep_space: false, sort_keys: false, styles: Default::default() };
    write(&mut text, &style, 0, value).expect("memory can be written");
    let text = printable::json(&String::from_utf8_lossy(&text)).into_owned();
    if let Err(error) = read::parse_single(text.as_bytes()) {
        panic!("{error}: {text}");
    }
}

/// Returns the factor by which a token can multiply the number or the size of values.
fn work(token: &Token<&str>) -> u64 {
    let all =
        |tokens: &[Token<&str>]| tokens.iter().fold(1, |all: u64, token| all.saturating_mul(work(token)));
    match &token.1 {
        Tok::Word if UNBOUNDED.contains(&token.0) => u64::MAX,
        Tok::Word | Tok::Fmt => 2,
        Tok::Var => 1,
        // A number can be the length of a list or the number of copies of a string.
        Tok::Num => {
            if token.0.len() > 3 {
                u64::MAX
            } else {
                1
            }
        }
        Tok::Str(parts) => parts.iter().fold(1, |product, part| match part {
            StrPart::Term(token) => work(token).saturating_mul(product),
            _ => product,
        }),
        Tok::Sym => match token.0 {
            "." | "|" | ";" | ":" | "-" | "/" | "//" | "==" | "<" | ">" => 1,
            "*" | "*=" => 1000,
            ".." => 30,
            _ => 2,
        },
        Tok::Block(inner) if inner.is_empty() => 10,
        Tok::Block(inner) => all(inner).saturating_mul(2),
    }
}
