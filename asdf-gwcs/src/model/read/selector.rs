//! Transforms that differ from region to region, and the labels of regions.

use std::sync::Arc;

use asdf_core::array::Value;
use asdf_core::tree::Kind as NodeKind;
use asdf_core::{Error, FromNode, NdArray, NodeRef, Result, error};

use super::entry::read_name;
use super::quantity::Array;
use super::{Entry, Leaf, Reader};
use crate::function::Function;
use crate::leaf::label::{LabelMapper, Picture, Regions};
use crate::leaf::selector::{Part, Selector};
use crate::model::{Kind, Model, OutputUnit, Units};
use crate::program::Program;

/// How much a value can differ from a label, if the file does not say.
const TOLERANCE: f64 = 1e-8;

/// A function that finds labels.
#[derive(Debug)]
struct Mapper {
    function: Arc<dyn Function>,
    /// The labels that are texts; the function returns their positions, from 1.
    texts: Vec<String>,
}

/// What became of a transform in a selector.
enum Outcome<T> {
    Ready(T),
    /// The transform, or one inside it, has no formula.
    Unknown {
        tag: String,
    },
}

/// Reads `label_mapper`.
pub(super) fn label_mapper(reader: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let leaf = match mapper(reader, entry, &[])? {
        Outcome::Ready(mapper) if mapper.texts.is_empty() => Leaf::function(mapper.function),
        Outcome::Ready(mapper) => {
            let tag = format!("{} outside of a regions_selector, with labels that are texts", entry.tag());
            Leaf::new(Kind::Unknown { tag, inputs: mapper.function.inputs(), outputs: 1 })
        }
        Outcome::Unknown { tag } => {
            let inputs = entry.count_of("inputs").unwrap_or(1);
            Leaf::new(Kind::Unknown { tag, inputs, outputs: 1 })
        }
    };
    let mut leaf = leaf.with_units(Units { outputs: vec![OutputUnit::None], ..Units::default() });
    leaf.outputs = vec!["label".to_owned()];
    Ok(leaf)
}

/// Reads the mapper at `steps` below the transform that is being read.
fn mapper(reader: &mut Reader, entry: &Entry<'_>, steps: &[&str]) -> Result<Outcome<Mapper>> {
    let below = |more: &[&'static str]| -> Vec<String> {
        steps.iter().copied().chain(more.iter().copied()).map(str::to_owned).collect()
    };
    // Paths of errors from `child` begin at the transform that is being read, the others at the mapper.
    let keys = match entry.get("inputs_mapping") {
        Some(node) => {
            let model =
                child(reader, &below(&["inputs_mapping"]), node).map_err(|error| strip(error, steps))?;
            match &model.kind {
                Kind::Remap { mapping, inputs } => Some((mapping.clone(), *inputs)),
                Kind::Identity(count) => Some(((0..*count).collect(), *count)),
                _ => return Err(entry.error_at("inputs_mapping", "expected a `remap_axes`")),
            }
        }
        None => None,
    };
    let mapped = keys.as_ref().map(|keys| keys.1);
    let node = entry.require("mapper")?;
    let tolerance = entry.number_or("atol", TOLERANCE)?;
    let mut texts = Vec::new();
    let (regions, default) = if is_array(node) {
        let (pixels, shape, names) =
            pixels(entry, node).map_err(|error| node.place(error).under("mapper"))?;
        texts = names;
        let picture = Picture::new(&pixels, shape).map_err(|error| node.place(error).under("mapper"))?;
        (Regions::Array(picture), 2)
    } else if let Some((labels, _)) = property(node, "labels") {
        let Some((models, model_steps)) = property(node, "models") else {
            return Err(node.error("the required property 'models' is missing").under("mapper"));
        };
        let mut path = below(&["mapper"]);
        path.extend(model_steps);
        let functions = match functions(reader, &path, models).map_err(|error| strip(error, steps))? {
            Outcome::Ready(functions) => functions,
            Outcome::Unknown { tag } => return Ok(Outcome::Unknown { tag }),
        };
        let default = functions.first().map_or(1, |function| function.inputs());
        let at = |error: Error| node.place(error).under("labels").under("mapper");
        (regions(labels, functions, tolerance).map_err(at)?, default)
    } else {
        let model = child(reader, &below(&["mapper"]), node).map_err(|error| strip(error, steps))?;
        match compiled(&model).map_err(|error| error.under("mapper"))? {
            Outcome::Ready(function) => {
                let inputs = function.inputs();
                (Regions::Function(function), inputs)
            }
            Outcome::Unknown { tag } => return Ok(Outcome::Unknown { tag }),
        }
    };
    let inputs = entry.count_of("inputs").or(mapped).unwrap_or(default);
    let keys = keys.map_or_else(|| (0..inputs).collect(), |keys| keys.0);
    let mapper = LabelMapper::new(inputs, keys, regions).map_err(|error| entry.node().place(error))?;
    Ok(Outcome::Ready(Mapper { function: Arc::new(mapper), texts }))
}

