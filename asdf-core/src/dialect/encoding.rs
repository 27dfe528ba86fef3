//! How the data of a draft's block is encoded.

use super::chain::Chain;
use crate::block::Label;
use crate::error::{Error, Result};

/// How the data of a draft's block is encoded.
#[derive(Debug, Clone)]
pub(crate) struct Encoding {
    form: Form,
    little: bool,
}

#[derive(Debug, Clone)]
enum Form {
    /// By the chain of encodings that the stored bytes begin with.
    Chain,
    /// By a name in the header, whose meaning no draft has said.
    Named(Vec<u8>),
}

impl Encoding {
    pub(super) fn chain() -> Self {
        Self { form: Form::Chain, little: false }
    }

    /// By the field of 16 bytes, or what of it is there; `None` where it is empty.
    pub(super) fn named(name: &[u8]) -> Option<Self> {
        let name = name.iter().rposition(|byte| !b"\0 ".contains(byte)).map(|last| name.get(..=last));
        name.flatten().map(|name| Self { form: Form::Named(name.to_vec()), little: false })
    }

    /// Numbers that the encoding makes are to be in this order.
    pub(super) fn in_order(self, little: bool) -> Self {
        Self { little, ..self }
    }

    /// The data: exactly `size` bytes. Memory is taken as bytes arrive, for no step more than `limit`.
    ///
    /// # Errors
    /// [`Unsupported`](crate::error::Kind::Unsupported) for an encoding that is not known,
    /// [`Malformed`](crate::error::Kind::Malformed) when the stored bytes are damaged or lie.
    pub(crate) fn decode(&self, stored: &[u8], size: u64, limit: u64) -> Result<Vec<u8>> {
        match &self.form {
            Form::Chain => {
                let (chain, data) = Chain::split(stored)?;
                chain.decode(data, size, limit, self.little)
            }
            Form::Named(name) => Err(Error::unsupported(format!(
                "the block has the encoding '{}', which the draft 0.1.0 does not define",
                name.escape_ascii()
            ))),
        }
    }

    /// The compression that the data gets when the file is written again: zlib where it had it.
    pub(crate) fn label(&self, stored: &[u8]) -> Label {
        let chain = matches!(self.form, Form::Chain).then(|| Chain::split(stored).ok()).flatten();
        if chain.is_some_and(|(chain, _)| chain.compresses()) { Label::ZLIB } else { Label::NONE }
    }
}
