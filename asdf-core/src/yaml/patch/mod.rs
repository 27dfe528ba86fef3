//! Writing an edited tree by changing only the affected bytes of its text.
//!
//! The text is parsed again and compared with the tree. A changed value is replaced in place. Entries and
//! items are added and removed with their lines or commas. The new text is parsed once more and must give the
//! same tree. Edits that cannot be expressed this way are left to [`emit`](super::emit()), which rewrites the
//! whole text.

mod changed;
mod pair;
mod parts;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use changed::Changed;
use pair::Pair;
use parts::{Part, Parts};

use super::emit::{EmitOptions, Fragments, emit};
use super::quote::Place;
use super::{ParseOptions, parse_with};
use crate::error::Result;
use crate::tree::{Kind, NodeId, NodeRef, Style, Tree};

/// Returns the text of a tree with as few changes as its edits allow.
///
/// Comments, order, styles, anchors and blank lines elsewhere are kept byte for byte, and a tree without
/// edits gives its original text. Returns `None` if the tree was not parsed from a text, or its edits cannot
/// be expressed in it.
///
/// # Errors
/// - [`Limit`](crate::error::Kind::Limit) if a new value is nested too deep.
/// - [`Usage`](crate::error::Kind::Usage) if a tag that a program set cannot be written.
///
/// # Examples
/// ```
/// use asdf_core::{Tree, yaml};
///
/// let mut tree = yaml::parse("# calibrated\n[1,  2]\n")?;
/// tree.edit("/1").set(3)?;
/// assert_eq!(yaml::patch(&tree)?.as_deref(), Some("# calibrated\n[1,  3]\n"));
/// assert_eq!(yaml::patch(&Tree::new())?, None);
/// # Ok::<(), asdf_core::Error>(())
/// ```
pub fn patch(tree: &Tree) -> Result<Option<String>> {
    let text = tree.text();
    // The text was parsed before, so limits are not needed.
    let options = ParseOptions::unlimited();
    let Ok(old) = parse_with(tree.shared_text(), options) else { return Ok(None) };
    let (Some(before), Some(after)) = (old.root(), tree.root()) else { return Ok(None) };
    if old.handles() != tree.handles() || tree.is_full() {
        return Ok(None);
    }
    let changed = Changed::new(&old, after);
    if before.id() == after.id() && !changed.contains(after) {
        return Ok(Some(text.to_owned()));
    }
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let fragments = Fragments::new(tree)?;
    let mut patcher = Patcher { text, newline, changed, fragments, patches: BTreeMap::new() };
    if patcher.compare(before, after)?.is_none() {
        return Ok(None);
    }
    let Some(new) = patcher.apply() else { return Ok(None) };
    let same = parse_with(new.as_str().into(), options).is_ok_and(|again| again.root() == Some(after));
    Ok(same.then_some(new))
}

/// Returns the text of a tree, with as few changes to its original text as possible.
///
/// The result is that of [`patch`], or that of [`emit`](super::emit()) if there is no original text or the
/// edits cannot be expressed in it. [`File::write`](crate::File::write) writes trees like this.
///
/// # Errors
/// - [`Limit`](crate::error::Kind::Limit) if the tree nests deeper than 512 levels or [is
///   full](Tree::is_full).
/// - [`Usage`](crate::error::Kind::Usage) if a handle or a tag that a program set cannot be written.
///
/// # Examples
/// ```
/// use asdf_core::yaml;
///
/// let mut tree = yaml::parse("gain: 2 # electrons\n")?;
/// tree.edit("/mode").set("fast")?;
/// assert_eq!(yaml::write(&tree)?, "gain: 2 # electrons\nmode: fast\n");
/// # Ok::<(), asdf_core::Error>(())
/// ```
pub fn write(tree: &Tree) -> Result<String> {
    match patch(tree)? {
        Some(text) => Ok(text),
        None => emit(tree, EmitOptions::default()),
    }
}

struct Patcher<'t> {
    text: &'t str,
    newline: &'t str,
    changed: Changed,
    fragments: Fragments<'t>,
    /// Replacements by their start and the order in which they were found: the end and the new text.
    patches: BTreeMap<(usize, usize), (usize, String)>,
}

/// Changes to the parts of a collection.
#[derive(Default)]
struct Changes {
    /// New text after a part, or before the first one.
    added: Vec<(Option<usize>, String)>,
    removed: Vec<usize>,
}

