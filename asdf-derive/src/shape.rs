//! The shape of a type: a mapping, one value, a list, or a choice.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Fields, Ident, LitStr, Type, Variant, Visibility};

use crate::attribute::{Owner, items, own};
use crate::case::Case;
use crate::container::Container;
use crate::errors::Errors;
use crate::field::{Field, Role, write_tags};
use crate::item::Item;

/// The shape of a type.
pub(crate) enum Shape {
    /// A struct with named fields.
    Mapping(Vec<Field>),
    /// A struct of one value.
    Newtype(Box<Newtype>),
    /// A struct of several unnamed values.
    List(Box<List>),
    /// An enum.
    Choice(Vec<Alternative>),
    /// A type that is read and written as another type.
    Converted(Box<Type>),
}

/// A struct of one value and, optionally, the tag that it was read with.
pub(crate) struct Newtype {
    pub(crate) value: Type,
    /// The index of the field with the value.
    pub(crate) value_index: usize,
    /// The index and type of the field with the kept tag.
    pub(crate) tag: Option<(usize, Type)>,
}

/// The values of a list and the kept tag, each with the index of its field.
pub(crate) struct List {
    pub(crate) values: Vec<(usize, Type)>,
    pub(crate) tag: Option<(usize, Type)>,
}

/// A variant.
pub(crate) struct Alternative {
    pub(crate) ident: Ident,
    pub(crate) content: Content,
    /// The tag to write, and the patterns of other tags that values keep.
    pub(crate) write_tags: Vec<LitStr>,
}

/// The form of a variant in the file.
pub(crate) enum Content {
    /// A string.
    Name(String),
    /// A value.
    Value(Box<Type>),
    /// A list of several values.
    List(Vec<Type>),
    /// A mapping of the variant's fields. The name is used if a key selects the variant.
    Mapping(String, Vec<Field>),
}

impl Shape {
    /// Parses the shape. `None` if errors make it unclear.
    pub(crate) fn parse(input: &DeriveInput, container: &Container, errors: &mut Errors) -> Option<Self> {
        if let Some(conversion) = &container.conversion {
            container.refuse_beside(conversion, input, errors);
            return Some(Self::Converted(Box::new(conversion.ty.clone())));
        }
        let shape = match &input.data {
            Data::Struct(data) => match &data.fields {
                Fields::Named(fields) => Some(mapping(fields, container.case(), errors)),
                Fields::Unnamed(fields) => tuple(fields, container, errors),
                // A unit struct is an empty mapping; `Self {}` constructs it too.
                Fields::Unit => Some(Self::Mapping(Vec::new())),
            },
            Data::Enum(data) => {
                if data.variants.is_empty() {
                    errors.at(&input.ident, "an enum without variants has no values");
                }
                Some(choice(data.variants.iter(), container, errors))
            }
            Data::Union(data) => {
                errors.at(&data.union_token, "a union cannot be read safely; use an enum instead");
                None
            }
        };
        unsuitable(input, container, errors);
        let keeps_tag = match &shape {
            Some(Self::Mapping(fields)) => {
                fields.iter().find(|field| matches!(field.role, Role::Tag)).map(|field| field.ident.span())
            }
            Some(Self::Newtype(newtype)) => newtype.tag.as_ref().map(|_| input.ident.span()),
            Some(Self::List(list)) => list.tag.as_ref().map(|_| input.ident.span()),
            _ => None,
        };
        if let Some(span) = keeps_tag.filter(|_| !container.is_tagged) {
            let message =
                "a field keeps the tag, but the type does not have a tag: add `#[asdf(tag = \"...\")]`";
            errors.at_span(span, message);
        }
        shape
    }
}

impl Shape {
    /// All named fields, including those of variants.
    pub(crate) fn fields(&self) -> impl Iterator<Item = &Field> {
        let fields: Vec<&Field> = match self {
            Self::Mapping(fields) => fields.iter().collect(),
            Self::Choice(alternatives) => {
                alternatives.iter().flat_map(|alternative| alternative.content.fields()).collect()
            }
            Self::Newtype(_) | Self::List(_) | Self::Converted(_) => Vec::new(),
        };
        fields.into_iter()
    }
}

impl Content {
    /// The named fields.
    pub(crate) fn fields(&self) -> &[Field] {
        match self {
            Self::Mapping(_, fields) => fields,
            _ => &[],
        }
    }
}

