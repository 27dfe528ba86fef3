//! A hash for names, faster than the standard library's on a few bytes.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

/// Begins a hash with a number that a text cannot know, so that no text makes its names collide.
#[derive(Debug, Clone)]
pub(crate) struct Seed(u64);

impl Default for Seed {
    fn default() -> Self {
        Self(RandomState::new().build_hasher().finish() | 1)
    }
}

impl BuildHasher for Seed {
    type Hasher = Words;

    fn build_hasher(&self) -> Words {
        Words { state: self.0, seed: self.0 }
    }
}

/// Folds eight bytes at a time by a multiplication of 128 bits.
#[derive(Debug)]
pub(crate) struct Words {
    state: u64,
    seed: u64,
}

impl Words {
    fn word(&mut self, word: u64) {
        let product =
            u128::from(self.state ^ word).wrapping_mul(u128::from(self.seed ^ 0x9E37_79B9_7F4A_7C15));
        #[allow(clippy::cast_possible_truncation, reason = "the halves are what is folded")]
        let folded = (product as u64) ^ ((product >> 64) as u64);
        self.state = folded.rotate_left(23) ^ self.seed;
    }
}

impl Hasher for Words {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            for (to, from) in word.iter_mut().zip(chunk) {
                *to = *from;
            }
            self.word(u64::from_le_bytes(word));
        }
        self.word(bytes.len() as u64);
    }

    fn write_u8(&mut self, byte: u8) {
        self.state ^= u64::from(byte);
    }

    fn finish(&self) -> u64 {
        self.state
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_that_differ_little_hash_apart() {
        let seed = Seed::default();
        let hashes: HashSet<u64> = (0..100_000).map(|n| seed.hash_one(format!("id{n:05}"))).collect();
        assert_eq!(hashes.len(), 100_000);
        let low: HashSet<u64> = hashes.iter().map(|hash| hash % 65_536).collect();
        assert!(low.len() > 45_000, "{}", low.len());
    }
}
