//! Lists with required items, each of which gets a function that returns it.

use asdf_schema_model::{Kinds, Limits};

use super::facts::Facts;
use super::{Builder, Context, Key};
use crate::Result;
use crate::library::Place;
use crate::names::{self, Distinct};
use crate::report::LossKind;
use crate::schema::{Demand, Test};

/// The maximum depth of a test below an item.
const MAX_STEPS: usize = 8;

impl<'a> Builder<'a> {
    /// The required items of a list.
    pub(super) fn demands(&mut self, facts: &Facts<'a>, context: &Context) -> Result<Vec<Demand>> {
        let mut demands: Vec<Demand> = Vec::new();
        let mut taken = Distinct::default();
        for name in ["new", "get", "into_inner"] {
            taken.take(name.to_owned());
        }
        for &place in &facts.schema.contains {
            let item = self.gather(&Key::of(place))?;
            let mut tests = Vec::new();
            if !self.tests(&item, "", &mut tests)? {
                let message = "parts of the schema of a required item are not checked";
                self.lose(LossKind::Looser, place, message);
            }
            let twin = demands.iter().any(|known| known.tests == tests);
            if tests.is_empty() || twin {
                continue;
            }
            let docs = item.docs.title.as_ref().or(item.docs.description.as_ref());
            let docs = docs.and_then(|text| text.lines().next()).map(|line| line.trim().to_owned());
            let name = self.accessor(place, &tests)?.unwrap_or_else(|| context.child("item").name);
            let name = taken.take(names::value_name(&name));
            demands.push(Demand { name, docs: docs.filter(|line| !line.is_empty()), tests });
        }
        Ok(demands)
    }

    /// The name of an item: its only possible value, or the definition that it refers to.
    fn accessor(&self, place: Place, tests: &[Test]) -> Result<Option<String>> {
        let literal = tests.iter().find_map(|test| {
            let [pattern] = test.values.as_slice() else { return None };
            let text = pattern.strip_prefix('^')?.strip_suffix('$')?;
            let plain = text.chars().all(|c| c.is_alphanumeric() || "_- ".contains(c));
            (test.keyword == "pattern" && plain && !text.is_empty()).then(|| text.to_owned())
        });
        if literal.is_some() {
            return Ok(literal);
        }
        let mut pending = vec![place];
        while let Some(place) = pending.pop() {
            let schema = self.schema(place)?;
            if let Some(reference) = schema.text("$ref") {
                let last = reference.rsplit('/').next().unwrap_or_default();
                return Ok(Some(last.to_owned()));
            }
            let branches: Vec<Place> =
                schema.branches("allOf").map(|part| self.packages.part(place, part)).collect();
            pending.extend(branches.into_iter().rev());
        }
        Ok(None)
    }

    /// Adds the tests at a path and below. Returns whether the tests cover the whole schema.
    fn tests(&self, facts: &Facts<'a>, path: &str, tests: &mut Vec<Test>) -> Result<bool> {
        if path.matches('/').count() > MAX_STEPS {
            return Ok(false);
        }
        let at = |keyword, values| Test { path: path.to_owned(), keyword, values };
        let strings = facts.schema.limits.on(Kinds::STRING);
        for pattern in &strings.patterns {
            if regex::Regex::new(pattern).is_ok() {
                tests.push(at("pattern", vec![pattern.clone()]));
            }
        }
        let mut whole = strings.patterns.iter().all(|pattern| regex::Regex::new(pattern).is_ok());
        let bare = Limits { patterns: strings.patterns, ..Default::default() };
        whole &= facts.schema.limits == bare && facts.elements.is_empty();
        if let Some(values) = &facts.schema.values {
            let words: Option<Vec<String>> =
                values.iter().map(|value| value.as_str().map(str::to_owned)).collect();
            match words.filter(|words| !words.is_empty()) {
                Some(words) => tests.push(at("enum", words)),
                None => whole = false,
            }
        }
        for name in &facts.schema.required {
            tests.push(at("required", vec![(*name).to_owned()]));
        }
        for property in &facts.schema.properties {
            let step = asdf_schema_model::pointer::escape(property.name);
            let below = self.gather(&Key::all(property.places.clone()))?;
            whole &= self.tests(&below, &format!("{path}/{step}"), tests)?;
        }
        Ok(whole
            && facts.schema.others.is_empty()
            && facts.schema.types.is_none_or(|kinds| kinds == Kinds::ANY)
            && facts.externs.is_empty()
            && facts.schema.tags.is_empty()
            && facts.unions.is_empty()
            && facts.schema.patterns.is_empty()
            && facts.schema.items.is_empty()
            && facts.schema.contains.is_empty()
            && facts.loose.is_empty()
            && !facts.schema.date_time)
    }
}
