//! Where the elements of arrays are stored: in blocks, in other files, in the tree.

/// Where the elements of an array are stored.
///
/// ```
/// use asdf_core::file::Storage;
/// use asdf_core::{File, NdArray, WriteOptions};
///
/// let mut file = File::new();
/// file.set("/shift", &NdArray::new(&[2], &[0.5_f64, -1.0])?)?;
/// let bytes = WriteOptions::new().storage(Storage::Inline).to_bytes(&file)?;
/// let file = File::from_bytes(bytes)?;
/// assert!(file.array("/shift")?.is_inline());
/// assert!(file.blocks()?.is_empty());
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Storage {
    /// As they are: blocks stay blocks, lists stay lists, and what is in another file stays there. A
    /// file that is written into another folder names it anew; where that would lead out of the new
    /// folder, so that it could not be read, the data come along in a block of the file. What is in a
    /// folder that was [allowed](super::OpenOptions::allow_folder) stays there all the same.
    #[default]
    Kept,
    /// In blocks of the file. Lists with `null` stay lists, since a block cannot say `null`.
    Internal,
    /// Each block in a file of its own beside this one ("Exploded form" in the standard):
    /// `NAME0000.asdf`, `NAME0001.asdf` and so on beside `NAME.asdf`, but for those that hold data of
    /// other arrays of the file, which stay where they are. Lists with `null` stay lists.
    External,
    /// In the tree, as lists. At most 1048576 elements. What is in blocks stays there where it has no
    /// axes, since Python's asdf cannot read these as lists, and where it has integers beyond 64 bits,
    /// which the standard has in no tree.
    Inline,
}
