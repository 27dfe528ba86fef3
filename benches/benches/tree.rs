//! Benchmarks parsing, validating and emitting trees.

#![allow(clippy::unwrap_used, reason = "a benchmark that cannot start should stop")]

use asdf_core::yaml::{EmitOptions, emit, parse};
use asdf_schemas::Validator;
use divan::Bencher;
use divan::counter::BytesCount;

fn main() {
    divan::main();
}

const ARRAYS: [usize; 2] = [100, 10_000];

#[divan::bench(args = ARRAYS)]
fn parse_text(bencher: Bencher<'_, '_>, arrays: usize) {
    let text = asdf_benches::texts::arrays_with_units(arrays);
    bencher.counter(BytesCount::of_str(&text)).bench(|| parse(&text).unwrap());
}

#[divan::bench(args = ARRAYS)]
fn validate_tree(bencher: Bencher<'_, '_>, arrays: usize) {
    let text = asdf_benches::texts::arrays_with_units(arrays);
    let (tree, validator) = (parse(&text).unwrap(), Validator::standard());
    assert!(validator.validate_tree(&tree).is_valid());
    bencher.counter(BytesCount::of_str(&text)).bench(|| validator.validate_tree(&tree));
}

#[divan::bench(args = ARRAYS)]
fn emit_text(bencher: Bencher<'_, '_>, arrays: usize) {
    let text = asdf_benches::texts::arrays_with_units(arrays);
    let tree = parse(&text).unwrap();
    bencher.counter(BytesCount::of_str(&text)).bench(|| emit(&tree, EmitOptions::default()).unwrap());
}

/// Looks up one key of a mapping, each time another one.
#[divan::bench(args = [8, 16, 32, 33, 64, 1000, 100_000])]
fn get_key(bencher: Bencher<'_, '_>, entries: usize) {
    let names: Vec<String> = (0..entries).map(|number| format!("keyword_{number}")).collect();
    let text: String = names.iter().map(|name| format!("{name}: 1\n")).collect();
    let tree = parse(&text).unwrap();
    let root = tree.root().unwrap();
    // After some lookups the tree builds a hash table.
    names.iter().take(100).for_each(|name| assert!(root.get(name).is_some()));
    let mut number = 0;
    bencher.bench_local(|| {
        number = (number + 7919) % entries;
        names.get(number).and_then(|name| root.get(name))
    });
}
