//! Items that a sequence must contain: `check(contains(name = [["path", "keyword", "value"], ...]))`.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{Ident, LitStr};

use crate::item::Item;
use crate::pattern;

/// A required item, with the name of its accessor.
pub(crate) struct Demand {
    pub(crate) name: Ident,
    pub(crate) docs: Vec<LitStr>,
    tests: Vec<Test>,
}

enum Test {
    Pattern(LitStr, LitStr),
    OneOf(LitStr, Vec<LitStr>),
    Required(LitStr, LitStr),
}

impl Demand {
    /// Parses `contains(...)`.
    pub(crate) fn all(item: Item) -> syn::Result<Vec<Self>> {
        let span = item.span();
        let items = item.list()?;
        if items.is_empty() {
            return Err(syn::Error::new(span, "`contains(...)` needs at least one item: `name = [[...]]`"));
        }
        let mut demands: Vec<Self> = Vec::new();
        for item in &items {
            if demands.iter().any(|known| known.name == item.name) {
                return Err(syn::Error::new(item.span(), format!("duplicate attribute `{}`", item.name)));
            }
            if ["new", "get", "into_inner"].iter().any(|taken| item.name == taken) {
                let message =
                    format!("the derive already adds a function `{}`; choose another name", item.name);
                return Err(syn::Error::new(item.span(), message));
            }
            demands.push(Self::parse(item)?);
        }
        Ok(demands)
    }

    fn parse(item: &Item) -> syn::Result<Self> {
        let mut demand = Self { name: item.name.clone(), docs: Vec::new(), tests: Vec::new() };
        for row in item.rows()? {
            let fault = |at: &LitStr, message: &str| Err(syn::Error::new_spanned(at, message));
            let Some((path, rest)) = row.split_first() else {
                return Err(syn::Error::new(
                    item.span(),
                    "expected a test: [\"path\", \"keyword\", \"value\"]",
                ));
            };
            if !path.value().is_empty() && !path.value().starts_with('/') {
                return fault(path, "expected a JSON Pointer: \"\" or \"/name\"");
            }
            let Some((keyword, values)) = rest.split_first() else {
                return fault(path, "expected a test: [\"path\", \"keyword\", \"value\"]");
            };
            let path = path.clone();
            match (keyword.value().as_str(), values) {
                ("description", [text]) => demand.docs.push(text.clone()),
                ("pattern", [text]) => {
                    pattern::check(&text.value()).map_err(|error| syn::Error::new_spanned(text, error))?;
                    demand.tests.push(Test::Pattern(path, text.clone()));
                }
                ("enum", [_, ..]) => demand.tests.push(Test::OneOf(path, values.to_vec())),
                ("required", [key]) => demand.tests.push(Test::Required(path, key.clone())),
                _ => {
                    let message = "expected `description`, `pattern` or `required` with one value, or `enum` \
                                   with one or more";
                    return fault(keyword, message);
                }
            }
        }
        Ok(demand)
    }

    /// The expression of the demand. Appends the statics of its patterns to `statics`.
    pub(crate) fn tokens(&self, statics: &mut Vec<TokenStream>) -> TokenStream {
        let at = Span::mixed_site();
        let check = quote!(__asdf::check);
        let name = self.name.to_string();
        let name = name.trim_start_matches("r#");
        let tests: Vec<TokenStream> = self
            .tests
            .iter()
            .map(|test| match test {
                Test::Pattern(path, pattern) => {
                    let name = format_ident!("PATTERN_{}", statics.len(), span = at);
                    statics.push(quote_spanned! {at=>
                        static #name: #check::Pattern = #check::Pattern::new(#pattern);
                    });
                    quote_spanned!(at=> #check::Test::Pattern(#path, &#name))
                }
                Test::OneOf(path, words) => quote_spanned!(at=> #check::Test::OneOf(#path, &[#(#words),*])),
                Test::Required(path, key) => quote_spanned!(at=> #check::Test::Required(#path, #key)),
            })
            .collect();
        quote_spanned!(at=> #check::Demand { name: #name, tests: &[#(#tests),*] })
    }
}
