//! The fields of a struct against the properties of a schema.

use asdf_schema_model::nearest;
use proc_macro2::Span;
use quote::quote_spanned;
use syn::{Ident, Type, parse_quote, parse_quote_spanned};

use super::facts::Facts;
use super::library::Library;
use super::{Comparison, place, quoted};
use crate::field::{Default, Field, Property, Role, With};
use crate::subject::Subject;
use crate::types::option_inner;

impl Comparison {
    pub(super) fn compare_fields(
        &mut self,
        subject: &Subject<'_>,
        fields: &[Field],
        facts: &Facts,
        library: &mut Library,
    ) {
        let properties = fields.iter().filter_map(Field::property);
        let keys: Vec<&str> = properties.flat_map(Property::names).map(String::as_str).collect();
        let flattened: Vec<&Type> = fields
            .iter()
            .filter(|field| matches!(field.role, Role::Flatten(_)))
            .map(|field| &field.ty)
            .collect();
        // Names that no field has, where a slip is looked for.
        let missing: Vec<&str> = facts
            .properties
            .iter()
            .map(|property| &property.name)
            .chain(&facts.required)
            .map(|name| name.text.as_str())
            .filter(|name| !keys.contains(name))
            .collect();
        let mut meant: Vec<&str> = Vec::new();
        for field in fields {
            match &field.role {
                Role::Property(property) if facts.property(&property.key).is_some() => {
                    self.compare_property(subject, field, property, facts, library);
                }
                Role::Property(property) => {
                    // What is missing may be in a flattened type.
                    let slip = nearest(&property.key, &missing).filter(|_| flattened.is_empty());
                    meant.extend(slip);
                    self.unknown(&field.ident, &property.key, slip, facts);
                    self.forbidden(field, property, slip.is_some(), facts);
                }
                Role::Extra => self.compare_extra(subject, &field.ident, facts),
                Role::Tag | Role::Flatten(_) | Role::Skip(_) => {}
            }
        }
        let keeps_rest = fields.iter().any(|field| matches!(field.role, Role::Extra));
        for name in missing.iter().filter(|name| !meant.contains(name)) {
            let required = facts.required.iter().find(|word| word.text == **name);
            let property = facts.property(name);
            if let Some(required) = required {
                let message =
                    format!("the schema requires `{name}` ({}), which has no field", required.place());
                self.missing(subject, &flattened, name, &message);
            } else if let (Some(property), false) = (property, keeps_rest) {
                let message = format!(
                    "the schema's property `{name}` ({}) has no field, so a file that has it cannot be read; \
                     add a field of type `Option<...>`, or `#[asdf(extra)] extra: Extra` for all that have none",
                    property.name.place()
                );
                self.missing(subject, &flattened, name, &message);
            }
        }
    }

