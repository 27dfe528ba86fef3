//! Opening files.

use std::borrow::Cow;
use std::fs::Metadata;
use std::io::Read;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;

use super::blocks::FileBlocks;
use super::contained::Contained;
use super::container::{Container, ContainerFormat};
use super::journal::Journal;
use super::layout::{Front, FrontScanner};
use super::opened::Opened;
use super::place::Place;
use super::reading::Reading;
use super::snapshot::{Attempts, Change, Snapshot};
use super::{File, Header, OpenOptions, Version, header};
use crate::dialect::{self, Draft};
use crate::error::{Code, Error, Result};
use crate::source::{CheckedSource, FileSource, MemorySource, Source, Store};
use crate::tree::{BlockTable, Blocks as _, Origin, Tree};
use crate::yaml::parse_with;

impl OpenOptions {
    /// Opens a file: reads its header and tree. Blocks are located and read on first use.
    ///
    /// A file of the pre-release format 0.1.0 is converted to the ASDF Standard 1.6.0 in memory, and
    /// [`File::warnings`] says so. Line numbers are those of the file.
    ///
    /// # Errors
    /// - [`Io`](crate::error::Kind::Io) if the file cannot be read,
    /// - [`Malformed`](crate::error::Kind::Malformed) if it is not an ASDF file or its tree is not YAML,
    /// - [`Limit`](crate::error::Kind::Limit) if the tree exceeds one of the [`Limits`](super::Limits).
    ///
    /// All errors name the file, and the line and column or the byte.
    #[doc(alias = "asdf.open")]
    pub fn open(&self, path: impl AsRef<Path>) -> Result<File> {
        let path = path.as_ref();
        let (start, opened, warning) = self.start_at(path)?;
        let mut file =
            self.finish(start, Place::Disk(path.to_path_buf())).map_err(|error| error.at_file(path))?;
        file.opened = file.container().is_none().then_some(opened);
        // Nothing else has the list yet.
        if let Some(warnings) = Arc::get_mut(&mut file.warnings) {
            warnings.extend(warning);
        }
        Ok(file)
    }

    /// Opens a file in memory. The bytes are shared, not copied.
    ///
    /// # Errors
    /// See [`open`](Self::open).
    pub fn open_bytes(&self, bytes: impl Into<Bytes>) -> Result<File> {
        self.open_source(Arc::new(MemorySource::new(bytes)))
    }

    /// Opens a file from a [`Source`], such as an object in a store or a member of an archive.
    ///
    /// Only the ranges that are needed are read: those of the header and the tree at once, those of arrays on first use.
    /// Arrays in other files cannot be read, as for a file in memory. [`Source`] has an example.
    ///
    /// # Errors
    /// See [`open`](Self::open). Errors of the source are returned. Fails with
    /// [`Malformed`](crate::error::Kind::Malformed) if the source returns a wrong number of bytes.
    pub fn open_from(&self, source: impl Source + 'static) -> Result<File> {
        self.open_source(self.watch.over(Arc::new(CheckedSource::new(source))))
    }

    /// Opens a file of a [`Store`] by its URL.
    ///
    /// As for [`open_from`](Self::open_from), only the ranges that are needed are read. References and arrays in other
    /// files are read from the same store, as far as it [allows](Store::locate) that. Errors name the URL.
    ///
    /// # Errors
    /// See [`open`](Self::open). Errors of the store are returned.
    pub fn open_in(&self, store: Arc<dyn Store>, url: impl AsRef<Path>) -> Result<File> {
        let url = url.as_ref();
        let start = self.start_in(store.as_ref(), url)?;
        self.finish(start, Place::Store(url.to_path_buf(), store)).map_err(|error| error.at_file(url))
    }

