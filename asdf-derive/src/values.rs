//! Calls of the trait functions for the values of fields.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;
use syn::{LitStr, Type};

use crate::subject::Subject;
use crate::types::{is_standard, span};

/// Whether values of a type are read and written through `Field`.
///
/// `Field` ensures that a missing trait is reported once and not at every use. It is not used for generic types, whose
/// traits come from bounds, or for types that are only written, which need one trait in one place. Types of the standard
/// library have all traits and compile faster without it.
pub(crate) fn is_plain(subject: &Subject<'_>, ty: &Type) -> bool {
    !subject.container.write_only && !subject.is_generic(ty) && !is_standard(ty)
}

/// The item that imports fallbacks for the functions of `Field` and `Written`, for types that lack a trait.
pub(crate) fn others(subject: &Subject<'_>, types: &[&Type]) -> Option<TokenStream> {
    types.iter().any(|ty| is_plain(subject, ty)).then(|| {
        quote_spanned! {Span::mixed_site()=>
            #[allow(unused_imports, reason = "only types that lack a trait need it")]
            use __asdf::{FieldOfOther as _, WrittenOfOther as _};
        }
    })
}

/// The expression that writes a value, given as an expression of a reference.
pub(crate) fn write(subject: &Subject<'_>, ty: &Type, value: &TokenStream) -> TokenStream {
    let at = Span::mixed_site().located_at(span(ty));
    match is_plain(subject, ty) {
        true => quote_spanned!(at=> __asdf::Written(#value).write(tree)),
        false => quote_spanned!(at=> __asdf::ToNode::to_node(#value, tree)),
    }
}

/// The same for a value with `write_tags`.
pub(crate) fn write_with_tags(
    subject: &Subject<'_>,
    ty: &Type,
    value: &TokenStream,
    tags: &[LitStr],
) -> TokenStream {
    let written = write(subject, ty, value);
    if tags.is_empty() {
        return written;
    }
    let at = Span::mixed_site().located_at(span(ty));
    quote_spanned!(at=> #written.and_then(|id| __asdf::place_tag::<#ty>(tree, id, &[#(#tags),*])))
}

/// The expression that is true if the value is not written.
pub(crate) fn is_absent(subject: &Subject<'_>, ty: &Type, value: &TokenStream) -> TokenStream {
    let at = Span::mixed_site().located_at(span(ty));
    match is_plain(subject, ty) {
        true => quote_spanned!(at=> __asdf::Written(#value).is_absent()),
        false => quote_spanned!(at=> __asdf::ToNode::is_absent(#value)),
    }
}

/// The statement that writes a property or, without a key, the properties of a flattened type.
pub(crate) fn put(subject: &Subject<'_>, ty: &Type, key: Option<&str>, value: &TokenStream) -> TokenStream {
    let at = Span::mixed_site().located_at(span(ty));
    // The variable that the surrounding code defines.
    let mapping = Ident::new("mapping", Span::mixed_site());
    match (is_plain(subject, ty), key) {
        (true, Some(key)) => {
            quote_spanned!(at=> __asdf::Written(#value).put(#mapping, #key);)
        }
        (true, None) => quote_spanned!(at=> __asdf::Written(#value).put_flattened(#mapping);),
        (false, Some(key)) => quote_spanned!(at=> #mapping.put(#key, #value);),
        (false, None) => quote_spanned!(at=> #mapping.flatten(#value);),
    }
}

/// The expression that calls a function of `Fields`, `Items` or `Choice` for values of a type. `receiver` is the name of
/// a variable that is a reference.
pub(crate) fn call(
    subject: &Subject<'_>,
    ty: &Type,
    receiver: &str,
    functions: [&str; 2],
    arguments: &TokenStream,
) -> TokenStream {
    let place = span(ty);
    let receiver = Ident::new(receiver, Span::mixed_site());
    let [plain, method] = functions;
    match is_plain(subject, ty) {
        true => {
            // A missing `ToNode` is one error, at the type.
            let plain = Ident::new(plain, place);
            quote_spanned!(place=> __asdf::Field::<#ty>::#plain(#receiver, #arguments))
        }
        false => {
            let at = Span::mixed_site().located_at(place);
            let method = Ident::new(method, at);
            quote_spanned!(at=> #receiver.#method::<#ty>(#arguments))
        }
    }
}

/// The statement that requires `ToNode` of a type that is read.
pub(crate) fn require_written(subject: &Subject<'_>, ty: &Type) -> Option<TokenStream> {
    is_plain(subject, ty).then(|| quote_spanned!(span(ty)=> __asdf::Field::<#ty>::require_written();))
}
