//! Choices out of bytes.

/// Choices that bytes make, one after the other. When there are no more, every choice is the first, so
/// that fewer and lower bytes make smaller values.
#[derive(Debug, Clone)]
pub(super) struct Choices<'a> {
    bytes: std::slice::Iter<'a, u8>,
}

impl<'a> Choices<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes: bytes.iter() }
    }

    fn byte(&mut self) -> u8 {
        self.bytes.next().copied().unwrap_or_default()
    }

    /// Whether there are no more, so that what is chosen from now on is always the same.
    pub(super) fn are_over(&self) -> bool {
        self.bytes.as_slice().is_empty()
    }

    /// One of so many, from 0.
    pub(super) fn of(&mut self, count: usize) -> usize {
        let wide = usize::from(self.byte());
        // More than a byte can tell apart needs another.
        let wide = if count > 256 { wide * 256 + usize::from(self.byte()) } else { wide };
        wide.checked_rem(count).unwrap_or_default()
    }

    /// Whether to do what need not be done.
    pub(super) fn more(&mut self) -> bool {
        self.of(2) == 1
    }
}
