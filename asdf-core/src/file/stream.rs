//! Streamed arrays: files that grow by rows in their last block ("Streamed block" in the standard).

use std::fmt;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::atomic::{Temporary, buffered, not_writable};
use super::disk::Out;
use super::plan::Plan;
use super::siblings::Siblings;
use super::{File, WriteOptions, journal};
use crate::array::{ByteOrder, Datatype, Element, NdArray};
use crate::block;
use crate::error::{Error, Result};
use crate::tree::{Kind, NodeId, NodeRef, Style};
use crate::value::ToNode;

/// The bytes that are buffered before a write. Small in tests, so that a crash can happen between writes.
const BUFFER: usize = if cfg!(test) { 40 } else { 1 << 20 };

/// Options for writing a file with a streamed array, which grows by rows.
///
/// # Examples
/// ```
/// use asdf_core::file::StreamOptions;
/// use asdf_core::{Datatype, File};
///
/// let folder = std::env::temp_dir().join(format!("asdf-live-{}", std::process::id()));
/// std::fs::create_dir_all(&folder).unwrap();
/// let path = folder.join("counts.asdf");
/// let options = StreamOptions::new().live(true); // other programs see the rows that were flushed
/// let mut stream = options.create(&path, &File::new(), "/counts", Datatype::Uint16, &[2])?;
/// stream.push(&[1_u16, 2, 3, 4])?;
/// stream.flush()?;
/// assert_eq!(File::open(&path)?.array("/counts")?.shape(), [2, 2]);
/// stream.finish()?;
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
#[doc(alias("Stream", "asdf.tags.core.Stream"))]
pub struct StreamOptions {
    write: WriteOptions,
    live: bool,
}

impl StreamOptions {
    /// Makes the default options: the file appears at its path when it is [finished](StreamWriter::finish).
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets whether the file appears at its path at once, so that others can read the flushed rows.
    ///
    /// It replaces an old file as soon as the header and the tree are complete. Rows that were
    /// [flushed](StreamWriter::flush) stay, whatever happens to the writer.
    #[must_use]
    pub fn live(mut self, yes: bool) -> Self {
        self.live = yes;
        self
    }

    /// Sets the options for the rest of the file. A file with a streamed block has no block index.
    #[must_use]
    pub fn write_options(mut self, options: WriteOptions) -> Self {
        self.write = options;
        self
    }

    /// Begins a file with the contents of `file` and, at `pointer`, a streamed array without rows.
    ///
    /// `row` is the shape of a row, empty for a list of numbers. The elements have the byte order of this machine. The
    /// pointer is a new key of a mapping, or a value to be replaced.
    ///
    /// # Errors
    /// See [`WriteOptions::write`]. Fails with [`Usage`](crate::error::Kind::Usage) if a row has no bytes.
    pub fn create(
        &self,
        path: impl AsRef<Path>,
        file: &File,
        pointer: &str,
        datatype: Datatype,
        row: &[u64],
    ) -> Result<StreamWriter> {
        let path = path.as_ref();
        self.begin(path, file, pointer, datatype, row).map_err(|error| error.at_file(path))
    }

    fn begin(
        &self,
        path: &Path,
        file: &File,
        pointer: &str,
        datatype: Datatype,
        row: &[u64],
    ) -> Result<StreamWriter> {
        self.write.check()?;
        let row_size = row_size(&datatype, row)?;
        let byteorder = ByteOrder::NATIVE;
        let mut file = file.for_writing();
        let array = add_array(&mut file, pointer, &datatype, byteorder, row)?;
        Siblings::recover(&self.write, path)?;
        let plan = Plan::streaming(&self.write, &file, path, array)?;
        let siblings = Siblings::write(&self.write, &file, &plan, path)?;
        let (temporary, out) = Temporary::create(path, self.write.threads_for(&file))?;
        let out = buffered(out, path, |out| plan.write(out))?;
        let mut writer = StreamWriter {
            path: path.to_path_buf(),
            out,
            temporary: Some((temporary, siblings)),
            datatype,
            byteorder,
            row: row.to_vec(),
            row_size,
            rows: 0,
            buffer: Vec::new(),
            broken: false,
        };
        if self.live {
            writer.settle()?;
        }
        Ok(writer)
    }
}

