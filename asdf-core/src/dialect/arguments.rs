//! The arguments of an encoding, and the size of the arrays that they describe.

use crate::error::{Error, Result};
use crate::tree::{Kind, NodeRef};

/// The arguments of an encoding.
#[derive(Clone, Copy)]
pub(super) struct Arguments<'t> {
    /// The name of the encoding.
    pub(super) of: &'static str,
    pub(super) mapping: Option<NodeRef<'t>>,
}

impl<'t> Arguments<'t> {
    fn get(self, key: &str) -> Result<NodeRef<'t>> {
        self.mapping.and_then(|mapping| mapping.get(key)).ok_or_else(|| {
            Error::malformed(format!("the encoding `{}` lacks the required argument `{key}`", self.of))
        })
    }

    pub(super) fn number(self, key: &str) -> Result<u64> {
        let value = self.get(key)?;
        value.as_u64().ok_or_else(|| self.wrong(key, value, "a number from 0"))
    }

    pub(super) fn numbers(self, key: &str) -> Result<Vec<u64>> {
        let value = self.get(key)?;
        let numbers = || value.items().map(NodeRef::as_u64).collect();
        (value.kind() == Kind::Sequence)
            .then(numbers)
            .flatten()
            .ok_or_else(|| self.wrong(key, value, "a list of numbers from 0"))
    }

    pub(super) fn wrong(self, key: &str, value: NodeRef<'_>, expected: &str) -> Error {
        let found = value.describe();
        Error::malformed(format!("`{key}` of the encoding `{}` is {found}, expected {expected}", self.of))
    }
}

/// Returns the size in bytes of an array from its shape and the size of an item.
pub(super) fn size(shape: &[u64], item: u64) -> Result<u64> {
    // Checked even if an axis is 0: a shape whose product overflows is invalid.
    let whole = shape.iter().try_fold(item, |product, &n| product.checked_mul(n.max(1)));
    let whole = whole.ok_or_else(|| {
        Error::malformed(format!(
            "an array of shape {shape:?} and items of {item} bytes is larger than 2^64 bytes"
        ))
    })?;
    Ok(if shape.contains(&0) { 0 } else { whole })
}
