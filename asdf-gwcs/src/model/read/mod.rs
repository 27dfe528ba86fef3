//! Reading of transforms: from the nodes of a tree to checked models.

mod axes;
mod bounds;
mod compound;
mod dkist;
mod equivalency;
mod imaging;
mod jwst;
mod line;
mod linear;
mod optics;
mod polynomial;
mod profile;
mod projection;
mod rotation;
mod selector;
mod series;
mod table;
mod tabular;

pub(crate) mod entry;
pub(crate) mod leaf;
pub(crate) mod name;
pub(crate) mod quantity;

use std::collections::HashMap;
use std::sync::Arc;

use asdf_core::{Error, NodeId, NodeRef, Result};

use self::entry::{Budget, Entry};
pub(crate) use self::leaf::Leaf;
use super::{Kind, Model};
use crate::formula::{Called, Formula, Formulas};

/// The most transforms inside each other.
///
/// Later steps visit a model recursively, so the limit keeps them within the stack of a thread.
const MAX_DEPTH: usize = 200;

/// The most transforms in one model. A transform that occurs in several places counts for each of them.
///
/// Anchors could otherwise make a short text stand for more transforms than fit in memory.
const MAX_TRANSFORMS: u64 = 100_000;

/// The most inputs and the most outputs of a transform.
const MAX_AXES: usize = 64;

/// Reads transforms. Keep one for all transforms of a file: a node with an anchor is read once.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    done: HashMap<NodeId, Done>,
    /// Formulas for tags of others.
    formulas: Formulas,
    budget: Budget,
    /// The nodes that are being read, from the outermost.
    open: Vec<NodeId>,
    /// The path of the node that is being read.
    path: Vec<String>,
    /// The number of transforms below the node that is being read.
    below: u64,
    /// How many transforms are inside each other below the node that is being read.
    depth: usize,
    /// A transform below whose numbers of inputs and outputs are a guess.
    guessed: Option<Arc<Guess>>,
}

/// A transform that has been read.
#[derive(Debug, Clone)]
struct Done {
    model: Arc<Model>,
    transforms: u64,
    depth: usize,
    guessed: Option<Arc<Guess>>,
}

/// A transform without a formula, for which the file does not give the numbers of inputs and outputs.
#[derive(Debug)]
struct Guess {
    tag: String,
    path: String,
}

impl Reader {
    pub(crate) fn with_formulas(formulas: &Formulas) -> Self {
        Self { formulas: formulas.clone(), ..Self::default() }
    }

    /// Reads a transform; `path` is the place of the node, as a JSON Pointer.
    ///
    /// # Errors
    /// If the transform or one inside it is wrong. The error has the whole path.
    pub(crate) fn read_at(&mut self, path: &str, node: NodeRef<'_>) -> Result<Arc<Model>> {
        self.path = vec![path.to_owned()];
        self.open.clear();
        (self.below, self.depth, self.guessed) = (0, 0, None);
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
        // An alias can be deeper in the tree than the transform that it stands for.
        self.depth = self.depth.max(done.depth);
        if self.open.len() + done.depth > MAX_DEPTH {
            return Err(too_deep(node));
        }
        self.below = self.below.saturating_add(done.transforms);
        self.guessed = self.guessed.take().or(done.guessed);
        Ok(done.model)
    }

    fn read_new(&mut self, node: NodeRef<'_>) -> Result<Done> {
        if self.open.contains(&node.id()) {
            return Err(node.error("the transform contains itself"));
        }
        if self.open.len() >= MAX_DEPTH {
            return Err(too_deep(node));
        }
        let outer = (std::mem::take(&mut self.below), std::mem::take(&mut self.depth), self.guessed.take());
        self.open.push(node.id());
        let model = self.model(node);
        self.open.pop();
        let done = model.map(|model| Done {
            model: Arc::new(model),
            transforms: self.below.saturating_add(1),
            depth: self.depth + 1,
            guessed: self.guessed.take(),
        });
        (self.below, self.depth, self.guessed) = outer;
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
        let entry = Entry::open_within(node, self.budget.clone())?;
        let mut leaf = match (self.formulas.find(entry.tag()), table::find(entry.tag())) {
            (Some(read), _) => called(&entry, read(node).map_err(|error| node.place(error))?)?,
            (None, Some(read)) => read(self, &entry)?,
            (None, None) => self.unknown(&entry)?,
        };
        if let Some(unknown) = self.corrected(&entry, &leaf) {
            leaf = unknown;
        }
        let inputs = entry.names("inputs", leaf.inputs)?;
        let outputs = entry.names("outputs", leaf.outputs)?;
        let mut model = Model {
            kind: leaf.kind,
            inputs,
            outputs,
            inverse: None,
            bounds: leaf.bounds,
            units: leaf.units,
            path: leaf.path.unwrap_or_else(|| self.path.concat()),
        };
        model.units.quantity |= leaf.quantity;
        if !model.units.inputs.is_empty() {
            model.units.scales = equivalency::pixel_scales(&entry, &model.inputs)?;
        }
        if let Some(bounds) = bounds::read(&entry, &model)? {
            model.bounds = Some(bounds);
        }
        model.inverse = self.stored_inverse(&entry)?;
        Ok(model)
    }

