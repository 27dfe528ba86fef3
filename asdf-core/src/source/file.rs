//! A source that reads a file by position.

use std::fmt;
use std::fs::{File, Metadata};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use bytes::Bytes;

use super::{Source, check, range_of};
use crate::error::{Error, Result};

/// A regular file, read by position.
///
/// Each read is a separate system call and an owned copy. Nothing is cached and there is no shared cursor, so
/// threads can read at the same time. The length is taken when the file is opened: bytes that are appended
/// later are not seen, and a file that became shorter gives an error.
///
/// The size of a read is limited only by memory. A file can have holes, which take no disk space but memory
/// when they are read. So callers check limits before they read.
pub struct FileSource {
    file: File,
    path: PathBuf,
    len: u64,
}

impl FileSource {
    /// Opens a regular file for reading, following symbolic links.
    ///
    /// # Errors
    ///
    /// [`Usage`](crate::error::Kind::Usage) if it is not a regular file. A directory, a pipe, a socket or a device
    /// has no length and no positions. (It is not opened, so a pipe without a writer does not block.)
    /// [`Io`](crate::error::Kind::Io) if the system cannot open it. Both name the file.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_with_metadata(path.as_ref()).map(|(source, _)| source)
    }

    /// Opens a regular file, and returns its metadata at that moment too.
    pub(crate) fn open_with_metadata(path: &Path) -> Result<(Self, Metadata)> {
        let (file, metadata) = open_regular(path)?;
        Ok((Self::of(file, &metadata, path), metadata))
    }

    /// Reads a regular file that is open already.
    pub(crate) fn of(file: File, metadata: &Metadata, path: &Path) -> Self {
        Self { file, path: path.to_path_buf(), len: metadata.len() }
    }

    /// Appends `count` bytes from an offset on.
    fn append_count(&self, mut offset: u64, count: usize, bytes: &mut Vec<u8>) -> Result<()> {
        bytes
            .try_reserve_exact(count)
            .map_err(|e| Error::no_memory(format_args!("{count} bytes of a file")).with_source(e))?;
        let end = bytes.len() + count;
        while bytes.len() < end {
            let left = end - bytes.len();
            offset += self.more(offset, left, || read_more(&self.file, offset, left, bytes))?;
        }
        bytes.truncate(end);
        Ok(())
    }

    /// Makes one read of the rest, which can be interrupted or return less. Returns the number of bytes.
    fn more(&self, offset: u64, left: usize, read: impl FnOnce() -> io::Result<usize>) -> Result<u64> {
        match read() {
            Ok(0) => Err(Error::io(
                format_args!(
                    "the file ends at byte {offset} or earlier, but had {} bytes when it was opened",
                    self.len
                ),
                io::ErrorKind::UnexpectedEof.into(),
            )
            .with_hint("read the file again: it was truncated while it was read")),
            Ok(read) => Ok(read as u64),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => Ok(0),
            Err(e) => Err(Error::io(format_args!("reading {left} bytes"), e)),
        }
    }

    fn fill(&self, mut offset: u64, mut out: &mut [u8]) -> Result<()> {
        while !out.is_empty() {
            let read = self.more(offset, out.len(), || read_at(&self.file, out, offset))?;
            offset += read;
            let read = usize::try_from(read).unwrap_or(usize::MAX).min(out.len());
            out = out.split_at_mut(read).1;
        }
        Ok(())
    }
}

impl fmt::Debug for FileSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FileSource('{}', {} bytes)", self.path.display(), self.len)
    }
}

impl Source for FileSource {
    fn len(&self) -> u64 {
        self.len
    }

    fn read(&self, range: Range<u64>) -> Result<Bytes> {
        let mut bytes = Vec::new();
        self.append(range, &mut bytes)?;
        Ok(bytes.into())
    }

    fn append(&self, range: Range<u64>, bytes: &mut Vec<u8>) -> Result<()> {
        let start = range.start;
        check(&range, self.len)
            .and_then(|count| self.append_count(start, count, bytes))
            .map_err(|e| e.at_offset(start).at_file(&self.path))
    }

