//! A whole file: header, tree, blocks, index ("File layout" in the standard).
//!
//! Opening reads the header and the tree; blocks are found and read when they are asked for.
//!
//! | to | use | what stood there |
//! |---|---|---|
//! | write a whole file | [`File::write`], [`WriteOptions`] | stays until the new file is whole |
//! | change the file that was opened | [`File::update`], [`UpdateOptions`] | the same; or restored from a journal |
//! | write rows as they come | [`StreamOptions`], [`StreamWriter`] | the same; or whole rows |
//! | write a file of another format | [`replace`] | stays until the new file is whole |
//! | end in the middle of any of them | [`abandon_writes`] | the same; temporary files are removed |
//!
//! # Threads and async
//!
//! A [`File`] is `Send` and `Sync`; several threads may read it at the same time. All calls block. In an
//! async program they go to a thread for blocking work, such as `tokio::task::spawn_blocking`, which takes
//! the same closure as a thread does:
//!
//! ```
//! use std::sync::Arc;
//! use asdf_core::{File, NdArray};
//!
//! # let mut file = File::new();
//! # file.set("/data", &NdArray::new(&[3], &[1.0_f32, 2.0, 3.0])?)?;
//! # let bytes = file.to_bytes()?;
//! let file = Arc::new(File::from_bytes(bytes)?); // or `File::open(path)?`
//! let shared = Arc::clone(&file);
//! let task = std::thread::spawn(move || shared.array("/data")?.read::<f32>());
//! assert_eq!(task.join().expect("it does not panic")?, [1.0, 2.0, 3.0]);
//! # Ok::<(), asdf_core::Error>(())
//! ```
//!
//! # Memory maps
//!
//! With [`OpenOptions::mmap`] the arrays of uncompressed blocks borrow from the map, and
//! [`View::as_slice`](crate::array::View::as_slice) lends their elements without a copy: blocks are
//! [aligned](WriteOptions::alignment) to 8 bytes when they are written. Do not let another program shorten the
//! file while it is open: that ends this program with a bus error. Writing into it changes what is read. A file that is
//! replaced by [`File::write`], [`File::update`] or a rename is safe, because the map keeps the old one.
//!
//! # After a crash
//!
//! After an error or a crash the path holds either the old file or the new one, never a mix. Errors of
//! writing and of flushing to disk are returned.

mod allowed_folders;
mod atomic;
mod block;
mod blocks;
mod checks;
mod columns;
#[cfg(test)]
mod crashes;
mod difference;
mod disk;
mod encoder;
mod extension;
mod external;
mod header;
mod indexed_blocks;
mod journal;
mod layout;
mod limits;
mod missed;
mod open;
mod open_options;
mod opened;
mod padding;
mod placement;
mod plan;
mod prepared;
mod provenance;
mod readahead;
mod reading;
mod references;
mod relocate_uris;
pub mod repair;
mod software;
mod storage;
mod stream;
mod survey;
#[cfg(test)]
mod threading;
mod unfinished;
mod update;
mod update_plan;
mod verify;
mod watch;
mod write;
mod write_options;

use std::collections::BTreeSet;
use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;

pub use atomic::{Replacement, replace};
pub use block::FileBlock;
use blocks::FileBlocks;
pub use blocks::IndexState;
pub use extension::Extension;
pub use header::{Header, Version};
pub use limits::Limits;
pub use open_options::OpenOptions;
pub use padding::Padding;
pub use software::Software;
pub use storage::Storage;
pub use stream::{StreamOptions, StreamWriter};
pub use unfinished::abandon_writes;
pub use update::UpdateOptions;
pub use write_options::WriteOptions;

use crate::array::NdArray;
use crate::error::{Error, Result};
use crate::threads::Threads;
use crate::tree::{ASDF_TAG, NodeRef, Tree};
use crate::value::{FromNode, ToNode};

/// An ASDF file.
///
/// ```no_run
/// use asdf_core::{File, NdArray};
///
/// let mut file = File::open("r0000101.asdf")?;
/// let exposure: f64 = file.get("/roman/meta/exposure/exposure_time")?;
/// let data = file.array("/roman/data")?.view::<f32>()?;
/// println!("{exposure} s, {:?} pixels", data.shape());
///
/// file.set("/roman/meta/note", "checked")?;
/// file.set("/flags", &NdArray::new(&[2], &[1_u8, 0])?)?;
/// file.write("r0000101_checked.asdf")?;
/// # Ok::<(), asdf_core::Error>(())
/// ```
pub struct File {
    path: Option<PathBuf>,
    header: Header,
    tree: Tree,
    blocks: Option<Arc<FileBlocks>>,
    warnings: Vec<Error>,
    /// The blocks of the file that arrays referred to before the tree was changed.
    owned: Option<BTreeSet<u64>>,
    /// What it was at its path, if it was opened there.
    opened: Option<opened::Opened>,
    extensions: extension::Extensions,
}

