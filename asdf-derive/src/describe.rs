//! `FromNode::describe`: the description of a type from which schemas are generated.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{LitStr, Type};

use crate::absent::default_value;
use crate::field::{Default, Field, Role};
use crate::shape::{Alternative, Content, Shape};
use crate::subject::Subject;
use crate::types::option_inner;
use crate::{docs, names, values};

/// The function `describe`.
pub(crate) fn function(subject: &Subject<'_>, shape: &Shape) -> TokenStream {
    let docs = docs::of(&subject.input.attrs);
    let tag = match &subject.container.tag {
        Some(tag) => {
            let own = &tag.own;
            quote!(__asdf::Some(#own))
        }
        None => quote!(__asdf::None),
    };
    if let Shape::Choice(alternatives) = shape {
        if names::of(alternatives).is_some() {
            return quote_spanned! {Span::mixed_site()=>
                fn describe() -> __asdf::Description {
                    __asdf::describe_names::<Self>(#docs, #tag)
                }
            };
        }
    }
    let form = match shape {
        Shape::Mapping(fields) => {
            let (properties, open) = (properties(subject, fields), open(fields));
            quote!(__asdf::Form::Mapping { properties: #properties, open: #open })
        }
        Shape::Newtype(newtype) => {
            let ty = &newtype.value;
            let constraints = subject.container.check.as_ref().map(|(_, check)| check.constraints());
            let constraints = constraints.into_iter().flatten();
            quote!(__asdf::Form::Checked {
                of: <#ty as __asdf::FromNode>::describe,
                constraints: __asdf::From::from([#(#constraints),*]),
            })
        }
        Shape::Converted(ty) => quote! {
            __asdf::Form::Checked { of: <#ty as __asdf::FromNode>::describe, constraints: __asdf::Vec::new() }
        },
        Shape::List(content) => {
            let types = content.values.iter().map(|(_, ty)| ty);
            let list = list(types.map(|ty| quote!(<#ty as __asdf::FromNode>::describe)));
            quote!(__asdf::Form::List(#list))
        }
        Shape::Choice(alternatives) => choice(subject, alternatives),
    };
    quote_spanned! {Span::mixed_site()=>
        fn describe() -> __asdf::Description {
            __asdf::describe::<Self>(#docs, #tag, #form)
        }
    }
}

fn choice(subject: &Subject<'_>, alternatives: &[Alternative]) -> TokenStream {
    if let Some((_, key)) = &subject.container.key {
        let variants = alternatives.iter().map(|alternative| match &alternative.content {
            Content::Mapping(name, fields) => {
                let (properties, open) = (properties(subject, fields), open(fields));
                quote!((#name, #properties, #open))
            }
            _ => TokenStream::new(),
        });
        return quote!(__asdf::Form::Keyed { key: #key, variants: ::std::vec![#(#variants),*] });
    }
    let mut words = Vec::new();
    let mut values = Vec::new();
    for alternative in alternatives {
        values.push(match &alternative.content {
            Content::Name(name) => {
                words.push(name);
                continue;
            }
            Content::Value(ty) => describer(ty, &alternative.write_tags),
            Content::List(types) => {
                let list = list(types.iter().map(|ty| quote!(<#ty as __asdf::FromNode>::describe)));
                quote!(|| __asdf::Description::new(__asdf::Form::List(#list)))
            }
            Content::Mapping(_, fields) => {
                let (properties, open) = (properties(subject, fields), open(fields));
                quote! {
                    || __asdf::Description::new(
                        __asdf::Form::Mapping { properties: #properties, open: #open }
                    )
                }
            }
        });
    }
    let (words, values) = (list(words.into_iter()), list(values.into_iter()));
    quote!(__asdf::Form::Choice { words: #words, values: #values })
}

/// The expression of a list, copied from a constant at run time, which compiles faster than `vec!`.
fn list(items: impl Iterator<Item = impl ToTokens>) -> TokenStream {
    quote!(__asdf::list(const { &[#(#items),*] }))
}

fn open(fields: &[Field]) -> bool {
    fields.iter().any(|field| matches!(field.role, Role::Extra))
}

/// The expression of all properties.
fn properties(subject: &Subject<'_>, fields: &[Field]) -> TokenStream {
    let is_flattened = |field: &Field| matches!(field.role, Role::Flatten(_));
    let own = |fields: &[Field]| list(fields.iter().filter_map(|field| property(subject, field)));
    if !fields.iter().any(is_flattened) {
        return own(fields);
    }
    // Each part ends with a flattened field, except that the last part may have none.
    let parts = fields.split_inclusive(is_flattened).map(|part| {
        let flattened = part.last().filter(|field| is_flattened(field)).map(|field| {
            let ty = &field.ty;
            match values::is_plain(subject, ty) {
                true => quote!(__asdf::Field::<#ty>::properties()),
                false => quote!(__asdf::properties(<#ty as __asdf::FromNode>::describe())),
            }
        });
        let own = own(part);
        let flattened = flattened.into_iter();
        quote!(#own #(, #flattened)*)
    });
    quote!([#(#parts),*].concat())
}

/// The description of a property.
fn property(subject: &Subject<'_>, field: &Field) -> Option<TokenStream> {
    let property = field.property()?;
    let (key, ty, docs) = (&property.key, &field.ty, &field.docs);
    let default = match &property.default {
        Some(default) if !matches!(default, Default::OfType) && property.with.is_none() => {
            let value = default_value(subject, default, field);
            let node = match values::is_plain(subject, ty) {
                true => quote!(__asdf::Written(&value).node()),
                false => quote!(__asdf::Node::new(&value)),
            };
            quote!(__asdf::Some(|| {
                let value: #ty = #value;
                #node
            }))
        }
        _ => quote!(__asdf::None),
    };
    if property.with.is_none() && property.default.is_none() && property.write_tags.is_empty() {
        return Some(quote!(__asdf::Property::new::<#ty>(#key, #docs)));
    }
    let trait_of = quote!(<#ty as __asdf::FromNode>);
    let (required, of) = match &property.with {
        Some(with) => {
            let inner = option_inner(ty);
            let required = inner.is_none();
            (quote!(#required), with.describer(inner.unwrap_or(ty)))
        }
        None if option_inner(ty).is_some() => (quote!(false), describer(ty, &property.write_tags)),
        None => (quote!(!#trait_of::OPTIONAL), describer(ty, &property.write_tags)),
    };
    let required = if property.default.is_some() { quote!(false) } else { required };
    Some(quote! {
        __asdf::Property {
            key: #key,
            docs: #docs,
            required: #required,
            default: #default,
            of: #of,
        }
    })
}

/// The function that describes the values of a type. If tags are given, the values have the first one.
fn describer(ty: &Type, write_tags: &[LitStr]) -> TokenStream {
    match write_tags.first() {
        Some(tag) => quote!(|| __asdf::Description::new(__asdf::Form::TagLike(&[#tag]))),
        None => quote!(<#ty as __asdf::FromNode>::describe),
    }
}
