//! Compile-time checks of existing types.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;

use crate::model::Type;
use crate::settings::Settings;
use crate::shape::SharedType;

/// Assertions that the existing types in use read the tags that the configuration gives them.
pub(super) fn assertions(types: &[SharedType], settings: &Settings) -> Vec<TokenStream> {
    let mut used: BTreeSet<&str> = BTreeSet::new();
    for ty in types.iter().flat_map(|shared| shared.item.shape.types()) {
        ty.visit(true, &mut |ty, _| {
            if let Type::Extern(path) = ty {
                used.extend(
                    settings.externs.values().map(|found| found.path.as_str()).find(|own| *own == path),
                );
            }
        });
    }
    let externs = settings.externs.values().filter(|found| used.contains(found.path.as_str()));
    let claims: BTreeSet<(&str, &str)> =
        externs.flat_map(|found| found.tags.iter().map(|tag| (found.path.as_str(), tag.as_str()))).collect();
    let assertions = claims.into_iter().map(|(path, tag)| {
        // A path that does not parse is reported later, as an error of the whole code.
        let ty: TokenStream = path.parse().unwrap_or_else(|_| quote!(!));
        let message = format!(
            "the type `{path}` does not read a tag that fits {tag}: correct `tags` of this extern type in the configuration"
        );
        quote! {
            const _: () = ::asdf_core::__private::assert_reads::<#ty>(#tag, #message);
        }
    });
    assertions.collect()
}
