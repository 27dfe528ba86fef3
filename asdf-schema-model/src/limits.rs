//! Limits on lengths and numbers, and patterns.

use std::fmt;

use crate::{Kinds, Limit, Schema, Value};

/// A number in a limit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// An integer.
    Int(i128),
    /// A float.
    Float(f64),
}

impl Number {
    /// Reads a finite number. `None` for other nodes.
    pub fn from_value<'t, V: Value<'t>>(node: V) -> Option<Self> {
        let float = || node.as_f64().filter(|value| value.is_finite()).map(Self::Float);
        node.as_i128().map(Self::Int).or_else(float)
    }

    /// Returns the number as a float.
    #[must_use]
    pub fn value(self) -> f64 {
        match self {
            #[allow(clippy::cast_precision_loss, reason = "only used to compare bounds")]
            Self::Int(value) => value as f64,
            Self::Float(value) => value,
        }
    }

    /// Returns whether this number is greater than another.
    #[must_use]
    pub fn beyond(self, other: Self) -> bool {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => a > b,
            (a, b) => a.value() > b.value(),
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(value) => write!(f, "{value}"),
            Self::Float(value) => write!(f, "{value}"),
        }
    }
}

/// The limits and patterns of one schema, or of several schemas that apply together.
///
/// # Examples
///
/// ```
/// use asdf_schema_model::{Limits, Number};
///
/// let positive = Limits { minimum: Some((Number::Int(0), true)), ..Limits::default() };
/// let negative = Limits { maximum: Some((Number::Int(0), true)), ..Limits::default() };
/// assert!(positive.and(&negative).leave_nothing());
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Limits {
    /// Regular expressions. Each must match somewhere in the string.
    pub patterns: Vec<String>,
    /// The minimum length of strings.
    pub min_length: Option<u64>,
    /// The maximum length of strings.
    pub max_length: Option<u64>,
    /// The lower limit of numbers, and whether the limit is exclusive.
    pub minimum: Option<(Number, bool)>,
    /// The upper limit of numbers, and whether the limit is exclusive.
    pub maximum: Option<(Number, bool)>,
    /// The divisors of numbers: a number must be a multiple of each.
    pub multiples: Vec<Number>,
    /// The only allowed numbers. Empty if there is no such limit; [`Limits::from_schema`] does not set it.
    pub one_of: Vec<Number>,
    /// The minimum length of lists.
    pub min_items: Option<u64>,
    /// The maximum length of lists.
    pub max_items: Option<u64>,
    /// Whether the items of a list must all differ.
    pub unique_items: bool,
}

impl Limits {
    /// Reads the limits of a schema. Infinite limits and values of another type are ignored.
    pub fn from_schema<'t, V: Value<'t>>(schema: Schema<V>) -> Self {
        let count = |name: &str| u64::try_from(schema.get(name)?.as_i128()?).ok();
        let limit = |limit: Limit<V>| Some((Number::from_value(limit.number)?, limit.is_exclusive));
        Self {
            patterns: schema.text("pattern").map(str::to_owned).into_iter().collect(),
            min_length: count("minLength"),
            max_length: count("maxLength"),
            minimum: schema.minimum().and_then(limit),
            maximum: schema.maximum().and_then(limit),
            multiples: schema.get("multipleOf").and_then(Number::from_value).into_iter().collect(),
            one_of: Vec::new(),
            min_items: count("minItems"),
            max_items: count("maxItems"),
            unique_items: schema.flag("uniqueItems"),
        }
    }

