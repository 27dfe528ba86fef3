//! The codecs that a file is read and written with.

use std::fmt;
use std::sync::Arc;

use super::{CODECS, Codec, find};
use crate::block::Label;
use crate::error::{Error, Hint, Result};
use crate::threads::Threads;

/// The codecs that a program adds, which come first, and those of this build; and the threads that they can
/// use. Cloning shares them.
#[derive(Clone, Default)]
pub(crate) struct Codecs {
    added: Vec<Arc<dyn Codec>>,
    /// The number of threads that each codec can use; all by default.
    pub(crate) threads: Threads,
}

/// Returns the codec of a label in this build, to write blocks with.
///
/// # Examples
/// ```
/// use asdf_core::block::{Label, codec};
///
/// assert!(codec::find_to_write(Label::new(*b"zip\0")).is_err());
/// ```
///
/// # Errors
///
/// As [`find`]; the hint lists the labels of this build.
pub fn find_to_write(label: Label) -> Result<&'static dyn Codec> {
    find(label).map_err(|error| for_writing(label, error))
}

fn for_writing(label: Label, error: Error) -> Error {
    if label.is_known() || label.is_none() {
        return error;
    }
    let known = CODECS.iter().map(|codec| codec.label().to_string()).collect();
    error.replace_hint(Hint::ChooseCodec { known })
}

impl Codecs {
    /// Returns only the codecs of this build.
    #[must_use]
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Adds a codec. It replaces any other codec with its label, also one of this build.
    pub(crate) fn add(&mut self, codec: Arc<dyn Codec>) {
        self.added.insert(0, codec);
    }

    /// Adds the codecs of `other` after the existing ones.
    pub(crate) fn add_all(&mut self, other: &Self) {
        self.added.extend(other.added.iter().cloned());
    }

    /// Returns the codec of a label.
    ///
    /// # Errors
    ///
    /// As [`find`].
    pub(crate) fn find(&self, label: Label) -> Result<&dyn Codec> {
        match self.added.iter().find(|codec| codec.label() == label) {
            Some(codec) if !label.is_none() => Ok(codec.as_ref()),
            _ => Ok(find(label)?),
        }
    }

    /// Returns the codec of a label, to write blocks with.
    ///
    /// # Errors
    ///
    /// As [`find_to_write`].
    pub(crate) fn find_to_write(&self, label: Label) -> Result<&dyn Codec> {
        self.find(label).map_err(|error| for_writing(label, error))
    }
}

impl fmt::Debug for Codecs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.added.iter().map(|codec| codec.label())).finish()
    }
}
