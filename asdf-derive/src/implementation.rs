//! The implementations that all shapes share, around what each shape puts in.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{DeriveInput, Generics, Member, Type};

use crate::assertion::Assertions;
use crate::container::{Container, Tag};
use crate::errors::Errors;
use crate::generics::{bounded, bounded_types};
use crate::shape::Shape;
use crate::{choice, conversion, describe, list, mapping, newtype, reach, values};

/// A type that makes sense.
pub(crate) struct Subject<'a> {
    pub(crate) input: &'a DeriveInput,
    pub(crate) container: &'a Container,
}

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
    fn assert(&mut self, assertions: Assertions) {
        let (statements, from_node) = (assertions.statements, &self.from_node);
        self.from_node = quote!(#statements #from_node);
        self.more.extend(assertions.items);
    }
}

/// The code for a type.
pub(crate) fn expand(input: &DeriveInput) -> syn::Result<TokenStream> {
    let mut errors = Errors::default();
    let container = Container::parse(&input.attrs, &mut errors);
    let shape = Shape::parse(input, &container, &mut errors);
    errors.finish()?;
    let subject = Subject { input, container: &container };
    let Some(shape) = &shape else { return Ok(TokenStream::new()) };
    let mut parts = match shape {
        Shape::Mapping(fields) => mapping::parts(&subject, fields),
        Shape::List(list) => list::parts(&subject, list),
        Shape::Newtype(newtype) => newtype::parts(&subject, newtype),
        Shape::Choice(alternatives) => choice::parts(&subject, alternatives),
        Shape::Converted(_) => match &container.conversion {
            Some(conversion) => conversion::parts(&subject, conversion),
            None => return Ok(TokenStream::new()),
        },
    };
    let describe = describe::function(&subject, shape);
    parts.reading.extend(describe);
    parts.more.extend(mapping::default_functions(&subject, shape));
    let mut assertions = Assertions::default();
    assertions.require_taggable(&subject, shape);
    assertions.require_levels(shape);
    if let Shape::Choice(alternatives) = shape {
        reach::require(&mut assertions, &subject, alternatives);
    }
    parts.assert(assertions);
    if let Some(file) = &container.schema {
        compare(&subject, shape, file, &mut parts);
    }
    Ok(subject.implement(parts))
}

/// Adds what the comparison with a schema gives. Its errors stand beside the code, so that the compiler
/// says what it finds in the types at the same time.
#[cfg(feature = "schema")]
fn compare(subject: &Subject<'_>, shape: &Shape, file: &syn::LitStr, parts: &mut Parts<'_>) {
    let comparison = crate::schema::Comparison::of(subject, shape, file);
    parts.assert(comparison.assertions);
    parts.more.extend(comparison.items);
    parts.more.extend(comparison.errors.finish().err().map(syn::Error::into_compile_error));
}

#[cfg(not(feature = "schema"))]
fn compare(_subject: &Subject<'_>, _shape: &Shape, file: &syn::LitStr, parts: &mut Parts<'_>) {
    let message = "comparing types with schemas needs the feature `schema` of asdf-core";
    parts.more.extend(syn::Error::new_spanned(file, message).into_compile_error());
}

