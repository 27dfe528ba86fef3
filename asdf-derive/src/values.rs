//! How the functions of the traits are called for the values of fields.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;
use syn::{LitStr, Type};

use crate::subject::Subject;
use crate::types::{is_standard, span};

/// Whether values of a type are read and written through `Field`, which hides what is wrong with the type wherever it
/// is used, as it is said once. With parameters the compiler finds a trait only in the bounds; a type that is only
/// written is asked for one trait, in one place; and nothing is wrong with types of the standard library, which are
/// compiled faster without it.
pub(crate) fn is_plain(subject: &Subject<'_>, ty: &Type) -> bool {
    !subject.container.write_only && !subject.is_generic(ty) && !is_standard(ty)
}

/// The item that brings in what stands for the functions of `Field` and `Written` where a type lacks a trait.
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

/// The same for a value whose place asks for tags, if there are some.
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

/// The expression that tells whether a value is left out.
pub(crate) fn is_absent(subject: &Subject<'_>, ty: &Type, value: &TokenStream) -> TokenStream {
    let at = Span::mixed_site().located_at(span(ty));
    match is_plain(subject, ty) {
        true => quote_spanned!(at=> __asdf::Written(#value).is_absent()),
        false => quote_spanned!(at=> __asdf::ToNode::is_absent(#value)),
    }
}

/// The statement that writes a property or, without a key, the properties of a type that is flattened.
pub(crate) fn put(subject: &Subject<'_>, ty: &Type, key: Option<&str>, value: &TokenStream) -> TokenStream {
    let at = Span::mixed_site().located_at(span(ty));
    // A variable of the whole code.
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

/// The expression of a function of `Fields`, `Items` or `Choice` for values of a type; of its
/// receiver there is the name of a variable that is a reference, and the further arguments.
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
            // A type that is not written is one error, at the type.
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

/// The statement that asks that a type which is read is written too.
pub(crate) fn require_written(subject: &Subject<'_>, ty: &Type) -> Option<TokenStream> {
    is_plain(subject, ty).then(|| quote_spanned!(span(ty)=> __asdf::Field::<#ty>::require_written();))
}
