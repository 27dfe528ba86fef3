//! Opening files.

use std::borrow::Cow;
use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;

use super::blocks::FileBlocks;
use super::journal::Journal;
use super::layout::{Front, FrontScanner};
use super::opened::Opened;
use super::reading::Reading;
use super::{File, Header, OpenOptions, Version};
use crate::dialect::{self, Draft};
use crate::error::{Code, Error, Result};
use crate::source::{CheckedSource, FileSource, MemorySource, Source};
use crate::tree::{BlockTable, Blocks as _, Origin, Tree};
use crate::yaml::parse_with;

impl OpenOptions {
    /// Opens a file: reads its header and tree. Blocks are found and read when they are asked for.
    ///
    /// A draft 0.1.0 of the format becomes a file of standard 1.6.0 here, in memory, and
    /// [`File::warnings`] says so; positions are those of the text that was read.
    ///
    /// # Errors
    /// [`Io`](crate::error::Kind::Io) when it cannot be read, [`Malformed`](crate::error::Kind::Malformed) when it is not an
    /// ASDF file or its tree is not YAML, [`Limit`](crate::error::Kind::Limit) when the tree is beyond one of the [`Limits`](super::Limits).
    /// All name the file and the line and column, or the byte.
    pub fn open(&self, path: impl AsRef<Path>) -> Result<File> {
        let path = path.as_ref();
        // Before the source, so that a file which is replaced meanwhile counts as changed.
        let opened = Opened::before(self, path);
        let source = self.source(path)?;
        let opened_at = Some((path.to_path_buf(), opened));
        self.open_source(source, opened_at).map_err(|error| error.at_file(path))
    }

    /// Opens a file that is in memory. The bytes are shared, not copied.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_bytes(&self, bytes: impl Into<Bytes>) -> Result<File> {
        self.open_source(Arc::new(MemorySource::new(bytes)), None)
    }

    /// Opens a file whose bytes come from a [`Source`], such as an object in a store or a member of an archive.
    ///
    /// Reads only the ranges that are needed: here those of the header and the tree, later those of the arrays that
    /// are used. An array in another file is an error, as for a file in memory. [`Source`] has an example.
    ///
    /// # Errors
    /// As [`open`](Self::open), and those of the source. [`Malformed`](crate::error::Kind::Malformed) if the source
    /// returns another number of bytes than it was asked for.
    pub fn open_from(&self, source: impl Source + 'static) -> Result<File> {
        self.open_source(self.watch.over(Arc::new(CheckedSource::new(source))), None)
    }

    /// Opens a file from a reader, such as a pipe or a decoder of gzip. Reads it to its end, into memory.
    ///
    /// ```
    /// use asdf_core::{File, OpenOptions};
    ///
    /// let mut file = File::new();
    /// file.set("/target", "M31")?;
    /// let bytes = file.to_bytes()?;
    /// let received = OpenOptions::new().open_reader(bytes.as_slice())?;
    /// assert_eq!(received.get::<String>("/target")?, "M31");
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// The limits do not hold for the bytes of the reader: [`Read::take`] limits them.
    ///
    /// # Errors
    /// As [`open`](Self::open), and [`Io`](crate::error::Kind::Io) if the reader fails.
    pub fn open_reader(&self, mut reader: impl Read) -> Result<File> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).map_err(|error| Error::io("reading to the end", error))?;
        self.watch.add(bytes.len() as u64);
        self.open_bytes(bytes)
    }

    fn source(&self, path: &Path) -> Result<Arc<dyn Source>> {
        // The journal of an update that was interrupted stands for the old file.
        let source = self.watch.over(self.plain_source(path)?);
        Ok(match Journal::of(&followed(path))? {
            Some(journal) => journal.over(source),
            None => source,
        })
    }

    fn plain_source(&self, path: &Path) -> Result<Arc<dyn Source>> {
        if !self.mmap {
            return Ok(Arc::new(FileSource::open(path)?));
        }
        #[cfg(feature = "mmap")]
        return Ok(Arc::new(crate::source::MapSource::open(path)?));
        #[cfg(not(feature = "mmap"))]
        Err(Error::unsupported("this build lacks the feature `mmap`")
            .with_hint(crate::error::Hint::EnableFeature("mmap".into())))
    }

    /// Only the blocks of a file, without its tree.
    pub(super) fn open_front(&self, path: &Path) -> Result<FileBlocks> {
        let source = self.source(path)?;
        let (front, _) = self.front(&source).map_err(|error| error.at_file(path))?;
        let draft = front.draft.then(Draft::default);
        Ok(self.blocks(source, Some(path.to_path_buf()), &front, draft))
    }

    fn blocks(
        &self,
        source: Arc<dyn Source>,
        path: Option<PathBuf>,
        front: &Front,
        draft: Option<Draft>,
    ) -> FileBlocks {
        let (codecs, folders) = (self.codecs.clone(), self.folders.clone());
        let decoded = self.decoded.clone();
        let reading = Reading::new(source, path, self.limits, self.checks.clone(), codecs, folders, decoded)
            .watched(self.watch.clone())
            .reporting(self.missed.clone());
        reading.extend(|given| self.extensions.with_codecs(given));
        FileBlocks::new(reading, front.blocks, draft)
    }

    /// Makes a tree of a draft one of today; its blocks, with what the tree says about them.
    fn convert(
        &self,
        source: &Arc<dyn Source>,
        path: Option<&PathBuf>,
        front: &Front,
        tree: &mut Tree,
    ) -> (Draft, Vec<Error>) {
        let dialect::Converted { mut warnings, little } = dialect::convert(tree);
        // Only a number from the end asks how many blocks there are.
        let count = if little.iter().any(|&number| number < 0) {
            self.blocks(source.clone(), path.cloned(), front, Some(Draft::default())).count().unwrap_or(0)
        } else {
            0
        };
        let little = little.into_iter().filter_map(|number| match number {
            0.. => Some(number.unsigned_abs()),
            _ => count.checked_sub(number.unsigned_abs()),
        });
        let became = Header::DRAFTS_BECOME;
        let warning = Error::unsupported(format!(
            "the file has the pre-release format 0.1.0 and is read as a file of the ASDF Standard {became}"
        ));
        let warning =
            warning.with_code(Code::Draft).with_hint("write the file to convert it to that version");
        warnings.insert(0, warning);
        (Draft::with_little(little.collect()), warnings)
    }

    fn front(&self, source: &Arc<dyn Source>) -> Result<(Front, Window)> {
        let limit = self.limits.tree_size.min(u32::MAX.into());
        let mut scanner = FrontScanner::new(source.len(), limit);
        let mut window = Window::default();
        loop {
            let bytes = window.read(source.as_ref(), scanner.need())?;
            if let Some(front) = scanner.take(bytes)? {
                return Ok((front, window));
            }
        }
    }

    pub(super) fn open_source(
        &self,
        source: Arc<dyn Source>,
        opened: Option<(PathBuf, Option<Opened>)>,
    ) -> Result<File> {
        let (path, opened) = opened.unzip();
        let (front, window) = self.front(&source)?;
        let mut tree = match &front.tree {
            Some(range) => {
                let bytes = window.tree(source.as_ref(), range)?;
                let text = std::str::from_utf8(&bytes).map_err(|error| {
                    let (valid, rest) = bytes.split_at(error.valid_up_to());
                    let lines = valid.iter().filter(|byte| **byte == b'\n').count();
                    let last = valid.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
                    let column = String::from_utf8_lossy(last).chars().count();
                    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
                    let found = rest.first().copied().unwrap_or_default();
                    Error::malformed(format!("the tree is not UTF-8: found the byte 0x{found:02X}"))
                        .with_code(Code::Yaml)
                        .at_offset(range.start + valid.len() as u64)
                        .at_position(
                            front.tree_line.saturating_add(count(lines)),
                            count(column).saturating_add(1),
                        )
                        .with_source(error)
                })?;
                let origin = Origin { byte: range.start, line: front.tree_line };
                let text = Arc::from(text);
                drop(bytes);
                parse_with(text, self.limits.parsing().origin(origin))?
            }
            None => Tree::new(),
        };
        let Version { major, minor, patch } = front.header.standard;
        tree.set_standard((major, minor, patch));
        let (draft, mut warnings) = if front.draft {
            let (draft, warnings) = self.convert(&source, path.as_ref(), &front, &mut tree);
            (Some(draft), warnings)
        } else {
            (None, warnings(&front.header))
        };
        warnings.extend(self.extensions.warnings(&tree));
        let extensions = self.extensions.clone();
        let blocks = Arc::new(self.blocks(source, path.clone(), &front, draft));
        blocks.reading().note_arrays(&tree);
        *tree.blocks_mut() = BlockTable::new(blocks.clone());
        let opened = opened.flatten().map(|opened| opened.with_text(front.blocks, front.draft));
        Ok(File {
            path,
            header: front.header,
            tree,
            blocks: Some(blocks),
            warnings,
            owned: None,
            opened,
            extensions,
        })
    }
}

