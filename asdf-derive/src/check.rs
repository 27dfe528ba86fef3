//! Constraints: `#[asdf(check(...))]`.

use std::cmp::Ordering;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Ident, LitStr, Path};

use crate::attribute::{Owner, known};
use crate::demand::Demand;
use crate::errors::Errors;
use crate::item::{Item, Number};
use crate::pattern;

/// The kind of value that a constraint applies to.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Family {
    Text,
    Number,
    Items,
}

impl Family {
    fn noun(self) -> &'static str {
        match self {
            Self::Text => "strings",
            Self::Number => "numbers",
            Self::Items => "sequences",
        }
    }
}

/// One constraint.
pub(crate) struct Constraint {
    name: Ident,
    limit: Limit,
}

enum Limit {
    Pattern(LitStr),
    Length(usize),
    Bound(Number),
    OneOf(Vec<Number>),
    Count(usize),
    Unique,
    /// The types of the items, by position.
    Items(Vec<Path>),
    Contains(Vec<Demand>),
}

/// All constraints of a type.
pub(crate) struct Check(Vec<Constraint>);

impl Check {
    /// Parses `check(...)`.
    pub(crate) fn parse(item: Item, errors: &mut Errors) -> Self {
        let span = item.span();
        let items = errors.ok(item.list());
        let empty = items.as_ref().is_some_and(Vec::is_empty);
        let items = known(items.unwrap_or_default(), Owner::Check, errors);
        let constraints = items.into_iter().filter_map(|item| errors.ok(constraint(item))).collect();
        let check = Self(constraints);
        if empty {
            let names = Owner::Check.names().join("`, `");
            errors.at_span(span, format!("`check(...)` needs at least one constraint: `{names}`"));
        }
        check.contradictions(errors);
        check
    }

    fn find(&self, name: &str) -> Option<&Constraint> {
        self.0.iter().find(|constraint| constraint.name == name)
    }

    fn contradictions(&self, errors: &mut Errors) {
        let Some(first) = self.0.first() else { return };
        for other in self.0.iter().filter(|other| other.family() != first.family()) {
            let (name, noun) = (&other.name, other.family().noun());
            errors.at(
                name,
                format!(
                    "`{name}` applies to {noun}, but `{}` applies to {}",
                    first.name,
                    first.family().noun()
                ),
            );
        }
        let mut twice = false;
        for (inclusive, exclusive) in [("minimum", "exclusive_minimum"), ("maximum", "exclusive_maximum")] {
            if let (Some(_), Some(other)) = (self.find(inclusive), self.find(exclusive)) {
                let name = &other.name;
                errors
                    .at(name, format!("`{inclusive}` and `{exclusive}` are both given; remove one of them"));
                twice = true;
            }
        }
        self.numbers_within_bounds(errors);
        let lower = ["minimum", "exclusive_minimum", "min_length", "min_items"];
        let upper = ["maximum", "exclusive_maximum", "max_length", "max_items"];
        for low in lower.iter().filter_map(|name| self.find(name)) {
            for high in upper.iter().filter_map(|name| self.find(name)) {
                if !twice && low.leaves_nothing_below(high) {
                    let message = format!(
                        "no value is valid: `{}` excludes every value that `{}` allows",
                        high.name, low.name
                    );
                    errors.at(&high.name, message);
                }
            }
        }
    }

    /// Reports bounds that exclude all numbers of `one_of`.
    fn numbers_within_bounds(&self, errors: &mut Errors) {
        let Some(one_of) = self.find("one_of") else { return };
        let Limit::OneOf(numbers) = &one_of.limit else { return };
        let within = |number: &Number| {
            self.0.iter().all(|constraint| {
                let Limit::Bound(bound) = constraint.limit else { return true };
                let order = number.order(bound);
                match constraint.name.to_string().as_str() {
                    "minimum" => order != Some(Ordering::Less),
                    "maximum" => order != Some(Ordering::Greater),
                    "exclusive_minimum" => order == Some(Ordering::Greater),
                    "exclusive_maximum" => order == Some(Ordering::Less),
                    _ => true,
                }
            })
        };
        if !numbers.iter().any(within) {
            errors.at(&one_of.name, "no value is valid: the bounds exclude all numbers of `one_of`");
        }
    }

    /// The family of all constraints, and the span of the first.
    pub(crate) fn first(&self) -> Option<(Family, Span)> {
        self.0.first().map(|constraint| (constraint.family(), constraint.name.span()))
    }

    /// Expressions that each evaluate to an optional fault of the value in `checked`.
    pub(crate) fn faults(&self) -> Vec<TokenStream> {
        self.0.iter().filter_map(|constraint| constraint.fault()).collect()
    }

