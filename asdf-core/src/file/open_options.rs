//! Options for opening files.

use std::path::Path;
use std::sync::Arc;

use super::Limits;
use super::allowed_folders::Folders;
use super::checks::{Checks, Report};
use super::container::ContainerFormat;
use super::extension::{Extension, Extensions};
use super::reading::{Decoded, Reading};
use super::watch::Watch;
use crate::block::Codec;
use crate::block::codec::Codecs;
use crate::error::Error;
use crate::threads::Threads;

/// Options for opening a file: limits, checksums, memory map, codecs, allowed folders.
///
/// # Examples
/// ```no_run
/// use asdf_core::OpenOptions;
///
/// let file = OpenOptions::new().mmap(true).verify_checksums(true).open("r0000101.asdf")?;
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
#[doc(alias("asdf.open", "config_context", "AsdfConfig"))]
pub struct OpenOptions {
    pub(super) limits: Limits,
    pub(super) mmap: bool,
    pub(super) checks: Checks,
    pub(super) missed: Option<Report>,
    pub(super) codecs: Codecs,
    pub(super) extensions: Extensions,
    /// The formats whose files can hold an ASDF file.
    pub(super) formats: Vec<Arc<dyn ContainerFormat>>,
    pub(super) folders: Folders,
    /// The bytes that were decoded of the file that refers to this one.
    pub(super) decoded: Option<Arc<Decoded>>,
    pub(super) watch: Watch,
}

impl OpenOptions {
    /// Makes the default options: reads by position, checks no checksums, uses [`Limits::default`].
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets whether to map the file into memory, so that arrays borrow uncompressed blocks without a copy.
    ///
    /// No program must shorten the file or write into it while it is open. If the file becomes shorter, the operating
    /// system ends this program with a bus error. If its bytes change, so do the elements. Needs the feature `mmap`.
    #[doc(alias("memmap", "copy_arrays", "memory map"))]
    #[must_use]
    pub fn mmap(mut self, yes: bool) -> Self {
        self.mmap = yes;
        self
    }

    /// Sets whether to check the checksum of each block on its first read, and to fail on a mismatch.
    ///
    /// Blocks without a checksum pass, and so do blocks with a checksum of the decoded bytes, as Python's asdf before 5.3
    /// wrote them.
    ///
    /// Arrays are also an error if a block before theirs was [missed](super::File::missed_blocks), because they would have
    /// the data of another block.
    #[doc(alias = "validate_checksums")]
    #[must_use]
    pub fn verify_checksums(mut self, yes: bool) -> Self {
        self.checks = if yes { Checks::Refuse } else { Checks::None };
        self
    }

    /// Calls a function with each checksum mismatch, and reads the data anyway.
    ///
    /// The function gets one error per block, which names the file, the first array in the block, and the byte. Blocks
    /// that are read only in part are not checked. This option replaces [`verify_checksums`](Self::verify_checksums).
    #[must_use]
    pub fn report_checksums(mut self, report: impl Fn(Error) + Send + Sync + 'static) -> Self {
        self.checks = Checks::Report(Report::new(report));
        self
    }

    /// Calls a function once per file if a block is not where the block index expects it.
    ///
    /// Arrays may then have the data of other blocks; they are read anyway. The warnings are those of
    /// [`File::missed_blocks`](super::File::missed_blocks). The check uses only the headers that are read for arrays: it
    /// does not report a damaged header after the last block that is used.
    #[must_use]
    pub fn report_missed_blocks(mut self, report: impl Fn(Error) + Send + Sync + 'static) -> Self {
        self.missed = Some(Report::new(report));
        self
    }

    /// Caps the memory that a file can make the reader use.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Adds a codec, which reads and writes the blocks with its label. See [`Codec`].
    ///
    /// It takes precedence over a codec of this build with the same label.
    #[doc(alias = "Compressor")]
    #[must_use]
    pub fn codec(mut self, codec: Arc<dyn Codec>) -> Self {
        self.codecs.add(codec);
        self
    }

