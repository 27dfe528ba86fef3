//! Makes texts of any size and of one shape, to measure whether ten times the text takes ten times the time.

use super::texts::{self, put, text};
use std::fmt::Write as _;

/// A kind of text.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// The name on the command line.
    pub name: &'static str,
    /// Makes a text of about this number of bytes.
    pub text: fn(usize) -> String,
    /// The depth limit that the parser needs, if the default is too small.
    pub depth: Option<usize>,
}

/// All shapes.
pub const SHAPES: &[Shape] = &[
    shape("mixed", texts::mixed),
    shape("arrays", texts::arrays),
    shape("numbers", texts::numbers),
    shape("metadata", texts::metadata),
    shape("flow-sequence", flow_sequence),
    shape("flow-mapping", flow_mapping),
    shape("flow-pairs", flow_pairs),
    shape("block-sequence", block_sequence),
    shape("block-mapping", block_mapping),
    shape("question-marks", question_marks),
    shape("nested-brackets", nested_brackets),
    shape("nested-braces", nested_braces),
    shape("nested-dashes", nested_dashes),
    shape("nested-mappings", nested_mappings),
    shape("chain", chain),
    Shape { name: "long-chain", text: chain, depth: Some(usize::MAX) },
    shape("anchors", anchors),
    shape("aliases", aliases),
    shape("tags", tags),
    shape("verbatim-tags", verbatim_tags),
    shape("handles", handles),
    shape("comments", comments),
    shape("blank-lines", blank_lines),
    shape("quoted", quoted),
    shape("escapes", escapes),
    shape("single-quoted", single_quoted),
    shape("literal", literal),
    shape("folded", folded),
    shape("plain", plain),
    shape("blanks", blanks),
];

const fn shape(name: &'static str, text: fn(usize) -> String) -> Shape {
    Shape { name, text, depth: None }
}

/// Finds a shape by name.
#[must_use]
pub fn named(name: &str) -> Option<Shape> {
    SHAPES.iter().copied().find(|shape| shape.name == name)
}

/// A depth below the default limit of 512, in addition to the root and its entry.
const DEEP: usize = 500;

fn flow_sequence(bytes: usize) -> String {
    text(bytes, "data: [", "end]\n", |text, n| put!(text, "word{n}, \"two words\",\n  "))
}

fn flow_mapping(bytes: usize) -> String {
    text(bytes, "data: {", "end: 0}\n", |text, n| put!(text, "key{n}: {n}, \"key {n}\": 'text',\n  "))
}

fn flow_pairs(bytes: usize) -> String {
    text(bytes, "data: [", "end: 0]\n", |text, n| put!(text, "key{n}: {n},\n  "))
}

fn block_sequence(bytes: usize) -> String {
    text(bytes, "data:\n", "", |text, n| put!(text, "- item {n}\n"))
}

fn block_mapping(bytes: usize) -> String {
    text(bytes, "", "end: 0\n", |text, n| put!(text, "key{n}: value {n}\n"))
}

fn question_marks(bytes: usize) -> String {
    text(bytes, "", "end: 0\n", |text, n| put!(text, "? key{n}\n: value {n}\n"))
}

fn nested_brackets(bytes: usize) -> String {
    text(bytes, "data:\n", "", |text, n| {
        put!(text, "- {}{n}{}\n", "[".repeat(DEEP), "]".repeat(DEEP));
    })
}

fn nested_braces(bytes: usize) -> String {
    text(bytes, "data:\n", "", |text, n| {
        put!(text, "- {}{n}{}\n", "{k: ".repeat(DEEP), "}".repeat(DEEP));
    })
}

fn nested_dashes(bytes: usize) -> String {
    text(bytes, "data:\n", "", |text, n| put!(text, "{}{n}\n", "- ".repeat(DEEP)))
}

fn nested_mappings(bytes: usize) -> String {
    text(bytes, "data:\n", "", |text, n| {
        text.push_str("-\n");
        for depth in 1..DEEP {
            put!(text, "{:depth$}k:\n", "");
        }
        put!(text, "{:DEEP$}k: {n}\n", "");
    })
}