/// Reports attributes that do not fit the shape of the type.
fn unsuitable(input: &DeriveInput, container: &Container, errors: &mut Errors) {
    let data = &input.data;
    let newtype = matches!(data, Data::Struct(data) if values(&data.fields) == 1);
    let tuple = matches!(data, Data::Struct(data) if matches!(data.fields, Fields::Unnamed(_)));
    if let (Some((name, _)), false) = (&container.check, newtype) {
        let instead = "wrap the value in a newtype, such as `struct Percent(f64);`";
        errors.at(name, format!("`check` is for newtypes; {instead}"));
    }
    if let Some(name) = &container.new {
        if matches!(data, Data::Enum(_)) {
            errors.at(name, "`new` is for structs; construct the variants of an enum directly");
        } else if container.check.is_some() && tuple {
            errors.at(name, "a type with `check` always has `new`; remove `new`");
        } else if tuple && !newtype {
            errors.at(
                name,
                "`new` is for structs with named fields or one value; construct this one directly, as `Name(a, b)`",
            );
        }
    }
    let has_fields = matches!(data, Data::Struct(data) if !matches!(data.fields, Fields::Unnamed(_)));
    if let (Some(name), false) = (&container.builder, has_fields) {
        errors.at(name, "`builder` is for structs with named fields");
    }
    if let Some(name) = &container.by_tag {
        let values = matches!(data, Data::Enum(data) if data.variants.iter().all(|variant| {
            matches!(&variant.fields, Fields::Unnamed(fields) if fields.unnamed.len() == 1)
        }));
        if !values || container.is_tagged {
            errors.at(name, "`by_tag` is for enums without a tag whose variants all hold one value");
        }
    }
    let has_names = match data {
        Data::Enum(data) => data
            .variants
            .iter()
            .any(|variant| container.key.is_some() || matches!(variant.fields, Fields::Unit)),
        _ => has_fields,
    };
    if let (Some((name, _)), false) = (&container.rename_all, has_names) {
        errors.at(name, "`rename_all` needs named fields, or variants that have a name in the file");
    }
    if let Some(name) = &container.text {
        let names = matches!(data, Data::Enum(data) if data.variants.iter().all(|variant| {
            matches!(variant.fields, Fields::Unit) && container.key.is_none()
        }));
        if !newtype && !names {
            errors.at(
                name,
                "`text` is for newtypes of text, such as `struct Name(String);`, and enums of names",
            );
        } else if container.write_only {
            errors.at(name, "a type with `text` can always be read; remove `write_only`");
        }
    }
    if let (Some((name, _)), false) = (&container.key, matches!(data, Data::Enum(_))) {
        errors.at(name, "`key` is for enums: it names the property whose value selects the variant");
    }
    if container.write_only {
        return;
    }
    let fields: Vec<&syn::Field> = match data {
        Data::Struct(data) => data.fields.iter().collect(),
        Data::Enum(data) => data.variants.iter().flat_map(|variant| &variant.fields).collect(),
        Data::Union(_) => Vec::new(),
    };
    for field in fields {
        if let (Some(reference), false) = (reference(&field.ty), is_converted(field)) {
            errors.at(
                reference,
                "a type that is read cannot hold a reference: use an owned type (`String`, `Vec<T>`, `Cow`), or add \
                 `#[asdf(write_only)]` to the type",
            );
        }
    }
}

/// Whether attributes say how to read the field, or to skip it.
fn is_converted(field: &syn::Field) -> bool {
    // Errors are reported when the field is parsed.
    items(&field.attrs, Owner::Field, &mut Errors::default())
        .iter()
        .any(|item| item.name == "with" || item.name == "skip")
}

/// The type itself, or the type inside its `Option`, if that is a reference.
fn reference(ty: &Type) -> Option<&Type> {
    let inner = crate::types::option_inner(ty).unwrap_or(ty);
    matches!(inner, Type::Reference(_)).then_some(inner)
}

/// The number of unnamed fields that hold values.
fn values(fields: &Fields) -> usize {
    match fields {
        Fields::Unnamed(fields) => {
            fields.unnamed.len() - fields.unnamed.iter().filter(|field| keeps_tag(field)).count()
        }
        _ => 0,
    }
}

/// Whether the only attribute of a field is `tag`.
fn keeps_tag(field: &syn::Field) -> bool {
    let items = items(&field.attrs, Owner::Field, &mut Errors::default());
    matches!(items.as_slice(), [item] if item.name == "tag" && item.is_flag())
}

fn mapping(fields: &syn::FieldsNamed, case: Option<Case>, errors: &mut Errors) -> Shape {
    let mut parsed: Vec<Field> = Vec::new();
    for field in &fields.named {
        let Some(ident) = &field.ident else { continue };
        let field = Field::parse(field, ident, case, errors);
        let clash = parsed.iter().find_map(|earlier| {
            let message = match (&earlier.role, &field.role) {
                (Role::Property(theirs), Role::Property(property)) => {
                    let key = property.names().find(|&key| theirs.names().any(|other| other == key))?;
                    format!("the field `{}` already has the key \"{key}\"", earlier.ident)
                }
                (Role::Extra, Role::Extra) => format!("the field `{}` is already `extra`", earlier.ident),
                (Role::Tag, Role::Tag) => format!("the field `{}` is already `tag`", earlier.ident),
                _ => return None,
            };
            Some(message)
        });
        if let Some(message) = clash {
            errors.at(ident, message);
        }
        parsed.push(field);
    }
    Shape::Mapping(parsed)
}

