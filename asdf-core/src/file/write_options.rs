//! Options for writing files.

use std::sync::Arc;

use super::watch::Watch;
use super::{Padding, Storage};
use crate::block::codec::Codecs;
use crate::block::{Codec, Compression};
use crate::error::{Error, Result};
use crate::threads::Threads;

/// The largest alignment: `header_size` has 16 bits.
const MAX_ALIGNMENT: u64 = 32768;

/// Options for writing a file: compression, checksums, storage of arrays, alignment, padding.
///
/// The same tree, blocks and options give the same bytes: nothing depends on the clock, the machine or the order of a
/// hash table. Only `asdf_library` changes with the version of this library; without [`sign`](Self::sign) it does not
/// change either.
///
/// # Examples
/// ```
/// use asdf_core::file::{Padding, Storage};
/// use asdf_core::{File, NdArray, WriteOptions};
///
/// let mut file = File::new();
/// file.set("/image", &NdArray::new(&[512, 512], &vec![1.5_f32; 512 * 512])?)?;
/// file.set("/shift", &NdArray::new(&[2], &[0.25_f64, -1.0])?)?;
/// let options = WriteOptions::new()
///     .alignment(4096)                // the image's bytes begin on a page
///     .padding(Padding::Percent(10))  // space for later updates
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
#[doc(alias("write_to", "AsdfConfig"))]
pub struct WriteOptions {
    pub(super) compression: Option<Compression>,
    pub(super) frame_rows: Option<u64>,
    pub(super) codecs: Codecs,
    pub(super) checksums: bool,
    pub(super) accept_damage: bool,
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
            frame_rows: None,
            codecs: Codecs::new(),
            checksums: true,
            accept_damage: false,
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
    /// Makes the default options.
    ///
    /// Each block keeps its codec and gets a checksum, but no free space. Each array stays where it is. The file
    /// gets a block index, `asdf_library` and `history.extensions`.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the compression of all blocks, instead of that of each array.
    #[doc(alias("all_array_compression", "set_array_compression"))]
    #[must_use]
    pub fn compression(mut self, compression: Compression) -> Self {
        self.compression = Some(compression);
        self
    }

    /// Writes compressed blocks in frames of `rows` rows each, so that a slice of an array decodes only its frames.
    ///
    /// A row is one entry of the first axis. The last frame can have fewer rows. It applies to blocks that are written with
    /// a codec that [has chunks](Codec::has_chunks), which are `lz4`, `zstd` and `bls2`. Python's asdf reads such `lz4` and
    /// `zstd` blocks as any others. Blocks that have such a compression already are encoded again, at the default level
    /// unless [`compression`](Self::compression) gives another one.
    ///
    /// The rows are those of the first array that consists of all data of the block, in C order. Other blocks are written as
    /// without this option:
    ///
    /// - blocks of other codecs and blocks without compression,
    /// - blocks that no array fills in C order, and arrays of one row or without elements,
    /// - chunks of a [`ChunkedArray`](crate::array::ChunkedArray),
    /// - blocks that [`Storage::External`] writes to other files.
    ///
    /// [`FileBlock::frames`](super::FileBlock::frames) returns the frames of an `lz4` block. Writing fails if a frame would hold
    /// more than 256 MiB of data, because readers decode larger frames as a whole block.
    ///
    /// # Examples
    /// ```
    /// use asdf_core::{Compression, File, NdArray, WriteOptions};
    ///
    /// let mut file = File::new();
    /// file.set("/spectra", &NdArray::new(&[100, 512], &[1.5_f32; 51_200])?)?;
    /// let options = WriteOptions::new().compression(Compression::LZ4).frame_rows(10);
    /// let file = File::from_bytes(options.to_bytes(&file)?)?;
    /// let frames = file.blocks()?[0].frames()?.unwrap_or_default();
    /// assert_eq!(frames.len(), 10);
    /// assert_eq!(frames[1].data, 10 * 512 * 4..20 * 512 * 4);
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    #[must_use]
    pub fn frame_rows(mut self, rows: u64) -> Self {
        self.frame_rows = Some(rows);
        self
    }

    /// Adds a codec, which writes the blocks with its label. See [`Codec`].
    ///
    /// The codecs that the file was opened with need not be added again.
    #[must_use]
    pub fn codec(mut self, codec: Arc<dyn Codec>) -> Self {
        self.codecs.add(codec);
        self
    }

