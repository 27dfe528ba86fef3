//! Types that are read and written as another type: `try_from = "T"`, `from = "T"`, `into = "T"`.

use proc_macro2::Span;
use quote::quote;
use syn::spanned::Spanned;
use syn::{Ident, Type};

use crate::errors::Errors;

/// The type that values are read and written as.
pub(crate) struct Conversion {
    /// The attribute that errors point at: `from`, `try_from`, or `into` for a type with `write_only`.
    pub(crate) name: Ident,
    pub(crate) ty: Type,
    /// The span of the type that is written.
    pub(crate) target: Span,
}

impl Conversion {
    /// Combines `from` or `try_from` with `into`.
    pub(crate) fn of(
        sources: Vec<(Ident, Type)>,
        into: Option<(Ident, Type)>,
        write_only: bool,
        errors: &mut Errors,
    ) -> Option<Self> {
        if let [(first, _), (second, _)] = sources.as_slice() {
            errors.at(second, format!("`{first}` is already given; remove one of them"));
        }
        let source = sources.into_iter().next();
        match (source, into) {
            (None, None) => None,
            (Some((name, ty)), into) => {
                let text = quote!(#ty).to_string();
                let target = into.as_ref().map(|(_, target)| target.span());
                match into {
                    _ if write_only => {
                        errors.at(&name, format!("a type with `write_only` is not read; remove `{name}`"));
                    }
                    None => errors.at(
                        &name,
                        format!(
                            "`{name}` only converts values that are read; add `into = \"{text}\"` to write them"
                        ),
                    ),
                    Some((word, target)) if target != ty => errors.at(
                        &word,
                        format!(
                            "`into` and `{name}` must name the same type: write `into = \"{text}\"`"
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
                            "`into` only converts values that are written; add `try_from = \"{text}\"` or \
                             `from = \"{text}\"` to read them"
                        ),
                    );
                }
                let target = ty.span();
                Some(Self { name, ty, target })
            }
        }
    }
}
