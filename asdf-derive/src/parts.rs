//! The parts of the implementations that depend on the shape of a type.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Type;

use crate::assertion::Assertions;

/// The parts for one shape. The arguments of the functions are called `node` and `tree`.
#[derive(Default)]
pub(crate) struct Parts<'a> {
    /// The types that are read and written through the traits.
    pub(crate) values: Vec<&'a Type>,
    /// The types that need `Default` for reading.
    pub(crate) defaults: Vec<&'a Type>,
    /// Whether reading needs `ToNode` too: checks write the value to show it in an error.
    pub(crate) reads_and_writes: bool,
    /// `FromNode::TYPES`.
    pub(crate) kinds: TokenStream,
    /// `FromNode::OPTIONAL` and `FromNode::OWN_TAG`, if they differ from the defaults of the trait.
    pub(crate) constants: TokenStream,
    /// The body of `from_node`, after the check of the tag.
    pub(crate) from_node: TokenStream,
    /// Further functions of `FromNode`.
    pub(crate) reading: TokenStream,
    /// The body of `to_node`, which sets the tag.
    pub(crate) to_node: TokenStream,
    /// Further functions of `ToNode`.
    pub(crate) writing: TokenStream,
    /// The body of `FromFields`, for a type that can be flattened.
    pub(crate) taking: Option<TokenStream>,
    /// The body of `ToFields`.
    pub(crate) putting: Option<TokenStream>,
    /// Other implementations.
    pub(crate) more: TokenStream,
    /// Types that other items mention.
    pub(crate) types: TokenStream,
}

impl Parts<'_> {
    /// Adds assertions, as items and as statements at the beginning of `from_node`.
    pub(crate) fn assert(&mut self, assertions: Assertions) {
        let (statements, from_node) = (assertions.statements, &self.from_node);
        self.from_node = quote!(#statements #from_node);
        self.more.extend(assertions.items);
    }
}