    /// Sets the maximum number of threads for encoding blocks and computing checksums.
    ///
    /// The default is the number that the file was [opened with](super::OpenOptions::threads), or all for a new file. The
    /// bytes do not depend on it. With [`Threads::ONE`] writing starts no thread. Blocks of an opened file that are
    /// encoded again are decoded on the threads that the file was opened with. The table in
    /// [`codec`](crate::block::codec) says which codecs use threads.
    #[must_use]
    pub fn threads(mut self, threads: Threads) -> Self {
        self.threads = Some(threads);
        self
    }

    /// Sets whether to store the MD5 checksum of each block; the default is yes.
    ///
    /// A damaged block of an opened file keeps its old checksum either way, so that the damage stays visible. See
    /// [`accept_damage`](Self::accept_damage).
    #[must_use]
    pub fn checksums(mut self, yes: bool) -> Self {
        self.checksums = yes;
        self
    }

    /// Sets whether to accept the data of blocks whose checksum does not match; the default is no.
    ///
    /// If it is set, such a block gets a new checksum like any other. Nothing in the new file then shows the damage.
    ///
    /// By default a block that is copied keeps its old checksum. Writing fails if the data would have to be encoded
    /// again or moved into the tree, which would hide the damage. It also fails if the file was opened with
    /// [`verify_checksums`](super::OpenOptions::verify_checksums). A file that was opened with
    /// [`report_checksums`](super::OpenOptions::report_checksums) reports each damaged block that is written, once.
    ///
    /// Writing fails as well if a block was [missed](super::File::missed_blocks) before others, because arrays would get the
    /// data of other blocks.
    ///
    /// # Examples
    /// ```
    /// use asdf_core::error::Code;
    /// use asdf_core::{File, NdArray, WriteOptions};
    ///
    /// let mut file = File::new();
    /// file.set("/data", &NdArray::new(&[3], &[1_u8, 2, 3])?)?;
    /// let mut bytes = file.to_bytes()?;
    /// let at = bytes.windows(3).position(|part| part == [1, 2, 3]).unwrap();
    /// bytes[at] = 0;
    /// let damaged = File::from_bytes(bytes)?;
    /// let inline = WriteOptions::new().inline_below(10);
    /// assert_eq!(inline.to_bytes(&damaged).unwrap_err().code(), Some(Code::Checksum));
    /// let accepted = File::from_bytes(inline.accept_damage(true).to_bytes(&damaged)?)?;
    /// assert_eq!(accepted.array("/data")?.read::<u8>()?, [0, 2, 3]);
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    #[must_use]
    pub fn accept_damage(mut self, yes: bool) -> Self {
        self.accept_damage = yes;
        self
    }

    /// Sets whether to write a block index at the end of the file; the default is yes.
    #[doc(alias = "include_block_index")]
    #[must_use]
    pub fn index(mut self, yes: bool) -> Self {
        self.index = yes;
        self
    }

    /// Sets whether to write `asdf_library` and `history.extensions`; the default is yes.
    ///
    /// `asdf_library` names this library, and `history.extensions` lists the core extension. Without them the tree is
    /// written unchanged.
    #[must_use]
    pub fn sign(mut self, yes: bool) -> Self {
        self.sign = yes;
        self
    }

    /// Sets the alignment of each block's data in the file: a power of two up to 32768 bytes.
    ///
    /// The default is 8, so that [`View::as_slice`](crate::array::View::as_slice) lends the elements of every
    /// uncompressed array of a mapped file. Block headers become larger to align the data; an alignment of 1 saves up to
    /// 7 bytes per block. An update drops the default alignment, but never one that was set, if a block fits into free
    /// space only without it.
    #[must_use]
    pub fn alignment(mut self, bytes: u64) -> Self {
        self.alignment = Some(bytes);
        self
    }

    /// Sets the free space after the tree and after each block, for later [updates](super::File::update).
    #[doc(alias = "pad_blocks")]
    #[must_use]
    pub fn padding(mut self, padding: Padding) -> Self {
        self.padding = padding;
        self
    }

    /// Sets where the elements of all arrays are stored. [`Storage`] lists the exceptions.
    #[doc(alias("all_array_storage", "array_storage"))]
    #[must_use]
    pub fn storage(mut self, storage: Storage) -> Self {
        self.storage = storage;
        self
    }

    /// Stores arrays with fewer elements than this in the tree, whatever [`storage`](Self::storage) says.
    ///
    /// The default is 0. Arrays without axes stay where they are.
    #[doc(alias = "array_inline_threshold")]
    #[must_use]
    pub fn inline_below(mut self, elements: u64) -> Self {
        self.inline_below = elements;
        self
    }

