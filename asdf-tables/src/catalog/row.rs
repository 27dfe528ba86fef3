//! `Row`: the values of a file for its columns.

use asdf_core::Error;
use asdf_core::tree::NodeRef;

use super::value::{Budget, Value};
use super::{Field, Found, Kind};

/// The values of one file.
#[derive(Debug)]
pub struct Row {
    pub(super) name: String,
    pub(super) values: Vec<Value>,
    /// The columns whose values were read before their types were known.
    pub(super) untyped: Vec<usize>,
    pub(super) problems: Vec<Error>,
    pub(super) budget: Budget,
    /// Why the file could not be opened.
    pub(super) failure: Option<String>,
}

impl Row {
    pub(super) fn new(found: &Found) -> Self {
        Self {
            name: found.name.clone(),
            values: Vec::new(),
            untyped: Vec::new(),
            problems: Vec::new(),
            budget: Budget::default(),
            failure: None,
        }
    }

    /// Returns the name of the file.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns why values are missing, with the path, line and column of each.
    #[must_use]
    pub fn problems(&self) -> &[Error] {
        &self.problems
    }

    /// Reads a value of the tree for a column. If it does not fit, it is null and a problem.
    pub(super) fn value(&mut self, field: &Field, node: NodeRef<'_>, path: impl FnOnce() -> String) -> Value {
        let value = Value::read(node, &mut self.budget).and_then(|value| {
            let Some(kind) = &field.kind else { return Ok(value) };
            // Parsing a unit takes longer than all else here.
            let unit = if matches!(value, Value::Quantity(..)) { field.unit() } else { None };
            value.fit(kind, unit.as_ref()).ok_or_else(|| match &unit {
                Some(unit) => {
                    node.expected(format_args!("{kind}, or a quantity that can be converted to {unit}"))
                }
                None => node.expected(kind),
            })
        });
        value.unwrap_or_else(|error| {
            self.problems.push(error.at_path(&path()).at_file(&self.name));
            Value::Null
        })
    }

    /// Fits a value to a type that was found after the value was read.
    pub(super) fn settle(&mut self, column: usize, field: &Field, kind: &Kind) {
        let Some(value) = self.values.get_mut(column) else { return };
        let own = std::mem::replace(value, Value::Null);
        match own.clone().fit(kind, field.unit().as_ref()) {
            Some(fitted) => *value = fitted,
            None => {
                let path = field.paths().first().map_or("", String::as_str);
                let text = own.to_text();
                let message = format!("found {}, expected {kind} as in the first files", text.escape_debug());
                self.problems.push(Error::mismatch(message).at_path(path).at_file(&self.name));
            }
        }
    }

    /// Returns the problems as the texts of the column `_problems`.
    pub(super) fn problem_texts(&self) -> Value {
        let text = |error: &Error| match error.path() {
            Some(path) => format!("{path}: {}", error.message()),
            None => error.message().to_owned(),
        };
        let texts: Vec<Value> =
            self.failure.iter().cloned().chain(self.problems.iter().map(text)).map(Value::String).collect();
        if texts.is_empty() { Value::Null } else { Value::List(texts) }
    }
}
