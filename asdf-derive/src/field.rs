//! Named fields: properties, and fields with a special role.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Expr, Ident, LitStr, Path, Type, Visibility};

use crate::attribute::{Owner, items};
use crate::case::Case;
use crate::codec::Codec;
use crate::docs;
use crate::errors::Errors;
use crate::item::Item;
use crate::types::{is_standard, option_inner};

/// A named field.
pub(crate) struct Field {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    pub(crate) vis: Visibility,
    pub(crate) role: Role,
    pub(crate) docs: String,
    /// The name of the derived function that returns the default. Some kinds of default have no such function.
    pub(crate) default_fn: Ident,
}

/// The role of a field.
pub(crate) enum Role {
    /// It holds a property.
    Property(Property),
    /// It holds the properties without a field.
    Extra,
    /// It holds the tag that the value was read with.
    Tag,
    /// Its properties are merged into the mapping. If this is true, constructors use the default of its type.
    Flatten(bool),
    /// It is not in the file.
    Skip(Default),
}

/// A property of the mapping.
pub(crate) struct Property {
    pub(crate) key: String,
    /// Further keys that are read.
    pub(crate) aliases: Vec<String>,
    pub(crate) default: Option<Default>,
    /// The expression of the node for a property that is missing in an old file.
    pub(crate) old_default: Option<TokenStream>,
    pub(crate) with: Option<With>,
    /// The tag to write, and the patterns of other tags that values keep.
    pub(crate) write_tags: Vec<LitStr>,
}

/// How a property is read and written, if not through the traits.
pub(crate) enum With {
    /// Through the functions of a module.
    Module(Path),
    /// As an array of numbers in a block, with this codec.
    Array(Option<Codec>),
    /// As an array of records in a block, with this codec.
    Records(Option<Codec>),
}

/// The default of a missing property.
pub(crate) enum Default {
    /// `Default::default()`.
    OfType,
    /// A function to call.
    Call(Path),
    /// Text that is converted to the type of the field.
    Text(LitStr),
    /// An expression.
    Value(Box<Expr>),
}

impl Field {
    /// Parses `#[asdf(...)]` on a field.
    pub(crate) fn parse(field: &syn::Field, ident: &Ident, case: Option<Case>, errors: &mut Errors) -> Self {
        let key = case.map_or_else(|| ident.unraw().to_string(), |case| case.of_field(ident));
        let items = items(&field.attrs, Owner::Field, errors);
        let role = match items.iter().find(|item| SPECIAL.iter().any(|name| item.name == name)) {
            Some(special) => {
                let alone = errors.ok(alone(special, &items)).is_some();
                match special.name.to_string().as_str() {
                    "extra" => Role::Extra,
                    "flatten" => {
                        errors.ok(can_be_flattened(&field.ty));
                        let default = items.iter().find(|item| item.name == "default");
                        Role::Flatten(default.is_some_and(|item| errors.ok(item.flag()).is_some()))
                    }
                    "skip" => {
                        let given = items.iter().find(|item| item.name == "default");
                        Role::Skip(given.map_or(Default::OfType, default))
                    }
                    // `tag = "..."` on a field was meant as the tag of the value, so the field does not keep a tag.
                    _ if alone || special.is_flag() => Role::Tag,
                    _ => Role::Property(Property::parse(&[], key, errors)),
                }
            }
            None => Role::Property(Property::parse(&items, key, errors)),
        };
        let (ident, ty, vis) = (ident.clone(), field.ty.clone(), field.vis.clone());
        let default_fn = format_ident!("__default_{}", ident.unraw(), span = Span::mixed_site());
        Self { ident, ty, vis, role, docs: docs::of(&field.attrs), default_fn }
    }

    /// The property, if it is one.
    pub(crate) fn property(&self) -> Option<&Property> {
        match &self.role {
            Role::Property(property) => Some(property),
            _ => None,
        }
    }

    /// Whether it is read and written through the traits.
    pub(crate) fn is_converted(&self) -> bool {
        match &self.role {
            Role::Property(property) => property.with.is_none(),
            Role::Flatten(_) => true,
            Role::Extra | Role::Tag | Role::Skip(_) => false,
        }
    }

    /// Whether reading needs `Default` for its type.
    pub(crate) fn needs_default(&self) -> bool {
        match &self.role {
            Role::Property(property) => matches!(property.default, Some(Default::OfType)),
            Role::Skip(default) => matches!(default, Default::OfType),
            _ => false,
        }
    }

