//! Makes texts of every layout: comments, blank lines, odd indentation, line ends, flow and block collections, quotes,
//! anchors, aliases, and tags with several handles.

use super::Choices;

/// Makes a text. Nearly all texts are valid YAML.
#[must_use]
pub fn generate(choices: &mut Choices<'_>) -> String {
    let mut maker = Maker { choices, out: String::new(), anchors: 0, defined: Vec::new() };
    maker.document();
    let mut text = maker.out;
    match choices.below(8) {
        6 => text = text.replace('\n', "\r\n"),
        7 if text.ends_with('\n') => drop(text.pop()),
        _ => {}
    }
    text
}

struct Maker<'c, 'b> {
    choices: &'c mut Choices<'b>,
    out: String,
    anchors: usize,
    /// The anchors whose nodes are complete.
    defined: Vec<usize>,
}

const PLAIN: &[&str] = &[
    "1",
    "word",
    "two words",
    "-1.5e+3",
    "0x1f",
    "null",
    "~",
    "true",
    "no",
    "2001-01-01",
    "1:30",
    "é😀",
    "a-b",
    "http://x.org/a#b",
    "-x",
    "?y",
    "a:b",
    "it's",
    "!",
    "1e400",
    "<<",
    "=",
    "0o17",
    "0777",
    "x---y",
];
const KEYS: &[&str] =
    &["a", "b", "c", "key", "'q k'", "\"d\"", "1", "true", "é", "long key", "<<", "~", "1.5"];
const TAGS: &[&str] = &[
    "!core/asdf-1.1.0",
    "!e!x-1.0.0",
    "!!str",
    "!<tag:v,w>",
    "!local-2.*",
    "!",
    "!f!y",
    "!e!%41b",
    "!!seq",
    "!!map",
];
const COMMENTS: &[&str] = &["# c", "#", "# a: b", "#'\"", "# - x", "#  ---"];

impl Maker<'_, '_> {
    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn one(&mut self, list: &[&str]) {
        let text = *self.choices.of(list);
        self.put(text);
    }

    fn document(&mut self) {
        if self.choices.once_in(12) {
            self.put("\u{feff}");
        }
        self.put("%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n%TAG !e! asdf://example.org/tags/\n%TAG !f! asdf://example.org/\n");
        self.between(0);
        self.put("---");
        let tagged = self.choices.once_in(3);
        if tagged {
            self.put(" !core/asdf-1.1.0");
        }
        match self.choices.below(8) {
            0..=4 => {
                self.comment();
                self.line(0);
                self.block(0, 0);
            }
            5 => {
                self.put(" ");
                self.flow(0, 1);
                self.comment();
            }
            6 => {
                self.put(" ");
                self.scalar(1, false);
                self.comment();
            }
            _ => {
                self.line(2);
                self.block(2, 0);
            }
        }
        self.put("\n");
        self.between(0);
        if !self.choices.once_in(4) {
            self.put("...\n");
        }
    }

    fn line(&mut self, indent: usize) {
        self.put("\n");
        self.between(indent);
        self.put(&" ".repeat(indent));
    }

    /// Adds blank lines and comments.
    fn between(&mut self, indent: usize) {
        for _ in 0..self.choices.below(8).saturating_sub(5) {
            if self.choices.once_in(2) {
                let spaces = self.choices.below(indent + 2);
                self.put(&" ".repeat(spaces));
                self.one(COMMENTS);
            } else if self.choices.once_in(4) {
                self.put("  ");
            }
            self.put("\n");
        }
    }

    fn comment(&mut self) {
        match self.choices.below(12) {
            11 => {
                self.put(" ");
                self.one(COMMENTS);
            }
            10 => self.put("  "),
            _ => {}
        }
    }

    /// Adds a block collection. Its first line already starts at the column.
    fn block(&mut self, column: usize, depth: usize) {
        let sequence = self.choices.below(3) == 2;
        let count = 1 + self.choices.below(4);
        for index in 0..count {
            if index > 0 {
                self.line(column);
            }
            if sequence {
                self.put("-");
                self.value(column, depth, true);
                continue;
            }
            match self.choices.below(24) {
                23 => {
                    self.put("? ");
                    self.flow(column + 2, depth + 3);
                    self.line(column);
                }
                22 => {
                    self.put("? ");
                    self.one(KEYS);
                    self.line(column);
                }
                21 => self.put("&k !e!key x "),
                20 if !self.defined.is_empty() => {
                    let name = *self.choices.of(&self.defined.clone());
                    self.put(&format!("*n{name} "));
                }
                // Most keys differ.
                0..=17 => {
                    let key = *self.choices.of(&["a", "key_", "long key ", "é", "-", "a:"]);
                    let quote = *self.choices.of(&["", "", "", "'", "\""]);
                    self.put(&format!("{quote}{key}{index}{quote}"));
                }
                _ => {
                    self.one(KEYS);
                    if self.choices.once_in(8) {
                        self.put(" ");
                    }
                }
            }
            self.put(":");
            self.value(column, depth, false);
        }
    }

