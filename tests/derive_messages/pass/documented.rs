//! Public types of a crate that denies every warning.

#![deny(
    warnings,
    missing_docs,
    missing_debug_implementations,
    unreachable_pub,
    unsafe_code,
    unused_qualifications,
    rust_2018_idioms,
    clippy::all,
    clippy::pedantic,
    clippy::missing_errors_doc,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::allow_attributes_without_reason
)]

use asdf_core::value::{Extra, KeptTag};
use asdf_core::{Asdf, Node, Tagged};

/// One exposure.
#[derive(Debug, Clone, PartialEq, Asdf)]
#[asdf(tag = "asdf://example.org/tags/exposure-1.1.0", accepts = ["asdf://example.org/tags/exposure-1.*"], new)]
pub struct Exposure {
    /// How long.
    pub duration: Seconds,
    /// Where to.
    pub target: Option<Target>,
    /// How many.
    #[asdf(default = 1)]
    pub count: u16,
    /// Which.
    #[asdf(default, rename = "filter names")]
    pub filters: Vec<FilterName>,
    /// With what, if it is known.
    pub instrument: Option<Tagged<Instrument<f32>>>,
    /// The tag it was read with.
    #[asdf(tag)]
    pub tag: KeptTag,
    /// What else there is.
    #[asdf(extra)]
    pub extra: Extra,
}

/// A duration.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Asdf)]
#[asdf(check(exclusive_minimum = 0, maximum = 86400.0))]
pub struct Seconds(f64);

/// The name of a filter.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Asdf)]
#[asdf(check(pattern = "^[a-z]+$", min_length = 1, max_length = 16))]
pub struct FilterName(String);

/// The names of filters, each once.
#[derive(Debug, Clone, PartialEq, Asdf)]
#[asdf(check(min_items = 1, max_items = 9, unique_items))]
pub struct FilterNames(Vec<FilterName>);

/// A target.
#[derive(Debug, Clone, PartialEq, Asdf)]
pub enum Target {
    /// The sky.
    #[asdf(rename = "blank sky")]
    Sky,
    /// Nothing.
    None,
    /// A name.
    Name(String),
    /// A position.
    Position([f64; 2]),
    /// Anything else.
    Other(Box<Node>),
}

/// A mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Asdf)]
#[asdf(tag = "asdf://example.org/tags/mode-1.0.0")]
pub enum Mode {
    /// Fast.
    Fast,
    /// Slow.
    Slow,
}

/// An instrument.
#[derive(Debug, Clone, PartialEq, Asdf)]
#[asdf(tag = "asdf://example.org/tags/instrument-1.0.0", new)]
pub struct Instrument<T> {
    /// Something about it.
    pub value: T,
}

/// Anything.
#[derive(Debug, Clone, PartialEq, Asdf)]
#[asdf(new)]
pub struct Anything(pub Node);

/// Nothing.
#[derive(Debug, Clone, PartialEq, Eq, Asdf)]
#[asdf(new)]
pub struct Nothing {}

fn main() -> asdf_core::Result<()> {
    let exposure = Exposure::new(Seconds::new(1.5)?);
    let tree = asdf_core::yaml::parse("duration: 1.5")?;
    assert_eq!(tree.get::<Exposure>("")?, Exposure { tag: KeptTag::Untagged, ..exposure });
    Ok(())
}
