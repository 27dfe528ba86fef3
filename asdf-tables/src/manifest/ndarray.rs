//! Maps one array of the tree.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use asdf_core::array::{ByteOrder, Field, ReadBudget};
use asdf_core::file::{Container, FileBlock};
use asdf_core::{Datatype, Error, File, NdArray, Result};

use super::array::MappedArray;
use super::chunk_shape::{near_goal, of_elements, rows_near_goal};
use super::chunks::Chunks;
use super::compressor::Compressor;
use super::dtype::dtype;
use super::stored::Storage;

/// The most bytes of an inline array that become a part of the manifest.
const INLINE: u64 = 64 << 10;

/// Maps the arrays of one file.
pub(super) struct Mapper<'f> {
    file: &'f File,
    blocks: Option<Vec<Arc<FileBlock>>>,
    budget: ReadBudget,
    url: &'f dyn Fn(Option<&Path>) -> Result<String>,
    /// The URLs of files that were asked for before.
    urls: HashMap<Option<PathBuf>, Arc<str>>,
    /// The storage of blocks that were read before, by their number.
    stored: HashMap<u64, Storage>,
}

impl<'f> Mapper<'f> {
    pub(super) fn new(file: &'f File, url: &'f dyn Fn(Option<&Path>) -> Result<String>) -> Self {
        let budget = ReadBudget::of(file.tree());
        Self { file, blocks: None, budget, url, urls: HashMap::new(), stored: HashMap::new() }
    }

    /// Maps an array.
    ///
    /// # Errors
    /// Fails with the reason if zarr cannot read the array, or if it is not valid.
    pub(super) fn map(&mut self, path: &str, array: &NdArray) -> Result<MappedArray> {
        if array.mask().is_some() {
            return Err(Error::unsupported("the array has a mask, and zarr has none"));
        }
        self.budget.take(array)?;
        if array.is_inline() {
            return inline(path, array);
        }
        array.check()?;
        let item = array.datatype().size()?;
        let mut mapped = MappedArray {
            path: path.to_owned(),
            shape: array.shape().to_vec(),
            chunk_shape: near_goal(array.shape(), item),
            dtype: dtype(array.datatype(), array.byteorder())?,
            compressor: Compressor::None,
            chunks: Chunks::Parts(Vec::new()),
            stacked: false,
        };
        if array.is_empty() {
            return Ok(mapped);
        }
        if !is_packed(array, item) {
            return Err(Error::unsupported(
                "the strides of the array are not those of packed data in C order",
            ));
        }
        let size = array.len().checked_mul(item).ok_or_else(|| Error::limit("the array is too large"))?;
        let (url, storage) = self.storage(array)?;
        let is_all = |data_size| match array.offset() == 0 && data_size == size {
            true => Ok(()),
            false => Err(Error::unsupported(
                "the compressed block holds more than this array, and zarr reads whole blocks",
            )),
        };
        match storage {
            Storage::Plain(range) => {
                let start = range.start.saturating_add(array.offset());
                let chunk = mapped.chunk_shape.iter().fold(item, |size, &n| size.saturating_mul(n));
                if start.checked_add(size).is_none_or(|end| end > range.end) {
                    return Err(Error::malformed("the array reaches outside of its block"));
                }
                mapped.chunks = Chunks::Even { url, start, size: chunk, count: size / chunk.max(1) };
            }
            Storage::Whole { compressor, range, data_size } => {
                is_all(data_size)?;
                mapped.chunk_shape.clone_from(&mapped.shape);
                mapped.compressor = compressor;
                mapped.chunks = Chunks::Ranges { url, ranges: Arc::new([range]) };
            }
            Storage::Frames { ranges, frame, is_even, data_size } => {
                is_all(data_size)?;
                let elements = (is_even && frame % item == 0).then_some(frame / item);
                let chunk = elements.and_then(|elements| of_elements(&mapped.shape, elements));
                mapped.chunk_shape = chunk.ok_or_else(|| {
                    let error = Error::unsupported(format!(
                        "the lz4 frames of {frame} bytes do not divide the array into equal chunks"
                    ));
                    match rows_near_goal(&mapped.shape, item) {
                        Some(rows) => error.with_hint(format!(
                            "write the file again with `asdf convert --compression lz4 --frame-rows {rows}`"
                        )),
                        None => error,
                    }
                })?;
                mapped.compressor = Compressor::Lz4;
                mapped.chunks = Chunks::Ranges { url, ranges };
            }
        }
        Ok(mapped)
    }

