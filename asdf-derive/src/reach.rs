//! Detects variants that are never read, because an earlier variant reads every value that they write.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::{Ident, Type};

use crate::assertion::Assertions;
use crate::field::{Field, Property, Role, With};
use crate::shape::{Alternative, Content};
use crate::subject::Subject;
use crate::types::{mentions, option_inner};

/// Asserts that every variant of an enum without `key` can be read.
pub(crate) fn require(assertions: &mut Assertions, subject: &Subject<'_>, alternatives: &[Alternative]) {
    if subject.container.write_only || subject.container.key.is_some() {
        return;
    }
    require_reached(assertions, subject, alternatives);
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
            let assertion = quote_spanned!(place=> __asdf::require_told_apart(&[#(#earlier),*]));
            assertions.add(place, &assertion);
        }
    }
}

/// Asserts that no variant is hidden by an earlier one whose type reads all nodes of its kinds.
///
/// The compiler evaluates a list of all variants, since a condition for each pair would be too much code for an enum with
/// a hundred variants.
fn require_reached(assertions: &mut Assertions, subject: &Subject<'_>, alternatives: &[Alternative]) {
    let holds_value = |one: &&Alternative| matches!(one.content, Content::Value(_));
    let Some(first) = alternatives.iter().position(|one| holds_value(&one)) else { return };
    let variants = alternatives.iter().map(|one| {
        let name = one.ident.unraw().to_string();
        let place = one.ident.span();
        let kinds = match &one.content {
            Content::Value(ty) if !is_hidden(subject, ty, place) => {
                return quote_spanned!(place=>
                    __asdf::Variant::of(#name, __asdf::Field::<#ty>::CONSTANTS)
                );
            }
            Content::List(_) => quote!(SEQUENCE),
            Content::Mapping(..) => quote!(MAPPING),
            Content::Name(_) | Content::Value(_) => quote!(NONE),
        };
        quote_spanned!(place=> __asdf::Variant::written_as(#name, __asdf::Kinds::#kinds))
    });
    let checks = alternatives
        .iter()
        .enumerate()
        .skip(first + 1)
        .filter(|(_, one)| !matches!(one.content, Content::Name(_)));
    let checks: Vec<TokenStream> = checks
        .map(|(index, one)| {
            let place = one.ident.span();
            let apart = apart(&one.content);
            quote_spanned!(place=> __asdf::require_reached(VARIANTS, #index, #apart);)
        })
        .collect();
    if checks.is_empty() {
        return;
    }
    assertions.items.extend(quote! {
        const _: () = {
            const VARIANTS: &[__asdf::Variant] = &[#(#variants),*];
            #(#checks)*
        };
    });
}

/// The two messages: for a later variant that can be moved first, and for one that cannot.
fn messages(earlier: &Ident, later: &Ident, content: &Content) -> [String; 2] {
    let (earlier, later) = (earlier.unraw(), later.unraw());
    let wrong =
        format!("the variant `{later}` is never read: `{earlier}`, which comes first, reads all that");
    let apart = apart(content);
    [
        format!("{wrong} `{later}` writes; write `{later}` before `{earlier}`, or remove it; {apart}"),
        format!("{wrong} `{later}` writes; remove one of them; {apart}"),
    ]
}

/// The hint on how to distinguish a variant from others.
fn apart(content: &Content) -> &'static str {
    match content {
        Content::Mapping(..) => {
            "or add `#[asdf(key = \"...\")]` to the enum, to select variants by the value of a property"
        }
        _ => "or give its type a tag",
    }
}

/// Whether a type cannot be named outside the implementations.
fn is_hidden(subject: &Subject<'_>, ty: &Type, place: Span) -> bool {
    subject.is_generic(ty) || mentions(ty, &Ident::new("Self", place))
}

/// Whether a type is written as a list, or as an array.
fn is_list(ty: &Type) -> bool {
    match ty {
        Type::Array(_) => true,
        Type::Path(path) => path.path.segments.last().is_some_and(|last| last.ident == "Vec"),
        _ => false,
    }
}

/// A comparison of variants. Errors about their types point at the later variant.
struct Comparison<'a> {
    subject: &'a Subject<'a>,
    place: Span,
}

impl Comparison<'_> {
    /// The constant expression for "the first variant reads every value that the second writes". `None` if this is
    /// unknown, or if the list of variants already covers it.
    fn covers(&self, first: &Content, second: &Content) -> Option<TokenStream> {
        match (first, second) {
            (Content::Value(first), Content::Value(second)) => {
                if first == second {
                    // The list of variants covers types that read all nodes of their kinds.
                    let listed = self.covered(first, second);
                    return Some(listed.map_or(quote!(true), |listed| quote!(!#listed)));
                }
                (is_list(first) && is_list(second)).then(|| self.items(first, second))?
            }
            (Content::List(first), Content::List(second)) if first.len() == second.len() => {
                all(first.iter().zip(second).map(|(first, second)| self.covers_type(first, second)))
            }
            (Content::Mapping(_, first), Content::Mapping(_, second)) => self.covers_fields(first, second),
            _ => None,
        }
    }

    fn covers_type(&self, first: &Type, second: &Type) -> Option<TokenStream> {
        if first == second {
            return Some(quote!(true));
        }
        let (covered, items) = (self.covered(first, second)?, self.items(first, second)?);
        Some(quote!((#covered || #items)))
    }

    /// The condition that the first type reads all nodes of the kinds that the second writes.
    fn covered(&self, first: &Type, second: &Type) -> Option<TokenStream> {
        let all = self.constant(first, "READS_ALL")?;
        let (kinds, tag) = (self.constant(second, "TYPES")?, self.constant(second, "OWN_TAG")?);
        Some(quote!(__asdf::covers(#all, #kinds, #tag)))
    }

    /// The condition that the items of the first list cover the items of the second.
    fn items(&self, first: &Type, second: &Type) -> Option<TokenStream> {
        let hidden = |ty| is_hidden(self.subject, ty, self.place);
        (!hidden(first) && !hidden(second)).then(|| {
            quote!({
                #[allow(unused_imports, reason = "only pairs of other types need it")]
                use __asdf::PairOfOthers as _;
                __asdf::Pair::<#first, #second>::COVERED
            })
        })
    }

    fn covers_fields(&self, first: &[Field], second: &[Field]) -> Option<TokenStream> {
        let flattened = |field: &Field| matches!(field.role, Role::Flatten(_));
        if first.iter().chain(second).any(flattened) {
            return None;
        }
        let open = |fields: &[Field]| fields.iter().any(|field| matches!(field.role, Role::Extra));
        let properties = |fields| properties(fields).collect::<Vec<_>>();
        let (own, others) = (properties(first), properties(second));
        // The `extra` field of the second can hold any property.
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
        Some(quote!(__asdf::covers_property(#alike, #optional, #other)))
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

    /// A constant of a type, if the type can be named outside the implementations.
    fn constant(&self, ty: &Type, name: &str) -> Option<TokenStream> {
        let name = Ident::new(name, self.place);
        (!is_hidden(self.subject, ty, self.place)).then(|| quote!(<#ty as __asdf::FromNode>::#name))
    }
}

fn properties(fields: &[Field]) -> impl Iterator<Item = (&Field, &Property)> {
    fields.iter().filter_map(|field| Some((field, field.property()?)))
}

/// The conjunction of the conditions, if all of them are known.
fn all(conditions: impl Iterator<Item = Option<TokenStream>>) -> Option<TokenStream> {
    let conditions: Vec<TokenStream> = conditions.collect::<Option<_>>()?;
    Some(quote!((true #(&& #conditions)*)))
}
