//! The text of a schema as nodes that know their lines.

use std::collections::HashMap;
use std::rc::Rc;

use asdf_schema_model::pointer;
use granit_parser::{Event, Parser, ScalarStyle};

/// A node and the line where it begins, from 1.
pub(crate) struct Node {
    pub(crate) line: usize,
    pub(crate) content: Content,
}

pub(crate) enum Content {
    /// A scalar without quotes, which may be a number, a boolean or null.
    Plain(String),
    /// A scalar that is text.
    Text(String),
    Sequence(Vec<Rc<Node>>),
    /// Keys with their nodes, in their order.
    Mapping(Vec<(Rc<Node>, Rc<Node>)>),
}

impl Node {
    /// The node of a text of one document; the error has the line.
    pub(crate) fn parse(text: &str) -> Result<Rc<Self>, (usize, String)> {
        let mut composer = Composer::default();
        for event in Parser::new_from_str(text) {
            let (event, span) = event.map_err(|error| (error.marker().line(), error.info()))?;
            let line = span.start.line();
            composer.take(event, line).map_err(|message| (line, message.to_owned()))?;
        }
        composer.root.ok_or_else(|| (1, "the file holds no YAML document".to_owned()))
    }

    /// A scalar's text.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.content {
            Content::Plain(text) | Content::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Whether this is `false`.
    pub(crate) fn is_false(&self) -> bool {
        matches!(&self.content, Content::Plain(text) if matches!(text.as_str(), "false" | "False" | "FALSE"))
    }

    /// The items of a sequence; none of other nodes.
    pub(crate) fn items(&self) -> &[Rc<Self>] {
        match &self.content {
            Content::Sequence(items) => items,
            _ => &[],
        }
    }

    /// The entries of a mapping; none of other nodes.
    pub(crate) fn entries(&self) -> &[(Rc<Self>, Rc<Self>)] {
        match &self.content {
            Content::Mapping(entries) => entries,
            _ => &[],
        }
    }

    /// The key and value of a property.
    pub(crate) fn entry(&self, key: &str) -> Option<&(Rc<Self>, Rc<Self>)> {
        self.entries().iter().find(|(name, _)| name.text() == Some(key))
    }

    /// The value of a property.
    pub(crate) fn get(&self, key: &str) -> Option<&Rc<Self>> {
        self.entry(key).map(|(_, value)| value)
    }

    /// The node at a JSON Pointer.
    pub(crate) fn at(self: &Rc<Self>, pointer: &str) -> Option<Rc<Self>> {
        pointer::steps(pointer).try_fold(self.clone(), |node, step| match &node.content {
            Content::Sequence(items) => items.get(step.parse::<usize>().ok()?).cloned(),
            _ => node.get(&step).cloned(),
        })
    }
}

/// A collection whose end has not come yet.
struct Open {
    line: usize,
    anchor: usize,
    mapping: bool,
    children: Vec<Rc<Node>>,
}

#[derive(Default)]
struct Composer {
    root: Option<Rc<Node>>,
    open: Vec<Open>,
    anchors: HashMap<usize, Rc<Node>>,
}

impl Composer {
    fn take(&mut self, event: Event<'_>, line: usize) -> Result<(), &'static str> {
        let begins = matches!(
            event,
            Event::Scalar(..) | Event::SequenceStart(..) | Event::MappingStart(..) | Event::Alias(_)
        );
        if begins && self.open.is_empty() && self.root.is_some() {
            return Err("a second YAML document begins here; a schema is one document");
        }
        match event {
            Event::Scalar(text, style, anchor, _) => {
                let text = text.into_owned();
                let content = match style {
                    ScalarStyle::Plain => Content::Plain(text),
                    _ => Content::Text(text),
                };
                self.add(Rc::new(Node { line, content }), anchor);
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
                self.add(Rc::new(Node { line, content }), anchor);
            }
            Event::Alias(anchor) => {
                let node = self.anchors.get(&anchor).ok_or("this alias stands for a node around it")?.clone();
                self.add(node, 0);
            }
            _ => {}
        }
        Ok(())
    }

    fn add(&mut self, node: Rc<Node>, anchor: usize) {
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
    fn nodes_know_their_lines() {
        let root = Node::parse("%YAML 1.1\n---\n# a schema\nid: x\nproperties:\n  a: &a {type: integer}\n  b/c: *a\nlist:\n- 1\n- 'false'\n...\n")
            .unwrap_or_else(|(line, message)| panic!("{line}: {message}"));
        let lines = |pointer: &str| root.at(pointer).map(|node| node.line);
        assert_eq!(lines("/properties/a/type"), Some(6));
        assert_eq!(lines("/properties/b~1c/type"), Some(6));
        assert_eq!(root.get("properties").and_then(|p| p.entry("b/c")).map(|(key, _)| key.line), Some(7));
        assert_eq!(lines("/list/1"), Some(10));
        assert!(root.at("/list/1").is_some_and(|node| !node.is_false() && node.text() == Some("false")));
        assert!(lines("/list/2").is_none() && lines("/list/x").is_none() && lines("/id/x").is_none());
    }

    #[test]
    fn what_is_no_schema_has_a_line() {
        for (text, line) in [("a: [1\nb: 2", 2), ("", 1), ("a: 1\n---\nb: 1\n", 3), ("a: &a\n  b: *a\n", 2)] {
            assert_eq!(Node::parse(text).map_err(|(line, _)| line).err(), Some(line), "{text}");
        }
    }
}
