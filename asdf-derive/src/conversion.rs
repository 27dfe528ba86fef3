//! Types that are read and written as another type: `try_from = "T"`, `from = "T"`, `into = "T"`.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, Data, DeriveInput, Ident, Type};

use crate::attribute::own;
use crate::container::Container;
use crate::errors::Errors;
use crate::implementation::{Parts, Subject};
use crate::values;

/// What a type is read and written as.
pub(crate) struct Conversion {
    /// The word to point at: `from`, `try_from`, or `into` of a type that is only written.
    pub(crate) name: Ident,
    pub(crate) ty: Type,
    /// Where the type stands that is written.
    target: Span,
}

impl Conversion {
    /// What `from` or `try_from`, and `into`, say together.
    pub(crate) fn of(
        sources: Vec<(Ident, Type)>,
        into: Option<(Ident, Type)>,
        write_only: bool,
        errors: &mut Errors,
    ) -> Option<Self> {
        if let [(first, _), (second, _)] = sources.as_slice() {
            errors.at(second, format!("`{first}` is given already; one of them is enough"));
        }
        let source = sources.into_iter().next();
        match (source, into) {
            (None, None) => None,
            (Some((name, ty)), into) => {
                let text = quote!(#ty).to_string();
                let target = into.as_ref().map(|(_, target)| target.span());
                match into {
                    _ if write_only => {
                        errors.at(&name, format!("a type with `write_only` is not read: leave out `{name}`"));
                    }
                    None => errors.at(
                        &name,
                        format!(
                            "`{name}` says how values are read; add `into = \"{text}\"`, how they are written"
                        ),
                    ),
                    Some((word, target)) if target != ty => errors.at(
                        &word,
                        format!(
                            "values are written as they are read: write `into = \"{text}\"`, as for `{name}`"
                        ),
                    ),
                    Some(_) => {}
                }
                let target = target.unwrap_or_else(|| ty.span());
                Some(Self { name, ty, target })
            }
            (None, Some((name, ty))) => {
                if !write_only {
                    let text = quote!(#ty).to_string();
                    errors.at(
                        &name,
                        format!(
                            "`into` says how values are written; add `try_from = \"{text}\"` or `from = \"{text}\"`, \
                             how they are read"
                        ),
                    );
                }
                let target = ty.span();
                Some(Self { name, ty, target })
            }
        }
    }

    /// Complains about attributes that say how the type itself would be read and written.
    pub(crate) fn refuse_others(&self, input: &DeriveInput, container: &Container, errors: &mut Errors) {
        let others = [
            container.key.as_ref().map(|(name, _)| name),
            container.rename_all.as_ref().map(|(name, _)| name),
            container.check.as_ref().map(|(name, _)| name),
            container.text.as_ref(),
            container.new.as_ref(),
            container.builder.as_ref(),
        ];
        let (name, ty) = (&self.name, &self.ty);
        let why = format!("makes no sense with `{name}`: values are read and written as `{}`", quote!(#ty));
        for other in others.into_iter().flatten() {
            errors.at(other, format!("`{other}` {why}"));
        }
        for attribute in inner_attributes(&input.data) {
            errors.at(attribute, format!("this {why}"));
        }
    }
}

/// The attributes of fields and variants.
fn inner_attributes(data: &Data) -> Vec<&Attribute> {
    match data {
        Data::Struct(data) => data.fields.iter().flat_map(|field| own(&field.attrs)).collect(),
        Data::Union(data) => data.fields.named.iter().flat_map(|field| own(&field.attrs)).collect(),
        Data::Enum(data) => data
            .variants
            .iter()
            .flat_map(|variant| {
                let fields = variant.fields.iter().flat_map(|field| own(&field.attrs));
                own(&variant.attrs).chain(fields)
            })
            .collect(),
    }
}

/// What such a type puts into the implementations.
pub(crate) fn parts<'a>(subject: &Subject<'_>, conversion: &'a Conversion) -> Parts<'a> {
    let at = Span::mixed_site();
    let (ty, name) = (&conversion.ty, subject.name());
    // What is missing is shown at the other type.
    let way = |name: &str, function: &str, place: Span| {
        let (name, function) = (Ident::new(name, place), Ident::new(function, place));
        quote_spanned!(place=> <Self as __asdf::#name<#ty>>::#function)
    };
    let made = if conversion.name == "from" {
        let made_from = way("MadeFrom", "made_from", ty.span());
        quote_spanned!(at=> __asdf::Ok(#made_from(value)))
    } else {
        let tried_from = way("TriedFrom", "tried_from", ty.span());
        quote_spanned!(at=> #tried_from(value, node, #name))
    };
    let given_as = way("GivenAs", "given_as", conversion.target);
    let required = values::require_written(subject, ty);
    let from_node = quote_spanned! {at=>
        #required
        let value = <#ty as __asdf::FromNode>::from_node(node)?;
        #made
    };
    let written = values::write(subject, ty, &quote_spanned!(at=> &given));
    let set_tag = subject.set_tag(None);
    let to_node = quote_spanned! {at=>
        let given = #given_as(self);
        let id = #written?;
        #set_tag
        __asdf::Ok(id)
    };
    let mut constants = TokenStream::new();
    let mut reading = TokenStream::new();
    if subject.container.tag.is_none() {
        constants = quote!(const OWN_TAG: __asdf::OwnTag = <#ty as __asdf::FromNode>::OWN_TAG;);
        reading = quote_spanned! {at=>
            fn from_version(node: __asdf::NodeRef<'_>) -> __asdf::Result<__asdf::Result<Self>> {
                match <#ty as __asdf::FromNode>::from_version(node)? {
                    __asdf::Ok(value) => #made.map(__asdf::Ok),
                    __asdf::Err(error) => {
                        __asdf::Ok(__asdf::Err(error))
                    }
                }
            }

            fn accepts_tag(tag: &__asdf::str) -> __asdf::bool {
                <#ty as __asdf::FromNode>::accepts_tag(tag)
            }

            fn expected() -> __asdf::String {
                <#ty as __asdf::FromNode>::expected()
            }

            fn matches(node: __asdf::NodeRef<'_>) -> __asdf::bool {
                <#ty as __asdf::FromNode>::matches(node)
            }
        };
    }
    Parts {
        values: vec![ty],
        kinds: quote!(<#ty as __asdf::FromNode>::TYPES),
        constants,
        from_node,
        reading,
        to_node,
        ..Parts::default()
    }
}
