//! `Manifest`: the arrays of files that zarr can read.

use std::collections::HashMap;
use std::io::Write;
use std::path::Path;

use asdf_core::array::ChunkedArray;
use asdf_core::tree::{NodeRef, Path as TreePath};
use asdf_core::value::FromNode;
use asdf_core::{Error, File, NdArray, Result};

use super::array::{MappedArray, Placed};
use super::chunks::Chunks;
use super::ndarray::Mapper;
#[cfg(feature = "parquet")]
use super::parquet;
use super::{chunked, json, names};

/// The arrays of one or several files that zarr can read, and where their bytes are.
///
/// See the [module](crate::manifest) for what can be mapped. A manifest takes little memory: uncompressed arrays take the
/// same, however many chunks they have, and `lz4` arrays 16 bytes for each frame.
#[derive(Debug, Default)]
pub struct Manifest {
    arrays: Vec<Placed>,
    names: names::Names,
    left_out: Vec<Error>,
}

impl Manifest {
    /// Maps the arrays of a file, in the order of its tree.
    ///
    /// `url` returns the URL that the manifest has for a file; its argument is the path or URL of this file, or of
    /// another one that has an array of the tree. It is `None` for a file in memory. If `url` fails, the arrays in that
    /// file are left out.
    ///
    /// Reads the headers of blocks and of lz4 frames, but no data. An array that several paths lead to is mapped for each
    /// path; what is below an aliased mapping is mapped once, on the first path.
    #[must_use]
    pub fn of(file: &File, url: impl Fn(Option<&Path>) -> Result<String>) -> Self {
        let mut manifest = Self::default();
        let mut mapper = Mapper::new(file, &url);
        let mut last: Option<TreePath> = None;
        let is_array = |node: NodeRef<'_>| {
            node.tag().is_some_and(|tag| NdArray::accepts_tag(tag) || ChunkedArray::accepts_tag(tag))
        };
        for found in file.tree().search().filter_node(is_array) {
            // Masks, and the chunks of chunked arrays.
            if last.as_ref().is_some_and(|last| found.path.is_in(last)) {
                continue;
            }
            let path = found.path.as_str();
            let is_chunked = found.node.tag().is_some_and(ChunkedArray::accepts_tag);
            let mapped = match is_chunked {
                true => ChunkedArray::from_node(found.node)
                    .and_then(|array| chunked::map(&mut mapper, path, &array)),
                false => NdArray::from_node(found.node).and_then(|array| mapper.map(path, &array)),
            };
            let added = mapped.and_then(|mapped| manifest.add(names::steps(path), mapped));
            if let Err(error) = added {
                let error = match error.path() {
                    Some(_) => error,
                    None => error.at_path(path),
                };
                manifest.left_out.push(match file.path() {
                    Some(name) if error.file().is_none() => error.at_file(name),
                    _ => error,
                });
            }
            last = Some(found.path);
        }
        manifest
    }

    fn add(&mut self, steps: Vec<String>, array: MappedArray) -> Result<()> {
        if !self.names.take(&steps) {
            return Err(Error::mismatch("another array has the same path"));
        }
        self.arrays.push(Placed { steps, array });
        Ok(())
    }

    /// Combines the manifests of several files: each becomes a group with the name that comes with it.
    ///
    /// `_` is added to a name that another file has.
    #[must_use]
    pub fn grouped(files: impl IntoIterator<Item = (String, Self)>) -> Self {
        let mut all = Self::default();
        let mut groups = names::Names::default();
        for (name, file) in files {
            let group = groups.unique(&[], names::name(&name));
            for Placed { steps, array } in file.arrays {
                let path = array.path.clone();
                let steps = std::iter::once(group.clone()).chain(steps).collect();
                if let Err(error) = all.add(steps, array) {
                    all.left_out.push(error.at_path(&path).at_file(&name));
                }
            }
            all.left_out.extend(file.left_out);
        }
        all
    }

    /// Stacks the arrays of several files: arrays with the same path become one, with a new first axis for the files.
    ///
    /// The names that come with the manifests are for messages. Arrays that are missing in a file, or that have another
    /// shape, datatype, compression or shape of chunks there, are left out. The new axis has the name `file`.
    #[must_use]
    pub fn stacked(files: impl IntoIterator<Item = (String, Self)>) -> Self {
        let mut all = Self::default();
        let mut stacks: Vec<(Vec<String>, MappedArray, Vec<Chunks>)> = Vec::new();
        let mut places: HashMap<Vec<String>, usize> = HashMap::new();
        let mut refused: Vec<Option<Error>> = Vec::new();
        let mut first_name = String::new();
        let mut count = 0;
        for (name, file) in files {
            if count == 0 {
                first_name.clone_from(&name);
            }
            all.left_out.extend(file.left_out);
            for Placed { steps, array } in file.arrays {
                let place = places.get(&steps).copied();
                let stack = place.and_then(|place| Some((stacks.get_mut(place)?, refused.get_mut(place)?)));
                match stack {
                    None if count > 0 => {
                        let error =
                            Error::mismatch(format!("the array is not in {first_name}, or not mapped"));
                        all.left_out.push(error.at_path(&array.path).at_file(&name));
                    }
                    None => {
                        places.insert(steps.clone(), stacks.len());
                        stacks.push((steps, array.without_chunks(), vec![array.chunks]));
                        refused.push(None);
                    }
                    Some(((_, first, parts), refused)) => match first.difference(&array) {
                        None => parts.push(array.chunks),
                        Some(what) => {
                            let error = Error::mismatch(format!("{what}, as in {first_name}"));
                            *refused = refused.take().or(Some(error.at_path(&array.path).at_file(&name)));
                        }
                    },
                }
            }
            count += 1;
        }
        for ((steps, first, parts), refused) in stacks.into_iter().zip(refused) {
            let missing = (parts.len() != count).then(|| {
                let message = format!("{} of {count} files have this array, expected all", parts.len());
                Error::mismatch(message).at_path(&first.path)
            });
            let path = first.path.clone();
            let added = match refused.or(missing) {
                Some(error) => Err(error),
                None => all.add(steps, first.stack(parts)),
            };
            if let Err(error) = added {
                all.left_out.push(if error.path().is_some() { error } else { error.at_path(&path) });
            }
        }
        all
    }

    /// Returns the paths of the mapped arrays in zarr's groups, such as `roman/data`.
    pub fn paths(&self) -> impl Iterator<Item = String> {
        self.arrays.iter().map(|array| array.steps.join("/"))
    }

    /// Returns why arrays were left out, an error for each, with its path in the tree.
    #[must_use]
    pub fn left_out(&self) -> &[Error] {
        &self.left_out
    }

    /// Removes the errors about arrays that were left out, and returns them.
    pub fn take_left_out(&mut self) -> Vec<Error> {
        std::mem::take(&mut self.left_out)
    }

    /// Returns whether no array was mapped.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.arrays.is_empty()
    }

    /// Returns the number of chunks of all arrays.
    #[must_use]
    pub fn chunks(&self) -> u64 {
        self.arrays.iter().fold(0, |count, array| count.saturating_add(array.array.chunks.count()))
    }

    /// Writes the references as JSON of kerchunk, version 1, with one entry on each line.
    ///
    /// The same files and URLs give the same bytes.
    ///
    /// # Errors
    /// Fails if `out` fails.
    pub fn write_json(&self, out: &mut dyn Write) -> Result<()> {
        json::write(&self.arrays, &self.names, out)
    }

    /// Writes the references as a folder of Parquet files, as fsspec's `LazyReferenceMapper` reads them.
    ///
    /// Calls `create` with the name of each file in the folder, such as `roman/data/refs.0.parq`, and its bytes. The last
    /// file is `.zmetadata`, without which readers do not find the others. A file has up to 10,000 references, and only
    /// one is in memory at a time.
    ///
    /// # Errors
    /// [`Limit`](asdf_core::error::Kind::Limit) if an offset does not fit in 63 bits; and if `create` fails.
    #[cfg(feature = "parquet")]
    pub fn write_parquet(&self, mut create: impl FnMut(&str, &[u8]) -> Result<()>) -> Result<()> {
        parquet::write(&self.arrays, &self.names, &mut create)
    }
}