/// Whether a node is an array, in a block or as lists.
fn is_array(node: NodeRef<'_>) -> bool {
    let tagged = node.own_tag().is_some_and(|tag| tag.starts_with("tag:stsci.edu:asdf/core/ndarray-"));
    tagged || node.kind() == NodeKind::Sequence && node.as_omap().is_none()
}

/// The property of a mapping, or of an `!!omap`, and the steps to it.
fn property<'a>(node: NodeRef<'a>, key: &str) -> Option<(NodeRef<'a>, Vec<String>)> {
    if let Some(entries) = node.as_omap() {
        let mut entries = entries.enumerate();
        return entries.find_map(|(at, (name, value))| {
            (name.as_str() == Some(key)).then(|| (value, vec![at.to_string(), key.to_owned()]))
        });
    }
    let tag_is_plain = node.own_tag().is_none_or(|tag| tag.starts_with("tag:yaml.org,2002:"));
    let value = if tag_is_plain { node.get(key) } else { None };
    value.map(|value| (value, vec![key.to_owned()]))
}

/// Reads the labels of pixels, their shape, and the texts if the labels are texts.
fn pixels(entry: &Entry<'_>, node: NodeRef<'_>) -> Result<(Vec<f64>, [usize; 2], Vec<String>)> {
    let array = NdArray::from_node(node)?;
    let shape: Vec<usize> =
        array.shape().iter().map(|&length| usize::try_from(length).unwrap_or(usize::MAX)).collect();
    let &[rows, columns] = shape.as_slice() else {
        return Err(Error::mismatch(format!("found {} dimensions, expected two", shape.len())));
    };
    if !matches!(array.datatype(), asdf_core::array::Datatype::Ascii(_) | asdf_core::array::Datatype::Ucs4(_))
    {
        return Ok((entry.array_at(node)?.values, [rows, columns], Vec::new()));
    }
    if rows.saturating_mul(columns) > MOST_TEXTS {
        return Err(Error::limit(format!("found {rows} x {columns} texts, expected up to {MOST_TEXTS}")));
    }
    let found: Vec<String> = array
        .elements()?
        .map(|element| match element {
            Value::Text(text) => text,
            _ => String::new(),
        })
        .collect();
    let mut texts: Vec<String> = found.iter().filter(|text| !text.trim().is_empty()).cloned().collect();
    texts.sort();
    texts.dedup();
    let pixels = found.iter().map(|text| position(&texts, text).unwrap_or(0.0)).collect();
    Ok((pixels, [rows, columns], texts))
}

/// The most labels of an array that are texts.
const MOST_TEXTS: usize = 1 << 24;

/// The number of a label that is a text, from 1.
fn position(texts: &[String], text: &str) -> Option<f64> {
    let index = texts.binary_search_by(|known| known.as_str().cmp(text)).ok()?;
    u32::try_from(index + 1).ok().map(f64::from)
}

/// Reads labels that are values or pairs of limits.
fn regions(labels: NodeRef<'_>, functions: Vec<Arc<dyn Function>>, tolerance: f64) -> Result<Regions> {
    let array = Array::read(labels)?;
    match *array.shape.as_slice() {
        [_] => Ok(Regions::Values { values: array.values, functions, tolerance }),
        [_, 2] => {
            let pairs = array.values.chunks_exact(2);
            let ranges = pairs.filter_map(|pair| <[f64; 2]>::try_from(pair).ok()).collect();
            Ok(Regions::Ranges { ranges, functions })
        }
        _ => Err(labels.expected("a list of numbers, or of pairs of numbers")),
    }
}

