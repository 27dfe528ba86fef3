//! Writing files.

use std::io::{BufWriter, Write};
use std::path::Path;

use super::atomic::{BUFFER, Output, Stream};
use super::plan::Plan;
use super::unfinished::Unfinished;
use super::{File, Header, Version, WriteOptions, atomic, disk, provenance};
use crate::error::{Error, Hint, Result};
use crate::tree::Kind;
use crate::value::Timestamp;

/// The tag of a root made here.
pub(super) const ROOT_TAG: &str = "tag:stsci.edu:asdf/core/asdf-1.1.0";

/// The same before standard 1.2.0.
const ROOT_TAG_1_0_0: &str = "tag:stsci.edu:asdf/core/asdf-1.0.0";

impl WriteOptions {
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
    /// files see [`Storage::Kept`](super::Storage::Kept). References that then lead out of the new folder are right, but
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

    fn plan<'o>(&'o self, file: &'o File, path: Option<&Path>) -> Result<Plan<'o>> {
        self.check()?;
        Plan::new(self, file, path)
    }

    fn write_siblings(&self, file: &File, plan: &Plan<'_>) -> Result<Siblings> {
        let mut written = Siblings(Vec::new());
        let taken = plan.siblings.iter().find(|sibling| sibling.path.symlink_metadata().is_ok());
        if let Some(sibling) = taken.filter(|_| !self.replace_siblings) {
            return Err(Error::usage(
                "this file exists already and would be replaced by the data of an array",
            )
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
