//! The Python package asdfast. `python/asdfast` has its part in Python.

mod array;
mod dtype;
mod error;
mod file;
mod loader;
mod mapping;
mod open;
mod sequence;
mod shared;
mod value;

use pyo3::prelude::*;

/// The part of asdfast in Rust.
#[pymodule(gil_used = false)]
mod _asdfast {
    #[pymodule_export]
    use crate::array::Array;
    #[pymodule_export]
    use crate::file::PyFile;
    #[pymodule_export]
    use crate::loader::load_yaml;
    #[pymodule_export]
    use crate::mapping::Mapping;
    #[pymodule_export]
    use crate::open::open;
    #[pymodule_export]
    use crate::sequence::Sequence;

    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