impl Subject<'_> {
    /// The type's name, for messages.
    pub(crate) fn name(&self) -> String {
        self.input.ident.unraw().to_string()
    }

    /// An `impl` of a trait, or of the type's own functions.
    pub(crate) fn implementation(
        &self,
        of: Option<&TokenStream>,
        generics: &Generics,
        body: &TokenStream,
    ) -> TokenStream {
        let ident = &self.input.ident;
        let (parameters, arguments, clause) = generics.split_for_impl();
        let of = of.map(|of| quote!(#of for));
        quote! {
            #[automatically_derived]
            impl #parameters #of #ident #arguments #clause {
                #body
            }
        }
    }

    /// The constant of a type whose values have no tag; nothing for one with a tag.
    pub(crate) fn untagged(&self) -> Option<TokenStream> {
        let none = quote!(
            const OWN_TAG: __asdf::OwnTag = __asdf::OwnTag::None;
        );
        self.container.tag.is_none().then_some(none)
    }

    /// A statement that sets the tag of the node `id`, to the kept one if the field is given; nothing
    /// for a type without a tag. It fails for values that cannot have one.
    pub(crate) fn set_tag(&self, kept: Option<(&Member, &Type)>) -> TokenStream {
        let Some(Tag { own, accepts }) = &self.container.tag else { return TokenStream::new() };
        let at = Span::mixed_site();
        let kept = kept.map(|(member, ty)| match self.container.write_only {
            true => quote_spanned!(at=> &self.#member),
            false => quote_spanned!(at=> <#ty as __asdf::TagField>::tag(&self.#member)),
        });
        let tag = match (kept, self.versions()) {
            (Some(kept), Some(versions)) => {
                return quote_spanned!(at=> (#versions).apply(#kept, tree, id)?;);
            }
            (Some(kept), None) => {
                return quote_spanned! {at=>
                    __asdf::set_kept_tag(tree, id, #kept, #own, &[#(#accepts),*])?;
                };
            }
            (None, _) => quote_spanned!(at=> __asdf::Some(#own)),
        };
        quote_spanned!(at=> __asdf::set_tag(tree, id, #tag)?;)
    }

    /// The expression that asks the function of `write_check`.
    pub(crate) fn write_check(&self) -> Option<TokenStream> {
        let function = self.container.write_check.as_ref()?;
        // What is wrong with the function is shown at its name.
        let at = Span::mixed_site().located_at(function.span());
        Some(quote_spanned! {at=> {
            let check: fn(&Self) -> __asdf::Result<()> = #function;
            check(self)
        }})
    }

    /// The tags that are read, if there are types of other versions.
    fn versions(&self) -> Option<TokenStream> {
        let Tag { own, accepts } = self.container.tag.as_ref()?;
        let others = &self.container.versions;
        let others = others.iter().map(|other| {
            // What is missing is shown at the other type.
            let at = Span::mixed_site().located_at(other.span());
            quote_spanned!(at=> __asdf::Version::of::<#other>())
        });
        let versions = quote! {
            __asdf::Versions { own: #own, accepts: &[#(#accepts),*], others: &[#(#others),*] }
        };
        (!self.container.versions.is_empty()).then_some(versions)
    }

    /// The value of a field for the tag of the node `node`.
    pub(crate) fn kept_tag(&self, ty: &Type) -> TokenStream {
        let own = self.container.tag.as_ref().map(|tag| &tag.own);
        quote_spanned! {Span::mixed_site()=>
            <#ty as __asdf::TagField>::of_tag(__asdf::KeptTag::of(node.own_tag(), #own))
        }
    }

    fn implement(&self, parts: Parts<'_>) -> TokenStream {
        let Parts { kinds, constants, from_node, reading, to_node, writing, more, .. } = &parts;
        let (read, write) = (quote!(__asdf::FromNode), quote!(__asdf::ToNode));
        let values = parts.values.iter().copied();
        let generics = &self.input.generics;
        let both = bounded(generics, values.clone(), &[read.clone(), write.clone()]);
        let for_reading = match parts.reads_and_writes {
            true => both.clone(),
            false => bounded(generics, values.clone(), std::slice::from_ref(&read)),
        };
        let default = quote!(__asdf::Default);
        let for_reading = bounded_types(&for_reading, parts.defaults.iter().copied(), &default);
        let both = bounded_types(&both, parts.defaults.iter().copied(), &default);
        let for_writing = bounded(generics, values, std::slice::from_ref(&write));

        let versions = self.versions();
        let mut upgrade = TokenStream::new();
        let mut check = TokenStream::new();
        let mut accepts = TokenStream::new();
        let mut tagged = TokenStream::new();
        let mut own_tag = TokenStream::new();
        if let Some(Tag { own, accepts: patterns }) = &self.container.tag {
            let body = quote! {
                const TAG: &'static __asdf::str = #own;
                const ACCEPTS: &'static [&'static __asdf::str] = &[#(#patterns),*];
            };
            own_tag = quote! {
                const OWN_TAG: __asdf::OwnTag = __asdf::OwnTag::OneOf(&[#own]);
            };
            if !self.container.write_only {
                tagged = self.implementation(Some(&quote!(__asdf::Asdf)), &both, &body);
            }
            let upgrades = self.container.upgrades.iter();
            let accepted = quote!(&[#(#patterns),*]);
            let upgraded = match &versions {
                None => quote_spanned!(Span::mixed_site()=> value),
                Some(_) => quote_spanned!(Span::mixed_site()=> value.map(__asdf::Ok)),
            };
            let upgrades = upgrades.map(|older| {
                // What is missing is shown at the older type.
                let at = older.span();
                let upgrade = { quote_spanned!(at=> <Self as __asdf::UpgradeOf<#older>>::upgrade) };
                quote_spanned! {Span::mixed_site()=>
                    if let __asdf::Some(value) = #upgrade(
                        node,
                        #own,
                        #accepted,
                        <#older as __asdf::FromNode>::accepts_tag,
                        <#older as __asdf::FromNode>::from_node,
                    ) {
                        return #upgraded;
                    }
                }
            });
            upgrade = quote!(#(#upgrades)*);
            check = quote_spanned! {Span::mixed_site()=>
                __asdf::check_tag(node, #own, &[#(#patterns),*])?;
            };
            let upgrades = &self.container.upgrades;
            let is_own = match &versions {
                None => quote_spanned! {Span::mixed_site()=>
                    __asdf::accepts(#own, &[#(#patterns),*], tag)
                },
                Some(versions) => quote_spanned!(Span::mixed_site()=> (#versions).accepts(tag)),
            };
            accepts = quote_spanned! {Span::mixed_site()=>
                fn accepts_tag(tag: &__asdf::str) -> __asdf::bool {
                    #is_own #(|| <#upgrades as __asdf::FromNode>::accepts_tag(tag))*
                }

                fn expected() -> __asdf::String {
                    __asdf::tagged(Self::TYPES, #own)
                }
            };
        }
        let noted = self.container.notes.as_ref().map(|notes| {
            let notes = notes.iter().map(|[property, keyword, value]| {
                quote!(__asdf::Note { property: #property, keyword: #keyword, value: #value })
            });
            let body = quote!(const NOTES: &'static [__asdf::Note] = &[#(#notes),*];);
            self.implementation(Some(&quote!(__asdf::Noted)), generics, &body)
        });
        let reading_nodes = match &versions {
            None => quote_spanned! {Span::mixed_site()=>
                fn from_node(node: __asdf::NodeRef<'_>) -> __asdf::Result<Self> {
                    #upgrade
                    #check
                    #from_node
                }
            },
            Some(versions) => quote_spanned! {Span::mixed_site()=>
                fn from_node(node: __asdf::NodeRef<'_>) -> __asdf::Result<Self> {
                    Self::from_version(node)?
                }

                fn from_version(node: __asdf::NodeRef<'_>) -> __asdf::Result<__asdf::Result<Self>> {
                    #upgrade
                    (#versions).read(node, || -> __asdf::Result<Self> { #from_node })
                }
            },
        };
        let body = quote_spanned! {Span::mixed_site()=>
            const TYPES: __asdf::Types = #kinds;
            #constants
            #own_tag

            #reading_nodes

            #accepts
            #reading
        };
        let reading =
            (!self.container.write_only).then(|| self.implementation(Some(&read), &for_reading, &body));
        // What can be flattened is asked where its fields are written.
        let write_check = self.write_check().filter(|_| parts.putting.is_none());
        let write_check = write_check.map(|checked| quote_spanned!(Span::mixed_site()=> #checked?;));
        let body = quote_spanned! {Span::mixed_site()=>
            fn to_node(&self, tree: &mut __asdf::Tree) -> __asdf::Result<__asdf::NodeId> {
                #write_check
                #to_node
            }

            #writing
        };
        let writing = self.implementation(Some(&write), &for_writing, &body);
        let taking = parts
            .taking
            .as_ref()
            .filter(|_| !self.container.write_only)
            .map(|body| self.implementation(Some(&quote!(__asdf::FromFields)), &for_reading, body));
        let putting = parts
            .putting
            .as_ref()
            .map(|body| self.implementation(Some(&quote!(__asdf::ToFields)), &for_writing, body));
        let (core, others, types) = (&self.container.core, values::others(self, &parts.values), &parts.types);
        // One block with a short name for what is called is compiled faster than attributes, imports and long paths.
        quote! {
            #[allow(dead_code, deprecated, reason = "not all is called, and all fields and variants are written")]
            const _: () = {
                use #core::__private as __asdf;
                #others
                #reading #writing #taking #putting #tagged #noted #more
            };
            #types
        }
    }
}
