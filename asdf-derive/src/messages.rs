//! The messages for mistakes, compared with `tests/derive_messages/compile_fail/NAME.stderr` without compiling the cases.

use std::collections::BTreeSet;
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};
use syn::{DeriveInput, Item};

use crate::{docs, implementation, record, tag_pattern};

/// Returns the texts of `compile_error!("text")` in tokens.
fn errors_in(tokens: TokenStream) -> Vec<String> {
    let mut found = Vec::new();
    let mut expected = false;
    for token in tokens {
        match token {
            TokenTree::Ident(name) if name == "compile_error" => expected = true,
            TokenTree::Group(group) if expected => {
                found.push(syn::parse2::<syn::LitStr>(group.stream()).unwrap().value());
                expected = false;
            }
            TokenTree::Group(group) => found.extend(errors_in(group.stream())),
            _ => {}
        }
    }
    found
}

/// Returns the messages for one type, from all its derives.
fn messages(input: &DeriveInput) -> Vec<String> {
    let mut found = Vec::new();
    for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("derive")) {
        attribute
            .parse_nested_meta(|derive| {
                let whole = quote::quote!(#input);
                let input = syn::parse2(docs::set_aside(whole))?;
                let expanded = match derive.path.segments.last().unwrap().ident.to_string().as_str() {
                    "Asdf" => implementation::expand(&input),
                    "Record" => record::expand(&input),
                    "TagPattern" => tag_pattern::expand(&input),
                    _ => return Ok(()),
                };
                found.extend(errors_in(expanded.unwrap_or_else(syn::Error::into_compile_error)));
                Ok(())
            })
            .unwrap();
    }
    found
}

fn types(text: &str) -> Vec<DeriveInput> {
    let items = syn::parse_file(text).unwrap().items.into_iter();
    let types = items.filter_map(|item| match item {
        Item::Struct(item) => Some(item.into()),
        Item::Enum(item) => Some(item.into()),
        Item::Union(item) => Some(item.into()),
        _ => None,
    });
    // The compiler removes fields with `cfg` before it calls the derive.
    types.filter(|input: &DeriveInput| !quote::quote!(#input).to_string().contains("# [cfg")).collect()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The folder of the cases' schemas, from here. In the cases it is `schemas/`.
const SCHEMAS: &str = "../tests/derive_messages/schemas/";

/// Returns the name, the text and the expected messages of each case in a folder of `tests/`.
fn cases(folder: &str) -> Vec<(String, String, Option<String>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests").join(folder);
    let mut cases = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            if cfg!(feature = "schema") || !text.contains("schema = ") {
                let expected = std::fs::read_to_string(path.with_extension("stderr")).ok();
                let text = text.replace("\"schemas/", &format!("\"{SCHEMAS}"));
                cases.push((path.display().to_string(), text, expected));
            }
        }
    }
    assert!(!cases.is_empty());
    cases
}

#[test]
fn mistakes_are_explained() {
    for (name, text, expected) in cases("derive_messages/compile_fail") {
        let expected = expected.unwrap();
        // Messages of the compiler have a code. It shows equal messages about one place once.
        let lines: BTreeSet<&str> = expected.lines().filter(|line| line.starts_with("error: ")).collect();
        let count = lines.len();
        let found: BTreeSet<String> = types(&text).iter().flat_map(messages).collect();
        let expected = one_line(&expected);
        for message in &found {
            // The rest of a message about a missing file is the folder of the package.
            let message = message.replace(SCHEMAS, "schemas/").replace(env!("CARGO_MANIFEST_DIR"), "");
            assert!(expected.contains(&format!("error: {}", one_line(&message))), "{name}: {message}");
        }
        assert_eq!(found.len(), count, "{name}: {found:#?}");
    }
}

#[test]
fn correct_types_have_no_messages() {
    for folder in ["derive/behaviour", "derive_messages/pass"] {
        for (name, text, _) in cases(folder) {
            let found: Vec<String> = types(&text).iter().flat_map(messages).collect();
            assert!(found.is_empty(), "{name}: {found:#?}");
        }
    }
}
