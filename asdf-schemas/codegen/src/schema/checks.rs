//! Constraints on lengths, ranges and patterns.

use asdf_core::{Kind, NodeRef};
use asdf_schema_model::Schema;

use super::{Demand, Kinds};
use crate::{Error, Result};

/// A number of a constraint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Num {
    Int(i128),
    Float(f64),
}

impl Num {
    fn value(self) -> f64 {
        match self {
            #[allow(clippy::cast_precision_loss, reason = "only for comparing bounds")]
            Self::Int(value) => value as f64,
            Self::Float(value) => value,
        }
    }

    /// Whether this is a larger number than another.
    pub(crate) fn beyond(self, other: Self) -> bool {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => a > b,
            (a, b) => a.value() > b.value(),
        }
    }
}

impl std::fmt::Display for Num {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Int(value) => write!(f, "{value}"),
            Self::Float(value) => write!(f, "{value}"),
        }
    }
}

/// Constraints on lengths, ranges and patterns, of several schemas together.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Checks {
    /// Regular expressions, each of which has to match somewhere.
    pub(crate) patterns: Vec<String>,
    pub(crate) min_length: Option<u64>,
    pub(crate) max_length: Option<u64>,
    /// The bound, and whether it is itself excluded.
    pub(crate) minimum: Option<(Num, bool)>,
    pub(crate) maximum: Option<(Num, bool)>,
    pub(crate) multiples: Vec<Num>,
    /// The numbers of `enum`, if it has any.
    pub(crate) one_of: Vec<Num>,
    pub(crate) min_items: Option<u64>,
    pub(crate) max_items: Option<u64>,
    pub(crate) unique_items: bool,
    /// Items that have to be there.
    pub(crate) contains: Vec<Demand>,
}

const STRING: [&str; 3] = ["pattern", "minLength", "maxLength"];
const NUMBER: [&str; 5] = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];
const ARRAY: [&str; 3] = ["minItems", "maxItems", "uniqueItems"];

/// Whether a keyword is one of these constraints.
pub(super) fn is_check(name: &str) -> bool {
    STRING.contains(&name) || NUMBER.contains(&name) || ARRAY.contains(&name)
}

