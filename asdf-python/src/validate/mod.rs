//! Validates files against schemas.

mod judge;
mod many;
mod options;
mod outcome;
mod source;
mod validator;

use std::sync::Arc;

use asdf_schemas::{Registry, Validator as SchemaValidator};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::shared::Shared;

use options::Options;
pub(crate) use validator::Validator;

/// Validates a file against the standard and its schemas.
///
/// All violations are found, not only the first. The checks are those of ``asdf validate``: the layout of the file, every
/// tagged node against the schemas of its tag, arrays against their blocks, and checksums.
///
/// Parameters
/// ----------
/// source : str, os.PathLike, bytes-like object, binary file object, File or dict
///     The path or URL of a file, or its bytes. File objects need ``seek``. The tree of an open file is validated as it is
///     now. A dict is the tree of a file, such as ``{"meta": {}}``.
/// schemas : sequence, optional
///     Schemas and manifests in addition to the built-in ones. An item is a folder, a file, or a mapping of URIs to texts,
///     such as ``asdf.get_config().resource_manager``. If several have the same id, the first one is used.
/// package : str or sequence of str, optional
///     Adds the schemas of an installed Python package, such as ``"rad"``, and of the packages that it requires. They are
///     found through its entry points ``asdf.resource_mappings``. Its code only runs if no folder with schemas is found.
///     ``"*"`` adds the schemas of all installed packages.
/// schema : str or os.PathLike, optional
///     Also validates the whole tree against this schema: the path of its file, or its id.
/// blocks : bool, default True
///     Whether to read the blocks, to check checksums and whether they decode.
/// strict : bool, default False
///     Whether warnings are violations.
/// max_errors : int or None, default 1000
///     The number of findings after which the validation of a file stops; None for no limit.
/// timeout : float, optional
///     The number of seconds after which the validation of a file stops.
/// replace_built_in : bool, default False
///     Whether `schemas` and `package` replace built-in schemas with the same id.
/// limits : dict, optional
///     Limits on what a file can make the reader use, by name, such as ``{"tree_size": 1 << 20}``.
/// storage_options : dict, optional
///     Options for URLs, as for `open`.
///
/// Returns
/// -------
/// Report
///     All findings. A file that is not ASDF, or whose tree is not YAML, is a violation too.
///
/// Raises
/// ------
/// OSError
///     If the file cannot be opened, for example FileNotFoundError.
/// AsdfError
///     If a schema or package does not exist or cannot be used.
///
/// See Also
/// --------
/// Validator : Validates many files.
///
/// Examples
/// --------
/// >>> import asdfast, pathlib, tempfile
/// >>> path = pathlib.Path(tempfile.mkdtemp(), "exposure.asdf")
/// >>> _ = path.write_text('''#ASDF 1.0.0
/// ... %YAML 1.1
/// ... %TAG ! tag:stsci.edu:asdf/
/// ... --- !core/asdf-1.1.0
/// ... exposure: !unit/quantity-1.1.0 {value: 5.0, unti: s}
/// ... ...
/// ... ''')
/// >>> report = asdfast.validate(path)
/// >>> report.is_valid
/// False
/// >>> for violation in report:
/// ...     print(violation)
/// ...     print(violation.hint)
/// 5:32: /exposure: the required property 'unit' is missing
/// did you mean 'unit' instead of 'unti'?
#[pyfunction]
#[pyo3(
    signature = (source, **options),
    text_signature = "(source, *, schemas=(), package=None, schema=None, blocks=True, strict=False, max_errors=1000, timeout=None, replace_built_in=False, limits=None, storage_options=None)"
)]
pub(crate) fn validate<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    Validator::new(py, options)?.validate(py, source)
}

/// Returns the schemas that options of `validate` name.
pub(crate) fn registry(py: Python<'_>, options: &Bound<'_, PyDict>) -> PyResult<Arc<Registry>> {
    Ok(validator(py, options)?.registry().clone())
}

/// Returns the validator for options of `validate`.
pub(crate) fn validator(py: Python<'_>, options: &Bound<'_, PyDict>) -> PyResult<Arc<SchemaValidator>> {
    Options::new(Some(options))?.validator(py)
}

/// Validates a file that was just opened, without its blocks, and raises `ValidationError` if it is invalid.
///
/// `how` is the argument `validate` of `open`: a boolean, or a [`Validator`], whose options apply.
pub(crate) fn check_opened(py: Python<'_>, file: &Shared, how: &Bound<'_, PyAny>) -> PyResult<()> {
    let report = match how.cast::<Validator>() {
        Ok(validator) => validator.get().report(py, source::Source::File(file.clone()))?,
        Err(_) if how.is_truthy()? => {
            let options = PyDict::new(py);
            options.set_item("blocks", false)?;
            Validator::new(py, Some(&options))?.report(py, source::Source::File(file.clone()))?
        }
        Err(_) => return Ok(()),
    };
    report.call_method0("raise_if_invalid").map(drop)
}