/// The bytes from the beginning of a file as far as they were read to find the end of its tree: they
/// are not read again.
#[derive(Default)]
struct Window {
    bytes: Vec<u8>,
    /// The same, where the source lends them.
    lent: Bytes,
}

impl Window {
    /// The bytes at a range, which overlaps what was read before, or begins where that ended.
    fn read(&mut self, source: &dyn Source, range: Range<u64>) -> Result<&[u8]> {
        if source.lends() {
            self.lent = source.read(range)?;
            return Ok(&self.lent);
        }
        let start = usize::try_from(range.start).unwrap_or(usize::MAX);
        let known = self.bytes.len() as u64;
        source.append(known.max(range.start)..range.end.max(known), &mut self.bytes)?;
        Ok(self.bytes.get(start..).unwrap_or_default())
    }

    /// The bytes of the tree.
    fn tree(mut self, source: &dyn Source, range: &Range<u64>) -> Result<Bytes> {
        match (usize::try_from(range.start), usize::try_from(range.end)) {
            (Ok(start), Ok(end)) if start <= end && end <= self.bytes.len() => {
                self.bytes.truncate(end);
                Ok(Bytes::from(self.bytes).slice(start..))
            }
            _ => source.read(range.clone()),
        }
    }
}

/// A path whose last part is no symbolic link.
fn followed(path: &Path) -> Cow<'_, Path> {
    let link = path.symlink_metadata().is_ok_and(|found| found.is_symlink());
    match path.canonicalize() {
        Ok(target) if link => target.into(),
        _ => path.into(),
    }
}

fn warnings(header: &Header) -> Vec<Error> {
    let mut warnings = Vec::new();
    if header.format > Version::new(1, 0, 0) {
        let message = format!("the file format {} is newer than 1.0.0", header.format);
        warnings.push(Error::unsupported(message).with_code(Code::NewerFormat));
    }
    if header.standard > Header::NEWEST_STANDARD {
        warnings.push(
            Error::unsupported(format!(
                "the ASDF Standard {} is newer than {}",
                header.standard,
                Header::NEWEST_STANDARD
            ))
            .with_code(Code::NewerStandard)
            .with_hint("check values with unknown tags: they are kept unchanged"),
        );
    }
    warnings
}
