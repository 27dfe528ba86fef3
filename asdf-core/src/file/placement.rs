//! Moves the elements of arrays to where they will be stored.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::disk::folder_of;
use super::relocate_uris::{Fate, Move};
use super::survey::{Survey, path_of};
use super::{Storage, WriteOptions};
use crate::array::{ByteOrder, Datatype, Mask, NdArray};
use crate::error::{Error, Hint, Result};
use crate::tree::{Block, NodeId, NodeRef, Tree, percent_decode, percent_encode};
use crate::value::{FromNode, ToNode};

/// Another file that holds one block of an exploded file.
#[derive(Debug)]
pub(super) struct Sibling {
    pub(super) path: PathBuf,
    pub(super) block: Arc<dyn Block>,
}

/// Changes the array nodes of a tree for their new storage, and the URIs of other files if the file moves.
///
/// `path` is the path of the file to be written, from which the names of its siblings are made.
pub(super) fn arrange(
    tree: &mut Tree,
    survey: &Survey,
    options: &WriteOptions,
    moved: Option<&Move>,
    path: Option<&Path>,
) -> Result<Vec<Sibling>> {
    let mut own = BTreeMap::new();
    for (pointer, storage) in &options.storages {
        let node = tree.at(pointer)?;
        if !is_array(node) {
            return Err(node.expected("an array").at_path(pointer));
        }
        own.insert(node.id(), *storage);
    }
    let mut wanted = Vec::with_capacity(survey.arrays.len());
    for &id in &survey.arrays {
        if tree.node(id).get("source").is_some_and(NodeRef::is_null) {
            // A new streamed array.
            continue;
        }
        let storage = match own.get(&id) {
            Some(storage) => *storage,
            None if options.inline_below > 0 && is_small(tree.node(id), options.inline_below)? => {
                Storage::Inline
            }
            None => options.storage,
        };
        wanted.push((id, storage));
    }
    // A mask comes before its array, because the array is made from it.
    for &(id, storage) in wanted.iter().rev() {
        let done = match storage {
            Storage::Kept if is_contained(tree, id) => in_block(tree, id),
            Storage::Kept => Ok(()),
            Storage::Inline => inline(tree, id, options),
            Storage::Internal | Storage::External => in_block(tree, id),
        };
        done.map_err(|error| match path_of(tree, id) {
            Some(path) => error.at_path(&path),
            None => error,
        })?;
    }
    if let Some(moved) = moved {
        wanted.iter().try_for_each(|&(id, _)| take_along(tree, id, moved))?;
        moved.rename(tree, &survey.names)?;
    }
    let mut exploded = Exploded { path, skip: options.replace_siblings, ..Exploded::default() };
    exploded.taken = wanted.iter().filter_map(|&(id, _)| file_of(tree.node(id))).collect();
    for (id, storage) in wanted {
        if storage == Storage::External {
            exploded.put(tree, id)?;
        }
    }
    Ok(exploded.siblings)
}

fn is_array(node: NodeRef<'_>) -> bool {
    node.tag().is_some_and(NdArray::accepts_tag)
}

/// The name of the file in the same folder that holds the data of an array.
pub(super) fn file_of(node: NodeRef<'_>) -> Option<String> {
    let uri = node.get("source").filter(|source| source.as_i64().is_none())?.as_str()?;
    percent_decode(uri.strip_prefix("./").unwrap_or(uri))
}

fn is_small(node: NodeRef<'_>, below: u64) -> Result<bool> {
    let array = NdArray::from_node(node)?;
    Ok(array.len() < below && !array.shape().is_empty())
}

/// Whether the elements of an array are in the container of the file, which another file cannot refer to.
fn is_contained(tree: &Tree, id: NodeId) -> bool {
    let uri =
        tree.node(id).get("source").filter(|source| source.as_i64().is_none()).and_then(NodeRef::as_str);
    uri.zip(tree.blocks().file()).is_some_and(|(uri, file)| file.is_contained(uri))
}

/// Moves the elements of an array into the tree.
fn inline(tree: &mut Tree, id: NodeId, options: &WriteOptions) -> Result<()> {
    let array = NdArray::from_node(tree.node(id))?;
    if array.is_inline() || array.shape().is_empty() {
        return Ok(());
    }
    // A tree has no checksums.
    if let Some(error) = array.damage()?.filter(|_| !options.accept_damage) {
        return Err(error.replace_hint(Hint::AcceptDamage));
    }
    let new = match array.beyond_trees()? {
        None => array.inlined()?.to_node(tree)?,
        Some(_)
            if options.wide_integers && matches!(array.datatype(), Datatype::Int64 | Datatype::Uint64) =>
        {
            array.packed_inline()?.to_node(tree)?
        }
        Some(_) => return Ok(()),
    };
    tree.replace(id, new);
    Ok(())
}

