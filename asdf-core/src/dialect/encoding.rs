//! Encodings of block data in the pre-release formats.

use super::chain::Chain;
use crate::block::Label;
use crate::error::{Error, Result};

/// The encoding of a block's data in a pre-release format.
#[derive(Debug, Clone)]
pub(crate) struct Encoding {
    form: Form,
    little: bool,
}

#[derive(Debug, Clone)]
enum Form {
    /// The chain of encodings at the beginning of the stored bytes.
    Chain,
    /// A name in the header, whose meaning was never defined.
    Named(Vec<u8>),
}

impl Encoding {
    pub(super) fn chain() -> Self {
        Self { form: Form::Chain, little: false }
    }

    /// Creates an encoding from the field of 16 bytes, which can be truncated; `None` if it is empty.
    pub(super) fn named(name: &[u8]) -> Option<Self> {
        let name = name.iter().rposition(|byte| !b"\0 ".contains(byte)).map(|last| name.get(..=last));
        name.flatten().map(|name| Self { form: Form::Named(name.to_vec()), little: false })
    }

    /// Sets the byte order of numbers that the encoding produces.
    pub(super) fn in_order(self, little: bool) -> Self {
        Self { little, ..self }
    }

    /// Decodes the data into exactly `size` bytes. Allocates memory as bytes are decoded, up to `limit` for
    /// each step.
    ///
    /// # Errors
    /// - [`Unsupported`](crate::error::Kind::Unsupported) for an unknown encoding.
    /// - [`Malformed`](crate::error::Kind::Malformed) if the stored bytes are damaged or inconsistent.
    pub(crate) fn decode(&self, stored: &[u8], size: u64, limit: u64) -> Result<Vec<u8>> {
        match &self.form {
            Form::Chain => {
                let (chain, data) = Chain::split(stored)?;
                chain.decode(data, size, limit, self.little)
            }
            Form::Named(name) => Err(Error::unsupported(format!(
                "unknown encoding '{}': the pre-release format 0.1.0 does not define it",
                name.escape_ascii()
            ))),
        }
    }

    /// Returns the compression for writing the data again: zlib if it had it.
    pub(crate) fn label(&self, stored: &[u8]) -> Label {
        let chain = matches!(self.form, Form::Chain).then(|| Chain::split(stored).ok()).flatten();
        if chain.is_some_and(|(chain, _)| chain.compresses()) { Label::ZLIB } else { Label::NONE }
    }
}
