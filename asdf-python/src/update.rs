//! Updates of open files.

use asdf_core::Error;
use asdf_core::file::UpdateOptions;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::edit::replace_root;
use crate::error::Failure;
use crate::file::PyFile;
use crate::interrupt::Stop;
use crate::mapping::Mapping;
use crate::mode::Mode;
use crate::write::Options;

#[pymethods]
impl PyFile {
    /// Writes the changes back to the file, which was opened with ``mode="rw"``.
    ///
    /// The text of the tree changes only where values changed, so comments, styles and tags stay. Blocks that did not change
    /// stay where they are. The file is not changed if an error occurs. Views of nodes stay valid; those of nodes that were
    /// removed become empty.
    ///
    /// Parameters
    /// ----------
    /// compression : str, optional
    ///     The compression of new blocks, as in ``write``. If the new tree does not fit at its place, the whole file is written
    ///     again, and all blocks get it.
    /// in_place : bool
    ///     Change the bytes of the file itself, with an undo journal beside it, instead of a copy that replaces it. That is
    ///     faster for small changes of large files.
    /// compact : bool
    ///     Write the whole file again, without unused space.
    /// checksums : bool
    ///     Whether to store the checksums of new blocks.
    /// padding : int
    ///     Free bytes after the tree and after new blocks, for later updates.
    /// threads : int, optional
    ///     The number of threads that encode and compute checksums.
    ///
    /// Raises
    /// ------
    /// UsageError
    ///     If the file was not opened with ``mode="rw"``, or another program changed it since.
    ///
    /// Examples
    /// --------
    /// >>> import asdfast, os, tempfile
    /// >>> path = os.path.join(tempfile.mkdtemp(), "m31.asdf")
    /// >>> asdfast.File({"meta": {"gain": 2}}).write(path)
    /// >>> with asdfast.open(path, mode="rw") as file:
    /// ...     file["meta"]["gain"] = 2.5
    /// ...     file.update()
    /// >>> asdfast.open(path)["meta"]["gain"]
    /// 2.5
    #[pyo3(signature = (*, compression=None, in_place=false, compact=false, checksums=true, padding=0, threads=None))]
    #[allow(clippy::too_many_arguments, reason = "they are keyword arguments in Python")]
    fn update(
        &self,
        py: Python<'_>,
        compression: Option<&str>,
        in_place: bool,
        compact: bool,
        checksums: bool,
        padding: u64,
        threads: Option<usize>,
    ) -> PyResult<()> {
        let hint = match self.shared.origin().mode {
            Mode::ReadWrite => None,
            Mode::Read => Some("open it with mode=\"rw\", or write it to another path with `write`"),
            Mode::New => {
                Some("write the file to a path with `write`, and open it from there with mode=\"rw\"")
            }
        };
        if let Some(hint) = hint {
            let message = "cannot update: the file was not opened with mode=\"rw\"";
            return Err(Failure::from(Error::usage(message).with_hint(hint)).into());
        }
        let own = Options { compression, checksums, index: true, padding, threads, ..Options::default() };
        let write = own.options()?;
        let options = UpdateOptions::new().in_place(in_place).compact(compact).keep_ids(true);
        let shared = self.shared.clone();
        let work = move |stop: &Stop| {
            let stop = stop.clone();
            let options = options.write_options(write.stop_when(move || stop.is_set()));
            shared.save(|file| options.update(file))
        };
        Ok(self.shared.origin().ending.run(py, work)?.map_err(Failure::from)?)
    }

    /// How the file was opened: "r" or "rw".
    #[getter]
    fn mode(&self) -> &'static str {
        if self.shared.origin().mode == Mode::Read { "r" } else { "rw" }
    }

    fn __setattr__(
        this: &Bound<'_, Self>,
        name: &Bound<'_, PyString>,
        value: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let mapping = this.cast::<Mapping>()?;
        if name == "tree" {
            return replace_root(mapping.get(), value);
        }
        Mapping::set_attribute(mapping, name, value)
    }

    fn __delattr__(this: &Bound<'_, Self>, name: &Bound<'_, PyString>) -> PyResult<()> {
        Mapping::remove_attribute(this.cast::<Mapping>()?, name)
    }
}
