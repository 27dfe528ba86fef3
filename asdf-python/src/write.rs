//! New files, and writing.

use asdf_core::file::{Padding, Storage, Version, WriteOptions};
use asdf_core::{Compression, Error, File};
use pyo3::prelude::*;

use crate::build::build;
use crate::error::Failure;
use crate::file::PyFile;
use crate::interrupt::Stop;
use crate::shared::{Origin, Shared};
use crate::target::{Target, write_object};

#[pymethods]
impl PyFile {
    /// Makes a new file from a dict or another mapping.
    ///
    /// Parameters
    /// ----------
    /// tree : Mapping, optional
    ///     The content. Arrays are not copied if they are contiguous: do not change them before the file is written.
    ///     An object that is used several times is written once, with an anchor.
    /// version : str, optional
    ///     The version of the ASDF Standard. The default is that of Python's asdf, 1.6.0.
    ///
    /// Examples
    /// --------
    /// >>> import asdfast, io
    /// >>> file = asdfast.File({"meta": {"target": "M31"}, "counts": [1, 2, 3]})
    /// >>> buffer = io.BytesIO()
    /// >>> file.write(buffer)
    /// >>> buffer.getvalue()[:11]
    /// b'#ASDF 1.0.0'
    #[new]
    #[pyo3(signature = (tree=None, *, version=None))]
    fn make<'py>(
        py: Python<'py>,
        tree: Option<&Bound<'py, PyAny>>,
        version: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut file = File::new();
        if let Some(version) = version {
            file.set_standard(standard(version)?);
        }
        if let Some(tree) = tree {
            put_root(&mut file, tree)?;
        }
        Self::of(py, &Shared::new(file, Origin::default()))
    }

    /// Writes the file to a path, or to an object with a method `write`.
    ///
    /// At a path, the old file stays until the new one is complete, also after Ctrl-C.
    ///
    /// Parameters
    /// ----------
    /// target : str, os.PathLike or file object
    ///     A path, or a binary file that is open for writing, such as an `io.BytesIO`.
    /// compression : str, optional
    ///     The compression of all blocks: `none`, `zlib`, `bzp2`, `lz4`, `zstd`, `xz` or `bls2`, with a level as in
    ///     `zstd:19`. By default each block keeps its compression, and new blocks have none.
    /// checksums : bool
    ///     Whether to store the checksum of each block.
    /// index : bool
    ///     Whether to write the block index at the end.
    /// inline_below : int
    ///     Arrays with fewer elements are stored as lists in the tree.
    /// storage : {"internal", "inline", "external"}, optional
    ///     Where the elements of all arrays are stored. `external` writes each block to a file of its own beside `target`.
    ///     By default each array stays where it is.
    /// padding : int
    ///     Free bytes after the tree and after each block, for later updates.
    /// alignment : int, optional
    ///     The alignment of the data of each block in bytes: a power of two.
    /// frame_rows : int, optional
    ///     The number of rows in each frame of `lz4`, `zstd` and `bls2` blocks, so that a slice decodes only its frames.
    /// threads : int, optional
    ///     The number of threads that encode and compute checksums. The default is one for each core.
    ///
    /// Raises
    /// ------
    /// OSError
    ///     If the file cannot be written. At a path, the old file stays.
    ///
    /// Examples
    /// --------
    /// >>> import asdfast, numpy, os, tempfile
    /// >>> path = os.path.join(tempfile.mkdtemp(), "image.asdf")
    /// >>> asdfast.File({"image": numpy.zeros((64, 64))}).write(path, compression="lz4")
    /// >>> asdfast.open(path)["image"].shape
    /// (64, 64)
    #[pyo3(signature = (
        target, *, compression=None, checksums=true, index=true, inline_below=0, storage=None, padding=0, alignment=None,
        frame_rows=None, threads=None,
    ))]
    #[allow(clippy::too_many_arguments, reason = "they are keyword arguments in Python")]
    fn write(
        &self,
        py: Python<'_>,
        target: &Bound<'_, PyAny>,
        compression: Option<&str>,
        checksums: bool,
        index: bool,
        inline_below: u64,
        storage: Option<&str>,
        padding: u64,
        alignment: Option<u64>,
        frame_rows: Option<u64>,
        threads: Option<usize>,
    ) -> PyResult<()> {
        let own = Options {
            compression,
            checksums,
            index,
            inline_below,
            storage,
            padding,
            alignment,
            frame_rows,
            threads,
        };
        let options = own.options()?;
        self.write_with(py, &options, target)
    }
}

