//! The codecs that a file is read and written with.

use std::fmt;
use std::sync::Arc;

use super::{Codec, find};
use crate::block::Label;
use crate::error::Result;

/// The codecs of this build, and those that a program adds, which come first. Cloning shares them.
#[derive(Clone, Default)]
pub struct Codecs(Vec<Arc<dyn Codec>>);

impl Codecs {
    /// Only those of this build.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a codec. It takes the place of any other with its label, also of one of this build.
    pub fn add(&mut self, codec: Arc<dyn Codec>) {
        self.0.insert(0, codec);
    }

    /// Adds the other's codecs behind those that are here.
    pub fn add_all(&mut self, other: &Self) {
        self.0.extend(other.0.iter().cloned());
    }

    /// The codec of a label.
    ///
    /// # Errors
    ///
    /// As [`find`].
    pub fn find(&self, label: Label) -> Result<&dyn Codec> {
        match self.0.iter().find(|codec| codec.label() == label) {
            Some(codec) if !label.is_none() => Ok(codec.as_ref()),
            _ => Ok(find(label)?),
        }
    }
}

impl fmt::Debug for Codecs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|codec| codec.label())).finish()
    }
}
