//! Variants that are never read, because an earlier one reads all that they write.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::{Ident, Type};

use crate::assertion::{Assertions, is_generic};
use crate::field::{Field, Property, Role, With};
use crate::implementation::Subject;
use crate::shape::{Alternative, Content};
use crate::types::{mentions, option_inner, written_at};

/// Asserts that every variant of an enum without `key` can be read.
pub(crate) fn require(assertions: &mut Assertions, subject: &Subject<'_>, alternatives: &[Alternative]) {
    if subject.container.write_only || subject.container.key.is_some() {
        return;
    }
    for (index, later) in alternatives.iter().enumerate() {
        let place = later.ident.span();
        let earlier: Vec<TokenStream> = alternatives
            .iter()
            .take(index)
            .filter_map(|earlier| {
                let comparison = Comparison { subject, place };
                let covered = comparison.covers(&earlier.content, &later.content)?;
                let covers = comparison.covers(&later.content, &earlier.content).unwrap_or(quote!(false));
                let [order, apart] = messages(&earlier.ident, &later.ident, &later.content);
                Some(quote_spanned!(place=> (#covered, #covers, #order, #apart)))
            })
            .collect();
        if !earlier.is_empty() {
            let core = written_at(&subject.container.core, place);
            let assertion = quote_spanned!(place=> #core::value::derived::require_reached(&[#(#earlier),*]));
            assertions.items.extend(quote_spanned! {place=>
                #[allow(deprecated, reason = "variants are compared all the same")]
                const _: () = #assertion;
            });
        }
    }
}

/// What is wrong and what to do: if the later variant can go first, and if that does not help.
fn messages(earlier: &Ident, later: &Ident, content: &Content) -> [String; 2] {
    let (earlier, later) = (earlier.unraw(), later.unraw());
    let wrong =
        format!("the variant `{later}` is never read: `{earlier}`, which comes first, reads all that");
    let apart = match content {
        Content::Mapping(..) => "`#[asdf(key = \"...\")]` on the enum tells variants by a property",
        _ => "a type with a tag of its own tells it apart",
    };
    [
        format!("{wrong} `{later}` writes; write `{later}` before `{earlier}`, or remove it; {apart}"),
        format!("{wrong} `{later}` writes; remove one of them; {apart}"),
    ]
}

/// A comparison of variants; what it needs of types is shown at the place of the later one.
struct Comparison<'a> {
    subject: &'a Subject<'a>,
    place: Span,
}

impl Comparison<'_> {
    /// A constant expression: whether the first variant reads all that the second writes. `None` when that
    /// cannot be told.
    fn covers(&self, first: &Content, second: &Content) -> Option<TokenStream> {
        let core = &self.subject.container.core;
        let untagged = |kind: TokenStream| {
            let Content::Value(ty) = first else { return None };
            let all = self.constant(ty, "READS_ALL")?;
            Some(quote! {
                #core::value::derived::covers(#all, #core::value::Types::#kind, #core::value::OwnTag::None)
            })
        };
        match (first, second) {
            (Content::Value(first), Content::Value(second)) => self.covers_type(first, second),
            (Content::List(first), Content::List(second)) if first.len() == second.len() => {
                all(first.iter().zip(second).map(|(first, second)| self.covers_type(first, second)))
            }
            (Content::Mapping(_, first), Content::Mapping(_, second)) => self.covers_fields(first, second),
            (_, Content::List(_)) => untagged(quote!(SEQUENCE)),
            (_, Content::Mapping(..)) => untagged(quote!(MAPPING)),
            // Names are read before anything else.
            (_, Content::Name(_)) | (_, Content::Value(_)) => None,
        }
    }

    fn covers_type(&self, first: &Type, second: &Type) -> Option<TokenStream> {
        if first == second {
            return Some(quote!(true));
        }
        let core = &self.subject.container.core;
        let all = self.constant(first, "READS_ALL")?;
        let (kinds, tag) = (self.constant(second, "TYPES")?, self.constant(second, "OWN_TAG")?);
        Some(quote! {
            (#core::value::derived::covers(#all, #kinds, #tag) || {
                #[allow(unused_imports, reason = "only pairs of other types need it")]
                use #core::value::derived::PairOfOthers as _;
                #core::value::derived::Pair::<#first, #second>::COVERED
            })
        })
    }

    fn covers_fields(&self, first: &[Field], second: &[Field]) -> Option<TokenStream> {
        let flattened = |field: &Field| matches!(field.role, Role::Flatten);
        if first.iter().chain(second).any(flattened) {
            return None;
        }
        let open = |fields: &[Field]| fields.iter().any(|field| matches!(field.role, Role::Extra));
        let properties = |fields| properties(fields).collect::<Vec<_>>();
        let (own, others) = (properties(first), properties(second));
        // What the second keeps may be anything.
        if open(second) && !(open(first) && own.is_empty()) {
            return None;
        }
        let mut conditions = Vec::new();
        let mut read = Vec::new();
        for (field, property) in &others {
            match own.iter().position(|(_, own)| own.names().any(|name| *name == property.key)) {
                Some(index) if read.contains(&index) => return None,
                Some(index) => {
                    read.push(index);
                    let (own_field, own) = own.get(index)?;
                    conditions.push(self.covers_property((own_field, own), (field, property)));
                }
                None if open(first) => {}
                None => return None,
            }
        }
        let missing = own.iter().enumerate().filter(|(index, _)| !read.contains(index));
        conditions.extend(missing.map(|(_, (field, property))| self.may_be_missing(field, property)));
        all(conditions.into_iter())
    }

    fn covers_property(
        &self,
        first: (&Field, &Property),
        second: (&Field, &Property),
    ) -> Option<TokenStream> {
        let core = &self.subject.container.core;
        let ((own_field, own), (field, property)) = (first, second);
        let alike = match (&own.with, &property.with) {
            (None, None) => self.covers_type(&own_field.ty, &field.ty)?,
            (Some(With::Module(own)), Some(With::Module(other)))
                if own == other && own_field.ty == field.ty =>
            {
                quote!(true)
            }
            (Some(With::Array(_)), Some(With::Array(_)))
            | (Some(With::Records(_)), Some(With::Records(_)))
                if own_field.ty == field.ty =>
            {
                quote!(true)
            }
            _ => return None,
        };
        let (optional, other) = (self.may_be_missing(own_field, own)?, self.may_be_missing(field, property)?);
        Some(quote!(#core::value::derived::covers_property(#alike, #optional, #other)))
    }

    fn may_be_missing(&self, field: &Field, property: &Property) -> Option<TokenStream> {
        if property.default.is_some() {
            return Some(quote!(true));
        }
        match property.with {
            Some(_) => {
                let optional = option_inner(&field.ty).is_some();
                Some(quote!(#optional))
            }
            None => self.constant(&field.ty, "OPTIONAL"),
        }
    }

    /// A constant of a type that can be named outside of the implementations.
    fn constant(&self, ty: &Type, name: &str) -> Option<TokenStream> {
        let core = &self.subject.container.core;
        let name = Ident::new(name, self.place);
        let hidden = is_generic(self.subject, ty) || mentions(ty, &Ident::new("Self", self.place));
        (!hidden).then(|| quote!(<#ty as #core::FromNode>::#name))
    }
}

fn properties(fields: &[Field]) -> impl Iterator<Item = (&Field, &Property)> {
    fields.iter().filter_map(|field| Some((field, field.property()?)))
}

/// Whether all conditions hold, if all of them are known.
fn all(conditions: impl Iterator<Item = Option<TokenStream>>) -> Option<TokenStream> {
    let conditions: Vec<TokenStream> = conditions.collect::<Option<_>>()?;
    Some(quote!((true #(&& #conditions)*)))
}
