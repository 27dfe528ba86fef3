//! What a file is opened with.

use std::path::Path;
use std::sync::Arc;

use super::Limits;
use super::allowed_folders::Folders;
use super::checks::{Checks, Report};
use super::extension::{Extension, Extensions};
use super::reading::{Decoded, Reading};
use super::watch::Watch;
use crate::block::Codec;
use crate::block::codec::Codecs;
use crate::error::Error;
use crate::threads::Threads;

/// How a file is opened.
///
/// ```no_run
/// use asdf_core::OpenOptions;
///
/// let file = OpenOptions::new().mmap(true).verify_checksums(true).open("r0000101.asdf")?;
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct OpenOptions {
    pub(super) limits: Limits,
    pub(super) mmap: bool,
    pub(super) checks: Checks,
    pub(super) missed: Option<Report>,
    pub(super) codecs: Codecs,
    pub(super) extensions: Extensions,
    pub(super) folders: Folders,
    /// What was decoded of the file that led to the one that is opened.
    pub(super) decoded: Option<Arc<Decoded>>,
    pub(super) watch: Watch,
}

impl OpenOptions {
    /// The defaults: reads by position, no checksums, [`Limits::default`].
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether to map the file into memory, so that arrays of blocks that are not compressed borrow
    /// from the map and no byte is copied. Needs the feature `mmap`.
    ///
    /// The contract: no program shortens the file or writes into it while it is open. If the file becomes shorter, the
    /// operating system ends this program with a bus error. If bytes in it change, so does what is read.
    #[must_use]
    pub fn mmap(mut self, yes: bool) -> Self {
        self.mmap = yes;
        self
    }

    /// Whether to check each block's checksum when it is first read, and to refuse its data if it does not
    /// match. Blocks without one, and those whose checksum is of the decoded bytes (Python's asdf before 5.3),
    /// pass.
    #[must_use]
    pub fn verify_checksums(mut self, yes: bool) -> Self {
        self.checks = if yes { Checks::Refuse } else { Checks::None };
        self
    }

    /// Checks the blocks that are read whole, and reports a checksum that does not match: once for each block,
    /// with an error that names the file, the first array in the block, and the byte. The data are read all the
    /// same. Blocks of which only a part is read are not checked. Replaces
    /// [`verify_checksums`](Self::verify_checksums).
    #[must_use]
    pub fn report_checksums(mut self, report: impl Fn(Error) + Send + Sync + 'static) -> Self {
        self.checks = Checks::Report(Report::new(report));
        self
    }

    /// Reports once for each file that a block is not where the block index expects it, as
    /// [`File::missed_blocks`](super::File::missed_blocks) does: arrays may have the data of other blocks then. The check
    /// uses the headers that are read for arrays, so a damaged header behind the last block that is used is not
    /// reported. Arrays are read all the same.
    #[must_use]
    pub fn report_missed_blocks(mut self, report: impl Fn(Error) + Send + Sync + 'static) -> Self {
        self.missed = Some(Report::new(report));
        self
    }

    /// What the file may ask of memory.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Adds a codec of the program's own: it reads the blocks of its label, before any of this
    /// build's, and writes them when the file is written. See [`Codec`].
    #[must_use]
    pub fn codec(mut self, codec: Arc<dyn Codec>) -> Self {
        self.codecs.add(codec);
        self
    }

    /// Sets the maximum number of threads that reading the file may work on: decoding blocks, copying large arrays and
    /// [verifying](super::File::verify) checksums. All by default; with [`Threads::ONE`] nothing that is done with the file
    /// starts a thread. Holds for the files that it leads to, and for writing it unless
    /// [`WriteOptions::threads`](super::WriteOptions::threads) says otherwise. The table in
    /// [`codec`](crate::block::codec) says which codecs use threads.
    #[must_use]
    pub fn threads(mut self, threads: Threads) -> Self {
        self.codecs.threads = threads;
        self
    }

    /// Adds an extension, whose codecs come behind those that are [given](Self::codec) one by one. What it says
    /// of itself is compared with the file's history; see [`Extension`].
    #[must_use]
    pub fn extension(mut self, extension: Extension) -> Self {
        self.extensions.add(extension);
        self
    }

    /// Lets the file name files of this folder and below, by references (`$ref`) and for the data of
    /// arrays: with a relative URI, in which `..` is understood then, or `file:` and an absolute path. May
    /// be given several times. Without it, only files of its own folder and below are read.
    ///
    /// Where a file is counts after symbolic links were followed; `..` takes away the word before it, also
    /// where that is a link. Files that are opened for this one may name files of the same folders. A
    /// relative path is one from where the program is now; a folder that is not there allows nothing.
    #[must_use]
    pub fn allow_folder(mut self, folder: impl AsRef<Path>) -> Self {
        self.folders.add(folder.as_ref());
        self
    }

    /// Calls a function with the number of bytes after each read of the file, and of those that it leads to: for a
    /// progress bar. What is read twice is counted twice. It is called by the threads that read, so it has to be fast.
    #[must_use]
    pub fn watch(mut self, watch: impl Fn(u64) + Send + Sync + 'static) -> Self {
        self.watch = Watch::new(watch);
        self
    }

    /// How to open another file that one leads to: as that one was, and what it decodes to counts with that one's.
    pub(super) fn reached_from(reading: &Reading) -> Self {
        Self {
            limits: reading.limits,
            checks: reading.checks.clone(),
            missed: reading.missed.clone(),
            codecs: reading.codecs(),
            folders: reading.folders.clone(),
            decoded: Some(reading.decoded.clone()),
            watch: reading.watch.clone(),
            ..Self::default()
        }
    }

    /// Whether files are mapped.
    pub(super) fn is_mapped(&self) -> bool {
        self.mmap
    }
}
