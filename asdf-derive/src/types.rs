//! Properties of types that their tokens show.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{GenericArgument, Generics, Ident, PathArguments, PathSegment, Type, TypePath};

/// Removes invisible groups. A type that was passed through a `macro_rules` variable is in such a group.
fn ungrouped(mut ty: &Type) -> &Type {
    loop {
        ty = match ty {
            Type::Group(group) => &group.elem,
            Type::Paren(paren) => &paren.elem,
            other => return other,
        }
    }
}

/// The span of a type. Faster than `Spanned::span`, which first creates all tokens of the type.
pub(crate) fn span(ty: &Type) -> Span {
    let Type::Path(TypePath { qself: None, path, .. }) = ty else { return ty.span() };
    let (Some(first), Some(last)) = (path.segments.first(), path.segments.last()) else { return ty.span() };
    let start = path.leading_colon.map_or_else(|| first.ident.span(), |colons| colons.spans[0]);
    let end = match &last.arguments {
        PathArguments::None => last.ident.span(),
        PathArguments::AngleBracketed(arguments) => arguments.gt_token.spans[0],
        PathArguments::Parenthesized(_) => return ty.span(),
    };
    start.join(end).unwrap_or(start)
}

/// The `T` of `Option<T>`.
pub(crate) fn option_inner(ty: &Type) -> Option<&Type> {
    let last = last(ty).filter(|last| last.ident == "Option")?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first() {
        Some(GenericArgument::Type(inner)) if arguments.args.len() == 1 => Some(inner),
        _ => None,
    }
}

/// Whether a type is only this identifier.
pub(crate) fn is_ident(ty: &Type, ident: &Ident) -> bool {
    matches!(ungrouped(ty), Type::Path(path) if path.qself.is_none() && path.path.is_ident(ident))
}

/// Whether a type is `String`.
pub(crate) fn is_string(ty: &Type) -> bool {
    last(ty).is_some_and(|last| last.ident == "String" && last.arguments.is_none())
}

/// Whether a type can hold any text: `String`, or a pointer to a `str`.
pub(crate) fn is_text(ty: &Type) -> bool {
    let pointer = || {
        let last = last(ty).filter(|last| POINTERS.iter().any(|pointer| last.ident == pointer))?;
        let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
        match arguments.args.last()? {
            GenericArgument::Type(Type::Path(target)) => Some(target.path.is_ident("str")),
            _ => None,
        }
    };
    is_string(ty) || pointer().unwrap_or(false)
}

const POINTERS: [&str; 4] = ["Box", "Rc", "Arc", "Cow"];

/// Whether the tokens of a type name a readable and writable type of the standard library: a number, text, or an
/// `Option`, `Vec`, array or tuple of such types.
pub(crate) fn is_standard(ty: &Type) -> bool {
    match ungrouped(ty) {
        Type::Array(array) => is_standard(&array.elem),
        Type::Tuple(tuple) => !tuple.elems.is_empty() && tuple.elems.iter().all(is_standard),
        Type::Path(path) if path.qself.is_none() => {
            let Some(last) = path.path.segments.last() else { return false };
            match &last.arguments {
                PathArguments::None => SCALARS.contains(&last.ident.to_string().as_str()),
                PathArguments::AngleBracketed(arguments) if last.ident == "Option" || last.ident == "Vec" => {
                    arguments.args.iter().all(|argument| match argument {
                        GenericArgument::Type(inner) => is_standard(inner),
                        _ => false,
                    })
                }
                _ => false,
            }
        }
        _ => false,
    }
}

const SCALARS: [&str; 16] = [
    "bool", "char", "String", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32",
    "u64", "usize",
];

/// Whether the tokens of a type name a number, a boolean or text of the standard library.
pub(crate) fn is_scalar(ty: &Type) -> bool {
    matches!(ungrouped(ty), Type::Path(_))
        && is_standard(ty)
        && last(ty).is_some_and(|last| last.arguments.is_none())
}

/// The last segment of a type's path.
fn last(ty: &Type) -> Option<&PathSegment> {
    match ungrouped(ty) {
        Type::Path(path) if path.qself.is_none() => path.path.segments.last(),
        _ => None,
    }
}

/// Whether a type is only one of the type parameters.
pub(crate) fn is_parameter(ty: &Type, generics: &Generics) -> bool {
    generics.type_params().any(|parameter| is_ident(ty, &parameter.ident))
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
    fn options_are_recognized() {
        for (ty, inner) in [
            (parse_quote!(Option<u8>), true),
            (parse_quote!(__asdf::Option<Vec<T>>), true),
            (parse_quote!((std::option::Option<u8>)), true),
            (parse_quote!(Vec<Option<u8>>), false),
            (parse_quote!(Option), false),
        ] {
            assert_eq!(option_inner(&ty).is_some(), inner, "{}", ty.to_token_stream());
        }
    }

    #[test]
    fn text_is_recognized() {
        for (ty, text) in [
            (parse_quote!(String), true),
            (parse_quote!(__asdf::String), true),
            (parse_quote!(Cow<'static, str>), true),
            (parse_quote!(std::sync::Arc<str>), true),
            (parse_quote!(Box<String>), false),
            (parse_quote!(Vec<str>), false),
        ] {
            assert_eq!(is_text(&ty), text, "{}", ty.to_token_stream());
        }
    }

    #[test]
    fn standard_types_are_recognized() {
        for (ty, standard) in [
            (parse_quote!(f64), true),
            (parse_quote!(Option<Vec<std::string::String>>), true),
            (parse_quote!([(f64, u8); 3]), true),
            (parse_quote!(Vec<Lens>), false),
            (parse_quote!(lens::Option), false),
            (parse_quote!(()), false),
        ] {
            assert_eq!(is_standard(&ty), standard, "{}", ty.to_token_stream());
        }
    }

    #[test]
    fn names_are_recognized() {
        let t = parse_quote!(T);
        assert!(mentions(&parse_quote!(Vec<Option<T>>), &t) && !mentions(&parse_quote!(Vec<U>), &t));
        assert!(is_ident(&parse_quote!(T), &t) && !is_ident(&parse_quote!(Vec<T>), &t));
    }
}