    /// Returns whether no value satisfies the limits.
    #[must_use]
    pub fn leave_nothing(&self) -> bool {
        let beyond =
            |least: Option<u64>, most: Option<u64>| matches!((least, most), (Some(a), Some(b)) if a > b);
        let bounds = match (self.minimum, self.maximum) {
            (Some((low, low_excluded)), Some((high, high_excluded))) => {
                low.beyond(high) || (!high.beyond(low) && (low_excluded || high_excluded))
            }
            _ => false,
        };
        let within = |one: &Number| {
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

    /// Returns whether there are no limits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the kinds of nodes that the limits apply to.
    #[must_use]
    pub fn kinds(&self) -> Kinds {
        let kinds = [Kinds::STRING, Kinds::NUMBER, Kinds::SEQUENCE].into_iter();
        kinds.filter(|&kind| !self.on(kind).is_empty()).fold(Kinds::NONE, Kinds::or)
    }

    /// Returns the limits that apply to nodes of one kind.
    #[must_use]
    pub fn on(&self, kind: Kinds) -> Self {
        match kind {
            Kinds::STRING => Self {
                patterns: self.patterns.clone(),
                // A minimum length of 0 is not a limit.
                min_length: self.min_length.filter(|&length| length > 0),
                max_length: self.max_length,
                ..Self::default()
            },
            Kinds::NUMBER => Self {
                minimum: self.minimum,
                maximum: self.maximum,
                multiples: self.multiples.clone(),
                ..Self::default()
            },
            Kinds::SEQUENCE => Self {
                min_items: self.min_items.filter(|&count| count > 0),
                max_items: self.max_items,
                unique_items: self.unique_items,
                ..Self::default()
            },
            _ => Self::default(),
        }
    }

    /// Returns the tightest limits that allow every value that one of several limits allows.
    ///
    /// The second value is true if the result allows no other values.
    #[must_use]
    pub fn any(all: &[&Self]) -> (Self, bool) {
        let Some((first, rest)) = all.split_first() else { return (Self::default(), true) };
        if rest.iter().all(|other| other == first) {
            return ((*first).clone(), true);
        }
        if all.iter().any(|limits| limits.is_empty()) {
            return (Self::default(), true);
        }
        let mut patterns: Vec<&str> = Vec::new();
        let mut one_each = true;
        let mut only_patterns = true;
        for limits in all {
            let bare = Self { patterns: limits.patterns.clone(), ..Self::default() };
            only_patterns &= **limits == bare;
            match limits.patterns.as_slice() {
                [pattern] if patterns.contains(&pattern.as_str()) => {}
                [pattern] => patterns.push(pattern),
                _ => one_each = false,
            }
        }
        let mut loosest = Self::default();
        if one_each {
            // Combine alternative patterns into one pattern.
            let either: Vec<String> = match patterns.as_slice() {
                [only] => vec![(*only).to_owned()],
                several => several.iter().map(|pattern| format!("(?:{pattern})")).collect(),
            };
            loosest.patterns = vec![either.join("|")];
        }
        let least = |get: fn(&Self) -> Option<u64>| all.iter().map(|limits| get(limits)).min().flatten();
        let most = |get: fn(&Self) -> Option<u64>| {
            let bounds: Option<Vec<u64>> = all.iter().map(|limits| get(limits)).collect();
            bounds.and_then(|bounds| bounds.into_iter().max())
        };
        loosest.min_length = least(|limits| limits.min_length);
        loosest.max_length = most(|limits| limits.max_length);
        loosest.min_items = least(|limits| limits.min_items);
        loosest.max_items = most(|limits| limits.max_items);
        let bounds: Option<Vec<(Number, bool)>> = all.iter().map(|limits| limits.minimum).collect();
        loosest.minimum =
            bounds.and_then(|bounds| bounds.into_iter().reduce(|a, b| wider(a, b, |a, b| b.beyond(a))));
        let bounds: Option<Vec<(Number, bool)>> = all.iter().map(|limits| limits.maximum).collect();
        loosest.maximum =
            bounds.and_then(|bounds| bounds.into_iter().reduce(|a, b| wider(a, b, |a, b| a.beyond(b))));
        (loosest, one_each && only_patterns)
    }

    /// Combines two limits that apply together.
    #[must_use]
    pub fn and(mut self, other: &Self) -> Self {
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

fn wider(a: (Number, bool), b: (Number, bool), wins: impl Fn(Number, Number) -> bool) -> (Number, bool) {
    if wins(a.0, b.0) {
        a
    } else if wins(b.0, a.0) {
        b
    } else {
        (a.0, a.1 && b.1)
    }
}

type Bound = Option<(Number, bool)>;

fn tighter(a: Bound, b: Bound, wins: impl Fn(Number, Number) -> bool) -> Bound {
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
    fn combined_limits_are_the_tighter_ones() {
        let one = Limits {
            minimum: Some((Number::Int(1), false)),
            maximum: Some((Number::Float(9.5), false)),
            max_length: Some(3),
            ..Limits::default()
        };
        let other = Limits {
            minimum: Some((Number::Int(1), true)),
            maximum: Some((Number::Int(9), false)),
            max_length: Some(5),
            min_items: Some(1),
            ..Limits::default()
        };
        let both = one.and(&other);
        assert_eq!(
            (both.minimum, both.maximum),
            (Some((Number::Int(1), true)), Some((Number::Int(9), false)))
        );
        assert_eq!((both.max_length, both.min_items), (Some(3), Some(1)));
        assert_eq!(both.kinds(), Kinds::STRING.or(Kinds::NUMBER).or(Kinds::SEQUENCE));
    }
}