    /// Opens a file from a reader, such as a pipe or a gzip decoder. Reads it to its end, into memory.
    ///
    /// If the first bytes are not those of an ASDF file, the rest is not read. The same holds for a format of
    /// [`container`](Self::container).
    /// [`Limits::stream_size`](super::Limits::stream_size) limits the bytes of the reader.
    ///
    /// # Errors
    /// See [`open`](Self::open). Fails with [`Io`](crate::error::Kind::Io) if the reader fails.
    ///
    /// # Examples
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
    pub fn open_reader(&self, mut reader: impl Read) -> Result<File> {
        /// Enough to recognise other formats.
        const FIRST: u64 = 64;
        let mut bytes = Vec::new();
        let first = reader.by_ref().take(FIRST).read_to_end(&mut bytes);
        if first.map_err(|error| Error::io("reading to the end", error))? as u64 == FIRST {
            match self.format_of(&bytes) {
                None => {
                    header::parse(&bytes, false)?;
                }
                Some(format) => self.read_start(format.as_ref(), &mut reader, &mut bytes)?,
            }
            self.limits.read_more(reader, &mut bytes)?;
        }
        self.watch.add(bytes.len() as u64);
        self.open_bytes(bytes)
    }

    /// Reads more of a stream of another format, until the format knows that it can be a file.
    fn read_start(
        &self,
        format: &dyn ContainerFormat,
        reader: &mut impl Read,
        bytes: &mut Vec<u8>,
    ) -> Result<()> {
        while (bytes.len() as u64) < self.limits.stream_size && !format.check_start(bytes)? {
            // Twice as many bytes as before.
            let more = bytes.len() as u64;
            let read = reader.by_ref().take(more).read_to_end(bytes);
            if (read.map_err(|error| Error::io("reading to the end", error))? as u64) < more {
                break;
            }
        }
        Ok(())
    }

    /// Reads the text of a file at a path, in one of its states: `file::snapshot` says how. Returns also a warning about
    /// a journal that is not trusted.
    fn start_at(&self, path: &Path) -> Result<(Start, Opened, Option<Error>)> {
        let target = followed(path);
        let mut attempts = Attempts::default();
        let mut before: Option<Bytes> = None;
        loop {
            let (source, metadata) = self.source(path)?;
            let (journal, warning) = Journal::of(&target, &metadata)?;
            let snapshot = Snapshot::new(&metadata, journal.as_ref());
            let source = self.watch.over(source);
            let source = match journal {
                Some(journal) => journal.over(source),
                None => source,
            };
            // An error can be that of a mixture of two states.
            let start = self.start(source);
            let change = snapshot.compare(path, &target, &metadata)?;
            let same = match &start {
                Ok(start) => change == Change::Grown && before.as_ref() == Some(&start.text),
                Err(_) => false,
            };
            if same || change == Change::None {
                let start = start.map_err(|error| error.at_file(path))?;
                let (text_end, draft) = (start.front.blocks, start.front.draft);
                return Ok((start, Opened { options: self.clone(), snapshot, text_end, draft }, warning));
            }
            before = start.ok().map(|start| start.text);
            attempts.again(path)?;
        }
    }

    fn source(&self, path: &Path) -> Result<(Arc<dyn Source>, Metadata)> {
        if !self.mmap {
            let (source, metadata) = FileSource::open_with_metadata(path)?;
            return Ok((Arc::new(source), metadata));
        }
        #[cfg(feature = "mmap")]
        {
            let (source, metadata) = crate::source::MapSource::open_with_metadata(path)?;
            Ok((Arc::new(source), metadata))
        }
        #[cfg(not(feature = "mmap"))]
        Err(Error::unsupported("this build lacks the feature `mmap`")
            .with_hint(crate::error::Hint::EnableFeature("mmap".into())))
    }

    /// Opens only the blocks of a file, without its tree.
    pub(super) fn open_front(&self, place: &Place) -> Result<FileBlocks> {
        let start = match place {
            Place::Disk(path) => self.start_at(path)?.0,
            Place::Store(url, store) => self.start_in(store.as_ref(), url)?,
            Place::Memory => return Err(Error::usage("a file in memory has no name to open it by")),
        };
        let draft = start.front.draft.then(Draft::default);
        Ok(self.blocks(start.source, place.clone(), &start.front, start.rest, draft, None))
    }

