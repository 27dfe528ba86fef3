//! `schema = "..."`: compares a type with its schema at compile time.
//!
//! The derive compares names. The compiler compares types, since only it can resolve aliases and type parameters: each
//! comparison is an assertion about constants of `FromNode`, with the span of the field.

mod document;
mod facts;
mod fields;
mod library;

use std::path::PathBuf;

use asdf_schema_model::Kinds;
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Ident, LitStr, Type};

use crate::assertion::Assertions;
use crate::errors::Errors;
use crate::shape::{Alternative, Content, Shape};
use crate::subject::Subject;
use facts::{Facts, Words};
use library::{Library, Schema};

/// The results of a comparison.
#[derive(Default)]
pub(crate) struct Comparison {
    pub(crate) errors: Errors,
    /// Items beside the implementations.
    pub(crate) items: TokenStream,
    pub(crate) assertions: Assertions,
}

impl Comparison {
    /// Compares a type with the schema of its attribute.
    pub(crate) fn of(subject: &Subject<'_>, shape: &Shape, file: &LitStr) -> Self {
        let mut comparison = Self::default();
        let mut library = Library::default();
        let folder = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).unwrap_or_default();
        match library.open(&folder, &file.value()) {
            Ok(schema) => comparison.compare(subject, shape, file, &schema, &mut library),
            Err(error) => comparison.errors.at(file, error),
        }
        // The type is compiled again if the schema changes.
        for path in library.paths() {
            if let Some(path) = path.to_str() {
                comparison.items.extend(quote! { const _: &[__asdf::u8] = ::core::include_bytes!(#path); });
            }
        }
        comparison
    }

    fn compare(
        &mut self,
        subject: &Subject<'_>,
        shape: &Shape,
        file: &LitStr,
        schema: &Schema,
        library: &mut Library,
    ) {
        let facts = Facts::of(std::slice::from_ref(schema), library);
        match &schema.document.id {
            Some(id) => self.compare_tag(subject, id, &facts),
            None => self.errors.at(
                file,
                format!("{} has no `id`; validators need one to find the schema", schema.document.shown),
            ),
        }
        let ident = &subject.input.ident;
        if let Some((kinds, words)) = &facts.kinds {
            if let Shape::Mapping(_) = shape {
                if !kinds.has(Kinds::MAPPING) {
                    let message = format!(
                        "a struct is written as a mapping, but the schema says `{}` ({})",
                        words.text,
                        words.place()
                    );
                    self.errors.at(ident, message);
                    return;
                }
            } else {
                let (_, arguments, _) = subject.input.generics.split_for_impl();
                let ty: Type = syn::parse_quote!(#ident #arguments);
                self.fits(subject, &ty, ident.span(), *kinds, &format!("the schema says {}", quoted(words)));
            }
        }
        match shape {
            Shape::Mapping(fields) => self.compare_fields(subject, fields, &facts, library),
            Shape::Choice(alternatives) => self.compare_names(ident, alternatives, &facts),
            _ => {}
        }
    }

    /// Compares the tag of the type with the tag of the schema, and with the name and version in its id.
    fn compare_tag(&mut self, subject: &Subject<'_>, id: &str, facts: &Facts) {
        let Some(tag) = &subject.container.tag else { return };
        let own = tag.own.value();
        if let Some(words) = facts.tags.iter().find(|words| !words.text.contains('*') && words.text != own) {
            let message = format!(
                "found another tag, expected `tag: {}` of the schema ({})",
                words.text,
                words.place()
            );
            self.errors.at(&tag.own, message);
            return;
        }
        let last = |uri: &str| uri.rsplit(['/', ':']).next().unwrap_or_default().to_owned();
        let (tagged, named) = (last(&own), last(id));
        if tagged != named {
            let message = format!(
                "the tag ends in `{tagged}`, but the schema's id is {id}: expected the same name and version at \
                 the end of both"
            );
            self.errors.at(&tag.own, message);
        }
    }

    /// Compares the names of an enum of strings with the `enum` of the schema.
    fn compare_names(&mut self, ident: &Ident, alternatives: &[Alternative], facts: &Facts) {
        let Some((words, allowed)) = &facts.names else { return };
        let mut names: Vec<&str> = Vec::new();
        for alternative in alternatives {
            let Content::Name(name) = &alternative.content else { return };
            names.push(name);
            if !allowed.iter().any(|word| word.text == *name) {
                let known: Vec<&str> = allowed.iter().map(|word| word.text.as_str()).collect();
                let message = format!(
                    "the schema's `enum` ({}) does not list '{name}', expected one of '{}'",
                    words.place(),
                    known.join("', '")
                );
                self.errors.at(&alternative.ident, message);
            }
        }
        for word in allowed.iter().filter(|word| !names.contains(&word.text.as_str())) {
            let message =
                format!("no variant for '{}', which the schema lists ({})", word.text, word.place());
            self.errors.at(ident, message);
        }
    }

    /// Asserts that all values of a type have one of these kinds. `says` is the beginning of the message.
    fn fits(&mut self, subject: &Subject<'_>, ty: &Type, at: Span, kinds: Kinds, says: &str) {
        let kinds = tokens(kinds);
        let is = |function: &str| {
            let function = Ident::new(function, at);
            quote_spanned! {at=>
                __asdf::#function(
                    <#ty as __asdf::FromNode>::TYPES,
                    <#ty as __asdf::FromNode>::OPTIONAL,
                    #kinds
                )
            }
        };
        let (overlaps, fits) = (is("overlaps"), is("fits"));
        self.assertions.require(
            subject,
            ty,
            at,
            &overlaps,
            &format!("{says}, but no value of this type is valid"),
        );
        // Reported only if the first assertion holds.
        let condition = quote_spanned!(at=> !#overlaps || #fits);
        let message = format!("{says}, but some values of this type are not valid");
        self.assertions.require(subject, ty, at, &condition, &message);
    }
}

/// The expression of a set of kinds.
fn tokens(kinds: Kinds) -> TokenStream {
    /// The constants of `Kinds`, in the order of `Kinds::ALL`.
    const NAMES: [&str; 8] = ["NULL", "BOOL", "INT", "FLOAT", "STRING", "TIMESTAMP", "SEQUENCE", "MAPPING"];
    let one = |name: &str| {
        let name = Ident::new(name, Span::mixed_site());
        quote!(__asdf::Kinds::#name)
    };
    let all = Kinds::ALL.into_iter().zip(NAMES).filter(|(kind, _)| kinds.has(*kind));
    let sets = all.map(|(_, name)| one(name)).reduce(|some, more| quote!(#some.or(#more)));
    sets.unwrap_or_else(|| one("NONE"))
}

/// A quotation with its location, such as "`type: integer` (schemas/filter-1.0.0.yaml:12)".
fn quoted(words: &Words) -> String {
    format!("`{}` ({})", words.text, words.place())
}

/// The span of a type, for messages.
fn place(ty: &Type) -> Span {
    ty.span()
}
