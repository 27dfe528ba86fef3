//! `text`: what newtypes of text and enums of names share with strings.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Generics, Index};

use crate::check::Family;
use crate::generics::bounded;
use crate::implementation::Subject;
use crate::shape::{Alternative, Content, Newtype};
use crate::types::{is_string, is_text};

/// The implementations for a struct of one value.
pub(crate) fn of_newtype(subject: &Subject<'_>, newtype: &Newtype, word: &Ident) -> TokenStream {
    let container = subject.container;
    let at = Span::mixed_site();
    let (inner, index) = (&newtype.value, Index::from(newtype.value_index));
    // A value that is not text is one mistake, shown at its type.
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
        text.implement(
            &quote!(__asdf::check::Text),
            &quote_spanned! {at=>
                fn text(&self) -> &__asdf::str {
                    __asdf::AsRef::as_ref(self)
                }
            },
        )
    });
    let shown =
        text.shown(&quote_spanned!(place=> <#inner as __asdf::check::FromText>::as_text(&self.#index)));

    // Where nothing can go wrong there is `From`, and the standard library makes `TryFrom` of it.
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
        // `new` brings the other one.
        let owned = (container.new.is_none() || !is_string(inner)).then(|| from(quote!(__asdf::String)));
        let borrowed = from(quote!(&__asdf::str));
        quote!(#owned #borrowed)
    } else {
        let checked = container.check.is_some() && is_string(inner);
        let made = quote_spanned!(at=> __asdf::check::FromText::from_text(value.into()));
        text.fallible(&made, !checked)
    };
    let parsed = quote_spanned!(at=> __asdf::check::FromText::from_text(text.into()));
    let parsed = text.parsed(&parsed);
    quote!(#from_text #as_text #shown #conversions #parsed)
}

/// The implementations for an enum whose variants are names.
pub(crate) fn of_names(subject: &Subject<'_>, alternatives: &[Alternative], word: &Ident) -> TokenStream {
    let at = Span::mixed_site();
    let (name, visibility) = (subject.name(), &subject.input.vis);
    let names = alternatives.iter().filter_map(|alternative| match &alternative.content {
        Content::Name(text) => Some((&alternative.ident, text)),
        _ => None,
    });
    let (idents, texts): (Vec<_>, Vec<_>) = names.unzip();
    let text = Text { subject, word, generics: subject.input.generics.clone() };
    let own = quote_spanned! {at=>
        /// All values, in the order of their definition.
        #[allow(dead_code, reason = "not every type is made or looked into")]
        #visibility const VALUES: &'static [Self] = &[#(Self::#idents),*];

        /// Returns the text of the value, as files have it.
        #[allow(dead_code, reason = "not every type is made or looked into")]
        #[must_use]
        #visibility const fn as_str(&self) -> &'static __asdf::str {
            match self { #(Self::#idents => #texts),* }
        }
    };
    let own = subject.implementation(None, &subject.input.generics, &own);
    let shown = text.shown(&quote_spanned!(at=> Self::as_str(self)));
    let parsed = text.parsed(&quote_spanned! {at=>
        match text {
            #(#texts => __asdf::Ok(Self::#idents),)*
            _ => __asdf::Err(
                __asdf::unknown_name(text, #name, &[#(#texts),*])
            ),
        }
    });
    let conversions = text.fallible(&quote_spanned!(at=> __asdf::FromStr::from_str(&value)), true);
    quote!(#own #shown #parsed #conversions)
}

/// A type that is text.
struct Text<'a> {
    subject: &'a Subject<'a>,
    /// The word `text`, where traits that the type has already are shown.
    word: &'a Ident,
    generics: Generics,
}

impl Text<'_> {
    fn implement(&self, of: &TokenStream, body: &TokenStream) -> TokenStream {
        let at = Span::mixed_site().located_at(self.word.span());
        let mut ident = self.subject.input.ident.clone();
        ident.set_span(ident.span().located_at(at));
        let (parameters, arguments, clause) = self.generics.split_for_impl();
        quote_spanned! {at=>
            #[automatically_derived]
            #[allow(deprecated, reason = "fields and variants are read and written all the same")]
            impl #parameters #of for #ident #arguments #clause {
                #body
            }
        }
    }

    /// `AsRef<str>` and what follows from it; the expression is the text.
    fn shown(&self, text: &TokenStream) -> TokenStream {
        let at = Span::mixed_site();
        let str = quote!(__asdf::str);
        let as_ref = self.implement(
            &quote!(__asdf::AsRef<#str>),
            &quote_spanned!(at=> fn as_ref(&self) -> &#str { #text }),
        );
        let display = self.implement(
            &quote!(__asdf::Display),
            &quote_spanned! {at=>
                fn fmt(&self, f: &mut __asdf::Formatter<'_>) -> ::core::fmt::Result {
                    f.pad(__asdf::AsRef::as_ref(self))
                }
            },
        );
        let equal = |other: &TokenStream, value: TokenStream| {
            self.implement(
                &quote!(__asdf::PartialEq<#other>),
                &quote_spanned! {at=>
                    fn eq(&self, other: &#other) -> __asdf::bool {
                        <#str as __asdf::PartialEq>::eq(__asdf::AsRef::as_ref(self), #value)
                    }
                },
            )
        };
        let owned = equal(&str, quote_spanned!(at=> other));
        let borrowed = equal(&quote!(&#str), quote_spanned!(at=> other));
        quote!(#as_ref #display #owned #borrowed)
    }

    /// `FromStr`; the expression is the result for `text`.
    fn parsed(&self, result: &TokenStream) -> TokenStream {
        self.implement(
            &quote!(__asdf::FromStr),
            &quote_spanned! {Span::mixed_site()=>
                type Err = __asdf::Error;

                fn from_str(text: &__asdf::str) -> __asdf::Result<Self> {
                    #result
                }
            },
        )
    }

    /// `TryFrom` of borrowed text, and perhaps of text that is owned; the expression is the result for `value`.
    fn fallible(&self, result: &TokenStream, owned: bool) -> TokenStream {
        let conversion = |ty: TokenStream| {
            self.implement(
                &quote!(__asdf::TryFrom<#ty>),
                &quote_spanned! {Span::mixed_site()=>
                    type Error = __asdf::Error;

                    fn try_from(value: #ty) -> __asdf::Result<Self> {
                        #result
                    }
                },
            )
        };
        let owned = owned.then(|| conversion(quote!(__asdf::String)));
        let borrowed = conversion(quote!(&__asdf::str));
        quote!(#owned #borrowed)
    }
}
