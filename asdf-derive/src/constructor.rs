//! Functions that make values: `new` and, for types with constraints, what goes with it.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Index;

use crate::check::Check;
use crate::field::{Field, Role};
use crate::generics::{bounded, bounded_types};
use crate::implementation::Subject;
use crate::mapping::default_value;
use crate::shape::Newtype;

/// `new` for a struct with named fields.
pub(crate) fn of_fields(subject: &Subject<'_>, fields: &[Field]) -> TokenStream {
    let core = &subject.container.core;
    let at = Span::mixed_site();
    let visibility = &subject.input.vis;
    let mut parameters = Vec::new();
    let mut members = Vec::new();
    let mut defaulted = Vec::new();
    for field in fields {
        let (ident, ty) = (&field.ident, &field.ty);
        if field.is_required() {
            parameters.push(quote!(#ident: #ty));
            members.push(quote!(#ident));
            continue;
        }
        let value = match &field.role {
            Role::Property(property) => match &property.default {
                Some(default) => {
                    defaulted.push(ty);
                    default_value(default, field)
                }
                None => quote_spanned!(at=> ::core::option::Option::None),
            },
            Role::Extra => quote_spanned!(at=> #core::Extra::new()),
            Role::Tag => quote_spanned!(at=> #core::KeptTag::Newest),
        };
        members.push(quote!(#ident: #value));
    }
    let doc = match members.len() == parameters.len() {
        true => format!("A new `{}`.", subject.name()),
        false => format!(
            "A new `{}` with what it needs; every other property is absent or has its default.",
            subject.name()
        ),
    };
    let default = quote!(::core::default::Default);
    let generics = bounded_types(&subject.input.generics, defaulted.into_iter(), &default);
    let body = quote_spanned! {at=>
        #[doc = #doc]
        #[allow(dead_code, reason = "not every type is made or looked into")]
        #[must_use]
        #visibility fn new(#(#parameters),*) -> Self {
            Self { #(#members),* }
        }
    };
    subject.implementation(None, &generics, &body)
}

/// `new` for a struct of one value.
pub(crate) fn of_value(subject: &Subject<'_>, newtype: &Newtype) -> TokenStream {
    let at = Span::mixed_site();
    let (inner, visibility) = (&newtype.value, &subject.input.vis);
    let whole = newtype.construct(&quote_spanned!(at=> value), &newest(subject));
    let doc = format!("A new `{}`.", subject.name());
    let body = quote_spanned! {at=>
        #[doc = #doc]
        #[allow(dead_code, reason = "not every type is made or looked into")]
        #[must_use]
        #visibility fn new(value: #inner) -> Self {
            #whole
        }
    };
    subject.implementation(None, &subject.input.generics, &body)
}

fn newest(subject: &Subject<'_>) -> TokenStream {
    let core = &subject.container.core;
    quote_spanned!(Span::mixed_site()=> #core::KeptTag::Newest)
}

/// `new`, `get` and `into_inner` for a struct of one value with constraints.
pub(crate) fn checked(subject: &Subject<'_>, newtype: &Newtype, check: &Check) -> TokenStream {
    let core = &subject.container.core;
    let at = Span::mixed_site();
    let (inner, visibility, name) = (&newtype.value, &subject.input.vis, subject.name());
    let index = Index::from(newtype.value_index);
    let whole = newtype.construct(&quote_spanned!(at=> value), &newest(subject));
    let faults = check.faults(core);
    let places = check.places(core, &quote_spanned!(at=> &checked.#index));
    let doc = format!("A new `{name}`, checked: {}.", check.words());
    let errors = "A mismatch with the value and the constraints that it breaks.";
    let bounds = bounded(&subject.input.generics, std::iter::once(inner), &[quote!(#core::ToNode)]);
    let body = quote_spanned! {at=>
        #[doc = #doc]
        ///
        /// # Errors
        #[doc = #errors]
        #[allow(dead_code, reason = "not every type is made or looked into")]
        #visibility fn new(value: #inner) -> #core::Result<Self> {
            let checked = #whole;
            #core::value::check::all(&checked.#index, #name, &[#(#faults),*])?;
            #places
            ::core::result::Result::Ok(checked)
        }
    };
    let new = subject.implementation(None, &bounds, &body);
    let body = quote_spanned! {at=>
        /// The value.
        #[allow(dead_code, reason = "not every type is made or looked into")]
        #[must_use]
        #visibility fn get(&self) -> &#inner {
            &self.#index
        }

        /// The value, moved out.
        #[allow(dead_code, reason = "not every type is made or looked into")]
        #[must_use]
        #visibility fn into_inner(self) -> #inner {
            self.#index
        }
    };
    let access = subject.implementation(None, &subject.input.generics, &body);
    quote!(#new #access)
}
