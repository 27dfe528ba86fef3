//! Functions that construct values: `new`, and the accessors of newtypes.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Generics, Index};

use crate::absent::{newest, unset};
use crate::builder::{self, MOST_ARGUMENTS};
use crate::check::Check;
use crate::field::Field;
use crate::generics::{bounded, bounded_types};
use crate::shape::Newtype;
use crate::subject::Subject;
use crate::types::{is_parameter, is_text};
use crate::values;

/// `new` or a builder for a struct with named fields, depending on its attributes: the functions and the builder's type.
pub(crate) fn of_fields(subject: &Subject<'_>, fields: &[Field]) -> (TokenStream, TokenStream) {
    let required = fields.iter().filter(|field| field.is_required()).count();
    let (new, asked) = (subject.container.new.as_ref(), subject.container.builder.as_ref());
    let is_long = required > MOST_ARGUMENTS;
    let constructor = new.filter(|_| !is_long).map(|_| of_required(subject, fields));
    let builder = asked.or(new.filter(|_| is_long)).map(|word| builder::of_fields(subject, fields, word));
    let (builder, ty) = builder.unwrap_or_default();
    (quote!(#constructor #builder), ty)
}

/// `new` for a struct with named fields.
fn of_required(subject: &Subject<'_>, fields: &[Field]) -> TokenStream {
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
        let value = unset(subject, field, &mut defaulted);
        members.push(quote!(#ident: #value));
    }
    let doc = match members.len() == parameters.len() {
        true => format!("Returns a new `{}`.", subject.name()),
        false => format!(
            "Returns a new `{}` with its required fields. All other properties are absent or have their default.",
            subject.name()
        ),
    };
    let default = quote!(__asdf::Default);
    let generics = bounded_types(&subject.input.generics, defaulted.into_iter(), &default);
    let body = quote_spanned! {at=>
        #[doc = #doc]
        #[must_use]
        #visibility fn new(#(#parameters),*) -> Self {
            Self { #(#members),* }
        }
    };
    subject.implementation(None, &generics, &body)
}

/// `new`, `get`, `into_inner` and `From` for a struct of one value.
pub(crate) fn of_value(subject: &Subject<'_>, newtype: &Newtype) -> TokenStream {
    let at = Span::mixed_site();
    let (inner, visibility) = (&newtype.value, &subject.input.vis);
    let generics = &subject.input.generics;
    let newest = newest_of(newtype);
    let whole = |value: &TokenStream| newtype.construct(value, &newest);
    let (argument, value) = argument(subject, newtype);
    let new = whole(&value);
    let doc = format!("Returns a new `{}`.", subject.name());
    let body = quote_spanned! {at=>
        #[doc = #doc]
        #[must_use]
        #visibility fn new(value: #argument) -> Self {
            #new
        }
    };
    let access = access(subject, newtype);
    let functions = subject.implementation(None, generics, &quote!(#body #access));
    // For a bare type parameter this would clash with `impl<T> From<T> for T`.
    let convert = (!is_parameter(inner, generics)).then(|| {
        let whole = whole(&quote_spanned!(at=> value));
        let body = quote_spanned!(at=> fn from(value: #inner) -> Self { #whole });
        subject.implementation(Some(&quote!(__asdf::From<#inner>)), generics, &body)
    });
    quote!(#functions #convert)
}

/// The type of the argument of `new` for a struct of one value, and the expression that converts the argument. Types
/// with `text` take anything that converts to the text.
fn argument(subject: &Subject<'_>, newtype: &Newtype) -> (TokenStream, TokenStream) {
    let (inner, at) = (&newtype.value, Span::mixed_site());
    match subject.container.text.is_some() && is_text(inner) {
        true => (
            quote_spanned!(at=> impl __asdf::Into<#inner>),
            quote_spanned!(at=> __asdf::Into::<#inner>::into(value)),
        ),
        false => (quote!(#inner), quote_spanned!(at=> value)),
    }
}

fn newest_of(newtype: &Newtype) -> TokenStream {
    newtype.tag.as_ref().map(|(_, ty)| newest(ty)).unwrap_or_default()
}

/// `new`, `get` and `into_inner` for a struct of one value with constraints.
pub(crate) fn checked(subject: &Subject<'_>, newtype: &Newtype, check: &Check) -> TokenStream {
    let at = Span::mixed_site();
    let (inner, visibility, name) = (&newtype.value, &subject.input.vis, subject.name());
    let index = Index::from(newtype.value_index);
    let (argument, value) = argument(subject, newtype);
    let whole = newtype.construct(&value, &newest_of(newtype));
    let faults = check.faults();
    let checked = match values::is_plain(subject, inner) {
        true => quote_spanned! {at=>
            __asdf::check::all_of(|| __asdf::Written(&checked.#index).node(), #name, &[#(#faults),*])?;
        },
        false => quote_spanned!(at=> __asdf::check::all(&checked.#index, #name, &[#(#faults),*])?;),
    };
    let places = check.places(&quote_spanned!(at=> &checked.#index));
    let doc = format!("Returns a new `{name}` if the value is valid: {}.", check.words());
    let errors = "Fails if the value breaks a constraint. The error names the value and the constraints.";
    let bounds = bounded(&subject.input.generics, std::iter::once(inner), &[quote!(__asdf::ToNode)]);
    let body = quote_spanned! {at=>
        #[doc = #doc]
        ///
        /// # Errors
        #[doc = #errors]
        #visibility fn new(value: #argument) -> __asdf::Result<Self> {
            let checked = #whole;
            #checked
            #places
            __asdf::Ok(checked)
        }
    };
    together(subject, &bounds, &body, &access(subject, newtype))
}

/// An implementation of `new` with these bounds, and of functions without bounds.
fn together(
    subject: &Subject<'_>,
    bounds: &Generics,
    new: &TokenStream,
    others: &TokenStream,
) -> TokenStream {
    let generics = &subject.input.generics;
    if generics.params.is_empty() {
        return subject.implementation(None, generics, &quote!(#new #others));
    }
    let new = subject.implementation(None, bounds, new);
    let others = subject.implementation(None, generics, others);
    quote!(#new #others)
}

/// `get` and `into_inner` for a struct of one value.
fn access(subject: &Subject<'_>, newtype: &Newtype) -> TokenStream {
    let (inner, visibility) = (&newtype.value, &subject.input.vis);
    let index = Index::from(newtype.value_index);
    quote_spanned! {Span::mixed_site()=>
        /// Returns a reference to the value.
        #[must_use]
        #visibility fn get(&self) -> &#inner {
            &self.#index
        }

        /// Returns the value.
        #[must_use]
        #visibility fn into_inner(self) -> #inner {
            self.#index
        }
    }
}