    /// A property of the schema that has no field, unless a flattened type has it.
    fn missing(&mut self, subject: &Subject<'_>, flattened: &[&Type], name: &str, message: &str) {
        let ident = &subject.input.ident;
        if flattened.is_empty() {
            self.errors.at(ident, message);
            return;
        }
        let at = Span::mixed_site().located_at(ident.span());
        let condition = quote_spanned! {at=>
            #(<#flattened as __asdf::FromFields>::KEYS.has(#name))||*
        };
        self.assertions.require(subject, &parse_quote!((#(#flattened,)*)), ident.span(), &condition, message);
    }

    /// A field that the schema does not name, and that is near to a name that has no field.
    fn unknown(&mut self, ident: &Ident, key: &str, slip: Option<&str>, facts: &Facts) {
        let Some(slip) = slip else { return };
        let property = facts.property(slip).map(|property| &property.name);
        let Some(words) = property.or_else(|| facts.required.iter().find(|word| word.text == slip)) else {
            return;
        };
        let message =
            format!("`{key}` is no property of the schema; did you mean `{slip}` ({})?", words.place());
        self.errors.at(ident, message);
    }

    /// A field that the schema does not name, and does not allow.
    fn forbidden(&mut self, field: &Field, property: &Property, told: bool, facts: &Facts) {
        let key = &property.key;
        let closed = facts.closed.iter().find(|closed| !closed.names.contains(key));
        let Some(closed) = closed.filter(|_| !told) else { return };
        let message = if closed.names.is_empty() {
            format!("the schema allows no property `{key}`: {}", quoted(&closed.words))
        } else {
            format!(
                "the schema allows no property `{key}`: {} beside `{}`",
                quoted(&closed.words),
                closed.names.join("`, `")
            )
        };
        self.errors.at(&field.ident, message);
    }

    fn compare_extra(&mut self, subject: &Subject<'_>, ident: &Ident, facts: &Facts) {
        // Another version of the schema may allow more.
        let versions = subject.container.tag.as_ref().is_some_and(|tag| !tag.accepts.is_empty());
        if let Some(closed) = facts.closed.first().filter(|_| !versions) {
            let message =
                format!("the schema allows no further properties to keep: {}", quoted(&closed.words));
            self.errors.at(ident, message);
        }
    }

    fn compare_property(
        &mut self,
        subject: &Subject<'_>,
        field: &Field,
        property: &Property,
        facts: &Facts,
        library: &mut Library,
    ) {
        let key = &property.key;
        let Some(named) = facts.property(key) else { return };
        if let Some(closed) = facts.closed.iter().find(|closed| !closed.names.contains(key)) {
            // One part of `allOf` names it, and another forbids it.
            let message = format!("the schema allows no property `{key}`: {}", quoted(&closed.words));
            self.errors.at(&field.ident, message);
        }
        let required = facts.required.iter().find(|word| word.text == *key);
        let always = matches!(&property.default, Some(default) if !matches!(default, Default::OfType));
        let place = place(&field.ty);
        if let Some(words) = required.filter(|_| !always) {
            let message =
                format!("the schema requires `{key}` ({}), and this type may leave it out", words.place());
            if property.with.is_some() {
                if option_inner(&field.ty).is_some() {
                    self.errors.at(&field.ty, message);
                }
            } else {
                self.optional(subject, field, place, false, &message);
            }
        }
        // What a part that was not followed requires is not known.
        if required.is_none() && property.default.is_none() && !facts.unclear {
            let message = format!(
                "the schema does not require `{key}` ({}), so it may be missing: the field is an `Option`, or \
                 has a `default`",
                named.name.place()
            );
            if property.with.is_some() {
                if option_inner(&field.ty).is_none() {
                    self.errors.at(&field.ty, message);
                }
            } else {
                self.optional(subject, field, place, true, &message);
            }
        }
        let ty = match &property.with {
            None => field.ty.clone(),
            Some(With::Module(_)) => return,
            Some(With::Array(_) | With::Records(_)) => {
                parse_quote_spanned!(place=> __asdf::NdArray)
            }
        };
        let facts = Facts::of(&named.schemas, library);
        if let Some((kinds, words)) = &facts.kinds {
            self.fits(subject, &ty, place, *kinds, &format!("the schema says {} of `{key}`", quoted(words)));
        }
        for tag in facts.tags.iter().filter(|tag| !tag.text.starts_with("tag:yaml.org,2002:")) {
            let message = format!(
                "the schema says `tag: {}` of `{key}` ({}), and this type is written otherwise",
                tag.text,
                tag.place()
            );
            let pattern = &tag.text;
            let written = match property.write_tags.first() {
                Some(tag) => quote_spanned!(place=> __asdf::OwnTag::OneOf(&[#tag])),
                None => quote_spanned!(place=> <#ty as __asdf::FromNode>::OWN_TAG),
            };
            let condition = quote_spanned!(place=> __asdf::tag_fits(#written, #pattern));
            self.assertions.require(subject, &ty, place, &condition, &message);
        }
    }

    /// Asserts that a property may be missing, or may not.
    fn optional(&mut self, subject: &Subject<'_>, field: &Field, place: Span, expected: bool, message: &str) {
        let ty = &field.ty;
        let condition = quote_spanned!(place=> <#ty as __asdf::FromNode>::OPTIONAL == #expected);
        self.assertions.require(subject, ty, place, &condition, message);
    }
}
