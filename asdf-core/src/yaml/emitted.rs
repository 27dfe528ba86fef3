//! Tests that emitted text reads back equal and has the expected form.

use std::collections::HashMap;

use proptest::prelude::*;

use super::{EmitOptions, emit, parse};
use crate::tree::{ASDF_TAG, Kind, NodeId, Style, Tree, YAML_TAG};

const PLAIN: EmitOptions = EmitOptions { width: 80, directives: false, handles: true };

/// Writes `k: value` or `[value]`, without its line break.
fn written(style: Style, text: &str, flow: bool) -> String {
    let mut tree = Tree::new();
    let value = tree.add_str(text);
    tree.set_style(value, style);
    let root = if flow { tree.add_sequence([value]) } else { tree.add_mapping([]) };
    if flow {
        tree.set_style(root, Style::Flow);
    } else {
        tree.insert(root, "k", value);
    }
    tree.set_root(root);
    let out = emit(&tree, PLAIN).unwrap();
    assert!(parse(&out).unwrap().root() == tree.root(), "{out}");
    out.strip_suffix('\n').unwrap().to_owned()
}

/// For readers that see text in tagged scalars, `!x` and `!x null` are different texts.
#[test]
fn tags_without_a_value_are_kept() {
    let mut tree = parse("block: !x\nflow: [!x , &a !x , *a]\n? !x\n: !x\nbare:\nits: !!null\n").unwrap();
    let out = emit(&tree, PLAIN).unwrap();
    let expected = "block: !x\nflow: [!x , &a !x , *a]\n!x : !x\nbare: null\nits: !!null null\n";
    assert_eq!(out, expected);
    let again = parse(&out).unwrap();
    assert!(again.root() == tree.root());
    assert_eq!(again.find("/block").unwrap().text(), Some(""));
    tree.set_tag(tree.find("/block").unwrap().id(), None);
    assert!(emit(&tree, PLAIN).unwrap().starts_with("block: null\n"));
}

