//! Compares the fields of a struct with the properties of a schema.

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
        // Names of the schema without a field; a misspelled field is compared with these.
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
                    // A flattened type may have the missing property.
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
                    format!("no field for `{name}`, which the schema requires ({})", required.place());
                self.missing(subject, &flattened, name, &message);
            } else if let (Some(property), false) = (property, keeps_rest) {
                let message = format!(
                    "no field for the schema's property `{name}` ({}), so files with that property cannot be read; \
                     add a field of type `Option<...>`, or `#[asdf(extra)] extra: Extra` for all other properties",
                    property.name.place()
                );
                self.missing(subject, &flattened, name, &message);
            }
        }
    }

    /// Reports a property of the schema without a field, unless a flattened type has it.
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

    /// Reports a field that the schema does not name, if its key is close to a name without a field.
    fn unknown(&mut self, ident: &Ident, key: &str, slip: Option<&str>, facts: &Facts) {
        let Some(slip) = slip else { return };
        let property = facts.property(slip).map(|property| &property.name);
        let Some(words) = property.or_else(|| facts.required.iter().find(|word| word.text == slip)) else {
            return;
        };
        let message =
            format!("the schema has no property `{key}`; did you mean `{slip}` ({})?", words.place());
        self.errors.at(ident, message);
    }

    /// Reports a field that the schema neither names nor allows.
    fn forbidden(&mut self, field: &Field, property: &Property, reported: bool, facts: &Facts) {
        let key = &property.key;
        let closed = facts.closed.iter().find(|closed| !closed.names.contains(key));
        let Some(closed) = closed.filter(|_| !reported) else { return };
        let message = if closed.names.is_empty() {
            format!("the schema does not allow the property `{key}`: {}", quoted(&closed.words))
        } else {
            format!(
                "the schema does not allow the property `{key}`: {}, and it names only `{}`",
                quoted(&closed.words),
                closed.names.join("`, `")
            )
        };
        self.errors.at(&field.ident, message);
    }

    fn compare_extra(&mut self, subject: &Subject<'_>, ident: &Ident, facts: &Facts) {
        // The schema of another accepted version may allow more properties.
        let versions = subject.container.tag.as_ref().is_some_and(|tag| !tag.accepts.is_empty());
        if let Some(closed) = facts.closed.first().filter(|_| !versions) {
            let message =
                format!("the schema does not allow additional properties: {}", quoted(&closed.words));
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
            let message =
                format!("the schema does not allow the property `{key}`: {}", quoted(&closed.words));
            self.errors.at(&field.ident, message);
        }
        let required = facts.required.iter().find(|word| word.text == *key);
        let always = matches!(&property.default, Some(default) if !matches!(default, Default::OfType));
        let place = place(&field.ty);
        if let Some(words) = required.filter(|_| !always) {
            let message =
                format!("the schema requires `{key}` ({}), but this type can omit it", words.place());
            if property.with.is_some() {
                if option_inner(&field.ty).is_some() {
                    self.errors.at(&field.ty, message);
                }
            } else {
                self.optional(subject, field, place, false, &message);
            }
        }
        // A part of the schema that was not followed may require the property.
        if required.is_none() && property.default.is_none() && !facts.unclear {
            let message = format!(
                "the schema does not require `{key}` ({}), but this field does: use an `Option`, or add a \
                 `default`",
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
            self.fits(subject, &ty, place, *kinds, &format!("the schema says {} for `{key}`", quoted(words)));
        }
        for tag in facts.tags.iter().filter(|tag| !tag.text.starts_with("tag:yaml.org,2002:")) {
            let message = format!(
                "the schema says `tag: {}` for `{key}` ({}), but this type is written with another tag or none",
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

    /// Asserts that the type of a field is optional, or that it is not.
    fn optional(&mut self, subject: &Subject<'_>, field: &Field, place: Span, expected: bool, message: &str) {
        let ty = &field.ty;
        let condition = quote_spanned!(place=> <#ty as __asdf::FromNode>::OPTIONAL == #expected);
        self.assertions.require(subject, ty, place, &condition, message);
    }
}
