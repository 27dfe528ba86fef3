//! `text`: traits of strings for newtypes of text and enums of names.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Generics, Index};

use crate::check::Family;
use crate::generics::bounded;
use crate::shape::Newtype;
use crate::subject::Subject;
use crate::types::{is_string, is_text};

/// The implementations for a struct of one value.
pub(crate) fn of_newtype(subject: &Subject<'_>, newtype: &Newtype, word: &Ident) -> TokenStream {
    let container = subject.container;
    let at = Span::mixed_site();
    let (inner, index) = (&newtype.value, Index::from(newtype.value_index));
    // A value that is not text is one error, at its type.
    let place = at.located_at(inner.span());
    let mut traits = vec![quote!(__asdf::check::FromText)];
    if container.check.is_some() {
        traits.push(quote!(__asdf::ToNode));
    }
    let generics = bounded(&subject.input.generics, std::iter::once(inner), &traits);
    let text = Text { subject, word, generics };

    let made = quote_spanned!(place=> <#inner as __asdf::check::FromText>::from_text(text)?);
    let made = match container.check {
        Some(_) => quote_spanned!(at=> Self::new(#made)),
        None => {
            let whole = newtype.construct(&made, &quote_spanned!(at=> __asdf::KeptTag::Newest));
            quote_spanned!(at=> __asdf::Ok(#whole))
        }
    };
    let from_text = text.implement(
        &quote!(__asdf::check::FromText),
        &quote_spanned! {at=>
            fn from_text(text: __asdf::String) -> __asdf::Result<Self> {
                #made
            }
        },
    );
    let is_checked = |family| {
        let first = container.check.as_ref().and_then(|(_, check)| check.first());
        first.is_some_and(|(first, _)| first == family)
    };
    let as_text = (!is_checked(Family::Text)).then(|| {
        let shown = quote_spanned!(place=> <#inner as __asdf::check::FromText>::as_text(&self.#index));
        text.implement(
            &quote!(__asdf::check::Text),
            &quote_spanned!(at=> fn text(&self) -> &__asdf::str { #shown }),
        )
    });
    let parse = quote!(__asdf::parse_text);
    let shared = text.shared(&quote!(__asdf::check::Text::text), &parse);

    // A conversion that cannot fail gets `From`; the standard library derives `TryFrom` from it.
    let conversions = if container.check.is_none() && is_text(inner) {
        let whole = newtype.construct(
            &quote_spanned!(at=> __asdf::From::from(value)),
            &quote_spanned!(at=> __asdf::KeptTag::Newest),
        );
        let from = |ty: TokenStream| {
            text.implement(
                &quote!(__asdf::From<#ty>),
                &quote_spanned!(at=> fn from(value: #ty) -> Self { #whole }),
            )
        };
        // `new` adds the other one.
        let owned = (container.new.is_none() || !is_string(inner)).then(|| from(quote!(__asdf::String)));
        let borrowed = from(quote!(&__asdf::str));
        quote!(#owned #borrowed)
    } else {
        let borrowed = text.fallible(&parse);
        let owned = text.implement(
            &quote!(__asdf::TryFrom<__asdf::String>),
            &quote_spanned! {at=>
                type Error = __asdf::Error;
                fn try_from(text: __asdf::String) -> __asdf::Result<Self> {
                    __asdf::check::FromText::from_text(text)
                }
            },
        );
        quote!(#borrowed #owned)
    };
    quote!(#from_text #as_text #shared #conversions)
}

/// A type with `text`.
pub(crate) struct Text<'a> {
    pub(crate) subject: &'a Subject<'a>,
    /// The attribute `text`; errors about traits that the type already implements point at it.
    pub(crate) word: &'a Ident,
    pub(crate) generics: Generics,
}

impl Text<'_> {
    /// The span of the implementations.
    fn place(&self) -> Span {
        Span::mixed_site().located_at(self.word.span())
    }

    /// The parameters, name and bounds of the type, in the form that the macros of asdf-core take.
    fn whole(&self) -> TokenStream {
        let at = self.place();
        let mut ident = self.subject.input.ident.clone();
        ident.set_span(ident.span().located_at(at));
        let (parameters, arguments, clause) = self.generics.split_for_impl();
        quote_spanned!(at=> [#parameters] #ident #arguments [#clause])
    }

    fn implement(&self, of: &TokenStream, body: &TokenStream) -> TokenStream {
        let at = self.place();
        let mut ident = self.subject.input.ident.clone();
        ident.set_span(ident.span().located_at(at));
        let (parameters, arguments, clause) = self.generics.split_for_impl();
        quote_spanned! {at=>
            #[automatically_derived]
            impl #parameters #of for #ident #arguments #clause {
                #body
            }
        }
    }

    /// The implementations for every type with `text`. `shown` returns the text; `parse` makes a value of borrowed text.
    pub(crate) fn shared(&self, shown: &TokenStream, parse: &TokenStream) -> TokenStream {
        let whole = self.whole();
        quote_spanned!(self.place()=> __asdf::text_type!(#whole, #shown, #parse);)
    }

    /// `TryFrom` of text. `parse` makes a value of it.
    pub(crate) fn fallible(&self, parse: &TokenStream) -> TokenStream {
        let whole = self.whole();
        quote_spanned!(self.place()=> __asdf::try_text!(#whole, #parse);)
    }
}
