//! Prepares the branches of a union: splits nested unions, and merges branches for the same kind of node.

use asdf_schema_model::{Kinds, Limits};

use super::{Alternative, Rule, What};
use crate::Result;
use crate::build::follow::Goal;
use crate::build::reach::{Branch, Class};
use crate::build::{Builder, Context, Key, docs, scalar};
use crate::library::Place;
use crate::model::{Docs, Type, Variant};
use crate::report::LossKind;

impl<'a> Builder<'a> {
    /// The branches, including those of nested unions without a name.
    pub(super) fn branches(&mut self, keys: &[Key], context: &Context) -> Result<Vec<Branch>> {
        let mut branches = Vec::new();
        let mut opened: Vec<Place> = Vec::new();
        let mut pending: Vec<Key> = keys.iter().rev().cloned().collect();
        while let Some(key) = pending.pop() {
            let Some(&place) = key.places.last() else { continue };
            // A branch that is the union itself has no effect.
            if key.without.is_empty() && self.follow(place)? == Goal::Place(context.place) {
                continue;
            }
            let class = self.classify(&key)?;
            match &class {
                Class::Mixed { branches: Some(inner), named: false, .. } if !opened.contains(&place) => {
                    opened.push(place);
                    pending.extend(inner.iter().rev().map(|&place| Key::of(place)));
                }
                _ => branches.push(Branch { key, place, class }),
            }
        }
        Ok(branches)
    }

    /// Merges branches into alternatives, each at the position of its first branch.
    pub(super) fn merge(
        &mut self,
        mut rest: Vec<Branch>,
        context: &Context,
        rule: Rule,
    ) -> Result<Vec<Alternative>> {
        let mut alternatives: Vec<Alternative> = Vec::new();
        let only_words = rest.iter().all(|branch| matches!(branch.class, Class::Words { .. }));
        let lists = rest.iter().filter(|branch| matches!(branch.class, Class::Words { .. })).count();
        while !rest.is_empty() {
            let first = rest.remove(0);
            let own = group(&first.class);
            let (mut all, others): (Vec<Branch>, Vec<Branch>) =
                rest.into_iter().partition(|branch| own.is_some() && group(&branch.class) == own);
            rest = others;
            all.insert(0, first);
            // A single list of strings keeps its name, or it is the whole union.
            let open = matches!(all.as_slice(), [Branch { class: Class::Words { named, .. }, .. }]
                if !(only_words || *named && lists == 1));
            let one = if all.len() > 1 || open { self.several(&all, context, rule) } else { None };
            match one {
                Some(one) => alternatives.push(one),
                None => {
                    for branch in all {
                        alternatives.push(self.one(branch)?);
                    }
                }
            }
        }
        Ok(alternatives)
    }

    /// A branch that is not merged.
    fn one(&mut self, branch: Branch) -> Result<Alternative> {
        let label = self.label(branch.place)?;
        let docs = docs::of(self.schema(branch.place)?).or(&self.gather(&branch.key)?.docs.in_short());
        Ok(Alternative {
            place: branch.place,
            label,
            docs,
            class: branch.class,
            what: What::Branch(branch.key),
        })
    }

    /// Merges branches of one kind, unless that would change the meaning.
    fn several(&mut self, branches: &[Branch], context: &Context, rule: Rule) -> Option<Alternative> {
        let mut checks: Vec<&Limits> = Vec::new();
        let mut kinds = Kinds::NONE;
        let mut date_times = 0;
        for branch in branches {
            kinds = kinds.or(branch.class.untagged());
            match &branch.class {
                Class::Text { checks: own, date_time } => {
                    checks.push(own);
                    date_times += usize::from(*date_time);
                }
                Class::Number { checks: own, .. } => checks.push(own),
                _ => {}
            }
        }
        let first = branches.first()?;
        let (label, class, what) = match &first.class {
            Class::Words { .. } => {
                let words = self.all_words(branches, context, rule);
                ("Word", first.class.clone(), words)
            }
            Class::Text { .. } => {
                let (checks, exact) = Limits::any(&checks);
                let alike = date_times == 0 || date_times == branches.len();
                if !(exact && alike) && rule != Rule::Mixed {
                    return None;
                }
                let label = if date_times > 0 { "Timestamp" } else { "String" };
                let class = Class::Text { checks: checks.clone(), date_time: date_times > 0 };
                (label, class, What::Text(checks, date_times > 0))
            }
            Class::Number { .. } => {
                // An unrestricted branch makes the others redundant.
                let free = branches.iter().any(|branch| match &branch.class {
                    Class::Number { checks, kinds: own } => checks.is_empty() && *own == kinds,
                    _ => false,
                });
                let same_kinds = branches.iter().all(|branch| branch.class.untagged() == kinds);
                let (checks, exact) = if free { (Limits::default(), true) } else { Limits::any(&checks) };
                if !(exact && (free || same_kinds)) && rule != Rule::Mixed {
                    return None;
                }
                let label = if kinds.has(Kinds::FLOAT) { "Number" } else { "Integer" };
                let class = Class::Number { checks: checks.clone(), kinds };
                (label, class, What::Number(checks, kinds))
            }
            class => ("Bool", class.clone(), What::Type(Type::Bool)),
        };
        if rule == Rule::One && !matches!(first.class, Class::Words { .. }) {
            let message = format!(
                "whether a value fits only one of {} branches for {kinds} is not checked",
                branches.len()
            );
            self.lose(LossKind::Looser, context.place, message);
        }
        Some(Alternative { place: first.place, label: label.to_owned(), docs: Docs::default(), class, what })
    }

    fn all_words(&mut self, branches: &[Branch], context: &Context, rule: Rule) -> What {
        let mut words: Vec<(&str, usize)> = Vec::new();
        for branch in branches {
            let Class::Words { words: more, .. } = &branch.class else { continue };
            for word in more {
                match words.iter_mut().find(|(known, _)| known == word) {
                    Some((_, count)) => *count += 1,
                    None => words.push((word, 1)),
                }
            }
        }
        // `oneOf` refuses strings that are in two of its lists.
        let words = words.into_iter().filter(|(_, count)| rule != Rule::One || *count == 1);
        let words: Vec<Variant> = scalar::words(&words.map(|(word, _)| word).collect::<Vec<&str>>());
        if words.is_empty() {
            self.lose(
                LossKind::Node,
                context.place,
                "every string is in two of the lists, so no string is valid",
            );
            return What::Type(Type::Node);
        }
        What::Words(words)
    }
}

/// Branches with the same number can be merged.
fn group(class: &Class) -> Option<u8> {
    match class {
        Class::Words { .. } => Some(0),
        Class::Text { .. } => Some(1),
        Class::Number { .. } => Some(2),
        Class::Bool => Some(3),
        Class::Any
        | Class::Null
        | Class::List
        | Class::Mapping
        | Class::Tagged { .. }
        | Class::Mixed { .. } => None,
    }
}
