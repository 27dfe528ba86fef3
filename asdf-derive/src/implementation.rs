//! Assembles the implementations from the parts of each shape.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::DeriveInput;
use syn::spanned::Spanned;

use crate::assertion::Assertions;
use crate::container::{Container, Tag};
use crate::errors::Errors;
use crate::generics::{bounded, bounded_types};
use crate::parts::Parts;
use crate::shape::Shape;
use crate::subject::Subject;
use crate::{absent, choice, converted, describe, list, mapping, newtype, reach, values};

/// Expands `#[derive(Asdf)]`.
pub(crate) fn expand(input: &DeriveInput) -> syn::Result<TokenStream> {
    let mut errors = Errors::default();
    let container = Container::parse(&input.attrs, &mut errors);
    let shape = Shape::parse(input, &container, &mut errors);
    errors.finish()?;
    let subject = Subject { input, container: &container };
    let Some(shape) = &shape else { return Ok(TokenStream::new()) };
    let mut parts = match shape {
        Shape::Mapping(fields) => mapping::parts(&subject, fields),
        Shape::List(list) => list::parts(&subject, list),
        Shape::Newtype(newtype) => newtype::parts(&subject, newtype),
        Shape::Choice(alternatives) => choice::parts(&subject, alternatives),
        Shape::Converted(_) => match &container.conversion {
            Some(conversion) => converted::parts(&subject, conversion),
            None => return Ok(TokenStream::new()),
        },
    };
    let describe = describe::function(&subject, shape);
    parts.reading.extend(describe);
    parts.more.extend(absent::default_functions(&subject, shape));
    let mut assertions = Assertions::default();
    assertions.require_taggable(&subject, shape);
    assertions.require_levels(shape);
    if let Shape::Choice(alternatives) = shape {
        reach::require(&mut assertions, &subject, alternatives);
    }
    parts.assert(assertions);
    if let Some(file) = &container.schema {
        compare(&subject, shape, file, &mut parts);
    }
    Ok(implement(&subject, parts))
}

/// Adds the results of the comparison with a schema. Its errors are emitted beside the code, so that the compiler
/// reports errors about types at the same time.
#[cfg(feature = "schema")]
fn compare(subject: &Subject<'_>, shape: &Shape, file: &syn::LitStr, parts: &mut Parts<'_>) {
    let comparison = crate::schema::Comparison::of(subject, shape, file);
    parts.assert(comparison.assertions);
    parts.more.extend(comparison.items);
    parts.more.extend(comparison.errors.finish().err().map(syn::Error::into_compile_error));
}

#[cfg(not(feature = "schema"))]
fn compare(_subject: &Subject<'_>, _shape: &Shape, file: &syn::LitStr, parts: &mut Parts<'_>) {
    let message = "this build lacks the feature `schema`: enable the feature `schema` of asdf-core to compare \
                   types with schemas";
    parts.more.extend(syn::Error::new_spanned(file, message).into_compile_error());
}

