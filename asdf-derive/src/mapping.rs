//! Structs with named fields.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Ident, Member, Type};

use crate::absent::default_value;
use crate::constructor;
use crate::field::{Default, Field, Property, Role, With, local};
use crate::parts::Parts;
use crate::subject::Subject;
use crate::types::{option_inner, span};
use crate::values;

/// The parts of the implementations for a struct with named fields.
pub(crate) fn parts<'a>(subject: &Subject<'_>, fields: &'a [Field]) -> Parts<'a> {
    let at = Span::mixed_site();
    let place = Place::of_struct(subject);
    let (mut more, types) = constructor::of_fields(subject, fields);
    more.extend(distinct(subject, fields, None));
    // A type without a tag can be flattened into another mapping, so it implements `FromFields` and `ToFields`.
    let is_part = subject.container.tag.is_none();
    let name = &place.name;
    let (from_node, to_node, taking, putting) = if is_part {
        let (keys, take) = (keys(fields, None), take_fields(subject, &place, fields));
        let put = put_fields(subject, None, fields, |_, field| member(field));
        let taking = quote_spanned! {at=>
            const KEYS: __asdf::Keys = #keys;

            fn take(fields: &mut __asdf::Fields<'_>) -> __asdf::Option<Self> {
                #take
            }
        };
        let unused = put.is_empty().then(|| quote_spanned!(at=> let _ = mapping;));
        let check = subject.write_check().map(|checked| quote_spanned!(at=> mapping.require(#checked);));
        let putting = quote_spanned! {at=>
            fn put(&self, mapping: &mut __asdf::MappingWriter<'_>) {
                #check
                #unused
                #put
            }
        };
        let from_node = quote_spanned!(at=> __asdf::read_fields::<Self>(node, #name));
        let to_node = quote_spanned!(at=> __asdf::write_fields::<Self>(self, tree));
        (from_node, to_node, Some(taking), Some(putting))
    } else {
        (read_node(subject, &place, fields), to_node(subject, fields), None, None)
    };
    Parts {
        values: fields.iter().filter(|field| field.is_converted()).map(|field| &field.ty).collect(),
        defaults: fields.iter().filter(|field| field.needs_default()).map(|field| &field.ty).collect(),
        kinds: quote!(__asdf::Kinds::MAPPING),
        constants: subject.untagged().unwrap_or_default(),
        from_node,
        to_node,
        taking,
        putting,
        more,
        types,
        ..Parts::default()
    }
}

/// The struct or variant that the fields belong to.
pub(crate) struct Place {
    /// The name of the value in messages.
    pub(crate) name: String,
    /// The constructor: `Self` or `Self::Variant`.
    pub(crate) constructor: TokenStream,
    /// The key whose value selects the variant, if there is one.
    pub(crate) key: Option<String>,
}

impl Place {
    fn of_struct(subject: &Subject<'_>) -> Self {
        Self { name: subject.name(), constructor: quote!(Self), key: None }
    }
}

/// The types of flattened fields.
fn flattened(fields: &[Field]) -> impl Iterator<Item = &Type> {
    fields.iter().filter(|field| matches!(field.role, Role::Flatten(_))).map(|field| &field.ty)
}

/// The keys of all fields, and the key that selects the variant.
fn own_keys<'f>(fields: &'f [Field], key: Option<&'f String>) -> impl Iterator<Item = &'f String> {
    fields.iter().filter_map(Field::property).flat_map(Property::names).chain(key)
}

/// The same, with the keys of flattened types, as a constant.
fn keys(fields: &[Field], key: Option<&String>) -> TokenStream {
    let own = own_keys(fields, key);
    let flattened = flattened(fields).map(|ty| {
        let at = Span::mixed_site().located_at(span(ty));
        quote_spanned!(at=> <#ty as __asdf::FromFields>::KEYS)
    });
    quote! {
        __asdf::Keys { own: &[#(#own),*], flattened: &[#(#flattened),*] }
    }
}

/// An item that asserts that flattened types do not repeat a key. Types with parameters are not checked, since the
/// assertion cannot name their parameters.
pub(crate) fn distinct(subject: &Subject<'_>, fields: &[Field], key: Option<&String>) -> Option<TokenStream> {
    let first = fields.iter().find(|field| matches!(field.role, Role::Flatten(_)))?;
    if subject.container.write_only {
        return None;
    }
    let keys = keys(fields, key);
    let message = format!("the flattened field `{}` has a key that another field has too", first.ident);
    let at = first.ident.span();
    let generic = !subject.input.generics.params.is_empty();
    (!generic).then(|| quote_spanned!(at=> const _: () = __asdf::require((#keys).are_distinct(), #message);))
}

/// The statements that read the fields from `node` and end with the value.
pub(crate) fn read_node(subject: &Subject<'_>, place: &Place, fields: &[Field]) -> TokenStream {
    let at = Span::mixed_site();
    let Place { name, key, .. } = place;
    let open = match flattened(fields).next() {
        Some(_) => {
            let keys = keys(fields, key.as_ref());
            quote_spanned!(at=> __asdf::Fields::of(node, #name, const { #keys })?)
        }
        None => {
            let keys = own_keys(fields, key.as_ref());
            quote_spanned!(at=> __asdf::Fields::open(node, #name, &[#(#keys),*])?)
        }
    };
    let Reading { reads, locals, whole } = reading(subject, place, fields);
    let unpack = (!locals.is_empty()).then(|| {
        quote_spanned! {at=>
            let (#(__asdf::Some(#locals),)*) = (#(#locals,)*) else {
                return __asdf::Err(__asdf::incomplete(node, #name));
            };
        }
    });
    quote_spanned! {at=>
        let mut opened = #open;
        let fields = &mut opened;
        #reads
        opened.finish()?;
        #unpack
        __asdf::Ok(#whole)
    }
}

/// The statements that take the fields from `fields` and end with the value, or with `None` after an error.
fn take_fields(subject: &Subject<'_>, place: &Place, fields: &[Field]) -> TokenStream {
    let at = Span::mixed_site();
    let Reading { reads, locals, whole } = reading(subject, place, fields);
    let unpack = (!locals.is_empty()).then(|| {
        quote_spanned! {at=>
            let (#(__asdf::Some(#locals),)*) = (#(#locals,)*) else {
                return __asdf::None;
            };
        }
    });
    quote_spanned! {at=>
        #reads
        #unpack
        __asdf::Some(#whole)
    }
}

/// The code that reads fields.
struct Reading {
    /// The statements that read each field into a variable.
    reads: TokenStream,
    /// The variables, which are `Option`s.
    locals: Vec<Ident>,
    /// The expression that constructs the value from the variables.
    whole: TokenStream,
}

fn reading(subject: &Subject<'_>, place: &Place, fields: &[Field]) -> Reading {
    let at = Span::mixed_site();
    let mut reads = TokenStream::new();
    // Properties without a field are known only after all fields have been taken.
    let mut rest = quote_spanned!(at=> fields.deny_rest(););
    let mut locals = Vec::new();
    let mut members = Vec::new();
    for (index, field) in fields.iter().enumerate() {
        let (ident, variable, ty) = (&field.ident, local(index), &field.ty);
        match &field.role {
            Role::Tag => {
                let kept = subject.kept_tag(ty);
                members.push(quote!(#ident: #kept));
                continue;
            }
            Role::Skip(default) => {
                let value = default_value(subject, default, field);
                members.push(quote!(#ident: #value));
                continue;
            }
            Role::Extra => {
                rest = quote_spanned! {at=>
                    let #variable = fields.rest();
                    let #variable = match #variable {
                        __asdf::Some(extra) => __asdf::Some(
                            <#ty as __asdf::ExtraField>::of_extra(extra)
                        ),
                        __asdf::None => __asdf::None,
                    };
                };
            }
            Role::Flatten(_) => {
                let call = values::call(subject, ty, "fields", ["flatten", "flatten"], &TokenStream::new());
                reads.extend(quote_spanned!(at=> let #variable = #call;));
            }
            Role::Property(property) => {
                let value = take(subject, field, property);
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
fn take(subject: &Subject<'_>, field: &Field, property: &Property) -> TokenStream {
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
            let value = default_value(subject, default, field);
            quote_spanned!(at=> || __asdf::Some(#value))
        }
        None if optional && property.with.is_some() => {
            quote_spanned!(at=> || __asdf::Some(__asdf::None))
        }
        None => quote_spanned!(at=> || __asdf::None),
    };
    let taken = match &property.with {
        Some(with) => {
            let within = with_place(with);
            let from_node = with.reader(option_inner(ty).unwrap_or(ty));
            let from_node = match optional {
                true => quote_spanned!(within=> |node| __asdf::optional(node, #from_node)),
                false => from_node,
            };
            quote_spanned!(within=> fields.take_with::<#ty>(#key, #from_node, #absent))
        }
        None if property.old_default.is_some() => {
            let make = &property.old_default;
            let arguments = quote_spanned!(at=> #key, |tree| #make);
            values::call(subject, ty, "fields", ["take_old", "take_old"], &arguments)
        }
        None if property.default.is_some() => {
            values::call(subject, ty, "fields", ["take_or", "take_or"], &quote!(#key, #absent))
        }
        None => values::call(subject, ty, "fields", ["take", "take"], &key),
    };
    match name {
        Some(name) => quote_spanned!(at=> { #name #taken }),
        None => taken,
    }
}

/// The span for errors in a conversion.
fn with_place(with: &With) -> Span {
    match with {
        With::Module(path) => Span::mixed_site().located_at(path.span()),
        // An error in the type is reported once, at the type.
        With::Array(_) | With::Records(_) => Span::mixed_site(),
    }
}

fn to_node(subject: &Subject<'_>, fields: &[Field]) -> TokenStream {
    let kept = fields.iter().find(|field| matches!(field.role, Role::Tag));
    let kept = kept.map(|field| (Member::Named(field.ident.clone()), &field.ty));
    let set_tag = subject.set_tag(kept.as_ref().map(|(member, ty)| (member, *ty)));
    let written = write(subject, None, fields, |_, field| member(field));
    quote_spanned! {Span::mixed_site()=>
        let id = { #written };
        #set_tag
        __asdf::Ok(id)
    }
}

/// A reference to a field of `self`.
fn member(field: &Field) -> TokenStream {
    let ident = &field.ident;
    quote_spanned!(Span::mixed_site().located_at(span(&field.ty))=> &self.#ident)
}

/// The statements that write the fields and end with the id of the mapping. The key that selects the variant is written
/// first. The value of a field is given as an expression of a reference.
pub(crate) fn write(
    subject: &Subject<'_>,
    variant: Option<(&str, &str)>,
    fields: &[Field],
    value: impl Fn(usize, &Field) -> TokenStream,
) -> TokenStream {
    let writes = put_fields(subject, variant, fields, value);
    let at = Span::mixed_site();
    if writes.is_empty() {
        return quote_spanned!(at=> __asdf::MappingWriter::new(tree).finish()?);
    }
    quote_spanned! {at=>
        let mut written = __asdf::MappingWriter::new(tree);
        let mapping = &mut written;
        #writes
        written.finish()?
    }
}

/// The statements that write the fields into `mapping`.
fn put_fields(
    subject: &Subject<'_>,
    variant: Option<(&str, &str)>,
    fields: &[Field],
    value: impl Fn(usize, &Field) -> TokenStream,
) -> TokenStream {
    let at = Span::mixed_site();
    let mut writes = TokenStream::new();
    if let Some((key, name)) = variant {
        writes.extend(quote_spanned!(at=> mapping.put::<__asdf::str>(#key, #name);));
    }
    for (index, field) in fields.iter().enumerate() {
        let (value, ty) = (value(index, field), &field.ty);
        let within = at.located_at(span(ty));
        match &field.role {
            Role::Property(property) => writes.extend(put(subject, field, property, &value)),
            Role::Extra if subject.container.write_only => {
                writes.extend(quote_spanned!(within=> mapping.rest(#value);));
            }
            Role::Extra => writes.extend(quote_spanned! {at=>
                mapping.rest(<#ty as __asdf::ExtraField>::extra(#value));
            }),
            Role::Flatten(_) => writes.extend(values::put(subject, ty, None, &value)),
            Role::Tag | Role::Skip(_) => {}
        }
    }
    writes
}

/// The statement that writes a property.
fn put(subject: &Subject<'_>, field: &Field, property: &Property, value: &TokenStream) -> TokenStream {
    let at = Span::mixed_site().located_at(span(&field.ty));
    let (ty, key) = (&field.ty, &property.key);
    // A missing property is read as the default, so it must be written if its value could differ.
    let always = matches!(&property.default, Some(default) if !matches!(default, Default::OfType));
    if !property.write_tags.is_empty() {
        let written = values::write_with_tags(subject, ty, value, &property.write_tags);
        let put = quote_spanned!(at=> mapping.put_with(#key, |tree| #written););
        let absent = values::is_absent(subject, ty, value);
        return if always { put } else { quote_spanned!(at=> if !#absent { #put }) };
    }
    let Some(with) = &property.with else {
        return if always {
            let written = values::write(subject, ty, value);
            quote_spanned!(at=> mapping.put_with(#key, |tree| #written);)
        } else {
            values::put(subject, ty, Some(key), value)
        };
    };
    let within = with_place(with);
    let inner = option_inner(ty).unwrap_or(ty);
    let to_node = with.writer(inner, subject.container.write_only);
    let compression = with.compression();
    if option_inner(ty).is_none() {
        return quote_spanned!(within=> mapping.put_with(#key, |tree| #to_node(#value, #compression tree)););
    }
    let absent = always.then(|| {
        quote_spanned! {at=>
            else {
                mapping.put_with(#key, |tree| __asdf::Ok(tree.add_null()));
            }
        }
    });
    quote_spanned! {at=>
        if let __asdf::Some(value) = #value {
            mapping.put_with(#key, |tree| #to_node(value, #compression tree));
        } #absent
    }
}