    /// Adds a value after its `:` or `-`.
    fn value(&mut self, column: usize, depth: usize, item: bool) {
        let choice = self.choices.below(16);
        if choice == 15 {
            return self.comment();
        }
        if choice == 14 && !self.defined.is_empty() {
            let name = *self.choices.of(&self.defined.clone());
            self.put(&format!(" *n{name}"));
            return self.comment();
        }
        let blanks = 1 + self.choices.below(6).saturating_sub(3);
        self.put(&" ".repeat(blanks));
        let block = depth < 5 && (8..12).contains(&choice);
        if block && item && self.choices.once_in(2) {
            return self.block(column + 1 + blanks, depth + 1);
        }
        let anchor = self.properties();
        if block {
            self.comment();
            let indentless = !item && self.choices.once_in(3);
            let below = column + if indentless { 0 } else { 1 + self.choices.below(4) };
            self.line(below);
            if indentless {
                self.put("-");
                self.value(below, depth + 1, true);
            } else {
                self.block(below, depth + 1);
            }
        } else if choice >= 12 {
            self.flow(column + 1, depth + 1);
            self.comment();
        } else {
            self.scalar(column + 1, false);
            self.comment();
        }
        self.defined.extend(anchor);
    }

    fn properties(&mut self) -> Option<usize> {
        let choice = self.choices.below(16);
        let anchor = matches!(choice, 13 | 14).then(|| {
            self.anchors += 1;
            self.anchors
        });
        if let Some(name) = anchor {
            self.put(&format!("&n{name} "));
        }
        if matches!(choice, 14 | 15) {
            self.one(TAGS);
            self.put(" ");
        }
        anchor
    }

    fn scalar(&mut self, column: usize, flow: bool) {
        let indent = " ".repeat(column);
        match self.choices.below(if flow { 10 } else { 14 }) {
            0..=4 if flow => {
                self.one(&["1", "word", "two words", "-1.5", "true", "~", "é", "'x, y'", "0x1f"])
            }
            0..=4 => self.one(PLAIN),
            5 => self.one(&["'single'", "'it''s: #1'", "''", "' '"]),
            6 => self.one(&[r#""double""#, r#""a\tb\u00e9\n""#, r#""""#, r#""\\ \"q\" \x41""#]),
            7 => self.put(&format!("'two\n{indent} lines\n\n{indent} more'")),
            8 => self.put(&format!("\"two \\\n{indent}  lines\\n\n{indent}more\"")),
            9 => self.put(&format!("plain\n{indent} on two lines")),
            choice => {
                self.put(if choice < 12 { "|" } else { ">" });
                self.one(&["", "-", "+"]);
                self.comment();
                for line in 0..1 + self.choices.below(3) {
                    self.put("\n");
                    if line > 0 && self.choices.once_in(3) {
                        self.put("\n");
                    }
                    self.put(&indent);
                    self.one(&["text", "more: text", "# none", "- x", "it's \"q\""]);
                }
            }
        }
    }

    fn flow(&mut self, column: usize, depth: usize) {
        let sequence = self.choices.below(2) == 0;
        self.put(if sequence { "[" } else { "{" });
        for index in 0..self.choices.below(4) {
            if index > 0 {
                self.put(",");
            }
            self.gap(column);
            if !sequence {
                self.one(&["a", "b", "'q'", "\"d\"", "1", "long key", "c"]);
                if self.choices.once_in(12) {
                    continue;
                }
                self.put(": ");
            } else if self.choices.once_in(16) {
                self.put("k: ");
            }
            let choice = self.choices.below(12);
            if choice == 11 && !self.defined.is_empty() {
                let name = *self.choices.of(&self.defined.clone());
                self.put(&format!("*n{name} "));
                continue;
            }
            let anchor = self.properties();
            if choice >= 9 && depth < 7 {
                self.flow(column, depth + 1);
            } else if choice != 8 {
                self.scalar(column, true);
            }
            self.defined.extend(anchor);
        }
        if self.choices.once_in(10) {
            self.gap(column);
        }
        self.put(if sequence { "]" } else { "}" });
    }

    fn gap(&mut self, column: usize) {
        match self.choices.below(12) {
            11 => {
                self.put(" # c");
                self.put("\n");
                self.put(&" ".repeat(column + 1));
            }
            10 => {
                self.put("\n");
                self.put(&" ".repeat(column + 1));
            }
            9 => {}
            8 => self.put("  "),
            _ => self.put(" "),
        }
    }
}
