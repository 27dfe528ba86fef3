//! The program of all fuzz targets: the environment variable `FUZZ_TARGET` selects one. `run` starts it.

#![no_main]

use std::sync::OnceLock;

use asdf_fuzz_targets::{TARGETS, Target};
use libfuzzer_sys::fuzz_target;

static TARGET: OnceLock<Target> = OnceLock::new();

fuzz_target!(
    init: {
        // libfuzzer-sys sets a hook that ends the program. Without it, code can catch panics of other crates, and a panic
        // that nothing catches still ends the program.
        let _ = std::panic::take_hook();
        TARGET.get_or_init(selected)
    },
    |data: &[u8]| TARGET.get_or_init(selected)(data)
);

fn selected() -> Target {
    let name = std::env::var("FUZZ_TARGET").unwrap_or_default();
    let found = TARGETS.iter().find(|(other, _)| *other == name).map(|(_, target)| *target);
    found.unwrap_or_else(|| panic!("found FUZZ_TARGET={name:?}, expected the name of a target"))
}
