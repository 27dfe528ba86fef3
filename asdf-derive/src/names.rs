//! Enums whose values are all names.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Ident;

use crate::parts::Parts;
use crate::shape::{Alternative, Content};
use crate::subject::Subject;
use crate::text::Text;

/// The names of an enum, with the variants that have them.
pub(crate) struct Names<'a> {
    pub(crate) idents: Vec<&'a Ident>,
    pub(crate) texts: Vec<&'a String>,
}

/// The names of an enum that has nothing else.
pub(crate) fn of(alternatives: &[Alternative]) -> Option<Names<'_>> {
    let names = alternatives.iter().map(|alternative| match &alternative.content {
        Content::Name(text) => Some((&alternative.ident, text)),
        _ => None,
    });
    let (idents, texts) = names.collect::<Option<Vec<_>>>()?.into_iter().unzip();
    Some(Names { idents, texts })
}

/// What such an enum puts into the implementations.
pub(crate) fn parts<'a>(subject: &Subject<'_>, names: &Names<'_>) -> Parts<'a> {
    let at = Span::mixed_site();
    let Names { idents, texts } = names;
    let (container, generics, name) = (subject.container, &subject.input.generics, subject.name());
    let places = 0..idents.len();
    let shown = match container.text {
        Some(_) => quote_spanned!(at=> Self::as_str(self)),
        None => quote_spanned!(at=> match self { #(Self::#idents => #texts),* }),
    };
    let table = quote_spanned! {at=>
        const TYPE: &'static __asdf::str = #name;
        const NAMES: &'static [&'static __asdf::str] = &[#(#texts),*];

        fn at(index: __asdf::usize) -> __asdf::Option<Self> {
            __asdf::Some(match index {
                #(#places => Self::#idents,)*
                _ => return __asdf::None,
            })
        }

        fn name(&self) -> &'static __asdf::str {
            #shown
        }
    };
    let table = subject.implementation(Some(&quote!(__asdf::Name)), generics, &table);
    let text = container.text.as_ref().map(|word| text(subject, names, word));
    let set_tag = subject.set_tag(None);
    Parts {
        kinds: quote!(__asdf::Kinds::STRING),
        constants: subject.untagged().unwrap_or_default(),
        from_node: quote_spanned!(at=> __asdf::read_name(node)),
        to_node: quote_spanned! {at=>
            let id = tree.add_str(__asdf::Name::name(self));
            #set_tag
            __asdf::Ok(id)
        },
        more: quote!(#table #text),
        ..Parts::default()
    }
}

/// What such an enum has as a type of text.
fn text(subject: &Subject<'_>, names: &Names<'_>, word: &Ident) -> TokenStream {
    let at = Span::mixed_site();
    let visibility = &subject.input.vis;
    let Names { idents, texts } = names;
    let text = Text { subject, word, generics: subject.input.generics.clone() };
    let own = quote_spanned! {at=>
        /// All values, in the order of their definition.
        #visibility const VALUES: &'static [Self] = &[#(Self::#idents),*];

        /// Returns the text of the value, as files have it.
        #[must_use]
        #visibility const fn as_str(&self) -> &'static __asdf::str {
            match self { #(Self::#idents => #texts),* }
        }
    };
    let own = subject.implementation(None, &subject.input.generics, &own);
    let parse = quote!(__asdf::parse_name);
    let shared = text.shared(&quote!(Self::as_str), &parse);
    let conversions = text.fallible(&parse);
    quote!(#own #shared #conversions)
}