    /// The default of the field.
    pub(crate) fn default(&self) -> Option<&Default> {
        match &self.role {
            Role::Property(property) => property.default.as_ref(),
            Role::Skip(default) => Some(default),
            _ => None,
        }
    }

    /// Whether it is an `Option` without a default, so it is `None` unless it is given.
    pub(crate) fn has_plain_option(&self) -> bool {
        self.property().is_some_and(|property| property.default.is_none()) && option_inner(&self.ty).is_some()
    }

    /// Whether constructors require it.
    pub(crate) fn is_required(&self) -> bool {
        match &self.role {
            Role::Property(property) => property.default.is_none() && option_inner(&self.ty).is_none(),
            Role::Flatten(default) => !default,
            Role::Extra | Role::Tag | Role::Skip(_) => false,
        }
    }
}

/// The attributes of fields that are not properties.
const SPECIAL: [&str; 4] = ["extra", "tag", "flatten", "skip"];

/// Rejects types of the standard library; the compiler rejects other types that cannot be flattened.
fn can_be_flattened(ty: &Type) -> syn::Result<()> {
    if !is_standard(ty) {
        return Ok(());
    }
    Err(syn::Error::new_spanned(
        ty,
        "this type cannot be flattened: `flatten` is for structs with named fields that derive `Asdf` without a tag",
    ))
}

/// Checks that a special attribute is not combined with others.
fn alone(special: &Item, items: &[Item]) -> syn::Result<()> {
    let name = &special.name;
    if name == "tag" && !special.is_flag() {
        return Err(syn::Error::new(
            special.span(),
            "a field cannot set a tag: write `tag = \"...\"` on the type, or `tag` without a value on a field of \
             type `KeptTag`",
        ));
    }
    special.flag()?;
    let takes_default =
        |name: &Ident, item: &Item| (name == "skip" || name == "flatten") && item.name == "default";
    match items.iter().find(|item| item.name != *name && !takes_default(name, item)) {
        Some(other) => {
            let why = match name.to_string().as_str() {
                "extra" => "the field holds all properties without a field",
                "flatten" => "the field does not have a key",
                "skip" => "the field is not in the file",
                _ => "the field holds the tag",
            };
            let message = format!("`{}` cannot be combined with `{name}`: {why}", other.name);
            Err(syn::Error::new(other.span(), message))
        }
        None => Ok(()),
    }
}

impl Property {
    /// The keys that are read.
    pub(crate) fn names(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.key).chain(&self.aliases)
    }

    fn parse(items: &[Item], key: String, errors: &mut Errors) -> Self {
        let mut property = Self {
            key,
            aliases: Vec::new(),
            default: None,
            old_default: None,
            with: None,
            write_tags: Vec::new(),
        };
        let mut codec = None;
        let mut old_default = None;
        for item in items {
            match item.name.to_string().as_str() {
                "rename" => {
                    property.key = errors.ok(item.string()).map_or(property.key, |key| key.value());
                }
                "alias" => {
                    let alias = errors.ok(item.string()).map(|alias| alias.value());
                    let known = alias.as_ref().is_some_and(|alias| property.aliases.contains(alias));
                    if known {
                        errors.at(&item.name, "duplicate alias");
                    }
                    property.aliases.extend(alias);
                }
                "default" => property.default = Some(default(item)),
                "old_default" => {
                    property.old_default = errors.ok(item.node());
                    old_default = Some(&item.name);
                }
                "codec" => {
                    codec = Some((
                        item.name.clone(),
                        errors.ok(item.string().and_then(|text| Codec::parse(&text))),
                    ))
                }
                "write_tags" => property.write_tags = write_tags(item, errors),
                "with" => property.with = errors.ok(item.path()).map(With::Module),
                _ => {
                    errors.ok(item.flag());
                    let how = if item.name == "array" { With::Array } else { With::Records };
                    property.with = Some(how(None));
                }
            }
        }
        let converting: Vec<&Item> = items
            .iter()
            .filter(|item| ["with", "array", "records"].iter().any(|name| item.name == name))
            .collect();
        if let [first, second, ..] = converting.as_slice() {
            errors.at(&second.name, format!("`{}` already says how the field is stored", first.name));
        }
        if let Some(name) = old_default.filter(|_| property.default.is_some() || property.with.is_some()) {
            errors.at(name, "`old_default` cannot be combined with `default`, `with`, `array` or `records`");
        }
        if let (Some(tag), Some(_)) = (property.write_tags.first(), &property.with) {
            errors.at(tag, "`write_tags` cannot be combined with `with`, `array` or `records`");
        }
        match (&mut property.with, codec) {
            (Some(With::Array(own) | With::Records(own)), Some((_, Some(codec)))) => *own = Some(codec),
            (Some(With::Array(_) | With::Records(_)), _) | (_, None) => {}
            (_, Some((name, _))) => {
                errors.at(&name, "`codec` needs a field that is stored in a block: add `array` or `records`");
            }
        }
        property
    }
}

