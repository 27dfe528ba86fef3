//! `builder`: a type that sets the fields of a value one by one.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;

use crate::absent::unset;
use crate::field::Field;
use crate::field::local;
use crate::generics::bounded_types;
use crate::subject::Subject;
use crate::types::option_inner;

/// The maximum number of required fields for `new`; a type with more gets a builder instead.
pub(crate) const MOST_ARGUMENTS: usize = 5;

/// The builder of a struct with named fields: its functions, including `builder`, and its type.
pub(crate) fn of_fields(subject: &Subject<'_>, fields: &[Field], word: &Ident) -> (TokenStream, TokenStream) {
    let at = Span::mixed_site();
    let (ident, visibility, name) = (&subject.input.ident, &subject.input.vis, subject.name());
    let builder = Ident::new(&format!("{name}Builder"), word.span().resolved_at(Span::call_site()));
    let (_, arguments, clause) = subject.input.generics.split_for_impl();
    let generics = &subject.input.generics;

    let idents: Vec<&Ident> = fields.iter().map(|field| &field.ident).collect();
    let types = fields.iter().map(|field| option_inner(&field.ty).unwrap_or(&field.ty));
    let setters = fields.iter().map(|field| setter(subject, field));
    let required = || fields.iter().enumerate().filter(|(_, field)| field.is_required());
    let (locals, required): (Vec<Ident>, Vec<&Ident>) =
        required().map(|(index, field)| (local(index), &field.ident)).unzip();
    let names = required.iter().map(|ident| ident.unraw().to_string());
    let mut defaulted = Vec::new();
    let members: Vec<TokenStream> = fields
        .iter()
        .enumerate()
        .map(|(index, field)| {
            let ident = &field.ident;
            if field.is_required() {
                let local = local(index);
                return quote!(#ident: #local);
            }
            if field.has_plain_option() {
                return quote_spanned!(at=> #ident: self.#ident);
            }
            let set = match option_inner(&field.ty) {
                Some(_) => quote_spanned!(at=> self.#ident.map(__asdf::Some)),
                None => quote_spanned!(at=> self.#ident),
            };
            let value = unset(subject, field, &mut defaulted);
            quote_spanned!(at=> #ident: #set.unwrap_or_else(|| #value))
        })
        .collect();
    let unpack = (!required.is_empty()).then(|| {
        quote_spanned! {at=>
            let missing = [#(self.#required.is_none()),*];
            let (#(__asdf::Some(#locals),)*) = (#(self.#required,)*) else {
                return __asdf::Err(
                    __asdf::unset(#name, &[#(#names),*], &missing)
                );
            };
        }
    });
    let default = quote!(__asdf::Default);
    let bounds = bounded_types(generics, defaulted.into_iter(), &default);
    let (bounded, _, bounds) = bounds.split_for_impl();

    let build = match fields.iter().any(|field| field.ident.unraw() == "build") {
        true => format_ident!("build_", span = Span::call_site()),
        false => format_ident!("build", span = Span::call_site()),
    };
    let begin = subject.implementation(
        None,
        generics,
        &quote_spanned! {at=>
            /// Returns a builder that sets the fields one by one.
            #visibility fn builder() -> #builder #arguments {
                #builder { #(#idents: __asdf::None),* }
            }
        },
    );
    let doc = format!("A builder for [`{name}`]; see [`{name}::builder`].");
    let ty = quote_spanned! {at=>
        #[doc = #doc]
        #[allow(
            dead_code,
            deprecated,
            missing_debug_implementations,
            reason = "not every type is built or printed"
        )]
        #[must_use = "a builder does nothing until `build` is called"]
        #visibility struct #builder #generics #clause {
            #(#idents: ::core::option::Option<#types>),*
        }
    };
    let functions = quote_spanned! {at=>
        #begin

        #[automatically_derived]
        impl #bounded #builder #arguments #bounds {
            #(#setters)*

            /// Returns the value. Optional fields that are not set are absent or have their default.
            ///
            /// # Errors
            /// Fails if a required field is not set; the error names all such fields.
            #visibility fn #build(self) -> __asdf::Result<#ident #arguments> {
                #unpack
                __asdf::Ok(#ident { #(#members),* })
            }
        }
    };
    (functions, ty)
}

/// The function that sets a field. Setters of optional fields have the visibility of the field.
fn setter(subject: &Subject<'_>, field: &Field) -> TokenStream {
    let (ident, name) = (&field.ident, field.ident.unraw());
    let ty = option_inner(&field.ty).unwrap_or(&field.ty);
    let (visibility, doc) = match field.is_required() {
        true => (&subject.input.vis, format!("Sets the required field `{name}`.")),
        false => (&field.vis, format!("Sets `{name}`.")),
    };
    quote_spanned! {Span::mixed_site()=>
        #[doc = #doc]
        #visibility fn #ident(mut self, value: #ty) -> Self {
            self.#ident = __asdf::Some(value);
            self
        }
    }
}