/// Moves the elements of an array into a block of this file.
fn in_block(tree: &mut Tree, id: NodeId) -> Result<()> {
    let array = NdArray::from_node(tree.node(id))?;
    if let Some(uri) = array.external() {
        let file = tree.blocks().file().cloned();
        let file = file.ok_or_else(|| {
            Error::unsupported(format!(
                "the data is in '{}', but the tree was not read from a file",
                uri.escape_debug()
            ))
        })?;
        let block = file.external(uri)?;
        let number = tree.blocks_mut().attach(block)?;
        let number = tree.add_int(number);
        tree.insert(id, "source", number);
        return Ok(());
    }
    let holes = !matches!(array.mask(), Some(Mask::Array(_))) && array.missing()?.is_some();
    if !array.is_inline() || holes {
        return Ok(());
    }
    let bytes = array.packed_bytes(ByteOrder::Little)?;
    let datatype = array.datatype().without_byteorder();
    let block = NdArray::from_bytes(datatype, ByteOrder::Little, array.shape(), bytes)?;
    let new = block.to_node(tree)?;
    if tree.node(id).get("data").is_none() {
        let tag = tree.node(id).tag().map(str::to_owned);
        tree.replace(id, new);
        tree.set_tag(id, tag.as_deref());
        return Ok(());
    }
    for key in ["source", "datatype", "byteorder", "shape"] {
        if let Some(value) = tree.node(new).get(key).map(|value| value.id()) {
            tree.insert(id, key, value);
        }
    }
    tree.remove(id, "data");
    Ok(())
}

/// Adapts the URI of an array in another file to the new folder, or copies the data if that is outside.
fn take_along(tree: &mut Tree, id: NodeId, moved: &Move) -> Result<()> {
    let node = tree.node(id);
    let uri = node.get("source").filter(|source| source.as_i64().is_none()).and_then(NodeRef::as_str);
    let Some(uri) = uri else { return Ok(()) };
    let new = match moved.fate(uri).map_err(|error| node.place(error))? {
        Fate::Kept => return Ok(()),
        Fate::Inside(new) => new,
        Fate::Outside(new) => match (in_block(tree, id), new) {
            (Ok(()), _) | (Err(_), None) => return Ok(()),
            // The data cannot be read, so the array keeps referring to the missing file.
            (Err(_), Some(new)) => new,
        },
    };
    let source = tree.add_str(&new);
    tree.insert(id, "source", source);
    Ok(())
}

/// The files of an exploded file.
#[derive(Default)]
struct Exploded<'p> {
    path: Option<&'p Path>,
    /// URIs by the number of the block.
    names: BTreeMap<i64, String>,
    /// Names of files that hold arrays that stay where they are.
    taken: BTreeSet<String>,
    /// Whether the names of all files that exist are skipped, rather than refused later.
    skip: bool,
    /// The number of names that were tried.
    count: usize,
    siblings: Vec<Sibling>,
}

impl Exploded<'_> {
    fn put(&mut self, tree: &mut Tree, id: NodeId) -> Result<()> {
        let Some(number) = tree.node(id).block_reference().and_then(NodeRef::as_i64) else { return Ok(()) };
        let uri = match self.names.get(&number) {
            Some(uri) => uri.clone(),
            None => {
                let block = tree.blocks().block(number)?;
                let uri = self.add(block)?;
                self.names.insert(number, uri.clone());
                uri
            }
        };
        let source = tree.add_str(&uri);
        tree.insert(id, "source", source);
        Ok(())
    }

    fn add(&mut self, block: Arc<dyn Block>) -> Result<String> {
        let path = self.path.ok_or_else(|| {
            Error::usage("external arrays need a file path, but the target is a buffer or a stream")
                .with_hint("write to a path, or choose another storage")
        })?;
        let stem = path.file_stem().ok_or_else(|| Error::usage("the path has no file name").at_file(path))?;
        let stem = stem.to_str().ok_or_else(|| {
            Error::usage("the file name is not Unicode, so URIs cannot refer to the files next to it")
                .at_file(path)
        })?;
        let (name, path) = loop {
            let name = format!("{stem}{:04}.asdf", self.count);
            let path = folder_of(path).join(&name);
            self.count += 1;
            let is_taken = self.taken.contains(&name) || (self.skip && path.symlink_metadata().is_ok());
            if !is_taken {
                break (name, path);
            }
        };
        let uri = percent_encode(&name);
        self.siblings.push(Sibling { path, block });
        Ok(uri)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind;
    use crate::file::File;

    #[test]
    fn only_wide_integers_on_request_leave_their_block() {
        let file = |array: NdArray| {
            let mut file = File::new();
            file.set("/a", &array).unwrap();
            file
        };
        let integers = file(NdArray::new(&[2], &[u64::MAX, 1]).unwrap());
        let wider = file(NdArray::new(&[2], &[i128::MAX, 1]).unwrap());
        for (file, wide, inline) in
            [(&integers, false, false), (&integers, true, true), (&wider, true, false)]
        {
            let options = WriteOptions::new().storage(Storage::Inline).wide_integers(wide);
            let written = File::from_bytes(options.to_bytes(file).unwrap()).unwrap();
            let array = written.array("/a").unwrap();
            assert_eq!(array.is_inline(), inline, "{wide} {}", array.datatype());
            let bytes = |file: &File| file.array("/a").unwrap().packed_bytes(ByteOrder::Little).unwrap();
            assert_eq!(bytes(&written), bytes(file));
        }
    }

    #[test]
    fn an_array_whose_file_has_no_uri_is_refused_with_its_place_and_a_hint() {
        let mut tree = crate::yaml::parse("a: 1\nb: !core/ndarray-1.1.0 {source: x.asdf}\n").unwrap();
        let id = tree.at("/b").unwrap().id();
        let error = take_along(&mut tree, id, &Move::without_uris("/a/x.asdf", "/b")).unwrap_err();
        assert_eq!((error.kind(), error.line()), (Kind::Usage, Some(2)));
        assert!(error.hint().is_some());
    }
}