#[test]
fn strings_by_style() {
    use Style::{Any, DoubleQuoted, Folded, Literal, Plain, SingleQuoted};
    let long = "word ".repeat(30);
    let wrapped = format!("k: >-\n  {}word\n  {}word", "word ".repeat(14), "word ".repeat(14));
    for (style, text, expected) in [
        (Any, "a b", "k: a b"),
        (Any, "", "k: ''"),
        (Any, "yes", "k: 'yes'"),
        (Any, "1:30", "k: '1:30'"),
        (Any, "<<", "k: '<<'"),
        (Any, "=", "k: '='"),
        (Any, "---", "k: '---'"),
        (Any, " a", "k: ' a'"),
        (Any, "a ", "k: 'a '"),
        (Any, "a\t", "k: \"a\\t\""),
        (Any, "\u{85}\u{2028}\u{2029}\u{feff}\u{9f}\u{7f}", r#"k: "\N\L\P\ufeff\x9f\x7f""#),
        (Any, "a\nb", "k: |-\n  a\n  b"),
        (Any, "a\n\nb\n", "k: |\n  a\n\n  b"),
        (Any, "a\n\n", "k: |+\n  a\n"),
        (Any, "---\n...\n# no comment\n", "k: |\n  ---\n  ...\n  # no comment"),
        (Any, "  a\nb", "k: |2-\n    a\n  b"),
        (Any, "\n\ta", "k: |2-\n\n  \ta"),
        (Any, "a \nb", "k: |-\n  a \n  b"),
        (Any, "a\n \nb", "k: \"a\\n \\nb\""),
        (Any, "\n", "k: \"\\n\""),
        (Any, "a\r\nb", "k: \"a\\r\\nb\""),
        (Plain, "a\nb", "k: \"a\\nb\""),
        (Plain, "5", "k: '5'"),
        (Plain, "<<", "k: '<<'"),
        (SingleQuoted, "a", "k: 'a'"),
        (SingleQuoted, "it's", "k: 'it''s'"),
        (SingleQuoted, "a\nb", "k: \"a\\nb\""),
        (DoubleQuoted, "a", "k: \"a\""),
        (Literal, "a", "k: |-\n  a"),
        (Literal, "a\tb\n", "k: |\n  a\tb"),
        (Literal, "a\u{85}", "k: \"a\\N\""),
        (Folded, "a b\n", "k: >\n  a b"),
        (Folded, "a\nb\n\nc", "k: >-\n  a\n\n  b\n\n\n  c"),
        (Folded, "\n\na\n\n", "k: >+\n\n\n  a\n"),
        (Folded, "a\n b", "k: |-\n  a\n   b"),
        (Folded, "a  b", "k: >-\n  a  b"),
        (Folded, long.trim_end(), &wrapped),
    ] {
        assert_eq!(written(style, text, false), expected, "{text:?}");
    }
    for (style, text, expected) in [
        (Any, "a b", "[a b]"),
        (Any, "?x", "['?x']"),
        (Any, "a,b", "['a,b']"),
        (Any, "http://x", "['http://x']"),
        (Any, "a\nb", "[\"a\\nb\"]"),
        (Literal, "a", "['a']"),
        (Folded, "a\n", "[\"a\\n\"]"),
    ] {
        assert_eq!(written(style, text, true), expected, "{text:?}");
    }
}

#[test]
fn other_nodes() {
    let mut tree = Tree::new();
    let root = tree.add_mapping([]);
    tree.set_root(root);
    let small = tree.add_float(1e-5);
    tree.insert(root, "small", small);
    let null = tree.add_null();
    tree.set_tag(null, Some("!x"));
    tree.insert(root, "tagged null", null);
    let empty = tree.add_str("");
    tree.set_tag(empty, Some("!x"));
    tree.insert(root, "tagged empty", empty);
    let none = tree.add_sequence([]);
    tree.set_style(none, Style::Block);
    let (a, b) = (tree.add_str("a"), tree.add_str("b"));
    tree.set_anchor(a, Some("name"));
    let nothing = tree.add_mapping([]);
    let shared = tree.add_sequence([none, none, a, a, b, b, nothing, nothing]);
    tree.insert(root, "shared", shared);
    for key in ["5", "null", "2001-01-01", "<<", "=", "", "- x", "a: b", "?"] {
        tree.insert(root, key, b);
    }
    let five = tree.add_int(5);
    let long = tree.add_str(&"k".repeat(130));
    let lines = tree.add_str("two\nlines");
    let key = tree.add_sequence([five]);
    let inner = tree.add_mapping([(key, five)]);
    let outer = tree.add_mapping([(inner, five), (a, b)]);
    let all = tree.add_mapping([(five, b), (null, b), (long, b), (lines, b), (outer, b), (a, b)]);
    tree.insert(root, "keys", all);
    let out = emit(&tree, PLAIN).unwrap();
    let expected = format!(
        "small: 1.0e-05
tagged null: !x null
tagged empty: !x ''
shared:
- &id001 []
- *id001
- &name a
- *name
- b
- b
- &id002 {{}}
- *id002
'5': b
'null': b
2001-01-01: b
<<: b
=: b
'': b
'- x': b
'a: b': b
'?': b
keys:
  5: b
  !x null: b
  ? {}
  : b
  ? |-
    two
    lines
  : b
  ? ? ? [5]
      : 5
    : 5
    *name : b
  : b
  *name : b
",
        "k".repeat(130)
    );
    let expected = expected
        .replace("\n2001-01-01:", "\n'2001-01-01':")
        .replace("\n<<:", "\n'<<':")
        .replace("\n=:", "\n'=':");
    assert_eq!(out, expected);
    assert!(parse(&out).unwrap().root() == tree.root());
}

#[test]
fn frequent_tags_get_a_handle() {
    let tagged = |handles: &[(&str, &str)], tags: &[&str], options: EmitOptions| {
        let mut tree = Tree::new();
        for (handle, prefix) in handles {
            tree.set_handle(handle, prefix);
        }
        let mut items = Vec::new();
        for tag in tags {
            let item = tree.add_str("x");
            tree.set_tag(item, Some(tag));
            items.push(item);
        }
        let root = tree.add_sequence(items);
        tree.set_style(root, Style::Block);
        tree.set_root(root);
        let out = emit(&tree, options).unwrap();
        assert!(parse(&out).unwrap().root() == tree.root(), "{out}");
        out.lines()
            .filter(|line| line.starts_with(['%', '-']))
            .skip(usize::from(options.directives))
            .fold(String::new(), |all, line| all + line + "\n")
    };
    let gwcs = "tag:stsci.edu:gwcs/step-1.0.0";
    let roman = "asdf://stsci.edu/datamodels/roman/tags/dark-1.0.0";
    let asdf = "tag:stsci.edu:asdf/core/x-1.0.0";
    let options = EmitOptions::default();
    assert_eq!(
        tagged(&[], &[gwcs, roman, gwcs, asdf, roman, gwcs], options),
        "%TAG ! tag:stsci.edu:asdf/\n%TAG !gwcs! tag:stsci.edu:gwcs/\n---\n- !gwcs!step-1.0.0 x\n\
         - !<asdf://stsci.edu/datamodels/roman/tags/dark-1.0.0> x\n- !gwcs!step-1.0.0 x\n- !core/x-1.0.0 x\n\
         - !<asdf://stsci.edu/datamodels/roman/tags/dark-1.0.0> x\n- !gwcs!step-1.0.0 x\n"
    );
    assert_eq!(
        tagged(
            &[("!gwcs!", "tag:other:"), ("!r!", "asdf://stsci.edu/datamodels/")],
            &[gwcs, gwcs, gwcs, roman],
            options
        ),
        "%TAG !gwcs! tag:other:\n%TAG !r! asdf://stsci.edu/datamodels/\n%TAG !gwcs-2! tag:stsci.edu:gwcs/\n---\n\
         - !gwcs-2!step-1.0.0 x\n- !gwcs-2!step-1.0.0 x\n- !gwcs-2!step-1.0.0 x\n- !r!roman/tags/dark-1.0.0 x\n"
    );
    // `!x` is a separate tag, which a handle `!` would change.
    assert_eq!(
        tagged(&[], &["!x", asdf, asdf, asdf], options),
        "%TAG !asdf! tag:stsci.edu:asdf/\n---\n- !x x\n- !asdf!core/x-1.0.0 x\n- !asdf!core/x-1.0.0 x\n\
         - !asdf!core/x-1.0.0 x\n"
    );
    let full = "- !<tag:stsci.edu:gwcs/step-1.0.0> x\n".repeat(3);
    let without = options.handles(false);
    assert_eq!(tagged(&[], &[gwcs, gwcs, gwcs], without), format!("---\n{full}"));
    let bare = options.directives(false);
    assert_eq!(tagged(&[("!g!", "tag:stsci.edu:gwcs/")], &[gwcs, gwcs, gwcs], bare), full);
}

#[test]
fn tags_and_handles_that_cannot_be_read_back_are_errors() {
    let message = |edit: fn(&mut Tree, NodeId)| {
        let mut tree = Tree::new();
        let root = tree.add_str("x");
        tree.set_root(root);
        edit(&mut tree, root);
        emit(&tree, EmitOptions::default()).unwrap_err().to_string()
    };
    for (edit, found) in [
        ((|tree, root| tree.set_tag(root, Some("!"))) as fn(&mut Tree, NodeId), "cannot write the tag '!'"),
        (|tree, root| tree.set_tag(root, Some("")), "cannot write the tag ''"),
        (|tree, _| tree.set_handle("x", "tag:x:"), "cannot write the tag handle 'x'"),
        (|tree, _| tree.set_handle("!", "tag x"), "cannot write the prefix 'tag x' of the tag handle !"),
        (|tree, _| tree.set_handle("!a b!", "tag:x:"), "cannot write the tag handle '!a b!'"),
    ] {
        let message = message(edit);
        assert!(message.starts_with(found), "{message}");
    }
}

/// A value that one of YAML's tags has given a text stays when the tag is removed.
#[test]
fn values_survive_the_loss_of_their_tag() {
    let mut tree =
        parse("[!!float 3, !!int '0x10', !!null 'a, b', !!bool 'yes', !!float '1e3', !!null 'a, b']")
            .unwrap();
    let items: Vec<NodeId> = tree.root().unwrap().items().map(|item| item.id()).collect();
    for &id in items.get(..5).unwrap_or_default() {
        tree.set_tag(id, None);
    }
    assert_eq!(emit(&tree, PLAIN).unwrap(), "[3.0, 0x10, null, yes, 1000.0, !!null 'a, b']\n");
}

#[test]
fn the_deepest_tree_fits_a_small_stack() {
    let nest = |kind: &str, depth: usize| {
        let mut tree = Tree::new();
        let mut node = tree.add_int(1);
        for level in 0..depth {
            let one = tree.add_int(1);
            let two = tree.add_str("x\ny");
            node = match kind {
                "keys" => tree.add_mapping([(node, one)]),
                "mappings" => tree.add_mapping([(one, two), (two, node)]),
                "both" if level % 2 == 0 => tree.add_mapping([(node, node)]),
                _ => tree.add_sequence([node]),
            };
            let style = if kind == "flow" { Style::Flow } else { Style::Block };
            tree.set_style(node, style);
        }
        tree.set_root(node);
        tree
    };
    let test = move || {
        for kind in ["keys", "mappings", "both", "flow", "block"] {
            let tree = nest(kind, 512);
            let out = emit(&tree, EmitOptions::default()).unwrap();
            assert!(parse(&out).unwrap().root() == tree.root(), "{kind}");
            assert_eq!(
                emit(&nest(kind, 513), EmitOptions::default()).unwrap_err().kind(),
                crate::error::Kind::Limit
            );
        }
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(test).unwrap().join().unwrap();
}

/// A node to create.
#[derive(Debug, Clone)]
struct Plan {
    what: What,
    tag: Option<&'static str>,
    style: Style,
    anchor: Option<&'static str>,
}

#[derive(Debug, Clone)]
enum What {
    /// Only a tag.
    Blank,
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Str(String),
    Date,
    Sequence(Vec<Plan>),
    Mapping(Vec<(Plan, Plan)>),
    /// One of the nodes created before, including sequences around it.
    Again(usize),
}

fn nasty() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "a",
        "word",
        " ",
        "  ",
        "\n",
        "\n\n",
        "\t",
        "#",
        " #",
        ":",
        ": ",
        "-",
        "- ",
        "?",
        "? ",
        "---",
        "...",
        "\u{85}",
        "\u{2028}",
        "\u{2029}",
        "\u{feff}",
        "\u{a0}",
        "\u{9f}",
        "\u{7f}",
        "\u{fffe}",
        "é",
        "😀",
        "'",
        "\"",
        "\\",
        ",",
        "[",
        "]",
        "{",
        "}",
        "<<",
        "=",
        "yes",
        "No",
        "1",
        "1e3",
        "1.5",
        "0x1",
        "1:30",
        "2001-01-01",
        "~",
        "null",
        "%",
        "@",
        "`",
        "!",
        "!!str",
        "&a",
        "*a",
        "|",
        ">",
        "\r",
        "\r\n",
        "\0",
        "\x1b",
        "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk",
    ];
    let piece = prop_oneof![8 => prop::sample::select(PIECES).prop_map(str::to_owned), 1 => any::<char>().prop_map(String::from)];
    prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

fn plans() -> impl Strategy<Value = Plan> {
    use Style::{Any, Block, DoubleQuoted, Flow, Folded, Literal, Plain, SingleQuoted};
    let own = [
        "tag:stsci.edu:asdf/core/x-1.0.0",
        "tag:stsci.edu:gwcs/wcs-1.0.0",
        "!local",
        "!a!b",
        "tag:x,2000:a b%20é!,[]",
        "asdf://a.org/t/tags/one-1.0.0",
        "asdf://b.org/t/tags/two-1.0.0",
        "tag:z:",
        "x",
        "%",
        "tag:stsci.edu:asdf/",
    ];
    let tag = prop_oneof![3 => Just(None), 2 => prop::sample::select(own.to_vec()).prop_map(Some)];
    let text_tag = prop_oneof![4 => tag.clone(), 1 => Just(Some("tag:yaml.org,2002:str"))];
    let anchor = prop_oneof![3 => Just(None), 1 => prop::sample::select(vec!["a", "b", "id001", "ä", "", "a b"]).prop_map(Some)];
    let text_style = prop::sample::select(vec![Any, Plain, SingleQuoted, DoubleQuoted, Literal, Folded]);
    let string = (nasty(), text_tag, text_style, anchor.clone())
        .prop_map(|(text, tag, style, anchor)| Plan { what: What::Str(text), tag, style, anchor });
    let other = prop_oneof![
        Just(What::Null),
        Just(What::Blank),
        any::<bool>().prop_map(What::Bool),
        any::<i64>().prop_map(What::Int),
        any::<f64>().prop_map(What::Float),
        Just(What::Date),
        any::<usize>().prop_map(What::Again),
    ];
    let other = (other, tag.clone(), anchor.clone()).prop_map(|(what, tag, anchor)| Plan {
        what,
        tag,
        style: Any,
        anchor,
    });
    let leaf = prop_oneof![3 => string, 2 => other];
    leaf.prop_recursive(5, 60, 6, move |inner| {
        let whats = prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(What::Sequence),
            prop::collection::vec((inner.clone(), inner), 0..5).prop_map(What::Mapping),
        ];
        let style = prop::sample::select(vec![Any, Any, Block, Flow]);
        (whats, tag.clone(), style, anchor.clone()).prop_map(|(what, tag, style, anchor)| Plan {
            what,
            tag,
            style,
            anchor,
        })
    })
}

