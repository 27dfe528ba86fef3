//! The conditions of --where.

use std::cmp::Ordering;
use std::str::FromStr;

use asdf_core::{File, Tree, yaml};
use regex::Regex;

use crate::place;
use crate::quantity::Quantity;
use crate::value::compare;

/// A comparison of the value at a path with another value.
#[derive(Debug, Clone)]
pub(super) struct Condition {
    path: String,
    test: Test,
}

#[derive(Debug, Clone)]
enum Test {
    Compares(&'static [Ordering], Tree),
    /// Also true if the path does not exist.
    Differs(Tree),
    Matches(Regex),
}

impl FromStr for Condition {
    type Err = String;

    /// Parses a condition such as `/a/b = "x"`; the spaces are optional.
    fn from_str(text: &str) -> Result<Self, String> {
        const HOW: &str =
            "expected a path, one of = != < <= > >= ~, and a value, as in '/meta/target = \"M31\"'";
        let at = text.find(['=', '!', '<', '>', '~']).ok_or(HOW)?;
        let (path, rest) = text.split_at(at);
        let operators = ["!=", "<=", ">=", "==", "=", "<", ">", "~"];
        let operator = operators.into_iter().find(|operator| rest.starts_with(operator)).ok_or(HOW)?;
        let value = rest.get(operator.len()..).unwrap_or_default().trim();
        let path = path.trim().to_owned();
        if path.is_empty() {
            return Err(HOW.to_owned());
        }
        let tree = || {
            let tree = yaml::parse(&format!("{value}\n"))
                .map_err(|error| format!("the value: {}", error.message()))?;
            match tree.root() {
                Some(root) if root.kind().is_scalar() => Ok(tree),
                _ => Err("cannot compare with this value: put strings in quotes".to_owned()),
            }
        };
        let test = match operator {
            "~" => {
                let pattern = value.trim_matches(|c| c == '"' || c == '\'');
                Test::Matches(Regex::new(pattern).map_err(|error| error.to_string())?)
            }
            "!=" => Test::Differs(tree()?),
            "<" => Test::Compares(&[Ordering::Less], tree()?),
            "<=" => Test::Compares(&[Ordering::Less, Ordering::Equal], tree()?),
            ">" => Test::Compares(&[Ordering::Greater], tree()?),
            ">=" => Test::Compares(&[Ordering::Greater, Ordering::Equal], tree()?),
            _ => Test::Compares(&[Ordering::Equal], tree()?),
        };
        Ok(Self { path, test })
    }
}

impl Condition {
    pub(super) fn holds(&self, file: &File) -> bool {
        let node = place::find(file.tree(), &self.path);
        let quantity = node.and_then(Quantity::of);
        let order = |node, value: &Tree| match &quantity {
            Some(quantity) => quantity.compare(value.root()?),
            None => compare(node, value.root()?),
        };
        match (&self.test, node) {
            (Test::Matches(pattern), Some(node)) => {
                let quantity = quantity.as_ref().map(Quantity::text);
                quantity.as_deref().or(node.text()).is_some_and(|text| pattern.is_match(text))
            }
            (Test::Compares(orders, value), Some(node)) => {
                order(node, value).is_some_and(|order| orders.contains(&order))
            }
            (Test::Differs(value), Some(node)) => order(node, value) != Some(Ordering::Equal),
            (Test::Differs(_), None) => true,
            (_, None) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_compared_by_their_types() {
        let mut file = File::new();
        *file.tree_mut() = yaml::parse(
            "{n: 5, x: 2.5, text: M31, time: 2026-11-20T12:00:00, none: null, yes_: true, list: [1], nan: .nan}\n",
        )
        .unwrap();
        for (condition, holds) in [
            ("/n = 5", true),
            ("/n=5.0", true),
            ("n != 5", false),
            ("/n > 4.5", true),
            ("/n <= 4", false),
            ("/n = \"5\"", false),
            ("/x >= 2.5", true),
            ("/text = M31", true),
            ("/text == \"M31\"", true),
            ("/text ~ ^M\\d+$", true),
            ("/text ~ '^N'", false),
            ("/time > 2026-11-19", true),
            ("/time < 2026-11-20T11:00:00", false),
            ("/none = null", true),
            ("/yes_ = true", true),
            ("/list = 1", false),
            ("/nan = .nan", false),
            ("/absent = 1", false),
            ("/absent != 1", true),
        ] {
            assert_eq!(condition.parse::<Condition>().unwrap().holds(&file), holds, "{condition}");
        }
        for wrong in ["/a", "= 5", "/a = [1]", "/a = ", "/a ~ (", "/a ! 5"] {
            assert!(wrong.parse::<Condition>().is_err(), "{wrong}");
        }
    }
}
