//! Drawing a tree, one line per node.

use std::collections::HashMap;
use std::io::Write;

use asdf_core::tree::{NodeId, NodeRef, Path};
use asdf_schemas::titles::{SchemaOfValue, Titles};

use super::Args;
use super::label::{Labels, Summary, wrapped};
use super::outline::{self, INDENT};
use super::plan::Plan;
use crate::colour::Colours;
use crate::printable::line;

pub(super) struct Drawing<'a> {
    pub(super) labels: Labels<'a>,
    pub(super) colours: Colours,
    pub(super) out: &'a mut dyn Write,
    /// Which collections are unfolded; `None` for all.
    pub(super) plan: Option<Plan>,
    /// Collections that are never unfolded.
    pub(super) folded: Vec<NodeId>,
    /// The width of the lines of folded collections.
    pub(super) width: usize,
    /// The collections that were drawn, with their paths. Shared collections are drawn once.
    pub(super) seen: HashMap<NodeId, Path>,
    pub(super) path: Path,
    /// The titles of nodes in schemas, if any schemas were added.
    pub(super) titles: Option<&'a Titles>,
}

impl Drawing<'_> {
    pub(super) fn root(&mut self, root: NodeRef<'_>) -> std::io::Result<()> {
        let name = if self.path.as_str().is_empty() { "tree".to_owned() } else { line(self.path.as_str()) };
        let label = if self.shown(root, 0).is_some() || root.kind().is_scalar() || root.is_empty() {
            self.labels.of(root)
        } else {
            self.collapsed(root, self.width.saturating_sub(name.chars().count()))
        };
        let schema = self.titles.and_then(|titles| titles.schema_at(root.tree().root()?, &self.path));
        self.line("", &name, &label, schema)?;
        self.children(root, "", 1, schema)?;
        match &self.plan {
            Some(plan) if plan.leaves_out => {
                writeln!(
                    self.out,
                    "{}",
                    self.colours.dim("Some nodes are folded: pass --all to show the whole tree")
                )
            }
            _ => Ok(()),
        }
    }

    fn args(&self) -> &Args {
        self.labels.args
    }

    /// Returns the number of entries to draw below a node; `None` if the node is one line.
    fn shown(&self, node: NodeRef<'_>, depth: usize) -> Option<usize> {
        let args = self.args();
        if node.kind().is_scalar() || node.is_empty() || self.folded.contains(&node.id()) {
            return None;
        }
        if args.depth.is_some_and(|most| depth >= most) || (args.all && super::is_array(node)) {
            return None;
        }
        match &self.plan {
            Some(plan) => plan.shown(node),
            None if args.all => Some(node.len()),
            None if matches!(self.labels.summary(node), Some(Summary::Line(_))) => None,
            None if depth > 0 && outline::is_plain_list(node) => None,
            None => Some(outline::limit(node, args)),
        }
    }

    /// Returns the label of a folded node.
    fn collapsed(&self, node: NodeRef<'_>, room: usize) -> String {
        if node.kind().is_scalar() || node.is_empty() || self.args().all {
            return self.labels.of(node);
        }
        if self.folded.contains(&node.id()) {
            return self.labels.bookkeeping(node, room);
        }
        match self.labels.summary(node) {
            Some(Summary::Line(_)) => self.labels.of(node),
            _ => self.labels.folded(node, room),
        }
    }

    /// Draws the nodes below a node. The recursion is as deep as the tree, whose depth is limited.
    fn children(
        &mut self,
        node: NodeRef<'_>,
        indent: &str,
        depth: usize,
        schema: Option<SchemaOfValue>,
    ) -> std::io::Result<()> {
        let Some(shown) = self.shown(node, depth - 1) else { return Ok(()) };
        self.seen.insert(node.id(), self.path.clone());
        if let Some(Summary::Table { columns, .. }) = self.labels.summary(node) {
            let room = self.width.saturating_sub(depth * INDENT);
            let lines = wrapped(&columns, room);
            let more = lines.len().saturating_sub(shown);
            for text in lines.iter().take(shown) {
                self.line(&format!("{indent}   "), "", text, None)?;
            }
            return if more > 0 { self.line(&format!("{indent}   "), "", "…", None) } else { Ok(()) };
        }
        let named = outline::entries(node, self.args());
        let more = node.len().saturating_sub(shown);
        let last = named.len().min(shown);
        for (index, (key, child)) in named.into_iter().take(shown).enumerate() {
            let is_last = index + 1 == last && more == 0;
            let branch = format!("{indent}{} ", if is_last { "└─" } else { "├─" });
            let name = line(&key);
            if let Some(first) = self.seen.get(&child.id()).filter(|_| !child.kind().is_scalar()) {
                let first = if first.as_str().is_empty() { "/" } else { first.as_str() };
                let label = format!(": same as {}", line(first));
                self.line(&branch, &name, &label, None)?;
                continue;
            }
            let parent = self.path.clone();
            self.path.push(&key);
            let label = if self.shown(child, depth).is_some() {
                self.labels.of(child)
            } else {
                let room = self.width.saturating_sub(branch.chars().count() + name.chars().count());
                self.collapsed(child, room)
            };
            let own = self.titles.and_then(|titles| titles.schema_of(child, &key, schema));
            self.line(&branch, &name, &label, own)?;
            let below = format!("{indent}{}", if is_last { "   " } else { "│  " });
            self.children(child, &below, depth + 1, own)?;
            self.path = parent;
        }
        if more > 0 {
            self.line(&format!("{indent}└─ "), "", &format!("… {more} more"), None)?;
        }
        Ok(())
    }

    /// Draws a line with the title from a schema, cut to --max-cols.
    fn line(
        &mut self,
        branch: &str,
        name: &str,
        label: &str,
        schema: Option<SchemaOfValue>,
    ) -> std::io::Result<()> {
        let title = self.titles.zip(schema).and_then(|(titles, schema)| titles.title(schema));
        let title = title.map(|title| format!(" # {}", line(&title))).unwrap_or_default();
        let most = self.args().max_cols.unwrap_or(usize::MAX);
        let parts = [branch, name, label, &title];
        let long = parts.iter().map(|part| part.chars().count()).sum::<usize>() > most;
        let mut left = if long { most.saturating_sub(1) } else { usize::MAX };
        let [branch, name, label, title] = parts.map(|part| {
            let part: String = part.chars().take(left).collect();
            left -= part.chars().count();
            part
        });
        let colours = self.colours;
        let end = if long { "…" } else { "" };
        writeln!(self.out, "{}{}{label}{}{end}", colours.dim(branch), colours.bold(name), colours.dim(title))
    }
}
