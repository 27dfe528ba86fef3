//! The parts of the implementations for a type with a [`Conversion`].

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Ident;
use syn::spanned::Spanned;

use crate::conversion::Conversion;
use crate::parts::Parts;
use crate::subject::Subject;
use crate::values;

/// The parts of such a type.
pub(crate) fn parts<'a>(subject: &Subject<'_>, conversion: &'a Conversion) -> Parts<'a> {
    let at = Span::mixed_site();
    let (ty, name) = (&conversion.ty, subject.name());
    // An error about a missing trait points at the other type.
    let way = |name: &str, function: &str, place: Span| {
        let (name, function) = (Ident::new(name, place), Ident::new(function, place));
        quote_spanned!(place=> <Self as __asdf::#name<#ty>>::#function)
    };
    let made = if conversion.name == "from" {
        let made_from = way("MadeFrom", "made_from", ty.span());
        quote_spanned!(at=> __asdf::Ok(#made_from(value)))
    } else {
        let tried_from = way("TriedFrom", "tried_from", ty.span());
        quote_spanned!(at=> #tried_from(value, node, #name))
    };
    let given_as = way("GivenAs", "given_as", conversion.target);
    let required = values::require_written(subject, ty);
    let from_node = quote_spanned! {at=>
        #required
        let value = <#ty as __asdf::FromNode>::from_node(node)?;
        #made
    };
    let written = values::write(subject, ty, &quote_spanned!(at=> &given));
    let set_tag = subject.set_tag(None);
    let to_node = quote_spanned! {at=>
        let given = #given_as(self);
        let id = #written?;
        #set_tag
        __asdf::Ok(id)
    };
    let mut constants = TokenStream::new();
    let mut reading = TokenStream::new();
    if subject.container.tag.is_none() {
        constants = quote!(const OWN_TAG: __asdf::OwnTag = <#ty as __asdf::FromNode>::OWN_TAG;);
        reading = quote_spanned! {at=>
            fn from_version(node: __asdf::NodeRef<'_>) -> __asdf::Result<__asdf::Result<Self>> {
                match <#ty as __asdf::FromNode>::from_version(node)? {
                    __asdf::Ok(value) => #made.map(__asdf::Ok),
                    __asdf::Err(error) => {
                        __asdf::Ok(__asdf::Err(error))
                    }
                }
            }

            fn accepts_tag(tag: &__asdf::str) -> __asdf::bool {
                <#ty as __asdf::FromNode>::accepts_tag(tag)
            }

            fn expected() -> __asdf::String {
                <#ty as __asdf::FromNode>::expected()
            }

            fn matches(node: __asdf::NodeRef<'_>) -> __asdf::bool {
                <#ty as __asdf::FromNode>::matches(node)
            }
        };
    }
    Parts {
        values: vec![ty],
        kinds: quote!(<#ty as __asdf::FromNode>::TYPES),
        constants,
        from_node,
        reading,
        to_node,
        ..Parts::default()
    }
}
