//! Free space in a file.

/// Free space after the tree and after each block, so that they can grow in place.
///
/// Files without blocks get no padding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
#[doc(alias = "pad_blocks")]
pub enum Padding {
    /// No free space.
    #[default]
    None,
    /// A number of bytes after each.
    Bytes(u64),
    /// A percentage of the size of each; Python's `pad_blocks=True` is about 10.
    Percent(u32),
}

impl Padding {
    /// The free space after `size` bytes.
    pub(super) fn of(self, size: u64) -> u64 {
        match self {
            Self::None => 0,
            Self::Bytes(bytes) => bytes,
            Self::Percent(percent) => {
                let space = u128::from(size) * u128::from(percent) / 100;
                u64::try_from(space).unwrap_or(u64::MAX)
            }
        }
    }
}
