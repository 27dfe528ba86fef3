//! Reading of transforms: from the nodes of a tree to checked models.

mod simple;
mod table;

pub(crate) mod entry;
pub(crate) mod leaf;
pub(crate) mod name;
pub(crate) mod quantity;

use std::collections::HashMap;
use std::sync::Arc;

use asdf_core::{Error, NodeId, NodeRef, Result};

use self::entry::Entry;
pub(crate) use self::leaf::Leaf;
use super::{Kind, Model};

/// The most transforms inside each other.
///
/// Later steps visit a model recursively, so the limit keeps them within the stack of a thread.
const MAX_DEPTH: usize = 200;

/// The most transforms in one model. A transform that occurs in several places counts for each of them.
///
/// Anchors could otherwise make a short text stand for more transforms than fit in memory.
const MAX_TRANSFORMS: u64 = 100_000;

/// Reads transforms. Keep one for all transforms of a file: a node with an anchor is read once.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    done: HashMap<NodeId, Done>,
    /// The nodes that are being read, from the outermost.
    open: Vec<NodeId>,
    /// The path of the node that is being read.
    path: Vec<String>,
    /// The number of transforms below the node that is being read.
    below: u64,
    /// Whether the numbers of inputs and outputs of a transform below are a guess.
    guessed: bool,
}

/// A transform that has been read.
#[derive(Debug, Clone)]
struct Done {
    model: Arc<Model>,
    transforms: u64,
    guessed: bool,
}

impl Reader {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Reads a transform; `path` is the place of the node, as a JSON Pointer.
    ///
    /// # Errors
    /// If the transform or one inside it is wrong. The error has the whole path.
    pub(crate) fn read_at(&mut self, path: &str, node: NodeRef<'_>) -> Result<Arc<Model>> {
        self.path = vec![path.to_owned()];
        self.open.clear();
        (self.below, self.guessed) = (0, false);
        self.read(node).map_err(|error| error.at_path(path))
    }

    /// Reads a transform that is a property of another one, `steps` below it.
    ///
    /// # Errors
    /// If the transform is wrong. The error has the path below the other transform.
    pub(crate) fn read_child(&mut self, steps: &[&str], node: NodeRef<'_>) -> Result<Arc<Model>> {
        let length = self.path.len();
        self.path.extend(steps.iter().map(|step| format!("/{}", step.replace('~', "~0").replace('/', "~1"))));
        let model = self.read(node);
        self.path.truncate(length);
        model.map_err(|error| steps.iter().rev().fold(error, |error, step| error.under(step)))
    }

    fn read(&mut self, node: NodeRef<'_>) -> Result<Arc<Model>> {
        let done = match self.done.get(&node.id()) {
            Some(done) => done.clone(),
            None => self.read_new(node)?,
        };
        self.below = self.below.saturating_add(done.transforms);
        self.guessed |= done.guessed;
        Ok(done.model)
    }

    fn read_new(&mut self, node: NodeRef<'_>) -> Result<Done> {
        if self.open.contains(&node.id()) {
            return Err(node.error("the transform contains itself"));
        }
        if self.open.len() >= MAX_DEPTH {
            return Err(
                node.place(Error::limit(format!("more than {MAX_DEPTH} transforms inside each other")))
            );
        }
        let outer = (std::mem::take(&mut self.below), std::mem::take(&mut self.guessed));
        self.open.push(node.id());
        let model = self.model(node);
        self.open.pop();
        let done = model.map(|model| Done {
            model: Arc::new(model),
            transforms: self.below.saturating_add(1),
            guessed: self.guessed,
        });
        (self.below, self.guessed) = outer;
        let done = done?;
        if done.transforms > MAX_TRANSFORMS {
            let message =
                format!("more than {MAX_TRANSFORMS} transforms, counting those with an alias each time");
            return Err(node.place(Error::limit(message)));
        }
        self.done.insert(node.id(), done.clone());
        Ok(done)
    }

    fn model(&mut self, node: NodeRef<'_>) -> Result<Model> {
        let entry = Entry::open(node)?;
        let leaf = match table::find(entry.tag()) {
            Some(read) => read(self, &entry)?,
            None => self.unknown(&entry)?,
        };
        let inputs = entry.names("inputs", leaf.inputs)?;
        let outputs = entry.names("outputs", leaf.outputs)?;
        let bounds = crate::bounds::read(&entry, &inputs)?;
        let mut model = Model {
            kind: leaf.kind,
            inputs,
            outputs,
            inverse: None,
            bounds,
            units: leaf.units,
            path: leaf.path.unwrap_or_else(|| self.path.concat()),
        };
        model.inverse = self.stored_inverse(&entry, &model)?;
        Ok(model)
    }

    /// Reads the inverse that the file gives for a transform.
    fn stored_inverse(&mut self, entry: &Entry<'_>, model: &Model) -> Result<Option<Arc<Model>>> {
        let Some(node) = entry.get("inverse") else { return Ok(None) };
        let forward_is_guessed = self.guessed;
        self.guessed = false;
        let inverse = self.read_child(&["inverse"], node)?;
        let is_guess = std::mem::replace(&mut self.guessed, forward_is_guessed) || forward_is_guessed;
        let (inputs, outputs) = (model.inputs.len(), model.outputs.len());
        if !is_guess && (inverse.inputs.len() != outputs || inverse.outputs.len() != inputs) {
            return Err(node
                .error(format!(
                    "the inverse has {} inputs and {} outputs, expected {outputs} and {inputs}",
                    inverse.inputs.len(),
                    inverse.outputs.len()
                ))
                .under("inverse"));
        }
        Ok(Some(inverse))
    }

    /// Reads a transform without a formula. Only using it is an error.
    fn unknown(&mut self, entry: &Entry<'_>) -> Result<Leaf> {
        let counts = (entry.count_of("inputs"), entry.count_of("outputs"));
        self.guessed |= counts.0.is_none() || counts.1.is_none();
        let (inputs, outputs) = (counts.0.unwrap_or(1), counts.1.unwrap_or(1));
        Ok(Leaf::new(Kind::Unknown { tag: entry.tag().to_owned(), inputs, outputs }, inputs, outputs))
    }

    /// Returns whether the numbers of inputs and outputs of a transform inside this one are unknown.
    pub(crate) fn is_guessed(&self) -> bool {
        self.guessed
    }
}