    /// Opens a file at a place.
    pub(super) fn open_at(&self, place: &Place) -> Result<File> {
        match place {
            Place::Disk(path) => self.open(path),
            Place::Store(url, store) => self.open_in(store.clone(), url),
            Place::Memory => Err(Error::usage("a file in memory has no name to open it by")),
        }
    }

    /// Reads the text of a file in a store.
    fn start_in(&self, store: &dyn Store, url: &Path) -> Result<Start> {
        let source = store.open(url).map_err(|error| error.at_file(url))?;
        let source = self.watch.over(Arc::new(CheckedSource::new(source)));
        self.start(source).map_err(|error| error.at_file(url))
    }

    fn blocks(
        &self,
        source: Arc<dyn Source>,
        place: Place,
        front: &Front,
        rest: Option<Bytes>,
        draft: Option<Draft>,
        contained: Option<Contained>,
    ) -> FileBlocks {
        let (codecs, folders) = (self.codecs.clone(), self.folders.clone());
        let decoded = self.decoded.clone();
        let reading = Reading::new(source, place, self.limits, self.checks.clone(), codecs, folders, decoded)
            .watched(self.watch.clone())
            .reporting(self.missed.clone())
            .with_formats(self.formats.clone());
        reading.extend(|given| self.extensions.with_codecs(given));
        let blocks = FileBlocks::new(reading, front.blocks, draft).within(contained);
        if let Some(rest) = rest {
            blocks.begin(front.blocks, rest);
        }
        blocks
    }

