//! What a file is written with.

use std::sync::Arc;

use super::watch::Watch;
use super::{Padding, Storage};
use crate::block::codec::Codecs;
use crate::block::{Codec, Compression};
use crate::error::{Error, Result};
use crate::threads::Threads;

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
    /// [`update`](super::File::update) finds room.
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

    pub(super) fn check(&self) -> Result<()> {
        match self.alignment {
            Some(bytes) if !bytes.is_power_of_two() || bytes > MAX_ALIGNMENT => Err(Error::usage(format!(
                "found the alignment {bytes}, expected a power of two up to {MAX_ALIGNMENT}"
            ))),
            _ => Ok(()),
        }
    }

    /// Whether all arrays are stored where they are, unless the file moves.
    pub(super) fn keeps_storage(&self) -> bool {
        self.storage == Storage::Kept && self.inline_below == 0 && self.storages.is_empty()
    }
}
