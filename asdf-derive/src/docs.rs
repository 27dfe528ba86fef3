//! Doc comments.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Attribute, LitStr, Meta};

/// Replaces the lines `#[doc = "line"]` of each comment with one `#[doc("line" "line")]`.
///
/// `syn` parses the values of attributes eagerly but keeps lists as tokens. Doc comments are often the larger part of a
/// type, and most are never used, so this makes expansion faster.
pub(crate) fn set_aside(item: TokenStream) -> TokenStream {
    let mut tokens = Vec::new();
    let mut lines = Vec::new();
    let mut rest = item.into_iter().peekable();
    while let Some(token) = rest.next() {
        let is_hash = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '#');
        if let Some(line) = rest.peek().filter(|_| is_hash).and_then(line) {
            lines.push(line);
            rest.next();
            continue;
        }
        if !lines.is_empty() {
            let lines = lines.drain(..);
            tokens.extend(quote!(#[doc(#(#lines)*)]));
        }
        tokens.push(match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => inside(&group).into(),
            other => other,
        });
    }
    tokens.into_iter().collect()
}

/// The text of `[doc = "text"]`.
fn line(attribute: &TokenTree) -> Option<TokenTree> {
    let TokenTree::Group(attribute) = attribute else { return None };
    let mut tokens = attribute.stream().into_iter();
    match [tokens.next(), tokens.next(), tokens.next(), tokens.next()] {
        [Some(TokenTree::Ident(name)), Some(TokenTree::Punct(_)), text, None] if name == "doc" => text,
        _ => None,
    }
}

/// The same for the tokens inside a group.
fn inside(group: &Group) -> Group {
    let mut changed = Group::new(group.delimiter(), set_aside(group.stream()));
    changed.set_span(group.span());
    changed
}

/// The text of doc comments, without the space at the start of each line.
pub(crate) fn of(attributes: &[Attribute]) -> String {
    let comments = attributes.iter().filter(|attribute| attribute.path().is_ident("doc"));
    let lines = comments.filter_map(|comment| match &comment.meta {
        Meta::List(list) => Some(list.tokens.clone()),
        // A comment that was passed through a `macro_rules` variable.
        Meta::NameValue(meta) => Some(meta.value.to_token_stream()),
        Meta::Path(_) => None,
    });
    // Skip `hidden`, `alias = "name"` and `concat!("a", "b")`, which begin with an identifier.
    let is_text =
        |tokens: &TokenStream| !matches!(tokens.clone().into_iter().next(), Some(TokenTree::Ident(_)));
    let mut docs = String::new();
    for line in lines.filter(is_text).flatten().filter_map(|line| text(&line.to_string())) {
        docs += line.strip_prefix(' ').unwrap_or(&line);
        docs.push('\n');
    }
    docs.trim().to_owned()
}

/// The text of a string literal. Most literals have no escape sequence, so they are not parsed.
fn text(literal: &str) -> Option<String> {
    let plain = literal.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    match plain.filter(|plain| !plain.contains('\\') && !plain.contains('\r')) {
        Some(plain) => Some(plain.to_owned()),
        None => syn::parse_str::<LitStr>(literal).ok().map(|text| text.value()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn docs_match_what_rustdoc_shows() {
        let item = "
            /// It's \"quoted\", with a \\ at its end: \\
            #[doc(hidden)]
            #[doc(alias = \"other\")]
            #[doc = r#\" raw \"#]
            #[doc = \" two\\n lines\"]
            #[doc = concat!(\"not\", \"read\")]
            struct Seen {
                ///
                /// A field.
                #[asdf(extra)]
                field: (u8, [u8; 2]),
            }";
        let item: syn::ItemStruct = syn::parse2(set_aside(item.parse().unwrap())).unwrap();
        assert_eq!(of(&item.attrs), "It's \"quoted\", with a \\ at its end: \\\nraw \ntwo\n lines");
        let field = item.fields.iter().next().unwrap();
        assert_eq!((of(&field.attrs), field.attrs.len()), ("A field.".to_owned(), 2));
        let same = "# [asdf (key = \"a\")] struct Same (# [doc (hidden)] u8 , [u8 ; 2]) ;";
        assert_eq!(set_aside(same.parse().unwrap()).to_string(), same);
    }
}