/// A writer of the rows of a streamed array, in constant memory.
///
/// [`StreamOptions::create`] makes one for a new file, and [`append`](Self::append) for an existing file. If it is
/// dropped without [`finish`](Self::finish), a new file that is not live is removed. A live or existing file may lose
/// the rows since the last [`flush`](Self::flush).
///
/// # Examples
/// ```
/// use asdf_core::file::{StreamOptions, StreamWriter};
/// use asdf_core::{Datatype, File};
///
/// let folder = std::env::temp_dir().join(format!("asdf-stream-{}", std::process::id()));
/// std::fs::create_dir_all(&folder).unwrap();
/// let path = folder.join("spectra.asdf");
/// let mut file = File::new();
/// file.set("/target", "M31")?;
/// let mut stream = StreamOptions::new().create(&path, &file, "/spectra", Datatype::Float32, &[4])?;
/// stream.push(&[1.0_f32, 2.0, 3.0, 4.0])?;
/// stream.push(&[0.5_f32; 8])?; // two rows
/// stream.finish()?;
///
/// let mut stream = StreamWriter::append(&path)?;
/// stream.extend((0..4).map(|n| n as f32))?;
/// assert_eq!(stream.rows(), 4);
/// stream.finish()?;
/// assert_eq!(File::open(&path)?.array("/spectra")?.shape(), [4, 4]);
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<(), asdf_core::Error>(())
/// ```
pub struct StreamWriter {
    path: PathBuf,
    out: Out,
    /// `None` once the file is at its path.
    temporary: Option<(Temporary, Siblings)>,
    datatype: Datatype,
    byteorder: ByteOrder,
    row: Vec<u64>,
    row_size: usize,
    rows: u64,
    /// Whole rows that are not written yet.
    buffer: Vec<u8>,
    /// A write failed, so the end of the file is unknown.
    broken: bool,
}

impl StreamWriter {
    /// Opens a file whose last block is streamed, to append rows to it.
    ///
    /// An incomplete row at the end, left by an interrupted writer, is overwritten. Programs that have the file open see
    /// the old rows; programs that open it later see all rows that were flushed.
    ///
    /// # Errors
    /// See [`File::open`]. Fails with [`Usage`](crate::error::Kind::Usage) if no array with `*` in its shape refers to a
    /// streamed block, or if another process is writing the file.
    pub fn append(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let io = |error| not_writable(path, error);
        let target = path.canonicalize().map_err(io)?;
        // Rows must not go to a file that is replaced before it is locked.
        let Some(mut out) = Out::open_locked(&target).map_err(io)? else {
            return Err(Error::usage("another process is writing this file").at_file(path));
        };
        journal::restore(&target, &mut out)?;
        let file = File::open(path)?;
        let (array, row_size, start) = streamed_array(&file).map_err(|error| error.at_file(path))?;
        let len = out.metadata().map_err(io)?.len();
        let rows = len.saturating_sub(start) / row_size as u64;
        let end = start + rows * row_size as u64;
        if len < start {
            return Err(Error::malformed("the file ends before the data of its streamed block").at_file(path));
        }
        if len > end {
            out.set_len(end).map_err(io)?;
        }
        out.seek(SeekFrom::Start(end)).map_err(io)?;
        Ok(Self {
            path: path.to_path_buf(),
            out,
            temporary: None,
            datatype: array.datatype().clone(),
            byteorder: array.byteorder(),
            row: array.shape().get(1..).unwrap_or_default().to_vec(),
            row_size,
            rows,
            buffer: Vec::new(),
            broken: false,
        })
    }

    /// Returns the number of rows, including those of the opened file.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Returns the datatype of the elements.
    #[must_use]
    pub fn datatype(&self) -> &Datatype {
        &self.datatype
    }

    /// Returns the byte order of the elements in the file.
    #[must_use]
    pub fn byteorder(&self) -> ByteOrder {
        self.byteorder
    }

    /// Returns the shape of a row; it is empty for a list of numbers.
    #[must_use]
    pub fn row_shape(&self) -> &[u64] {
        &self.row
    }

    /// Appends whole rows.
    ///
    /// # Errors
    /// [`Mismatch`](crate::error::Kind::Mismatch) if the elements have another datatype or are not a whole number of rows;
    /// nothing is appended then. After a failed write all later writes fail.
    pub fn push<T: Element>(&mut self, elements: &[T]) -> Result<()> {
        self.check_type::<T>()?;
        self.check_rows(elements.len().saturating_mul(T::SIZE))?;
        // Row by row, so that the buffer holds only whole rows.
        for row in elements.chunks((self.row_size / T::SIZE.max(1)).max(1)) {
            for &element in row {
                element.store(self.byteorder, &mut self.buffer);
            }
            self.rows += 1;
            if self.buffer.len() >= BUFFER {
                self.write_out()?;
            }
        }
        Ok(())
    }