    /// Returns how the block of an array is stored, and the URL of the file that has it.
    fn storage(&mut self, array: &NdArray) -> Result<(Arc<str>, Storage)> {
        if self.file.is_draft() {
            return Err(Error::unsupported("zarr cannot decode the blocks of the pre-release format"));
        }
        let Some(number) = array.source() else {
            let uri = array.external().ok_or_else(|| Error::unsupported("the array has no block"))?;
            if let Some(range) = self.contained(uri)? {
                return Ok((self.url(self.name())?, Storage::Plain(range)));
            }
            let block = self.file.external_block(uri)?;
            return Ok((self.url(block.path())?, Storage::of(&block)?));
        };
        if self.blocks.is_none() {
            self.blocks = Some(self.file.blocks()?);
        }
        let blocks = self.blocks.as_deref().unwrap_or_default();
        let number = u64::try_from(number).ok().or_else(|| {
            // -1 is the last block.
            (blocks.len() as u64).checked_sub(number.unsigned_abs())
        });
        let block = number.and_then(|number| blocks.get(usize::try_from(number).ok()?));
        let block = block.ok_or_else(|| Error::mismatch("the block of the array does not exist"))?.clone();
        let url = self.url(block.path())?;
        if let Some(storage) = self.stored.get(&block.number()) {
            return Ok((url, storage.clone()));
        }
        let mut storage = Storage::of(&block)?;
        if let Some(container) = self.file.container() {
            let offset = container.asdf_offset().ok_or_else(|| not_as_stored(container))?;
            storage = storage.moved(offset);
        }
        self.stored.insert(block.number(), storage.clone());
        Ok((url, storage))
    }

    /// Returns the path or the URL of the file.
    fn name(&self) -> Option<&'f Path> {
        self.file.path().or_else(|| self.file.url().map(Path::new))
    }

    /// Returns the bytes of an array of the container in its file; `None` if the URI does not name one.
    fn contained(&self, uri: &str) -> Result<Option<Range<u64>>> {
        let Some(container) = self.file.container() else { return Ok(None) };
        let Some(array) = container.array(uri)? else { return Ok(None) };
        array.range().map(Some).ok_or_else(|| not_as_stored(container))
    }

    fn url(&mut self, path: Option<&Path>) -> Result<Arc<str>> {
        let key = path.map(Path::to_path_buf);
        if let Some(url) = self.urls.get(&key) {
            return Ok(url.clone());
        }
        let url: Arc<str> = (self.url)(path)?.into();
        self.urls.insert(key, url.clone());
        Ok(url)
    }
}

/// Returns the error of an array that the file of a container does not have as zarr would read it.
fn not_as_stored(container: &dyn Container) -> Error {
    let format = container.format();
    let message = format!("the {format} file stores the array in another form, such as scaled or compressed");
    Error::unsupported(message).with_hint("convert the file to plain ASDF with `asdf convert`, and use that")
}

/// Maps inline data, which become a chunk in the manifest.
fn inline(path: &str, array: &NdArray) -> Result<MappedArray> {
    if array.missing()?.is_some() {
        return Err(Error::unsupported("elements of the array are null, and zarr has no mask"));
    }
    let item = array.datatype().size()?;
    let size = array.len().saturating_mul(item);
    if size > INLINE {
        return Err(Error::unsupported(format!(
            "the array is inline and has {size} bytes, expected at most {INLINE}"
        ))
        .with_hint("store the array in a block instead of the tree"));
    }
    let order = ByteOrder::Little;
    let dtype = dtype(&in_one_order(array.datatype()), order)?;
    let whole: Vec<u64> = array.shape().iter().map(|&n| n.max(1)).collect();
    let chunks = match array.is_empty() {
        true => Chunks::Parts(Vec::new()),
        false => Chunks::Inline(array.packed_bytes(order)?),
    };
    Ok(MappedArray {
        path: path.to_owned(),
        shape: array.shape().to_vec(),
        chunk_shape: whole,
        dtype,
        compressor: Compressor::None,
        chunks,
        stacked: false,
    })
}

/// Returns a datatype whose fields have the byte order of the array.
fn in_one_order(datatype: &Datatype) -> Cow<'_, Datatype> {
    match datatype {
        Datatype::Struct(fields) => {
            let field = |field: &Field| Field { byteorder: None, ..field.clone() };
            Cow::Owned(Datatype::Struct(fields.iter().map(field).collect()))
        }
        other => Cow::Borrowed(other),
    }
}

