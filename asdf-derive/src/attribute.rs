//! The names that `#[asdf(...)]` accepts on types, fields and variants.

use asdf_schema_model::nearest;
use syn::punctuated::Punctuated;
use syn::{Attribute, Meta, Token};

use crate::errors::Errors;
use crate::item::Item;

/// The item that an attribute is written on.
#[derive(Clone, Copy)]
pub(crate) enum Owner {
    Type,
    Field,
    Variant,
    Check,
    /// A type or field of `#[derive(Record)]`.
    Record,
    RecordField,
    /// A type of `#[derive(TagPattern)]`.
    TagPattern,
}

const OWNERS: [Owner; 4] = [Owner::Type, Owner::Field, Owner::Variant, Owner::Check];

impl Owner {
    pub(crate) fn names(self) -> &'static [&'static str] {
        match self {
            Self::Type => &[
                "tag",
                "accepts",
                "upgrades",
                "versions",
                "schema",
                "key",
                "by_tag",
                "rename_all",
                "check",
                "try_from",
                "from",
                "into",
                "write_check",
                "new",
                "builder",
                "text",
                "notes",
                "write_only",
                "crate",
            ],
            Self::Field => &[
                "rename",
                "alias",
                "default",
                "old_default",
                "skip",
                "flatten",
                "extra",
                "tag",
                "with",
                "array",
                "records",
                "codec",
                "write_tags",
            ],
            Self::Variant => &["rename", "write_tags"],
            Self::RecordField => &["rename"],
            Self::Record => &["crate"],
            Self::TagPattern => &["tags", "crate"],
            Self::Check => &[
                "pattern",
                "min_length",
                "max_length",
                "minimum",
                "maximum",
                "exclusive_minimum",
                "exclusive_maximum",
                "multiple_of",
                "one_of",
                "min_items",
                "max_items",
                "unique_items",
                "items",
                "contains",
            ],
        }
    }

    /// Whether a name can be repeated.
    fn repeats(self, name: &str) -> bool {
        matches!((self, name), (Self::Check, "pattern" | "multiple_of") | (Self::Field, "alias"))
    }

    /// The end of the message "`rename` belongs ...".
    fn place(self) -> &'static str {
        match self {
            Self::Type => "on the type",
            Self::Field => "on a field",
            Self::Variant => "on a variant",
            Self::Check => "in the `check(...)` of a newtype",
            Self::Record => "on a record",
            Self::RecordField => "on a field of a record",
            Self::TagPattern => "on a tag pattern",
        }
    }

    /// The middle of the message "the attributes of ... are `rename`, ...".
    fn noun(self) -> &'static str {
        match self {
            Self::Type => "attributes of a type are",
            Self::Field => "attributes of a field are",
            Self::Variant => "attributes of a variant are",
            Self::Check => "constraints are",
            Self::Record => "only attribute of a record is",
            Self::RecordField => "only attribute of a field of a record is",
            Self::TagPattern => "attributes of a tag pattern are",
        }
    }
}

/// The items of all `#[asdf(...)]` attributes, without unknown and repeated ones.
pub(crate) fn items(attributes: &[Attribute], owner: Owner, errors: &mut Errors) -> Vec<Item> {
    let mut all = Vec::new();
    for attribute in own(attributes) {
        if !matches!(attribute.meta, Meta::List(_)) {
            errors.at(attribute, "expected a list, such as `#[asdf(rename = \"key\")]`");
            continue;
        }
        let parsed = attribute.parse_args_with(Punctuated::<Item, Token![,]>::parse_terminated);
        all.extend(errors.ok(parsed).into_iter().flatten());
    }
    known(all, owner, errors)
}

/// The attributes `#[asdf(...)]`.
pub(crate) fn own(attributes: &[Attribute]) -> impl Iterator<Item = &Attribute> {
    attributes.iter().filter(|attribute| attribute.path().is_ident("asdf"))
}

/// The items of a list, without unknown and repeated ones.
pub(crate) fn known(items: Vec<Item>, owner: Owner, errors: &mut Errors) -> Vec<Item> {
    let mut known: Vec<Item> = Vec::new();
    for item in items {
        let name = item.name.to_string();
        if !owner.names().contains(&name.as_str()) {
            errors.at(&item.name, unknown(&name, owner));
        } else if !owner.repeats(&name) && known.iter().any(|other| other.name == item.name) {
            errors.at(&item.name, format!("duplicate attribute `{name}`"));
        } else {
            known.push(item);
        }
    }
    known
}

fn unknown(name: &str, owner: Owner) -> String {
    let derive = match owner {
        Owner::Record | Owner::RecordField => Some("Record"),
        Owner::TagPattern => Some("TagPattern"),
        _ => None,
    };
    if let Some(derive) = derive {
        let only = owner.names().join("`, `");
        return format!(
            "unknown attribute `{name}` for `#[derive({derive})]`; the {} `{only}`",
            owner.noun()
        );
    }
    let elsewhere: Vec<&str> =
        OWNERS.into_iter().filter(|other| other.names().contains(&name)).map(Owner::place).collect();
    if !elsewhere.is_empty() {
        return format!("`{name}` belongs {}, not {}", elsewhere.join(" or "), owner.place());
    }
    let kind = if matches!(owner, Owner::Check) { "constraint" } else { "attribute" };
    match nearest(name, owner.names()) {
        Some(meant) => format!("unknown {kind} `{name}`; did you mean `{meant}`?"),
        None => {
            format!("unknown {kind} `{name}`; the {} `{}`", owner.noun(), owner.names().join("`, `"))
        }
    }
}
