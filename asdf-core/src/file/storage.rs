//! Where the elements of arrays are stored: in blocks, in other files or in the tree.

/// Where the elements of an array are stored: in a block, in another file or in the tree.
///
/// # Examples
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
#[doc(alias("array_storage", "all_array_storage"))]
pub enum Storage {
    /// Where they are now: in a block, in a list of the tree or in another file.
    ///
    /// If the file is written to another folder, URIs of other files are adapted. If such a URI would lead out of the new
    /// folder, the data are copied into a block of the file instead, because readers would refuse the URI. Data in an
    /// [allowed](super::OpenOptions::allow_folder) folder stay there.
    #[default]
    Kept,
    /// In blocks of the file. Lists with `null` stay lists, because a block cannot store `null`.
    Internal,
    /// In other files, one for each block ("Exploded form" in the standard).
    ///
    /// The files are `NAME0000.asdf`, `NAME0001.asdf` and so on next to `NAME.asdf`. Names of files that hold other
    /// arrays of the file are skipped. [`WriteOptions::replace_siblings`](super::WriteOptions::replace_siblings) says what
    /// happens to files that exist. Lists with `null` stay lists.
    #[doc(alias = "exploded")]
    External,
    /// In lists of the tree, with at most 1048576 elements.
    ///
    /// Text has only one NaN, `.nan`, so the sign bit and the payload of a NaN are lost.
    ///
    /// Arrays without axes stay in their blocks, because Python's asdf cannot read them as lists. So do arrays with
    /// integers that the standard forbids in trees.
    Inline,
}
