//! Prints untrusted text without letting it act: on terminals, in logs of build servers, in JSON and in XML.
//!
//! Keys, values, tags and names of files can contain characters that control a terminal, that change the direction of
//! writing, or that begin a command of a build server. The functions of this module escape them. Each function is for
//! one kind of output.
//!
//! These characters are escaped:
//!
//! - C0 and C1 control characters and DEL
//! - bidirectional controls: U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+206F
//! - line and paragraph separators: U+2028, U+2029
//! - the byte order mark U+FEFF, and interlinear annotations: U+FFF9 to U+FFFB
//! - tag characters: U+E0000 to U+E007F
//!
//! The runners of GitHub Actions and Azure Pipelines read commands from the log: lines that begin with `::`, and lines
//! that contain `##[` or `##vso[`. All functions except [`controls`] escape the first character of these too.

pub mod github;
mod json;
mod writer;
mod xml;

use std::borrow::Cow;

pub use json::json;
pub use writer::Writer;
pub use xml::xml;

/// Escapes text for one line of output, as in `\n` and `\u{1b}`.
///
/// # Examples
/// ```
/// use asdf_core::printable::line;
///
/// assert_eq!(line("a\u{1b}[2J\u{202e}é\n"), r"a\u{1b}[2J\u{202e}é\n");
/// assert_eq!(line("::error::x"), r"\u{3a}:error::x");
/// ```
#[must_use]
pub fn line(text: &str) -> String {
    escape(text, false, true).into_owned()
}

/// Escapes text like [`line()`], but keeps line feeds.
#[must_use]
pub fn lines(text: &str) -> String {
    escape(text, true, true).into_owned()
}

/// Escapes a document for a terminal: like [`lines`], but keeps commands of build servers.
#[must_use]
pub fn controls(text: &str) -> Cow<'_, str> {
    escape(text, true, false)
}

/// Returns at most `most` characters of a text, escaped like [`line()`]. A longer text ends with `…`.
#[must_use]
pub fn short(text: &str, most: usize) -> String {
    let end = text.char_indices().nth(most).map(|(end, _)| end);
    match end.and_then(|end| text.get(..end)) {
        Some(part) => format!("{}…", line(part)),
        None => line(text),
    }
}

/// Returns the characters of a text, each escaped by itself, for text that does not begin a line of output.
///
/// # Examples
/// ```
/// use asdf_core::printable::characters;
///
/// let shown: Vec<_> = characters("é\u{9b}").collect();
/// assert_eq!(shown, ["é", r"\u{9b}"]);
/// ```
pub fn characters(text: &str) -> impl Iterator<Item = Cow<'_, str>> {
    text.char_indices().map(|(at, c)| {
        let rest = text.get(at..).unwrap_or_default();
        match c {
            '#' if begins_command(rest) => c.escape_unicode().to_string().into(),
            c if acts(c) => c.escape_default().to_string().into(),
            c => rest.get(..c.len_utf8()).unwrap_or_default().into(),
        }
    })
}

/// Returns whether [`line()`] leaves a text unchanged.
#[must_use]
pub fn is_plain(text: &str) -> bool {
    matches!(escape(text, false, true), Cow::Borrowed(_))
}

/// Returns whether a character controls a terminal or changes how the text around it looks.
fn acts(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61c}'
                | '\u{200e}'
                | '\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2066}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

/// Returns whether a text begins with a command that build servers find anywhere in a line.
fn begins_command(text: &str) -> bool {
    text.starts_with("##[") || text.starts_with("##vso[")
}

fn escape(text: &str, breaks: bool, commands: bool) -> Cow<'_, str> {
    let mut out = String::new();
    let mut done = 0;
    // Build servers skip blanks at the start of a line.
    let mut starts = true;
    for (at, c) in text.char_indices() {
        let rest = text.get(at..).unwrap_or_default();
        let command = commands
            && match c {
                ':' => starts && rest.starts_with("::"),
                '#' => begins_command(rest),
                _ => false,
            };
        let kept = !command && (!acts(c) || (breaks && c == '\n'));
        starts = kept && (c == '\n' || (starts && c.is_whitespace()));
        if kept {
            continue;
        }
        out.push_str(text.get(done..at).unwrap_or_default());
        match command {
            true => out.extend(c.escape_unicode()),
            false => out.extend(c.escape_default()),
        }
        done = at + c.len_utf8();
    }
    if done == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(text.get(done..).unwrap_or_default());
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_act_are_escaped() {
        assert_eq!(line("a\x1b[2J\u{202e}é\n"), "a\\u{1b}[2J\\u{202e}é\\n");
        assert_eq!(line("\u{9b}\u{7f}\u{61c}\u{feff}\u{e0041}"), "\\u{9b}\\u{7f}\\u{61c}\\u{feff}\\u{e0041}");
        assert_eq!(lines("a\nb\r"), "a\nb\\r");
        assert_eq!(short("abc", 2), "ab…");
        assert_eq!(short("ab", 2), "ab");
        let shown: String = characters("::é\u{9b} ##[").collect();
        assert_eq!(shown, "::é\\u{9b} \\u{23}#[");
        assert!(is_plain("é 星: x") && !is_plain("\u{200f}"));
    }

    #[test]
    fn commands_of_build_servers_are_escaped() {
        assert_eq!(line("::error::x"), "\\u{3a}:error::x");
        assert_eq!(line(" \u{2003}::x"), " \u{2003}\\u{3a}:x");
        assert_eq!(line("a::b:"), "a::b:");
        assert_eq!(line("a\n::b"), "a\\n::b");
        assert_eq!(lines("a\n::b"), "a\n\\u{3a}:b");
        assert_eq!(line("x ##[error] ##vso[x] ## #["), "x \\u{23}#[error] \\u{23}#vso[x] ## #[");
        assert_eq!(controls("::x\n##[y]\x07"), "::x\n##[y]\\u{7}");
    }
}