/// Makes one chain of nested brackets, with a depth of half the number of bytes.
fn chain(bytes: usize) -> String {
    format!("{}data: {}{}\n...\n", texts::HEAD, "[".repeat(bytes / 2), "]".repeat(bytes / 2))
}

fn anchors(bytes: usize) -> String {
    text(bytes, "data:\n", "", |text, n| put!(text, "- &anchor{n} {{key: {n}}}\n- *anchor{n}\n"))
}

fn aliases(bytes: usize) -> String {
    text(bytes, "data:\n- &one {key: value}\n", "", |text, _| text.push_str("- *one\n"))
}

fn tags(bytes: usize) -> String {
    text(bytes, "data:\n", "", |text, n| put!(text, "- !made/tag-{n} word\n"))
}

fn verbatim_tags(bytes: usize) -> String {
    text(bytes, "data:\n", "", |text, n| put!(text, "- !<asdf://example.com/tag-{n}> word\n"))
}

/// Makes one `%TAG` line for each tag.
fn handles(bytes: usize) -> String {
    let (mut directives, mut items) = (String::from("%YAML 1.1\n"), String::from("---\n"));
    let mut n = 0;
    while directives.len() + items.len() < bytes {
        put!(directives, "%TAG !h{n}! asdf://example.com/{n}/\n");
        put!(items, "- !h{n}!tag word\n");
        n += 1;
    }
    directives + &items + "...\n"
}

fn comments(bytes: usize) -> String {
    text(bytes, "", "end: 0\n", |text, n| {
        if n % 20 == 0 {
            put!(text, "key{n}: {n} # beside\n");
        } else {
            put!(text, "  # a line that explains what comes {n} lines below\n");
        }
    })
}

fn blank_lines(bytes: usize) -> String {
    text(bytes, "", "end: 0\n", |text, n| {
        if n % 20 == 0 {
            put!(text, "key{n}: {n}\n");
        } else {
            text.push_str("   \n\n");
        }
    })
}

fn quoted(bytes: usize) -> String {
    text(bytes, "data: \"", "\"\n", |text, n| put!(text, "one line of words without an end {n} "))
}

fn escapes(bytes: usize) -> String {
    text(bytes, "data: \"", "\"\n", |text, n| {
        put!(text, "caf\\u00e9 \\\"{n}\\\"\\n folded\n  and\n\n  more ")
    })
}

fn single_quoted(bytes: usize) -> String {
    text(bytes, "data: '", "'\n", |text, n| put!(text, "it''s number {n}\n  and\n\n  more "))
}

fn literal(bytes: usize) -> String {
    text(bytes, "data: |\n", "", |text, n| put!(text, "  line {n} of a long text\n\n    indented\n"))
}

fn folded(bytes: usize) -> String {
    text(bytes, "data: >\n", "", |text, n| {
        put!(text, "  line {n} of a long text\n  and more\n\n    indented\n")
    })
}

fn plain(bytes: usize) -> String {
    text(bytes, "data: words\n", "", |text, n| put!(text, "  that go on {n} and\n\n  on in new lines\n"))
}

/// Makes long runs of blanks, between words of a scalar and at the ends of its lines.
fn blanks(bytes: usize) -> String {
    text(bytes, "data: words\n", "", |text, n| put!(text, "  word{:200}word{n}{:300}\n", "", ""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use asdf_core::yaml::{EmitOptions, emit, parse};

    #[test]
    fn every_shape_is_a_tree_of_its_size_that_can_be_written() {
        for shape in SHAPES {
            // The depth of a chain grows with its length, and the emitter has a fixed limit.
            let bytes = if shape.name.ends_with("chain") { 900 } else { 300_000 };
            let text = (shape.text)(bytes);
            assert!(text.len() * 10 > bytes * 8 && text.len() < bytes * 2, "{}: {}", shape.name, text.len());
            let tree = parse(&text).unwrap_or_else(|error| panic!("{}: {error}", shape.name));
            let written = emit(&tree, EmitOptions::default()).unwrap();
            let again = parse(&written).unwrap_or_else(|error| panic!("{}: {error}", shape.name));
            assert_eq!(again.len(), tree.len(), "{}", shape.name);
        }
    }

    #[test]
    fn names_are_different() {
        let mut names: Vec<_> = SHAPES.iter().map(|shape| shape.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), SHAPES.len());
    }
}