/// The identity of a key in a mapping: kind, text, and ordinal among keys with the same text.
///
/// A key that is a collection is identified by its number, which does not change.
type Name = (Kind, String, usize);

fn name(key: NodeRef<'_>, counts: &mut HashMap<(Kind, String), usize>) -> Name {
    let text = key.text().map_or_else(|| key.id().number().to_string(), str::to_owned);
    let count = counts.entry((key.kind(), text.clone())).or_default();
    *count += 1;
    (key.kind(), text, *count)
}

impl<'t> Patcher<'t> {
    /// Collects the necessary changes; `None` if they cannot be expressed.
    fn compare(&mut self, old: NodeRef<'_>, new: NodeRef<'t>) -> Result<Option<()>> {
        let mut met: HashSet<(NodeId, NodeId)> = HashSet::new();
        let document =
            self.text.strip_prefix("---").map(|_| 0).or_else(|| self.text.find("\n---").map(|at| at + 1));
        let (start, end) = (old.span().start as usize, old.span().end as usize);
        let end = parts::trimmed(self.text, start, end);
        let whole = document.map_or(start, |at| parts::skip(self.text, at + 3, false)).min(start)..end;
        let root = Pair { old, new, flow: false, at: start..end, whole, alias: false, colon: None };
        let mut pending = vec![root];
        while let Some(pair) = pending.pop() {
            // An alias of the same node needs no change: the change is made at the anchor.
            if pair.old.id() == pair.new.id() && (pair.alias || !self.changed.contains(pair.new)) {
                continue;
            }
            if !pair.alias && !met.insert((pair.old.id(), pair.new.id())) {
                continue;
            }
            let (old, new) = (pair.old, pair.new);
            // A node with an anchor that was moved here can become an alias.
            let moved = old.id() != new.id() && new.anchor().is_some();
            let whole = pair.alias || moved || old.kind().is_scalar() || old.kind() != new.kind();
            let done = if whole {
                self.value(&pair)?
            } else if old.tag() != new.tag() {
                None
            } else {
                self.collection(&pair, &mut pending)?
            };
            if done.is_none() {
                return Ok(None);
            }
        }
        Ok(Some(()))
    }

    /// Replaces a value as a whole if it changed: a scalar, an alias, or a node of another kind.
    fn value(&mut self, pair: &Pair<'_, 't>) -> Result<Option<()>> {
        let (old, new) = (pair.old, pair.new);
        if old == new && (old.id() == new.id() || new.anchor().is_none()) {
            return Ok(Some(()));
        }
        let place = Place { flow: pair.flow, key: false };
        // A tag that stays keeps its spelling. So does an anchor of the same node.
        let bare = pair.at.start == pair.whole.start;
        let kept = !pair.alias
            && old.tag() == new.tag()
            // `!` alone makes the scalar resolve as if it were plain.
            && (bare || old.tag().is_some() || old.anchor().is_some())
            && (old.anchor().is_none() || (old.id() == new.id() && old.anchor() == new.anchor()));
        let mark = if kept { None } else { self.lone_mark(pair) };
        let range = if kept || mark.is_some() { &pair.at } else { &pair.whole };
        let fragment = if kept {
            self.fragments.content(new, place, old.id() == new.id())?
        } else {
            self.fragments.inline(new, place)?
        };
        let Some(mut text) = fragment else { return Ok(None) };
        // An absent value is directly after its colon or dash, so it needs a space.
        let before = self.text.get(..range.start).unwrap_or_default();
        if let Some(colon) = &pair.colon {
            text.insert_str(0, &colon.replace('\n', self.newline));
        } else if range.is_empty() && !before.ends_with([' ', '\n']) {
            text.insert(0, ' ');
        }
        // Keep the new value apart from what follows.
        let after = self.text.get(range.end..).unwrap_or_default();
        if range.is_empty() && after.starts_with('#') {
            text.push(' ');
        }
        if let Some(mark) = mark {
            self.replace(mark, String::new());
        }
        self.replace(range.clone(), text);
        Ok(Some(()))
    }

    /// Returns the range of a lone `!` and the blanks after it, if a line break or a comment separates it
    /// from the value. The comment is kept.
    fn lone_mark(&self, pair: &Pair<'_, 't>) -> Option<Range<usize>> {
        let old = pair.old;
        if pair.alias || pair.at.is_empty() || old.tag().is_some() || old.anchor().is_some() {
            return None;
        }
        let between = self.text.get(pair.whole.start..pair.at.start)?.strip_prefix('!')?;
        let rest = between.trim_start_matches([' ', '\t']);
        (!rest.is_empty()).then(|| pair.whole.start..pair.at.start - rest.len())
    }