/// Reads a transform at these steps below the one that is being read.
fn child(reader: &mut Reader, steps: &[String], node: NodeRef<'_>) -> Result<Arc<Model>> {
    let steps: Vec<&str> = steps.iter().map(String::as_str).collect();
    reader.read_child(&steps, node)
}

/// Takes the first steps off the path of an error.
fn strip(error: Error, steps: &[&str]) -> Error {
    if steps.is_empty() {
        return error;
    }
    let start: String = steps.iter().map(|step| format!("/{step}")).collect();
    match error.path().and_then(|path| path.strip_prefix(start.as_str())).map(str::to_owned) {
        Some(rest) => moved(&error, &rest),
        None => error,
    }
}

/// The same error at another path.
fn moved(error: &Error, path: &str) -> Error {
    let moved = Error::new(error.kind(), error.message());
    let moved = match error.line() {
        Some(_) | None if path.is_empty() => moved,
        _ => moved.at_path(path),
    };
    match error.hint() {
        Some(hint) => moved.with_hint(hint.to_owned()),
        None => moved,
    }
}

/// Reads and compiles a list of transforms.
fn functions(
    reader: &mut Reader,
    steps: &[String],
    node: NodeRef<'_>,
) -> Result<Outcome<Vec<Arc<dyn Function>>>> {
    let mut functions = Vec::new();
    for model in models(reader, steps, node)? {
        match compiled(&model).map_err(|error| under(error, steps, functions.len()))? {
            Outcome::Ready(function) => functions.push(function),
            Outcome::Unknown { tag } => return Ok(Outcome::Unknown { tag }),
        }
    }
    Ok(Outcome::Ready(functions))
}

/// Reads a list of transforms.
fn models(reader: &mut Reader, steps: &[String], node: NodeRef<'_>) -> Result<Vec<Arc<Model>>> {
    if node.kind() != NodeKind::Sequence {
        let error = node.expected("a list of transforms");
        return Err(steps.iter().rev().fold(error, |error, step| error.under(step)));
    }
    let mut models = Vec::new();
    for (at, item) in node.items().enumerate() {
        let mut path = steps.to_vec();
        path.push(at.to_string());
        models.push(child(reader, &path, item)?);
    }
    Ok(models)
}

fn under(error: Error, steps: &[String], index: usize) -> Error {
    steps.iter().rev().fold(error.under(index), |error, step| error.under(step))
}

/// Compiles a transform; errors have the path below it.
fn compiled(model: &Arc<Model>) -> Result<Outcome<Arc<dyn Function>>> {
    match Program::compile(std::slice::from_ref(model), &[], &[], None) {
        Ok(program) => Ok(Outcome::Ready(Arc::new(Part(program)))),
        Err(error) => {
            if error.kind() == error::Kind::Unsupported {
                if let Some(tag) = unknown(model) {
                    return Ok(Outcome::Unknown { tag });
                }
            }
            let below =
                error.path().and_then(|path| path.strip_prefix(model.path.as_str())).unwrap_or_default();
            Err(moved(&error, below))
        }
    }
}

/// The tag of a transform without a formula.
fn unknown(model: &Model) -> Option<String> {
    match &model.kind {
        Kind::Unknown { tag, .. } => Some(tag.clone()),
        kind => kind.parts().into_iter().find_map(|part| unknown(part)),
    }
}

