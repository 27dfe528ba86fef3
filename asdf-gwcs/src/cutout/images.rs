//! The arrays of a file that belong to an image.

use std::collections::HashMap;

use asdf_core::tree::{NodeId, NodeRef};
use asdf_core::{Error, File, FromNode, NdArray, Result};

use crate::wcs::Wcs;

/// The arrays of a file, and its world coordinate systems.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) arrays: Vec<Array>,
    /// The paths of each wcs. Aliases give a node several paths.
    pub(super) systems: Vec<Vec<String>>,
}

/// An array of the tree, outside of world coordinate systems.
#[derive(Debug)]
pub(super) struct Array {
    /// The first path, and those of aliases.
    pub(super) paths: Vec<String>,
    pub(super) array: NdArray,
}

impl Array {
    pub(super) fn path(&self) -> &str {
        self.paths.first().map_or("", String::as_str)
    }

    /// Returns the height and width of the last two axes.
    pub(super) fn image_shape(&self) -> Option<[u64; 2]> {
        self.array.shape().last_chunk::<2>().copied()
    }
}

fn is_wcs(node: NodeRef<'_>) -> bool {
    let starts = ["tag:stsci.edu:gwcs/wcs-", "tag:stsci.edu:asdf/wcs/wcs-"];
    node.own_tag().is_some_and(|tag| starts.iter().any(|start| tag.starts_with(start)))
}

impl Found {
    /// Finds all arrays and systems. Reads no data.
    pub(super) fn of(file: &File) -> Result<Self> {
        let mut found = Self::default();
        let mut arrays: HashMap<NodeId, usize> = HashMap::new();
        let mut systems: HashMap<NodeId, usize> = HashMap::new();
        let mut inside: Option<String> = None;
        let is_array = |node: NodeRef<'_>| {
            node.own_tag().is_some_and(|tag| tag.starts_with("tag:stsci.edu:asdf/core/ndarray-"))
        };
        for place in file.tree().search().filter_node(move |node| is_wcs(node) || is_array(node)) {
            let (node, path) = (place.node, place.path.to_string());
            // The nodes below a wcs follow it. Its arrays are parameters of transforms.
            if inside
                .as_ref()
                .is_some_and(|wcs| path.strip_prefix(wcs).is_some_and(|rest| rest.starts_with('/')))
            {
                continue;
            }
            if is_wcs(node) {
                inside = Some(path.clone());
                let number = *systems.entry(node.id()).or_insert_with(|| {
                    found.systems.push(Vec::new());
                    found.systems.len() - 1
                });
                found.systems.get_mut(number).into_iter().for_each(|paths| paths.push(path.clone()));
                continue;
            }
            match arrays.get(&node.id()).and_then(|number| found.arrays.get_mut(*number)) {
                Some(known) => known.paths.push(path),
                None => {
                    let array = NdArray::from_node(node).map_err(|error| error.at_path(&path))?;
                    arrays.insert(node.id(), found.arrays.len());
                    found.arrays.push(Array { paths: vec![path], array });
                }
            }
        }
        Ok(found)
    }

    /// Returns the height and width of the image of a wcs: that of the array at `path`, or an array of the `pixel_shape`,
    /// or else the array that is nearest in the tree. Of several at the same distance, `data` is taken, or else the first.
    pub(super) fn image_of(&self, wcs: &Wcs, path: Option<&str>) -> Result<[u64; 2]> {
        let images = self.arrays.iter().filter_map(|array| array.image_shape().map(|shape| (array, shape)));
        let mut images: Vec<(&Array, [u64; 2])> = images.collect();
        if let Some(path) = path {
            let at = images.iter().find(|(array, _)| array.paths.iter().any(|own| own == path));
            let missing = || Error::usage("found no array with two or more axes").at_path(path);
            return at.map(|(_, shape)| *shape).ok_or_else(missing);
        }
        if let Some([width, height, ..]) = wcs.pixel_shape() {
            if images.iter().any(|(_, shape)| shape == &[*height, *width]) {
                return Ok([*height, *width]);
            }
        }
        let common = |array: &Array| {
            let steps = array.path().split('/').zip(wcs.path().split('/'));
            steps.take_while(|(one, other)| one == other).count()
        };
        // The sort is stable.
        images.sort_by_key(|(array, _)| std::cmp::Reverse((common(array), array.path().ends_with("/data"))));
        images.first().map(|(_, shape)| *shape).ok_or_else(|| {
            Error::mismatch("found no array with two or more axes, expected the image of the wcs")
                .at_path(wcs.path())
        })
    }
}
