//! `#[derive(Record)]`: structs as elements of structured arrays.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Fields, Member, Path, Type, parse_quote};

use crate::attribute::{Owner, items};
use crate::errors::Errors;
use crate::generics::bounded;

/// A field of a record. The name is the name in the file.
struct Field {
    member: Member,
    name: Option<String>,
    ty: Type,
}

/// Expands `#[derive(Record)]`.
pub(crate) fn expand(input: &DeriveInput) -> syn::Result<TokenStream> {
    let mut errors = Errors::default();
    let mut core: Path = parse_quote!(::asdf_core);
    for item in items(&input.attrs, Owner::Record, &mut errors) {
        core = errors.ok(item.quoted_path()).unwrap_or(core);
    }
    let fields = fields(input, &mut errors);
    errors.finish()?;
    Ok(implement(input, &core, &fields))
}

fn fields(input: &DeriveInput, errors: &mut Errors) -> Vec<Field> {
    let data = match &input.data {
        Data::Struct(data) => data,
        Data::Enum(data) => {
            errors.at(
                &data.enum_token,
                "an enum cannot be a record, since all elements of an array have the same fields; store its number \
                 or text, and convert it after reading",
            );
            return Vec::new();
        }
        Data::Union(data) => {
            errors.at(&data.union_token, "a union cannot be read safely; use a struct");
            return Vec::new();
        }
    };
    if data.fields.is_empty() {
        errors.at(&input.ident, "a record needs at least one field");
    }
    let mut fields: Vec<Field> = Vec::new();
    for (index, field) in data.fields.iter().enumerate() {
        let mut name = field.ident.as_ref().map(|ident| ident.unraw().to_string());
        for item in items(&field.attrs, Owner::RecordField, errors) {
            let renamed = errors.ok(item.string()).map(|text| text.value());
            if matches!(data.fields, Fields::Unnamed(_)) {
                errors.at(&item.name, "the fields of a tuple struct have no names and are read by position");
            }
            name = renamed.or(name);
        }
        let clash = fields.iter().position(|earlier| name.is_some() && earlier.name == name);
        if let (Some(_), Some(name)) = (clash, &name) {
            errors.at(field, format!("another field already has the name \"{name}\""));
        }
        let member = match &field.ident {
            Some(ident) => Member::Named(ident.clone()),
            None => Member::Unnamed(index.into()),
        };
        fields.push(Field { member, name, ty: field.ty.clone() });
    }
    fields
}

fn implement(input: &DeriveInput, core: &Path, fields: &[Field]) -> TokenStream {
    let record = quote!(#core::array::Record);
    let generics =
        bounded(&input.generics, fields.iter().map(|field| &field.ty), std::slice::from_ref(&record));
    let (parameters, arguments, clause) = generics.split_for_impl();
    let ident = &input.ident;
    let mixed = Span::mixed_site();

    let mut sizes = TokenStream::new();
    let mut descriptions = TokenStream::new();
    let mut splits = TokenStream::new();
    let mut loads = TokenStream::new();
    let mut stores = TokenStream::new();
    for (index, Field { member, name, ty }) in fields.iter().enumerate() {
        let at = mixed.located_at(ty.span());
        // An error in the type is reported once, at the type.
        let of = quote_spanned!(at=> <#ty as #record>);
        let name = match name {
            Some(name) => quote!(::core::option::Option::Some(::std::string::String::from(#name))),
            None => quote!(::core::option::Option::None),
        };
        let part = format_ident!("part{index}", span = mixed);
        sizes.extend(quote_spanned!(at=> + #of::WIDTH));
        descriptions.extend(quote_spanned! {at=>
            #core::array::Field {
                name: #name,
                datatype: #of::datatype(),
                byteorder: ::core::option::Option::None,
                shape: #of::shape(),
            },
        });
        splits.extend(quote_spanned! {at=>
            let (#part, bytes) = bytes.split_at_checked(#of::WIDTH).unwrap_or_default();
        });
        loads.extend(quote_spanned!(at=> #member: #of::unpack(#part),));
        stores.extend(quote_spanned!(at=> #of::pack(&self.#member, out);));
    }
    quote_spanned! {mixed=>
        #[automatically_derived]
        #[allow(deprecated, reason = "deprecated fields are read and written too")]
        impl #parameters #record for #ident #arguments #clause {
            const WIDTH: usize = 0 #sizes;

            fn datatype() -> #core::array::Datatype {
                #core::array::Datatype::Struct(::std::vec![#descriptions])
            }

            fn unpack(bytes: &[u8]) -> Self {
                #splits
                let _ = bytes;
                Self { #loads }
            }

            fn pack(&self, out: &mut ::std::vec::Vec<u8>) {
                #stores
            }
        }
    }
}