    /// Counts transforms that a reader of a kind puts around those of the file.
    fn deepen(&mut self, transforms: usize) {
        self.depth += transforms;
    }

    /// Makes a transform that is part of the one being read, and not in the file itself.
    fn part(&self, leaf: Leaf) -> Arc<Model> {
        Arc::new(Model {
            kind: leaf.kind,
            inputs: leaf.inputs,
            outputs: leaf.outputs,
            inverse: None,
            bounds: None,
            units: leaf.units,
            path: self.path.concat(),
        })
    }

    /// Reads the inverse that the file gives for a transform.
    fn stored_inverse(&mut self, entry: &Entry<'_>) -> Result<Option<Arc<Model>>> {
        let Some(node) = entry.get("inverse") else { return Ok(None) };
        // Two transforms can be each other's inverse. The inverse of the inverse is only needed to undo an inversion.
        let is_mutual = self.open.iter().rev().skip(1).any(|&open| open == node.id());
        if is_mutual {
            return Ok(None);
        }
        // The inverse of a part can stand for more than this part, so its numbers of inputs and outputs are not compared
        // here. They are when an inverse is compiled.
        let guessed = self.guessed.take();
        let inverse = self.read_child(&["inverse"], node)?;
        self.guessed = guessed;
        Ok(Some(inverse))
    }

    /// Reads a transform without a formula. Only using it is an error.
    fn unknown(&mut self, entry: &Entry<'_>) -> Result<Leaf> {
        let number = |key: &str| entry.get(key)?.as_u64().and_then(|count| usize::try_from(count).ok());
        let count =
            |list: &str, key| entry.count_of(list).or_else(|| number(key)).filter(|&count| count <= MAX_AXES);
        let (inputs, outputs) = (count("inputs", "n_inputs"), count("outputs", "n_outputs"));
        if inputs.is_none() || outputs.is_none() {
            self.guessed = Some(Arc::new(Guess { tag: entry.tag().to_owned(), path: self.path.concat() }));
        }
        let (inputs, outputs) = (inputs.unwrap_or(1), outputs.unwrap_or(1));
        Ok(Leaf::new(Kind::Unknown { tag: entry.tag().to_owned(), inputs, outputs }))
    }

    /// Returns a transform without a formula, if the file gives other numbers of inputs and outputs than were guessed.
    fn corrected(&self, entry: &Entry<'_>, leaf: &Leaf) -> Option<Leaf> {
        let inputs = entry.count_of("inputs").unwrap_or(leaf.inputs.len());
        let outputs = entry.count_of("outputs").unwrap_or(leaf.outputs.len());
        let differs = (inputs, outputs) != (leaf.inputs.len(), leaf.outputs.len());
        if !differs || inputs.max(outputs) > MAX_AXES {
            return None;
        }
        self.without_formula(inputs, outputs)
    }

    /// Returns a transform without a formula, if the numbers of inputs and outputs of a transform below are a guess.
    fn without_formula(&self, inputs: usize, outputs: usize) -> Option<Leaf> {
        let guess = self.guessed.as_ref()?;
        let leaf = Leaf::new(Kind::Unknown { tag: guess.tag.clone(), inputs, outputs });
        Some(Leaf { path: Some(guess.path.clone()), ..leaf })
    }
}

/// Makes a transform from a formula of others.
fn called(entry: &Entry<'_>, formula: Arc<dyn Formula>) -> Result<Leaf> {
    let (inputs, outputs) = (formula.inputs(), formula.outputs());
    let allowed = 1..=MAX_AXES;
    if !allowed.contains(&inputs) || !allowed.contains(&outputs) {
        let message = format!(
            "found a formula with {inputs} inputs and {outputs} outputs, expected from 1 to {MAX_AXES} of each"
        );
        return Err(entry.node().place(Error::usage(message)));
    }
    Ok(Leaf::function(Arc::new(Called::new(formula, entry.tag()))))
}

fn too_deep(node: NodeRef<'_>) -> Error {
    node.place(Error::limit(format!("more than {MAX_DEPTH} transforms inside each other")))
}

#[cfg(test)]
mod cases;
