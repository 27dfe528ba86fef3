//! Parses a schema into nodes with line numbers.

use std::collections::HashMap;
use std::rc::Rc;

use asdf_schema_model::{Found, Kinds, Schema, Value};
use granit_parser::{Event, Parser, ScalarStyle};

/// A node and the line on which it begins, counted from 1. Clones share the node.
#[derive(Clone)]
pub(crate) struct Node(Rc<(usize, Content)>);

pub(crate) enum Content {
    /// A scalar without quotes, which can be a number, a boolean or null.
    Plain(String),
    /// A quoted or block scalar, which is always a string.
    Text(String),
    Sequence(Vec<Node>),
    /// Keys and values, in file order.
    Mapping(Vec<(Node, Node)>),
}

impl Node {
    fn new(line: usize, content: Content) -> Self {
        Self(Rc::new((line, content)))
    }

    /// Parses text of one YAML document. An error comes with its line.
    pub(crate) fn parse(text: &str) -> Result<Self, (usize, String)> {
        let mut composer = Composer::default();
        for event in Parser::new_from_str(text) {
            let (event, span) = event.map_err(|error| (error.marker().line(), error.info()))?;
            let line = span.start.line();
            composer.take(event, line).map_err(|message| (line, message.to_owned()))?;
        }
        composer.root.ok_or_else(|| (1, "the file has no YAML document".to_owned()))
    }

    pub(crate) fn line(&self) -> usize {
        self.0.0
    }

    pub(crate) fn content(&self) -> &Content {
        &self.0.1
    }

    /// The text of a scalar without quotes.
    fn plain(&self) -> Option<&str> {
        if let Content::Plain(text) = self.content() { Some(text) } else { None }
    }

    /// The node at a JSON Pointer.
    pub(crate) fn at(&self, pointer: &str) -> Option<Self> {
        match Schema::new(self).follow(pointer)? {
            Found::Node(node) => Some(node.clone()),
            Found::Elsewhere(_) => None,
        }
    }
}

impl<'t> Value<'t> for &'t Node {
    /// Returns the text of any scalar, since only YAML's rules decide whether a plain scalar is a string.
    fn as_str(self) -> Option<&'t str> {
        self.text()
    }

    fn text(self) -> Option<&'t str> {
        match self.content() {
            Content::Plain(text) | Content::Text(text) => Some(text),
            _ => None,
        }
    }

    fn as_bool(self) -> Option<bool> {
        match self.plain()?.to_lowercase().as_str() {
            "true" | "yes" | "on" => Some(true),
            "false" | "no" | "off" => Some(false),
            _ => None,
        }
    }

    fn as_f64(self) -> Option<f64> {
        self.plain()?.parse().ok()
    }

    fn as_i128(self) -> Option<i128> {
        self.plain()?.parse().ok()
    }

    /// A plain scalar that could be a float or a timestamp has all kinds that YAML's rules allow for it.
    fn kinds(self) -> Kinds {
        match self.content() {
            Content::Sequence(_) => Kinds::SEQUENCE,
            Content::Mapping(_) => Kinds::MAPPING,
            Content::Text(_) => Kinds::STRING,
            Content::Plain(text) => match text.to_lowercase().as_str() {
                "" | "~" | "null" => Kinds::NULL,
                _ if self.as_bool().is_some() => Kinds::BOOL,
                _ if self.as_i128().is_some() => Kinds::NUMBER,
                _ if text.starts_with(|first: char| first.is_ascii_digit() || "+-.".contains(first)) => {
                    Kinds::NUMBER.or(Kinds::STRING).or(Kinds::TIMESTAMP)
                }
                _ => Kinds::STRING,
            },
        }
    }

    fn items(self) -> impl Iterator<Item = Self> {
        let items: &[Node] = if let Content::Sequence(items) = self.content() { items } else { &[] };
        items.iter()
    }

    fn entries(self) -> impl Iterator<Item = (Self, Self)> {
        let entries: &[(Node, Node)] =
            if let Content::Mapping(entries) = self.content() { entries } else { &[] };
        entries.iter().map(|(key, value)| (key, value))
    }
}

/// A collection that has not ended yet.
struct Open {
    line: usize,
    anchor: usize,
    mapping: bool,
    children: Vec<Node>,
}

