//! Writes random trees as YAML together with their contents, for Python to read: `write_trees COUNT SEED OUT` makes a file
//! of lines `{"seed": ..., "yaml": ..., "value": ...}`.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufWriter, Write as _};

use asdf_core::tree::{ASDF_TAG, Style};
use asdf_core::value::BigInt;
use asdf_core::yaml::{EmitOptions, emit};
use asdf_core::{NodeId, Tree};
use asdf_tests::{quoted, typed};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [count, seed, out] = arguments.as_slice() else {
        return Err("usage: write_trees COUNT SEED OUT".into());
    };
    let number = |text: &str| text.parse::<u64>();
    let first = number(seed)?;
    let mut out = BufWriter::new(File::create(out)?);
    for seed in first..first + number(count)? {
        let mut random = Random(seed);
        let mut maker = Maker { random: &mut random, tree: Tree::new(), made: Vec::new(), left: 40 };
        let root = maker.node(0, false);
        let mut tree = maker.tree;
        tree.set_root(root);
        tree.set_handles(vec![
            ("!".to_owned(), ASDF_TAG.to_owned()),
            ("!e!".to_owned(), "asdf://example.com/".to_owned()),
        ]);
        let options = EmitOptions::new().width(random.one_of(&[1, 20, 80, 80, 300]));
        let text = emit(&tree, options)?;
        writeln!(out, "{{\"seed\":{seed},\"yaml\":{},\"value\":{}}}", quoted(&text), typed(&tree))?;
    }
    out.flush()?;
    Ok(())
}

/// A SplitMix64 generator, which makes the same numbers on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.next() % end).unwrap_or(0)
    }

    fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    fn one_of<T: Copy + Default>(&mut self, of: &[T]) -> T {
        of.get(self.below(of.len())).copied().unwrap_or_default()
    }
}

/// The pieces of strings: everything that has a meaning in YAML, and text that looks like a value of another kind.
const PIECES: &[&str] = &[
    "a",
    "b",
    "word",
    "two words",
    " ",
    "  ",
    "\t",
    "\n",
    "\n\n",
    "\n \n",
    "\r",
    "\r\n",
    "\u{85}",
    "\u{2028}",
    "\u{2029}",
    "\u{feff}",
    "\0",
    "\x01",
    "\x07",
    "\x08",
    "\x0b",
    "\x0c",
    "\x1b",
    "\x7f",
    "\u{80}",
    "\u{9f}",
    "\u{a0}",
    "\u{d7ff}",
    "\u{e000}",
    "\u{fffd}",
    "\u{fffe}",
    "\u{ffff}",
    "\u{10ffff}",
    "é",
    "😀",
    "日本語",
    "e\u{301}",
    "\u{202e}",
    "'",
    "''",
    "\"",
    "\\",
    "\\n",
    ":",
    ": ",
    " :",
    "::",
    "#",
    " #",
    "# ",
    "-",
    "- ",
    "---",
    "--- ",
    "...",
    "\n---\n",
    "\n...\n",
    "?",
    "? ",
    "? x",
    ",",
    ", ",
    "[",
    "]",
    "{",
    "}",
    "[]",
    "{}",
    "&",
    "&a",
    "*",
    "*a",
    "!",
    "!!str",
    "!<x>",
    "|",
    "|-",
    ">",
    "> ",
    "%",
    "%YAML 1.1",
    "@",
    "`",
    "=",
    "<<",
    "~",
    "null",
    "yes",
    "NO",
    "off",
    "y",
    "true",
    "5",
    "-5",
    "0777",
    "0o7",
    "08",
    "0x1F",
    "1_0",
    "1:30",
    "1:99",
    "1.5",
    "-.5",
    ".5",
    "1e3",
    "1.0e+3",
    ".inf",
    "-.INF",
    ".nan",
    "2001-01-01",
    "2001-02-30",
    "2001-12-14 21:59:43.10 -5",
    "2001-12-14T21:59:43Z",
    "http://example.com/?q=1#top",
    "a: b",
    "a #b",
    "key:",
    "- item",
    "core/ndarray-1.1.0",
    "%41",
    "/~0",
    "{a: [b, c]}",
    "\"quoted\"",
    "'quoted'",
];

