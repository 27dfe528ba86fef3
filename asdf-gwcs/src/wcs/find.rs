//! The world coordinate systems of a file.

use std::collections::HashSet;

use asdf_core::{Error, File, Result};

use super::Wcs;

/// The most systems that are listed.
const MAX_FOUND: usize = 10_000;

impl Wcs {
    /// Returns the paths of the world coordinate systems of a file, in the order of the tree.
    ///
    /// A system that several paths refer to by an alias is listed once. At most 10,000 are listed.
    #[must_use]
    pub fn find(file: &File) -> Vec<String> {
        let is_wcs = |tag: Option<&str>| tag.and_then(crate::tag::gwcs) == Some("wcs");
        let mut seen = HashSet::new();
        let found = file.tree().search().filter_node(move |node| is_wcs(node.own_tag()));
        found
            .filter(|found| seen.insert(found.node.id()))
            .map(|found| found.path.to_string())
            .take(MAX_FOUND)
            .collect()
    }

    /// Opens the only world coordinate system of a file.
    ///
    /// # Errors
    /// If the file has none or several; and like [`open`](Self::open).
    pub fn only(file: &File) -> Result<Self> {
        let found = Self::find(file);
        match found.as_slice() {
            [path] => Self::open(file, path),
            [] => Err(Error::missing("the file has no world coordinate system (tag `gwcs/wcs`)")),
            [first, second, ..] => {
                let message = format!("the file has {} world coordinate systems", found.len());
                Err(Error::usage(message)
                    .with_hint(format!("name one by its path, such as {first} or {second}")))
            }
        }
    }

    /// Returns the path of the world coordinate system of the image at a path.
    ///
    /// It is the only one of the file, or else the only one in the mapping of the image or in its `meta`.
    #[must_use]
    pub fn path_for(file: &File, image: &str) -> Option<String> {
        let found = Self::find(file);
        if found.len() < 2 {
            return found.into_iter().next();
        }
        let mapping = image.rsplit_once('/').map_or("", |(mapping, _)| mapping);
        let mut beside = found.into_iter().filter(|wcs| {
            let place = wcs.rsplit_once('/').map_or("", |(place, _)| place);
            place == mapping || place.strip_suffix("/meta") == Some(mapping)
        });
        beside.next().filter(|_| beside.next().is_none())
    }

    /// Returns an error if the wcs is that of an image of another size than that of an array, by its last two axes.
    #[must_use]
    pub fn check_shape(&self, array: &[u64]) -> Option<Error> {
        let (&[height, width], [columns, rows, ..]) = (array.last_chunk()?, self.pixel_shape()?) else {
            return None;
        };
        let message = format!(
            "the image has {width} x {height} pixels, but the world coordinates are those of {columns} x {rows}"
        );
        let is_other = (width, height) != (*columns, *rows);
        is_other.then(|| Error::mismatch(message).at_path(self.path()))
    }
}