/// Writes the implementations.
fn implement(subject: &Subject<'_>, parts: Parts<'_>) -> TokenStream {
    let Parts { kinds, constants, from_node, reading, to_node, writing, more, .. } = &parts;
    let (read, write) = (quote!(__asdf::FromNode), quote!(__asdf::ToNode));
    let values = parts.values.iter().copied();
    let generics = &subject.input.generics;
    let both = bounded(generics, values.clone(), &[read.clone(), write.clone()]);
    let for_reading = match parts.reads_and_writes {
        true => both.clone(),
        false => bounded(generics, values.clone(), std::slice::from_ref(&read)),
    };
    let default = quote!(__asdf::Default);
    let for_reading = bounded_types(&for_reading, parts.defaults.iter().copied(), &default);
    let both = bounded_types(&both, parts.defaults.iter().copied(), &default);
    let for_writing = bounded(generics, values, std::slice::from_ref(&write));

    let versions = subject.versions();
    let mut upgrade = TokenStream::new();
    let mut check = TokenStream::new();
    let mut accepts = TokenStream::new();
    let mut tagged = TokenStream::new();
    let mut own_tag = TokenStream::new();
    if let Some(Tag { own, accepts: patterns }) = &subject.container.tag {
        let body = quote! {
            const TAG: &'static __asdf::str = #own;
            const ACCEPTS: &'static [&'static __asdf::str] = &[#(#patterns),*];
        };
        own_tag = quote! {
            const OWN_TAG: __asdf::OwnTag = __asdf::OwnTag::OneOf(&[#own]);
        };
        if !subject.container.write_only {
            tagged = subject.implementation(Some(&quote!(__asdf::Asdf)), &both, &body);
        }
        let upgrades = subject.container.upgrades.iter();
        let accepted = quote!(&[#(#patterns),*]);
        let upgraded = match &versions {
            None => quote_spanned!(Span::mixed_site()=> value),
            Some(_) => quote_spanned!(Span::mixed_site()=> value.map(__asdf::Ok)),
        };
        let upgrades = upgrades.map(|older| {
            // An error about a missing trait points at the older type.
            let at = older.span();
            let upgrade = { quote_spanned!(at=> <Self as __asdf::UpgradeOf<#older>>::upgrade) };
            quote_spanned! {Span::mixed_site()=>
                if let __asdf::Some(value) = #upgrade(
                    node,
                    #own,
                    #accepted,
                    <#older as __asdf::FromNode>::accepts_tag,
                    <#older as __asdf::FromNode>::from_node,
                ) {
                    return #upgraded;
                }
            }
        });
        upgrade = quote!(#(#upgrades)*);
        check = quote_spanned! {Span::mixed_site()=>
            __asdf::check_tag(node, #own, &[#(#patterns),*])?;
        };
        let upgrades = &subject.container.upgrades;
        let is_own = match &versions {
            None => quote_spanned! {Span::mixed_site()=>
                __asdf::accepts(#own, &[#(#patterns),*], tag)
            },
            Some(versions) => quote_spanned!(Span::mixed_site()=> (#versions).accepts(tag)),
        };
        accepts = quote_spanned! {Span::mixed_site()=>
            fn accepts_tag(tag: &__asdf::str) -> __asdf::bool {
                #is_own #(|| <#upgrades as __asdf::FromNode>::accepts_tag(tag))*
            }

            fn expected() -> __asdf::String {
                __asdf::tagged(Self::TYPES, #own)
            }
        };
    }
    let noted = subject.container.notes.as_ref().map(|notes| {
        let notes = notes.iter().map(|[property, keyword, value]| {
            quote!(__asdf::Note { property: #property, keyword: #keyword, value: #value })
        });
        let body = quote!(const NOTES: &'static [__asdf::Note] = &[#(#notes),*];);
        subject.implementation(Some(&quote!(__asdf::Noted)), generics, &body)
    });
    let reading_nodes = match &versions {
        None => quote_spanned! {Span::mixed_site()=>
            fn from_node(node: __asdf::NodeRef<'_>) -> __asdf::Result<Self> {
                #upgrade
                #check
                #from_node
            }
        },
        Some(versions) => quote_spanned! {Span::mixed_site()=>
            fn from_node(node: __asdf::NodeRef<'_>) -> __asdf::Result<Self> {
                Self::from_version(node)?
            }

            fn from_version(node: __asdf::NodeRef<'_>) -> __asdf::Result<__asdf::Result<Self>> {
                #upgrade
                (#versions).read(node, || -> __asdf::Result<Self> { #from_node })
            }
        },
    };
    let body = quote_spanned! {Span::mixed_site()=>
        const TYPES: __asdf::Kinds = #kinds;
        #constants
        #own_tag

        #reading_nodes

        #accepts
        #reading
    };
    let reading =
        (!subject.container.write_only).then(|| subject.implementation(Some(&read), &for_reading, &body));
    // Whether a type can be flattened is checked where its fields are written.
    let write_check = subject.write_check().filter(|_| parts.putting.is_none());
    let write_check = write_check.map(|checked| quote_spanned!(Span::mixed_site()=> #checked?;));
    let body = quote_spanned! {Span::mixed_site()=>
        fn to_node(&self, tree: &mut __asdf::Tree) -> __asdf::Result<__asdf::NodeId> {
            #write_check
            #to_node
        }

        #writing
    };
    let writing = subject.implementation(Some(&write), &for_writing, &body);
    let taking = parts
        .taking
        .as_ref()
        .filter(|_| !subject.container.write_only)
        .map(|body| subject.implementation(Some(&quote!(__asdf::FromFields)), &for_reading, body));
    let putting = parts
        .putting
        .as_ref()
        .map(|body| subject.implementation(Some(&quote!(__asdf::ToFields)), &for_writing, body));
    let (core, others, types) =
        (&subject.container.core, values::others(subject, &parts.values), &parts.types);
    // One block with a short alias for the module compiles faster than repeated attributes, imports and long paths.
    quote! {
        #[allow(
            dead_code,
            deprecated,
            reason = "not all functions are called, and deprecated fields and variants are used"
        )]
        const _: () = {
            use #core::__private as __asdf;
            #others
            #reading #writing #taking #putting #tagged #noted #more
        };
        #types
    }
}
