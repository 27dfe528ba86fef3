//! Strings and numbers.

use asdf_schema_model::{Kinds, Limits, Number};

use super::facts::Facts;
use super::{Builder, Built, Context};
use crate::model::{Newtype, Shape, Type, Variant};
use crate::names::{self, Distinct};
use crate::report::LossKind;

/// Variants for the strings of a list.
pub(super) fn words(words: &[&str]) -> Vec<Variant> {
    let mut names = Distinct::default();
    let mut variants: Vec<Variant> = Vec::new();
    for word in words {
        let known = |variant: &Variant| matches!(variant, Variant::Word { word: known, .. } if known == word);
        if !variants.iter().any(known) {
            let name = names.take(names::type_name(word));
            variants.push(Variant::Word { word: (*word).to_owned(), name });
        }
    }
    variants
}

impl<'a> Builder<'a> {
    pub(super) fn string(&mut self, facts: &Facts<'a>, context: &Context) -> Built {
        let checks = facts.schema.limits.on(Kinds::STRING);
        if facts.schema.date_time {
            if !checks.is_empty() {
                let message = "the length and the pattern of a timestamp are not checked";
                self.lose(LossKind::Looser, context.place, message);
            }
            return Built::Type(Type::Timestamp);
        }
        self.checked_string(checks, context)
    }

    pub(super) fn checked_string(&mut self, mut checks: Limits, context: &Context) -> Built {
        checks.patterns.retain(|pattern| match regex::Regex::new(pattern) {
            Ok(_) => true,
            Err(_) => {
                let message =
                    format!("the pattern `{pattern}` is not checked: the regex engine does not support it");
                self.lose(LossKind::Looser, context.place, message);
                false
            }
        });
        self.checked(Type::String, checks, context)
    }

    pub(super) fn number(&mut self, facts: &Facts<'a>, kinds: Kinds, context: &Context) -> Built {
        let mut checks = facts.schema.limits.on(Kinds::NUMBER);
        checks.one_of = facts.numbers().unwrap_or_default();
        self.checked_number(checks, kinds, context)
    }

    pub(super) fn checked_number(&mut self, mut checks: Limits, kinds: Kinds, context: &Context) -> Built {
        // Zero has no multiples but itself, and the sign has no effect.
        checks
            .multiples
            .retain(|multiple| !matches!(multiple, Number::Int(0)) && *multiple != Number::Float(0.0));
        for multiple in &mut checks.multiples {
            *multiple = match *multiple {
                Number::Int(value) => Number::Int(value.checked_abs().unwrap_or(i128::MAX)),
                Number::Float(value) => Number::Float(value.abs()),
            };
        }
        checks.multiples = common_multiples(&checks.multiples);
        if kinds.has(Kinds::FLOAT) {
            return self.checked(Type::Number, checks, context);
        }
        // For integers, `> 0` and `>= 0.5` both mean `>= 1`.
        let lowest = match checks.minimum {
            Some((Number::Int(bound), excluded)) => bound.checked_add(i128::from(excluded)),
            _ => None,
        };
        let highest = match checks.maximum {
            Some((Number::Int(bound), excluded)) => bound.checked_sub(i128::from(excluded)),
            _ => None,
        };
        if let Some(lowest) = lowest {
            checks.minimum = Some((Number::Int(lowest), false));
        }
        if let Some(highest) = highest {
            checks.maximum = Some((Number::Int(highest), false));
        }
        if lowest.is_some_and(|lowest| lowest >= 0) {
            checks.minimum = checks.minimum.filter(|(bound, _)| *bound != Number::Int(0));
            self.checked(Type::Unsigned, checks, context)
        } else {
            self.checked(Type::Signed, checks, context)
        }
    }

    /// A type with constraints.
    pub(super) fn checked(&mut self, inner: Type, checks: Limits, context: &Context) -> Built {
        if checks.leave_nothing() {
            self.lose(LossKind::Node, context.place, "no value is within the bounds");
            return Built::Type(Type::Node);
        }
        if checks.is_empty() {
            return Built::Type(inner);
        }
        Built::Shape(Shape::Newtype(Newtype { checks: Box::new(checks), ..Newtype::plain(inner) }))
    }
}

/// Replaces all integers with their least common multiple, and keeps the other numbers.
fn common_multiples(multiples: &[Number]) -> Vec<Number> {
    let mut common: Option<i128> = None;
    let mut others = Vec::new();
    for multiple in multiples {
        match *multiple {
            Number::Int(value) => match common.map_or(Some(value), |known| least_common(known, value)) {
                Some(least) => common = Some(least),
                None => others.push(*multiple),
            },
            Number::Float(_) => others.push(*multiple),
        }
    }
    common.map(Number::Int).into_iter().chain(others).collect()
}

fn least_common(a: i128, b: i128) -> Option<i128> {
    let (mut divisor, mut rest) = (a, b);
    while rest != 0 {
        (divisor, rest) = (rest, divisor.checked_rem(rest)?);
    }
    a.checked_div(divisor)?.checked_mul(b)
}
