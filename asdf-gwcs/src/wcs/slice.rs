//! The world coordinates of a part of an image.

use std::ops::Range;

use asdf_core::tree::{Kind, NodeId, NodeRef};
use asdf_core::{Error, Node, Result, Tree};

use super::Wcs;
use crate::bounds::Bounds;

/// The start of the tags of transforms.
const TRANSFORMS: &str = "tag:stsci.edu:asdf/transform/";

/// The start of the tags of quantities.
const QUANTITY: &str = "tag:stsci.edu:asdf/unit/quantity-";

/// The most pixels along an axis: up to here all integers are doubles.
const MAX_PIXEL: i64 = 1 << 53;

/// Versions of tags that the tree does not have.
const VERSION: &str = "1.4.0";
const BOX_VERSION: &str = "1.2.0";
const QUANTITY_VERSION: &str = "1.2.0";

impl Wcs {
    /// Returns the node of the world coordinates of a part of the image: a range of pixels for each axis, `x` first.
    ///
    /// Axes without a range stay whole. `node` is the node of this wcs. The new node has a shift before the first
    /// transform, as gwcs writes it after `insert_transform`. The bounding box is moved and cut to the part, and
    /// `pixel_shape` is the size of the part. Everything else is unchanged.
    ///
    /// # Errors
    /// If there are more ranges than pixel axes, if a range is empty, or if the bounding box depends on other inputs.
    ///
    /// # Examples
    /// ```no_run
    /// let mut file = asdf_core::File::open("cal.asdf")?;
    /// let wcs = asdf_gwcs::Wcs::open(&file, "/roman/meta/wcs")?;
    /// let part = wcs.slice(file.at(wcs.path())?, &[1000..1200, 500..700])?;
    /// file.set(wcs.path(), &part)?;
    /// // Pixel (0, 0) of the new wcs is pixel (1000, 500) of the old one.
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    pub fn slice(&self, node: NodeRef<'_>, ranges: &[Range<i64>]) -> Result<Node> {
        self.sliced(node, ranges).map_err(|error| error.at_path(&self.path))
    }

    fn sliced(&self, node: NodeRef<'_>, ranges: &[Range<i64>]) -> Result<Node> {
        let Some(first) = self.steps.first().and_then(|step| step.transform.as_ref()) else {
            return Err(self.empty());
        };
        let model = &first.model;
        if ranges.len() > model.inputs.len() {
            let (found, expected) = (ranges.len(), model.inputs.len());
            return Err(Error::usage(format!(
                "found {found} ranges, expected up to {expected}: one for each pixel axis"
            )));
        }
        for range in ranges {
            if range.end <= range.start || range.start < -MAX_PIXEL || range.end > MAX_PIXEL {
                return Err(Error::usage(format!(
                    "found the range {}..{}, expected some pixels",
                    range.start, range.end
                )));
            }
        }
        let intervals = match self.bounds() {
            Some(Bounds::Compound(_)) => {
                let message =
                    "cannot slice a wcs with a `compound_bounding_box`, whose box depends on inputs";
                return Err(Error::unsupported(message));
            }
            Some(Bounds::Box(intervals)) => Some(moved(intervals, ranges)),
            None => None,
        };
        let units = self.whole()?.units().0;
        let units =
            units.into_iter().map(|unit| unit.map(|unit| unit.to_string()).unwrap_or_default()).collect();
        let mut node = Node::from_ref(node)?;
        let root = node.view().id();
        let tags = Tags::of(&node);
        let mut slicing =
            Slicing { tree: node.tree_mut(), tags, units, inputs: &model.inputs, outputs: &model.outputs };
        slicing.first_step(root, ranges, intervals.as_deref())?;
        slicing.pixel_shape(root, ranges);
        Ok(node)
    }
}

/// Moves the intervals of a bounding box to the part of an image, and cuts them there.
fn moved(intervals: &[Option<[f64; 2]>], ranges: &[Range<i64>]) -> Vec<Option<[f64; 2]>> {
    let mut moved = intervals.to_vec();
    for (interval, range) in moved.iter_mut().zip(ranges) {
        let (start, end) = (coordinate(range.start), coordinate(range.end));
        if let Some([low, high]) = interval {
            let cut = [low.max(start - 0.5), high.min(end - 0.5)];
            // A part outside of the box keeps the whole box, which is outside of the part.
            let [low, high] = if cut[0] <= cut[1] { cut } else { [*low, *high] };
            *interval = Some([low - start, high - start]);
        }
    }
    moved
}

#[expect(clippy::cast_precision_loss, reason = "ranges end at 2^53")]
fn coordinate(pixel: i64) -> f64 {
    pixel as f64
}

/// The tags of the nodes that are added, in the versions that the tree already has.
struct Tags {
    compose: String,
    concatenate: String,
    shift: String,
    identity: String,
    bounding_box: String,
    quantity: String,
}