impl PyFile {
    fn write_with(&self, py: Python<'_>, options: &WriteOptions, target: &Bound<'_, PyAny>) -> PyResult<()> {
        let shared = &self.shared;
        match Target::of(target)? {
            Target::Path(path) => {
                let (shared, options) = (shared.clone(), options.clone());
                let work = move |stop: &Stop| {
                    let stop = stop.clone();
                    options.stop_when(move || stop.is_set()).write(&shared.read(), path)
                };
                let ending = &self.shared.origin().ending;
                Ok(ending.run(py, work)?.map_err(Failure::from)?)
            }
            Target::Object(object) => {
                py.detach(|| write_object(&object, |out| options.write_to(&shared.read(), out)))
            }
        }
    }
}

/// The options of writing, as they come from Python.
#[derive(Default)]
pub(crate) struct Options<'a> {
    pub(crate) compression: Option<&'a str>,
    pub(crate) checksums: bool,
    pub(crate) index: bool,
    pub(crate) inline_below: u64,
    pub(crate) storage: Option<&'a str>,
    pub(crate) padding: u64,
    pub(crate) alignment: Option<u64>,
    pub(crate) frame_rows: Option<u64>,
    pub(crate) threads: Option<usize>,
}

impl Options<'_> {
    pub(crate) fn options(&self) -> PyResult<WriteOptions> {
        let mut options =
            WriteOptions::new().checksums(self.checksums).index(self.index).inline_below(self.inline_below);
        options = options.padding(Padding::Bytes(self.padding)).replace_siblings(true);
        if let Some(compression) = self.compression {
            options = options.compression(compression.parse::<Compression>().map_err(Failure::from)?);
        }
        if let Some(storage) = self.storage {
            options = options.storage(place(storage)?);
        }
        if let Some(bytes) = self.alignment {
            options = options.alignment(bytes);
        }
        if let Some(rows) = self.frame_rows {
            options = options.frame_rows(rows);
        }
        if let Some(threads) = self.threads {
            options = options.threads(asdf_core::Threads::new(threads));
        }
        Ok(options)
    }
}

/// Replaces the tree of a new file by a mapping.
pub(crate) fn put_root(file: &mut File, tree: &Bound<'_, PyAny>) -> PyResult<()> {
    let tag = file.tree().root().and_then(|root| root.tag()).map(str::to_owned);
    let built = build(tree, None)?;
    let root = built.put(file.tree_mut()).map_err(Failure::from)?;
    if file.tree().node(root).kind() != asdf_core::tree::Kind::Mapping {
        let error = Error::usage("the root of a file must be a mapping").with_hint("pass a dict");
        return Err(Failure::from(error).into());
    }
    if file.tree().node(root).own_tag().is_none() {
        file.tree_mut().set_tag(root, tag.as_deref());
    }
    file.tree_mut().set_root(root);
    Ok(())
}

fn standard(version: &str) -> PyResult<Version> {
    let parts: Vec<Option<u16>> = version.split('.').map(|part| part.parse().ok()).collect();
    match parts.as_slice() {
        [Some(1), Some(minor @ 0..=6), Some(0)] => Ok(Version::new(1, *minor, 0)),
        _ => {
            let version = version.escape_debug();
            let error =
                Error::usage(format!("found version '{version}' of the standard, expected 1.0.0 to 1.6.0"));
            Err(Failure::from(error).into())
        }
    }
}

fn place(name: &str) -> PyResult<Storage> {
    Ok(match name {
        "internal" => Storage::Internal,
        "inline" => Storage::Inline,
        "external" => Storage::External,
        _ => {
            let name = name.escape_debug();
            let error =
                Error::usage(format!("found the storage '{name}', expected internal, inline or external"));
            return Err(Failure::from(error).into());
        }
    })
}
