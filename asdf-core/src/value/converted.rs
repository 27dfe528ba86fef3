//! Types that are read and written through another type: `#[asdf(try_from = "T", into = "T")]`.

use std::fmt::Display;

use crate::error::Result;
use crate::tree::NodeRef;

/// A type with `#[asdf(from = "T")]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be created from `{Source}`",
    label = "`{Self}` does not implement `From` for this",
    note = "write `impl From<{Source}> for {Self}`; a conversion that can fail is `try_from`"
)]
pub trait MadeFrom<Source>: Sized {
    /// Creates the value from the source.
    #[must_use]
    fn made_from(source: Source) -> Self;
}

#[diagnostic::do_not_recommend]
impl<Source, T: From<Source>> MadeFrom<Source> for T {
    fn made_from(source: Source) -> Self {
        source.into()
    }
}

/// A type with `#[asdf(try_from = "T")]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be created from `{Source}`",
    label = "`{Self}` does not implement `TryFrom` for this",
    note = "write `impl TryFrom<{Source}> for {Self}` with an error that implements `Display`"
)]
pub trait TriedFrom<Source>: Sized {
    /// Creates the value from a source that was read from a node.
    ///
    /// # Errors
    /// Returns [`Mismatch`](crate::error::Kind::Mismatch) with the error of the conversion.
    fn tried_from(source: Source, node: NodeRef<'_>, type_name: &str) -> Result<Self>;
}

#[diagnostic::do_not_recommend]
impl<Source, T: TryFrom<Source, Error: Display>> TriedFrom<Source> for T {
    fn tried_from(source: Source, node: NodeRef<'_>, type_name: &str) -> Result<Self> {
        Self::try_from(source)
            .map_err(|error| node.error(format!("{} cannot become `{type_name}`: {error}", node.describe())))
    }
}

/// A type with `#[asdf(into = "T")]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written as `{Target}`",
    label = "`{Self}` cannot be cloned and converted to this",
    note = "write `impl From<{Self}> for {Target}`, and derive `Clone` for `{Self}`"
)]
pub trait GivenAs<Target> {
    /// Returns the value to write.
    #[must_use]
    fn given_as(&self) -> Target;
}

#[diagnostic::do_not_recommend]
impl<Target, T: Clone + Into<Target>> GivenAs<Target> for T {
    fn given_as(&self) -> Target {
        self.clone().into()
    }
}
