//! Numbers by texts that are kept elsewhere.

use std::hash::BuildHasher;

use super::Seed;

/// A hash table of numbers: eight bytes a slot, so that those of a large tree stay close together. It asks its
/// owner whether a number is that of a text.
#[derive(Debug, Clone, Default)]
pub(crate) struct Index {
    /// As many as a power of two, or none; at most three of four are in use. A slot's place is the upper bits
    /// of the hash, so that a table that grows is copied in its order.
    slots: Vec<Slot>,
    used: usize,
    seed: Seed,
}

/// The upper half of a text's hash, and one more than its number; 0 for none.
#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    hash: u32,
    number: u32,
}

const LEAST: usize = 16;

impl Index {
    /// An index with room for so many numbers.
    pub(crate) fn with_room(numbers: usize) -> Self {
        let mut index = Self::default();
        if numbers > 0 {
            index.grow((numbers.saturating_mul(4) / 3 + 1).next_power_of_two());
        }
        index
    }

    /// The number of a text that is known.
    pub(crate) fn get(&self, text: &str, same: impl Fn(u32) -> bool) -> Option<u32> {
        let hash = self.hash(text);
        let (_, slot) = self.find(hash, same)?;
        slot.number.checked_sub(1)
    }

    /// The number of a text: that of an equal one, or else the new one, which is below [`u32::MAX`] and from now
    /// on known.
    pub(crate) fn number(&mut self, text: &str, new: u32, same: impl Fn(u32) -> bool) -> u32 {
        if (self.used + 1) * 4 > self.slots.len() * 3 {
            self.grow((self.slots.len() * 2).max(LEAST));
        }
        let hash = self.hash(text);
        match self.find(hash, same) {
            Some((at, Slot { number: 0, .. })) => {
                self.put(at, Slot { hash, number: new.saturating_add(1) });
                self.used += 1;
                new
            }
            Some((_, slot)) => slot.number - 1,
            None => new,
        }
    }

    /// The slot of a text, or the free one where it belongs; none as long as there are no slots.
    fn find(&self, hash: u32, same: impl Fn(u32) -> bool) -> Option<(usize, Slot)> {
        let mut at = self.place(hash);
        loop {
            let slot = *self.slots.get(at)?;
            if slot.number == 0 || (slot.hash == hash && same(slot.number - 1)) {
                return Some((at, slot));
            }
            at = self.next(at);
        }
    }

    fn hash(&self, text: &str) -> u32 {
        u32::try_from(self.seed.hash_one(text) >> 32).unwrap_or(0)
    }

    fn place(&self, hash: u32) -> usize {
        let bits = self.slots.len().trailing_zeros();
        usize::try_from(u64::from(hash) << bits.min(32) >> 32).unwrap_or(0)
    }

    fn next(&self, at: usize) -> usize {
        if at + 1 < self.slots.len() { at + 1 } else { 0 }
    }

    fn put(&mut self, at: usize, slot: Slot) {
        if let Some(place) = self.slots.get_mut(at) {
            *place = slot;
        }
    }

    fn grow(&mut self, slots: usize) {
        let old = std::mem::replace(&mut self.slots, vec![Slot::default(); slots]);
        for slot in old.into_iter().filter(|slot| slot.number > 0) {
            if let Some((at, _)) = self.find(slot.hash, |_| false) {
                self.put(at, slot);
            }
        }
    }
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
            assert_eq!(index.used, texts.len());
        }
    }
}