    /// A statement that checks each item against the type at its position.
    pub(crate) fn places(&self, value: &TokenStream) -> TokenStream {
        let places = self.0.iter().filter_map(|constraint| match &constraint.limit {
            Limit::Items(types) => Some(types),
            _ => None,
        });
        let places = places.map(|types| {
            let types = types.iter().map(|ty| {
                // An error about a missing trait points at the type.
                let at = Span::mixed_site().located_at(ty.span());
                quote_spanned!(at=> __asdf::check::Place::of::<#ty>())
            });
            quote!(__asdf::check::items(#value, &[#(#types),*])?;)
        });
        quote!(#(#places)*)
    }

    /// The constraints as values of `Constraint`, with the keywords of schemas.
    pub(crate) fn constraints(&self) -> Vec<TokenStream> {
        self.0.iter().map(|constraint| constraint.described()).collect()
    }

    /// The items of `contains(...)`.
    pub(crate) fn demands(&self) -> &[Demand] {
        let mut lists = self.0.iter().filter_map(|constraint| match &constraint.limit {
            Limit::Contains(demands) => Some(demands.as_slice()),
            _ => None,
        });
        lists.next_back().unwrap_or_default()
    }

    /// The constraints in English, for the documentation of `new`.
    pub(crate) fn words(&self) -> String {
        self.0.iter().map(Constraint::words).collect::<Vec<_>>().join(", ")
    }
}

fn constraint(item: Item) -> syn::Result<Constraint> {
    let name = item.name.clone();
    let limit = match item.name.to_string().as_str() {
        "pattern" => {
            let text = item.string()?;
            pattern::check(&text.value()).map_err(|error| syn::Error::new_spanned(&text, error))?;
            Limit::Pattern(text)
        }
        "min_length" | "max_length" => Limit::Length(item.size()?),
        "min_items" | "max_items" => Limit::Count(item.size()?),
        "contains" => Limit::Contains(Demand::all(item)?),
        "items" => {
            let types = item.paths()?;
            if types.is_empty() {
                return Err(syn::Error::new(
                    item.span(),
                    "`items` needs at least one type: `items = [A, B]`",
                ));
            }
            Limit::Items(types)
        }
        "unique_items" => {
            item.flag()?;
            Limit::Unique
        }
        "one_of" => {
            let numbers = item.numbers()?;
            let fault = |message: String| {
                let value = item.value().map(ToTokens::to_token_stream);
                Err(syn::Error::new_spanned(value, message))
            };
            if numbers.is_empty() {
                return fault("`one_of` needs at least one number: `one_of = [1, 2]`".to_owned());
            }
            for (index, number) in numbers.iter().enumerate() {
                let same = |other: &Number| other.order(*number) == Some(Ordering::Equal);
                if numbers.iter().take(index).any(same) {
                    return fault(format!("{} is listed twice", number.text()));
                }
            }
            Limit::OneOf(numbers)
        }
        name => {
            let number = item.number()?;
            let positive = number.order(Number::Int(0)) == Some(Ordering::Greater);
            if name == "multiple_of" && !positive {
                let value = item.value().map(ToTokens::to_token_stream);
                return Err(syn::Error::new_spanned(value, "expected a number greater than 0"));
            }
            Limit::Bound(number)
        }
    };
    Ok(Constraint { name, limit })
}

impl Constraint {
    fn family(&self) -> Family {
        match self.limit {
            Limit::Pattern(_) | Limit::Length(_) => Family::Text,
            Limit::Bound(_) | Limit::OneOf(_) => Family::Number,
            Limit::Count(_) | Limit::Unique | Limit::Items(_) | Limit::Contains(_) => Family::Items,
        }
    }

    fn leaves_nothing_below(&self, high: &Self) -> bool {
        match (&self.limit, &high.limit) {
            (Limit::Length(low), Limit::Length(high)) | (Limit::Count(low), Limit::Count(high)) => low > high,
            (Limit::Bound(low), Limit::Bound(top)) => match low.order(*top) {
                Some(Ordering::Greater) => true,
                Some(Ordering::Equal) => self.name == "exclusive_minimum" || high.name == "exclusive_maximum",
                _ => false,
            },
            _ => false,
        }
    }

    fn fault(&self) -> Option<TokenStream> {
        let name = &self.name;
        // Type errors point at the constraint.
        let at = Span::mixed_site().located_at(name.span());
        let function = Ident::new(&name.to_string(), at);
        let check = quote_spanned!(at=> __asdf::check);
        Some(match &self.limit {
            Limit::Items(_) => return None,
            Limit::Pattern(pattern) => quote_spanned! {at=> {
                static PATTERN: #check::Pattern = #check::Pattern::new(#pattern);
                #check::#function(&checked, &PATTERN)
            }},
            Limit::Length(size) | Limit::Count(size) => {
                quote_spanned!(at=> #check::#function(&checked, #size))
            }
            Limit::Bound(Number::Int(number)) => {
                quote_spanned!(at=> #check::#function(&checked, #check::Bound::Int(#number)))
            }
            Limit::Bound(Number::Float(number)) => {
                quote_spanned!(at=> #check::#function(&checked, #check::Bound::Float(#number)))
            }
            Limit::OneOf(numbers) => {
                let numbers = numbers.iter().map(|number| number.bound(&check));
                quote_spanned!(at=> #check::#function(&checked, &[#(#numbers),*]))
            }
            Limit::Unique => quote_spanned!(at=> #check::#function(&checked)),
            Limit::Contains(_) => quote_spanned!(at=> #check::#function(&checked, Self::__demands())),
        })
    }

    fn described(&self) -> TokenStream {
        let name = self.name.to_string();
        let (keyword, exclusive) = match name.as_str() {
            "min_length" => ("minLength", false),
            "max_length" => ("maxLength", false),
            "min_items" => ("minItems", false),
            "max_items" => ("maxItems", false),
            "multiple_of" => ("multipleOf", false),
            "exclusive_minimum" => ("minimum", true),
            "exclusive_maximum" => ("maximum", true),
            same => (same, false),
        };
        match &self.limit {
            Limit::Pattern(pattern) => quote!(__asdf::Constraint::Pattern(#pattern)),
            Limit::Length(size) | Limit::Count(size) => quote!(__asdf::Constraint::Count(#keyword, #size)),
            Limit::Bound(Number::Int(number)) => {
                quote!(__asdf::Constraint::Int(#keyword, #number, #exclusive))
            }
            Limit::Bound(Number::Float(number)) => {
                quote!(__asdf::Constraint::Float(#keyword, #number, #exclusive))
            }
            Limit::OneOf(numbers) => {
                let check = quote!(__asdf::check);
                let numbers = numbers.iter().map(|number| number.bound(&check));
                quote!(__asdf::Constraint::OneOf(&[#(#numbers),*]))
            }
            Limit::Unique => quote!(__asdf::Constraint::Unique),
            Limit::Items(types) => {
                let types = types.iter().map(|ty| quote!(<#ty as __asdf::FromNode>::describe));
                quote!(__asdf::Constraint::Items(::std::vec![#(#types),*]))
            }
            Limit::Contains(_) => quote!(__asdf::Constraint::Contains(Self::__demands())),
        }
    }

    fn words(&self) -> String {
        let name = self.name.to_string();
        let how = match name.as_str() {
            "minimum" | "min_length" | "min_items" => "at least",
            "maximum" | "max_length" | "max_items" => "at most",
            "exclusive_minimum" => "more than",
            "exclusive_maximum" => "less than",
            _ => "a multiple of",
        };
        match &self.limit {
            Limit::Pattern(pattern) => format!("a match of `` {} ``", pattern.value()),
            Limit::Length(size) => format!("{how} {size} characters"),
            Limit::Count(size) => format!("{how} {size} items"),
            Limit::Bound(Number::Int(number)) => format!("{how} {number}"),
            Limit::Bound(Number::Float(number)) => format!("{how} {number}"),
            Limit::OneOf(numbers) => {
                let all: Vec<String> = numbers.iter().map(|number| number.text()).collect();
                match all.split_last() {
                    Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
                    _ => all.concat(),
                }
            }
            Limit::Unique => "unique items".to_owned(),
            Limit::Items(types) => {
                let names = types.iter().filter_map(|path| path.segments.last());
                let names: Vec<String> = names.map(|name| format!("`{}`", name.ident)).collect();
                format!("items of the types {} in this order", names.join(", "))
            }
            Limit::Contains(demands) => match demands.len() {
                1 => "one required item".to_owned(),
                count => format!("{count} required items"),
            },
        }
    }
}

impl Number {
    /// The number as a `Bound`.
    fn bound(self, check: &TokenStream) -> TokenStream {
        match self {
            Self::Int(number) => quote!(#check::Bound::Int(#number)),
            Self::Float(number) => quote!(#check::Bound::Float(#number)),
        }
    }

    fn text(self) -> String {
        match self {
            Self::Int(number) => number.to_string(),
            Self::Float(number) => number.to_string(),
        }
    }

    fn order(self, other: Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => Some(a.cmp(&b)),
            (a, b) => a.float().partial_cmp(&b.float()),
        }
    }

    fn float(self) -> f64 {
        match self {
            #[allow(clippy::cast_precision_loss, reason = "precise enough to find contradictions")]
            Self::Int(value) => value as f64,
            Self::Float(value) => value,
        }
    }
}
