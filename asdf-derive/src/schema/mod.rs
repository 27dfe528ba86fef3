//! `schema = "..."`: the type is compared with its schema while it is compiled.
//!
//! Names are compared here. Types are compared by the compiler, which knows what an alias or a parameter
//! stands for: each comparison is an assertion over constants of `FromNode`, at the field.

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

/// What the comparison with a schema adds to the code of a type.
#[derive(Default)]
pub(crate) struct Comparison {
    pub(crate) errors: Errors,
    /// Items beside the implementations.
    pub(crate) items: TokenStream,
    pub(crate) assertions: Assertions,
}

impl Comparison {
    /// Compares a type with the schema that it names.
    pub(crate) fn of(subject: &Subject<'_>, shape: &Shape, file: &LitStr) -> Self {
        let mut comparison = Self::default();
        let mut library = Library::default();
        let folder = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).unwrap_or_default();
        match library.open(&folder, &file.value()) {
            Ok(schema) => comparison.compare(subject, shape, file, &schema, &mut library),
            Err(error) => comparison.errors.at(file, error),
        }
        // A change of the schema compiles the type again.
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
                format!("{} has no `id`, by which validators find a schema", schema.document.shown),
            ),
        }
        let ident = &subject.input.ident;
        if let Some((kinds, words)) = &facts.kinds {
            if let Shape::Mapping(_) = shape {
                if !kinds.has(Kinds::MAPPING) {
                    let message = format!(
                        "a struct is written as a mapping, and the schema says `{}` ({})",
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

    /// The tag of the type against the schema's own, and the name and version in its id.
    fn compare_tag(&mut self, subject: &Subject<'_>, id: &str, facts: &Facts) {
        let Some(tag) = &subject.container.tag else { return };
        let own = tag.own.value();
        if let Some(words) = facts.tags.iter().find(|words| !words.text.contains('*') && words.text != own) {
            let message = format!("the schema says `tag: {}` ({})", words.text, words.place());
            self.errors.at(&tag.own, message);
            return;
        }
        let last = |uri: &str| uri.rsplit(['/', ':']).next().unwrap_or_default().to_owned();
        let (tagged, named) = (last(&own), last(id));
        if tagged != named {
            let message = format!(
                "the tag is that of `{tagged}`, and the schema's id is {id}: they end in the same name and \
                 version when they belong together"
            );
            self.errors.at(&tag.own, message);
        }
    }

    /// The words of an enum of strings against those of the schema.
    fn compare_names(&mut self, ident: &Ident, alternatives: &[Alternative], facts: &Facts) {
        let Some((words, allowed)) = &facts.names else { return };
        let mut names: Vec<&str> = Vec::new();
        for alternative in alternatives {
            let Content::Name(name) = &alternative.content else { return };
            names.push(name);
            if !allowed.iter().any(|word| word.text == *name) {
                let known: Vec<&str> = allowed.iter().map(|word| word.text.as_str()).collect();
                let message = format!(
                    "the schema's `enum` ({}) does not list '{name}', but '{}'",
                    words.place(),
                    known.join("', '")
                );
                self.errors.at(&alternative.ident, message);
            }
        }
        for word in allowed.iter().filter(|word| !names.contains(&word.text.as_str())) {
            let message =
                format!("no variant stands for '{}', which the schema lists ({})", word.text, word.place());
            self.errors.at(ident, message);
        }
    }

    /// Asserts that a type has only values of these kinds; the message begins with what the schema says.
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
        self.assertions.require(subject, ty, at, &overlaps, &format!("{says}, and this type is never that"));
        // Said once.
        let condition = quote_spanned!(at=> !#overlaps || #fits);
        let message = format!("{says}, and this type may be something else");
        self.assertions.require(subject, ty, at, &condition, &message);
    }
}

/// The set as an expression of the type `Kinds`.
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

/// "`type: integer` (schemas/filter-1.0.0.yaml:12)".
fn quoted(words: &Words) -> String {
    format!("`{}` ({})", words.text, words.place())
}

/// The place of a type for messages.
fn place(ty: &Type) -> Span {
    ty.span()
}