fn make(tree: &mut Tree, made: &mut Vec<NodeId>, plan: &Plan) -> NodeId {
    let id = match &plan.what {
        What::Null => tree.add_null(),
        What::Blank => {
            let blank = parse("!x").unwrap();
            tree.graft(blank.root().unwrap()).unwrap()
        }
        What::Bool(value) => tree.add_bool(*value),
        What::Int(value) => tree.add_int(*value),
        What::Float(value) => tree.add_float(*value),
        What::Str(text) => tree.add_str(text),
        What::Date => tree.add_timestamp("2026-11-20 12:30:00"),
        What::Again(number) => match made.get(number % made.len().max(1)) {
            Some(&id) => return id,
            None => tree.add_null(),
        },
        What::Sequence(items) => {
            let id = tree.add_sequence([]);
            made.push(id);
            for item in items {
                let item = make(tree, made, item);
                tree.push(id, item);
            }
            id
        }
        What::Mapping(entries) => {
            let entries: Vec<_> =
                entries.iter().map(|(key, value)| (make(tree, made, key), make(tree, made, value))).collect();
            tree.add_mapping(entries)
        }
    };
    tree.set_tag(id, plan.tag);
    tree.set_style(id, plan.style);
    tree.set_anchor(id, plan.anchor);
    made.push(id);
    id
}

