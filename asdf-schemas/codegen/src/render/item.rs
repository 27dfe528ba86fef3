//! Renders a type with its attributes and docs.

use asdf_schema_model::{Limits, Number};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::types::Around;
use super::{markdown, words};
use crate::model::{Field, Item, ItemId, Newtype, Note, Shape, Struct, Type, Variant};
use crate::names;
use crate::schema::Demand;
use crate::shape::SharedType;

/// The settings of the configuration for a type.
#[derive(Debug, Clone, Copy)]
pub(super) struct Given<'a> {
    /// The function that is called before a value is written.
    pub(super) write_check: Option<&'a str>,
    /// The types whose values are converted to the type.
    pub(super) upgrades: &'a [String],
}

/// Renders the type with this number. The first tag is its own.
pub(super) fn render(
    id: ItemId,
    shared: &SharedType,
    tags: &[String],
    versions: &[ItemId],
    given: Given<'_>,
    around: &Around<'_>,
) -> TokenStream {
    let item = &shared.item;
    let docs = words::of_item(item, tags, versions, given.upgrades, around);
    let docs = markdown::docs(&docs);
    let name = names::ident(&item.name);
    let traits = if item.shape.is_words() {
        quote!(Debug, Clone, Copy, PartialEq, Eq, Hash, ::asdf_core::Asdf)
    } else if around.is_default(id) {
        quote!(Debug, Clone, PartialEq, Default, ::asdf_core::Asdf)
    } else {
        quote!(Debug, Clone, PartialEq, ::asdf_core::Asdf)
    };
    let attributes = attributes(item, tags, versions, given, around);
    let body = match &item.shape {
        Shape::Struct(shape) => structure(&name, shape, !tags.is_empty(), around),
        Shape::Enum(variants) => {
            let variants = variants.iter().map(|variant| variant_tokens(variant, around));
            quote!(pub enum #name { #(#variants)* })
        }
        Shape::Newtype(shape) => newtype(&name, shape, !tags.is_empty(), around),
    };
    let deprecated = item.docs.deprecated.as_ref().map(|words| quote!(#[deprecated = #words]));
    let around = around
        .names_deprecated(item)
        .then(|| quote!(#[allow(deprecated, reason = "the schema still uses it")]));
    quote! { #docs #[derive(#traits)] #attributes #deprecated #around #body }
}

fn attributes(
    item: &Item,
    tags: &[String],
    versions: &[ItemId],
    given: Given<'_>,
    around: &Around<'_>,
) -> TokenStream {
    // A path that does not parse is reported later, as an error of the whole code.
    let path = |path: &str| path.parse().unwrap_or_else(|_| quote!(!));
    let mut parts = Vec::new();
    if let Some((own, others)) = tags.split_first() {
        parts.push(quote!(tag = #own));
        if !others.is_empty() {
            parts.push(quote!(accepts = [#(#others),*]));
        }
        if !versions.is_empty() {
            let versions = versions.iter().map(|&version| around.path(version));
            parts.push(quote!(versions = [#(#versions),*]));
        }
        if !given.upgrades.is_empty() {
            let upgrades = given.upgrades.iter().map(|from| path(from));
            parts.push(quote!(upgrades = [#(#upgrades),*]));
        }
    }
    match &item.shape {
        Shape::Struct(_) => parts.push(quote!(new)),
        Shape::Newtype(shape) if shape.is_checked() => {
            let mut checks = checks(&shape.checks);
            if !shape.contains.is_empty() {
                let demands = shape.contains.iter().map(demand);
                checks.push(quote!(contains(#(#demands),*)));
            }
            let places: Vec<TokenStream> = shape.places.iter().map(|ty| around.expression(ty)).collect();
            if !places.is_empty() {
                checks.push(quote!(items = [#(#places),*]));
            }
            parts.push(quote!(check(#(#checks),*)));
        }
        Shape::Newtype(_) => parts.push(quote!(new)),
        Shape::Enum(_) if item.by_tag => parts.push(quote!(by_tag)),
        Shape::Enum(_) => {}
    }
    if item.shape.is_text() {
        parts.push(quote!(text));
    }
    let write_check: Option<TokenStream> = given.write_check.map(path);
    parts.extend(write_check.map(|path| quote!(write_check = #path)));
    let notes: Vec<TokenStream> = notes_of(item, around);
    if !notes.is_empty() {
        parts.push(quote!(notes = [#(#notes),*]));
    }
    if parts.is_empty() { TokenStream::new() } else { quote!(#[asdf(#(#parts),*)]) }
}

/// The property, keyword and value of each keyword that is not part of the language.
fn notes_of(item: &Item, around: &Around<'_>) -> Vec<TokenStream> {
    let triple = |property: &str, note: &Note| {
        let (keyword, value) = (&note.keyword, &note.value);
        quote!((#property, #keyword, #value))
    };
    let mut notes: Vec<TokenStream> = item.notes.iter().map(|note| triple("", note)).collect();
    for field in around.properties(item) {
        notes.extend(field.notes.iter().map(|note| triple(&field.property, note)));
    }
    notes
}

fn checks(checks: &Limits) -> Vec<TokenStream> {
    let mut parts = Vec::new();
    for pattern in &checks.patterns {
        parts.push(quote!(pattern = #pattern));
    }
    let mut count = |name: TokenStream, count: Option<u64>| {
        if let Some(count) = count {
            let count = Literal::u64_unsuffixed(count);
            parts.push(quote!(#name = #count));
        }
    };
    count(quote!(min_length), checks.min_length);
    count(quote!(max_length), checks.max_length);
    count(quote!(min_items), checks.min_items);
    count(quote!(max_items), checks.max_items);
    let mut bound = |inclusive: TokenStream, exclusive: TokenStream, bound: Option<(Number, bool)>| {
        if let Some((bound, excluded)) = bound {
            let name = if excluded { exclusive } else { inclusive };
            let bound = number(bound);
            parts.push(quote!(#name = #bound));
        }
    };
    bound(quote!(minimum), quote!(exclusive_minimum), checks.minimum);
    bound(quote!(maximum), quote!(exclusive_maximum), checks.maximum);
    for multiple in &checks.multiples {
        let multiple = number(*multiple);
        parts.push(quote!(multiple_of = #multiple));
    }
    if !checks.one_of.is_empty() {
        let numbers = checks.one_of.iter().map(|&one| number(one));
        parts.push(quote!(one_of = [#(#numbers),*]));
    }
    if checks.unique_items {
        parts.push(quote!(unique_items));
    }
    parts
}

/// The name of the function for a required item, with its docs and tests.
fn demand(demand: &Demand) -> TokenStream {
    let name = names::ident(&demand.name);
    let docs = demand.docs.iter().flat_map(|docs| markdown::lines(docs)).map(|line| {
        let line = format!(" {line}");
        quote!(["", "description", #line])
    });
    let tests = demand.tests.iter().map(|test| {
        let (path, keyword, values) = (&test.path, test.keyword, &test.values);
        quote!([#path, #keyword, #(#values),*])
    });
    quote!(#name = [#(#docs,)* #(#tests),*])
}

fn number(number: Number) -> TokenStream {
    let (negative, literal) = match number {
        Number::Int(value) => (value < 0, Literal::u128_unsuffixed(value.unsigned_abs())),
        Number::Float(value) => (value.is_sign_negative(), Literal::f64_unsuffixed(value.abs())),
    };
    if negative { quote!(-#literal) } else { quote!(#literal) }
}

fn structure(name: &proc_macro2::Ident, shape: &Struct, tagged: bool, around: &Around<'_>) -> TokenStream {
    let fields = shape.fields.iter().map(|field| field_tokens(field, around));
    let free = |wanted: &str, other: &str| {
        let taken = shape.fields.iter().any(|field| field.name == wanted);
        names::ident(if taken { other } else { wanted })
    };
    let extra = shape.open.then(|| {
        let name = free("extra", "extra_properties");
        quote! {
            #[asdf(extra)]
            pub #name: ::asdf_core::value::Extra,
        }
    });
    let tag = tagged.then(|| {
        let name = free("tag", "kept_tag");
        quote! {
            #[asdf(tag)]
            pub #name: ::asdf_core::value::KeptTag,
        }
    });
    quote!(pub struct #name { #(#fields)* #extra #tag })
}

fn field_tokens(field: &Field, around: &Around<'_>) -> TokenStream {
    let docs = markdown::docs(&words::of_field(field, around));
    let name = names::ident(&field.name);
    if field.flatten {
        let default = around.is_base_default(&field.ty).then(|| quote!(, default));
        let ty = around.tokens(&field.ty);
        return quote! { #docs #[asdf(flatten #default)] pub #name: #ty, };
    }
    let property = &field.property;
    let plain = name.to_string().trim_start_matches("r#") == property;
    let rename = (!plain).then(|| quote!(rename = #property));
    // A literal always parses.
    let old = field.old_default.as_ref().and_then(|value| value.parse::<TokenStream>().ok());
    let old = old.map(|value| quote!(old_default = #value));
    let attributes: Vec<TokenStream> = rename.into_iter().chain(old).chain(write_tags(&field.ty)).collect();
    let attributes = (!attributes.is_empty()).then(|| quote!(#[asdf(#(#attributes),*)]));
    let ty = around.tokens(&field.ty);
    let ty = if field.required { ty } else { around.optional(&ty) };
    quote! { #docs #attributes pub #name: #ty, }
}

/// The attribute for the required tags of a field or variant, if it has any.
fn write_tags(ty: &Type) -> Option<TokenStream> {
    let tags = ty.write_tags();
    (!tags.is_empty()).then(|| quote!(write_tags = [#(#tags),*]))
}

fn variant_tokens(variant: &Variant, around: &Around<'_>) -> TokenStream {
    let docs = markdown::docs(&words::of_variant(variant, around));
    match variant {
        Variant::Word { word, name } => {
            let rename = (word != name).then(|| quote!(#[asdf(rename = #word)]));
            let name = names::ident(name);
            quote! { #docs #rename #name, }
        }
        Variant::Value { name, ty, .. } => {
            let tags = write_tags(ty).map(|tags| quote!(#[asdf(#tags)]));
            let (name, ty) = (names::ident(name), around.tokens(ty));
            quote! { #docs #tags #name(#ty), }
        }
    }
}

fn newtype(name: &proc_macro2::Ident, shape: &Newtype, tagged: bool, around: &Around<'_>) -> TokenStream {
    let inner = around.tokens(&shape.inner);
    // Only a constructor that checks makes values.
    let open = (!shape.is_checked()).then(|| quote!(pub));
    let tag = tagged.then(|| {
        quote! {
            #[asdf(tag)]
            pub ::asdf_core::value::KeptTag,
        }
    });
    quote!(pub struct #name(#open #inner, #tag);)
}
