//! Hashes of names.

use std::hash::{BuildHasher, Hasher};

use foldhash::fast::{FoldHasher, RandomState};

/// A random seed for hashes of names and node numbers, so that no file can make its names collide.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seed(RandomState);

impl BuildHasher for Seed {
    type Hasher = NameHasher;

    fn build_hasher(&self) -> NameHasher {
        NameHasher(self.0.build_hasher())
    }
}

/// foldhash without the byte that std appends to each text to separate the fields of a key. A name is the
/// whole key, so the byte would only cost time.
pub(crate) struct NameHasher(FoldHasher<'static>);

impl Hasher for NameHasher {
    fn write(&mut self, bytes: &[u8]) {
        self.0.write(bytes);
    }

    fn write_u8(&mut self, _: u8) {}

    fn write_u32(&mut self, number: u32) {
        self.0.write_u32(number);
    }

    fn finish(&self) -> u64 {
        self.0.finish()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names_that_differ_little_hash_apart() {
        let seed = Seed::default();
        let hashes: HashSet<u64> = (0..100_000).map(|n| seed.hash_one(format!("id{n:05}"))).collect();
        assert_eq!(hashes.len(), 100_000);
        let low: HashSet<u64> = hashes.iter().map(|hash| hash % 65_536).collect();
        assert!(low.len() > 45_000, "{}", low.len());
        assert_ne!(Seed::default().hash_one("id"), Seed::default().hash_one("id"));
    }
}
