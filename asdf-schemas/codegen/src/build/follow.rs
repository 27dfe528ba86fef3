//! Follows schemas that only refer to another schema.

use super::Builder;
use crate::Result;
use crate::library::Place;
use crate::report::LossKind;
use crate::schema::{Schema, says_something};

/// The target of a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Goal {
    /// No target: every value is valid.
    Anything,
    /// An existing type, by the name of its place in the configuration.
    Extern(String),
    /// A whole document.
    Root(usize),
    /// A schema that restricts values.
    Place(Place),
}

impl<'a> Builder<'a> {
    /// Follows references, and unions and `allOf` with a single branch, to the first schema that restricts values.
    pub(super) fn follow(&mut self, place: Place) -> Result<Goal> {
        let mut seen = Vec::new();
        let mut at = place;
        loop {
            if seen.contains(&at) {
                self.lose(
                    LossKind::Node,
                    place,
                    "the reference leads back to itself, so every value is valid",
                );
                return Ok(Goal::Anything);
            }
            seen.push(at);
            self.note(at)?;
            match self.step(at)? {
                Step::There(goal) => return Ok(goal),
                Step::On(next) => at = next,
            }
        }
    }

    /// The same without recording losses.
    pub(super) fn peek(&self, place: Place) -> Result<Goal> {
        let mut seen = Vec::new();
        let mut at = place;
        loop {
            if seen.contains(&at) {
                return Ok(Goal::Anything);
            }
            seen.push(at);
            match self.step(at)? {
                Step::There(goal) => return Ok(goal),
                Step::On(next) => at = next,
            }
        }
    }

    fn step(&self, at: Place) -> Result<Step> {
        let name = self.packages.name(at);
        if self.settings.extern_for(&name).is_some() {
            return Ok(Step::There(Goal::Extern(name)));
        }
        if self.packages.is_root(at) {
            return Ok(Step::There(Goal::Root(at.document)));
        }
        let schema = self.schema(at)?;
        if let Some(single) = self.single(at, schema)? {
            return Ok(single);
        }
        Ok(Step::There(Goal::Place(at)))
    }

    /// The only keyword of a schema, if it is a reference or has a single branch.
    fn single(&self, at: Place, schema: Schema<'a>) -> Result<Option<Step>> {
        if says_something(self.packages.node(at)) {
            return Ok(None);
        }
        let mut parts = Vec::new();
        if let Some(node) = schema.get("$ref") {
            let reference = node.as_str().unwrap_or_default();
            let target = self.packages.target(at, reference);
            parts.push(match target.place {
                Some(place) => Step::On(place),
                None if self.settings.extern_for(&target.name).is_some() => {
                    Step::There(Goal::Extern(target.name))
                }
                None => return Err(self.packages.lost(self.packages.part(at, node), &target)),
            });
        }
        for branch in schema.branches("allOf") {
            let branch = self.packages.part(at, branch);
            if !self.is_empty(branch)? {
                parts.push(Step::On(branch));
            }
        }
        for (_, branches) in self.unions_of(at) {
            match branches.as_slice() {
                [only] => parts.push(Step::On(*only)),
                _ => return Ok(None),
            }
        }
        let mut parts = parts.into_iter();
        Ok(match (parts.next(), parts.next()) {
            (None, _) => Some(Step::There(Goal::Anything)),
            (Some(one), None) => Some(one),
            (Some(_), Some(_)) => None,
        })
    }

    /// Whether a schema, including its references, allows every value.
    pub(super) fn is_empty(&self, place: Place) -> Result<bool> {
        let schema = self.schema(place)?;
        let leads_on = ["$ref", "allOf", "anyOf", "oneOf"].iter().any(|name| schema.get(name).is_some());
        Ok(!leads_on && !says_something(self.packages.node(place)))
    }
}

enum Step {
    There(Goal),
    On(Place),
}
