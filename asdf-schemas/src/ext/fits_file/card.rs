//! A card of 80 characters.

use asdf_core::value::Number;
use asdf_core::{Error, Result};

use super::CARD;
use crate::fits::{Card, CardItem, CardItemString};

/// The longest text that the schema allows.
const LONGEST: usize = 60;

/// Reads a card into the cards that it becomes.
pub(super) fn parse(text: &str, cards: &mut Vec<Card>) -> Result<()> {
    let (keyword, rest) = text.split_at_checked(8).unwrap_or((text, ""));
    let keyword = keyword.trim_end();
    let Some(rest) = rest.strip_prefix("= ").filter(|_| !is_remark(keyword)) else {
        return remark(keyword, rest.trim_end(), cards);
    };
    let bad = || Error::malformed(format!("no value of FITS: {}", rest.trim().escape_debug()));
    let rest = rest.trim_start();
    let (value, comment) = if let Some(quoted) = rest.strip_prefix('\'') {
        let (value, after) = quoted_text(quoted).ok_or_else(bad)?;
        (Some(string(&value)?), after)
    } else {
        let (value, comment) =
            rest.split_once('/').map_or((rest, None), |(value, comment)| (value, Some(comment)));
        let value = value.trim();
        let value = match value {
            "" => None,
            "T" => Some(CardItem::Bool(true)),
            "F" => Some(CardItem::Bool(false)),
            // Complex values have no kind of their own here.
            _ if value.starts_with('(') => Some(string(value)?),
            _ => Some(CardItem::Number(number(value).ok_or_else(bad)?)),
        };
        (value, comment)
    };
    let comment = comment.map(str::trim).filter(|comment| !comment.is_empty());
    let mut items = vec![string(keyword)?];
    if value.is_some() || comment.is_some() {
        items.push(value.unwrap_or(CardItem::String(CardItemString::new(String::new())?)));
    }
    if let Some(comment) = comment {
        items.push(string(comment)?);
    }
    cards.push(Card::new(items)?);
    Ok(())
}

fn is_remark(keyword: &str) -> bool {
    matches!(keyword, "" | "COMMENT" | "HISTORY" | "CONTINUE" | "HIERARCH")
}

fn remark(keyword: &str, text: &str, cards: &mut Vec<Card>) -> Result<()> {
    if keyword.is_empty() && text.is_empty() {
        cards.push(Card::new(Vec::new())?);
        return Ok(());
    }
    if text.is_empty() {
        cards.push(Card::new(vec![string(keyword)?])?);
        return Ok(());
    }
    let (first, second) = text.split_at_checked(LONGEST).unwrap_or((text, ""));
    for part in [first, second].into_iter().filter(|part| !part.is_empty()) {
        cards.push(Card::new(vec![string(keyword)?, string(part)?])?);
    }
    Ok(())
}

fn string(text: &str) -> Result<CardItem> {
    CardItemString::new(text.to_owned()).map(CardItem::String)
}

/// The text up to the closing quote, and the comment behind it.
fn quoted_text(text: &str) -> Option<(String, Option<&str>)> {
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
                let comment = after.trim_start();
                let comment = if comment.is_empty() { None } else { Some(comment.strip_prefix('/')?) };
                return Some((value.trim_end().to_owned(), comment));
            }
        }
    }
}

fn number(text: &str) -> Option<Number> {
    if let Ok(whole) = text.strip_prefix('+').unwrap_or(text).parse::<asdf_core::BigInt>() {
        return Some(Number::Int(whole));
    }
    let starts = text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
    let value: f64 = text.replace(['D', 'd'], "E").parse().ok().filter(|_| starts)?;
    value.is_finite().then_some(Number::Float(value))
}

/// Appends the 80 bytes of a card.
pub(super) fn write(card: &Card, out: &mut Vec<u8>) -> Result<()> {
    let keyword = card.keyword();
    let fits =
        keyword.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'-' || b == b'_');
    if keyword.len() > 8 || !fits {
        return Err(Error::mismatch(format!("'{}' is no keyword of FITS", keyword.escape_debug()))
            .with_hint("keywords have up to eight of A-Z, 0-9, - and _"));
    }
    let mut text = format!("{keyword:8}");
    match card.value() {
        Some(value) if is_remark(keyword) => text.push_str(value.as_str().unwrap_or_default()),
        Some(CardItem::String(value)) => {
            text.push_str(&format!("= {:20}", format!("'{:8}'", value.get().replace('\'', "''"))));
        }
        Some(CardItem::Bool(value)) => text.push_str(&format!("= {:>20}", if *value { "T" } else { "F" })),
        Some(CardItem::Number(Number::Int(value))) => text.push_str(&format!("= {:>20}", value.to_string())),
        Some(CardItem::Number(Number::Float(value))) => {
            if !value.is_finite() {
                return Err(Error::mismatch(format!("FITS has no number {value}")).under(keyword));
            }
            text.push_str(&format!("= {:>20}", format!("{value:?}").replace('e', "E")));
        }
        // A value that is not defined.
        None if !is_remark(keyword) => text.push_str("= "),
        None => {}
    }
    if let Some(comment) = card.comment() {
        text.push_str(" / ");
        // A comment is cut where the card ends, as every writer does.
        let room = CARD.saturating_sub(text.len());
        text.extend(comment.chars().take(room));
    }
    if text.len() > CARD || !text.bytes().all(|b| (0x20..0x7f).contains(&b)) {
        return Err(Error::mismatch(format!("the card {keyword} is no FITS card"))
            .with_hint("a card is 80 printable characters of ASCII"));
    }
    out.extend_from_slice(format!("{text:80}").as_bytes());
    Ok(())
}