impl fmt::Debug for File {
    /// Writes one line: the path, the version of the standard, and the numbers of nodes and warnings.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("File(")?;
        match &self.path {
            Some(path) => write!(f, "'{}'", path.display())?,
            None => f.write_str("memory")?,
        }
        write!(f, ", standard {}, {:?}", self.standard(), self.tree)?;
        if !self.warnings.is_empty() {
            write!(f, ", warnings {:?}", self.warnings)?;
        }
        f.write_str(")")
    }
}

impl Default for File {
    fn default() -> Self {
        Self::new()
    }
}

impl File {
    /// A new file of standard 1.6.0 with an empty root mapping.
    #[must_use]
    pub fn new() -> Self {
        let mut tree = Tree::new();
        tree.set_handle("!", ASDF_TAG);
        let extensions = extension::Extensions::default();
        extensions.set_handles(&mut tree);
        let root = tree.add_mapping([]);
        tree.set_tag(root, Some(write::ROOT_TAG));
        tree.set_root(root);
        Self {
            path: None,
            header: Header::new(Version::new(1, 6, 0)),
            tree,
            blocks: None,
            warnings: Vec::new(),
            owned: None,
            opened: None,
            extensions,
        }
    }

    /// Adds an extension: its codecs, and to a file that was made here the handles of its tags. One with the
    /// same URI is replaced. What it says of itself is written into `history.extensions` when the tree has one
    /// of its tags, or a block one of its codecs.
    ///
    /// In an opened file its codecs read the blocks from now on; only what the history says of newer versions
    /// is not looked at again: for that it is given to [`OpenOptions::extension`].
    pub fn add_extension(&mut self, extension: Extension) {
        if let Some(opened) = &mut self.opened {
            opened.options = opened.options.clone().extension(extension.clone());
        }
        self.extensions.add(extension);
        match &self.blocks {
            Some(blocks) => blocks.reading().extend(|given| self.extensions.with_codecs(given)),
            None => self.extensions.set_handles(&mut self.tree),
        }
    }

