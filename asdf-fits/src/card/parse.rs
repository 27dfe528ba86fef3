//! Parses the bytes of a header into cards.

use asdf_core::Result;
use asdf_core::array::Complex;
use asdf_core::value::{BigInt, Number};

use super::{CARD, Card, CardValue, is_commentary};
use crate::cut_off;

/// A parsed header.
#[derive(Debug)]
pub(crate) struct Header {
    pub(crate) cards: Vec<Card>,
    /// Whether the cards keep all information of the bytes.
    pub(crate) exact: bool,
    /// The number of bytes, including the `END` card.
    pub(crate) size: usize,
}

/// Reads the cards at the start of `bytes`, up to `END`.
pub(crate) fn header(bytes: &[u8]) -> Result<Header> {
    let size = super::end(bytes, 0)?.ok_or_else(cut_off::in_header)?;
    let mut cards: Vec<Card> = Vec::new();
    let mut exact = true;
    // Whether the string of the last card continues in the next.
    let mut open = false;
    for line in bytes.get(..size - CARD).unwrap_or_default().chunks_exact(CARD) {
        let printable = |&byte: &u8| (0x20..0x7f).contains(&byte);
        exact &= line.iter().all(printable);
        let text: String =
            line.iter().map(|byte| if printable(byte) { char::from(*byte) } else { '?' }).collect();
        let more =
            text.strip_prefix("CONTINUE").map(str::trim_start).and_then(|rest| rest.strip_prefix('\''));
        if let (Some((part, comment)), true, Some(last)) = (more.and_then(quoted), open, cards.last_mut()) {
            if let Some(CardValue::Text(whole)) = &mut last.value {
                whole.pop();
                whole.push_str(&part);
                open = part.ends_with('&');
            }
            let comment = comment.trim();
            if !comment.is_empty() {
                if !last.comment.is_empty() {
                    last.comment.push(' ');
                }
                last.comment.push_str(comment);
            }
            continue;
        }
        let (card, whole) = parse(&text);
        open = !card.is_commentary() && card.as_str().is_some_and(|text| text.ends_with('&'));
        exact &= whole && !text.starts_with("CONTINUE");
        cards.push(card);
    }
    Ok(Header { cards, exact, size })
}

/// Parses one card. The flag says whether the card keeps all information of the text.
fn parse(text: &str) -> (Card, bool) {
    let (first, after) = text.split_at_checked(8).unwrap_or((text, ""));
    let name = first.trim_end().to_ascii_uppercase();
    if is_commentary(&name) && !first.starts_with(' ') || first.trim().is_empty() {
        return remark(&name, after);
    }
    if name == "HIERARCH" {
        if let Some((keyword, rest)) = after.split_once('=') {
            return assigned(keyword.trim(), rest);
        }
        return (remark(&name, after).0, false);
    }
    match text.find("= ").filter(|&at| at <= 8) {
        Some(at) => {
            let (keyword, rest) = text.split_at_checked(at).unwrap_or((text, ""));
            let keyword = keyword.trim().to_ascii_uppercase();
            let (card, exact) = assigned(&keyword, rest.get(1..).unwrap_or_default());
            (card, exact && at == 8)
        }
        // Without `= ` the rest is text. Some writers make such cards with keywords of their own.
        None => {
            let plain = after.trim().is_empty() && !first.starts_with(' ');
            let (card, _) = remark(name.trim_start(), after);
            (card, plain)
        }
    }
}

fn remark(keyword: &str, text: &str) -> (Card, bool) {
    let text = text.trim_end();
    let value = (!text.is_empty()).then(|| CardValue::Text(text.to_owned()));
    (Card { keyword: keyword.to_owned(), value, comment: String::new() }, true)
}

/// Parses the part of a card after the equals sign.
fn assigned(keyword: &str, rest: &str) -> (Card, bool) {
    let rest = rest.trim();
    let raw = || (CardValue::Text(rest.to_owned()), "", false);
    let (value, comment, exact) = match rest.strip_prefix('\'') {
        Some(inner) => match quoted(inner) {
            Some((text, after)) => {
                let (value, comment, exact) = (CardValue::Text(text), after, true);
                (Some(value), comment.to_owned(), exact)
            }
            None => {
                let (value, _, exact) = raw();
                (Some(value), String::new(), exact)
            }
        },
        None => {
            let (value, comment) = rest.split_once('/').unwrap_or((rest, ""));
            let value = value.trim();
            let (value, exact) = match plain(value) {
                _ if value.is_empty() => (None, true),
                Some(found) => (Some(found), true),
                None => (Some(CardValue::Text(value.to_owned())), false),
            };
            let exact = exact && !value.as_ref().is_some_and(is_rounded);
            (value, comment.to_owned(), exact)
        }
    };
    (Card { keyword: keyword.to_owned(), value, comment: comment.trim().to_owned() }, exact)
}