const TIMES: &[&str] = &[
    "2001-01-01",
    "2001-12-14t21:59:43.10-05:00",
    "2001-12-14 21:59:43.10 -5",
    "2026-11-20 12:00:00",
    "9999-12-31T23:59:59.999999Z",
    "2001-1-2 3:04:05 +05:45",
];

const FLOATS: &[f64] = &[
    0.0,
    -0.0,
    1.0,
    -1.5,
    0.1,
    1e15,
    1e16,
    1e22,
    1e23,
    1e-4,
    1e-5,
    5e-324,
    2.225_073_858_507_201e-308,
    f64::MIN_POSITIVE,
    f64::MAX,
    f64::MIN,
    f64::EPSILON,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    9_007_199_254_740_993.0,
];

const TAGS: &[&str] = &[
    "tag:stsci.edu:asdf/core/thing-1.0.0",
    "tag:stsci.edu:asdf/odd,[tag]!{x}",
    "asdf://example.com/tags/thing-1.0.0",
    "tag:example.org,2026:thing",
    "tag:example.org,2026:ding é 1",
    "!own",
];

const STYLES: &[Style] = &[
    Style::Any,
    Style::Any,
    Style::Plain,
    Style::SingleQuoted,
    Style::DoubleQuoted,
    Style::Literal,
    Style::Folded,
    Style::Block,
    Style::Flow,
];

struct Maker<'r> {
    random: &'r mut Random,
    tree: Tree,
    /// The nodes that aliases can refer to: some scalars, and collections, complete or not.
    made: Vec<NodeId>,
    /// The number of nodes that can still be made.
    left: usize,
}

