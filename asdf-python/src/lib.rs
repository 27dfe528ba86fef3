//! The Python package asdfast. `python/asdfast` has its part in Python.

mod array;
mod build;
mod built;
mod datatype;
mod dtype;
mod error;
mod file;
mod interrupt;
mod limits;
mod lent;
mod mapping;
mod merge;
mod open;
mod python_file;
mod remote;
mod sequence;
mod shared;
mod value;
mod write;

/// The part of asdfast in Rust.
#[pyo3::pymodule(gil_used = false)]
mod _asdfast {
    #[pymodule_export]
    use crate::array::Array;
    #[pymodule_export]
    use crate::file::PyFile;
    #[pymodule_export]
    use crate::mapping::Mapping;
    #[pymodule_export]
    use crate::open::open;
    #[pymodule_export]
    use crate::sequence::Sequence;

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
