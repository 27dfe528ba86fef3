//! The bounds of an implementation.

use proc_macro2::TokenStream;
use syn::{Generics, Type, parse_quote};

use crate::types::mentions;

/// The generics with a bound on each type parameter that one of the types mentions, as in the derives of the standard
/// library. Bounds on the types themselves would be circular if a type contains itself.
pub(crate) fn bounded<'t>(
    generics: &Generics,
    types: impl Iterator<Item = &'t Type> + Clone,
    bounds: &[TokenStream],
) -> Generics {
    let mut bounded = generics.clone();
    for parameter in generics.type_params() {
        let ident = &parameter.ident;
        if types.clone().any(|ty| mentions(ty, ident)) {
            let predicates = &mut bounded.make_where_clause().predicates;
            predicates
                .extend(bounds.iter().map(|bound| -> syn::WherePredicate { parse_quote!(#ident: #bound) }));
        }
    }
    bounded
}

/// The generics with one more bound on each type that mentions a type parameter. Other types need no bound.
pub(crate) fn bounded_types<'t>(
    generics: &Generics,
    types: impl Iterator<Item = &'t Type>,
    bound: &TokenStream,
) -> Generics {
    let mut bounded = generics.clone();
    for ty in types {
        if generics.type_params().any(|parameter| mentions(ty, &parameter.ident)) {
            bounded.make_where_clause().predicates.push(parse_quote!(#ty: #bound));
        }
    }
    bounded
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::{ToTokens, quote};

    #[test]
    fn only_mentioned_parameters_are_bounded() {
        let mut generics: Generics = parse_quote!(<'a, T: Clone, U, const N: usize>);
        generics.where_clause = Some(parse_quote!(where U: Copy));
        let types: [Type; 2] = [parse_quote!(Vec<T>), parse_quote!([u8; N])];
        let bounded = bounded(&generics, types.iter(), &[quote!(A), quote!(B)]);
        let clause = bounded.where_clause.to_token_stream().to_string();
        assert_eq!(clause, quote!(where U: Copy, T: A, T: B).to_string());
    }
}