    /// Appends whole rows from an iterator over elements, in constant memory.
    ///
    /// # Errors
    /// See [`push`](Self::push). If the last row is incomplete, the rows before it are appended anyway.
    pub fn extend<T: Element>(&mut self, elements: impl IntoIterator<Item = T>) -> Result<()> {
        self.check_type::<T>()?;
        let whole = self.buffer.len();
        let mut filled = 0;
        let mut start = whole;
        for element in elements {
            element.store(self.byteorder, &mut self.buffer);
            filled += T::SIZE;
            if filled == self.row_size {
                filled = 0;
                self.rows += 1;
                if self.buffer.len() >= BUFFER {
                    self.write_out()?;
                }
                start = self.buffer.len();
            }
        }
        if filled > 0 {
            self.buffer.truncate(start);
            return Err(Error::mismatch(format!(
                "found {filled} bytes in the last row, expected {}; the row was not appended",
                self.row_size
            ))
            .at_file(&self.path));
        }
        Ok(())
    }

    /// Appends whole rows as stored bytes: packed, in C order, in the byte order of the array.
    ///
    /// # Errors
    /// See [`push`](Self::push).
    pub fn push_bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.check_rows(bytes.len())?;
        self.rows += (bytes.len() / self.row_size) as u64;
        if self.buffer.len() + bytes.len() < BUFFER {
            self.buffer.extend_from_slice(bytes);
            return Ok(());
        }
        self.write_out()?;
        self.write_all(bytes)
    }

    /// Writes the buffered rows, so that other programs see them in a live or appended file.
    ///
    /// They are safe on disk only after [`sync`](Self::sync).
    ///
    /// # Errors
    /// Fails if the rows cannot be written; all later writes fail then.
    pub fn flush(&mut self) -> Result<()> {
        self.write_out()
    }

    /// Writes the buffered rows and syncs the file to disk.
    ///
    /// # Errors
    /// See [`flush`](Self::flush).
    pub fn sync(&mut self) -> Result<()> {
        self.write_out()?;
        let done = self.out.sync();
        self.broken |= done.is_err();
        done.map_err(|error| Error::io("syncing rows to disk", error).at_file(&self.path))
    }

    /// Writes the buffered rows, syncs the file to disk, and moves a new file to its path.
    ///
    /// # Errors
    /// See [`flush`](Self::flush). On an error a new file that is not at its path yet is removed, and the old file stays.
    pub fn finish(mut self) -> Result<()> {
        self.sync()?;
        self.settle()
    }

    /// Moves a new file to its path.
    fn settle(&mut self) -> Result<()> {
        let Some((temporary, mut siblings)) = self.temporary.take() else { return Ok(()) };
        temporary.settle(&self.out)?;
        temporary.put(|| siblings.placed())?;
        siblings.finish();
        Ok(())
    }

    fn check_type<T: Element>(&self) -> Result<()> {
        if self.datatype == T::DATATYPE {
            return Ok(());
        }
        Err(Error::mismatch(format!(
            "found rows of {} (`{}`), expected {} as in the file",
            T::DATATYPE,
            std::any::type_name::<T>(),
            self.datatype
        ))
        .at_file(&self.path))
    }

    fn check_rows(&self, bytes: usize) -> Result<()> {
        if bytes % self.row_size == 0 {
            return Ok(());
        }
        Err(Error::mismatch(format!(
            "found {bytes} bytes, expected a multiple of {} bytes, the size of a row",
            self.row_size
        ))
        .at_file(&self.path))
    }

    fn write_out(&mut self) -> Result<()> {
        let buffer = std::mem::take(&mut self.buffer);
        let done = self.write_all(&buffer);
        self.buffer = buffer;
        self.buffer.clear();
        done
    }

    fn write_all(&mut self, bytes: &[u8]) -> Result<()> {
        if self.broken {
            return Err(Error::usage("an earlier write to this stream failed").at_file(&self.path));
        }
        let done = self.out.write_all(bytes);
        self.broken = done.is_err();
        done.map_err(|error| Error::io("writing rows", error).at_file(&self.path))
    }
}

