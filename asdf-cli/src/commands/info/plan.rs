//! The choice of collections to unfold, so that the tree fits into a number of lines.

use std::collections::HashMap;

use asdf_core::tree::{Kind, NodeId, NodeRef};

use super::label::{Labels, Summary, wrapped};
use super::outline::{self, INDENT};

/// The default number of lines of a tree.
const LINES: usize = 50;

/// A collection with too many entries to show gets at least this number of lines, or stays folded.
const WORTHWHILE: usize = 8;

/// The number of entries to show of each unfolded collection.
#[derive(Debug)]
pub(super) struct Plan {
    unfolded: HashMap<NodeId, usize>,
    /// Whether to say that some collections are not shown in full.
    pub(super) leaves_out: bool,
}

/// A collection that can be unfolded.
struct Candidate<'a> {
    node: NodeRef<'a>,
    depth: usize,
    /// The number of characters of its name.
    name: usize,
}

impl Plan {
    /// Unfolds a tree level by level while lines are left. The tree has at most `rows` lines, if given.
    pub(super) fn of(
        root: NodeRef<'_>,
        labels: &Labels<'_>,
        folded: &[NodeId],
        width: usize,
        rows: Option<usize>,
    ) -> Self {
        let args = labels.args;
        // One line is for the root, and one for the remark that nodes are folded.
        let budget = rows.unwrap_or(LINES).saturating_sub(2);
        let mut plan = Self { unfolded: HashMap::new(), leaves_out: false };
        let mut left = budget;
        let mut level = vec![Candidate { node: root, depth: 0, name: 0 }];
        while !level.is_empty() {
            let mut next = Vec::new();
            for candidate in level {
                let node = candidate.node;
                let is_deep = args.depth.is_some_and(|most| candidate.depth >= most);
                if is_deep || plan.unfolded.contains_key(&node.id()) || folded.contains(&node.id()) {
                    continue;
                }
                let Some(shown) = plan.fits(&candidate, labels, width, budget, &mut left) else { continue };
                plan.unfolded.insert(node.id(), shown);
                let below = outline::entries(node, args).into_iter().take(shown);
                let below = below.filter(|(_, child)| !child.kind().is_scalar() && !child.is_empty());
                next.extend(below.map(|(name, node)| Candidate {
                    node,
                    depth: candidate.depth + 1,
                    name: name.chars().count(),
                }));
            }
            level = next;
        }
        plan.leaves_out &= rows.is_none_or(|rows| rows > 1);
        plan
    }

    /// Returns the number of entries to show of a collection, if it is unfolded.
    pub(super) fn shown(&self, node: NodeRef<'_>) -> Option<usize> {
        self.unfolded.get(&node.id()).copied()
    }

    /// Subtracts the lines of a collection's content from those that are left, if there are enough.
    fn fits(
        &mut self,
        candidate: &Candidate<'_>,
        labels: &Labels<'_>,
        width: usize,
        budget: usize,
        left: &mut usize,
    ) -> Option<usize> {
        let (node, args) = (candidate.node, labels.args);
        let indent = candidate.depth * INDENT;
        let (entries, cost, is_cut) = match labels.summary(node) {
            Some(Summary::Line(_)) => return None,
            Some(Summary::Table { columns, .. }) => {
                let lines = wrapped(&columns, width.saturating_sub(indent + INDENT)).len();
                (lines, lines, false)
            }
            None => {
                let room = width.saturating_sub(indent + candidate.name + 2);
                if candidate.depth > 0 && fits_on_line(node, labels, room, candidate.depth) {
                    return None;
                }
                let entries = outline::limit(node, args);
                let is_cut = entries < node.len();
                (entries, entries + usize::from(is_cut), is_cut)
            }
        };
        if cost <= *left {
            *left -= cost;
            self.leaves_out |= is_cut;
            return Some(entries);
        }
        self.leaves_out = true;
        let partly = match args.max_rows {
            Some(_) => *left > 1,
            None => cost > budget && *left >= WORTHWHILE,
        };
        if !partly {
            return None;
        }
        let shown = *left - 1;
        *left = 0;
        Some(shown)
    }
}

/// Returns whether the line of a folded collection shows all of its content. For lists of scalars, that is the part
/// within --max-items.
fn fits_on_line(node: NodeRef<'_>, labels: &Labels<'_>, room: usize, depth: usize) -> bool {
    outline::is_plain_list(node)
        || (depth > 1 && node.kind() == Kind::Mapping && labels.inline(node, room).is_complete)
}