impl Maker<'_> {
    /// Makes a node. Keys and items of sets need a `scalar`: no collection, and no value that Python confuses with another.
    fn node(&mut self, depth: usize, scalar: bool) -> NodeId {
        self.left = self.left.saturating_sub(1);
        if !scalar && !self.made.is_empty() && self.random.percent(8) {
            let index = self.random.below(self.made.len());
            if let Some(&id) = self.made.get(index) {
                return id;
            }
        }
        let collection =
            !scalar && depth < 60 && self.left > 0 && self.random.percent(if depth == 0 { 90 } else { 45 });
        let id = if collection { self.collection(depth) } else { self.scalar() };
        self.style(id);
        if !collection && !scalar && self.random.percent(5) {
            self.tree.set_anchor(id, Some("scalar"));
            self.made.push(id);
        }
        id
    }

    /// Sets any style, except that `<<` and `=` are not plain: a plain `<<` merges, and a plain `=` has its own YAML type.
    fn style(&mut self, id: NodeId) {
        let style = self.random.one_of(STYLES);
        if style != Style::Plain || !matches!(self.tree.node(id).as_str(), Some("<<" | "=")) {
            self.tree.set_style(id, style);
        }
    }

    fn collection(&mut self, depth: usize) -> NodeId {
        let count = self.random.one_of(&[0, 1, 1, 1, 2, 3, 5, 12]);
        match self.random.below(20) {
            0 => {
                let items = self.keys(count);
                self.tree.add_set(items)
            }
            kind @ (1 | 2) => {
                let entries: Vec<_> =
                    self.keys(count).into_iter().map(|key| (key, self.node(depth + 2, false))).collect();
                if kind == 1 { self.tree.add_omap(entries) } else { self.tree.add_pairs(entries) }
            }
            3..=9 => {
                let id = self.tree.add_sequence([]);
                self.label(id);
                for _ in 0..count {
                    let item = self.node(depth + 1, false);
                    self.tree.push(id, item);
                }
                id
            }
            _ => {
                let entries: Vec<_> =
                    self.keys(count).into_iter().map(|key| (key, self.node(depth + 1, false))).collect();
                let id = self.tree.add_mapping(entries);
                self.label(id);
                id
            }
        }
    }

    /// Sets a tag and an anchor, and allows aliases to the node.
    fn label(&mut self, id: NodeId) {
        self.made.push(id);
        if self.random.percent(20) {
            let tag = self.random.one_of(TAGS);
            self.tree.set_tag(id, Some(tag));
        }
        if self.random.percent(10) {
            let name = self.random.one_of(&["a", "id001", "b-_9", "", "no anchor", "é"]);
            self.tree.set_anchor(id, Some(name));
        }
    }

    /// Makes keys that also differ in Python, in which 1, 1.0 and true are equal.
    fn keys(&mut self, count: usize) -> Vec<NodeId> {
        let mut met = HashSet::new();
        let mut keys = Vec::new();
        for _ in 0..count {
            let id = match self.random.below(10) {
                0 => self
                    .tree
                    .add_int(i64::from_le_bytes(self.random.next().to_le_bytes()) >> self.random.below(64)),
                1 => self.tree.add_bool(self.random.percent(50)),
                _ => {
                    let text = self.text();
                    self.tree.add_str(&text)
                }
            };
            let key = self.tree.node(id);
            let same =
                key.as_bool().map(|value| if value { "1" } else { "0" }).or(key.text()).unwrap_or_default();
            let string = key.as_str().is_some();
            if met.insert((string, same.to_owned())) {
                self.style(id);
                keys.push(id);
            }
        }
        keys
    }

    fn scalar(&mut self) -> NodeId {
        match self.random.below(16) {
            0 => self.tree.add_null(),
            1 => self.tree.add_bool(self.random.percent(50)),
            2 => self
                .tree
                .add_int(i64::from_le_bytes(self.random.next().to_le_bytes()) >> self.random.below(64)),
            3 => {
                let digits = self.random.one_of(&[1, 19, 20, 39, 40, 200]);
                let mut text: String = (0..digits)
                    .map(|_| char::from(b'0' + self.random.next().to_le_bytes()[0] % 10))
                    .collect();
                if self.random.percent(50) {
                    text.insert(0, '-');
                }
                self.tree.add_bigint(&text.parse::<BigInt>().unwrap_or_default())
            }
            4 => self.tree.add_float(f64::from_bits(self.random.next())),
            5 => self.tree.add_float(self.random.one_of(FLOATS)),
            6 => {
                let text = self.random.one_of(TIMES);
                self.tree.add_timestamp(text)
            }
            7 => {
                let bytes: Vec<u8> = (0..self.random.one_of(&[0, 1, 2, 3, 100]))
                    .map(|_| self.random.next().to_le_bytes()[0])
                    .collect();
                self.tree.add_bytes(&bytes)
            }
            8 => {
                let text = self.text();
                let id = self.tree.add_str(&text);
                let tag = self.random.one_of(TAGS);
                self.tree.set_tag(id, Some(tag));
                id
            }
            _ => {
                let text = self.text();
                self.tree.add_str(&text)
            }
        }
    }

    fn text(&mut self) -> String {
        let count = self.random.one_of(&[0, 1, 1, 1, 2, 2, 3, 4, 6, 9]);
        let mut text = String::new();
        for _ in 0..count {
            text.push_str(self.random.one_of(PIECES));
        }
        if self.random.percent(3) {
            // Exceed every line width, and for a key the 1,024 characters of a simple key.
            let times = self.random.one_of(&[30, 130, 1100]) / text.len().max(1) + 1;
            text = text.repeat(times);
        }
        if self.random.percent(3) {
            let any =
                (0..8).filter_map(|_| char::from_u32(u32::try_from(self.random.below(0x11_0000)).ok()?));
            text.extend(any);
        }
        text
    }
}