    /// Converts the tree of a pre-release file to the current format. Returns how its blocks are encoded.
    fn convert(
        &self,
        source: &Arc<dyn Source>,
        place: &Place,
        front: &Front,
        tree: &mut Tree,
    ) -> (Draft, Vec<Error>) {
        let dialect::Converted { mut warnings, little } = dialect::convert(tree);
        // Counting the blocks is needed only for numbers from the end.
        let count = if little.iter().any(|&number| number < 0) {
            self.blocks(source.clone(), place.clone(), front, None, Some(Draft::default()), None)
                .count()
                .unwrap_or(0)
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

    /// Reads the header and the text of the tree.
    fn start(&self, source: Arc<dyn Source>) -> Result<Start> {
        self.start_within(source, None)
    }

    /// Reads the header and the text of the tree of a file that may be in a container.
    fn start_within(&self, source: Arc<dyn Source>, container: Option<Arc<dyn Container>>) -> Result<Start> {
        let limit = self.limits.tree_size.min(u32::MAX.into());
        let mut scanner = FrontScanner::new(source.len(), limit).at_cost(source.cost());
        let mut window = Window::default();
        let front = loop {
            let bytes = window.read(source.as_ref(), scanner.need())?;
            // A container is not in another one.
            if let Some(format) = self.format_of(bytes).filter(|_| container.is_none()) {
                let container = format.open(source)?;
                return self.start_within(container.asdf(), Some(container));
            }
            if let Some(front) = scanner.take(bytes)? {
                break front;
            }
        };
        let (text, rest) = match &front.tree {
            Some(range) => window.tree(source.as_ref(), range)?,
            None => (Bytes::new(), None),
        };
        Ok(Start { source, front, text, rest, container })
    }

    pub(super) fn open_source(&self, source: Arc<dyn Source>) -> Result<File> {
        self.finish(self.start(source)?, Place::Memory)
    }

    /// Makes the file of its text.
    fn finish(&self, start: Start, place: Place) -> Result<File> {
        let Start { source, front, text: bytes, rest, container } = start;
        let mut tree = match &front.tree {
            Some(range) => {
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
            let (draft, warnings) = self.convert(&source, &place, &front, &mut tree);
            (Some(draft), warnings)
        } else {
            (None, warnings(&front.header))
        };
        warnings.extend(self.extensions.warnings(&tree));
        let extensions = self.extensions.clone();
        let contained = container.map(|container| Contained::new(container, &mut tree)).transpose()?;
        let blocks = Arc::new(self.blocks(source, place.clone(), &front, rest, draft, contained));
        blocks.reading().note_arrays(&tree);
        *tree.blocks_mut() = BlockTable::new(blocks.clone());
        Ok(File {
            place,
            header: front.header,
            tree,
            blocks: Some(blocks),
            warnings: warnings.into(),
            owned: None,
            opened: None,
            extensions,
        })
    }
}

/// The part of a file that is read when it is opened.
struct Start {
    source: Arc<dyn Source>,
    front: Front,
    /// The bytes of the tree.
    text: Bytes,
    /// The bytes after it, if they were read.
    rest: Option<Bytes>,
    /// The file of another format that the file is in.
    container: Option<Arc<dyn Container>>,
}

/// The bytes that were read to find the end of the tree, so that they are not read again.
#[derive(Default)]
struct Window {
    bytes: Vec<u8>,
    /// The same, if the source lends them.
    lent: Bytes,
}

impl Window {
    /// The bytes at a range that overlaps the bytes read before, or begins at their end.
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

    /// The bytes of the tree, and those after it if they were read and are few.
    fn tree(mut self, source: &dyn Source, range: &Range<u64>) -> Result<(Bytes, Option<Bytes>)> {
        /// More bytes of a tree are not kept for the sake of those after it.
        const FEW: usize = 256 << 10;
        match (usize::try_from(range.start), usize::try_from(range.end)) {
            (Ok(start), Ok(end)) if start <= end && end <= self.bytes.len() => {
                if self.bytes.len() > FEW {
                    let rest = self.bytes.get(end..).map(Bytes::copy_from_slice);
                    self.bytes.truncate(end);
                    return Ok((Bytes::from(self.bytes).slice(start..), rest));
                }
                let bytes = Bytes::from(self.bytes);
                Ok((bytes.slice(start..end), Some(bytes.slice(end..))))
            }
            _ => Ok((source.read(range.clone())?, None)),
        }
    }
}

/// Follows a symbolic link at the end of a path.
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

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_followed_to_the_folder_of_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().canonicalize().unwrap();
        let (file, link) = (folder.join("file"), folder.join("link"));
        std::fs::write(&file, "").unwrap();
        std::os::unix::fs::symlink("file", &link).unwrap();
        assert_eq!(followed(&link), file);
        let around = folder.join("../").join(folder.file_name().unwrap()).join("file");
        assert_eq!(followed(&around), around, "the path as it was given");
        assert_eq!(followed(&folder.join("missing")), folder.join("missing"));
    }

    #[test]
    fn files_of_arrays_are_checked_as_the_file_that_refers_to_them() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.asdf");
        let mut file = File::new();
        file.set("/a", &crate::NdArray::from_vec(&[4], vec![7_u8; 4]).unwrap()).unwrap();
        crate::WriteOptions::new().storage(crate::file::Storage::External).write(&file, &path).unwrap();
        let external = folder.path().join("x0000.asdf");
        let mut bytes = std::fs::read(&external).unwrap();
        let at = bytes.windows(4).position(|part| part == [7; 4]).unwrap();
        bytes[at] = 8;
        std::fs::write(&external, bytes).unwrap();
        let read = |options: OpenOptions| options.open(&path).unwrap().array("/a").unwrap().read::<u8>();
        assert_eq!(read(OpenOptions::new()).unwrap(), [8, 7, 7, 7]);
        let error = read(OpenOptions::new().verify_checksums(true)).unwrap_err();
        assert_eq!(error.code(), Some(Code::Checksum));
    }

    #[test]
    fn a_file_that_changes_and_grows_while_it_is_read_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.asdf");
        let text = |value: u8| format!("#ASDF 1.0.0\n%YAML 1.1\n---\n{{value: {value}}}\n...\n");
        std::fs::write(&path, text(1)).unwrap();
        let (changed, once) = (path.clone(), std::sync::Once::new());
        let options = OpenOptions::new().watch(move |_| {
            once.call_once(|| std::fs::write(&changed, text(2) + "\n").unwrap());
        });
        assert_eq!(options.open(&path).unwrap().get::<u8>("/value").unwrap(), 2);
    }
}
