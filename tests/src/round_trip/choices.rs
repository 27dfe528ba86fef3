//! Makes choices from bytes.

/// A sequence of bytes that makes choices, from a fuzzer, a generator or a seed. After the last byte, the first option is
/// always chosen, so that fewer bytes make simpler values.
#[derive(Debug)]
pub struct Choices<'b> {
    bytes: &'b [u8],
}

impl<'b> Choices<'b> {
    /// Creates choices from bytes.
    #[must_use]
    pub fn new(bytes: &'b [u8]) -> Self {
        Self { bytes }
    }

    /// Returns a number below another.
    pub fn below(&mut self, most: usize) -> usize {
        let mut number = 0;
        let mut range = 1;
        while range < most {
            let Some((&byte, rest)) = self.bytes.split_first() else { break };
            self.bytes = rest;
            number = number * 256 + usize::from(byte);
            range *= 256;
        }
        number % most.max(1)
    }

    /// Returns true once in `times` times.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == times - 1
    }

    /// Returns one item of a list.
    ///
    /// # Panics
    /// If the list is empty.
    #[allow(clippy::indexing_slicing, reason = "a number below the length is an index")]
    pub fn of<'l, T>(&mut self, list: &'l [T]) -> &'l T {
        &list[self.below(list.len())]
    }

    /// Makes bytes from a seed with splitmix64, the same ones every time.
    #[must_use]
    pub fn bytes_of(seed: u64, count: usize) -> Vec<u8> {
        let mut state = seed;
        let next = || {
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mut word = state;
            word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            (word ^ (word >> 31)).to_le_bytes()
        };
        std::iter::repeat_with(next).flatten().take(count).collect()
    }
}
