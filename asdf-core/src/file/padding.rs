//! Free space in a file.

/// Free space after the tree and after each block, so that they can grow without moving what comes
/// behind them. Files without blocks get none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Padding {
    /// None.
    #[default]
    None,
    /// So many bytes for each.
    Bytes(u64),
    /// So many hundredths of the size of each; Python's `pad_blocks=True` is about 10.
    Percent(u32),
}

impl Padding {
    /// The space behind something of so many bytes.
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
