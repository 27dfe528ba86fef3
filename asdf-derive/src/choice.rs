//! Enums.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::{Ident, Type};

use crate::field::Role;
use crate::field::local;
use crate::list;
use crate::mapping::{self, Place};
use crate::parts::Parts;
use crate::shape::{Alternative, Content};
use crate::subject::Subject;
use crate::{names, values};

/// The parts of the implementations for an enum.
pub(crate) fn parts<'a>(subject: &Subject<'_>, alternatives: &'a [Alternative]) -> Parts<'a> {
    if let Some(names) = names::of(alternatives) {
        return names::parts(subject, &names);
    }
    let contents = || alternatives.iter().map(|alternative| &alternative.content);
    let kinds = contents().map(|content| match content {
        Content::Name(_) => quote!(__asdf::Kinds::STRING),
        Content::Value(ty) => quote!(<#ty as __asdf::FromNode>::TYPES),
        Content::List(_) => quote!(__asdf::Kinds::SEQUENCE),
        Content::Mapping(..) => quote!(__asdf::Kinds::MAPPING),
    });
    let mut different: Vec<String> = Vec::new();
    let kinds = kinds.filter(|kind| {
        let text = kind.to_string();
        let new = !different.contains(&text);
        different.push(text);
        new
    });
    let kinds = kinds.reduce(|some, more| quote!(#some.or(#more))).unwrap_or_default();
    let has_values = contents().any(|content| matches!(content, Content::Value(_)));
    let mut constants = if has_values { TokenStream::new() } else { subject.untagged().unwrap_or_default() };
    if has_values && subject.container.tag.is_none() {
        let all = contents().filter_map(|content| match content {
            Content::Value(ty) => Some(quote!(<#ty as __asdf::FromNode>::READS_ALL)),
            _ => None,
        });
        let all = all.reduce(|some, more| quote!(#some.or(#more)));
        constants.extend(quote!(const READS_ALL: __asdf::Kinds = #all;));
    }
    let fields = || {
        contents().flat_map(|content| match content {
            Content::Mapping(_, fields) => fields.as_slice(),
            _ => &[],
        })
    };
    let mut values: Vec<&Type> =
        fields().filter(|field| field.is_converted()).map(|field| &field.ty).collect();
    for content in contents() {
        match content {
            Content::Value(ty) => values.push(ty),
            Content::List(types) => values.extend(types),
            _ => {}
        }
    }
    let key = subject.container.key.as_ref().map(|(_, key)| key);
    let distinct = contents().filter_map(|content| match content {
        Content::Mapping(_, fields) => mapping::distinct(subject, fields, key),
        _ => None,
    });
    Parts {
        from_node: from_node(subject, alternatives),
        to_node: to_node(subject, alternatives),
        values,
        defaults: fields().filter(|field| field.needs_default()).map(|field| &field.ty).collect(),
        kinds,
        constants,
        reading: match subject.container.tag {
            None => matching(alternatives),
            Some(_) => TokenStream::new(),
        },
        more: quote!(#(#distinct)*),
        ..Parts::default()
    }
}

/// The name of a variant in messages, such as "Shape::Circle".
fn full_name(subject: &Subject<'_>, variant: &Ident) -> String {
    format!("{}::{}", subject.name(), variant.unraw())
}

/// The expression of a closure that reads a variant with fields.
fn read_variant(subject: &Subject<'_>, ident: &Ident, content: &Content) -> TokenStream {
    let name = full_name(subject, ident);
    let body = match content {
        Content::Mapping(_, fields) => {
            let key = subject.container.key.as_ref().map(|(_, key)| key.clone());
            mapping::read_node(subject, &Place { name, constructor: quote!(Self::#ident), key }, fields)
        }
        Content::List(types) => {
            let locals = (0..types.len()).map(local);
            let types: Vec<&Type> = types.iter().collect();
            list::read(subject, &name, &types, &quote!(Self::#ident(#(#locals),*)))
        }
        _ => return TokenStream::new(),
    };
    quote_spanned!(Span::mixed_site()=> |node: __asdf::NodeRef<'_>| -> __asdf::Result<Self> { #body })
}

fn from_node(subject: &Subject<'_>, alternatives: &[Alternative]) -> TokenStream {
    let at = Span::mixed_site();
    let name = subject.name();
    if let Some((_, key)) = &subject.container.key {
        return by_key(subject, key, alternatives);
    }
    let mut names = Vec::new();
    let mut attempts = Vec::new();
    let mut expected = Vec::new();
    for Alternative { ident, content, .. } in alternatives {
        let variant = ident.unraw().to_string();
        let attempt = match content {
            Content::Name(text) => {
                names.push((ident, text));
                continue;
            }
            Content::Value(ty) => {
                expected.push(quote!(<#ty as __asdf::FromNode>::expected()));
                let call = values::call(subject, ty, "choice", ["attempt", "attempt"], &quote!(#variant));
                quote_spanned!(at=> #call.map(Self::#ident))
            }
            Content::List(_) | Content::Mapping(..) => {
                let kind = kind_of(content);
                expected.push(quote!(__asdf::ToString::to_string(&#kind)));
                let read = read_variant(subject, ident, content);
                quote_spanned!(at=> choice.attempt_with(#variant, #kind, #read))
            }
        };
        attempts.push(quote_spanned! {at=>
            if let __asdf::Some(value) = #attempt {
                return __asdf::Ok(value);
            }
        });
        if subject.container.by_tag.is_some() && attempts.len() == 1 {
            attempts.push(quote_spanned! {at=>
                if node.own_tag().is_none() {
                    return __asdf::Err(opened.finish(#name, &[], &[#(#expected),*]));
                }
            });
        }
    }
    // The tag of the enum, or of a newtype around it, does not select a variant.
    let by_tag = match subject.container.tag {
        Some(_) => quote_spanned!(at=> node.own_tag().is_none()),
        None => quote_spanned!(at=> node.own_tag().is_none_or(Self::accepts_tag)),
    };
    let (idents, texts): (Vec<_>, Vec<_>) = names.iter().copied().unzip();
    let by_shape = quote_spanned! {at=>
        let mut opened = __asdf::Choice::open(node, #by_tag);
        let choice = &mut opened;
        #(#attempts)*
        __asdf::Err(opened.finish(#name, &[#(#texts),*], &[#(#expected),*]))
    };
    if names.is_empty() {
        return by_shape;
    }
    // A node with the tag of one of the values is that value, even if its text is the name of a variant.
    let untagged = subject
        .container
        .tag
        .is_none()
        .then(|| quote_spanned!(at=> .filter(|_| !node.own_tag().is_some_and(Self::accepts_tag))));
    quote_spanned! {at=>
        match __asdf::text(node) #untagged {
            #(__asdf::Some(#texts) => __asdf::Ok(Self::#idents),)*
            _ => { #by_shape }
        }
    }
}

/// Reads an enum with `key`, whose value selects the variant.
fn by_key(subject: &Subject<'_>, key: &str, alternatives: &[Alternative]) -> TokenStream {
    let at = Span::mixed_site();
    let name = subject.name();
    let mut names = Vec::new();
    let mut arms = Vec::new();
    for (index, Alternative { ident, content, .. }) in alternatives.iter().enumerate() {
        if let Content::Mapping(text, _) = content {
            names.push(text);
            let read = read_variant(subject, ident, content);
            arms.push(quote_spanned!(at=> #index => (#read)(node),));
        }
    }
    quote_spanned! {at=>
        match __asdf::variant(node, #name, #key, &[#(#names),*])? {
            #(#arms)*
            _ => __asdf::Err(__asdf::incomplete(node, #name)),
        }
    }
}

fn kind_of(content: &Content) -> TokenStream {
    match content {
        Content::List(_) => quote!(__asdf::Kinds::SEQUENCE),
        _ => quote!(__asdf::Kinds::MAPPING),
    }
}

fn to_node(subject: &Subject<'_>, alternatives: &[Alternative]) -> TokenStream {
    let at = Span::mixed_site();
    let arms = alternatives.iter().map(|Alternative { ident, content, write_tags }| match content {
        Content::Name(text) => quote_spanned!(at=> Self::#ident => tree.add_str(#text),),
        Content::Value(ty) => {
            let value = quote_spanned!(at=> value);
            let written = values::write_with_tags(subject, ty, &value, write_tags);
            quote_spanned!(at=> Self::#ident(value) => #written?,)
        }
        Content::List(types) => {
            let locals: Vec<_> = (0..types.len()).map(local).collect();
            let types: Vec<&Type> = types.iter().collect();
            let written = list::write(subject, &types, locals.iter().map(|local| quote!(#local)));
            quote_spanned!(at=> Self::#ident(#(#locals),*) => #written,)
        }
        Content::Mapping(name, fields) => {
            let bindings = fields.iter().enumerate().map(|(index, field)| {
                let (ident, local) = (&field.ident, local(index));
                if matches!(field.role, Role::Skip(_)) { quote!(#ident: _) } else { quote!(#ident: #local) }
            });
            let variant = subject.container.key.as_ref().map(|(_, key)| (key.as_str(), name.as_str()));
            let written = mapping::write(subject, variant, fields, |index, _| {
                let local = local(index);
                quote!(#local)
            });
            quote_spanned!(at=> Self::#ident { #(#bindings),* } => { #written })
        }
    });
    let set_tag = subject.set_tag(None);
    quote_spanned! {at=>
        let id = match self { #(#arms)* };
        #set_tag
        __asdf::Ok(id)
    }
}

/// The functions with which an outer enum matches this one: any of its variants matches.
fn matching(alternatives: &[Alternative]) -> TokenStream {
    let at = Span::mixed_site();
    let mut types = Vec::new();
    let mut expected = Vec::new();
    let mut matches = Vec::new();
    for Alternative { content, .. } in alternatives {
        let kind = match content {
            Content::Value(ty) => {
                expected.push(quote!(<#ty as __asdf::FromNode>::expected()));
                matches.push(quote_spanned!(at=> <#ty as __asdf::FromNode>::matches(node)));
                types.push(ty);
                continue;
            }
            Content::Name(_) => quote!(__asdf::Kinds::STRING),
            other => kind_of(other),
        };
        expected.push(quote!(__asdf::ToString::to_string(&#kind)));
        matches.push(quote_spanned!(at=> (node.own_tag().is_none() && #kind.contains(node.kind()))));
    }
    let accepts = (!types.is_empty()).then(|| {
        quote_spanned! {at=>
            fn accepts_tag(tag: &__asdf::str) -> __asdf::bool {
                #(<#types as __asdf::FromNode>::accepts_tag(tag))||*
            }
        }
    });
    quote_spanned! {at=>
        #accepts

        fn expected() -> __asdf::String {
            __asdf::either(&[#(#expected),*])
        }

        fn matches(node: __asdf::NodeRef<'_>) -> __asdf::bool {
            #(#matches)||*
        }
    }
}