    fn read_into(&self, offset: u64, out: &mut [u8]) -> Result<()> {
        check(&range_of(offset, out.len()), self.len)
            .and_then(|_| self.fill(offset, out))
            .map_err(|e| e.at_offset(offset).at_file(&self.path))
    }
}

/// Opens a file and returns its metadata, if it is a regular file.
pub(super) fn open_regular(path: &Path) -> Result<(File, Metadata)> {
    let open = || {
        // Checked before opening, since opening a pipe waits for its writer, and after, since the file can be
        // replaced in between.
        regular(&std::fs::metadata(path).map_err(|e| Error::io("opening", e))?)?;
        let file = File::open(path).map_err(|e| Error::io("opening", e))?;
        let metadata = file.metadata().map_err(|e| Error::io("reading its size", e))?;
        regular(&metadata)?;
        Ok((file, metadata))
    };
    open().map_err(|e: Error| e.at_file(path))
}

fn regular(metadata: &Metadata) -> Result<()> {
    if metadata.is_file() {
        return Ok(());
    }
    let found = kind(metadata);
    let error = Error::usage(format!("found {found}, expected a file"));
    Err(match found {
        "a folder" => error,
        _ => error.with_hint("copy its bytes to a file or into memory first"),
    })
}

#[cfg(unix)]
fn kind(metadata: &Metadata) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    match metadata.file_type() {
        t if t.is_dir() => "a folder",
        t if t.is_fifo() => "a named pipe",
        t if t.is_socket() => "a socket",
        t if t.is_char_device() => "a character device",
        t if t.is_block_device() => "a block device",
        _ => "a special file",
    }
}

#[cfg(not(unix))]
fn kind(metadata: &Metadata) -> &'static str {
    if metadata.is_dir() { "a folder" } else { "a special file" }
}

/// Appends bytes from an offset on, up to the spare capacity: at least the requested bytes, unless the system
/// returns fewer. The capacity is not initialised before, so its memory is touched once.
#[cfg(unix)]
fn read_more(file: &File, offset: u64, _count: usize, bytes: &mut Vec<u8>) -> io::Result<usize> {
    Ok(rustix::io::pread(file, rustix::buffer::spare_capacity(bytes), offset)?)
}

/// Appends at most `count` bytes from an offset on.
#[cfg(not(unix))]
fn read_more(file: &File, offset: u64, count: usize, bytes: &mut Vec<u8>) -> io::Result<usize> {
    /// The bytes that are zeroed and read at a time: few enough to stay in the cache for the read.
    const PIECE: usize = 256 * 1024;
    let start = bytes.len();
    bytes.resize(start + count.min(PIECE), 0);
    let read = read_at(file, bytes.get_mut(start..).unwrap_or_default(), offset);
    bytes.truncate(start + *read.as_ref().unwrap_or(&0));
    read
}

#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

/// Also moves the cursor of the handle, which is not used.
#[cfg(windows)]
fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset)
}