    /// Opens a file with the default [`OpenOptions`].
    ///
    /// # Errors
    /// See [`OpenOptions::open`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        OpenOptions::new().open(path)
    }

    /// Opens a file that is in memory. The bytes are shared, not copied.
    ///
    /// # Errors
    /// See [`OpenOptions::open`].
    pub fn from_bytes(bytes: impl Into<Bytes>) -> Result<Self> {
        OpenOptions::new().open_bytes(bytes)
    }

    /// Where the file was opened, or last written.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// What the lines before the tree say.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The version of the ASDF Standard that the file is written by.
    #[must_use]
    pub fn standard(&self) -> Version {
        self.header.standard
    }

    /// Whether the file that was opened is of the pre-release format 0.1.0. It is read as one of the
    /// [standard](Self::standard) that [`header`](Self::header) names, and written as such.
    #[must_use]
    pub fn is_draft(&self) -> bool {
        self.blocks.as_ref().is_some_and(|blocks| blocks.is_draft())
    }

    /// What is odd about the file but does not keep it from being read. Each warning has a
    /// [code](crate::error::Code).
    #[must_use]
    pub fn warnings(&self) -> &[Error] {
        &self.warnings
    }

    /// The tree; without a root when the file has none.
    #[must_use]
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The tree, to change it.
    pub fn tree_mut(&mut self) -> &mut Tree {
        if self.owned.is_none() {
            self.owned = Some(self.referenced());
        }
        &mut self.tree
    }

    /// The node at a JSON Pointer.
    ///
    /// # Errors
    /// See [`Tree::at`]; names the file.
    pub fn at(&self, pointer: &str) -> Result<NodeRef<'_>> {
        self.tree.at(pointer).map_err(|error| self.named(error))
    }

    /// Reads a value at a JSON Pointer: `file.get::<f64>("/meta/exposure_time")`.
    ///
    /// # Errors
    /// See [`Tree::get`]; names the file.
    pub fn get<T: FromNode>(&self, pointer: &str) -> Result<T> {
        self.tree.get(pointer).map_err(|error| self.named(error))
    }

    /// Reads a value of any `serde::Deserialize` type at a JSON Pointer: see
    /// [`value::serde`](crate::value::serde).
    ///
    /// # Errors
    /// See [`Tree::deserialize`]; names the file.
    #[cfg(feature = "serde")]
    pub fn deserialize<'a, T: serde::Deserialize<'a>>(&'a self, pointer: &str) -> Result<T> {
        self.tree.deserialize(pointer).map_err(|error| self.named(error))
    }

    /// Writes a value of any `serde::Serialize` type at a JSON Pointer into the tree: see
    /// [`value::serde`](crate::value::serde).
    ///
    /// # Errors
    /// See [`Tree::serialize`].
    #[cfg(feature = "serde")]
    pub fn serialize<T: serde::Serialize + ?Sized>(&mut self, pointer: &str, value: &T) -> Result<()> {
        self.tree_mut().serialize(pointer, value)
    }

    /// The array at a JSON Pointer. Its data is not read yet.
    ///
    /// # Errors
    /// See [`Tree::get`]; names the file.
    pub fn array(&self, pointer: &str) -> Result<NdArray> {
        self.get(pointer)
    }

    /// Writes a value at a JSON Pointer into the tree; the file on disk changes when it is
    /// [written](Self::write).
    ///
    /// # Errors
    /// See [`Tree::set`].
    pub fn set<T: ToNode + ?Sized>(&mut self, pointer: &str, value: &T) -> Result<()> {
        self.tree_mut().set(pointer, value)
    }

    /// Writes a value at a JSON Pointer as [`set`](Self::set) does, and makes the mappings above it that are
    /// missing: `file.set_with_parents("/meta/exposure/time", &12.5)`.
    ///
    /// # Errors
    /// See [`Edit::set_with_parents`](crate::value::Edit::set_with_parents).
    pub fn set_with_parents<T: ToNode + ?Sized>(&mut self, pointer: &str, value: &T) -> Result<()> {
        self.tree_mut().edit(pointer).set_with_parents(value)
    }

    /// The blocks of the opened file in their order. Reads each header and no data.
    ///
    /// # Errors
    /// When the source cannot be read, or a header is damaged.
    pub fn blocks(&self) -> Result<Vec<Arc<FileBlock>>> {
        self.blocks.as_ref().map_or(Ok(Vec::new()), |blocks| blocks.all())
    }

    /// What the block index at the end of the opened file is worth.
    ///
    /// # Errors
    /// When the source cannot be read.
    pub fn index(&self) -> Result<IndexState> {
        self.blocks.as_ref().map_or(Ok(IndexState::Absent), |blocks| blocks.index())
    }

    /// Writes the file with the default [`WriteOptions`]. What stood at the path before stays whole
    /// until the new file is.
    ///
    /// # Errors
    /// See [`WriteOptions::write`].
    pub fn write(&self, path: impl AsRef<Path>) -> Result<()> {
        WriteOptions::new().write(self, path)
    }

    /// Writes the bytes of the file to any writer with the default options: see [`WriteOptions::write_to`].
    ///
    /// # Errors
    /// As [`WriteOptions::write_to`].
    pub fn write_to(&self, out: impl Write) -> Result<()> {
        WriteOptions::new().write_to(self, out)
    }

    /// The file as bytes, with the default [`WriteOptions`].
    ///
    /// # Errors
    /// See [`WriteOptions::write`].
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        WriteOptions::new().to_bytes(self)
    }

    /// The threads that it was opened with; all for one made here.
    fn threads(&self) -> Threads {
        self.blocks.as_ref().map_or(Threads::ALL, |blocks| blocks.reading().threads())
    }

    /// The numbers of the blocks that ndarray nodes refer to.
    fn referenced(&self) -> BTreeSet<u64> {
        survey::Survey::of(&self.tree, false).referenced(&self.tree)
    }

    /// A copy, to be changed for writing.
    fn for_writing(&self) -> Self {
        Self {
            path: self.path.clone(),
            header: self.header.clone(),
            tree: self.tree.clone(),
            blocks: self.blocks.clone(),
            warnings: Vec::new(),
            owned: Some(self.owned.clone().unwrap_or_else(|| self.referenced())),
            opened: None,
            extensions: self.extensions.clone(),
        }
    }

    fn named(&self, error: Error) -> Error {
        match &self.path {
            Some(path) => error.at_file(path),
            None => error,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::Compression;

    #[test]
    fn files_and_what_is_in_them_are_one_line() {
        let mut file = File::new();
        let flags = NdArray::new(&[4], &[0_u8, 1, 0, 0]).unwrap();
        file.set("/flags", &flags.clone().with_compression(Compression::ZLIB).unwrap()).unwrap();
        file.set("/more", &flags).unwrap();
        assert_eq!(
            format!("{file:?}"),
            "File(memory, standard 1.6.0, Tree(23 nodes, a mapping of 2 entries tagged tag:stsci.edu:asdf/core/asdf-1.1.0))"
        );
        let file = File::from_bytes(file.to_bytes().unwrap()).unwrap();
        let array = file.array("/flags").unwrap();
        assert_eq!(format!("{array:?}"), "NdArray(uint8 [4], block 0)", "nothing is read for it");
        array.read::<u8>().unwrap();
        assert_eq!(format!("{array:?}"), "NdArray(uint8 [4], block 0, zlib)");
        assert_eq!(format!("{:?}", file.tree().blocks()), "BlockTable(a file's blocks and 0 in memory)");
        let block = &file.blocks().unwrap()[1];
        let text = format!("{block:?}");
        assert!(text.starts_with("FileBlock(block 1 at byte ") && text.ends_with(", 4 bytes)"), "{text}");
    }
}