impl fmt::Debug for StreamWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, datatype, row_size, rows, .. } = self;
        write!(f, "StreamWriter('{}', {rows} rows of {datatype}, {row_size} bytes each)", path.display())
    }
}

impl Drop for StreamWriter {
    fn drop(&mut self) {
        if self.temporary.is_none() && !self.broken && !self.buffer.is_empty() {
            // Callers that need the error call `finish`.
            let _ = self.write_out();
        }
    }
}

/// The bytes of a row.
fn row_size(datatype: &Datatype, row: &[u64]) -> Result<usize> {
    let size = row.iter().try_fold(datatype.size()?, |size, &n| size.checked_mul(n));
    let size = size.and_then(|size| usize::try_from(size).ok()).filter(|&size| size > 0);
    size.ok_or_else(|| {
        Error::usage(format!(
            "rows of datatype {datatype} and shape {row:?} have no bytes or do not fit in memory"
        ))
    })
}

/// Puts the node of a streamed array into a tree; its block has no number yet.
fn add_array(
    file: &mut File,
    pointer: &str,
    datatype: &Datatype,
    byteorder: ByteOrder,
    row: &[u64],
) -> Result<NodeId> {
    let tree = file.tree_mut();
    let mut entries = Vec::new();
    let mut put = |tree: &mut crate::tree::Tree, key: &str, value: NodeId| {
        let key = tree.add_str(key);
        entries.push((key, value));
    };
    let nothing = tree.add_null();
    put(tree, "source", nothing);
    let datatype = datatype.to_node(tree)?;
    put(tree, "datatype", datatype);
    let byteorder = byteorder.to_node(tree)?;
    put(tree, "byteorder", byteorder);
    let mut axes = vec![tree.add_str("*")];
    axes.extend(row.iter().map(|&n| tree.add_int(n)).collect::<Vec<_>>());
    let shape = tree.add_sequence(axes);
    tree.set_style(shape, Style::Flow);
    put(tree, "shape", shape);
    let array = tree.add_mapping(entries);
    let tag = NdArray::tag_of(tree.standard());
    tree.set_tag(array, Some(tag));
    tree.put(pointer, array)?;
    Ok(array)
}

/// The array whose block is streamed, the bytes of its rows, and where the first one begins.
fn streamed_array(file: &File) -> Result<(NdArray, usize, u64)> {
    let none = || {
        Error::usage("cannot append rows: the file has no streamed block with an array")
            .with_hint("create the file with `StreamOptions::create`")
    };
    let blocks = file.blocks()?;
    let block = blocks.last().filter(|block| block.header().is_streamed()).ok_or_else(none)?;
    let number = block.number();
    let is_last = |source: i64| source == -1 || u64::try_from(source).is_ok_and(|source| source == number);
    let star = |node: &NodeRef<'_>| {
        let source = node.block_reference().and_then(NodeRef::as_i64);
        source.is_some_and(is_last)
            && node
                .get("shape")
                .and_then(|shape| shape.item(0))
                .is_some_and(|first| first.kind() == Kind::String && first.text() == Some("*"))
    };
    let node = file.tree().root().into_iter().flat_map(NodeRef::walk).find(star).ok_or_else(none)?;
    let array = <NdArray as crate::value::FromNode>::from_node(node)?;
    if array.strides().is_some() {
        return Err(Error::unsupported("cannot append rows to an array with strides"));
    }
    let size = row_size(array.datatype(), array.shape().get(1..).unwrap_or_default())?;
    let data = block.header().data_offset(block.offset())?;
    debug_assert!(block.header().header_size >= block::Header::MIN_SIZE);
    let start = data
        .checked_add(array.offset())
        .ok_or_else(|| Error::malformed("`offset` is larger than a file can be"))?;
    Ok((array, size, start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_writer_is_one_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.asdf");
        let options = StreamOptions::new();
        let mut writer = options.create(&path, &File::new(), "/rows", Datatype::Uint16, &[3]).unwrap();
        writer.push(&[1_u16, 2, 3, 4, 5, 6]).unwrap();
        assert_eq!((writer.byteorder(), writer.row_shape()), (ByteOrder::NATIVE, [3_u64].as_slice()));
        let expected = format!("StreamWriter('{}', 2 rows of uint16, 6 bytes each)", path.display());
        assert_eq!(format!("{writer:?}"), expected);
    }
}
