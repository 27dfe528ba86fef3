//! Assertions about types, which the compiler evaluates because the derive only sees tokens.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use syn::Type;

use crate::shape::{Content, Shape};
use crate::subject::Subject;

/// Assertions about the constants of `FromNode`.
#[derive(Default)]
pub(crate) struct Assertions {
    /// Items beside the implementations.
    pub(crate) items: TokenStream,
    /// Statements in `from_node`, in which type parameters can be used.
    pub(crate) statements: TokenStream,
}

impl Assertions {
    /// Adds an assertion about a type, in a context that can name its type parameters. The condition gets the span
    /// `place`, so the error points there and does not mention macros.
    pub(crate) fn require(
        &mut self,
        subject: &Subject<'_>,
        ty: &Type,
        place: Span,
        condition: &TokenStream,
        message: &str,
    ) {
        if subject.container.write_only {
            // A type with references has no constants of `FromNode`.
            return;
        }
        let assertion = quote_spanned!(place=> __asdf::require(#condition, #message));
        if subject.is_generic(ty) {
            self.statements.extend(quote_spanned!(place=> const { #assertion };));
        } else {
            self.add(place, &assertion);
        }
    }

    /// Adds an assertion that the compiler evaluates beside the implementations.
    pub(crate) fn add(&mut self, place: Span, assertion: &TokenStream) {
        self.items.extend(quote_spanned!(place=> const _: () = #assertion;));
    }

    /// Asserts that at least one value of the type can have its tag.
    pub(crate) fn require_taggable(&mut self, subject: &Subject<'_>, shape: &Shape) {
        let (ty, place) = match shape {
            _ if subject.container.tag.is_none() => return,
            Shape::Newtype(newtype) => (newtype.value.clone(), syn::spanned::Spanned::span(&newtype.value)),
            Shape::Converted(ty) => (ty.as_ref().clone(), syn::spanned::Spanned::span(ty)),
            Shape::Choice(alternatives)
                if alternatives
                    .iter()
                    .all(|alternative| matches!(alternative.content, Content::Value(_))) =>
            {
                let ident = &subject.input.ident;
                let (_, arguments, _) = subject.input.generics.split_for_impl();
                (syn::parse_quote!(#ident #arguments), ident.span())
            }
            // Words, sequences and mappings.
            Shape::Choice(_) | Shape::List(_) | Shape::Mapping(_) => return,
        };
        let condition = quote_spanned!(place=> __asdf::can_be_tagged(<#ty as __asdf::FromNode>::TYPES));
        let message = format!(
            "a tagged scalar is text, so `{}` cannot have a tag and hold a number, a boolean or null: use a \
             `String`, or a mapping such as `struct {} {{ value: ... }}`",
            subject.name(),
            subject.name()
        );
        self.require(subject, &ty, place, &condition, &message);
    }
}

impl Assertions {
    /// Asserts that codecs support the given levels.
    pub(crate) fn require_levels(&mut self, shape: &Shape) {
        let codecs = shape.fields().filter_map(|field| field.property()?.with.as_ref()?.codec());
        self.items.extend(codecs.filter_map(|codec| codec.assertion()));
    }
}
