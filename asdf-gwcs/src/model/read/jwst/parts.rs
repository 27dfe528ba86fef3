//! Lists of transforms in JWST's transforms, and the choice among them.

use std::sync::Arc;

use asdf_core::tree::Kind as NodeKind;
use asdf_core::{NodeRef, Result};

use crate::model::read::{Entry, Leaf, Reader};
use crate::model::{Choices, Kind, Model};

/// Reads a transform that must have these numbers of inputs and outputs.
pub(super) fn read_part(
    reader: &mut Reader,
    steps: &[&str],
    node: NodeRef<'_>,
    counts: [usize; 2],
) -> Result<Arc<Model>> {
    let model = reader.read_child(steps, node)?;
    let [inputs, outputs] = counts;
    if [model.kind.inputs(), model.kind.outputs()] == counts {
        return Ok(model);
    }
    match reader.without_formula(inputs, outputs) {
        // The numbers of a transform without a formula are a guess. Using it is the error.
        Some(leaf) => {
            let path = leaf.path.unwrap_or_else(|| model.path.clone());
            Ok(Arc::new(Model::unnamed(leaf.kind, &path)))
        }
        None => {
            let found = [model.kind.inputs(), model.kind.outputs()].map(|count| count.to_string());
            let error = node.error(format!(
                "found a transform with {} inputs and {} outputs, expected {inputs} and {outputs}",
                found[0], found[1]
            ));
            Err(steps.iter().rev().fold(error, |error, step| error.under(step)))
        }
    }
}

/// Returns the items of a list.
pub(super) fn items<'a>(entry: &Entry<'a>, key: &str) -> Result<Vec<NodeRef<'a>>> {
    let node = entry.require(key)?;
    if node.kind() == NodeKind::Sequence {
        return Ok(node.items().collect());
    }
    Err(node.expected("a list").under(key))
}

/// How much deeper a choice makes a transform. A program is compiled and run inside another for each choice.
const CHOICE_DEPTH: usize = 12;

/// Reads a list of transforms with equal numbers of inputs and outputs.
pub(super) fn read_parts(
    reader: &mut Reader,
    entry: &Entry<'_>,
    key: &str,
    counts: [usize; 2],
) -> Result<Vec<Arc<Model>>> {
    let nodes = items(entry, key)?.into_iter().enumerate();
    let parts = nodes.map(|(at, node)| read_part(reader, &[key, &at.to_string()], node, counts)).collect();
    reader.deepen(CHOICE_DEPTH);
    parts
}

/// Makes the transform that chooses by the value of an input, and its inverse if the cases have inverses.
///
/// `key_in` is the position of that input among all inputs, and `key_out` its position among all outputs, if it is one.
pub(super) fn chosen(reader: &Reader, choices: Choices, key_in: usize, key_out: Option<usize>) -> Kind {
    let inverse = match key_out {
        Some(key_out) => choices
            .inverse()
            .map(|inverse| reader.part(Leaf::new(one_way(reader, inverse, key_out, Some(key_in))))),
        None => None,
    };
    let forward = reader.part(Leaf::new(one_way(reader, choices, key_in, key_out)));
    Kind::Paired(forward, inverse)
}

fn one_way(reader: &Reader, choices: Choices, key_in: usize, key_out: Option<usize>) -> Kind {
    let part = |kind: Kind| reader.part(Leaf::new(kind));
    let (inputs, outputs) = (choices.inputs + 1, choices.outputs);
    let others = (0..inputs).filter(|input| *input != key_in);
    let choose = part(Kind::Choose(choices));
    let Some(key_out) = key_out else {
        let mapping = std::iter::once(key_in).chain(others).collect();
        return Kind::Compose(part(Kind::Remap { mapping, inputs }), choose);
    };
    let before = part(Kind::Remap { mapping: [key_in, key_in].into_iter().chain(others).collect(), inputs });
    let both = part(Kind::Concatenate(part(Kind::Identity(1)), choose));
    let results = 1..outputs + 1;
    let (head, tail) = (results.clone().take(key_out), results.skip(key_out));
    let mapping = head.chain(std::iter::once(0)).chain(tail).collect();
    let after = part(Kind::Remap { mapping, inputs: outputs + 1 });
    Kind::Compose(before, part(Kind::Compose(both, after)))
}
