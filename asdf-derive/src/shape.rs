//! What a type is: a mapping, one value, or a choice.

use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Fields, Ident, Type, Variant, Visibility};

use crate::attribute::{Owner, items, own};
use crate::container::Container;
use crate::errors::Errors;
use crate::field::{Field, Role};

/// What a type is.
pub(crate) enum Shape {
    /// A struct with named fields.
    Mapping(Vec<Field>),
    /// A struct of one value.
    Newtype(Box<Newtype>),
    /// An enum.
    Choice(Vec<Alternative>),
}

/// A struct of one value, and perhaps the tag that it was read with.
pub(crate) struct Newtype {
    pub(crate) value: Type,
    /// The places of the value and of the kept tag among the fields.
    pub(crate) value_index: usize,
    pub(crate) tag_index: Option<usize>,
}

/// A variant.
pub(crate) struct Alternative {
    pub(crate) ident: Ident,
    pub(crate) content: Content,
}

/// What a variant is in the file.
pub(crate) enum Content {
    /// A string.
    Name(String),
    /// A value.
    Value(Box<Type>),
}

impl Shape {
    /// What the type is, if that can be told in spite of its errors.
    pub(crate) fn parse(input: &DeriveInput, container: &Container, errors: &mut Errors) -> Option<Self> {
        let shape = match &input.data {
            Data::Struct(data) => match &data.fields {
                Fields::Named(fields) => Some(mapping(fields, errors)),
                Fields::Unnamed(fields) => newtype(fields, container, errors),
                Fields::Unit => {
                    errors.at(
                        &input.ident,
                        format!(
                            "a unit struct holds no value; `struct {0} {{}}` is an empty mapping, and \
                             `enum {0} {{ Word }}` is always the same string",
                            input.ident
                        ),
                    );
                    None
                }
            },
            Data::Enum(data) => {
                if data.variants.is_empty() {
                    errors.at(&input.ident, "an enum without variants has no values");
                }
                Some(choice(data.variants.iter(), errors))
            }
            Data::Union(data) => {
                errors.at(&data.union_token, "a union cannot be read safely; use an enum");
                None
            }
        };
        unsuitable(&input.data, container, errors);
        let keeps_tag = match &shape {
            Some(Self::Mapping(fields)) => {
                fields.iter().find(|field| matches!(field.role, Role::Tag)).map(|field| field.ident.span())
            }
            Some(Self::Newtype(newtype)) => newtype.tag_index.map(|_| input.ident.span()),
            _ => None,
        };
        if let Some(span) = keeps_tag.filter(|_| !container.is_tagged) {
            let message = "a field keeps the tag, but the type has none: add `#[asdf(tag = \"...\")]`";
            errors.at_span(span, message);
        }
        shape
    }
}

/// Attributes of a type that do not fit what it is.
fn unsuitable(data: &Data, container: &Container, errors: &mut Errors) {
    let tuple = matches!(data, Data::Struct(data) if matches!(data.fields, Fields::Unnamed(_)));
    if let (Some((name, _)), false) = (&container.check, tuple) {
        let instead = "give the value that has constraints a newtype, such as `struct Percent(f64);`";
        errors.at(name, format!("`check` is for newtypes; {instead}"));
    }
    if let Some(name) = &container.new {
        if matches!(data, Data::Enum(_)) {
            errors.at(name, "`new` is for structs; the variants of an enum are written as they are");
        } else if container.check.is_some() && tuple {
            errors.at(name, "a type with `check` always has `new`; leave `new` out");
        }
    }
}

