//! Structs of one value.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Index, Member};

use crate::check::{Check, Family};
use crate::constructor;
use crate::parts::Parts;
use crate::shape::Newtype;
use crate::subject::Subject;
use crate::types::{is_parameter, is_scalar, is_string};
use crate::{text, values};

/// The parts of the implementations for a struct of one value.
pub(crate) fn parts<'a>(subject: &Subject<'_>, newtype: &'a Newtype) -> Parts<'a> {
    let container = subject.container;
    let at = Span::mixed_site();
    let inner = &newtype.value;
    let kept = newtype.tag.as_ref().map(|(_, ty)| subject.kept_tag(ty)).unwrap_or_default();
    let check = container.check.as_ref().map(|(_, check)| check);

    let required = values::require_written(subject, inner);
    let read = quote_spanned!(at=> <#inner as __asdf::FromNode>::from_node(node)?);
    let whole = newtype.construct(&quote_spanned!(at=> value), &kept);
    let from_node = match (check, &newtype.tag) {
        (None, _) => quote_spanned! {at=>
            #required
            let value = #read;
            __asdf::Ok(#whole)
        },
        (Some(_), None) => quote_spanned! {at=>
            #required
            let value = #read;
            __asdf::check::placed(Self::new(value), node)
        },
        (Some(_), Some((tag, _))) => {
            let tag = Index::from(*tag);
            quote_spanned! {at=>
                #required
                let value = #read;
                let mut checked = __asdf::check::placed(Self::new(value), node)?;
                checked.#tag = #kept;
                __asdf::Ok(checked)
            }
        }
    };

    let index = Index::from(newtype.value_index);
    let tag = newtype.tag.as_ref().map(|(index, ty)| (Member::Unnamed((*index).into()), ty));
    let write = values::write(subject, inner, &quote_spanned!(at=> &self.#index));
    let to_node = match container.tag {
        None => write,
        Some(_) => {
            let set_tag = subject.set_tag(tag.as_ref().map(|(member, ty)| (member, *ty)));
            quote_spanned! {at=>
                let id = #write?;
                #set_tag
                __asdf::Ok(id)
            }
        }
    };

    let mut constants = TokenStream::new();
    let mut reading = TokenStream::new();
    let mut writing = TokenStream::new();
    if container.tag.is_none() && is_scalar(inner) {
        // This is the default of the trait.
        constants.extend(subject.untagged());
        if check.is_none() {
            constants
                .extend(quote!(const READS_ALL: __asdf::Kinds = <#inner as __asdf::FromNode>::READS_ALL;));
        }
    } else if container.tag.is_none() {
        constants.extend(quote! {
            const OWN_TAG: __asdf::OwnTag = <#inner as __asdf::FromNode>::OWN_TAG;
        });
        let whole = newtype.construct(&quote_spanned!(at=> value), &TokenStream::new());
        let whole = match check {
            None => quote_spanned!(at=> __asdf::Ok(#whole)),
            Some(_) => quote_spanned! {at=>
                __asdf::check::placed(Self::new(value), node)
            },
        };
        reading.extend(quote_spanned! {at=>
            fn from_version(node: __asdf::NodeRef<'_>) -> __asdf::Result<__asdf::Result<Self>> {
                match <#inner as __asdf::FromNode>::from_version(node)? {
                    __asdf::Ok(value) => #whole.map(__asdf::Ok),
                    __asdf::Err(error) => {
                        __asdf::Ok(__asdf::Err(error))
                    }
                }
            }

            fn accepts_tag(tag: &__asdf::str) -> __asdf::bool {
                <#inner as __asdf::FromNode>::accepts_tag(tag)
            }

            fn expected() -> __asdf::String {
                <#inner as __asdf::FromNode>::expected()
            }

            fn matches(node: __asdf::NodeRef<'_>) -> __asdf::bool {
                <#inner as __asdf::FromNode>::matches(node)
            }
        });
        if check.is_none() {
            constants.extend(quote! {
                const OPTIONAL: __asdf::bool = <#inner as __asdf::FromNode>::OPTIONAL;
                const READS_ALL: __asdf::Kinds = <#inner as __asdf::FromNode>::READS_ALL;
            });
            let whole = newtype.construct(&quote_spanned!(at=> value), &TokenStream::new());
            reading.extend(quote_spanned! {at=>
                fn from_absent() -> __asdf::Option<Self> {
                    <#inner as __asdf::FromNode>::from_absent().map(|value| #whole)
                }
            });
            let absent = values::is_absent(subject, inner, &quote_spanned!(at=> &self.#index));
            writing = quote_spanned! {at=>
                fn is_absent(&self) -> __asdf::bool {
                    #absent
                }
            };
        }
    }

    let more = match check {
        Some(check) => checked(subject, newtype, check),
        None => container.new.as_ref().map(|_| constructor::of_value(subject, newtype)).unwrap_or_default(),
    };
    let text = container.text.as_ref().map(|word| text::of_newtype(subject, newtype, word));
    Parts {
        values: vec![inner],
        reads_and_writes: check.is_some(),
        kinds: quote!(<#inner as __asdf::FromNode>::TYPES),
        constants,
        from_node,
        reading,
        to_node,
        writing,
        more: quote!(#more #text),
        ..Parts::default()
    }
}

impl Newtype {
    /// The expression that constructs the struct.
    pub(crate) fn construct(&self, value: &TokenStream, kept: &TokenStream) -> TokenStream {
        match &self.tag {
            None => quote!(Self(#value)),
            Some((tag, _)) if *tag < self.value_index => quote!(Self(#kept, #value)),
            Some(_) => quote!(Self(#value, #kept)),
        }
    }
}

/// The additional implementations for a struct with constraints.
fn checked(subject: &Subject<'_>, newtype: &Newtype, check: &Check) -> TokenStream {
    let at = Span::mixed_site();
    let inner = &newtype.value;
    let index = Index::from(newtype.value_index);
    let functions = constructor::checked(subject, newtype, check);

    // For a bare type parameter this would clash with `impl<T, U: Into<T>> TryFrom<U> for T`. `text` adds its own.
    let generics = &subject.input.generics;
    let bounds = crate::generics::bounded(generics, std::iter::once(inner), &[quote!(__asdf::ToNode)]);
    let is_string = subject.container.text.is_some() && is_string(inner);
    let convert = (!is_parameter(inner, generics) && !is_string).then(|| {
        let of = quote!(__asdf::TryFrom<#inner>);
        let body = quote_spanned! {at=>
            type Error = __asdf::Error;

            fn try_from(value: #inner) -> __asdf::Result<Self> {
                Self::new(value)
            }
        };
        subject.implementation(Some(&of), &bounds, &body)
    });

    let narrow = check.first().map(|(family, place)| {
        let at = at.located_at(place);
        let (of, body) = match family {
            Family::Text => (
                quote!(__asdf::check::Text),
                quote_spanned! {at=>
                    fn text(&self) -> &__asdf::str {
                        __asdf::check::Text::text(&self.#index)
                    }
                },
            ),
            Family::Number => (
                quote!(__asdf::check::Numeric),
                quote_spanned! {at=>
                    fn number(&self) -> __asdf::Number {
                        __asdf::check::Numeric::number(&self.#index)
                    }
                },
            ),
            Family::Items => (
                quote!(__asdf::check::Items),
                quote_spanned! {at=>
                    fn count(&self) -> __asdf::usize {
                        __asdf::check::Items::count(&self.#index)
                    }

                    fn write(&self, tree: &mut __asdf::Tree) -> __asdf::Vec<__asdf::NodeId> {
                        __asdf::check::Items::write(&self.#index, tree)
                    }
                },
            ),
        };
        subject.implementation(Some(&of), &bounds, &body)
    });
    let demanded = crate::accessors::functions(subject, newtype, check.demands());
    quote!(#functions #convert #narrow #demanded)
}
