//! Detects common mistakes in regular expressions.
//!
//! This is not a parser. It checks brackets and syntax that the `regex` crate does not support, and accepts everything
//! else. Any other mistake is an error when the pattern is first used.

use std::iter::Peekable;
use std::str::Chars;

/// Returns the first mistake in a pattern as an error.
pub(crate) fn check(pattern: &str) -> Result<(), String> {
    let mut rest = pattern.chars().peekable();
    let mut open = 0_usize;
    // Whether the previous item can be repeated by `*`.
    let mut repeatable = false;
    while let Some(next) = rest.next() {
        match next {
            '\\' => match rest.next() {
                None => return Err("the pattern ends in a backslash".to_owned()),
                Some('1'..='9') => return unsupported("a back reference"),
                Some(_) => repeatable = true,
            },
            '[' => {
                class(&mut rest)?;
                repeatable = true;
            }
            '(' => {
                let ahead: String = rest.clone().take(3).collect();
                group(&ahead)?;
                if ahead.starts_with('?') {
                    // Flags and names are not checked. In verbose mode `#` begins a comment.
                    let flags: String = rest.clone().skip(1).take_while(char::is_ascii_lowercase).collect();
                    if flags.contains('x') {
                        return Ok(());
                    }
                    rest.next();
                }
                open += 1;
                repeatable = false;
            }
            ')' => {
                open = open.checked_sub(1).ok_or("the pattern has a `)` without a `(`")?;
                repeatable = true;
            }
            '|' => repeatable = false,
            '*' | '+' | '?' if !repeatable => {
                return Err(format!(
                    "`{next}` has nothing to repeat; write `\\{next}` to match the character"
                ));
            }
            _ => repeatable = true,
        }
    }
    if open > 0 { Err("the pattern has a `(` without a `)`".to_owned()) } else { Ok(()) }
}

fn unsupported(what: &str) -> Result<(), String> {
    Err(format!("{what} is not supported: patterns are matched in linear time, by the `regex` crate"))
}

/// Checks the text after `(`.
fn group(ahead: &str) -> Result<(), String> {
    match ahead {
        "?<=" | "?<!" => unsupported("look-behind"),
        "?P=" => unsupported("a back reference"),
        _ if ahead.starts_with("?=") || ahead.starts_with("?!") => unsupported("look-ahead"),
        _ if ahead.starts_with("?>") => unsupported("an atomic group"),
        _ if ahead.starts_with("?(") => unsupported("a conditional"),
        _ if ahead.starts_with("?#") => unsupported("a comment"),
        _ => Ok(()),
    }
}

/// Skips the text after `[`, up to `]`. A `]` at the start is an ordinary character.
fn class(rest: &mut Peekable<Chars<'_>>) -> Result<(), String> {
    rest.next_if_eq(&'^');
    rest.next_if_eq(&']');
    while let Some(next) = rest.next() {
        match next {
            ']' => return Ok(()),
            '\\' => {
                rest.next();
            }
            _ => {}
        }
    }
    Err("the pattern has a `[` without a `]`".to_owned())
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn valid_patterns_are_accepted() {
        for pattern in [
            "",
            "^[a-z]+$",
            "a|b",
            "(a|b)*",
            "(?:a)?",
            "(?P<year>[0-9]{4})",
            "(?i)abc",
            r"\(",
            r"[(\]]",
            "[]a]",
            "[^]a]",
            "[^^]",
            r"\d+\.\d*",
            "a??",
            "(?x) a # ( comment",
            "x{2,3}",
            "{",
            "^$",
            "^(/[!-~]+)+/?$",
        ] {
            assert_eq!(check(pattern), Ok(()), "{pattern}");
        }
    }

    #[test]
    fn invalid_patterns_are_rejected() {
        for (pattern, part) in [
            ("(a", "`(` without"),
            ("a)", "`)` without"),
            ("[a", "`[` without"),
            ("[]", "`[` without"),
            ("a\\", "backslash"),
            ("*a", "nothing to repeat"),
            ("(+)", "nothing to repeat"),
            ("a|?", "nothing to repeat"),
            ("(?=a)", "look-ahead"),
            ("(?!a)", "look-ahead"),
            ("(?<=a)", "look-behind"),
            ("(?<!a)", "look-behind"),
            (r"(a)\1", "back reference"),
            ("(?P<a>x)(?P=a)", "back reference"),
            ("(?>a)", "atomic"),
            ("(?#a)", "comment"),
        ] {
            let error = check(pattern).unwrap_err();
            assert!(error.contains(part), "{pattern}: {error}");
        }
    }
}
