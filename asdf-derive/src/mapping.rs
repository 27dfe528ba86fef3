//! Structs with named fields.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Ident, Member, Path, Type};

use crate::constructor;
use crate::field::{Default, Field, Property, Role, With};
use crate::implementation::{Parts, Subject};
use crate::types::{moved, option_inner};

/// What a struct with named fields puts into the implementations.
pub(crate) fn parts<'a>(subject: &Subject<'_>, fields: &'a [Field]) -> Parts<'a> {
    let core = &subject.container.core;
    let at = Span::mixed_site();
    let place = Place::of_struct(subject);
    let mut more = constructor::of_fields(subject, fields);
    more.extend(distinct(subject, fields, None));
    // Without a tag it can be a part of another mapping, and is read and written as such.
    let is_part = subject.container.tag.is_none();
    let name = &place.name;
    let (from_node, to_node, taking, putting) = if is_part {
        let (keys, take) = (keys(core, fields, None), take_fields(subject, &place, fields));
        let put = put_fields(subject, None, fields, |_, field| member(field));
        let taking = quote_spanned! {at=>
            const KEYS: #core::value::derived::Keys = #keys;

            fn take(fields: &mut #core::value::derived::Fields<'_>) -> ::core::option::Option<Self> {
                #take
            }
        };
        let unused = put.is_empty().then(|| quote_spanned!(at=> let _ = mapping;));
        let check = subject.write_check();
        let putting = quote_spanned! {at=>
            fn put(&self, mapping: &mut #core::value::derived::MappingWriter<'_>) -> #core::Result<()> {
                #check
                #unused
                #put
                ::core::result::Result::Ok(())
            }
        };
        let from_node = quote_spanned!(at=> #core::value::derived::read_fields::<Self>(node, #name));
        let to_node = quote_spanned!(at=> #core::value::derived::write_fields::<Self>(self, tree));
        (from_node, to_node, Some(taking), Some(putting))
    } else {
        (read_node(subject, &place, fields), to_node(subject, fields), None, None)
    };
    Parts {
        values: fields.iter().filter(|field| field.is_converted()).map(|field| &field.ty).collect(),
        defaults: fields.iter().filter(|field| field.needs_default()).map(|field| &field.ty).collect(),
        reads_and_writes: false,
        kinds: quote!(#core::value::Types::MAPPING),
        constants: subject.untagged().unwrap_or_default(),
        from_node,
        reading: TokenStream::new(),
        to_node,
        writing: TokenStream::new(),
        taking,
        putting,
        more,
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

/// The types that are flattened.
fn flattened(fields: &[Field]) -> impl Iterator<Item = &Type> {
    fields.iter().filter(|field| matches!(field.role, Role::Flatten)).map(|field| &field.ty)
}

/// All keys that fields have, and the one that tells variants apart.
fn own_keys<'f>(fields: &'f [Field], key: Option<&'f String>) -> impl Iterator<Item = &'f String> {
    fields.iter().filter_map(Field::property).flat_map(Property::names).chain(key)
}

/// The same, with those of flattened types, as a constant.
fn keys(core: &Path, fields: &[Field], key: Option<&String>) -> TokenStream {
    let own = own_keys(fields, key);
    let flattened = flattened(fields).map(|ty| {
        let core = moved(core, ty.span());
        let at = Span::mixed_site().located_at(ty.span());
        quote_spanned!(at=> <#ty as #core::value::derived::FromFields>::KEYS)
    });
    quote! {
        #core::value::derived::Keys { own: &[#(#own),*], flattened: &[#(#flattened),*] }
    }
}

/// An item that asserts that flattened types have no key that is there already. Of types with parameters it is not
/// known before there are values.
pub(crate) fn distinct(subject: &Subject<'_>, fields: &[Field], key: Option<&String>) -> Option<TokenStream> {
    let first = fields.iter().find(|field| matches!(field.role, Role::Flatten))?;
    if subject.container.write_only {
        return None;
    }
    let keys = keys(&subject.container.core, fields, key);
    let message = format!("a field of `{}`, which is flattened, has the key of another field", first.ident);
    let at = Span::mixed_site().located_at(first.ident.span());
    let generic = !subject.input.generics.params.is_empty();
    (!generic).then(|| quote_spanned!(at=> const _: () = ::core::assert!((#keys).are_distinct(), #message);))
}

/// The statements that read the fields from `node` and end with the value.
pub(crate) fn read_node(subject: &Subject<'_>, place: &Place, fields: &[Field]) -> TokenStream {
    let core = &subject.container.core;
    let at = Span::mixed_site();
    let Place { name, key, .. } = place;
    let opened = match flattened(fields).next() {
        Some(_) => {
            let keys = keys(core, fields, key.as_ref());
            quote_spanned!(at=> #core::value::derived::Fields::of(node, #name, const { #keys })?)
        }
        None => {
            let keys = own_keys(fields, key.as_ref());
            quote_spanned!(at=> #core::value::derived::Fields::open(node, #name, &[#(#keys),*])?)
        }
    };
    let Reading { reads, locals, whole } = reading(subject, place, fields);
    let unpack = (!locals.is_empty()).then(|| {
        quote_spanned! {at=>
            let (#(::core::option::Option::Some(#locals),)*) = (#(#locals,)*) else {
                return ::core::result::Result::Err(#core::value::derived::incomplete(node, #name));
            };
        }
    });
    quote_spanned! {at=>
        let mut fields = #opened;
        #reads
        fields.finish()?;
        #unpack
        ::core::result::Result::Ok(#whole)
    }
}

/// The statements that take the fields from `fields` and end with the value, if there is one.
fn take_fields(subject: &Subject<'_>, place: &Place, fields: &[Field]) -> TokenStream {
    let at = Span::mixed_site();
    let Reading { reads, locals, whole } = reading(subject, place, fields);
    let unpack = (!locals.is_empty()).then(|| {
        quote_spanned! {at=>
            let (#(::core::option::Option::Some(#locals),)*) = (#(#locals,)*) else {
                return ::core::option::Option::None;
            };
        }
    });
    quote_spanned! {at=>
        #reads
        #unpack
        ::core::option::Option::Some(#whole)
    }
}

/// How fields are read.
struct Reading {
    /// The statements that read each into a variable.
    reads: TokenStream,
    /// The variables, which are options.
    locals: Vec<Ident>,
    /// The value, made of what is in them.
    whole: TokenStream,
}

fn reading(subject: &Subject<'_>, place: &Place, fields: &[Field]) -> Reading {
    let core = &subject.container.core;
    let at = Span::mixed_site();
    let mut reads = TokenStream::new();
    // What has no field is known when all fields are.
    let mut rest = quote_spanned!(at=> fields.deny_rest(););
    let mut locals = Vec::new();
    let mut members = Vec::new();
    for (index, field) in fields.iter().enumerate() {
        let (ident, variable, ty) = (&field.ident, local(index), &field.ty);
        let within = at.located_at(ty.span());
        match &field.role {
            Role::Tag => {
                let kept = subject.kept_tag(ty.span());
                members.push(quote!(#ident: #kept));
                continue;
            }
            Role::Skip(default) => {
                let value = default_value(default, field);
                members.push(quote!(#ident: #value));
                continue;
            }
            Role::Extra => {
                rest = quote_spanned!(within=> let #variable: ::core::option::Option<#ty> = fields.rest(););
            }
            Role::Flatten => {
                reads.extend(quote_spanned!(within=> let #variable = fields.flatten::<#ty>();));
            }
            Role::Property(property) => {
                let value = take(core, field, property);
                reads.extend(quote_spanned!(at=> let #variable = #value;));
            }
        }
        members.push(quote!(#ident: #variable));
        locals.push(variable);
    }
    reads.extend(rest);
    let constructor = &place.constructor;
    Reading { reads, locals, whole: quote!(#constructor { #(#members),* }) }
}

/// The expression that reads a property.
fn take(core: &Path, field: &Field, property: &Property) -> TokenStream {
    let at = Span::mixed_site();
    let (ty, key) = (&field.ty, &property.key);
    let optional = option_inner(ty).is_some();
    let aliases = &property.aliases;
    let name =
        (!aliases.is_empty()).then(|| quote_spanned!(at=> let key = fields.name_of(#key, &[#(#aliases),*]);));
    let key = match name {
        Some(_) => quote_spanned!(at=> key),
        None => quote!(#key),
    };
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
    let taken = match &property.with {
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
    };
    match name {
        Some(name) => quote_spanned!(at=> { #name #taken }),
        None => taken,
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
    let written = write(subject, None, fields, |_, field| member(field));
    quote_spanned! {Span::mixed_site()=>
        let id = { #written };
        #set_tag
        ::core::result::Result::Ok(id)
    }
}

/// A reference to a field of `self`.
fn member(field: &Field) -> TokenStream {
    let ident = &field.ident;
    quote_spanned!(Span::mixed_site().located_at(field.ty.span())=> &self.#ident)
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
    let writes = put_fields(subject, variant, fields, value);
    let mutable = (!writes.is_empty()).then(|| quote!(mut));
    quote_spanned! {Span::mixed_site()=>
        let #mutable mapping = #core::value::derived::MappingWriter::new(tree);
        #writes
        mapping.finish()
    }
}

/// The statements that write the fields into `mapping`.
fn put_fields(
    subject: &Subject<'_>,
    variant: Option<(&str, &str)>,
    fields: &[Field],
    value: impl Fn(usize, &Field) -> TokenStream,
) -> TokenStream {
    let core = &subject.container.core;
    let at = Span::mixed_site();
    let mut writes = TokenStream::new();
    if let Some((key, name)) = variant {
        writes.extend(quote_spanned!(at=> mapping.put::<::core::primitive::str>(#key, #name)?;));
    }
    for (index, field) in fields.iter().enumerate() {
        let (value, ty) = (value(index, field), &field.ty);
        let within = at.located_at(ty.span());
        match &field.role {
            Role::Property(property) => writes.extend(put(core, field, property, &value)),
            Role::Extra => writes.extend(quote_spanned!(within=> mapping.rest(#value)?;)),
            Role::Flatten => writes.extend(quote_spanned!(within=> mapping.flatten::<#ty>(#value)?;)),
            Role::Tag | Role::Skip(_) => {}
        }
    }
    writes
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
