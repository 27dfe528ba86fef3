//! Numbers by texts that are kept elsewhere.

use std::hash::BuildHasher as _;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use super::Seed;

/// A hash table of numbers: eight bytes a slot and one beside it. It asks its owner whether a number is that of a
/// text.
#[derive(Debug, Clone, Default)]
pub(crate) struct Index {
    slots: HashTable<Slot>,
    seed: Seed,
}

/// Half of the hash of a text, and the number of the text. A table grows without reading texts again.
#[derive(Debug, Clone, Copy)]
struct Slot {
    hash: u32,
    number: u32,
}

impl Index {
    /// An index with room for so many numbers.
    pub(crate) fn with_room(numbers: usize) -> Self {
        Self { slots: HashTable::with_capacity(numbers), seed: Seed::default() }
    }

    /// The number of a text that is known.
    pub(crate) fn get(&self, text: &str, same: impl Fn(u32) -> bool) -> Option<u32> {
        let hash = self.hash(text);
        self.slots.find(spread(hash), |slot| slot.hash == hash && same(slot.number)).map(|slot| slot.number)
    }

    /// The number of a text: that of an equal one, or else the new one, which is from now on known.
    pub(crate) fn number(&mut self, text: &str, new: u32, same: impl Fn(u32) -> bool) -> u32 {
        let hash = self.hash(text);
        let is = |slot: &Slot| slot.hash == hash && same(slot.number);
        match self.slots.entry(spread(hash), is, |slot| spread(slot.hash)) {
            Entry::Occupied(known) => known.get().number,
            Entry::Vacant(free) => free.insert(Slot { hash, number: new }).get().number,
        }
    }

    fn hash(&self, text: &str) -> u32 {
        u32::try_from(self.seed.hash_one(text) >> 32).unwrap_or(0)
    }
}

/// A hash for the table, which looks at the highest bits and at the lowest ones.
fn spread(hash: u32) -> u64 {
    u64::from(hash) << 32 | u64::from(hash)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn each_text_has_the_number_that_it_got_first() {
        for mut index in [Index::default(), Index::with_room(5000)] {
            let mut texts: Vec<String> = Vec::new();
            let mut known: HashMap<String, u32> = HashMap::new();
            assert_eq!(index.get("0", |_| true), None);
            for n in 0..20_000_u32 {
                let text = (n.wrapping_mul(n) % 7919).to_string();
                let new = u32::try_from(texts.len()).unwrap();
                let expected = *known.entry(text.clone()).or_insert(new);
                let number = index.number(&text, new, |number| texts[number as usize] == text);
                assert_eq!(number, expected, "{text}");
                if number == new {
                    texts.push(text);
                }
            }
            for (text, number) in &known {
                assert_eq!(index.get(text, |number| texts[number as usize] == *text), Some(*number));
            }
            assert_eq!(index.get("none", |number| texts[number as usize] == "none"), None);
            assert_eq!(index.slots.len(), texts.len());
        }
    }
}
