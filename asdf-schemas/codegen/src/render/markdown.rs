//! Converts the Markdown of schemas to lines of docs. Paragraphs are refilled, everything else keeps its lines, and text
//! that only rustdoc would interpret is escaped.

use proc_macro2::TokenStream;
use quote::quote;

/// The width of filled lines, without indentation and `///`.
const WIDTH: usize = 92;

/// The text as attributes with docs.
pub(super) fn docs(text: &str) -> TokenStream {
    let lines = lines(text).into_iter().map(|line| {
        let line = if line.is_empty() { line } else { format!(" {line}") };
        quote!(#[doc = #line])
    });
    quote!(#(#lines)*)
}

/// The lines of a text.
pub(super) fn lines(text: &str) -> Vec<String> {
    let mut out = Lines::default();
    let mut fence: Option<String> = None;
    let mut indented = false;
    for line in text.lines() {
        let line = line.trim_end();
        let bare = line.trim_start();
        if let Some(open) = &fence {
            let closes = bare.starts_with(open.as_str()) && bare.trim_start_matches('`').is_empty();
            out.verbatim(line);
            if closes {
                fence = None;
            }
            continue;
        }
        let ticks: String = bare.chars().take_while(|&c| c == '`').collect();
        // Four spaces after an empty line begin code, which rustdoc would run as a test.
        let code = line.len() - bare.len() >= 4 && !bare.is_empty() && (indented || out.at_start());
        if indented && !code && !bare.is_empty() {
            out.close_code();
            indented = false;
        }
        if code {
            if !indented {
                out.verbatim("```text");
                indented = true;
            }
            out.verbatim(line.get(4..).unwrap_or_default());
        } else if ticks.len() >= 3 {
            let language = if bare.len() == ticks.len() { "text" } else { "" };
            out.verbatim(&format!("{line}{language}"));
            fence = Some(ticks);
        } else if bare.is_empty() {
            if indented { out.verbatim("") } else { out.blank() }
        } else if bare.starts_with('|') || bare.starts_with('#') {
            out.verbatim(&escape(bare));
        } else if let Some(marker) = list_marker(bare) {
            out.item(line.len() - bare.len(), marker, bare.get(marker.len()..).unwrap_or_default());
        } else {
            out.words(bare);
        }
    }
    if indented {
        out.close_code();
    }
    if let Some(open) = fence {
        out.verbatim(&open);
    }
    out.finish()
}

/// The list marker at the start of a line: `- `, `* ` or `1. `.
fn list_marker(line: &str) -> Option<&str> {
    let digits = line.chars().take_while(char::is_ascii_digit).count();
    let length = match line.get(digits..)?.chars().next()? {
        '-' | '*' | '+' if digits == 0 => 1,
        '.' | ')' if digits > 0 => digits + 1,
        _ => return None,
    };
    line.get(length..)?.starts_with(' ').then(|| line.get(..length)).flatten()
}

#[derive(Debug, Default)]
struct Lines {
    done: Vec<String>,
    /// The paragraph or list item that is being filled.
    open: String,
    /// The start of its first line, and the indentation of the others.
    marker: String,
    hang: usize,
    /// Whether the last line before the open paragraph was empty, or there was none.
    in_list: bool,
}

impl Lines {
    fn at_start(&self) -> bool {
        self.open.is_empty() && !self.in_list && self.done.last().is_none_or(String::is_empty)
    }

    fn words(&mut self, text: &str) {
        if self.open.is_empty() && self.marker.is_empty() {
            self.hang = 0;
            self.in_list = false;
        }
        if !self.open.is_empty() {
            self.open.push(' ');
        }
        self.open.push_str(text);
    }

    fn item(&mut self, indent: usize, marker: &str, text: &str) {
        self.flush();
        self.marker = format!("{}{marker} ", " ".repeat(indent));
        self.hang = self.marker.len();
        self.in_list = true;
        self.open = text.trim_start().to_owned();
    }

    fn verbatim(&mut self, line: &str) {
        self.flush();
        self.done.push(line.to_owned());
    }

    fn blank(&mut self) {
        self.flush();
        if self.done.last().is_some_and(|line| !line.is_empty()) {
            self.done.push(String::new());
        }
    }

    fn close_code(&mut self) {
        while self.done.last().is_some_and(String::is_empty) {
            self.done.pop();
        }
        self.done.push("```".to_owned());
        self.done.push(String::new());
    }

    fn flush(&mut self) {
        let text = escape(&std::mem::take(&mut self.open));
        let mut line = std::mem::take(&mut self.marker);
        let mut empty = true;
        for word in split(&text) {
            let fits = line.chars().count() + 1 + word.chars().count() <= WIDTH;
            // At the start of a line these would begin another element.
            let special = list_marker(&format!("{word} ")).is_some()
                || word.starts_with(['#', '>', '|', '=', '`']) && word.len() < 4;
            if !empty && !fits && !special {
                self.done.push(std::mem::take(&mut line));
                line = " ".repeat(self.hang);
                empty = true;
            }
            if !empty {
                line.push(' ');
            }
            line.push_str(word);
            empty = false;
        }
        if !empty {
            self.done.push(line);
        }
    }

    fn finish(mut self) -> Vec<String> {
        self.flush();
        while self.done.last().is_some_and(String::is_empty) {
            self.done.pop();
        }
        self.done
    }
}

/// The words of a text. A code span is one word, even with spaces.
fn split(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut start = None;
    let mut at = 0;
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        if c.is_whitespace() {
            words.extend(start.take().and_then(|start| text.get(start..at)));
            at += c.len_utf8();
            continue;
        }
        start.get_or_insert(at);
        at += if c == '`' { text.get(at..).map_or(1, code_span) } else { c.len_utf8() };
    }
    words.extend(start.and_then(|start| text.get(start..)));
    words
}

/// Escapes brackets and `<x>`, so that they are neither intra-doc links nor HTML, and turns URLs into links.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let taken = match c {
            '`' => code_span(rest),
            '<' if rest.starts_with("<http://") || rest.starts_with("<https://") => {
                rest.find('>').map_or(1, |end| end + 1)
            }
            '[' => link(rest).unwrap_or(0),
            '\\' => rest.chars().take(2).map(char::len_utf8).sum(),
            'h' if !out.ends_with(char::is_alphanumeric) => match address(rest) {
                Some(end) => {
                    out.push('<');
                    out.push_str(rest.get(..end).unwrap_or_default());
                    out.push('>');
                    rest = rest.get(end..).unwrap_or_default();
                    continue;
                }
                None => 1,
            },
            _ => c.len_utf8(),
        };
        let html = c == '<'
            && taken == 1
            && rest.chars().nth(1).is_some_and(|c| c.is_alphabetic() || "/!?".contains(c));
        match taken {
            0 => {
                out.push_str("\\[");
                rest = rest.get(1..).unwrap_or_default();
            }
            _ if html || c == ']' => {
                out.push('\\');
                out.push(c);
                rest = rest.get(1..).unwrap_or_default();
            }
            taken => {
                out.push_str(rest.get(..taken).unwrap_or_default());
                rest = rest.get(taken..).unwrap_or_default();
            }
        }
    }
    out
}