fn mapping(fields: &syn::FieldsNamed, errors: &mut Errors) -> Shape {
    let mut parsed: Vec<Field> = Vec::new();
    for field in &fields.named {
        let Some(ident) = &field.ident else { continue };
        let field = Field::parse(field, ident, errors);
        let clash = parsed.iter().find(|earlier| match (&earlier.role, &field.role) {
            (Role::Property(a), Role::Property(b)) => a.key == b.key,
            (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
        });
        if let Some(earlier) = clash {
            let earlier = &earlier.ident;
            let message = match &field.role {
                Role::Property(property) => {
                    format!("the key \"{}\" is taken by the field `{earlier}`", property.key)
                }
                Role::Extra => format!("the field `{earlier}` is `extra` already"),
                Role::Tag => format!("the field `{earlier}` is `tag` already"),
            };
            errors.at(ident, message);
        }
        parsed.push(field);
    }
    Shape::Mapping(parsed)
}

fn newtype(fields: &syn::FieldsUnnamed, container: &Container, errors: &mut Errors) -> Option<Shape> {
    let mut values = Vec::new();
    let mut tags = Vec::new();
    for (index, field) in fields.unnamed.iter().enumerate() {
        let items = items(&field.attrs, Owner::Field, errors);
        if let [item] = items.as_slice() {
            if item.name == "tag" {
                errors.ok(item.flag());
                tags.push((index, field));
                continue;
            }
        }
        for item in &items {
            errors.at(
                &item.name,
                format!("`{}` is for fields with names; this one is the whole value", item.name),
            );
        }
        values.push((index, field));
    }
    if let Some((_, second)) = tags.get(1) {
        errors.at(*second, "another field is `tag` already");
    }
    let (value_index, value) = match values.as_slice() {
        [value] => *value,
        [] => {
            errors.at(fields, "this holds no value; a mapping without properties is `struct Name {}`");
            return None;
        }
        [_, second, ..] => {
            errors.at(
                second.1,
                "a tuple struct stands for its one value; name the fields for a mapping, or write \
                 `struct Name((A, B));` for a sequence",
            );
            return None;
        }
    };
    if container.check.is_some() && !matches!(value.vis, Visibility::Inherited) {
        errors.at(&value.vis, "the field must be private, or anybody could make an invalid value");
    }
    let tag_index = tags.first().map(|(index, _)| *index);
    let newtype = Newtype { value: value.ty.clone(), value_index, tag_index };
    Some(Shape::Newtype(Box::new(newtype)))
}

fn choice<'a>(variants: impl Iterator<Item = &'a Variant>, errors: &mut Errors) -> Shape {
    let mut parsed: Vec<Alternative> = Vec::new();
    for variant in variants {
        let Some(content) = content(variant, errors) else { continue };
        if let Content::Name(name) = &content {
            let clash =
                parsed.iter().find(|earlier| matches!(&earlier.content, Content::Name(n) if n == name));
            if let Some(earlier) = clash {
                let message = format!("the name \"{name}\" is taken by the variant `{}`", earlier.ident);
                errors.at(&variant.ident, message);
            }
        }
        if let Content::Value(ty) = &content {
            let same = parsed.iter().find(|earlier| matches!(&earlier.content, Content::Value(t) if t == ty));
            if let Some(earlier) = same {
                let message = format!("this variant is never read: `{}` holds the same type", earlier.ident);
                errors.at(&variant.ident, message);
            }
        }
        parsed.push(Alternative { ident: variant.ident.clone(), content });
    }
    Shape::Choice(parsed)
}

fn content(variant: &Variant, errors: &mut Errors) -> Option<Content> {
    use syn::ext::IdentExt as _;
    let ident = &variant.ident;
    let items = items(&variant.attrs, Owner::Variant, errors);
    for attribute in variant.fields.iter().flat_map(|field| own(&field.attrs)) {
        errors.at(attribute, "the value of a variant has no attributes; give it a type of its own");
    }
    match &variant.fields {
        Fields::Unit => {
            let renamed = items.first().and_then(|item| errors.ok(item.string()));
            Some(Content::Name(renamed.map_or_else(|| ident.unraw().to_string(), |name| name.value())))
        }
        Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
            if let Some(item) = items.first() {
                errors.at(
                    &item.name,
                    "a variant with a value has no name in the file; it is found by the kind and tag of the value",
                );
            }
            fields.unnamed.first().map(|field| Content::Value(Box::new(field.ty.clone())))
        }
        Fields::Unnamed(fields) if fields.unnamed.is_empty() => {
            errors.at(variant, format!("write `{ident}` without parentheses"));
            None
        }
        fields => {
            errors.at_span(
                fields.span(),
                format!(
                    "a variant has one value; move these into a struct that derives `Asdf`, and write \
                     `{ident}({ident})`"
                ),
            );
            None
        }
    }
}
