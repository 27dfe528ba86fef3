//! Whole files: header, tree, blocks and block index ("File layout" in the standard).
//!
//! Opening a file reads its header and tree. Blocks are located and read on first use.
//!
//! | to | use | the old file |
//! |---|---|---|
//! | write a whole file | [`File::write`], [`WriteOptions`] | stays until the new file is complete |
//! | change the file that was opened | [`File::update`], [`UpdateOptions`] | the same, or is restored from a journal |
//! | append rows | [`StreamOptions`], [`StreamWriter`] | the same, or grows by whole rows |
//! | write a file of another format | [`replace`] | stays until the new file is complete |
//! | stop while writing | [`abandon_writes`] | stays; temporary files are removed |
//! | repair a damaged file | [`repair`] | stays until the new file is complete |
//!
//! # Threads and async
//!
//! A [`File`] is `Send` and `Sync`: several threads can read it at the same time. All calls block. An async program
//! moves them to a thread for blocking work, such as `tokio::task::spawn_blocking`, with the same closure as here:
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
//! With [`OpenOptions::mmap`] the arrays of uncompressed blocks borrow from the map.
//! [`View::as_slice`](crate::array::View::as_slice) then lends their elements without a copy, because blocks are
//! [aligned](WriteOptions::alignment) to 8 bytes when they are written.
//!
//! No other program must shorten the file while it is open: that ends this program with a bus error. If another program
//! writes into the file, the elements change. It is safe to replace the file with [`File::write`], [`File::update`] or
//! a rename, because the map keeps the old file.
//!
//! # After a crash
//!
//! After an error or a crash the path holds either the old file or the new one, never a mix. Errors of
//! writing and of flushing to disk are returned.

#[cfg(test)]
mod above_4_gib;
mod allowed_folders;
mod atomic;
mod block;
mod blocks;
mod checks;
mod columns;
mod contained;
mod contained_block;
mod container;
#[cfg(test)]
mod crashes;
mod decoded_data;
mod difference;
mod disk;
mod encoder;
mod extension;
mod external;
mod file_id;
mod frames;
mod header;
mod indexed_blocks;
#[cfg(test)]
mod interleavings;
mod journal;
mod layout;
mod limits;
mod missed;
mod needed;
mod open;
mod open_options;
mod opened;
mod padding;
mod place;
mod placement;
mod plan;
mod prepared;
mod provenance;
mod readahead;
mod reading;
mod references;
mod relocate_uris;
pub mod repair;
mod sibling_list;
mod siblings;
mod snapshot;
mod software;
mod storage;
mod stream;
mod survey;
#[cfg(test)]
mod threading;
mod trust;
mod unfinished;
mod update;
mod update_plan;
mod verdict;
mod verify;
mod watch;
mod window;
mod write;
mod write_options;

use std::collections::BTreeSet;
use std::fmt;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;

pub use atomic::{Replacement, replace};
pub use block::FileBlock;
use blocks::FileBlocks;
pub use blocks::IndexState;
pub use container::{ContainedArray, Container, ContainerFormat};
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

/// An ASDF file: a header, a tree and blocks.
///
/// [`open`](Self::open) reads one, [`new`](Self::new) makes an empty one, [`write`](Self::write) saves it. Paths into
/// the tree are JSON Pointers, such as `/roman/meta/exposure`.
///
/// # Examples
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
///
/// A clone has a copy of the tree, which can be changed on its own. Both use the same blocks, and nothing is read.
#[doc(alias("AsdfFile", "asdf.AsdfFile"))]
#[derive(Clone)]
pub struct File {
    place: place::Place,
    header: Header,
    tree: Tree,
    blocks: Option<Arc<FileBlocks>>,
    warnings: Arc<Vec<Error>>,
    /// The blocks of the file that arrays referred to before the tree was changed.
    owned: Option<BTreeSet<u64>>,
    /// The state of the file at its path when it was opened.
    opened: Option<opened::Opened>,
    extensions: extension::Extensions,
}

