//! Writing files.

use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use super::atomic::{BUFFER, Output, Stream};
use super::plan::Plan;
use super::unfinished::Unfinished;
use super::watch::Watch;
use super::{File, Header, Padding, Storage, Version, atomic, disk, provenance};
use crate::block::codec::Codecs;
use crate::block::{Codec, Compression};
use crate::error::{Error, Hint, Result};
use crate::threads::Threads;
use crate::tree::Kind;
use crate::value::Timestamp;

/// The tag of a root made here.
pub(super) const ROOT_TAG: &str = "tag:stsci.edu:asdf/core/asdf-1.1.0";

/// The same before standard 1.2.0.
const ROOT_TAG_1_0_0: &str = "tag:stsci.edu:asdf/core/asdf-1.0.0";

/// Every element of a native array can be lent from a map by its place, but those of 128 bits.
pub(super) const USUAL_ALIGNMENT: u64 = 8;

/// The largest alignment: `header_size` has 16 bits.
const MAX_ALIGNMENT: u64 = 32768;

/// How a file is written.
///
/// The same tree, blocks and options give the same bytes: nothing is taken from the clock, the
/// machine or the order of a hash table. `asdf_library` changes with the version of this library;
/// without [`sign`](Self::sign) not even that does.
///
/// ```
/// use asdf_core::file::{Padding, Storage};
/// use asdf_core::{File, NdArray, WriteOptions};
///
/// let mut file = File::new();
/// file.set("/image", &NdArray::new(&[512, 512], &vec![1.5_f32; 512 * 512])?)?;
/// file.set("/shift", &NdArray::new(&[2], &[0.25_f64, -1.0])?)?;
/// let options = WriteOptions::new()
///     .alignment(4096)                // the image's bytes begin on a page
///     .padding(Padding::Percent(10))  // room for later updates
///     .inline_below(10);              // the shift goes into the tree
/// let back = File::from_bytes(options.to_bytes(&file)?)?;
/// assert!(back.array("/shift")?.is_inline());
/// let image = &back.blocks()?[0];
/// assert_eq!(image.header().data_offset(image.offset())? % 4096, 0);
///
/// let folder = std::env::temp_dir().join(format!("asdf-doc-{}", std::process::id()));
/// std::fs::create_dir_all(&folder).unwrap();
/// let options = WriteOptions::new().storage(Storage::External).storage_at("/shift", Storage::Inline);
/// options.replace_siblings(true).write(&file, folder.join("m31.asdf"))?;
/// let exploded = File::open(folder.join("m31.asdf"))?;
/// assert_eq!(exploded.array("/image")?.external(), Some("m310000.asdf"));
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct WriteOptions {
    pub(super) compression: Option<Compression>,
    pub(super) codecs: Codecs,
    pub(super) checksums: bool,
    pub(super) index: bool,
    pub(super) sign: bool,
    pub(super) alignment: Option<u64>,
    pub(super) padding: Padding,
    pub(super) storage: Storage,
    pub(super) inline_below: u64,
    pub(super) storages: Vec<(String, Storage)>,
    pub(super) replace_siblings: bool,
    pub(super) wide_integers: bool,
    pub(super) watch: Watch,
    pub(super) threads: Option<Threads>,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self {
            compression: None,
            codecs: Codecs::new(),
            checksums: true,
            index: true,
            sign: true,
            alignment: None,
            padding: Padding::None,
            storage: Storage::Kept,
            inline_below: 0,
            storages: Vec::new(),
            replace_siblings: false,
            wide_integers: false,
            watch: Watch::default(),
            threads: None,
        }
    }
}

impl WriteOptions {
    /// The defaults: each block with the codec that it has and without free space, checksums, a block
    /// index, `asdf_library` and `history.extensions` set, every array stored where it is.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A codec for all blocks, instead of each array's own.
    #[must_use]
    pub fn compression(mut self, compression: Compression) -> Self {
        self.compression = Some(compression);
        self
    }