/// The length of a code span, or of the backticks if they do not open one.
fn code_span(text: &str) -> usize {
    let ticks = text.chars().take_while(|&c| c == '`').count();
    let mut at = ticks;
    while let Some(found) = text.get(at..).and_then(|rest| rest.find('`')) {
        let start = at + found;
        let length = text.get(start..).map_or(0, |rest| rest.chars().take_while(|&c| c == '`').count());
        if length == ticks {
            return start + length;
        }
        at = start + length;
    }
    ticks
}

/// The length of a link to a URL: `[text](https://...)`.
fn link(text: &str) -> Option<usize> {
    let middle = text.find("](")?;
    let target = text.get(middle + 2..)?;
    let inner = text.get(1..middle)?;
    if inner.contains(['[', ']']) || !(target.starts_with("http://") || target.starts_with("https://")) {
        return None;
    }
    Some(middle + 2 + target.find(')')? + 1)
}

/// The length of a bare URL in the text.
fn address(text: &str) -> Option<usize> {
    if !(text.starts_with("http://") || text.starts_with("https://")) {
        return None;
    }
    let end = text.find(|c: char| c.is_whitespace() || "<>\"`)]}".contains(c)).unwrap_or(text.len());
    let address = text.get(..end)?.trim_end_matches(['.', ',', ';', ':', '!', '?', '\'']);
    Some(address.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_filled_and_the_rest_keeps_its_lines() {
        let text = "One\nline.\n\n| a | b |\n|---|---|\n\n- an item that\n  goes on\n- another\n\n    code [a]\n\nlast";
        assert_eq!(
            lines(text),
            [
                "One line.",
                "",
                "| a | b |",
                "|---|---|",
                "",
                "- an item that goes on",
                "- another",
                "",
                "code \\[a\\]",
                "",
                "last"
            ]
        );
        let code = lines("Text:\n\n    let x = 1;\n\n    y\n\nmore\n```\nfn\n```");
        assert_eq!(
            code,
            ["Text:", "", "```text", "let x = 1;", "", "y", "```", "", "more", "```text", "fn", "```"]
        );
    }

    #[test]
    fn long_lines_break_at_words_and_hang() {
        let long = format!("- {}", "word ".repeat(40));
        let broken = lines(&long);
        assert!(broken.len() == 3 && broken.iter().all(|line| line.chars().count() <= WIDTH));
        assert!(broken.iter().skip(1).all(|line| line.starts_with("  word")));
    }

    #[test]
    fn code_is_not_broken() {
        assert_eq!(split("a `b  c` (``d ` e``), `f g"), ["a", "`b  c`", "(``d ` e``),", "`f", "g"]);
    }

    #[test]
    fn nothing_becomes_a_link_or_html_by_accident() {
        for (text, safe) in [
            ("a [keyword, value] b", "a \\[keyword, value\\] b"),
            ("`[a]` stays, [b] not", "`[a]` stays, \\[b\\] not"),
            ("see https://x.org/a(b). Or <https://x.org>", "see <https://x.org/a(b>). Or <https://x.org>"),
            ("[text](https://x.org) and [text](x)", "[text](https://x.org) and \\[text\\](x)"),
            ("Vec<T> < 3", "Vec\\<T> < 3"),
            ("``a ` b [c]`` [d]", "``a ` b [c]`` \\[d\\]"),
            ("a ` b [c]", "a ` b \\[c\\]"),
            ("\\[x\\]", "\\[x\\]"),
        ] {
            assert_eq!(escape(text), safe, "{text}");
        }
    }
}
