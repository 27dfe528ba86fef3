//! How the functions of the traits are called for the values of fields.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Type;
use syn::spanned::Spanned;

use crate::assertion::is_generic;
use crate::implementation::Subject;
use crate::types::{is_standard, written_at};

/// Whether values of a type are read and written through `Field`, which hides what is wrong with the type wherever it
/// is used, as it is said once. With parameters the compiler finds a trait only in the bounds; a type that is only
/// written is asked for one trait, in one place; and nothing is wrong with types of the standard library, which are
/// compiled faster without it.
pub(crate) fn is_plain(subject: &Subject<'_>, ty: &Type) -> bool {
    !subject.container.write_only && !is_generic(subject, ty) && !is_standard(ty)
}

/// The statement that brings in what stands for the functions of `Field` where a type lacks a trait.
pub(crate) fn others(subject: &Subject<'_>) -> Option<TokenStream> {
    let core = &subject.container.core;
    (!subject.container.write_only).then(|| {
        quote_spanned! {Span::mixed_site()=>
            #[allow(unused_imports, reason = "only types that lack a trait need it")]
            use #core::value::derived::FieldOfOther as _;
        }
    })
}

/// The path of a function of `Field`.
fn field(subject: &Subject<'_>, ty: &Type) -> TokenStream {
    let core = &subject.container.core;
    quote!(#core::value::derived::Field::<#ty>)
}

/// The expression that writes a value, given as an expression of a reference.
pub(crate) fn write(subject: &Subject<'_>, ty: &Type, value: &TokenStream) -> TokenStream {
    let core = &subject.container.core;
    let at = Span::mixed_site().located_at(ty.span());
    match is_plain(subject, ty) {
        true => {
            let field = field(subject, ty);
            quote_spanned!(at=> #field::write(#value, tree))
        }
        false => quote_spanned!(at=> <#ty as #core::ToNode>::to_node(#value, tree)),
    }
}

/// The expression that tells whether a value is left out.
pub(crate) fn is_absent(subject: &Subject<'_>, ty: &Type, value: &TokenStream) -> TokenStream {
    let core = &subject.container.core;
    let at = Span::mixed_site().located_at(ty.span());
    match is_plain(subject, ty) {
        true => {
            let field = field(subject, ty);
            quote_spanned!(at=> #field::is_absent(#value))
        }
        false => quote_spanned!(at=> <#ty as #core::ToNode>::is_absent(#value)),
    }
}

/// The expression of a function of `Fields`, `Items`, `Choice` or `MappingWriter` for values of a type; of its
/// receiver there is the name of a variable that is a reference, and the further arguments.
pub(crate) fn call(
    subject: &Subject<'_>,
    ty: &Type,
    receiver: &str,
    functions: [&str; 2],
    arguments: &TokenStream,
) -> TokenStream {
    let at = Span::mixed_site().located_at(ty.span());
    let ident = |name: &str, at: Span| proc_macro2::Ident::new(name, at);
    let receiver = ident(receiver, Span::mixed_site());
    let [plain, method] = functions.map(|name| ident(name, at));
    match is_plain(subject, ty) {
        true => {
            let field = field(subject, ty);
            quote_spanned!(at=> #field::#plain(#receiver, #arguments))
        }
        false => quote_spanned!(at=> #receiver.#method::<#ty>(#arguments)),
    }
}

/// Statements that ask that types which are read are written too.
pub(crate) fn require_written<'t>(
    subject: &Subject<'_>,
    types: impl Iterator<Item = &'t Type>,
) -> TokenStream {
    let required = types.filter(|ty| is_plain(subject, ty)).map(|ty| {
        let (at, core) = (ty.span(), written_at(&subject.container.core, ty.span()));
        quote_spanned!(at=> #core::value::derived::Field::<#ty>::require_written();)
    });
    quote!(#(#required)*)
}
