//! Types that are read and written as another type: `try_from = "T"`, `from = "T"`, `into = "T"`.

use proc_macro2::Span;
use quote::quote;
use syn::spanned::Spanned;
use syn::{Ident, Type};

use crate::errors::Errors;

/// What a type is read and written as.
pub(crate) struct Conversion {
    /// The word to point at: `from`, `try_from`, or `into` of a type that is only written.
    pub(crate) name: Ident,
    pub(crate) ty: Type,
    /// Where the type stands that is written.
    pub(crate) target: Span,
}

impl Conversion {
    /// What `from` or `try_from`, and `into`, say together.
    pub(crate) fn of(
        sources: Vec<(Ident, Type)>,
        into: Option<(Ident, Type)>,
        write_only: bool,
        errors: &mut Errors,
    ) -> Option<Self> {
        if let [(first, _), (second, _)] = sources.as_slice() {
            errors.at(second, format!("`{first}` is given already; one of them is enough"));
        }
        let source = sources.into_iter().next();
        match (source, into) {
            (None, None) => None,
            (Some((name, ty)), into) => {
                let text = quote!(#ty).to_string();
                let target = into.as_ref().map(|(_, target)| target.span());
                match into {
                    _ if write_only => {
                        errors.at(&name, format!("a type with `write_only` is not read: leave out `{name}`"));
                    }
                    None => errors.at(
                        &name,
                        format!(
                            "`{name}` says how values are read; add `into = \"{text}\"`, how they are written"
                        ),
                    ),
                    Some((word, target)) if target != ty => errors.at(
                        &word,
                        format!(
                            "values are written as they are read: write `into = \"{text}\"`, as for `{name}`"
                        ),
                    ),
                    Some(_) => {}
                }
                let target = target.unwrap_or_else(|| ty.span());
                Some(Self { name, ty, target })
            }
            (None, Some((name, ty))) => {
                if !write_only {
                    let text = quote!(#ty).to_string();
                    errors.at(
                        &name,
                        format!(
                            "`into` says how values are written; add `try_from = \"{text}\"` or `from = \"{text}\"`, \
                             how they are read"
                        ),
                    );
                }
                let target = ty.span();
                Some(Self { name, ty, target })
            }
        }
    }
}