impl Checks {
    /// Reads the constraints of a schema.
    pub(super) fn read(schema: NodeRef<'_>, wrong: &dyn Fn(NodeRef<'_>, &str) -> Error) -> Result<Self> {
        let number = |name: &str| match schema.get(name) {
            None => Ok(None),
            Some(node) => match (node.as_i128(), node.as_f64()) {
                (Some(value), _) => Ok(Some(Num::Int(value))),
                // An infinite bound excludes nothing that a schema can tell from it.
                (None, Some(value)) if !value.is_finite() => Ok(None),
                (None, Some(value)) => Ok(Some(Num::Float(value))),
                (None, None) => Err(wrong(node, "a number")),
            },
        };
        let count = |name: &str| match schema.get(name) {
            None => Ok(None),
            Some(node) => match node.as_i128().map(u64::try_from) {
                Some(Ok(count)) => Ok(Some(count)),
                _ => Err(wrong(node, "a length, from 0")),
            },
        };
        let flag = |name: &str| Schema::new(schema).flag(name);
        let pattern = match schema.get("pattern") {
            None => None,
            Some(node) => Some(node.as_str().ok_or_else(|| wrong(node, "a regular expression"))?),
        };
        Ok(Self {
            patterns: pattern.into_iter().map(str::to_owned).collect(),
            min_length: count("minLength")?,
            max_length: count("maxLength")?,
            minimum: number("minimum")?.map(|bound| (bound, flag("exclusiveMinimum"))),
            maximum: number("maximum")?.map(|bound| (bound, flag("exclusiveMaximum"))),
            multiples: number("multipleOf")?.into_iter().collect(),
            one_of: Vec::new(),
            min_items: count("minItems")?,
            max_items: count("maxItems")?,
            unique_items: flag("uniqueItems"),
            contains: Vec::new(),
        })
    }

    /// Whether the bounds exclude each other.
    pub(crate) fn leave_nothing(&self) -> bool {
        let beyond =
            |least: Option<u64>, most: Option<u64>| matches!((least, most), (Some(a), Some(b)) if a > b);
        let bounds = match (self.minimum, self.maximum) {
            (Some((low, low_excluded)), Some((high, high_excluded))) => {
                low.beyond(high) || (!high.beyond(low) && (low_excluded || high_excluded))
            }
            _ => false,
        };
        let within = |one: &Num| {
            let low = self
                .minimum
                .is_none_or(|(low, excluded)| one.beyond(low) || (!excluded && !low.beyond(*one)));
            let high = self
                .maximum
                .is_none_or(|(high, excluded)| high.beyond(*one) || (!excluded && !one.beyond(high)));
            low && high
        };
        let bounds = bounds || (!self.one_of.is_empty() && !self.one_of.iter().any(within));
        bounds || beyond(self.min_length, self.max_length) || beyond(self.min_items, self.max_items)
    }

    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The kinds of node that the constraints say something about.
    pub(crate) fn kinds(&self) -> Kinds {
        let mut kinds = Kinds::NONE;
        for kind in [Kind::String, Kind::Float, Kind::Sequence] {
            if !self.for_kind(kind).is_empty() {
                kinds = kinds.or(if kind == Kind::Float { Kinds::NUMBER } else { Kinds::of(kind) });
            }
        }
        kinds
    }

    /// Those that say something about a kind of node.
    pub(crate) fn for_kind(&self, kind: Kind) -> Self {
        match kind {
            Kind::String | Kind::Timestamp => Self {
                patterns: self.patterns.clone(),
                // Nothing is shorter than nothing.
                min_length: self.min_length.filter(|&length| length > 0),
                max_length: self.max_length,
                ..Self::default()
            },
            Kind::Int | Kind::Float => Self {
                minimum: self.minimum,
                maximum: self.maximum,
                multiples: self.multiples.clone(),
                ..Self::default()
            },
            Kind::Sequence => Self {
                min_items: self.min_items.filter(|&count| count > 0),
                max_items: self.max_items,
                unique_items: self.unique_items,
                contains: self.contains.clone(),
                ..Self::default()
            },
            _ => Self::default(),
        }
    }

    /// What one of several allows, as well as one set of constraints can say it; and whether it says
    /// just that.
    pub(crate) fn any(all: &[&Self]) -> (Self, bool) {
        let Some((first, rest)) = all.split_first() else { return (Self::default(), true) };
        if rest.iter().all(|other| other == first) {
            return ((*first).clone(), true);
        }
        if all.iter().any(|checks| checks.is_empty()) {
            return (Self::default(), true);
        }
        let mut patterns: Vec<&str> = Vec::new();
        let mut one_each = true;
        let mut only_patterns = true;
        for checks in all {
            let bare = Self { patterns: checks.patterns.clone(), ..Self::default() };
            only_patterns &= **checks == bare;
            match checks.patterns.as_slice() {
                [pattern] if patterns.contains(&pattern.as_str()) => {}
                [pattern] => patterns.push(pattern),
                _ => one_each = false,
            }
        }
        let mut loosest = Self::default();
        if one_each {
            // A search for one or the other is one search.
            let either: Vec<String> = match patterns.as_slice() {
                [only] => vec![(*only).to_owned()],
                several => several.iter().map(|pattern| format!("(?:{pattern})")).collect(),
            };
            loosest.patterns = vec![either.join("|")];
        }
        let least = |get: fn(&Self) -> Option<u64>| all.iter().map(|checks| get(checks)).min().flatten();
        let most = |get: fn(&Self) -> Option<u64>| {
            let bounds: Option<Vec<u64>> = all.iter().map(|checks| get(checks)).collect();
            bounds.and_then(|bounds| bounds.into_iter().max())
        };
        loosest.min_length = least(|checks| checks.min_length);
        loosest.max_length = most(|checks| checks.max_length);
        loosest.min_items = least(|checks| checks.min_items);
        loosest.max_items = most(|checks| checks.max_items);
        let bounds: Option<Vec<(Num, bool)>> = all.iter().map(|checks| checks.minimum).collect();
        loosest.minimum =
            bounds.and_then(|bounds| bounds.into_iter().reduce(|a, b| wider(a, b, |a, b| b.beyond(a))));
        let bounds: Option<Vec<(Num, bool)>> = all.iter().map(|checks| checks.maximum).collect();
        loosest.maximum =
            bounds.and_then(|bounds| bounds.into_iter().reduce(|a, b| wider(a, b, |a, b| a.beyond(b))));
        (loosest, one_each && only_patterns)
    }

    /// Both together.
    pub(crate) fn and(mut self, other: &Self) -> Self {
        for pattern in &other.patterns {
            if !self.patterns.contains(pattern) {
                self.patterns.push(pattern.clone());
            }
        }
        for multiple in &other.multiples {
            if !self.multiples.contains(multiple) {
                self.multiples.push(*multiple);
            }
        }
        let larger = |a: Option<u64>, b: Option<u64>| a.max(b);
        let smaller = |a: Option<u64>, b: Option<u64>| match (a, b) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        self.min_length = larger(self.min_length, other.min_length);
        self.max_length = smaller(self.max_length, other.max_length);
        self.min_items = larger(self.min_items, other.min_items);
        self.max_items = smaller(self.max_items, other.max_items);
        self.unique_items |= other.unique_items;
        self.minimum = tighter(self.minimum, other.minimum, |a, b| a.beyond(b));
        self.maximum = tighter(self.maximum, other.maximum, |a, b| b.beyond(a));
        self
    }
}

fn wider(a: (Num, bool), b: (Num, bool), wins: impl Fn(Num, Num) -> bool) -> (Num, bool) {
    if wins(a.0, b.0) {
        a
    } else if wins(b.0, a.0) {
        b
    } else {
        (a.0, a.1 && b.1)
    }
}

type Bound = Option<(Num, bool)>;

fn tighter(a: Bound, b: Bound, wins: impl Fn(Num, Num) -> bool) -> Bound {
    match (a, b) {
        (Some(a), Some(b)) if wins(a.0, b.0) => Some(a),
        (Some(a), Some(b)) if wins(b.0, a.0) => Some(b),
        (Some(a), Some(b)) => Some((a.0, a.1 || b.1)),
        (a, b) => a.or(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_together_are_as_tight_as_the_tighter() {
        let one = Checks {
            minimum: Some((Num::Int(1), false)),
            maximum: Some((Num::Float(9.5), false)),
            max_length: Some(3),
            ..Checks::default()
        };
        let other = Checks {
            minimum: Some((Num::Int(1), true)),
            maximum: Some((Num::Int(9), false)),
            max_length: Some(5),
            min_items: Some(1),
            ..Checks::default()
        };
        let both = one.and(&other);
        assert_eq!((both.minimum, both.maximum), (Some((Num::Int(1), true)), Some((Num::Int(9), false))));
        assert_eq!((both.max_length, both.min_items), (Some(3), Some(1)));
        let kinds = both.kinds();
        assert!(kinds.has(Kind::String) && kinds.has(Kind::Int) && kinds.has(Kind::Sequence));
    }
}
