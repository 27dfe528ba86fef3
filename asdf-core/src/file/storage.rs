//! Where the elements of arrays are stored: in blocks, in other files, in the tree.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::WriteOptions;
use super::atomic::folder_of;
use crate::array::{ByteOrder, Mask, NdArray};
use crate::error::{Error, Result};
use crate::tree::{Block, NodeId, NodeRef, Tree};
use crate::value::{FromNode, ToNode};

/// Where the elements of an array are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Storage {
    /// As they are: blocks stay blocks, lists stay lists, and what is in another file stays there.
    /// A file that is written into a folder above names it anew; elsewhere it would not be found, and
    /// writing is an error.
    #[default]
    Kept,
    /// In blocks of the file. Lists with `null` stay lists, since a block cannot say `null`.
    Internal,
    /// Each block in a file of its own beside this one ("Exploded form" in the standard):
    /// `NAME0000.asdf`, `NAME0001.asdf` and so on beside `NAME.asdf`. Lists with `null` stay lists.
    External,
    /// In the tree, as lists. At most 1048576 elements. What is in blocks stays there where it has no
    /// axes, since Python's asdf cannot read these as lists, and where it has integers beyond 64 bits,
    /// which the standard has in no tree.
    Inline,
}

/// Another file that holds one block of this one's arrays.
#[derive(Debug)]
pub(super) struct Sibling {
    pub(super) path: PathBuf,
    pub(super) block: Arc<dyn Block>,
}

/// The numbers of the blocks that ndarray nodes refer to.
pub(super) fn referenced(tree: &Tree) -> BTreeSet<u64> {
    let count = || tree.blocks().count().unwrap_or(0);
    let sources = tree.root().into_iter().flat_map(NodeRef::walk);
    let sources = sources.filter_map(|node| node.block_reference()?.as_i64());
    sources
        .filter_map(|source| {
            if source < 0 { count().checked_sub(source.unsigned_abs()) } else { Some(source.unsigned_abs()) }
        })
        .collect()
}

/// Changes the array nodes of a tree to how they are to be stored. `from` is the path of the file that
/// was read, `path` that of the one to be written, which names its siblings.
pub(super) fn arrange(
    tree: &mut Tree,
    options: &WriteOptions,
    from: Option<&Path>,
    path: Option<&Path>,
) -> Result<Vec<Sibling>> {
    let moved = Move::between(from, path);
    let kept = options.storage == Storage::Kept && options.inline_below == 0 && options.storages.is_empty();
    if kept && moved.is_none() {
        return Ok(Vec::new());
    }
    let mut own = BTreeMap::new();
    for (pointer, storage) in &options.storages {
        let node = tree.at(pointer)?;
        if !is_array(node) {
            return Err(node.expected("an array, which can be stored elsewhere").at_path(pointer));
        }
        own.insert(node.id(), *storage);
    }
    let nodes: Vec<NodeId> = tree
        .root()
        .into_iter()
        .flat_map(NodeRef::walk)
        // Without a source it is a streamed array that is about to be written.
        .filter(|node| is_array(*node) && !node.get("source").is_some_and(NodeRef::is_null))
        .map(|node| node.id())
        .collect();
    let mut wanted = Vec::with_capacity(nodes.len());
    for id in nodes {
        let storage = match own.get(&id) {
            Some(storage) => *storage,
            None if options.inline_below > 0 && is_small(tree.node(id), options.inline_below)? => {
                Storage::Inline
            }
            None => options.storage,
        };
        wanted.push((id, storage));
    }
    // A mask before its array, which is made of it.
    for &(id, storage) in wanted.iter().rev() {
        match storage {
            Storage::Kept => moved.iter().try_for_each(|moved| moved.rename(tree, id))?,
            Storage::Inline => inline(tree, id)?,
            Storage::Internal | Storage::External => in_block(tree, id)?,
        }
    }
    let mut exploded = Exploded { path, ..Exploded::default() };
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

fn is_small(node: NodeRef<'_>, below: u64) -> Result<bool> {
    let array = NdArray::from_node(node)?;
    Ok(array.len() < below && !array.shape().is_empty())
}

/// Puts elements into the tree.
fn inline(tree: &mut Tree, id: NodeId) -> Result<()> {
    let array = NdArray::from_node(tree.node(id))?;
    if array.is_inline() || array.shape().is_empty() || array.beyond_trees()?.is_some() {
        return Ok(());
    }
    let new = array.inlined()?.to_node(tree)?;
    tree.replace(id, new);
    Ok(())
}

/// Puts elements into a block of this file.
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

/// From one folder to another.
struct Move {
    /// The old folder as the new one names it, with a slash at its end; `None` when it cannot.
    prefix: Option<String>,
}

impl Move {
    /// Nothing where the folder stays, or is not known.
    fn between(from: Option<&Path>, to: Option<&Path>) -> Option<Self> {
        let (from, to) = from.zip(to)?;
        let real = |path: &Path| folder_of(path).canonicalize();
        // A folder that is not there any more, or not yet, is told by who needs it.
        let (from, to) = (real(from).ok()?, real(to).ok()?);
        if from == to {
            return None;
        }
        let names = from.strip_prefix(&to).ok().map(|below| below.iter());
        let prefix = names.and_then(|names| {
            names.map(|name| Some(percent_encode(name.to_str()?) + "/")).collect::<Option<String>>()
        });
        Some(Self { prefix })
    }

    fn rename(&self, tree: &mut Tree, id: NodeId) -> Result<()> {
        let node = tree.node(id);
        let Some(uri) =
            node.get("source").filter(|source| source.as_i64().is_none()).and_then(NodeRef::as_str)
        else {
            return Ok(());
        };
        let Some(prefix) = &self.prefix else {
            return Err(Error::usage(format!(
                "the array's data is in '{}', beside the file that was read, and would not be found from the \
                 folder that is written to",
                uri.escape_debug()
            ))
            .with_hint("store it in the new file, with `Storage::Internal`, or write into the same folder"));
        };
        let source = format!("{prefix}{uri}");
        let source = tree.add_str(&source);
        tree.insert(id, "source", source);
        Ok(())
    }
}

/// The files that arrays go to.
#[derive(Default)]
struct Exploded<'p> {
    path: Option<&'p Path>,
    /// By the number of the block.
    names: BTreeMap<i64, String>,
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
            Error::usage("arrays in other files need a file beside which these can be")
                .with_hint("write to a path, or choose another storage")
        })?;
        let stem = path.file_stem().ok_or_else(|| Error::usage("the path names no file").at_file(path))?;
        let mut name = OsString::from(stem);
        name.push(format!("{:04}.asdf", self.siblings.len()));
        let uri = name.to_str().map(percent_encode).ok_or_else(|| {
            Error::usage("the file's name is not Unicode, so no URI names the files beside it").at_file(path)
        })?;
        self.siblings.push(Sibling { path: folder_of(path).join(name), block });
        Ok(uri)
    }
}

/// A file's name as a relative URI.
fn percent_encode(name: &str) -> String {
    let mut uri = String::with_capacity(name.len());
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=@".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}
