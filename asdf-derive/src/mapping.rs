//! Structs with named fields.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Ident, Member, Path};

use crate::constructor;
use crate::field::{Default, Field, Property, Role, With};
use crate::implementation::{Parts, Subject};
use crate::types::{moved, option_inner};

/// What a struct with named fields puts into the implementations.
pub(crate) fn parts<'a>(subject: &Subject<'_>, fields: &'a [Field]) -> Parts<'a> {
    let core = &subject.container.core;
    let read_and_written = fields.iter().filter(|field| field.property().is_some_and(|p| p.with.is_none()));
    let defaulted = fields
        .iter()
        .filter(|field| field.property().is_some_and(|p| matches!(p.default, Some(Default::OfType))));
    let constructor = subject.container.new.as_ref().map(|_| constructor::of_fields(subject, fields));
    Parts {
        values: read_and_written.map(|field| &field.ty).collect(),
        defaults: defaulted.map(|field| &field.ty).collect(),
        reads_and_writes: false,
        kinds: quote!(#core::value::Types::MAPPING),
        constants: subject.untagged().unwrap_or_default(),
        from_node: read(subject, &Place::of_struct(subject), fields),
        reading: TokenStream::new(),
        to_node: to_node(subject, fields),
        writing: TokenStream::new(),
        more: constructor.unwrap_or_default(),
    }
}

/// Where the fields are: in a struct, or in a variant.
pub(crate) struct Place {
    /// What the value is called in messages.
    pub(crate) name: String,
    /// What the fields are put into: `Self` or `Self::Variant`.
    pub(crate) constructor: TokenStream,
    /// The key that tells the variants apart, if one does.
    pub(crate) key: Option<String>,
}

impl Place {
    fn of_struct(subject: &Subject<'_>) -> Self {
        Self { name: subject.name(), constructor: quote!(Self), key: None }
    }
}

/// The local variable of a field.
pub(crate) fn local(index: usize) -> Ident {
    format_ident!("field_{index}", span = Span::mixed_site())
}

/// The statements that read the fields from `node` and end with the value.
pub(crate) fn read(subject: &Subject<'_>, place: &Place, fields: &[Field]) -> TokenStream {
    let core = &subject.container.core;
    let at = Span::mixed_site();
    let Place { name, constructor, key } = place;
    let keys = fields.iter().filter_map(Field::property).map(|property| &property.key).chain(key);
    let mut reads = TokenStream::new();
    let mut locals = Vec::new();
    let mut members = Vec::new();
    let mut keeps_rest = false;
    for (index, field) in fields.iter().enumerate() {
        let (ident, variable) = (&field.ident, local(index));
        let value = match &field.role {
            Role::Tag => {
                let kept = subject.kept_tag(field.ty.span());
                members.push(quote!(#ident: #kept));
                continue;
            }
            Role::Extra => {
                keeps_rest = true;
                let (ty, at) = (&field.ty, at.located_at(field.ty.span()));
                reads
                    .extend(quote_spanned!(at=> let #variable: ::core::option::Option<#ty> = fields.rest();));
                members.push(quote!(#ident: #variable));
                locals.push(variable);
                continue;
            }
            Role::Property(property) => take(core, field, property),
        };
        reads.extend(quote_spanned!(at=> let #variable = #value;));
        members.push(quote!(#ident: #variable));
        locals.push(variable);
    }
    let deny = (!keeps_rest).then(|| quote_spanned!(at=> fields.deny_rest();));
    let unpack = (!locals.is_empty()).then(|| {
        quote_spanned! {at=>
            let (#(::core::option::Option::Some(#locals),)*) = (#(#locals,)*) else {
                return ::core::result::Result::Err(#core::value::derived::incomplete(node, #name));
            };
        }
    });
    quote_spanned! {at=>
        let mut fields = #core::value::derived::Fields::open(node, #name, &[#(#keys),*])?;
        #reads
        #deny
        fields.finish()?;
        #unpack
        ::core::result::Result::Ok(#constructor { #(#members),* })
    }
}

/// The expression that reads a property.
fn take(core: &Path, field: &Field, property: &Property) -> TokenStream {
    let at = Span::mixed_site();
    let (ty, key) = (&field.ty, &property.key);
    let optional = option_inner(ty).is_some();
    let absent = match &property.default {
        Some(default) => {
            let value = default_value(default, field);
            quote_spanned!(at=> || ::core::option::Option::Some(#value))
        }
        None if optional && property.with.is_some() => {
            quote_spanned!(at=> || ::core::option::Option::Some(::core::option::Option::None))
        }
        None => quote_spanned!(at=> || ::core::option::Option::None),
    };
    match &property.with {
        Some(with) => {
            let place = with_place(field, with);
            let within = at.located_at(place);
            let core = moved(core, place);
            let from_node = with.function(&core, "from");
            let from_node = match optional {
                true => quote_spanned!(within=> |node| #core::value::derived::optional(node, #from_node)),
                false => from_node,
            };
            quote_spanned!(within=> fields.take_with::<#ty>(#key, #from_node, #absent))
        }
        None if property.old_default.is_some() => {
            let make = &property.old_default;
            quote_spanned!(at=> fields.take_old::<#ty>(#key, |tree| #make))
        }
        None if property.default.is_some() => quote_spanned!(at=> fields.take_or::<#ty>(#key, #absent)),
        None => quote_spanned!(at=> fields.take::<#ty>(#key)),
    }
}

/// Where mistakes in a conversion are shown.
fn with_place(field: &Field, with: &With) -> Span {
    match with {
        With::Module(path) => path.span(),
        With::Array(_) | With::Records(_) => field.ty.span(),
    }
}

/// The value of a field when it is not given.
pub(crate) fn default_value(default: &Default, field: &Field) -> TokenStream {
    let ty = &field.ty;
    match default {
        Default::OfType => {
            let at = Span::mixed_site().located_at(ty.span());
            quote_spanned!(at=> <#ty as ::core::default::Default>::default())
        }
        Default::Call(function) => quote!(#function()),
        Default::Text(text) => {
            let at = Span::mixed_site().located_at(text.span());
            quote_spanned!(at=> <#ty as ::core::convert::From<_>>::from(#text))
        }
        Default::Value(expr) => quote!(#expr),
    }
}

fn to_node(subject: &Subject<'_>, fields: &[Field]) -> TokenStream {
    let kept = fields.iter().find(|field| matches!(field.role, Role::Tag));
    let kept = kept.map(|field| Member::Named(field.ident.clone()));
    let set_tag = subject.set_tag(kept.as_ref());
    let written = write(subject, None, fields, |_, field| {
        let ident = &field.ident;
        quote_spanned!(Span::mixed_site().located_at(field.ty.span())=> &self.#ident)
    });
    quote_spanned! {Span::mixed_site()=>
        let id = { #written };
        #set_tag
        ::core::result::Result::Ok(id)
    }
}

/// The statements that write the fields and end with the id of the mapping; first comes the key that tells
/// the variants apart. A field's value is given as an expression of a reference.
pub(crate) fn write(
    subject: &Subject<'_>,
    variant: Option<(&str, &str)>,
    fields: &[Field],
    value: impl Fn(usize, &Field) -> TokenStream,
) -> TokenStream {
    let core = &subject.container.core;
    let at = Span::mixed_site();
    let mut writes = TokenStream::new();
    let mut rest = TokenStream::new();
    if let Some((key, name)) = variant {
        writes.extend(quote_spanned!(at=> mapping.put::<::core::primitive::str>(#key, #name)?;));
    }
    for (index, field) in fields.iter().enumerate() {
        let value = value(index, field);
        match &field.role {
            Role::Property(property) => writes.extend(put(core, field, property, &value)),
            Role::Extra => {
                let at = at.located_at(field.ty.span());
                rest = quote_spanned!(at=> mapping.rest(#value)?;);
            }
            Role::Tag => {}
        }
    }
    writes.extend(rest);
    let mutable = (!writes.is_empty()).then(|| quote!(mut));
    quote_spanned! {at=>
        let #mutable mapping = #core::value::derived::MappingWriter::new(tree);
        #writes
        mapping.finish()
    }
}

/// The statement that writes a property.
fn put(core: &Path, field: &Field, property: &Property, value: &TokenStream) -> TokenStream {
    let at = Span::mixed_site().located_at(field.ty.span());
    let (ty, key) = (&field.ty, &property.key);
    // What is left out is read back as the default, so a value that differs from it has to be there.
    let always = matches!(&property.default, Some(default) if !matches!(default, Default::OfType));
    let Some(with) = &property.with else {
        return if always {
            quote_spanned!(at=> mapping.put_with(#key, |tree| <#ty as #core::ToNode>::to_node(#value, tree))?;)
        } else {
            quote_spanned!(at=> mapping.put::<#ty>(#key, #value)?;)
        };
    };
    let place = with_place(field, with);
    let within = at.located_at(place);
    let core = moved(core, place);
    let (to_node, compression) = (with.function(&core, "to"), with.compression(&core));
    if option_inner(ty).is_none() {
        return quote_spanned!(within=> mapping.put_with(#key, |tree| #to_node(#value, #compression tree))?;);
    }
    let absent = always.then(|| {
        quote_spanned! {at=>
            else {
                mapping.put_with(#key, |tree| ::core::result::Result::Ok(tree.add_null()))?;
            }
        }
    });
    quote_spanned! {at=>
        if let ::core::option::Option::Some(value) = #value {
            mapping.put_with(#key, |tree| #to_node(value, #compression tree))?;
        } #absent
    }
}
