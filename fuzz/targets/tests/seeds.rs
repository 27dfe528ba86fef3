//! Runs each fuzz target on its seeds, and on changed seeds, the same each time.

use std::fs;
use std::path::Path;

use asdf_fuzz_targets::TARGETS;

/// The changed inputs of each seed.
const CHANGES: u64 = 4;

#[test]
fn targets_accept_their_seeds() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../seeds");
    for (name, target) in TARGETS {
        let mut paths: Vec<_> =
            fs::read_dir(seeds.join(name)).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        assert!(paths.len() >= 10, "{name} has {} seeds", paths.len());
        let inputs: Vec<Vec<u8>> = paths.iter().map(|path| fs::read(path).unwrap()).collect();
        for (number, input) in inputs.iter().enumerate() {
            run(name, *target, input);
            for change in 0..CHANGES {
                let mut random = Random((number as u64) << 8 | change);
                let other = &inputs[random.below(inputs.len())];
                run(name, *target, &changed(input, other, &mut random));
            }
        }
    }
}

fn run(name: &str, target: fn(&[u8]), input: &[u8]) {
    if std::panic::catch_unwind(|| target(input)).is_err() {
        panic!("the target {name} fails for the input \"{}\"", input.escape_ascii());
    }
}

/// Splices a part of another input into an input, and changes some bytes.
fn changed(input: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let (start, end) = random.range(input.len());
    let (from, to) = random.range(other.len());
    let mut changed = input.to_vec();
    changed.splice(start..end, other[from..to].iter().copied());
    for _ in 0..random.below(4) {
        let at = random.below(changed.len());
        if let Some(byte) = changed.get_mut(at) {
            *byte ^= 1 << random.below(8);
        }
    }
    changed
}

/// The numbers of splitmix64.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((word ^ (word >> 31)) % end.max(1) as u64).unwrap()
    }

    /// Returns the start and the end of a short range.
    fn range(&mut self, len: usize) -> (usize, usize) {
        let start = self.below(len + 1);
        (start, start + self.below((len - start).min(32) + 1))
    }
}
