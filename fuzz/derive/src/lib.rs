//! The modules of asdf-derive as a library: a crate of macros exports nothing else.

#![allow(dead_code, reason = "the macros use the rest of it")]

use proc_macro2::TokenStream;

include!(concat!(env!("OUT_DIR"), "/modules.rs"));

/// Expands a type with each derive.
pub fn expansions(input: TokenStream) -> Vec<TokenStream> {
    let own = |input: TokenStream| {
        syn::parse2(docs::set_aside(input)).and_then(|input| implementation::expand(&input))
    };
    let record = |input| syn::parse2(input).and_then(|input| record::expand(&input));
    let pattern = |input| syn::parse2(input).and_then(|input| tag_pattern::expand(&input));
    [own(input.clone()), record(input.clone()), pattern(input)]
        .map(|expanded| expanded.unwrap_or_else(syn::Error::into_compile_error))
        .into()
}