#[derive(Default)]
struct Composer {
    root: Option<Node>,
    open: Vec<Open>,
    anchors: HashMap<usize, Node>,
}

impl Composer {
    fn take(&mut self, event: Event<'_>, line: usize) -> Result<(), &'static str> {
        let begins = matches!(
            event,
            Event::Scalar(..) | Event::SequenceStart(..) | Event::MappingStart(..) | Event::Alias(_)
        );
        if begins && self.open.is_empty() && self.root.is_some() {
            return Err("found a second YAML document, expected a schema of one document");
        }
        match event {
            Event::Scalar(text, style, anchor, _) => {
                let text = text.into_owned();
                let content = match style {
                    ScalarStyle::Plain => Content::Plain(text),
                    _ => Content::Text(text),
                };
                self.add(Node::new(line, content), anchor);
            }
            Event::SequenceStart(_, anchor, _) => {
                self.open.push(Open { line, anchor, mapping: false, children: Vec::new() });
            }
            Event::MappingStart(_, anchor, _) => {
                self.open.push(Open { line, anchor, mapping: true, children: Vec::new() });
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let Some(Open { line, anchor, mapping, children }) = self.open.pop() else { return Ok(()) };
                let content = if mapping {
                    let mut children = children.into_iter();
                    let pairs = std::iter::from_fn(|| children.next().zip(children.next()));
                    Content::Mapping(pairs.collect())
                } else {
                    Content::Sequence(children)
                };
                self.add(Node::new(line, content), anchor);
            }
            Event::Alias(anchor) => {
                let node =
                    self.anchors.get(&anchor).ok_or("the alias refers to a node that contains it")?.clone();
                self.add(node, 0);
            }
            _ => {}
        }
        Ok(())
    }

    fn add(&mut self, node: Node, anchor: usize) {
        if anchor != 0 {
            self.anchors.insert(anchor, node.clone());
        }
        match self.open.last_mut() {
            Some(open) => open.children.push(node),
            None => self.root = Some(node),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_have_their_lines() {
        let root = Node::parse("%YAML 1.1\n---\n# a schema\nid: x\nproperties:\n  a: &a {type: integer}\n  b/c: *a\nlist:\n- 1\n- 'false'\n...\n")
            .unwrap_or_else(|(line, message)| panic!("{line}: {message}"));
        let lines = |pointer: &str| root.at(pointer).map(|node| node.line());
        assert_eq!(lines("/properties/a/type"), Some(6));
        assert_eq!(lines("/properties/b~1c/type"), Some(6));
        assert_eq!(
            root.get("properties").and_then(|all| all.entries().last()).map(|(key, _)| key.line()),
            Some(7)
        );
        assert_eq!(lines("/list/1"), Some(10));
        assert!(
            root.at("/list/1").is_some_and(|node| node.as_bool().is_none() && node.text() == Some("false"))
        );
        assert!(lines("/list/2").is_none() && lines("/list/x").is_none() && lines("/id/x").is_none());
    }

    #[test]
    fn plain_scalars_have_the_kinds_of_yaml() {
        let unclear = Kinds::NUMBER.or(Kinds::STRING).or(Kinds::TIMESTAMP);
        for (text, kinds, number) in [
            ("yes", Kinds::BOOL, None),
            ("'yes'", Kinds::STRING, None),
            ("~", Kinds::NULL, None),
            ("12", Kinds::NUMBER, Some(12.0)),
            ("1.5", unclear, Some(1.5)),
            ("'1.5'", Kinds::STRING, None),
            ("2026-11-26", unclear, None),
            ("word", Kinds::STRING, None),
            ("[1]", Kinds::SEQUENCE, None),
            ("{a: 1}", Kinds::MAPPING, None),
        ] {
            let node = Node::parse(text).unwrap_or_else(|(line, message)| panic!("{line}: {message}"));
            assert_eq!((&node).kinds(), kinds, "{text}");
            assert_eq!((&node).as_f64(), number, "{text}");
        }
    }

    #[test]
    fn parse_errors_have_a_line() {
        for (text, line) in [("a: [1\nb: 2", 2), ("", 1), ("a: 1\n---\nb: 1\n", 3), ("a: &a\n  b: *a\n", 2)] {
            assert_eq!(Node::parse(text).map_err(|(line, _)| line).err(), Some(line), "{text}");
        }
    }
}