/// Numbers the nodes in the order of the text, such that equal numbers mean shared nodes: collections, and
/// scalars with an anchor.
fn sharing(tree: &Tree, anchored: impl Fn(NodeId) -> bool) -> Vec<usize> {
    let mut first: HashMap<NodeId, usize> = HashMap::new();
    let mut order = Vec::new();
    let mut pending: Vec<NodeId> = tree.root().map(|root| root.id()).into_iter().collect();
    while let Some(id) = pending.pop() {
        let next = order.len();
        let node = tree.node(id);
        if node.kind().is_scalar() && !anchored(id) {
            order.push(next);
            continue;
        }
        let place = *first.entry(id).or_insert(next);
        order.push(place);
        if place == next {
            pending.extend(node.child_ids().iter().rev());
        }
    }
    order
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    #[test]
    fn emitted_text_reads_back_equal(
        plan in plans(),
        width in prop_oneof![Just(80_usize), 0..40_usize],
        directives in any::<bool>(),
        handles in any::<bool>(),
        declared in prop::sample::subsequence(
            vec![("!", ASDF_TAG), ("!x!", "tag:stsci.edu:"), ("!t!", "asdf://c.org/"), ("!!", "!a"), ("!e!", "%41"), ("!f!", "#x%20")], 0..4),
    ) {
        let mut tree = Tree::new();
        for (handle, prefix) in declared {
            tree.set_handle(handle, prefix);
        }
        let root = make(&mut tree, &mut Vec::new(), &plan);
        tree.set_root(root);
        let options = EmitOptions { width, directives, handles };
        let out = emit(&tree, options).unwrap();
        let back = parse(&out).map_err(|error| TestCaseError::fail(format!("{error}\n{out}")))?;
        prop_assert!(tree.root() == back.root(), "{}", out);
        let own = sharing(&tree, |id| tree.node(id).anchor().is_some());
        let read = sharing(&back, |id| back.node(id).anchor().is_some());
        prop_assert_eq!(own, read, "{}", &out);
        prop_assert_eq!(emit(&back, options).unwrap(), out);
    }

    #[test]
    fn the_style_of_strings_is_kept(text in nasty(), flow in any::<bool>()) {
        let shown = |c: char| c == '\t' || c == '\n' || shows(c);
        let blank = |line: &str| !line.is_empty() && line.trim_matches([' ', '\t']).is_empty();
        let lines = || text.split('\n');
        let one_line = text.chars().all(shows);
        let block = !flow && text.chars().all(shown) && lines().any(|line| !line.is_empty()) && !lines().any(blank);
        let folds = !lines().any(|line| line.starts_with([' ', '\t']));
        for style in [Style::SingleQuoted, Style::DoubleQuoted, Style::Literal, Style::Folded] {
            let out = written(style, &text, flow);
            let read = parse(&out).unwrap().at(if flow { "/0" } else { "/k" }).unwrap().style();
            let expected = match style {
                Style::DoubleQuoted => style,
                Style::Folded if block && !folds => Style::Literal,
                Style::Literal | Style::Folded if block => style,
                _ if one_line => Style::SingleQuoted,
                _ => Style::DoubleQuoted,
            };
            prop_assert_eq!(read, expected, "{}", out);
        }
    }
}

/// Returns whether readers agree that a character can be unescaped.
fn shows(c: char) -> bool {
    !c.is_control() && !matches!(c, '\u{feff}' | '\u{fffe}' | '\u{ffff}' | '\u{2028}' | '\u{2029}')
}

#[test]
fn yaml_tags_are_short() {
    let mut tree = Tree::new();
    let root = tree.add_bytes(b"hi");
    tree.set_root(root);
    assert_eq!(tree.node(root).kind(), Kind::String);
    assert!(tree.node(root).tag().unwrap().starts_with(YAML_TAG));
    assert_eq!(emit(&tree, PLAIN).unwrap(), "!!binary aGk=\n");
}
