//! Functions that return the items that `check(contains(...))` requires in a sequence.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::Index;

use crate::demand::Demand;
use crate::shape::Newtype;
use crate::subject::Subject;

/// The functions that return the items, and the table that they share with the check.
pub(crate) fn functions(subject: &Subject<'_>, newtype: &Newtype, demands: &[Demand]) -> TokenStream {
    if demands.is_empty() {
        return TokenStream::new();
    }
    let at = Span::mixed_site();
    let (inner, visibility) = (&newtype.value, &subject.input.vis);
    let index = Index::from(newtype.value_index);
    let count = demands.len();
    let mut statics = Vec::new();
    let table: Vec<TokenStream> = demands.iter().map(|demand| demand.tokens(&mut statics)).collect();
    let accessors = demands.iter().enumerate().map(|(number, demand)| {
        let (name, docs) = (&demand.name, &demand.docs);
        let first = match docs.is_empty() {
            true => {
                let text = format!("Returns the item that the schema requires as `{name}`.");
                quote!(#[doc = #text])
            }
            false => quote!(#(#[doc = #docs])*),
        };
        let demand = format_ident!("demand", span = at);
        quote_spanned! {at=>
            #first
            ///
            /// This is the first item that passes the tests of the schema. A valid value always has one.
            #[must_use]
            #visibility fn #name(&self) -> __asdf::Option<&<#inner as ::core::ops::Index<__asdf::usize>>::Output> {
                let #demand = Self::__demands().get(#number)?;
                __asdf::check::find(&self.#index, #demand)
            }
        }
    });
    let body = quote_spanned! {at=>
        #[doc(hidden)]
        fn __demands() -> &'static [__asdf::check::Demand] {
            #(#statics)*
            static DEMANDS: [__asdf::check::Demand; #count] = [#(#table),*];
            &DEMANDS
        }

        #(#accessors)*
    };
    subject.implementation(None, &subject.input.generics, &body)
}
