//! What can be told of a type by its words.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{GenericArgument, Ident, Path, PathArguments, Type};

/// A type that came through a `macro_rules` variable stands in an invisible group.
fn ungrouped(mut ty: &Type) -> &Type {
    loop {
        ty = match ty {
            Type::Group(group) => &group.elem,
            Type::Paren(paren) => &paren.elem,
            other => return other,
        }
    }
}

/// The `T` of `Option<T>`.
pub(crate) fn option_inner(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ungrouped(ty) else { return None };
    let last = path.path.segments.last().filter(|last| path.qself.is_none() && last.ident == "Option")?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first() {
        Some(GenericArgument::Type(inner)) if arguments.args.len() == 1 => Some(inner),
        _ => None,
    }
}

/// A path whose errors are shown at another place.
pub(crate) fn moved(path: &Path, place: Span) -> TokenStream {
    let tokens = path.to_token_stream().into_iter().map(|mut token| {
        token.set_span(token.span().located_at(place));
        token
    });
    tokens.collect()
}

/// Whether a type is this name alone.
pub(crate) fn is_ident(ty: &Type, ident: &Ident) -> bool {
    matches!(ungrouped(ty), Type::Path(path) if path.qself.is_none() && path.path.is_ident(ident))
}

/// Whether a type mentions a name.
pub(crate) fn mentions(ty: &Type, ident: &Ident) -> bool {
    fn within(tokens: TokenStream, ident: &Ident) -> bool {
        tokens.into_iter().any(|token| match token {
            TokenTree::Ident(other) => other == *ident,
            TokenTree::Group(group) => within(group.stream(), ident),
            _ => false,
        })
    }
    within(ty.to_token_stream(), ident)
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    #[test]
    fn options_are_seen() {
        for (ty, inner) in [
            (parse_quote!(Option<u8>), true),
            (parse_quote!(::core::option::Option<Vec<T>>), true),
            (parse_quote!((std::option::Option<u8>)), true),
            (parse_quote!(Vec<Option<u8>>), false),
            (parse_quote!(Option), false),
        ] {
            assert_eq!(option_inner(&ty).is_some(), inner, "{}", ty.to_token_stream());
        }
    }

    #[test]
    fn names_are_seen() {
        let t = parse_quote!(T);
        assert!(mentions(&parse_quote!(Vec<Option<T>>), &t) && !mentions(&parse_quote!(Vec<U>), &t));
        assert!(is_ident(&parse_quote!(T), &t) && !is_ident(&parse_quote!(Vec<T>), &t));
    }
}