    fn collection<'o>(&mut self, pair: &Pair<'o, 't>, pending: &mut Vec<Pair<'o, 't>>) -> Result<Option<()>> {
        let (old, new) = (pair.old, pair.new);
        let flow = pair.flow || old.style() == Style::Flow;
        let same = old.child_ids().len() == new.child_ids().len()
            && old.child_ids().iter().zip(new.child_ids()).all(|(a, b)| a == b);
        let Some(parts) = Parts::new(self.text, old, pair.at.start, flow) else { return Ok(None) };
        let changes = if same {
            Some(Changes::default()).inspect(|_| {
                let values = |node: NodeRef<'o>| {
                    if node.kind() == Kind::Mapping { node.values() } else { node.items().collect() }
                };
                let news: Vec<NodeRef<'t>> =
                    if new.kind() == Kind::Mapping { new.values() } else { new.items().collect() };
                for ((old, new), part) in values(old).into_iter().zip(news).zip(&parts.parts) {
                    pending.push(part.pair(old, new, flow));
                }
            })
        } else if old.kind() == Kind::Mapping {
            self.entries(old, new, &parts, pending)?
        } else {
            self.items(old, new, &parts, pending)?
        };
        Ok(changes.and_then(|changes| self.change(old, &parts, changes)))
    }

    /// Matches the entries of two mappings by key. Kept entries must stay in order.
    fn entries<'o>(
        &mut self,
        old: NodeRef<'o>,
        new: NodeRef<'t>,
        parts: &Parts,
        pending: &mut Vec<Pair<'o, 't>>,
    ) -> Result<Option<Changes>> {
        let (mut counts, mut places) = (HashMap::new(), HashMap::new());
        let names: Vec<Name> = old.entries().map(|(key, _)| name(key, &mut counts)).collect();
        places.extend(names.into_iter().zip(0..));
        counts.clear();
        let news: Vec<(NodeRef<'t>, NodeRef<'t>, Option<usize>)> =
            new.entries().map(|(key, value)| (key, value, places.remove(&name(key, &mut counts)))).collect();
        // Entries whose key is gone but whose value still exists were renamed.
        let olds = old.values();
        let mut left: HashMap<NodeId, usize> =
            places.into_values().filter_map(|index| Some((olds.get(index)?.id(), index))).collect();
        let mut changes = Changes::default();
        let (mut last, mut kept) = (None, HashSet::new());
        for (key, value, known) in news {
            let renamed = || parts.parts.get(*left.get(&value.id())?).and_then(|part| part.key.clone());
            let found = match (known, renamed()) {
                (Some(index), _) => Some((index, None)),
                (None, Some(range)) => left.get(&value.id()).map(|&index| (index, Some(range))),
                (None, None) => None,
            };
            // Entries that changed their order are written anew.
            let found = found.filter(|(index, _)| last.is_none_or(|last| *index > last));
            if let Some((index, range)) = found {
                let (Some(&before), Some(part)) = (olds.get(index), parts.parts.get(index)) else {
                    return Ok(None);
                };
                last = Some(index);
                kept.insert(index);
                pending.push(part.pair(before, value, parts.flow));
                if let Some(range) = range {
                    left.remove(&value.id());
                    let place = Place { flow: parts.flow, key: true };
                    let Some(text) = self.fragments.inline(key, place)? else { return Ok(None) };
                    self.replace(range, text);
                }
                continue;
            }
            let text = if parts.flow {
                self.fragments.flow_entry(key, value)?
            } else {
                self.fragments.entry(key, value, parts.column)?
            };
            let Some(text) = text else { return Ok(None) };
            changes.added.push((last, text));
        }
        changes.removed = (0..parts.parts.len()).filter(|index| !kept.contains(index)).collect();
        Ok(Some(changes))
    }

    /// Matches the items of two sequences: equal ones at both ends, and the rest one by one.
    fn items<'o>(
        &mut self,
        old: NodeRef<'o>,
        new: NodeRef<'t>,
        parts: &Parts,
        pending: &mut Vec<Pair<'o, 't>>,
    ) -> Result<Option<Changes>> {
        let olds: Vec<NodeRef<'o>> = old.items().collect();
        let news: Vec<NodeRef<'t>> = new.items().collect();
        let most = olds.len().min(news.len());
        let front = olds.iter().zip(&news).take_while(|(a, b)| a.id() == b.id()).count();
        let back = olds.iter().rev().zip(news.iter().rev()).take_while(|(a, b)| a.id() == b.id()).count();
        let back = back.min(most - front);
        let paired = most - back;
        let mut changes = Changes::default();
        let pairs = (0..paired).map(|index| (index, index));
        let tail = (1..=back).map(|index| (olds.len() - index, news.len() - index));
        for (index, twin) in pairs.chain(tail) {
            if let (Some(&old), Some(&new), Some(part)) =
                (olds.get(index), news.get(twin), parts.parts.get(index))
            {
                pending.push(part.pair(old, new, parts.flow));
            }
        }
        for &item in news.get(paired..news.len() - back).unwrap_or_default() {
            let text = if parts.flow {
                self.fragments.flow_item(item)?
            } else {
                self.fragments.item(item, parts.column)?
            };
            let Some(text) = text else { return Ok(None) };
            changes.added.push((paired.checked_sub(1), text));
        }
        changes.removed = (paired..olds.len() - back).collect();
        Ok(Some(changes))
    }

    /// Adds and removes parts of a collection.
    fn change(&mut self, old: NodeRef<'_>, parts: &Parts, changes: Changes) -> Option<()> {
        if !changes.removed.is_empty() && changes.removed.len() == parts.parts.len() {
            return self.clear(old, parts, &changes);
        }
        for &index in &changes.removed {
            let range = parts.removal(self.text, index)?;
            self.replace(range, String::new());
        }
        for (behind, text) in changes.added {
            let text = text.replace('\n', self.newline);
            let (at, text) = match (parts.flow, behind, parts.parts.is_empty()) {
                (true, Some(index), _) => (parts.parts.get(index)?.end, format!(", {text}")),
                (true, None, false) => (parts.parts.first()?.start, format!("{text}, ")),
                (true, None, true) => (old.span().start as usize + 1, text),
                (false, Some(index), _) => self.line_after(parts.parts.get(index)?, parts.column, &text),
                (false, None, _) => {
                    let indent = " ".repeat(parts.column);
                    (parts.parts.first()?.start, format!("{text}{}{indent}", self.newline))
                }
            };
            self.replace(at..at, text);
        }
        Some(())
    }

    /// Returns a new line after the last line of a part.
    fn line_after(&self, part: &Part, column: usize, text: &str) -> (usize, String) {
        let indent = " ".repeat(column);
        if self.text.get(..part.end).is_some_and(|before| before.ends_with('\n')) {
            return (part.end, format!("{indent}{text}{}", self.newline));
        }
        (parts::line_end(self.text, part.end), format!("{}{indent}{text}", self.newline))
    }

    /// Removes all parts and puts the added ones in their place.
    fn clear(&mut self, old: NodeRef<'_>, parts: &Parts, changes: &Changes) -> Option<()> {
        let (first, last) = (parts.parts.first()?, parts.parts.last()?);
        let added: Vec<String> =
            changes.added.iter().map(|(_, text)| text.replace('\n', self.newline)).collect();
        let text = match (added.is_empty(), parts.flow, old.kind()) {
            (true, true, _) => String::new(),
            (true, false, Kind::Mapping) => "{}".to_owned(),
            // A key's sequence can be at the key's column, but not in brackets.
            (true, false, _) if parts::begins_line(self.text, first.start) => " []".to_owned(),
            (true, false, _) => "[]".to_owned(),
            (false, true, _) => added.join(", "),
            (false, false, _) => added.join(&format!("{}{}", self.newline, " ".repeat(parts.column))),
        };
        self.replace(first.start..parts::trimmed(self.text, first.start, last.end), text);
        Some(())
    }

    fn replace(&mut self, range: Range<usize>, text: String) {
        self.patches.insert((range.start, self.patches.len()), (range.end, text));
    }

    /// Returns the new text; `None` if changes overlap.
    fn apply(&self) -> Option<String> {
        let mut out = String::with_capacity(self.text.len() + 256);
        let mut at = 0;
        for (&(start, _), (end, text)) in &self.patches {
            out.push_str(self.text.get(at..start)?);
            out.push_str(text);
            at = *end;
        }
        out.push_str(self.text.get(at..)?);
        Some(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::parse;

    const TEXT: &str = "\
%YAML 1.1
%TAG ! tag:stsci.edu:asdf/
# a comment before
--- !core/asdf-1.1.0
# about a
a:   1    # one

b: !x-1.0.0 {c:  2, d: [1,  2, 3], # inside
  e: 'x'}
list:
- first   # item
# between
- k: v
  l: w
-
  deep:
  - - 1
    - 2
text: |
  literal
  text
&anchor name: &n [1]
alias: *n
empty:
last: end # done
...
";

    fn edited(edit: impl FnOnce(&mut Tree)) -> String {
        let mut tree = parse(TEXT).unwrap();
        edit(&mut tree);
        patch(&tree).unwrap().expect("the edit can be expressed")
    }

    /// Returns the lines that are not in both.
    fn changed(new: &str) -> (Vec<&str>, Vec<&str>) {
        let only =
            |a: &'static str, b: &str| a.lines().filter(|line| !b.lines().any(|l| l == *line)).collect();
        let added = new.lines().filter(|line| !TEXT.lines().any(|l| l == *line)).collect();
        (only(TEXT, new), added)
    }

    #[test]
    fn without_edits_nothing_changes() {
        assert_eq!(edited(|_| {}), TEXT);
    }

    #[test]
    fn one_value_changes_its_bytes_only() {
        for (pointer, old, new) in [
            ("/a", "a:   1    # one", "a:   7    # one"),
            (
                "/b/c",
                "b: !x-1.0.0 {c:  2, d: [1,  2, 3], # inside",
                "b: !x-1.0.0 {c:  7, d: [1,  2, 3], # inside",
            ),
            (
                "/b/d/1",
                "b: !x-1.0.0 {c:  2, d: [1,  2, 3], # inside",
                "b: !x-1.0.0 {c:  2, d: [1,  7, 3], # inside",
            ),
            ("/list/0", "- first   # item", "- 7   # item"),
            ("/list/1/l", "  l: w", "  l: 7"),
            ("/list/2/deep/0/1", "    - 2", "    - 7"),
            ("/last", "last: end # done", "last: 7 # done"),
            ("/empty", "empty:", "empty: 7"),
            ("/alias", "alias: *n", "alias: 7"),
        ] {
            let text = edited(|tree| {
                let value = tree.add_int(7);
                tree.put(pointer, value).unwrap();
            });
            assert_eq!(changed(&text), (vec![old], vec![new]), "{pointer}");
        }
    }

    #[test]
    fn additions_take_the_form_of_adjacent_entries() {
        let text = edited(|tree| {
            let id = tree.at("/b").unwrap().id();
            let value = tree.add_str("new");
            tree.insert(id, "f", value);
            let id = tree.at("/list/1").unwrap().id();
            tree.insert(id, "m", value);
            let id = tree.at("/list").unwrap().id();
            tree.push(id, value);
            let id = tree.root().unwrap().id();
            let list = tree.add_sequence([value, value]);
            tree.set_style(list, Style::Block);
            tree.insert(id, "added", list);
        });
        let (gone, new) = changed(&text);
        assert_eq!(gone, ["  e: 'x'}"]);
        assert_eq!(new, ["  e: 'x', f: new}", "  m: new", "- new", "added:", "- new", "- new"]);
        assert!(text.contains("last: end # done\nadded:\n- new\n- new\n...\n"), "{text}");
    }

    #[test]
    fn removals_take_their_lines() {
        let text = edited(|tree| {
            let root = tree.root().unwrap().id();
            tree.remove(root, "text").unwrap();
            let id = tree.at("/list/1").unwrap().id();
            tree.remove(id, "k").unwrap();
            let id = tree.at("/b").unwrap().id();
            tree.remove(id, "c").unwrap();
            let id = tree.at("/b/d").unwrap().id();
            tree.remove_item(id, 2).unwrap();
        });
        let (gone, new) = changed(&text);
        assert_eq!(
            gone,
            [
                "b: !x-1.0.0 {c:  2, d: [1,  2, 3], # inside",
                "- k: v",
                "  l: w",
                "text: |",
                "  literal",
                "  text"
            ]
        );
        assert_eq!(new, ["b: !x-1.0.0 {d: [1,  2], # inside", "- l: w"]);
    }

    #[test]
    fn inexpressible_edits_are_left_to_the_emitter() {
        let mut tree = parse(TEXT).unwrap();
        let id = tree.at("/list").unwrap().id();
        tree.set_tag(id, Some("tag:x"));
        assert_eq!(patch(&tree).unwrap(), None);
        assert_eq!(patch(&Tree::new()).unwrap(), None);
    }

    #[test]
    fn shared_nodes_stay_shared() {
        // Items are matched by index: the last one must not become a copy of the first.
        let mut tree = parse("- &n a\n- *n\n- ''\n").unwrap();
        tree.move_to("/0", "/-").unwrap();
        let again = parse(&write(&tree).unwrap()).unwrap();
        assert_eq!(again.at("/0").unwrap().id(), again.at("/2").unwrap().id());
        // A key is shared, and the mapping moves below it.
        let mut tree = parse("a: &n {b: c}\nd: {*n : e}\n").unwrap();
        tree.move_to("/d", "/a/d").unwrap();
        let again = parse(&write(&tree).unwrap()).unwrap();
        let (key, _) = again.at("/a/d").unwrap().entries().next().unwrap();
        assert_eq!(key.id(), again.at("/a").unwrap().id());
        // The moved node has the same keys as the replaced one, but is not a copy.
        let mut tree = parse("x: {a: &n {a: {}}}\ny: {b: {a: {a: *n}}}\n").unwrap();
        tree.move_to("/y/b/a", "/y/b").unwrap();
        let again = parse(&write(&tree).unwrap()).unwrap();
        assert_eq!(again.at("/x/a").unwrap().id(), again.at("/y/b/a").unwrap().id());
    }

    #[test]
    fn the_last_of_equal_keys_is_edited() {
        let mut tree = parse("? 1.5\n: a\n# b\n? 1.5\n: c\n").unwrap();
        assert_eq!(tree.at("/1.5").unwrap().as_str(), Some("c"));
        tree.remove_at("/1.5").unwrap();
        assert_eq!(patch(&tree).unwrap().unwrap(), "? 1.5\n: a\n# b\n");
    }

    #[test]
    fn tags_literals_and_keys_change_in_their_place() {
        for (text, pointer, new) in [
            ("a: !x |\n  text\n# c\nb: 1\n", "/a", "a: 7\n# c\nb: 1\n"),
            ("a: !x b # c\n", "/a", "a: 7 # c\n"),
            ("a: ! b # c\n", "/a", "a: 7 # c\n"),
            ("a: ! # c\n  b\n", "/a", "a: # c\n  7\n"),
            ("{a, b: 1}\n", "/a", "{a: 7, b: 1}\n"),
            ("? a # c\n? b\n", "/a", "? a\n: 7 # c\n? b\n"),
            ("- # c\n- 1\n", "/0", "- 7 # c\n- 1\n"),
            // In YAML 1.1, these characters break lines too.
            ("[a, \u{2028}b c\n d]\n", "/1", "[a, \u{2028}7]\n"),
            ("[a,\u{85}# c\u{2029}b]\n", "/1", "[a,\u{85}# c\u{2029}7]\n"),
            ("- a\u{a0}\n- 1\n", "/0", "- 7\n- 1\n"),
            ("1.5: a\n", "/1.5", "1.5: 7\n"),
        ] {
            let mut tree = parse(text).unwrap();
            let value = tree.add_int(7);
            tree.put(pointer, value).unwrap();
            assert_eq!(patch(&tree).unwrap().as_deref(), Some(new), "{text}");
        }
        let mut tree = parse("a:   1  # one\n? b\n: {c:  2}\n").unwrap();
        tree.rename_key("/a", "x").unwrap();
        tree.rename_key("/b", "y z").unwrap();
        assert_eq!(patch(&tree).unwrap().unwrap(), "x:   1  # one\n? y z\n: {c:  2}\n");
        // `!` alone decides how the key is read, and is replaced with it.
        let mut tree = parse("a: 1 \n! 2: 'b'").unwrap();
        tree.rename_key("/2", "c").unwrap();
        assert_eq!(patch(&tree).unwrap().unwrap(), "a: 1 \nc: 'b'");
    }

    #[test]
    fn line_endings_are_kept() {
        let mut tree = parse("a: 1\r\nb: 2\r\n").unwrap();
        let root = tree.root().unwrap().id();
        let value = tree.add_int(3);
        tree.insert(root, "c", value);
        assert_eq!(patch(&tree).unwrap().unwrap(), "a: 1\r\nb: 2\r\nc: 3\r\n");
    }
}
