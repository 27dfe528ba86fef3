//! Suggestions for unknown symbols.

use strsim::levenshtein;

use super::symbol::Symbol;
use crate::known::{KNOWN, SPELLINGS};

/// Returns a hint for a symbol that is not part of VOUnit.
pub(crate) fn spelling(name: &str) -> Option<String> {
    if let Some((_, standard)) = SPELLINGS.iter().find(|(other, _)| name.len() > 1 && *other == name) {
        return Some(match Symbol::find(standard, false) {
            Some(_) => format!("VOUnit writes it '{standard}'"),
            None => not_standard(name),
        });
    }
    // A single letter is more likely a symbol in the wrong case than a rare spelling.
    if name.len() > 1 && Symbol::find(name, true).is_some() {
        return Some(not_standard(name));
    }
    // A symbol in another case, with or without a prefix: `khz` is `kHz`.
    let cased = KNOWN.iter().filter(|known| !known.foreign).find_map(|known| {
        let split = name.len().checked_sub(known.symbol.len())?;
        let (prefix, symbol) = name.split_at_checked(split)?;
        let whole = [prefix.to_owned(), prefix.to_lowercase()].into_iter();
        let mut whole = whole.map(|prefix| format!("{prefix}{}", known.symbol));
        (symbol.len() > 1 || prefix.is_empty()).then_some(())?;
        if symbol.eq_ignore_ascii_case(known.symbol) {
            whole.find(|text| Symbol::find(text, false).is_some())
        } else {
            None
        }
    });
    let near = || {
        let symbols =
            KNOWN.iter().filter(|known| !known.foreign && known.symbol.len() > 2).map(|known| known.symbol);
        let words =
            symbols.filter(|symbol| name.len() <= 32 && levenshtein(name, symbol) * 3 <= symbol.len());
        words.min_by_key(|symbol| levenshtein(name, symbol)).map(str::to_owned)
    };
    cased.or_else(near).map(|found| format!("did you mean '{found}'?"))
}

fn not_standard(name: &str) -> String {
    format!("use a unit of VOUnit; '{name}' is only read leniently")
}
