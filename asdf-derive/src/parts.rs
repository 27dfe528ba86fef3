//! What each shape puts into the implementations.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Type;

use crate::assertion::Assertions;

/// What a shape puts into the implementations. The arguments of the functions are `node` and `tree`.
#[derive(Default)]
pub(crate) struct Parts<'a> {
    /// The types that are read and written through the traits.
    pub(crate) values: Vec<&'a Type>,
    /// The types that need a default to be read.
    pub(crate) defaults: Vec<&'a Type>,
    /// Whether reading writes as well, as checks do to show a value.
    pub(crate) reads_and_writes: bool,
    /// `FromNode::TYPES`.
    pub(crate) kinds: TokenStream,
    /// `FromNode::OPTIONAL` and `FromNode::OWN_TAG`, where they are not those of other types.
    pub(crate) constants: TokenStream,
    /// The body of `from_node`, after the tag was checked.
    pub(crate) from_node: TokenStream,
    /// Further functions of `FromNode`.
    pub(crate) reading: TokenStream,
    /// The body of `to_node`, which sets the tag.
    pub(crate) to_node: TokenStream,
    /// Further functions of `ToNode`.
    pub(crate) writing: TokenStream,
    /// The body of `FromFields`, for a type that can be flattened.
    pub(crate) taking: Option<TokenStream>,
    /// That of `ToFields`.
    pub(crate) putting: Option<TokenStream>,
    /// Implementations of other things.
    pub(crate) more: TokenStream,
    /// Types that code beside the implementations names.
    pub(crate) types: TokenStream,
}

impl Parts<'_> {
    /// Adds assertions, of which some stand at the beginning of `from_node`.
    pub(crate) fn assert(&mut self, assertions: Assertions) {
        let (statements, from_node) = (assertions.statements, &self.from_node);
        self.from_node = quote!(#statements #from_node);
        self.more.extend(assertions.items);
    }
}
