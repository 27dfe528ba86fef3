//! What a field with a name is: a property, or one with a task of its own.

use syn::ext::IdentExt;
use syn::{Expr, Ident, LitStr, Path, Type};

use crate::attribute::{Owner, items};
use crate::errors::Errors;
use crate::item::Item;
use crate::types::option_inner;

/// A field with a name.
pub(crate) struct Field {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    pub(crate) role: Role,
}

/// What a field is for.
pub(crate) enum Role {
    /// It holds a property.
    Property(Property),
    /// It holds the properties that have no field.
    Extra,
    /// It holds the tag that the value was read with.
    Tag,
}

/// A property of the mapping.
pub(crate) struct Property {
    pub(crate) key: String,
    pub(crate) default: Option<Default>,
    pub(crate) with: Option<Path>,
}

/// What stands for a property that is missing.
pub(crate) enum Default {
    /// `Default::default()`.
    OfType,
    /// A function to call.
    Call(Path),
    /// Some text, to be made into the field's type.
    Text(LitStr),
    /// A value.
    Value(Box<Expr>),
}

impl Field {
    /// What `#[asdf(...)]` on a field says.
    pub(crate) fn parse(field: &syn::Field, ident: &Ident, errors: &mut Errors) -> Self {
        let items = items(&field.attrs, Owner::Field, errors);
        let role = match items.iter().find(|item| item.name == "extra" || item.name == "tag") {
            Some(special) => {
                let alone = errors.ok(alone(special, &items)).is_some();
                match special.name == "extra" {
                    true => Role::Extra,
                    // What was meant to be the tag of a value is no kept tag.
                    false if alone || special.is_flag() => Role::Tag,
                    false => Role::Property(Property::parse(&[], ident, errors)),
                }
            }
            None => Role::Property(Property::parse(&items, ident, errors)),
        };
        Self { ident: ident.clone(), ty: field.ty.clone(), role }
    }

    /// The property, if it is one.
    pub(crate) fn property(&self) -> Option<&Property> {
        match &self.role {
            Role::Property(property) => Some(property),
            _ => None,
        }
    }

    /// Whether a new value needs it.
    pub(crate) fn is_required(&self) -> bool {
        self.property().is_some_and(|property| property.default.is_none()) && option_inner(&self.ty).is_none()
    }
}

/// Checks that an attribute stands alone.
fn alone(special: &Item, items: &[Item]) -> syn::Result<()> {
    let name = &special.name;
    if name == "tag" && !special.is_flag() {
        return Err(syn::Error::new(
            special.span(),
            "a field has no tag of its own: `tag = \"...\"` belongs on the type, and `tag` alone on the field \
             of type `KeptTag`",
        ));
    }
    special.flag()?;
    match items.iter().find(|item| item.name != *name) {
        Some(other) => {
            let holds = if name == "extra" { "all properties that have no field" } else { "the tag" };
            let message = format!("`{}` makes no sense with `{name}`: the field holds {holds}", other.name);
            Err(syn::Error::new(other.span(), message))
        }
        None => Ok(()),
    }
}

impl Property {
    fn parse(items: &[Item], ident: &Ident, errors: &mut Errors) -> Self {
        let mut property = Self { key: ident.unraw().to_string(), default: None, with: None };
        for item in items {
            match item.name.to_string().as_str() {
                "rename" => {
                    property.key = errors.ok(item.string()).map_or(property.key, |key| key.value());
                }
                "default" => property.default = Some(default(item)),
                _ => property.with = errors.ok(item.path()),
            }
        }
        property
    }
}

/// A path in lower case is a function, as by Rust's conventions; everything else is a value.
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