    /// Adds a codec of the program's own, for blocks of its label. Those that the file was opened
    /// with are there already. See [`Codec`].
    #[must_use]
    pub fn codec(mut self, codec: Arc<dyn Codec>) -> Self {
        self.codecs.add(codec);
        self
    }

    /// Sets the maximum number of threads that writing may work on: encoding blocks and making checksums. By default
    /// those that the file was [opened with](super::OpenOptions::threads), for a new file all. The bytes do not depend
    /// on it. With [`Threads::ONE`] writing starts no thread; blocks that are read from an opened file to be encoded
    /// anew are decoded on the threads that it was opened with. The table in [`codec`](crate::block::codec) says which
    /// codecs use threads.
    #[must_use]
    pub fn threads(mut self, threads: Threads) -> Self {
        self.threads = Some(threads);
        self
    }

    /// Whether to store the MD5 of each block's bytes. A block of an opened file whose checksum does
    /// not match its bytes keeps that checksum, so that the damage can still be seen.
    #[must_use]
    pub fn checksums(mut self, yes: bool) -> Self {
        self.checksums = yes;
        self
    }

    /// Whether to end the file with a block index.
    #[must_use]
    pub fn index(mut self, yes: bool) -> Self {
        self.index = yes;
        self
    }

    /// Whether to set `asdf_library` to this library and list the core extension in
    /// `history.extensions`. Without it the tree is written as it is.
    #[must_use]
    pub fn sign(mut self, yes: bool) -> Self {
        self.sign = yes;
        self
    }

    /// Sets the alignment of each block's data in the file: a power of two up to 32768. The header of the
    /// block is made larger for that.
    ///
    /// The default is 8, so that [`View::as_slice`](crate::array::View::as_slice) lends the elements of every
    /// uncompressed array of a mapped file. Only an update gives that up, for a block that fits into free
    /// space without it and not with it. An alignment that is set is always kept; 1 saves up to 7 bytes a
    /// block.
    #[must_use]
    pub fn alignment(mut self, bytes: u64) -> Self {
        self.alignment = Some(bytes);
        self
    }

    /// Free space after the tree and after each block, so that a later
    /// [`update`](File::update) finds room.
    #[must_use]
    pub fn padding(mut self, padding: Padding) -> Self {
        self.padding = padding;
        self
    }

    /// Where the elements of all arrays are stored; see there for what it does not change.
    #[must_use]
    pub fn storage(mut self, storage: Storage) -> Self {
        self.storage = storage;
        self
    }

    /// Puts arrays of fewer elements than this into the tree, whatever [`storage`](Self::storage)
    /// says; 0, the default, none. Arrays without axes stay where they are.
    #[must_use]
    pub fn inline_below(mut self, elements: u64) -> Self {
        self.inline_below = elements;
        self
    }

    /// Where the elements of one array are stored, by the JSON Pointer of its node, whatever the
    /// other options say. The last word for a node counts.
    #[must_use]
    pub fn storage_at(mut self, pointer: impl Into<String>, storage: Storage) -> Self {
        self.storages.push((pointer.into(), storage));
        self
    }

    /// Whether [`Storage::Inline`] puts arrays of 64-bit integers into the tree that hold such integers as the standard
    /// does not let stand there: those above 2⁶³-1, and the two lowest. Such arrays stay in their blocks by default.
    /// Readers that know the array's datatype, as this one and Python's asdf, read them right.
    #[must_use]
    pub fn wide_integers(mut self, yes: bool) -> Self {
        self.wide_integers = yes;
        self
    }

    /// Whether [`Storage::External`] may replace files that are there already. Each is replaced
    /// atomically, but not all of them and the main file in one step: when the program is killed
    /// between, an old main file of the same name refers to new data.
    #[must_use]
    pub fn replace_siblings(mut self, yes: bool) -> Self {
        self.replace_siblings = yes;
        self
    }