    /// Sets the maximum number of threads for reading the file; the default is all of them.
    ///
    /// Threads decode blocks, copy large arrays and [verify](super::File::verify) checksums. With [`Threads::ONE`] no call
    /// on the file starts a thread. The option also applies to the files that this file refers to, and to writing it
    /// unless [`WriteOptions::threads`](super::WriteOptions::threads) is set. The table in
    /// [`codec`](crate::block::codec) says which codecs use threads.
    #[must_use]
    pub fn threads(mut self, threads: Threads) -> Self {
        self.codecs.threads = threads;
        self
    }

    /// Adds an extension with its codecs, and warns if the file was written with a newer version of it.
    ///
    /// Codecs that are [added](Self::codec) one by one take precedence. See [`Extension`].
    #[doc(alias("add_extension", "ignore_version_mismatch"))]
    #[must_use]
    pub fn extension(mut self, extension: Extension) -> Self {
        self.extensions.add(extension);
        self
    }

    /// Opens also files of another format that hold an ASDF file, such as FITS.
    ///
    /// Arrays of the ASDF file can be in the other file. They are read like those in blocks, but
    /// [`File::update`](super::File::update) is refused: [`File::write`](super::File::write) makes a plain ASDF file.
    /// The option also applies to files that this file refers to.
    #[must_use]
    pub fn container(mut self, format: Arc<dyn ContainerFormat>) -> Self {
        self.formats.push(format);
        self
    }

    /// Lets the file refer to files in this folder and below it, as well as to those of its own folder.
    ///
    /// The option applies to references (`$ref`) and to arrays in other files. Their URIs are relative, and may have
    /// `..`, or are `file:` with an absolute path. Call it once for each folder. Files that this file refers to can refer
    /// to files in the same folders.
    ///
    /// Symbolic links are followed before the folder of a file is compared. `..` removes the name before it, even if that
    /// is a link. A relative folder starts at the current folder of the program. A folder that does not exist allows
    /// nothing.
    #[must_use]
    pub fn allow_folder(mut self, folder: impl AsRef<Path>) -> Self {
        self.folders.add(folder.as_ref());
        self
    }

    /// Calls a function with the number of bytes after each read, for a progress bar.
    ///
    /// Reads of files that this file refers to count too. Bytes that are read twice count twice. The threads that read
    /// call the function, so it has to be fast.
    #[must_use]
    pub fn watch(mut self, watch: impl Fn(u64) + Send + Sync + 'static) -> Self {
        self.watch = self.watch.reporting(watch);
        self
    }

    /// Stops reading when a function returns true. Reads, and decoding between its steps, then fail.
    ///
    /// For programs whose users can end long work. Reads of files that this file refers to stop too. The threads that
    /// read call the function before each read, so it has to be fast.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use std::sync::atomic::{AtomicBool, Ordering};
    ///
    /// use asdf_core::{File, NdArray, OpenOptions};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("file.asdf");
    /// let mut file = File::new();
    /// file.set("/data", &NdArray::new(&[100_000], &vec![1.5_f64; 100_000])?)?;
    /// file.write(&path)?;
    ///
    /// let stopped = Arc::new(AtomicBool::new(false));
    /// let stop = stopped.clone();
    /// let file = OpenOptions::new().stop_when(move || stop.load(Ordering::Relaxed)).open(&path)?;
    /// stopped.store(true, Ordering::Relaxed);
    /// let error = file.array("/data")?.read::<f64>().unwrap_err();
    /// assert!(error.message().ends_with("the program stopped it"), "{error}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "cancel")]
    #[doc(alias = "interrupt")]
    #[must_use]
    pub fn stop_when(mut self, stop: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        self.watch = self.watch.stopping(stop);
        self
    }

    /// The options for a file that another file refers to: the same limits, and one total of decoded bytes.
    pub(super) fn reached_from(reading: &Reading) -> Self {
        Self {
            limits: reading.limits,
            checks: reading.checks.clone(),
            missed: reading.missed.clone(),
            codecs: reading.codecs(),
            formats: reading.formats.clone(),
            folders: reading.folders.clone(),
            decoded: Some(reading.decoded.clone()),
            watch: reading.watch.clone(),
            ..Self::default()
        }
    }

    /// Returns the format of a file that is not an ASDF file itself, given its first bytes.
    pub(super) fn format_of(&self, first: &[u8]) -> Option<&Arc<dyn ContainerFormat>> {
        self.formats.iter().find(|format| format.matches(first))
    }

    pub(super) fn is_mapped(&self) -> bool {
        self.mmap
    }
}
