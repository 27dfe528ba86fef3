//! Enums whose variants are all names.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Ident;

use crate::parts::Parts;
use crate::shape::{Alternative, Content};
use crate::subject::Subject;
use crate::text::Text;

/// The names of an enum, with their variants.
pub(crate) struct Names<'a> {
    pub(crate) idents: Vec<&'a Ident>,
    pub(crate) texts: Vec<&'a String>,
}

/// Returns the names of an enum, if all its variants are names.
pub(crate) fn of(alternatives: &[Alternative]) -> Option<Names<'_>> {
    let names = alternatives.iter().map(|alternative| match &alternative.content {
        Content::Name(text) => Some((&alternative.ident, text)),
        _ => None,
    });
    let (idents, texts) = names.collect::<Option<Vec<_>>>()?.into_iter().unzip();
    Some(Names { idents, texts })
}

/// The parts of the implementations for an enum of names.
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

/// The implementations of `text` for an enum of names.
fn text(subject: &Subject<'_>, names: &Names<'_>, word: &Ident) -> TokenStream {
    let at = Span::mixed_site();
    let visibility = &subject.input.vis;
    let Names { idents, texts } = names;
    let text = Text { subject, word, generics: subject.input.generics.clone() };
    let own = quote_spanned! {at=>
        /// All values, in the order of their definition.
        #visibility const VALUES: &'static [Self] = &[#(Self::#idents),*];

        /// Returns the text of the value in files.
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