/// Returns whether the elements follow each other in C order without gaps.
fn is_packed(array: &NdArray, item: u64) -> bool {
    let Some(strides) = array.strides() else { return true };
    let mut expected = i128::from(item);
    for (&n, &stride) in array.shape().iter().zip(strides).rev() {
        if n != 1 && i128::from(stride) != expected {
            return false;
        }
        expected = expected.saturating_mul(i128::from(n));
    }
    true
}

#[cfg(test)]
mod tests {
    use asdf_core::{Compression, File, NdArray, Node, OpenOptions, yaml};
    use asdf_fits::{AsdfInFits, Card, Column, Data, Fits, Hdu, Table};

    use crate::manifest::Manifest;

    /// A FITS file that holds an ASDF file: two arrays are in other units, and one is in a block.
    fn fits() -> Vec<u8> {
        let mut file = File::new();
        let block = NdArray::new(&[3], &[7_u16, 8, 9]).unwrap();
        file.set("/block", &block).unwrap();
        if cfg!(feature = "codecs") {
            file.set("/lz4", &block.with_compression(Compression::LZ4).unwrap()).unwrap();
        }
        for (name, unit, datatype) in [("data", "SCI", "float32"), ("dq", "DQ", "uint32")] {
            let text = format!(
                "!core/ndarray-1.1.0 {{source: 'fits:{unit},1', datatype: {datatype}, byteorder: big, shape: [1, 2]}}"
            );
            let text = format!("%TAG ! tag:stsci.edu:asdf/\n---\n{text}\n...\n");
            let node = Node::from_ref(yaml::parse(&text).unwrap().root().unwrap()).unwrap();
            file.set(&format!("/{name}"), &node).unwrap();
        }
        let asdf = file.to_bytes().unwrap();
        let named = |name: &str| Hdu::new(vec![Card::new("EXTNAME", name, "")]);
        let science = named("SCI").with_data(Data::Image(NdArray::new(&[1, 2], &[1.5_f32, 2.5]).unwrap()));
        // Unsigned numbers are stored with an offset.
        let flags = named("DQ").with_data(Data::Image(NdArray::new(&[1, 2], &[3_u32, 4]).unwrap()));
        let bytes = NdArray::new(&[1, asdf.len() as u64], &asdf).unwrap();
        let table = Table::new(vec![Column::new("ASDF_METADATA", bytes)]).unwrap();
        let units = vec![Hdu::new(Vec::new()), science, flags, named("ASDF").with_data(Data::Table(table))];
        Fits::new(units).to_bytes().unwrap()
    }

    fn manifest(bytes: Vec<u8>) -> (Manifest, serde_json::Value) {
        let file = OpenOptions::new().container(AsdfInFits::format()).open_bytes(bytes).unwrap();
        let manifest = Manifest::of(&file, |_| Ok("x.fits".to_owned()));
        let mut json = Vec::new();
        manifest.write_json(&mut json).unwrap();
        (manifest, serde_json::from_slice::<serde_json::Value>(&json).unwrap()["refs"].take())
    }

    #[test]
    fn references_are_places_in_the_container() {
        let bytes = fits();
        let (manifest, json) = manifest(bytes.clone());
        let at = |chunk: &str| {
            let range = [1, 2].map(|item| usize::try_from(json[chunk][item].as_u64().unwrap()).unwrap());
            bytes[range[0]..range[0] + range[1]].to_vec()
        };
        let packed = [1.5_f32.to_be_bytes(), 2.5_f32.to_be_bytes()].concat();
        assert_eq!(at("data/0.0"), packed);
        assert!(json["data/.zarray"].as_str().unwrap().contains(r#""dtype":">f4""#));
        assert_eq!(at("block/0"), [7, 0, 8, 0, 9, 0]);
        if cfg!(feature = "codecs") {
            // A chunk of lz4 begins with the size of its data.
            assert_eq!(at("lz4/0")[..4], [6, 0, 0, 0]);
        }
        let left_out = manifest.left_out();
        assert_eq!(left_out.len(), 1, "{left_out:?}");
        assert_eq!(left_out[0].path(), Some("/dq"));
        assert!(left_out[0].message().starts_with("the FITS file stores the array in another form"));
    }
}