    /// Calls a function with the number of bytes that were written of blocks, in pieces; those of a block that is
    /// encoded while it is encoded. For a progress bar. It is called by the threads that write, so it has to be fast.
    #[must_use]
    pub fn watch(mut self, watch: impl Fn(u64) + Send + Sync + 'static) -> Self {
        self.watch = Watch::new(watch);
        self
    }

    /// Writes a file, atomically: a new file is made in the same folder, put on the disk and renamed.
    /// What stood at the path before is whole until then, and stays on any error. A killed program
    /// leaves a file `.asdf-*.tmp`, which the next writer of that path removes.
    ///
    /// Blocks are written one after the other, in the order of their numbers. Those of the opened
    /// file that no array refers to any more are left out, and the others numbered anew, unless the
    /// file has blocks that never were an array's: then an unknown tag may refer to them by number,
    /// and all keep their numbers. Arrays that are views of one block share it in the file too. A
    /// streamed block gets its size, and no rows can be appended to it any more.
    ///
    /// Where `path` is in another folder than the opened file, references (`$ref`) and the `fileuri` of
    /// external arrays are written so that they lead to the same files from there; for arrays in other
    /// files see [`Storage::Kept`]. References that then lead out of the new folder are right, but
    /// [`File::resolve`] refuses to follow them without [`OpenOptions::allow_folder`](super::OpenOptions::allow_folder).
    ///
    /// Memory: blocks that are not to be encoded are written in pieces of a megabyte, from memory or
    /// from the opened file, while another thread makes their checksum; one that is encoded is in
    /// memory twice, decoded and encoded.
    ///
    /// The siblings of an exploded file are written before it, each in the same way. On an error
    /// those that are new are removed again.
    ///
    /// # Errors
    /// When the file cannot be written, the tree is too deep or too large, a block of the opened
    /// file cannot be read, or an option does not fit; [`Usage`](crate::error::Kind::Usage) when a
    /// sibling of an exploded file is there and [may not be replaced](Self::replace_siblings).
    pub fn write(&self, file: &File, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        let plan = self.plan(file, Some(path)).map_err(|error| file.named(error))?;
        let siblings = self.write_siblings(file, &plan)?;
        let write = |out: &mut dyn Output| plan.write(out).map_err(|error| error.at_file(path));
        atomic::replace_with(path, self.threads_for(file), write, || siblings.keep())
    }

    /// The bytes of a file.
    ///
    /// # Errors
    /// As [`write`](Self::write); bytes have no siblings.
    pub fn to_bytes(&self, file: &File) -> Result<Vec<u8>> {
        let mut out = std::io::Cursor::new(Vec::new());
        self.plan(file, None)?.write(&mut out)?;
        Ok(out.into_inner())
    }

