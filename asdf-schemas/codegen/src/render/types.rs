//! Renders references to types.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;

use super::patterns::Patterns;
use crate::layout::{ModulePath, TAG_PATTERNS};
use crate::model::{Field, Item, ItemId, Shape, Type};
use crate::names;
use crate::shape::SharedType;

/// The types that a type can refer to, and the module that it is in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Around<'a> {
    pub(super) types: &'a [SharedType],
    pub(super) modules: &'a [ModulePath],
    pub(super) patterns: &'a Patterns,
    /// The types that other types flatten.
    pub(super) bases: &'a BTreeSet<ItemId>,
    pub(super) here: &'a ModulePath,
}

impl<'a> Around<'a> {
    pub(super) fn tokens(&self, ty: &Type) -> TokenStream {
        let inner = |ty: &Type| self.tokens(ty);
        match ty {
            Type::Bool => quote!(bool),
            Type::Signed => quote!(i64),
            Type::Unsigned => quote!(u64),
            Type::Number => quote!(::asdf_core::value::Number),
            Type::String => self.prelude("String"),
            Type::Timestamp => quote!(::asdf_core::value::Timestamp),
            Type::Null => quote!(()),
            Type::Node => quote!(::asdf_core::Node),
            Type::Mapping => quote!(::asdf_core::value::Extra),
            Type::List(item) => {
                let (vec, item) = (self.prelude("Vec"), inner(item));
                quote!(#vec<#item>)
            }
            Type::Array(item, length) => {
                let (item, length) = (inner(item), proc_macro2::Literal::usize_unsuffixed(*length));
                quote!([#item; #length])
            }
            Type::Tuple(parts) => {
                let parts = parts.iter().map(inner);
                quote!((#(#parts,)*))
            }
            Type::Map(value) => {
                let (string, value) = (self.prelude("String"), inner(value));
                quote!(::std::collections::BTreeMap<#string, #value>)
            }
            Type::Nullable(ty) => {
                let ty = inner(ty);
                quote!(::asdf_core::value::Nullable<#ty>)
            }
            // References have been resolved before rendering.
            // The tags are in an attribute of the field.
            Type::WithTags(of, _) => inner(of),
            Type::Tagged(of, _) | Type::Referred(of) => {
                let of = inner(of);
                let pattern = ty.patterns().map(|patterns| self.pattern(patterns));
                let pattern = pattern.map(|pattern| quote!(, #pattern));
                quote!(::asdf_core::Tagged<#of #pattern>)
            }
            Type::Boxed(ty) => {
                let (boxed, ty) = (self.prelude("Box"), inner(ty));
                quote!(#boxed<#ty>)
            }
            // A path that does not parse is reported later, as an error of the whole code.
            Type::Extern(path) => path.parse().unwrap_or_else(|_| quote!(!)),
            Type::Item(id) => self.path(*id),
        }
    }

    /// A type of the prelude, with its path if a generated type has the same name.
    fn prelude(&self, name: &str) -> TokenStream {
        let ident = names::ident(name);
        if self.types.iter().all(|shared| shared.item.name != name) {
            return quote!(#ident);
        }
        let module = match name {
            "Box" => quote!(::std::boxed),
            "Option" => quote!(::std::option),
            "String" => quote!(::std::string),
            _ => quote!(::std::vec),
        };
        quote!(#module::#ident)
    }

    /// The type of an optional value.
    pub(super) fn optional(&self, ty: &TokenStream) -> TokenStream {
        let option = self.prelude("Option");
        quote!(#option<#ty>)
    }

    /// The path of a type as an expression: `Vec::<u64>`.
    pub(super) fn expression(&self, ty: &Type) -> TokenStream {
        let tokens = self.tokens(ty);
        let Ok(mut path) = syn::parse2::<syn::TypePath>(tokens.clone()) else { return tokens };
        for segment in &mut path.path.segments {
            if let syn::PathArguments::AngleBracketed(arguments) = &mut segment.arguments {
                arguments.colon2_token = Some(syn::token::PathSep::default());
            }
        }
        quote!(#path)
    }

    /// Whether a type refers to a deprecated type.
    pub(super) fn names_deprecated(&self, item: &Item) -> bool {
        let mut found = false;
        for ty in item.shape.types() {
            ty.visit(true, &mut |ty, _| {
                if let Type::Item(id) = ty {
                    found |= self.item(*id).is_some_and(|shared| shared.item.docs.deprecated.is_some());
                }
            });
        }
        found
    }

    /// The fields of a struct that hold properties, including those of its bases.
    pub(super) fn properties<'i>(&self, item: &'i Item) -> Vec<&'i Field>
    where
        'a: 'i,
    {
        let Shape::Struct(shape) = &item.shape else { return Vec::new() };
        let mut properties = Vec::new();
        for field in &shape.fields {
            match (&field.ty, field.flatten) {
                (Type::Item(base), true) => {
                    let base = self.types.get(base.0).map(|base| self.properties(&base.item));
                    properties.extend(base.unwrap_or_default());
                }
                _ => properties.push(field),
            }
        }
        properties
    }

    /// Whether a base has a `Default`, the value without properties.
    pub(super) fn is_base_default(&self, base: &Type) -> bool {
        let Type::Item(id) = base else { return false };
        self.item(*id).is_some_and(|base| self.properties(&base.item).iter().all(|field| !field.required))
    }

    /// Whether a type is a base with a `Default`.
    pub(super) fn is_default(&self, id: ItemId) -> bool {
        self.bases.contains(&id) && self.is_base_default(&Type::Item(id))
    }

    pub(super) fn item(&self, id: ItemId) -> Option<&SharedType> {
        self.types.get(id.0)
    }

    /// The path of a type, relative to this module.
    pub(super) fn path(&self, id: ItemId) -> TokenStream {
        let (Some(shared), Some(module)) = (self.item(id), self.modules.get(id.0)) else { return quote!(!) };
        self.relative(module, &shared.item.name)
    }

    /// The path of a tag pattern, relative to this module.
    fn pattern(&self, patterns: &BTreeSet<String>) -> TokenStream {
        match self.patterns.name(patterns) {
            Some(name) => self.relative(&[TAG_PATTERNS.to_owned()], name),
            None => quote!(!),
        }
    }

    fn relative(&self, module: &[String], name: &str) -> TokenStream {
        let common = self.here.iter().zip(module).take_while(|(a, b)| a == b).count();
        let up = (common..self.here.len()).map(|_| quote!(super::));
        let down = module.iter().skip(common).map(|name| {
            let name = names::ident(name);
            quote!(#name::)
        });
        let name = names::ident(name);
        quote!(#(#up)* #(#down)* #name)
    }
}
