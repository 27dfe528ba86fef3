//! Reading of a world coordinate system.

use std::sync::OnceLock;

use asdf_core::tree::{Kind, NodeRef};
use asdf_core::{Error, File, Result, Threads};

use super::Wcs;
use crate::formula::Formulas;
use crate::frame;
use crate::model::read::Reader;
use crate::step::{Step, StepTransform};

/// The most steps. Real files have up to ten.
const MAX_STEPS: usize = 1000;

/// The most axes of `pixel_shape`.
const MAX_AXES: usize = 64;

impl Wcs {
    /// Opens the world coordinate system at a path of a file, such as `/roman/meta/wcs`.
    ///
    /// Reads the frames and the parameters of the transforms. A transform without a formula is an error only when it is
    /// used, so [`steps`](Self::steps) always lists all of them.
    ///
    /// # Errors
    /// If there is no such node, or if a frame or a transform is wrong: a wrong number of coefficients, a singular
    /// matrix, a circle of aliases. The error has the path.
    pub fn open(file: &File, path: &str) -> Result<Self> {
        Self::open_with(file, path, &Formulas::new())
    }

    /// Opens a world coordinate system that has transforms with tags of your own: see [`Formula`](crate::Formula).
    ///
    /// # Errors
    /// Like [`open`](Self::open), and if a type of `formulas` cannot be read from its transform.
    pub fn open_with(file: &File, path: &str, formulas: &Formulas) -> Result<Self> {
        let node = file.at(path)?;
        let path = if path == "/" { "" } else { path };
        let system = read(path, node, formulas).map_err(|error| match error.path() {
            // The reader of transforms knows whole paths.
            Some(known) if known.starts_with(path) => error,
            _ => error.at_path(path),
        });
        system.map_err(|error| match file.path() {
            Some(name) if error.file().is_none() => error.at_file(name),
            _ => error,
        })
    }
}

fn read(path: &str, node: NodeRef<'_>, formulas: &Formulas) -> Result<Wcs> {
    if node.own_tag().is_some_and(|tag| crate::tag::gwcs(tag) != Some("wcs")) || node.kind() != Kind::Mapping
    {
        return node.fail("a world coordinate system (tag `gwcs/wcs`)");
    }
    let list = node.get("steps").ok_or_else(|| node.error("the wcs lacks `steps`"))?;
    if list.kind() != Kind::Sequence || list.len() < 2 {
        return Err(list.expected("a list of at least two steps").under("steps"));
    }
    if list.len() > MAX_STEPS {
        let message = format!("found {} steps, expected at most {MAX_STEPS}", list.len());
        return Err(list.place(Error::limit(message)).under("steps"));
    }
    let mut reader = Reader::with_formulas(formulas);
    let mut steps = Vec::with_capacity(list.len());
    for (number, item) in list.items().enumerate() {
        let step = step(&mut reader, &format!("{path}/steps/{number}"), item).map_err(|error| {
            // The reader of transforms knows whole paths.
            match error.path() {
                Some(known) if known.starts_with(&format!("{path}/steps/")) => error,
                _ => error.under(number).under("steps").at_path(path),
            }
        })?;
        steps.push(step);
    }
    if steps.last().is_some_and(|step| step.transform.is_some()) {
        let last = steps.len() - 1;
        let message = "the last step has a transform, expected null, because no frame follows";
        return Err(list.error(message).at_path(&format!("{path}/steps/{last}/transform")));
    }
    Ok(Wcs {
        path: path.to_owned(),
        name: node.get("name").and_then(NodeRef::as_str).unwrap_or_default().to_owned(),
        pixel_shape: pixel_shape(node)?,
        steps,
        threads: Threads::ALL,
        forward: OnceLock::new(),
        unbounded: OnceLock::new(),
        stored: OnceLock::new(),
        exact: OnceLock::new(),
    })
}

fn step(reader: &mut Reader, path: &str, node: NodeRef<'_>) -> Result<Step> {
    let is_step = node.own_tag().is_none_or(|tag| crate::tag::gwcs(tag) == Some("step"));
    if node.kind() != Kind::Mapping || !is_step {
        return node.fail("a step (tag `gwcs/step`)");
    }
    let frame = node.get("frame").ok_or_else(|| node.error("the step lacks `frame`"))?;
    let frame = frame::read(frame).map_err(|error| error.under("frame"))?;
    let transform = match node.get("transform").filter(|transform| !transform.is_null()) {
        None => None,
        Some(transform) => Some(StepTransform {
            model: reader.read_at(&format!("{path}/transform"), transform)?,
            tag: transform.own_tag().unwrap_or_default().to_owned(),
            name: transform.get("name").and_then(NodeRef::as_str).unwrap_or_default().to_owned(),
        }),
    };
    Ok(Step { frame, transform })
}

fn pixel_shape(node: NodeRef<'_>) -> Result<Option<Vec<u64>>> {
    let Some(list) = node.get("pixel_shape").filter(|list| !list.is_null()) else { return Ok(None) };
    if list.kind() != Kind::Sequence || list.len() > MAX_AXES {
        return Err(list.expected(format!("a list of up to {MAX_AXES} integers")).under("pixel_shape"));
    }
    let sizes = list.items().enumerate().map(|(number, item)| {
        // gwcs also writes sizes as floats.
        let whole = item.as_f64().filter(|size| size.fract() == 0.0 && (0.0..=MAX_SIZE).contains(size));
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a whole number in range"
        )]
        let size = item.as_u64().or_else(|| whole.map(|size| size as u64));
        size.ok_or_else(|| item.expected("a number of pixels").under(number).under("pixel_shape"))
    });
    sizes.collect::<Result<Vec<u64>>>().map(Some)
}

/// The largest whole number up to which all are doubles.
const MAX_SIZE: f64 = 9_007_199_254_740_992.0;
