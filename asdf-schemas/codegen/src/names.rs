//! Names in Rust: words of a schema as names of types, fields, variants and modules.

use proc_macro2::{Ident, Span};

/// The words of a name. It is split at every character that is not a letter or digit, and between a lower-case and an
/// upper-case letter.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut open = false;
    let mut before = ' ';
    for c in name.chars() {
        let part = c.is_alphanumeric();
        if part && (!open || (before.is_lowercase() && c.is_uppercase())) {
            words.push(String::new());
        }
        if let (true, Some(word)) = (part, words.last_mut()) {
            word.push(c);
        }
        open = part;
        before = c;
    }
    words
}

/// Words for a name without letters and digits.
fn spelled(name: &str) -> String {
    let known = |c: char| match c {
        '*' => "star",
        '+' => "plus",
        '-' => "minus",
        '/' => "slash",
        '.' => "dot",
        '?' => "question",
        '%' => "percent",
        '<' => "less",
        '>' => "greater",
        '=' => "equal",
        '_' => "underscore",
        ' ' => "blank",
        _ => "symbol",
    };
    if name.is_empty() { "empty".to_owned() } else { name.chars().map(known).collect::<Vec<_>>().join(" ") }
}

fn words_or_symbols(name: &str) -> Vec<String> {
    let found = words(name);
    if found.is_empty() { words(&spelled(name)) } else { found }
}

/// A name for a type or variant: `history_entry` becomes `HistoryEntry`, `FK4_noeterms` becomes `Fk4Noeterms`, `*`
/// becomes `Star`. The result can begin with a digit.
pub(crate) fn camel(name: &str) -> String {
    let capital = |word: &String| {
        let mut chars = word.chars();
        let first = chars.next().into_iter().flat_map(char::to_uppercase);
        // A word in capitals is one word, so `FitsHDU` has two.
        first.chain(chars.flat_map(char::to_lowercase)).collect::<String>()
    };
    words_or_symbols(name).iter().map(capital).collect()
}

/// A name for a field or module: `asdf_library` stays, `exposureTime` becomes `exposure_time`.
pub(crate) fn snake(name: &str) -> String {
    let lower: Vec<String> = words_or_symbols(name).iter().map(|word| word.to_lowercase()).collect();
    lower.join("_")
}

/// A valid Rust name for a type or variant.
pub(crate) fn type_name(name: &str) -> String {
    legal(camel(name))
}

fn legal(name: String) -> String {
    let name: String = name.chars().filter(|c| c.is_alphanumeric() || *c == '_').collect();
    let digit = name.starts_with(|c: char| !(c.is_alphabetic() || c == '_'));
    if digit || name.is_empty() { format!("_{name}") } else { name }
}

/// A valid Rust name for a field or module, without `r#`.
pub(crate) fn value_name(name: &str) -> String {
    legal(snake(name))
}

/// An identifier. Keywords get `r#`, or an underscore if `r#` is not possible.
pub(crate) fn ident(name: &str) -> Ident {
    if syn::parse_str::<Ident>(name).is_ok() {
        return Ident::new(name, Span::call_site());
    }
    match name {
        "self" | "Self" | "super" | "crate" | "_" => Ident::new(&format!("{name}_"), Span::call_site()),
        _ if syn::parse_str::<Ident>(&format!("r#{name}")).is_ok() => Ident::new_raw(name, Span::call_site()),
        _ => Ident::new("unnamed", Span::call_site()),
    }
}

/// Whether a name is valid for a type, field or module without changes.
pub(crate) fn is_ident(name: &str) -> bool {
    syn::parse_str::<Ident>(name).is_ok() || syn::parse_str::<Ident>(&format!("r#{name}")).is_ok()
}

/// Whether a name is in the style of fields and not of types.
pub(crate) fn is_field(name: &str) -> bool {
    name.trim_start_matches('_').starts_with(char::is_lowercase)
}

/// Makes names distinct by appending numbers, from 2.
#[derive(Debug, Default)]
pub(crate) struct Distinct {
    taken: std::collections::BTreeSet<String>,
}

impl Distinct {
    /// Whether a name is taken.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.taken.contains(name)
    }

    /// Returns the name, or the name with the first free number if it is taken.
    pub(crate) fn take(&mut self, name: String) -> String {
        if self.taken.insert(name.clone()) {
            return name;
        }
        let mut number = 2_u32;
        loop {
            let numbered = if name.ends_with(|c: char| c.is_ascii_digit()) {
                format!("{name}_{number}")
            } else {
                format!("{name}{number}")
            };
            if self.taken.insert(numbered.clone()) {
                return numbered;
            }
            number = number.saturating_add(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_every_style() {
        for (name, camel_name, snake_name) in [
            ("history_entry", "HistoryEntry", "history_entry"),
            ("exposureTime", "ExposureTime", "exposure_time"),
            ("FK4_noeterms", "Fk4Noeterms", "fk4_noeterms"),
            ("history-1.1.0", "History110", "history_1_1_0"),
            ("galcen_v_sun", "GalcenVSun", "galcen_v_sun"),
            ("*", "Star", "star"),
            ("", "Empty", "empty"),
            ("J2000.0", "J20000", "j2000_0"),
            ("größe", "Größe", "größe"),
        ] {
            assert_eq!((camel(name).as_str(), snake(name).as_str()), (camel_name, snake_name));
        }
        assert_eq!((type_name("2d").as_str(), value_name("2d").as_str()), ("_2d", "_2d"));
    }

    #[test]
    fn keywords_stay_usable() {
        assert_eq!(ident("type").to_string(), "r#type");
        assert_eq!(ident("self").to_string(), "self_");
        assert_eq!(ident("Self").to_string(), "Self_");
        assert_eq!(ident("name").to_string(), "name");
        assert_eq!(ident("a-b").to_string(), "unnamed");
    }

    #[test]
    fn repeated_names_get_numbers() {
        let mut names = Distinct::default();
        let taken: Vec<String> = ["A", "A", "B1", "B1", "A"].map(|name| names.take(name.to_owned())).to_vec();
        assert_eq!(taken, ["A", "A2", "B1", "B1_2", "A3"]);
    }
}
