//! Structs and variants of several unnamed values.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Index, Member, Type};

use crate::field::local;
use crate::parts::Parts;
use crate::shape::List;
use crate::subject::Subject;
use crate::values;

/// The parts of the implementations for a struct of several values.
pub(crate) fn parts<'a>(subject: &Subject<'_>, list: &'a List) -> Parts<'a> {
    let at = Span::mixed_site();
    let types: Vec<&Type> = list.values.iter().map(|(_, ty)| ty).collect();
    let kept = list.tag.as_ref().map(|(index, ty)| {
        let (kept, index) = (subject.kept_tag(ty), Index::from(*index));
        quote!(#index: #kept,)
    });
    let indices = list.values.iter().map(|(index, _)| Index::from(*index));
    let locals = (0..types.len()).map(local);
    let members = quote!(#(#indices: #locals,)* #kept);
    let from_node = read(subject, &subject.name(), &types, &quote!(Self { #members }));

    let values = list.values.iter().map(|(index, ty)| {
        let index = Index::from(*index);
        quote_spanned!(at.located_at(ty.span())=> &self.#index)
    });
    let written = write(subject, &types, values);
    let tag = list.tag.as_ref().map(|(index, ty)| (Member::Unnamed((*index).into()), ty));
    let set_tag = subject.set_tag(tag.as_ref().map(|(member, ty)| (member, *ty)));
    Parts {
        kinds: quote!(__asdf::Kinds::SEQUENCE),
        constants: subject.untagged().unwrap_or_default(),
        from_node,
        to_node: quote_spanned! {at=>
            let id = #written;
            #set_tag
            __asdf::Ok(id)
        },
        values: types,
        ..Parts::default()
    }
}

/// The statements that read the items of `node` into variables and end with the value.
pub(crate) fn read(subject: &Subject<'_>, name: &str, types: &[&Type], whole: &TokenStream) -> TokenStream {
    let at = Span::mixed_site();
    let count = types.len();
    let locals: Vec<_> = (0..count).map(local).collect();
    let reads = types.iter().zip(&locals).enumerate().map(|(index, (ty, local))| {
        let call = values::call(subject, ty, "items", ["take_item", "take"], &quote!(#index));
        quote_spanned!(at=> let #local = #call;)
    });
    quote_spanned! {at=>
        let mut opened = __asdf::Items::open(node, #name, #count)?;
        let items = &mut opened;
        #(#reads)*
        opened.finish()?;
        let (#(__asdf::Some(#locals),)*) = (#(#locals,)*) else {
            return __asdf::Err(__asdf::incomplete(node, #name));
        };
        __asdf::Ok(#whole)
    }
}

/// The expression that writes the values and evaluates to the id of the sequence. Each value is given as an expression
/// of a reference.
pub(crate) fn write(
    subject: &Subject<'_>,
    types: &[&Type],
    values: impl Iterator<Item = TokenStream>,
) -> TokenStream {
    let at = Span::mixed_site();
    let items = types.iter().zip(values).map(|(ty, value)| {
        let written = values::write(subject, ty, &value);
        quote_spanned!(at=> #written?)
    });
    quote_spanned! {at=> {
        let items = [#(#items),*];
        tree.add_sequence(items)
    }}
}
