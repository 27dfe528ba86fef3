//! Enums.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::{Ident, Type};

use crate::implementation::{Parts, Subject};
use crate::shape::{Alternative, Content};

/// What an enum puts into the implementations.
pub(crate) fn parts<'a>(subject: &Subject<'_>, alternatives: &'a [Alternative]) -> Parts<'a> {
    let core = &subject.container.core;
    let names: Vec<(&Ident, &String)> = alternatives
        .iter()
        .filter_map(|alternative| match &alternative.content {
            Content::Name(name) => Some((&alternative.ident, name)),
            Content::Value(_) => None,
        })
        .collect();
    let values: Vec<(&Ident, &Type)> = alternatives
        .iter()
        .filter_map(|alternative| match &alternative.content {
            Content::Value(ty) => Some((&alternative.ident, ty.as_ref())),
            Content::Name(_) => None,
        })
        .collect();
    let types: Vec<&Type> = values.iter().map(|(_, ty)| *ty).collect();
    let string = (!names.is_empty()).then(|| quote!(#core::value::Types::STRING));
    let kinds = string.into_iter().chain(types.iter().map(|ty| quote!(<#ty as #core::FromNode>::TYPES)));
    let kinds = kinds.reduce(|some, more| quote!(#some.or(#more))).unwrap_or_default();
    let reading = match subject.container.tag {
        None if !types.is_empty() => matching(subject, !names.is_empty(), &types),
        _ => TokenStream::new(),
    };
    Parts {
        from_node: from_node(subject, &names, &values),
        to_node: to_node(subject, &names, &values),
        values: types,
        defaults: Vec::new(),
        reads_and_writes: false,
        kinds,
        reading,
        writing: TokenStream::new(),
        more: TokenStream::new(),
    }
}

fn from_node(subject: &Subject<'_>, names: &[(&Ident, &String)], values: &[(&Ident, &Type)]) -> TokenStream {
    let core = &subject.container.core;
    let at = Span::mixed_site();
    let name = subject.name();
    let (idents, texts): (Vec<_>, Vec<_>) = names.iter().copied().unzip();
    // The tag of the enum, or of a newtype around it, says nothing about the variants.
    let by_tag = match subject.container.tag {
        Some(_) => quote_spanned!(at=> node.own_tag().is_none()),
        None => quote_spanned!(at=> node.own_tag().is_none_or(Self::accepts_tag)),
    };
    let attempts = values.iter().map(|(ident, ty)| {
        let variant = ident.unraw().to_string();
        quote_spanned! {at=>
            if let ::core::option::Option::Some(value) = choice.attempt::<#ty>(#variant) {
                return ::core::result::Result::Ok(Self::#ident(value));
            }
        }
    });
    let mutable = (!values.is_empty()).then(|| quote!(mut));
    let types = values.iter().map(|(_, ty)| ty);
    let by_shape = quote_spanned! {at=>
        let #mutable choice = #core::value::derived::Choice::open(node, #by_tag);
        #(#attempts)*
        ::core::result::Result::Err(choice.finish(#name, &[#(#texts),*], &[#(<#types as #core::FromNode>::expected()),*]))
    };
    if names.is_empty() {
        return by_shape;
    }
    // A tag that one of the values has makes the node that value, whatever its text.
    let untagged = (subject.container.tag.is_none() && !values.is_empty())
        .then(|| quote_spanned!(at=> .filter(|_| !node.own_tag().is_some_and(Self::accepts_tag))));
    quote_spanned! {at=>
        match node.as_str() #untagged {
            #(::core::option::Option::Some(#texts) => ::core::result::Result::Ok(Self::#idents),)*
            _ => { #by_shape }
        }
    }
}

fn to_node(subject: &Subject<'_>, names: &[(&Ident, &String)], values: &[(&Ident, &Type)]) -> TokenStream {
    let core = &subject.container.core;
    let at = Span::mixed_site();
    let (idents, texts): (Vec<_>, Vec<_>) = names.iter().copied().unzip();
    let (variants, types): (Vec<_>, Vec<_>) = values.iter().copied().unzip();
    let written = quote_spanned! {at=>
        match self {
            #(Self::#idents => ::core::result::Result::Ok(tree.add_str(#texts)),)*
            #(Self::#variants(value) => <#types as #core::ToNode>::to_node(value, tree),)*
        }
    };
    if subject.container.tag.is_none() {
        return written;
    }
    let set_tag = subject.set_tag(None);
    quote_spanned! {at=>
        let id = #written?;
        #set_tag
        ::core::result::Result::Ok(id)
    }
}

/// How an outer enum sees this one: as any of its variants.
fn matching(subject: &Subject<'_>, named: bool, types: &[&Type]) -> TokenStream {
    let core = &subject.container.core;
    let at = Span::mixed_site();
    let names = named.then(|| {
        quote_spanned! {at=>
            (#core::value::Types::STRING.contains(node.kind()) && node.own_tag().is_none()) ||
        }
    });
    let string = named.then(|| quote_spanned!(at=> <::std::string::String as #core::FromNode>::expected(),));
    quote_spanned! {at=>
        fn accepts_tag(tag: &str) -> bool {
            #(<#types as #core::FromNode>::accepts_tag(tag))||*
        }

        fn expected() -> ::std::string::String {
            #core::value::derived::either(&[#string #(<#types as #core::FromNode>::expected()),*])
        }

        fn matches(node: #core::tree::NodeRef<'_>) -> bool {
            #names #(<#types as #core::FromNode>::matches(node))||*
        }
    }
}
