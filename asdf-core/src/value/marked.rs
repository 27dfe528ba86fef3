//! The types of fields that derived code requires for an attribute.
//!
//! The attributes are `extra`, `tag`, `default = "text"` and `upgrades`.
//!
//! Derived code names each trait with the type of the field, so that the compiler reports a wrong type once.

use super::{Extra, KeptTag};
use crate::error::Result;
use crate::tree::NodeRef;

/// A field with `#[asdf(extra)]`.
#[diagnostic::on_unimplemented(
    message = "a field with `#[asdf(extra)]` must be of type `Extra`, found `{Self}`",
    label = "expected `Extra`",
    note = "`asdf_core::value::Extra` keeps the properties that no field names"
)]
pub trait ExtraField: Sized {
    /// Creates the value of the field.
    #[must_use]
    fn of_extra(extra: Extra) -> Self;

    /// Returns the properties in the field.
    #[must_use]
    fn extra(&self) -> &Extra;
}

impl ExtraField for Extra {
    fn of_extra(extra: Extra) -> Self {
        extra
    }

    fn extra(&self) -> &Extra {
        self
    }
}

/// A field with `#[asdf(tag)]`.
#[diagnostic::on_unimplemented(
    message = "a field with `#[asdf(tag)]` must be of type `KeptTag`, found `{Self}`",
    label = "expected `KeptTag`",
    note = "`asdf_core::value::KeptTag` keeps the tag that the value was read with"
)]
pub trait TagField: Sized {
    /// Creates the value of the field.
    #[must_use]
    fn of_tag(tag: KeptTag) -> Self;

    /// Returns the tag in the field.
    #[must_use]
    fn tag(&self) -> &KeptTag;
}

impl TagField for KeptTag {
    fn of_tag(tag: KeptTag) -> Self {
        tag
    }

    fn tag(&self) -> &KeptTag {
        self
    }
}

/// A field with `#[asdf(default = "text")]`.
#[diagnostic::on_unimplemented(
    message = "a string cannot be the default of a field of type `{Self}`",
    label = "`{Self}` does not implement `From<&str>`",
    note = "give a value of the type, such as `default = 5`, or a function that returns one: `default = path`"
)]
pub trait TextDefault: Sized {
    /// Creates the value of the field.
    #[must_use]
    fn of_text(text: &'static str) -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: From<&'static str>> TextDefault for T {
    fn of_text(text: &'static str) -> Self {
        text.into()
    }
}

/// A type with `#[asdf(upgrades = [Old])]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be created from `{Old}`",
    label = "`{Self}` does not implement `From` or `TryFrom` for this",
    note = "write `impl From<{Old}> for {Self}`, or `impl TryFrom<{Old}> for {Self}` with an error that implements \
            `Display`"
)]
pub trait UpgradeOf<Old>: Sized {
    /// Reads a node with the tag of an older version as that version's type, and converts the value.
    ///
    /// Returns `None` if the tag is another one, or one that this type reads itself. The functions belong to
    /// the older type.
    fn upgrade(
        node: NodeRef<'_>,
        own: &str,
        patterns: &[&str],
        accepts_tag: fn(&str) -> bool,
        from_node: fn(NodeRef<'_>) -> Result<Old>,
    ) -> Option<Result<Self>>;
}

#[diagnostic::do_not_recommend]
impl<Old, New: TryFrom<Old, Error: std::fmt::Display>> UpgradeOf<Old> for New {
    fn upgrade(
        node: NodeRef<'_>,
        own: &str,
        patterns: &[&str],
        accepts_tag: fn(&str) -> bool,
        from_node: fn(NodeRef<'_>) -> Result<Old>,
    ) -> Option<Result<Self>> {
        let accepted = |tag: &&str| !super::derived::accepts(own, patterns, tag) && accepts_tag(tag);
        let tag = node.own_tag().filter(accepted)?;
        let newer = |old| {
            Self::try_from(old).map_err(|error| {
                node.error(format!(
                    "a value with the tag {} cannot become one of {own}: {error}",
                    tag.escape_debug()
                ))
            })
        };
        Some(from_node(node).and_then(newer))
    }
}
