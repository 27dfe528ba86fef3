//! The type that a derive is applied to.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{DeriveInput, GenericParam, Generics, Member, Type};

use crate::container::{Container, Tag};
use crate::types::mentions;

/// A type without errors in its attributes.
pub(crate) struct Subject<'a> {
    pub(crate) input: &'a DeriveInput,
    pub(crate) container: &'a Container,
}

impl Subject<'_> {
    /// The name of the type, for messages.
    pub(crate) fn name(&self) -> String {
        self.input.ident.unraw().to_string()
    }

    /// An `impl` of a trait, or an inherent `impl`.
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

    /// The constant `OWN_TAG` of a type whose values have no tag; `None` for a type with a tag.
    pub(crate) fn untagged(&self) -> Option<TokenStream> {
        let none = quote!(
            const OWN_TAG: __asdf::OwnTag = __asdf::OwnTag::None;
        );
        self.container.tag.is_none().then_some(none)
    }

    /// The statement that sets the tag of the node `id`; `None` for a type without a tag. If the field is given, it sets
    /// the kept tag. It fails for values that cannot have a tag.
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

    /// The expression that calls the function of `write_check`.
    pub(crate) fn write_check(&self) -> Option<TokenStream> {
        let function = self.container.write_check.as_ref()?;
        // Type errors point at the name of the function.
        let at = Span::mixed_site().located_at(function.span());
        Some(quote_spanned! {at=> {
            let check: fn(&Self) -> __asdf::Result<()> = #function;
            check(self)
        }})
    }

    /// The tags that are read, if the type has types of other versions.
    pub(crate) fn versions(&self) -> Option<TokenStream> {
        let Tag { own, accepts } = self.container.tag.as_ref()?;
        let others = &self.container.versions;
        let others = others.iter().map(|other| {
            // An error about a missing trait points at the other type.
            let at = Span::mixed_site().located_at(other.span());
            quote_spanned!(at=> __asdf::Version::of::<#other>())
        });
        let versions = quote! {
            __asdf::Versions { own: #own, accepts: &[#(#accepts),*], others: &[#(#others),*] }
        };
        (!self.container.versions.is_empty()).then_some(versions)
    }

    /// The value of a field that keeps the tag of `node`.
    pub(crate) fn kept_tag(&self, ty: &Type) -> TokenStream {
        let own = self.container.tag.as_ref().map(|tag| &tag.own);
        quote_spanned! {Span::mixed_site()=>
            <#ty as __asdf::TagField>::of_tag(__asdf::KeptTag::new(node.own_tag(), #own))
        }
    }

    /// Whether a type mentions a type parameter, so that items outside the implementations cannot name it.
    pub(crate) fn is_generic(&self, ty: &Type) -> bool {
        self.input.generics.params.iter().any(|parameter| match parameter {
            GenericParam::Lifetime(lifetime) => mentions(ty, &lifetime.lifetime.ident),
            GenericParam::Type(parameter) => mentions(ty, &parameter.ident),
            GenericParam::Const(parameter) => mentions(ty, &parameter.ident),
        })
    }
}
