//! `rename_all`: naming conventions, the same as in serde.

use asdf_schema_model::nearest;
use proc_macro2::Ident;
use syn::ext::IdentExt;

use crate::item::Item;

/// A naming convention.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Case {
    Lower,
    Upper,
    Pascal,
    Camel,
    Snake,
    ScreamingSnake,
    Kebab,
    ScreamingKebab,
}

/// All conventions, each with its name written in that convention.
const CASES: [(&str, Case); 8] = [
    ("snake_case", Case::Snake),
    ("kebab-case", Case::Kebab),
    ("camelCase", Case::Camel),
    ("PascalCase", Case::Pascal),
    ("SCREAMING_SNAKE_CASE", Case::ScreamingSnake),
    ("SCREAMING-KEBAB-CASE", Case::ScreamingKebab),
    ("lowercase", Case::Lower),
    ("UPPERCASE", Case::Upper),
];

impl Case {
    /// Parses `rename_all = "..."`.
    pub(crate) fn parse(item: &Item) -> syn::Result<Self> {
        let text = item.string()?;
        let value = text.value();
        if let Some((_, case)) = CASES.iter().find(|(name, _)| *name == value) {
            return Ok(*case);
        }
        let names = CASES.map(|(name, _)| name);
        let message = match nearest(&value, &names) {
            Some(meant) => format!("unknown naming convention \"{value}\"; did you mean \"{meant}\"?"),
            None => {
                format!("unknown naming convention \"{value}\"; expected one of \"{}\"", names.join("\", \""))
            }
        };
        Err(syn::Error::new_spanned(&text, message))
    }

    /// The key of a field, whose name in Rust is in snake case.
    pub(crate) fn of_field(self, ident: &Ident) -> String {
        let name = ident.unraw().to_string();
        match self {
            Self::Lower | Self::Snake => name,
            Self::Upper | Self::ScreamingSnake => name.to_ascii_uppercase(),
            Self::Pascal => name.split('_').map(capitalized).collect(),
            Self::Camel => uncapitalized(&Self::Pascal.of_field(ident)),
            Self::Kebab => name.replace('_', "-"),
            Self::ScreamingKebab => name.to_ascii_uppercase().replace('_', "-"),
        }
    }

    /// The name of a variant, whose name in Rust is in Pascal case.
    pub(crate) fn of_variant(self, ident: &Ident) -> String {
        let name = ident.unraw().to_string();
        match self {
            Self::Pascal => name,
            Self::Lower => name.to_ascii_lowercase(),
            Self::Upper => name.to_ascii_uppercase(),
            Self::Camel => uncapitalized(&name),
            Self::Snake => {
                let mut snake = String::new();
                for (index, c) in name.char_indices() {
                    if index > 0 && c.is_uppercase() {
                        snake.push('_');
                    }
                    snake.push(c.to_ascii_lowercase());
                }
                snake
            }
            Self::ScreamingSnake => Self::Snake.of_variant(ident).to_ascii_uppercase(),
            Self::Kebab => Self::Snake.of_variant(ident).replace('_', "-"),
            Self::ScreamingKebab => Self::ScreamingSnake.of_variant(ident).replace('_', "-"),
        }
    }
}

fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}

fn uncapitalized(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_ascii_lowercase()).into_iter().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::format_ident;

    #[test]
    fn names_are_those_of_serde() {
        let (field, variant) = (format_ident!("very_tasty"), format_ident!("VeryTasty"));
        for (case, of_field, of_variant) in [
            (Case::Lower, "very_tasty", "verytasty"),
            (Case::Upper, "VERY_TASTY", "VERYTASTY"),
            (Case::Pascal, "VeryTasty", "VeryTasty"),
            (Case::Camel, "veryTasty", "veryTasty"),
            (Case::Snake, "very_tasty", "very_tasty"),
            (Case::ScreamingSnake, "VERY_TASTY", "VERY_TASTY"),
            (Case::Kebab, "very-tasty", "very-tasty"),
            (Case::ScreamingKebab, "VERY-TASTY", "VERY-TASTY"),
        ] {
            assert_eq!(
                (case.of_field(&field).as_str(), case.of_variant(&variant).as_str()),
                (of_field, of_variant)
            );
        }
        assert_eq!(Case::Kebab.of_field(&format_ident!("r#type")), "type");
        assert_eq!(Case::Snake.of_variant(&format_ident!("Z42")), "z42");
    }
}
