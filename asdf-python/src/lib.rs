//! The Python package asdfast. `python/asdfast` has its part in Python.

mod angle;
mod array;
mod arrow_stream;
mod buffer;
mod build;
mod built;
mod catalog;
mod codec;
mod columns;
mod copies;
mod copy;
mod cutout;
mod datatype;
mod diff;
mod dtype;
mod edit;
mod ending;
mod error;
mod file;
mod files;
mod footprint;
mod frame;
mod handover;
mod hint;
mod interrupt;
mod lent;
mod limits;
mod listing;
mod loader;
mod manifest;
mod mapping;
mod merge;
mod mode;
mod open;
mod parts;
mod preview;
mod program;
mod python_file;
mod remote;
mod schema_info;
mod sequence;
mod shared;
mod source;
mod step;
mod stream;
mod table;
mod target;
mod update;
mod validate;
mod value;
mod verdict;
mod warning;
mod wcs;
mod write;

/// The part of asdfast in Rust.
#[pyo3::pymodule(gil_used = false)]
mod _asdfast {
    #[pymodule_export]
    use crate::array::Array;
    #[pymodule_export]
    use crate::catalog::{_catalog, Catalog};
    #[pymodule_export]
    use crate::codec::{decode_block, encode_block};
    #[pymodule_export]
    use crate::cutout::{PyCutout, cutout};
    #[pymodule_export]
    use crate::diff::_diff;
    #[pymodule_export]
    use crate::file::PyFile;
    #[pymodule_export]
    use crate::footprint::{_footprints, Footprint, footprint};
    #[pymodule_export]
    use crate::frame::PyFrame;
    #[pymodule_export]
    use crate::handover::{block_count, block_header, file_header, node_text, read_block, tagged_tree};
    #[pymodule_export]
    use crate::listing::_list_url;
    #[pymodule_export]
    use crate::loader::load_yaml;
    #[pymodule_export]
    use crate::manifest::_manifest;
    #[pymodule_export]
    use crate::mapping::Mapping;
    #[pymodule_export]
    use crate::open::open;
    #[pymodule_export]
    use crate::preview::_preview;
    #[pymodule_export]
    use crate::program::_run_program;
    #[pymodule_export]
    use crate::sequence::Sequence;
    #[pymodule_export]
    use crate::step::PyStep;
    #[pymodule_export]
    use crate::stream::{StreamWriter, stream};
    #[pymodule_export]
    use crate::table::{Table, table};
    #[pymodule_export]
    use crate::validate::{Validator, validate};
    #[pymodule_export]
    use crate::verdict::{TaggedTree, TreeValidator, convert_tagged};
    #[pymodule_export]
    use crate::wcs::{PyWcs, wcs};

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        crate::buffer::install(module.py())?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