fn tuple(fields: &syn::FieldsUnnamed, container: &Container, errors: &mut Errors) -> Option<Shape> {
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
            errors.at(&item.name, format!("`{}` is for named fields", item.name));
        }
        values.push((index, field));
    }
    if let Some((_, second)) = tags.get(1) {
        errors.at(*second, "another field is already `tag`");
    }
    let tag = tags.first().map(|(index, field)| (*index, field.ty.clone()));
    let (value_index, value) = match values.as_slice() {
        [value] => *value,
        [] => {
            errors.at(
                fields,
                "found a struct without values, expected at least one; write `struct Name {}` for an empty mapping",
            );
            return None;
        }
        several => {
            let values = several.iter().map(|(index, field)| (*index, field.ty.clone())).collect();
            return Some(Shape::List(Box::new(List { values, tag })));
        }
    };
    if container.check.is_some() && !matches!(value.vis, Visibility::Inherited) {
        errors.at(&value.vis, "the field must be private, or other modules could construct an invalid value");
    }
    let newtype = Newtype { value: value.ty.clone(), value_index, tag };
    Some(Shape::Newtype(Box::new(newtype)))
}

fn choice<'a>(
    variants: impl Iterator<Item = &'a Variant>,
    container: &Container,
    errors: &mut Errors,
) -> Shape {
    let keyed = container.key.is_some();
    let mut parsed: Vec<Alternative> = Vec::new();
    for variant in variants {
        let items = items(&variant.attrs, Owner::Variant, errors);
        let rename = items.iter().find(|item| item.name == "rename");
        let Some(content) = content(variant, rename, container, errors) else { continue };
        let asked = items.iter().find(|item| item.name == "write_tags");
        let write_tags = asked.map(|item| write_tags(item, errors)).unwrap_or_default();
        if let (Some(item), false) = (asked, matches!(content, Content::Value(_))) {
            errors.at(&item.name, "`write_tags` is for variants of one value");
        }
        let name = |content: &Content| match content {
            Content::Name(name) => Some(name.clone()),
            Content::Mapping(name, _) if keyed => Some(name.clone()),
            _ => None,
        };
        if let Some(own) = name(&content) {
            let clash = parsed.iter().find(|earlier| name(&earlier.content).as_ref() == Some(&own));
            if let Some(earlier) = clash {
                let message = format!("the variant `{}` already has the name \"{own}\"", earlier.ident);
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
        parsed.push(Alternative { ident: variant.ident.clone(), content, write_tags });
    }
    Shape::Choice(parsed)
}

fn content(
    variant: &Variant,
    rename: Option<&Item>,
    container: &Container,
    errors: &mut Errors,
) -> Option<Content> {
    use syn::ext::IdentExt as _;
    let ident = &variant.ident;
    let named = matches!(variant.fields, Fields::Named(_));
    for attribute in variant.fields.iter().filter(|_| !named).flat_map(|field| own(&field.attrs)) {
        errors.at(attribute, "the value of a variant cannot have attributes; wrap it in a separate type");
    }
    let keyed = container.key.is_some();
    let mut name = || {
        let renamed = rename.and_then(|item| errors.ok(item.string()));
        let own = || match container.case() {
            Some(case) => case.of_variant(ident),
            None => ident.unraw().to_string(),
        };
        renamed.map_or_else(own, |name| name.value())
    };
    let content = match &variant.fields {
        Fields::Unit if keyed => return Some(Content::Mapping(name(), Vec::new())),
        Fields::Unit => return Some(Content::Name(name())),
        Fields::Named(fields) => {
            let name = if keyed { name() } else { String::new() };
            let Shape::Mapping(mut fields) = mapping(fields, None, errors) else { return None };
            for field in &mut fields {
                let names = (ident.unraw(), field.ident.unraw());
                field.default_fn =
                    quote::format_ident!("__default_{}_{}", names.0, names.1, span = Span::mixed_site());
                let has = |key: &String| {
                    field.property().is_some_and(|property| property.names().any(|name| name == key))
                };
                if let Some((_, inner)) = container.key.as_ref().filter(|(_, inner)| has(inner)) {
                    errors.at(
                        &field.ident,
                        format!("the key \"{inner}\" selects the variant and cannot be a field"),
                    );
                }
                if matches!(field.role, Role::Tag) {
                    errors.at(
                        &field.ident,
                        "a variant cannot keep a tag; use a struct with its own tag as the value of the variant",
                    );
                }
            }
            Content::Mapping(name, fields)
        }
        Fields::Unnamed(fields) if fields.unnamed.is_empty() => {
            errors.at(variant, format!("write `{ident}` without parentheses"));
            return None;
        }
        fields if keyed => {
            let message = format!(
                "with `key`, every variant has named fields: write `{ident} {{ ... }}`, or remove `key`"
            );
            errors.at_span(fields.span(), message);
            return None;
        }
        Fields::Unnamed(fields) => {
            let mut types = fields.unnamed.iter().map(|field| field.ty.clone());
            match (types.next(), types.len()) {
                (Some(only), 0) => Content::Value(Box::new(only)),
                (first, _) => Content::List(first.into_iter().chain(types).collect()),
            }
        }
    };
    if let Some(item) = rename.filter(|_| !keyed) {
        let message =
            "a variant with a value has no name in the file; the kind and tag of the value select it";
        errors.at(&item.name, message);
    }
    Some(content)
}
