//! Writes cards as the bytes of a header.

use asdf_core::value::Number;
use asdf_core::{Error, Result};

use super::{CARD, Card, CardValue};

/// Appends the bytes of a card: 80, or more for a long text.
pub(crate) fn write(card: &Card, out: &mut Vec<u8>) -> Result<()> {
    let keyword = card.keyword.as_str();
    let printable = |text: &str| text.bytes().all(|byte| (0x20..0x7f).contains(&byte));
    let text = card.as_str().unwrap_or_default();
    if !printable(keyword) || keyword.contains('=') || !printable(text) {
        return Err(Error::mismatch(format!(
            "the card '{}' has a character that FITS headers cannot hold",
            keyword.escape_debug()
        ))
        .with_hint("use printable ASCII characters only, and no `=` in the keyword"));
    }
    let comment: String =
        card.comment.chars().map(|c| if printable(c.encode_utf8(&mut [0; 4])) { c } else { '?' }).collect();
    if card.is_commentary() {
        return remark(keyword, text, out);
    }
    let standard =
        keyword.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b"-_".contains(&b));
    let start = if keyword.len() <= 8 && standard {
        format!("{keyword:8}= ")
    } else {
        format!("HIERARCH {keyword} = ")
    };
    let plain = match &card.value {
        Some(CardValue::Text(value)) => return string(&start, value, &comment, out),
        Some(value) => number(value).map_err(|error| error.under(keyword))?,
        None => String::new(),
    };
    let column = if start.starts_with("HIERARCH") { 0 } else { 20 };
    // Drop the alignment of the value before cutting the comment.
    let forms = [format!("{start}{plain:>column$}"), format!("{start}{plain}")];
    let Some(longest) = forms.iter().find(|form| form.len() <= CARD) else {
        return Err(Error::mismatch(format!("the keyword '{keyword}' is too long for a FITS card")));
    };
    let line = forms.iter().find_map(|form| with_comment(form, &comment));
    line_of(&line.unwrap_or_else(|| format!("{longest} / {comment}")), out);
    Ok(())
}

/// Returns the card with its comment, if both fit in 80 bytes.
fn with_comment(start: &str, comment: &str) -> Option<String> {
    if comment.is_empty() {
        return (start.len() <= CARD).then(|| start.to_owned());
    }
    [" / ", " /", "/"].iter().map(|slash| format!("{start}{slash}{comment}")).find(|line| line.len() <= CARD)
}

/// Appends one card: pads the text to 80 bytes, or cuts it there.
fn line_of(text: &str, out: &mut Vec<u8>) {
    let text = text.get(..CARD).unwrap_or(text);
    out.extend_from_slice(format!("{text:CARD$}").as_bytes());
}

fn remark(keyword: &str, text: &str, out: &mut Vec<u8>) -> Result<()> {
    let mut rest = text;
    loop {
        let (part, more) = rest.split_at_checked(CARD - 8).unwrap_or((rest, ""));
        line_of(&format!("{keyword:8}{part}"), out);
        if more.is_empty() {
            return Ok(());
        }
        rest = more;
    }
}

fn number(value: &CardValue) -> Result<String> {
    let float = |number: f64| {
        if number.is_finite() {
            Ok(format!("{number:?}").replace('e', "E"))
        } else {
            Err(Error::mismatch(format!("FITS headers cannot hold the number {number}")))
        }
    };
    Ok(match value {
        CardValue::Bool(true) => "T".to_owned(),
        CardValue::Bool(false) => "F".to_owned(),
        CardValue::Number(Number::Int(number)) => number.to_string(),
        CardValue::Number(Number::Float(number)) => float(*number)?,
        CardValue::Complex(number) => {
            format!("({}, {})", float(number.value().re)?, float(number.value().im)?)
        }
        CardValue::Text(text) => text.clone(),
    })
}

