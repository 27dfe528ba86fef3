//! A hash index of texts that are stored elsewhere.

use std::hash::BuildHasher as _;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use super::Seed;

/// A hash table of numbers, with eight bytes and one control byte per slot. The owner of the texts decides
/// whether a number belongs to a text.
#[derive(Debug, Clone, Default)]
pub(crate) struct Index {
    slots: HashTable<Slot>,
    seed: Seed,
}

/// Half of a text's hash, and the text's number. With the hash, a table grows without reading texts again.
#[derive(Debug, Clone, Copy)]
struct Slot {
    hash: u32,
    number: u32,
}

impl Index {
    /// Creates an index with room for this number of texts.
    pub(crate) fn with_room(numbers: usize) -> Self {
        Self { slots: HashTable::with_capacity(numbers), seed: Seed::default() }
    }

    /// Returns the number of a text in the index.
    pub(crate) fn get(&self, text: &str, same: impl Fn(u32) -> bool) -> Option<u32> {
        let hash = self.hash(text);
        self.slots.find(spread(hash), |slot| slot.hash == hash && same(slot.number)).map(|slot| slot.number)
    }

    /// Returns the number of a text that is equal to an earlier one, or adds it under the new number.
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

/// Spreads a hash over 64 bits, because the table uses the highest and the lowest ones.
fn spread(hash: u32) -> u64 {
    u64::from(hash) << 32 | u64::from(hash)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn each_text_has_the_number_that_it_got_first() {
        let many: u32 = if cfg!(miri) { 300 } else { 20_000 };
        for mut index in [Index::default(), Index::with_room(5000)] {
            let mut texts: Vec<String> = Vec::new();
            let mut known: HashMap<String, u32> = HashMap::new();
            assert_eq!(index.get("0", |_| true), None);
            for n in 0..many {
                let text = (n * n % 7919).to_string();
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