    /// Writes the bytes of a file to any writer, such as a pipe, a socket or standard output, from the first to the
    /// last. It never seeks, so the writer may be in the middle of something larger. Small writes are collected, and
    /// flushed at the end.
    ///
    /// Memory is that of [`write`](Self::write): the tree's text, one block that is encoded, and a megabyte of one that
    /// is copied from the opened file. Since a checksum stands before the data, such a block is read twice if it is
    /// larger than a megabyte; without [`checksums`](Self::checksums) it is read once. A large file on a disk is
    /// written faster by [`write`](Self::write), which goes back for the checksums.
    ///
    /// ```
    /// use asdf_core::{File, WriteOptions};
    ///
    /// let mut file = File::new();
    /// file.set("/target", "M31")?;
    /// let mut out: Vec<u8> = b"before".to_vec();
    /// WriteOptions::new().write_to(&file, &mut out)?;
    /// assert_eq!(File::from_bytes(out.split_off(6))?.get::<String>("/target")?, "M31");
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`to_bytes`](Self::to_bytes), and [`Io`](crate::error::Kind::Io) if the writer fails. Then a part of the file
    /// may have been written.
    pub fn write_to(&self, file: &File, out: impl Write) -> Result<()> {
        self.plan(file, None)?.write(&mut Stream(BufWriter::with_capacity(BUFFER, out)))
    }

    pub(super) fn check(&self) -> Result<()> {
        match self.alignment {
            Some(bytes) if !bytes.is_power_of_two() || bytes > MAX_ALIGNMENT => Err(Error::usage(format!(
                "blocks cannot be aligned to {bytes} bytes, only to a power of two up to {MAX_ALIGNMENT}"
            ))),
            _ => Ok(()),
        }
    }

    fn plan<'o>(&'o self, file: &'o File, path: Option<&Path>) -> Result<Plan<'o>> {
        self.check()?;
        Plan::new(self, file, path)
    }

    fn write_siblings(&self, file: &File, plan: &Plan<'_>) -> Result<Siblings> {
        let mut written = Siblings(Vec::new());
        let taken = plan.siblings.iter().find(|sibling| sibling.path.symlink_metadata().is_ok());
        if let Some(sibling) = taken.filter(|_| !self.replace_siblings) {
            return Err(Error::usage("this file is there already, and would be replaced by an array's data")
                .at_file(&sibling.path)
                .with_hint(Hint::ReplaceSiblings));
        }
        for sibling in &plan.siblings {
            let path = &sibling.path;
            let new = path.symlink_metadata().is_err();
            let plan = Plan::sibling(self, file, sibling.block.clone())?;
            if new {
                written.0.push(Unfinished::new(path.clone()));
            }
            let write = |out: &mut dyn Output| plan.write(out).map_err(|error| error.at_file(path));
            atomic::replace_with(path, self.threads_for(file), write, || ())?;
        }
        Ok(written)
    }
}

/// The new files beside one that is not written yet; removed if it never is.
struct Siblings(Vec<Unfinished>);

impl Siblings {
    fn keep(mut self) {
        self.0.clear();
    }
}

impl Drop for Siblings {
    fn drop(&mut self) {
        for path in &self.0 {
            // There is an error already.
            let _ = disk::remove(path.path());
        }
    }
}

impl File {
    /// Adds an entry to the file's history: what was done to it, when (in UTC), and by which program.
    ///
    /// ```
    /// use asdf_core::file::Software;
    /// use asdf_core::value::Timestamp;
    /// use asdf_core::File;
    ///
    /// let mut file = File::new();
    /// let program = Software { name: "photometry-kit".to_owned(), version: "5.2.0".to_owned() };
    /// file.add_history("Bias subtracted", Some(Timestamp::new("2026-11-20 12:30:00")?), Some(&program))?;
    /// assert_eq!(file.get::<Timestamp>("/history/entries/0/time")?.as_str(), "2026-11-20 12:30:00");
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Mismatch`](crate::error::Kind::Mismatch) when the history that is there is of another form.
    pub fn add_history(
        &mut self,
        description: &str,
        time: Option<Timestamp>,
        software: Option<&super::Software>,
    ) -> Result<()> {
        provenance::add_entry(self.tree_mut(), description, time, software)
    }

    /// Sets the version of the ASDF Standard to write, for a file without a tree or with one made
    /// here. The tags of values that are in the tree already stay.
    pub fn set_standard(&mut self, version: Version) {
        let comments = std::mem::take(&mut self.header.comments);
        self.header = Header::new(version);
        self.header.comments = comments;
        self.tree.set_standard((version.major, version.minor, version.patch));
        let root = self.tree.root().filter(|root| {
            root.kind() == Kind::Mapping && matches!(root.tag(), Some(ROOT_TAG | ROOT_TAG_1_0_0))
        });
        if let Some(root) = root.map(|root| root.id()) {
            let tag = if version < Version::new(1, 2, 0) { ROOT_TAG_1_0_0 } else { ROOT_TAG };
            self.tree.set_tag(root, Some(tag));
        }
    }
}