impl With {
    /// The function that reads a value of a type.
    pub(crate) fn reader(&self, ty: &Type) -> TokenStream {
        match self {
            Self::Module(path) => {
                quote_spanned!(Span::mixed_site().located_at(path.span())=> #path::from_node)
            }
            Self::Array(_) => quote_spanned! {Span::mixed_site()=>
            |node| <#ty as __asdf::Held>::read_field(node) },
            Self::Records(_) => quote_spanned! {Span::mixed_site()=>
            |node| <#ty as __asdf::HeldRecords>::read_field(node) },
        }
    }

    /// The path of the function that writes a value of a type.
    pub(crate) fn writer(&self, ty: &Type, write_only: bool) -> TokenStream {
        match self {
            Self::Module(path) => quote_spanned!(Span::mixed_site().located_at(path.span())=> #path::to_node),
            Self::Array(_) => quote!(<#ty as __asdf::Held>::write_field),
            // The field can be a slice, which is only written.
            Self::Records(_) if write_only => {
                quote_spanned!(Span::mixed_site().located_at(ty.span())=> __asdf::write_records)
            }
            Self::Records(_) => quote!(<#ty as __asdf::HeldRecords>::write_field),
        }
    }

    /// The function that describes a type.
    pub(crate) fn describer(&self, ty: &Type) -> TokenStream {
        match self {
            Self::Module(_) => quote!(__asdf::Description::anything),
            Self::Array(_) => quote!(<#ty as __asdf::Held>::describe_field),
            Self::Records(_) => quote!(<#ty as __asdf::HeldRecords>::describe_field),
        }
    }

    /// The additional argument of the function that writes, for arrays.
    pub(crate) fn compression(&self) -> Option<TokenStream> {
        match self {
            Self::Module(_) => None,
            Self::Array(codec) | Self::Records(codec) => {
                let codec = codec.as_ref().map(Codec::tokens);
                Some(quote!(__asdf::Compression::NONE #codec,))
            }
        }
    }

    /// The codec of a block, if one is given.
    pub(crate) fn codec(&self) -> Option<&Codec> {
        match self {
            Self::Module(_) => None,
            Self::Array(codec) | Self::Records(codec) => codec.as_ref(),
        }
    }
}

/// The local variable of a field.
pub(crate) fn local(index: usize) -> Ident {
    format_ident!("field_{index}", span = Span::mixed_site())
}

/// Parses `write_tags`.
pub(crate) fn write_tags(item: &Item, errors: &mut Errors) -> Vec<LitStr> {
    let tags = errors.ok(item.strings());
    match tags.as_ref().and_then(|tags| tags.first()) {
        Some(first) if first.value().contains('*') => {
            errors.at(first, "found a pattern, expected the tag to write as the first item of `write_tags`");
        }
        None if tags.is_some() => errors.at(&item.name, "`write_tags` needs at least one tag"),
        _ => {}
    }
    tags.unwrap_or_default()
}

/// Parses `default`. A path in lower case is a function, by the conventions of Rust; everything else is a value.
fn default(item: &Item) -> Default {
    match item.value() {
        None => Default::OfType,
        Some(Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. })) => Default::Text(text.clone()),
        Some(Expr::Path(path)) if path.qself.is_none() && is_function(&path.path) => {
            Default::Call(path.path.clone())
        }
        Some(expr) => Default::Value(Box::new(expr.clone())),
    }
}

fn is_function(path: &Path) -> bool {
    path.segments.last().is_some_and(|last| !last.ident.unraw().to_string().contains(char::is_uppercase))
}