impl Tags {
    fn of(node: &Node) -> Self {
        let tags: Vec<&str> = node.view().search().filter_map(|found| found.node.own_tag()).collect();
        let version = |name: &str| tags.iter().find_map(|tag| tag.strip_prefix(name)).map(str::to_owned);
        let transform = |name: &str| version(&format!("{TRANSFORMS}{name}-"));
        // The transforms of one version of the standard mostly have the same version.
        let known = ["compose", "concatenate", "shift", "scale", "affine", "remap_axes"]
            .into_iter()
            .find_map(transform);
        let known = known.unwrap_or_else(|| VERSION.to_owned());
        let tag =
            |name: &str| format!("{TRANSFORMS}{name}-{}", transform(name).unwrap_or_else(|| known.clone()));
        let bounding_box = transform("property/bounding_box").unwrap_or_else(|| BOX_VERSION.to_owned());
        Self {
            compose: tag("compose"),
            concatenate: tag("concatenate"),
            shift: tag("shift"),
            identity: tag("identity"),
            bounding_box: format!("{TRANSFORMS}property/bounding_box-{bounding_box}"),
            quantity: format!(
                "{QUANTITY}{}",
                version(QUANTITY).unwrap_or_else(|| QUANTITY_VERSION.to_owned())
            ),
        }
    }
}

/// The tree of the new node.
struct Slicing<'a> {
    tree: &'a mut Tree,
    tags: Tags,
    /// The units of the inputs, if their values have units.
    units: Vec<String>,
    inputs: &'a [String],
    outputs: &'a [String],
}

