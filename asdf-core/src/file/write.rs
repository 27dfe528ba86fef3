//! Writing files.

use std::io::{BufWriter, Write};
use std::path::Path;

use super::atomic::{BUFFER, Output, Stream};
use super::place::Place;
use super::plan::Plan;
use super::siblings::Siblings;
use super::{File, Header, Version, WriteOptions, atomic, provenance};
use crate::error::Result;
use crate::tree::Kind;
use crate::value::Timestamp;

/// The tag of the root of a new file.
pub(super) const ROOT_TAG: &str = "tag:stsci.edu:asdf/core/asdf-1.1.0";

/// The same before standard 1.2.0.
const ROOT_TAG_1_0_0: &str = "tag:stsci.edu:asdf/core/asdf-1.0.0";

impl WriteOptions {
    /// Writes a file to a path, atomically: the old file stays unchanged until the new one is complete.
    ///
    /// The new file is made in the same folder, synced to disk and renamed. On any error the old file stays. A killed
    /// program leaves a file `.asdf-*.tmp`, which the next writer of that path removes.
    ///
    /// **Blocks** are written in the order of their numbers. Blocks of the opened file that no array refers to any more
    /// are left out, and the others get new numbers. If the opened file has blocks that never belonged to an array, an
    /// unknown tag can refer to them by number; then all blocks keep their numbers. Arrays that are views of one block
    /// share it in the file too. A streamed block gets a fixed size, so that rows cannot be appended to it any more.
    ///
    /// **References** (`$ref`) and the `fileuri` of external arrays are rewritten if `path` is in another folder than the
    /// opened file, so that they lead to the same files. [`Storage::Kept`](super::Storage::Kept) says what happens to
    /// arrays in other files. [`File::resolve`] follows references out of the new folder only with
    /// [`OpenOptions::allow_folder`](super::OpenOptions::allow_folder).
    ///
    /// **Memory**: blocks that are not encoded are written in pieces of a megabyte, from memory or from the opened file,
    /// while a second thread computes their checksum. A block that is encoded is in memory twice, decoded and encoded.
    ///
    /// **Exploded files**: the other files are written first, to names that are free. On an error they are removed. An old
    /// exploded file is replaced completely or not at all, also if the program is killed:
    /// [`replace_siblings`](Self::replace_siblings) says how. A killed program leaves new files and a list of them,
    /// `.NAME.asdf-set`, which the next writer of that path removes.
    ///
    /// # Errors
    /// Fails if the file cannot be written, the tree is too deep or too large, a block of the opened file cannot be
    /// read, or an option does not fit. Fails with [`Usage`](crate::error::Kind::Usage) if a file of the exploded form
    /// exists and [existing files are not skipped](Self::replace_siblings), or if another process is writing them.
    pub fn write(&self, file: &File, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        // The container would be lost.
        if let Some(own) = file.container().and_then(|_| file.place.real()) {
            if Place::Disk(path.to_path_buf()).real().is_some_and(|real| real.is(&own)) {
                file.refuse_container()?;
            }
        }
        Siblings::recover(self, path)?;
        let plan = self.plan(file, Some(path)).map_err(|error| file.named(error))?;
        let mut siblings = Siblings::write(self, file, &plan, path)?;
        let write = |out: &mut dyn Output| plan.write(out).map_err(|error| error.at_file(path));
        atomic::replace_with(path, self.threads_for(file), write, || siblings.placed())?;
        siblings.finish();
        Ok(())
    }

    /// Returns the bytes of a file.
    ///
    /// # Errors
    /// See [`write`](Self::write). Fails with [`Usage`](crate::error::Kind::Usage) for
    /// [`Storage::External`](super::Storage::External), which needs a path.
    pub fn to_bytes(&self, file: &File) -> Result<Vec<u8>> {
        let mut out = std::io::Cursor::new(Vec::new());
        self.plan(file, None)?.write(&mut out)?;
        Ok(out.into_inner())
    }

