//! Limits on the memory that a file can use.

use asdf_core::error::LimitName;
use asdf_core::{Error, Limits};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::Failure;

/// Reads limits from a dictionary of numbers by names such as `tree_size`.
pub(crate) fn limits(given: Option<&Bound<'_, PyDict>>) -> PyResult<Limits> {
    let mut limits = Limits::default();
    for (name, number) in given.into_iter().flatten() {
        let name: String = name.extract()?;
        let known = LimitName::ALL.iter().find(|limit| limit.name() == name);
        match known {
            Some(LimitName::TreeSize) => limits.tree_size = number.extract()?,
            Some(LimitName::TreeDepth) => limits.tree_depth = number.extract()?,
            Some(LimitName::TreeNodes) => limits.tree_nodes = number.extract()?,
            Some(LimitName::TreeTagBytes) => limits.tree_tag_bytes = number.extract()?,
            Some(LimitName::DecodedSize) => limits.decoded_size = number.extract()?,
            Some(LimitName::DecodedTotal) => limits.decoded_total = number.extract()?,
            Some(LimitName::RepeatedElements) => limits.repeated_elements = number.extract()?,
            Some(LimitName::Blocks) => limits.blocks = number.extract()?,
            Some(LimitName::StreamSize) => limits.stream_size = number.extract()?,
            _ => {
                let names: Vec<&str> = LimitName::ALL.iter().map(|limit| limit.name()).collect();
                let error = Error::usage(format!("unknown limit '{}'", name.escape_debug()));
                return Err(Failure::from(error.with_hint(format!("use one of {}", names.join(", ")))).into());
            }
        }
    }
    // Reading is recursive, and the stack has space for these levels.
    if limits.tree_depth > Limits::default().tree_depth {
        let most = Limits::default().tree_depth;
        return Err(
            Failure::from(Error::usage(format!("the limit tree_depth must be at most {most}"))).into()
        );
    }
    Ok(limits)
}