/// Other systems only have the cursor, so one thread at a time can read.
#[cfg(not(any(unix, windows)))]
fn read_at(mut file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    use std::io::{Read, Seek, SeekFrom};
    use std::sync::{Mutex, PoisonError};
    static CURSOR: Mutex<()> = Mutex::new(());
    let _turn = CURSOR.lock().unwrap_or_else(PoisonError::into_inner);
    file.seek(SeekFrom::Start(offset))?;
    file.read(buffer)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::error::Kind;

    fn file_of(bytes: &[u8]) -> tempfile::NamedTempFile {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        file
    }

    const PIECE: usize = 256 * 1024;

    #[test]
    fn reads_are_exact_and_bounded() {
        let bytes: Vec<u8> = (0..251).cycle().take(PIECE * 2 + 100).collect();
        let file = file_of(&bytes);
        let source = FileSource::open(file.path()).unwrap();
        let len = bytes.len() as u64;
        assert_eq!(source.len(), len);
        for (start, end) in [(0, 0), (0, 1), (7, PIECE + 8), (0, bytes.len()), (bytes.len(), bytes.len())] {
            assert_eq!(source.read(start as u64..end as u64).unwrap(), bytes[start..end]);
            let mut out = vec![1; end - start];
            source.read_into(start as u64, &mut out).unwrap();
            assert_eq!(out, bytes[start..end]);
        }
        let error = source.read(10..len + 1).unwrap_err();
        assert_eq!(
            (error.kind(), error.offset(), error.file()),
            (Kind::Malformed, Some(10), Some(file.path()))
        );
        assert!(error.message().contains("1 bytes are missing"), "{error}");
        let error = source.read_into(len - 3, &mut [0; 4]).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (Kind::Malformed, Some(len - 3)));
        assert_eq!(source.read_into(u64::MAX, &mut [0; 4]).unwrap_err().kind(), Kind::Malformed);
        assert_eq!(source.read(u64::MAX - 1..u64::MAX).unwrap_err().kind(), Kind::Malformed);
    }

    #[test]
    fn an_empty_file_is_a_source() {
        let file = file_of(b"");
        let source = FileSource::open(file.path()).unwrap();
        assert!(source.is_empty());
        assert!(source.read(0..0).unwrap().is_empty());
    }

    #[test]
    fn a_file_truncated_while_open_is_an_error() {
        let file = file_of(&[7; 1000]);
        let source = FileSource::open(file.path()).unwrap();
        file.as_file().set_len(600).unwrap();
        assert_eq!(source.read(0..600).unwrap(), [7; 600].as_slice());
        let error = source.read(500..700).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (Kind::Io, Some(500)));
        assert!(error.message().contains("had 1000 bytes"), "{error}");
        let error = source.read_into(500, &mut [0; 200]).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (Kind::Io, Some(500)));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_hole_larger_than_memory_is_an_error_and_not_an_abort() {
        // Not every file system supports this length; the one in memory does.
        let Ok(file) = tempfile::NamedTempFile::new_in("/dev/shm") else { return };
        if file.as_file().set_len(1 << 62).is_ok() {
            let source = FileSource::open(file.path()).unwrap();
            assert_eq!(source.read(0..source.len()).unwrap_err().kind(), Kind::Limit);
        }
    }

    #[test]
    fn only_regular_files() {
        let folder = tempfile::tempdir().unwrap();
        let error = FileSource::open(folder.path()).unwrap_err();
        assert_eq!((error.kind(), error.file()), (Kind::Usage, Some(folder.path())));
        assert_eq!(error.message(), "found a folder, expected a file");
        assert_eq!(FileSource::open(folder.path().join("no")).unwrap_err().kind(), Kind::Io);
    }

    #[cfg(unix)]
    #[test]
    fn pipes_sockets_and_devices_are_named_and_not_opened() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let error = FileSource::open(&pipe).unwrap_err();
        assert_eq!(error.message(), "found a named pipe, expected a file");
        let socket = folder.path().join("socket");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        assert!(FileSource::open(&socket).unwrap_err().message().contains("a socket"));
        assert!(FileSource::open("/dev/zero").unwrap_err().message().contains("a character device"));
    }

    #[test]
    fn threads_read_at_the_same_time() {
        let bytes: Vec<u8> = (0..100_000_u32).flat_map(u32::to_be_bytes).collect();
        let file = file_of(&bytes);
        let source = FileSource::open(file.path()).unwrap();
        std::thread::scope(|scope| {
            for thread in 0..4_usize {
                let (source, bytes) = (&source, &bytes);
                scope.spawn(move || {
                    for i in 0..200 {
                        let start = (thread * 7919 + i * 1013) % (bytes.len() - 5000);
                        let read = source.read(start as u64..start as u64 + 5000).unwrap();
                        assert_eq!(read, bytes[start..start + 5000]);
                    }
                });
            }
        });
    }
}
