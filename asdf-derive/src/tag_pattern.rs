//! `#[derive(TagPattern)]`: tag patterns as types.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use syn::{DeriveInput, LitStr, Path, parse_quote};

use crate::attribute::{Owner, items};
use crate::container::several_tags;
use crate::errors::Errors;

/// Expands `#[derive(TagPattern)]`.
pub(crate) fn expand(input: &DeriveInput) -> syn::Result<TokenStream> {
    let mut errors = Errors::default();
    let mut core: Path = parse_quote!(::asdf_core);
    let mut tags: Option<Vec<LitStr>> = None;
    for item in items(&input.attrs, Owner::TagPattern, &mut errors) {
        if item.name == "tags" {
            let patterns = errors.ok(item.strings());
            several_tags(patterns.as_deref().unwrap_or_default(), &mut errors);
            if patterns.as_ref().is_some_and(Vec::is_empty) {
                errors.at(&item.name, "`tags` needs at least one pattern");
            }
            tags = Some(patterns.unwrap_or_default());
        } else {
            core = errors.ok(item.quoted_path()).unwrap_or(core);
        }
    }
    if tags.is_none() {
        errors.at(&input.ident, "a tag pattern needs `tags`: add `#[asdf(tags = [\"...-1.*\"])]`");
    }
    errors.finish()?;
    Ok(implement(input, &core, &tags.unwrap_or_default()))
}

fn implement(input: &DeriveInput, core: &Path, tags: &[LitStr]) -> TokenStream {
    let (parameters, arguments, clause) = input.generics.split_for_impl();
    let ident = &input.ident;
    quote_spanned! {Span::mixed_site()=>
        #[automatically_derived]
        impl #parameters #core::value::TagPattern for #ident #arguments #clause {
            const PATTERNS: &'static [&'static ::core::primitive::str] = &[#(#tags),*];

            type Kept = #core::value::TaggedNode<Self>;

            fn keep(node: #core::Node) -> #core::Result<Self::Kept> {
                #core::value::TaggedNode::new(node)
            }
        }
    }
}
