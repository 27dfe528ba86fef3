//! Transforms of one input.

use asdf_core::Result;

use super::{Entry, Leaf, Reader};
use crate::model::Kind;

/// Reads `shift`: adds an offset.
pub(super) fn shift(_: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let offset = entry.quantity("offset")?;
    Ok(Leaf::new(Kind::Linear { factor: 1.0, offset: offset.value }, 1, 1))
}
