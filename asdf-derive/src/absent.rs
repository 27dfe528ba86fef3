//! Values of fields that are missing in a node or in the arguments of a constructor.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Type;

use crate::field::{Default, Field, Role};
use crate::shape::Shape;
use crate::subject::Subject;
use crate::types::span;

/// The expression of a field's default.
pub(crate) fn default_value(subject: &Subject<'_>, default: &Default, field: &Field) -> TokenStream {
    let ty = &field.ty;
    match default {
        Default::OfType => {
            let at = Span::mixed_site().located_at(span(ty));
            quote_spanned!(at=> <#ty as __asdf::Default>::default())
        }
        Default::Text(text) => {
            let at = Span::mixed_site().located_at(text.span());
            quote_spanned!(at=> <#ty as __asdf::TextDefault>::of_text(#text))
        }
        Default::Call(_) | Default::Value(_) => {
            let function = &field.default_fn;
            let (ident, (_, arguments, _)) = (&subject.input.ident, subject.input.generics.split_for_impl());
            quote_spanned!(Span::mixed_site()=> <#ident #arguments>::#function())
        }
    }
}

/// Functions that return defaults. Each default is expanded once, so the compiler reports an error in it once.
pub(crate) fn default_functions(subject: &Subject<'_>, shape: &Shape) -> Option<TokenStream> {
    let functions = shape.fields().filter_map(|field| {
        let (ty, name) = (&field.ty, &field.default_fn);
        let value = match field.default()? {
            Default::Call(function) => quote!(#function()),
            Default::Value(expr) => quote!(#expr),
            Default::OfType | Default::Text(_) => return None,
        };
        Some(quote_spanned!(Span::mixed_site()=> fn #name() -> #ty { #value }))
    });
    let functions: Vec<TokenStream> = functions.collect();
    if functions.is_empty() {
        return None;
    }
    let body = quote! {
        #![allow(non_snake_case, reason = "named after the fields")]
        #(#functions)*
    };
    let generics = &subject.input.generics;
    Some(subject.implementation(None, generics, &body))
}

/// The value of a field that is not given. Adds the type of the field to `defaulted` if it must implement `Default`.
pub(crate) fn unset<'f>(
    subject: &Subject<'_>,
    field: &'f Field,
    defaulted: &mut Vec<&'f Type>,
) -> TokenStream {
    let at = Span::mixed_site();
    match &field.role {
        Role::Property(property) => match &property.default {
            Some(default) => {
                defaulted.push(&field.ty);
                default_value(subject, default, field)
            }
            None => quote_spanned!(at=> __asdf::None),
        },
        Role::Flatten(_) => {
            defaulted.push(&field.ty);
            default_value(subject, &Default::OfType, field)
        }
        Role::Skip(default) => {
            defaulted.push(&field.ty);
            default_value(subject, default, field)
        }
        Role::Extra => {
            let ty = &field.ty;
            quote_spanned!(at=> <#ty as __asdf::ExtraField>::of_extra(__asdf::Extra::new()))
        }
        Role::Tag => newest(&field.ty),
    }
}

/// The value of a field for the tag in a new value.
pub(crate) fn newest(ty: &Type) -> TokenStream {
    let at = Span::mixed_site();
    quote_spanned!(at=> <#ty as __asdf::TagField>::of_tag(__asdf::KeptTag::Newest))
}
