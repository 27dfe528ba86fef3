//! Enums whose values are all names.

use proc_macro2::Span;
use quote::{quote, quote_spanned};
use syn::Ident;

use crate::implementation::{Parts, Subject};
use crate::shape::{Alternative, Content};
use crate::text;

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
    let text = container.text.as_ref().map(|word| text::of_names(subject, names, word));
    let set_tag = subject.set_tag(None);
    Parts {
        kinds: quote!(__asdf::Types::STRING),
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