/// Returns whether a tree cannot store an integer exactly: beyond 64 bits it becomes the nearest float.
fn is_rounded(value: &CardValue) -> bool {
    match value {
        CardValue::Number(Number::Int(number)) if i64::try_from(number).is_err() => {
            format!("{:.0}", Number::Int(number.clone()).to_f64()) != number.to_string()
        }
        _ => false,
    }
}

/// Returns the text up to the closing quote, without trailing spaces, and the comment after the slash.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut rest = text;
    loop {
        let (part, after) = rest.split_once('\'')?;
        value.push_str(part);
        match after.strip_prefix('\'') {
            Some(after) => {
                value.push('\'');
                rest = after;
            }
            None => {
                let comment = after.trim();
                let comment = if comment.is_empty() { "" } else { comment.strip_prefix('/')? };
                return Some((value.trim_end().to_owned(), comment));
            }
        }
    }
}

/// Parses a value that is not a string.
fn plain(text: &str) -> Option<CardValue> {
    match text {
        "T" => return Some(CardValue::Bool(true)),
        "F" => return Some(CardValue::Bool(false)),
        _ => {}
    }
    if let Some(inner) = text.strip_prefix('(') {
        let (real, imaginary) = inner.strip_suffix(')')?.split_once(',')?;
        let (real, imaginary) = (number(real.trim())?, number(imaginary.trim())?);
        return Some(CardValue::Complex(Complex::new(real.to_f64(), imaginary.to_f64())));
    }
    number(text).map(CardValue::Number)
}

fn number(text: &str) -> Option<Number> {
    if let Ok(whole) = text.strip_prefix('+').unwrap_or(text).parse::<BigInt>() {
        return Some(Number::Int(whole));
    }
    let starts = text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
    let value: f64 = text.replace(['D', 'd'], "E").parse().ok().filter(|_| starts)?;
    value.is_finite().then_some(Number::Float(value))
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, reason = "a test that cannot go on has failed")]
mod tests {
    use super::*;

    fn read(lines: &[&str]) -> Header {
        let text: String = lines.iter().chain(&["END"]).map(|line| format!("{line:80}")).collect();
        header(text.as_bytes()).unwrap()
    }

    #[test]
    fn values_of_every_kind() {
        for (line, value, comment) in [
            ("A       = 'it''s   '  / c", Some(CardValue::from("it's")), "c"),
            ("A       =                    T", Some(true.into()), ""),
            ("A       = -7 /", Some((-7_i64).into()), ""),
            ("A       = 1.5D-3 / x / y", Some(0.0015.into()), "x / y"),
            ("A       = (1, -2.5)", Some(CardValue::Complex(Complex::new(1.0, -2.5))), ""),
            ("A       =  / nothing", None, "nothing"),
            ("a       = 1", Some(1_i64.into()), ""),
        ] {
            let read = read(&[line]);
            let expected = Card { keyword: "A".to_owned(), value, comment: comment.to_owned() };
            assert_eq!((&read.cards[0], read.exact), (&expected, true), "{line}");
        }
    }

    #[test]
    fn long_strings_are_joined() {
        let read = read(&[
            "LONG    = 'first &' / one",
            "CONTINUE  'second&'",
            "CONTINUE  '' / two",
            "HIERARCH ESO DET NAME = 5 / [s] time",
            "COMMENT   two  spaces",
        ]);
        assert!(read.exact);
        assert_eq!(read.cards[0], Card::new("LONG", "first second", "one two"));
        assert_eq!(read.cards[1], Card::new("ESO DET NAME", 5_i64, "[s] time"));
        assert_eq!(read.cards[2], Card::new("COMMENT", "  two  spaces", ""));
    }

    #[test]
    fn cards_that_lose_information_are_not_exact() {
        for (line, keyword, value) in [
            ("KEY WITH SPACES = 5", "KEY WITH", CardValue::from(" SPACES = 5")),
            ("      J text", "J", "text".into()),
            ("BAD     = 5 apples", "BAD", "5 apples".into()),
            ("OPEN    = 'no end", "OPEN", "'no end".into()),
            ("CARET   = 'a\u{7}b'", "CARET", "a?b".into()),
        ] {
            let read = read(&[line]);
            assert_eq!((&*read.cards[0].keyword, read.exact), (keyword, false), "{line}");
            assert_eq!(read.cards[0].value, Some(value), "{line}");
        }
        assert!(read(&["BZERO   = 9223372036854775808"]).exact);
        assert!(!read(&["BIG     = 9223372036854775809"]).exact);
        assert!(header(b"SIMPLE  =").is_err());
    }
}