impl Slicing<'_> {
    /// Puts a shift before the transform of the first step, and gives the result the new box.
    fn first_step(
        &mut self,
        root: NodeId,
        ranges: &[Range<i64>],
        intervals: Option<&[Option<[f64; 2]>]>,
    ) -> Result<()> {
        let steps = self.child(root, "steps")?;
        let step = self.tree.node(steps).item(0).ok_or_else(|| Error::mismatch("the wcs has no steps"))?.id();
        let transform = self.child(step, "transform")?;
        let old_box =
            self.tree.node(transform).get("bounding_box").filter(|node| !node.is_null()).map(NodeRef::id);
        let new_box = intervals.map(|intervals| self.bounding_box(old_box, intervals));
        // Other places of the tree can share the transform, so it is not changed itself.
        let inner = self.copy(transform);
        if old_box.is_some() {
            self.tree.remove(inner, "bounding_box");
        }
        let outer = match ranges.iter().all(|range| range.start == 0) {
            true => inner,
            false => {
                let shift = self.shifts(ranges);
                let forward = self.tree.add_sequence([shift, inner]);
                let inputs = self.names(self.inputs);
                let outputs = self.names(self.outputs);
                self.mapping(
                    Some("compose"),
                    [("forward", forward), ("inputs", inputs), ("outputs", outputs)],
                )
            }
        };
        if let Some(new_box) = new_box {
            self.tree.insert(outer, "bounding_box", new_box);
        }
        let new_step = self.copy(step);
        self.tree.insert(new_step, "transform", outer);
        let items: Vec<NodeId> = self.tree.node(steps).items().skip(1).map(NodeRef::id).collect();
        let new_steps = self.tree.add_sequence(std::iter::once(new_step).chain(items));
        self.tree.insert(root, "steps", new_steps);
        Ok(())
    }

    fn pixel_shape(&mut self, root: NodeId, ranges: &[Range<i64>]) {
        let Some(shape) =
            self.tree.node(root).get("pixel_shape").filter(|node| node.kind() == Kind::Sequence)
        else {
            return;
        };
        let old: Vec<NodeId> = shape.items().map(NodeRef::id).collect();
        let sizes: Vec<NodeId> =
            ranges.iter().map(|range| self.tree.add_int(range.end - range.start)).collect();
        let rest = old.into_iter().skip(sizes.len());
        let shape = self.tree.add_sequence(sizes.iter().copied().chain(rest));
        self.tree.insert(root, "pixel_shape", shape);
    }

    /// Adds shifts by the starts of the ranges, side by side. Other axes are unchanged.
    fn shifts(&mut self, ranges: &[Range<i64>]) -> NodeId {
        let mut all: Option<NodeId> = None;
        let rest = self.inputs.len() - ranges.len();
        for (axis, range) in ranges.iter().enumerate() {
            let offset = self.tree.add_float(coordinate(range.start));
            let offset = self.with_unit(offset, axis);
            let (input, output) = (self.names(&["x".to_owned()]), self.names(&["y".to_owned()]));
            let shift =
                self.mapping(Some("shift"), [("inputs", input), ("offset", offset), ("outputs", output)]);
            all = Some(self.beside(all, shift, axis + 1));
        }
        if rest > 0 {
            let count = self.tree.add_int(i64::try_from(rest).unwrap_or(i64::MAX));
            let identity = self.mapping(Some("identity"), [("n_dims", count)]);
            all = Some(self.beside(all, identity, self.inputs.len()));
        }
        all.unwrap_or_else(|| self.tree.add_null())
    }

    /// Concatenates two transforms, which together have `count` inputs.
    fn beside(&mut self, left: Option<NodeId>, right: NodeId, count: usize) -> NodeId {
        let Some(left) = left else { return right };
        let numbered =
            |letter: &str| (0..count).map(|number| format!("{letter}{number}")).collect::<Vec<String>>();
        let forward = self.tree.add_sequence([left, right]);
        let (inputs, outputs) = (self.names(&numbered("x")), self.names(&numbered("y")));
        self.mapping(Some("concatenate"), [("forward", forward), ("inputs", inputs), ("outputs", outputs)])
    }

    /// Adds the new bounding box in the form of the old one.
    fn bounding_box(&mut self, old: Option<NodeId>, intervals: &[Option<[f64; 2]>]) -> NodeId {
        let old = old.map(|old| self.tree.node(old));
        let is_list = old.is_some_and(|old| old.kind() == Kind::Sequence);
        let is_quantity = |node: NodeRef<'_>| node.own_tag().is_some_and(|tag| tag.starts_with(QUANTITY));
        let has_units = old.is_some_and(|old| old.search().any(|found| is_quantity(found.node)));
        let mut added = Vec::new();
        let mut ignored = Vec::new();
        for (axis, (name, interval)) in self.inputs.iter().zip(intervals).enumerate() {
            let Some(interval) = interval else {
                ignored.push(name.clone());
                continue;
            };
            let ends = interval.map(|end| {
                let end = self.tree.add_float(end);
                if has_units { self.with_unit(end, axis) } else { end }
            });
            added.push((name.as_str(), self.tree.add_sequence(ends)));
        }
        if is_list {
            // The last input comes first. A box of one input is the interval itself.
            return match added.as_slice() {
                [(_, interval)] => *interval,
                _ => self.tree.add_sequence(added.iter().rev().map(|(_, interval)| *interval)),
            };
        }
        let intervals = self.mapping(None, added);
        let (ignored, order) = (self.names(&ignored), self.tree.add_str("F"));
        self.mapping(Some("bounding_box"), [("ignore", ignored), ("intervals", intervals), ("order", order)])
    }

    /// Makes a number a quantity in the unit of an input, if the inputs have units.
    fn with_unit(&mut self, value: NodeId, axis: usize) -> NodeId {
        let Some(unit) = self.units.get(axis) else { return value };
        let unit = self.tree.add_str(unit);
        self.tree.set_tag(unit, Some("tag:stsci.edu:asdf/unit/unit-1.0.0"));
        self.mapping(Some("quantity"), [("unit", unit), ("value", value)])
    }

    fn mapping<'k>(
        &mut self,
        kind: Option<&str>,
        entries: impl IntoIterator<Item = (&'k str, NodeId)>,
    ) -> NodeId {
        let entries: Vec<(NodeId, NodeId)> =
            entries.into_iter().map(|(key, value)| (self.tree.add_str(key), value)).collect();
        let mapping = self.tree.add_mapping(entries);
        let tag = kind.map(|kind| match kind {
            "compose" => &self.tags.compose,
            "concatenate" => &self.tags.concatenate,
            "shift" => &self.tags.shift,
            "identity" => &self.tags.identity,
            "bounding_box" => &self.tags.bounding_box,
            _ => &self.tags.quantity,
        });
        self.tree.set_tag(mapping, tag.map(String::as_str));
        mapping
    }

    fn names(&mut self, names: &[String]) -> NodeId {
        let names: Vec<NodeId> = names.iter().map(|name| self.tree.add_str(name)).collect();
        self.tree.add_sequence(names)
    }

    /// Adds a mapping with the same tag, keys and values.
    fn copy(&mut self, mapping: NodeId) -> NodeId {
        let old = self.tree.node(mapping);
        let tag = old.tag().map(str::to_owned);
        let entries: Vec<(NodeId, NodeId)> =
            old.entries().map(|(key, value)| (key.id(), value.id())).collect();
        let copy = self.tree.add_mapping(entries);
        self.tree.set_tag(copy, tag.as_deref());
        copy
    }

    fn child(&self, mapping: NodeId, key: &str) -> Result<NodeId> {
        let child = self.tree.node(mapping).get(key);
        child.map(NodeRef::id).ok_or_else(|| Error::mismatch(format!("the wcs lacks `{key}`")))
    }
}