/// Reads `regions_selector`.
pub(super) fn regions_selector(reader: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let names = |key: &str| entry.list(key, "a list of names", read_name);
    entry.require("inputs")?;
    entry.require("outputs")?;
    let (inputs, outputs) = (names("inputs")?, names("outputs")?);
    let undefined = entry.number_or("undefined_transform_value", f64::NAN)?;
    let selector = entry.require("selector")?;
    let missing =
        |key: &str| selector.error(format!("the required property '{key}' is missing")).under("selector");
    let (labels, label_steps) = property(selector, "labels").ok_or_else(|| missing("labels"))?;
    let (transforms, transform_steps) =
        property(selector, "transforms").ok_or_else(|| missing("transforms"))?;
    let mapper_node = entry.require("label_mapper")?;
    let found =
        entry.inner(mapper_node).and_then(|mapper_entry| mapper(reader, &mapper_entry, &["label_mapper"]));
    let unknown = |tag: String| {
        let kind = Kind::Unknown { tag, inputs: inputs.len(), outputs: outputs.len() };
        Ok(Leaf::with_names(kind, (inputs.clone(), outputs.clone())))
    };
    let mapper = match found.map_err(|error| error.under("label_mapper"))? {
        Outcome::Ready(mapper) => mapper,
        Outcome::Unknown { tag } => return unknown(tag),
    };
    if mapper.function.inputs() != inputs.len() {
        let message = format!("found {} inputs, expected {}", mapper.function.inputs(), inputs.len());
        return Err(entry.error_at("label_mapper", message));
    }
    let mut steps = vec!["selector".to_owned()];
    steps.extend(transform_steps);
    let models = models(reader, &steps, transforms)?;
    let numbers = numbers(labels, &mapper.texts).map_err(|error| {
        label_steps.iter().rev().fold(error, |error, step| error.under(step)).under("selector")
    })?;
    if numbers.len() != models.len() || models.is_empty() {
        let message =
            format!("found {} labels and {} transforms, expected equal numbers", numbers.len(), models.len());
        return Err(entry.error_at("selector", message));
    }
    let mut parts = Vec::new();
    for (index, (label, model)) in numbers.iter().zip(&models).enumerate() {
        match compiled(model).map_err(|error| under(error, &steps, index))? {
            Outcome::Ready(part) => parts.push((*label, part)),
            Outcome::Unknown { tag } => return unknown(tag),
        }
    }
    let inverse = inverse(reader, mapper_node, &numbers, &models, inputs.len());
    let selector = Selector::new(mapper.function, parts, outputs.len(), undefined)
        .map_err(|error| entry.node().place(error))?
        .with_inverse(inverse);
    let mut leaf = Leaf::function(Arc::new(selector))
        .with_units(Units { outputs: vec![OutputUnit::None; outputs.len()], ..Units::default() });
    (leaf.inputs, leaf.outputs) = (inputs, outputs);
    Ok(leaf)
}

/// The inverse of a selector, if the mapper has one in the file and each transform has one.
fn inverse(
    reader: &mut Reader,
    mapper_node: NodeRef<'_>,
    labels: &[f64],
    models: &[Arc<Model>],
    outputs: usize,
) -> Option<Selector> {
    let node = mapper_node.get("inverse").filter(|node| !node.is_null())?;
    let entry = Entry::open(node).ok()?;
    let mapper = if entry.name() == "label_mapper" {
        match mapper(reader, &entry, &["label_mapper", "inverse"]).ok()? {
            Outcome::Ready(mapper) if mapper.texts.is_empty() => mapper.function,
            _ => return None,
        }
    } else {
        let model = reader.read_child(&["label_mapper", "inverse"], node).ok()?;
        match compiled(&model).ok()? {
            Outcome::Ready(function) => function,
            Outcome::Unknown { .. } => return None,
        }
    };
    let mut parts = Vec::new();
    for (label, model) in labels.iter().zip(models) {
        match compiled(&model.inverse()?).ok()? {
            Outcome::Ready(part) => parts.push((*label, part)),
            Outcome::Unknown { .. } => return None,
        }
    }
    Selector::new(mapper, parts, outputs, f64::NAN).ok()
}

/// Reads the labels of a selector as the numbers that the mapper returns. A text that the mapper never returns gets a
/// number that it never returns.
fn numbers(labels: NodeRef<'_>, texts: &[String]) -> Result<Vec<f64>> {
    if labels.kind() != NodeKind::Sequence && !is_array(labels) {
        return Err(labels.expected("a list of labels"));
    }
    let mut unused = -1.0;
    let mut number = |item: NodeRef<'_>| -> Result<f64> {
        let text = match item.as_f64() {
            Some(number) if texts.is_empty() => return Ok(number),
            Some(_) => item.text().unwrap_or_default(),
            None => item.as_str().ok_or_else(|| item.expected("a number or a string"))?,
        };
        if text.trim().is_empty() {
            return Err(item.error("found an empty label, which is for points without a region"));
        }
        Ok(position(texts, text).unwrap_or_else(|| {
            unused -= 1.0;
            unused + 0.5
        }))
    };
    if labels.kind() != NodeKind::Sequence {
        return Ok(Array::read(labels)?.values);
    }
    labels
        .items()
        .enumerate()
        .map(|(at, item)| number(item).map_err(|error| item.place(error).under(at)))
        .collect()
}