/// Appends a string: one card if it fits, else `CONTINUE` cards after it.
fn string(start: &str, value: &str, comment: &str, out: &mut Vec<u8>) -> Result<()> {
    let escaped = value.replace('\'', "''");
    let forms = [
        format!("{start}{:20}", format!("'{escaped:8}'")),
        format!("{start}'{escaped:8}'"),
        format!("{start}'{escaped}'"),
    ];
    if let Some(line) = forms.iter().find_map(|form| with_comment(form, comment)) {
        line_of(&line, out);
        return Ok(());
    }
    let mut start = start.to_owned();
    if start.len() + 8 > CARD {
        return Err(Error::mismatch(format!(
            "the keyword '{}' is too long for a FITS card",
            start.trim_end()
        )));
    }
    let mut rest = escaped.as_str();
    loop {
        // Leave space for two quotes and the `&` that announces a `CONTINUE` card.
        let width = CARD.saturating_sub(start.len() + 3);
        let (part, more) = split(rest, width);
        // If the comment does not fit after the last part, it gets its own cards.
        if more.is_empty() && comment.is_empty() {
            line_of(&format!("{start}'{part}'"), out);
            return Ok(());
        }
        if more.is_empty() {
            if let Some(line) = with_comment(&format!("{start}'{part}'"), comment) {
                line_of(&line, out);
                return Ok(());
            }
        }
        line_of(&format!("{start}'{part}&'"), out);
        start = "CONTINUE  ".to_owned();
        rest = more;
        if more.is_empty() {
            return comments(comment, out);
        }
    }
}

/// Splits an escaped string after at most `width` characters, but never inside an escaped quote.
fn split(text: &str, width: usize) -> (&str, &str) {
    if text.len() <= width {
        return (text, "");
    }
    let quotes =
        text.get(..width).unwrap_or_default().bytes().rev().take_while(|&byte| byte == b'\'').count();
    text.split_at_checked(width - quotes % 2).unwrap_or((text, ""))
}

/// Appends `CONTINUE` cards with empty strings and the comment. Readers join the parts of a long one with spaces.
fn comments(comment: &str, out: &mut Vec<u8>) -> Result<()> {
    let mut rest = comment;
    while rest.len() > 64 {
        let head = rest.get(..64).unwrap_or(rest);
        let at = head.rfind(' ').filter(|&at| at > 0).unwrap_or(64);
        let (part, more) = rest.split_at_checked(at).unwrap_or((rest, ""));
        line_of(&format!("CONTINUE  '&' / {part}"), out);
        rest = more.trim_start();
    }
    line_of(&format!("CONTINUE  '' / {rest}"), out);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::header;
    use super::*;

    #[test]
    fn written_cards_read_back_unchanged() {
        let long = "it's ".repeat(40);
        for card in [
            Card::new("STRING", "it's", "with a quote"),
            Card::new("EMPTY", "", ""),
            Card::new("LONG", long.trim_end(), ""),
            Card::new("LONG", long.trim_end(), "a comment of words ".repeat(8).trim_end()),
            Card::new("FULL", "x".repeat(68), ""),
            Card::new("FULL", "x".repeat(66), "a comment that has no place"),
            Card::new("TIGHT", "abc", &"c".repeat(64)),
            Card::new("ESO DET NAME", "long name", "kept"),
            Card::new("ESO DET TEXT", "y".repeat(100), "kept"),
            Card::new("INT", -42_i64, &"c".repeat(66)),
            Card::new("FLOAT", 1.5e-300, ""),
            Card::new("COMPLEX", CardValue::Complex(asdf_core::array::Complex::new(1.0, -2.0)), ""),
            Card::undefined("UNDEF", "why"),
            Card::new("COMMENT", "z".repeat(72), ""),
            Card::undefined("", ""),
        ] {
            let mut bytes = Vec::new();
            write(&card, &mut bytes).unwrap();
            assert_eq!(bytes.len() % CARD, 0, "{card:?}");
            bytes.extend_from_slice(format!("{:80}", "END").as_bytes());
            let read = header(&bytes).unwrap();
            assert_eq!((read.cards, read.exact), (vec![card], true));
        }
    }

    #[test]
    fn cards_that_fits_cannot_hold_are_refused() {
        for card in [
            Card::new("A", f64::NAN, ""),
            Card::new("A", "\u{e9}", ""),
            Card::new(&"K".repeat(80), 1_i64, ""),
            Card::new(&"K".repeat(80), "text", ""),
            Card::new("A=B", 1_i64, ""),
        ] {
            assert!(write(&card, &mut Vec::new()).is_err(), "{card:?}");
        }
    }
}
