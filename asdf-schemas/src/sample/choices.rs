//! Turns bytes into choices.

/// The choices that bytes make, one after the other. After the last byte, every choice is the first one, so fewer and lower
/// bytes make smaller values.
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

    /// Whether all bytes are used, so that every further choice is the first one.
    pub(super) fn are_over(&self) -> bool {
        self.bytes.as_slice().is_empty()
    }

    /// Chooses a number from 0 to `count - 1`.
    pub(super) fn of(&mut self, count: usize) -> usize {
        let wide = usize::from(self.byte());
        // One byte has only 256 values.
        let wide = if count > 256 { wide * 256 + usize::from(self.byte()) } else { wide };
        wide.checked_rem(count).unwrap_or_default()
    }

    /// Chooses whether to do something optional.
    pub(super) fn more(&mut self) -> bool {
        self.of(2) == 1
    }
}
