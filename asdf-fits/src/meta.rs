//! Makes header cards from mappings of metadata.

use asdf_core::FromNode;
use asdf_core::array::Integer;
use asdf_core::tree::{Kind, NodeRef};
use asdf_core::value::Number;

use crate::card::{Card, CardValue};

/// The maximum depth of nested mappings.
const MAX_DEPTH: usize = 16;

/// Makes cards from the scalars in a mapping of metadata, such as Roman's `meta`.
///
/// A key of up to eight characters becomes a keyword: `exposure` is `EXPOSURE`. Longer keys become `HIERARCH`
/// keywords. Keys of nested mappings are joined: `instrument: {name: WFI}` is `HIERARCH INSTRUMENT NAME`.
/// Keywords that FITS uses to describe the data get the prefix `META`: `naxis` is `HIERARCH META NAXIS`.
///
/// Lists and arrays are left out, and so are keys with characters other than ASCII letters, digits, `_` and
/// `-`. In text, each character outside ASCII becomes `?`.
#[must_use]
pub fn cards_of(meta: NodeRef<'_>) -> Vec<Card> {
    let mut cards = Vec::new();
    collect(meta, "", 0, &mut cards);
    cards
}

fn collect(node: NodeRef<'_>, above: &str, depth: usize, cards: &mut Vec<Card>) {
    if depth > MAX_DEPTH {
        return;
    }
    for (key, value) in node.entries() {
        let Some(key) = key.text().map(str::to_ascii_uppercase) else { continue };
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
        if key.is_empty() || !key.bytes().all(plain) {
            continue;
        }
        let keyword = if above.is_empty() { key } else { format!("{above} {key}") };
        if value.kind() == Kind::Mapping && Integer::from_node(value).is_err() {
            collect(value, &keyword, depth + 1, cards);
            continue;
        }
        let Some(own) = scalar(value) else { continue };
        let keyword = if is_taken(&keyword) { format!("META {keyword}") } else { keyword };
        // A card has 80 bytes, so a longer keyword leaves no space for its value.
        if keyword.len() <= 60 && !cards.iter().any(|card| card.keyword == keyword) {
            cards.push(Card { keyword, value: own, comment: String::new() });
        }
    }
}

/// Returns whether FITS uses the keyword to describe how the data is stored.
fn is_taken(keyword: &str) -> bool {
    let name = keyword.trim_end_matches(|c: char| c.is_ascii_digit());
    matches!(
        name,
        "SIMPLE"
            | "XTENSION"
            | "BITPIX"
            | "NAXIS"
            | "EXTEND"
            | "PCOUNT"
            | "GCOUNT"
            | "TFIELDS"
            | "THEAP"
            | "GROUPS"
            | "END"
            | "BSCALE"
            | "BZERO"
            | "BLANK"
            | "TFORM"
            | "TTYPE"
            | "TDIM"
            | "TSCAL"
            | "TZERO"
            | "TNULL"
            | "TBCOL"
            | "CONTINUE"
            | "HIERARCH"
            | "COMMENT"
            | "HISTORY"
            | "CHECKSUM"
            | "DATASUM"
            | "EXTNAME"
            | "EXTVER"
            | "ZIMAGE"
    )
}

/// Returns the value of a card for a scalar: `Some(None)`, an undefined value, for null; `None` if FITS has
/// no value of this kind.
fn scalar(node: NodeRef<'_>) -> Option<Option<CardValue>> {
    Some(match node.kind() {
        Kind::Null => None,
        Kind::Bool => node.as_bool().map(CardValue::Bool),
        Kind::Int | Kind::Float => match Number::from_node(node).ok()? {
            // FITS headers have no NaN and no infinity.
            Number::Float(number) if !number.is_finite() => Some(CardValue::Text(number.to_string())),
            number => Some(CardValue::Number(number)),
        },
        Kind::String | Kind::Timestamp => {
            let character = |c: char| match c {
                ' '..='~' => c,
                '\n' | '\t' | '\r' => ' ',
                _ => '?',
            };
            let text: String = node.text()?.chars().map(character).collect();
            Some(CardValue::Text(text.trim_end().to_owned()))
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use asdf_core::File;

    use super::*;

    #[test]
    fn scalars_become_cards() {
        let file = File::from_bytes(
            &b"#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n--- \n\
               meta: {filter: F158, exposure_time: 139.8, n: 3, ok: true, none: null, naxis: 2,\n  \
               instrument: {name: WFI, list: [1], 'a b': 1}, date: 2026-01-01, text: \"a\\u00e9\\n\", x: .nan}\n...\n"[..],
        )
        .unwrap();
        let cards = cards_of(file.tree().at("/meta").unwrap());
        let expected = [
            Card::new("FILTER", "F158", ""),
            Card::new("EXPOSURE_TIME", 139.8, ""),
            Card::new("N", 3_i64, ""),
            Card::new("OK", true, ""),
            Card::undefined("NONE", ""),
            Card::new("META NAXIS", 2_i64, ""),
            Card::new("INSTRUMENT NAME", "WFI", ""),
            Card::new("DATE", "2026-01-01", ""),
            Card::new("TEXT", "a?", ""),
            Card::new("X", "NaN", ""),
        ];
        assert_eq!(cards, expected);
    }
}