    /// Sets where the elements of the array at a JSON Pointer are stored, whatever the other options say.
    ///
    /// The last call for a node counts.
    #[doc(alias = "set_array_storage")]
    #[must_use]
    pub fn storage_at(mut self, pointer: impl Into<String>, storage: Storage) -> Self {
        self.storages.push((pointer.into(), storage));
        self
    }

    /// Sets whether [`Storage::Inline`] applies to arrays with integers that the standard forbids in trees.
    ///
    /// Those are 64-bit integers above 2⁶³-1 and the two lowest ones. By default such arrays stay in their blocks. Readers
    /// that know the datatype of the array, such as this one and Python's asdf, read them correctly.
    #[must_use]
    pub fn wide_integers(mut self, yes: bool) -> Self {
        self.wide_integers = yes;
        self
    }

    /// Sets whether [`Storage::External`] may replace an old exploded file; the default is no.
    ///
    /// Without it, a file `NAME0000.asdf` that exists is an error. With it, existing files are never overwritten: new ones
    /// get the next free names. Once the new main file is at its path, the files `NAME0000.asdf` and so on are removed that
    /// the old main file at that path referred to and the new one does not. After a crash at any point, the path has the
    /// old main file with all its data, or the new one with all its data.
    ///
    /// A [`File`](super::File) that was opened from the same path refers to the removed files: open it again. The same
    /// holds for copies of the old main file in that folder.
    #[must_use]
    pub fn replace_siblings(mut self, yes: bool) -> Self {
        self.replace_siblings = yes;
        self
    }

    /// Calls a function with the number of bytes of blocks after each write, for a progress bar.
    ///
    /// Bytes of a block that is encoded count while it is encoded. The threads that write call the function, so it has to
    /// be fast.
    #[must_use]
    pub fn watch(mut self, watch: impl Fn(u64) + Send + Sync + 'static) -> Self {
        self.watch = self.watch.reporting(watch);
        self
    }

    /// Calls a function again and again while blocks are encoded and written, and stops with an error once it returns `true`.
    ///
    /// At a path, the old file then stays. The function is called after each megabyte, or after each part of a block that a
    /// codec encodes: `blsc`, and `zstd` without chunks, encode a block as a whole. Threads that encode
    /// call it, so it has to be fast.
    ///
    /// # Examples
    /// ```
    /// use std::sync::atomic::{AtomicBool, Ordering};
    ///
    /// use asdf_core::{File, NdArray, WriteOptions};
    ///
    /// static STOP: AtomicBool = AtomicBool::new(false);
    /// let mut file = File::new();
    /// file.set("/image", &NdArray::new(&[512, 512], &[0_u8; 512 * 512])?)?;
    /// let options = WriteOptions::new().stop_when(|| STOP.load(Ordering::Relaxed));
    /// assert!(options.to_bytes(&file).is_ok());
    /// STOP.store(true, Ordering::Relaxed);
    /// assert!(options.to_bytes(&file).unwrap_err().to_string().contains("the program stopped it"));
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    #[must_use]
    pub fn stop_when(mut self, stop: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        self.watch = self.watch.stopping(stop);
        self
    }

    pub(super) fn check(&self) -> Result<()> {
        if self.frame_rows == Some(0) {
            return Err(Error::usage("found 0 rows in each frame, expected at least 1"));
        }
        match self.alignment {
            Some(bytes) if !bytes.is_power_of_two() || bytes > MAX_ALIGNMENT => Err(Error::usage(format!(
                "found the alignment {bytes}, expected a power of two up to {MAX_ALIGNMENT}"
            ))),
            _ => Ok(()),
        }
    }

    /// Whether all arrays stay where they are stored, unless the file moves to another folder.
    pub(super) fn keeps_storage(&self) -> bool {
        self.storage == Storage::Kept && self.inline_below == 0 && self.storages.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alignments_are_powers_of_two_up_to_32768() {
        let file = crate::File::new();
        for bytes in [1, 2, 512, 32768] {
            assert!(WriteOptions::new().alignment(bytes).to_bytes(&file).is_ok(), "{bytes}");
        }
        for bytes in [0, 3, 1000, 32767, 32769, 65536] {
            let error = WriteOptions::new().alignment(bytes).to_bytes(&file).unwrap_err();
            assert!(error.to_string().contains(&format!("the alignment {bytes}, expected")), "{error}");
        }
    }
}