impl fmt::Debug for File {
    /// Writes one line: the path, the version of the standard, and the numbers of nodes and warnings.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("File(")?;
        match self.place.name() {
            Some(name) => write!(f, "'{}'", name.display())?,
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
    /// Makes a file of the ASDF Standard 1.6.0 with an empty root mapping.
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
            place: place::Place::Memory,
            header: Header::new(Version::new(1, 6, 0)),
            tree,
            blocks: None,
            warnings: Arc::default(),
            owned: None,
            opened: None,
            extensions,
        }
    }

    /// Adds an extension: its codecs and, to a new file, the handles of its tags.
    ///
    /// It replaces an extension with the same URI. When the file is written, `history.extensions` lists the extension if
    /// the tree has one of its tags, or a block one of its codecs.
    ///
    /// In an opened file its codecs read the blocks from now on. [`OpenOptions::extension`] also warns if the file was
    /// written with a newer version of the extension.
    #[doc(alias("extensions", "extension_list"))]
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
    /// Reads the header and the tree. Blocks are located and read on first use.
    ///
    /// # Errors
    /// See [`OpenOptions::open`].
    ///
    /// # Examples
    /// ```no_run
    /// use asdf_core::File;
    ///
    /// let file = File::open("r0000101.asdf")?;
    /// for warning in file.warnings() {
    ///     eprintln!("{warning}");
    /// }
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    #[doc(alias("asdf.open", "lazy_load", "lazy_tree"))]
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        OpenOptions::new().open(path)
    }

    /// Opens a file in memory. The bytes are shared, not copied.
    ///
    /// # Errors
    /// See [`OpenOptions::open`].
    #[doc(alias("loads", "BytesIO"))]
    pub fn from_bytes(bytes: impl Into<Bytes>) -> Result<Self> {
        OpenOptions::new().open_bytes(bytes)
    }

    /// Returns the path from which the file was opened; `None` if it was opened elsewhere than on disk.
    #[doc(alias = "uri")]
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.place.path()
    }

    /// Returns the URL from which the file was [opened](OpenOptions::open_in) in a store.
    #[must_use]
    pub fn url(&self) -> Option<&str> {
        match self.place {
            place::Place::Store(ref url, _) => url.to_str(),
            _ => None,
        }
    }

    /// Returns the file of another format that the opened file is in: see [`OpenOptions::container`].
    #[must_use]
    pub fn container(&self) -> Option<&dyn Container> {
        Some(self.blocks.as_ref()?.contained()?.container.as_ref())
    }

    /// Returns the error of writing the file back, if it is in a file of another format.
    fn refuse_container(&self) -> Result<()> {
        let Some(container) = self.container() else { return Ok(()) };
        let message =
            format!("the ASDF file is inside a {} file, which cannot be changed", container.format());
        Err(self.named(
            Error::unsupported(message)
                .with_hint("write a plain ASDF file, with `asdf convert` or to another path"),
        ))
    }

    /// Returns the header: the lines before the tree.
    #[doc(alias("comments", "file_format_version"))]
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the version of the ASDF Standard that the file follows.
    #[doc(alias("version", "version_string"))]
    #[must_use]
    pub fn standard(&self) -> Version {
        self.header.standard
    }

    /// Returns whether the opened file has the pre-release format 0.1.0.
    ///
    /// Such a file is read as a file of the version [`standard`](Self::standard), and written as one.
    #[must_use]
    pub fn is_draft(&self) -> bool {
        self.blocks.as_ref().is_some_and(|blocks| blocks.is_draft())
    }

    /// Returns the warnings: faults that do not prevent reading the file. Each has a [code](crate::error::Code).
    #[doc(alias = "AsdfWarning")]
    #[must_use]
    pub fn warnings(&self) -> &[Error] {
        &self.warnings
    }

    /// Returns the tree. It has no root if the file has no tree.
    #[doc(alias("info", "search", "schema_info"))]
    #[must_use]
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Returns the tree, to change it.
    pub fn tree_mut(&mut self) -> &mut Tree {
        if self.owned.is_none() {
            self.owned = Some(self.referenced());
        }
        &mut self.tree
    }

    /// Returns the node at a JSON Pointer.
    ///
    /// # Errors
    /// See [`Tree::at`]. The error names the file.
    pub fn at(&self, pointer: &str) -> Result<NodeRef<'_>> {
        self.tree.at(pointer).map_err(|error| self.named(error))
    }

    /// Reads the value at a JSON Pointer: `file.get::<f64>("/meta/exposure_time")`.
    ///
    /// # Errors
    /// See [`Tree::get`]. The error names the file.
    ///
    /// # Examples
    /// ```
    /// use asdf_core::File;
    ///
    /// let mut file = File::new();
    /// file.set_with_parents("/meta/exposure_time", &12.5)?;
    /// assert_eq!(file.get::<f64>("/meta/exposure_time")?, 12.5);
    /// assert_eq!(file.get::<Option<String>>("/meta/observer")?, None);
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    #[doc(alias = "__getitem__")]
    pub fn get<T: FromNode>(&self, pointer: &str) -> Result<T> {
        self.tree.get(pointer).map_err(|error| self.named(error))
    }

    /// Reads the value at a JSON Pointer into any `serde::Deserialize` type.
    ///
    /// [`value::serde`](crate::value::serde) says how types of serde map to nodes.
    ///
    /// # Errors
    /// See [`Tree::deserialize`]. The error names the file.
    #[cfg(feature = "serde")]
    pub fn deserialize<'a, T: serde::Deserialize<'a>>(&'a self, pointer: &str) -> Result<T> {
        self.tree.deserialize(pointer).map_err(|error| self.named(error))
    }

    /// Sets the value at a JSON Pointer from any `serde::Serialize` type.
    ///
    /// [`value::serde`](crate::value::serde) says how types of serde map to nodes.
    ///
    /// # Errors
    /// See [`Tree::serialize`].
    #[cfg(feature = "serde")]
    pub fn serialize<T: serde::Serialize + ?Sized>(&mut self, pointer: &str, value: &T) -> Result<()> {
        self.tree_mut().serialize(pointer, value)
    }

    /// Returns the array at a JSON Pointer, without reading its data.
    ///
    /// # Errors
    /// See [`Tree::get`]. The error names the file.
    ///
    /// # Examples
    /// ```
    /// use asdf_core::{File, NdArray};
    ///
    /// let mut file = File::new();
    /// file.set("/data", &NdArray::new(&[2, 2], &[1.0_f32, 2.0, 3.0, 4.0])?)?;
    /// let file = File::from_bytes(file.to_bytes()?)?;
    /// let data = file.array("/data")?;
    /// assert_eq!(data.shape(), [2, 2]);
    /// assert_eq!(data.read::<f32>()?, [1.0, 2.0, 3.0, 4.0]);
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    #[doc(alias("NDArrayType", "ndarray"))]
    pub fn array(&self, pointer: &str) -> Result<NdArray> {
        self.get(pointer)
    }

    /// Sets the value at a JSON Pointer in the tree.
    ///
    /// The file on disk changes only when it is [written](Self::write) or [updated](Self::update).
    ///
    /// # Errors
    /// See [`Tree::set`].
    ///
    /// # Examples
    /// ```
    /// use asdf_core::File;
    ///
    /// let mut file = File::new();
    /// file.set("/target", "M31")?;
    /// file.set("/filters", &["R", "G"])?;
    /// assert_eq!(file.get::<String>("/filters/1")?, "G");
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    #[doc(alias = "__setitem__")]
    pub fn set<T: ToNode + ?Sized>(&mut self, pointer: &str, value: &T) -> Result<()> {
        self.tree_mut().set(pointer, value)
    }

    /// Sets the value at a JSON Pointer and creates the missing mappings above it.
    ///
    /// An example is `file.set_with_parents("/meta/exposure/time", &12.5)`.
    ///
    /// # Errors
    /// See [`Edit::set_with_parents`](crate::value::Edit::set_with_parents).
    pub fn set_with_parents<T: ToNode + ?Sized>(&mut self, pointer: &str, value: &T) -> Result<()> {
        self.tree_mut().edit(pointer).set_with_parents(value)
    }

    /// Returns the blocks of the opened file, in the order of the file. Reads each header, but no data.
    ///
    /// # Errors
    /// Fails if the source cannot be read or a header is damaged.
    pub fn blocks(&self) -> Result<Vec<Arc<FileBlock>>> {
        self.blocks.as_ref().map_or(Ok(Vec::new()), |blocks| blocks.all())
    }

    /// Returns the block of another file in which an array with this `source` has its data.
    ///
    /// # Errors
    /// Fails if the other file cannot be read, has no block, or is outside the
    /// [allowed folders](OpenOptions::allow_folder). Fails if this file was not opened from a path.
    pub fn external_block(&self, uri: &str) -> Result<Arc<FileBlock>> {
        match &self.blocks {
            Some(blocks) => blocks.external_block(uri),
            None => {
                Err(Error::usage("the file was not opened from a path, so it cannot refer to other files"))
            }
        }
    }

    /// Returns whether the block index of the opened file is absent, right or wrong.
    ///
    /// # Errors
    /// Fails if the source cannot be read.
    pub fn index(&self) -> Result<IndexState> {
        self.blocks.as_ref().map_or(Ok(IndexState::Absent), |blocks| blocks.index())
    }

    /// Writes the file to a path with the default [`WriteOptions`].
    ///
    /// An old file at the path stays unchanged until the new file is complete.
    ///
    /// # Errors
    /// See [`WriteOptions::write`].
    ///
    /// # Examples
    /// ```
    /// use asdf_core::File;
    ///
    /// let path = std::env::temp_dir().join(format!("asdf-doc-write-{}.asdf", std::process::id()));
    /// let mut file = File::new();
    /// file.set("/target", "M31")?;
    /// file.write(&path)?;
    /// assert_eq!(File::open(&path)?.get::<String>("/target")?, "M31");
    /// # std::fs::remove_file(&path).unwrap();
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    #[doc(alias("write_to", "save", "dump"))]
    pub fn write(&self, path: impl AsRef<Path>) -> Result<()> {
        WriteOptions::new().write(self, path)
    }

    /// Writes the bytes of the file to a writer with the default options: see [`WriteOptions::write_to`].
    ///
    /// # Errors
    /// See [`WriteOptions::write_to`].
    pub fn write_to(&self, out: impl Write) -> Result<()> {
        WriteOptions::new().write_to(self, out)
    }

    /// Returns the bytes of the file, written with the default [`WriteOptions`].
    ///
    /// # Errors
    /// See [`WriteOptions::write`].
    #[doc(alias("copy", "dumps"))]
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        WriteOptions::new().to_bytes(self)
    }

    /// The threads that the file was opened with; all for a new file.
    fn threads(&self) -> Threads {
        self.blocks.as_ref().map_or(Threads::ALL, |blocks| blocks.reading().threads())
    }

    /// The numbers of the blocks that ndarray nodes refer to.
    fn referenced(&self) -> BTreeSet<u64> {
        survey::Survey::of(&self.tree, false).referenced(&self.tree)
    }

    /// A copy that can be changed for writing.
    fn for_writing(&self) -> Self {
        Self {
            place: self.place.clone(),
            header: self.header.clone(),
            tree: self.tree.clone(),
            blocks: self.blocks.clone(),
            warnings: Arc::default(),
            owned: Some(self.owned.clone().unwrap_or_else(|| self.referenced())),
            opened: None,
            extensions: self.extensions.clone(),
        }
    }

    fn named(&self, error: Error) -> Error {
        self.place.named(error)
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
        assert_eq!(format!("{:?}", file.blocks.as_ref().unwrap()), "FileBlocks(memory)");
        let options = OpenOptions::new().report_checksums(|_| ());
        assert!(format!("{options:?}").contains("checks: Report(Report)"), "{options:?}");
    }

    #[test]
    fn clones_change_on_their_own() {
        let mut file = File::new();
        file.set("/gain", &2.5).unwrap();
        file.set("/flags", &NdArray::new(&[4], &[0_u8, 1, 0, 0]).unwrap()).unwrap();
        let file = File::from_bytes(file.to_bytes().unwrap()).unwrap();
        let mut clone = file.clone();
        clone.set("/gain", &3.5).unwrap();
        assert_eq!(file.get::<f64>("/gain").unwrap(), 2.5);
        assert_eq!(clone.get::<f64>("/gain").unwrap(), 3.5);
        assert_eq!(clone.array("/flags").unwrap().read::<u8>().unwrap(), [0, 1, 0, 0]);
        assert!(Arc::ptr_eq(file.blocks.as_ref().unwrap(), clone.blocks.as_ref().unwrap()));
    }

    #[test]
    fn missing_mappings_are_made() {
        let mut file = File::new();
        file.set_with_parents("/meta/exposure/time", &12.5).unwrap();
        assert_eq!(file.get::<f64>("/meta/exposure/time").unwrap(), 12.5);
    }
}
