//! Files of other formats that hold an ASDF file and some of its arrays.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;

use crate::array::{ByteOrder, Datatype};
use crate::error::Result;
use crate::source::Source;

/// A format whose files can hold an ASDF file, such as FITS.
///
/// [`OpenOptions::container`](crate::OpenOptions::container) makes all calls that open files recognise the format. The
/// crate `asdf-fits` implements it.
pub trait ContainerFormat: fmt::Debug + Send + Sync {
    /// Returns whether a file has this format, given its first bytes: at least 64, or all of them.
    fn matches(&self, first: &[u8]) -> bool;

    /// Checks the first bytes of a stream, before all of it is read into memory.
    ///
    /// Returns whether these bytes are enough to know that the stream can be a file of this format. If not, the method is
    /// called again with more bytes, unless the stream has ended. The default is that no more bytes are needed.
    ///
    /// # Errors
    /// If no file of this format begins with these bytes, such as endless input that looks like it at first.
    fn check_start(&self, first: &[u8]) -> Result<bool> {
        let _ = first;
        Ok(true)
    }

    /// Opens a file of this format.
    ///
    /// # Errors
    /// If the file is damaged or does not hold an ASDF file.
    fn open(&self, source: Arc<dyn Source>) -> Result<Arc<dyn Container>>;
}

/// A file of another format that holds an ASDF file and arrays that the ASDF file refers to.
pub trait Container: fmt::Debug + Send + Sync {
    /// Returns the name of the format for messages, such as `FITS`.
    fn format(&self) -> &str;

    /// Returns the bytes of the ASDF file.
    fn asdf(&self) -> Arc<dyn Source>;

    /// Returns the offset at which the ASDF file begins in the container.
    ///
    /// The default is `None`, for a container whose bytes are not the ASDF file as it is, such as a compressed one.
    fn asdf_offset(&self) -> Option<u64> {
        None
    }

    /// Describes the array with this `source` in an ndarray node. Does not read its elements.
    ///
    /// The same array always gives the same `Arc`, however the text names it: readers limit how often its bytes are read.
    /// Returns `None` if the text does not name an array of a container; it is then the URI of a file.
    ///
    /// # Errors
    /// If the array does not exist or has a form that ASDF cannot describe.
    fn array(&self, source: &str) -> Result<Option<Arc<ContainedArray>>>;
}

/// An array of a [`Container`].
#[derive(Debug, Clone)]
pub struct ContainedArray {
    pub(super) datatype: Datatype,
    pub(super) byteorder: ByteOrder,
    pub(super) shape: Vec<u64>,
    pub(super) elements: Elements,
    offset: Option<u64>,
}

/// Where the packed elements of an array are.
#[derive(Clone)]
pub(super) enum Elements {
    /// In the file as they are.
    Stored(Arc<dyn Source>),
    /// In another form, from which they are decoded together.
    Encoded(Arc<dyn Fn() -> Result<Bytes> + Send + Sync>),
}

impl fmt::Debug for Elements {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stored(_) => "Stored",
            Self::Encoded(_) => "Encoded",
        })
    }
}

impl ContainedArray {
    /// Makes an array whose packed elements are in the file as they are. A part of it is read without the rest.
    #[must_use]
    pub fn stored(
        datatype: Datatype,
        byteorder: ByteOrder,
        shape: Vec<u64>,
        source: Arc<dyn Source>,
    ) -> Self {
        Self { datatype, byteorder, shape, elements: Elements::Stored(source), offset: None }
    }

    /// Makes an array whose packed elements `decode` returns. They are decoded on their first use and kept.
    #[must_use]
    pub fn encoded(
        datatype: Datatype,
        byteorder: ByteOrder,
        shape: Vec<u64>,
        decode: impl Fn() -> Result<Bytes> + Send + Sync + 'static,
    ) -> Self {
        Self { datatype, byteorder, shape, elements: Elements::Encoded(Arc::new(decode)), offset: None }
    }

    /// Sets the offset at which the packed elements begin in the file of the container.
    #[must_use]
    pub fn at_offset(mut self, offset: u64) -> Self {
        self.offset = Some(offset);
        self
    }

    /// Returns the range of the packed elements in the file of the container.
    ///
    /// It is `None` if the elements have another form there, or if the container did not [set](Self::at_offset) the offset.
    #[must_use]
    pub fn range(&self) -> Option<Range<u64>> {
        let start = self.offset?;
        let size = self.shape.iter().try_fold(self.datatype.size().ok()?, |size, &n| size.checked_mul(n))?;
        Some(start..start.checked_add(size)?)
    }
}