    /// Writes the bytes of a file to a writer, such as a pipe, a socket or standard output.
    ///
    /// It never seeks, so the file can be part of something larger. Small writes are buffered, and flushed at the end.
    ///
    /// It needs as much memory as [`write`](Self::write): the text of the tree, one block that is encoded, and a megabyte
    /// of a block that is copied from the opened file. A checksum comes before the data. So a copied block larger than a
    /// megabyte is read twice, or once without [`checksums`](Self::checksums) if it has none. [`write`](Self::write) is faster for large
    /// files, because it seeks back to write the checksums.
    ///
    /// # Errors
    /// See [`to_bytes`](Self::to_bytes). Fails with [`Io`](crate::error::Kind::Io) if the writer fails; a part of the file
    /// may then be written.
    ///
    /// # Examples
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
    pub fn write_to(&self, file: &File, out: impl Write) -> Result<()> {
        self.plan(file, None)?.write(&mut Stream(BufWriter::with_capacity(BUFFER, out)))
    }

    fn plan<'o>(&'o self, file: &'o File, path: Option<&Path>) -> Result<Plan<'o>> {
        self.check()?;
        Plan::new(self, file, path)
    }
}

impl File {
    /// Adds an entry to the history of the file: a description, a time in UTC, and the program.
    ///
    /// # Errors
    /// [`Mismatch`](crate::error::Kind::Mismatch) if the file has a history of another form;
    /// [`Usage`](crate::error::Kind::Usage) if the root of the tree is not a mapping.
    ///
    /// # Examples
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
    #[doc(alias("add_history_entry", "get_history_entries", "HistoryEntry"))]
    pub fn add_history(
        &mut self,
        description: &str,
        time: Option<Timestamp>,
        software: Option<&super::Software>,
    ) -> Result<()> {
        provenance::add_entry(self.tree_mut(), description, time, software)
    }

    /// Sets the version of the ASDF Standard of a new file.
    ///
    /// The tags of values that are in the tree already do not change.
    #[doc(alias = "version")]
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::NdArray;
    use crate::error::Kind;

    #[test]
    fn the_tag_of_the_tree_is_that_of_the_standard() {
        let tag = |file: &File| file.tree().root().unwrap().tag().unwrap().to_owned();
        for (minor, expected) in [(0, ROOT_TAG_1_0_0), (1, ROOT_TAG_1_0_0), (2, ROOT_TAG), (6, ROOT_TAG)] {
            let mut file = File::new();
            file.set_standard(Version::new(1, minor, 0));
            assert_eq!((tag(&file).as_str(), file.standard()), (expected, Version::new(1, minor, 0)));
        }
        // Other trees keep their tags.
        for tree in
            ["!<asdf://example.org/tags/own-1.0.0> {a: 1}", "!<tag:stsci.edu:asdf/core/asdf-1.1.0> [1]"]
        {
            let text = format!("#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n--- {tree}\n...\n");
            let mut file = File::from_bytes(text).unwrap();
            let before = tag(&file);
            file.set_standard(Version::new(1, 0, 0));
            assert_eq!(tag(&file), before);
        }
    }

    /// What is still in a buffer at the end is written too, and its error is not lost.
    #[test]
    fn a_writer_without_space_is_an_error() {
        struct Space(usize);
        impl Write for Space {
            fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
                if bytes.len() > self.0 {
                    return Err(std::io::ErrorKind::StorageFull.into());
                }
                self.0 -= bytes.len();
                Ok(bytes.len())
            }
            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
        let mut file = File::new();
        file.set("/a", &NdArray::new(&[20], &[7_u8; 20]).unwrap()).unwrap();
        let size = file.to_bytes().unwrap().len();
        for space in 0..size {
            assert_eq!(file.write_to(Space(space)).unwrap_err().kind(), Kind::Io, "{space}");
        }
        file.write_to(Space(size)).unwrap();
    }
}
