//! Benchmarks ten thousand derived structs: reading against walking their nodes, writing against emitting them.

#![allow(clippy::unwrap_used, reason = "a benchmark that cannot start should stop")]

use asdf_core::tree::Kind;
use asdf_core::yaml::{EmitOptions, emit, parse};
use asdf_core::{Asdf, NodeRef, Tree};
use divan::Bencher;

fn main() {
    divan::main();
}

#[derive(Asdf)]
#[asdf(tag = "asdf://example.org/tags/source-1.0.0")]
struct Source {
    id: u32,
    name: String,
    position: Position,
    flux: Option<f64>,
    flags: Vec<u8>,
    kind: SourceKind,
}

#[derive(Asdf)]
struct Position {
    ra: f64,
    dec: f64,
}

#[derive(Asdf)]
enum SourceKind {
    #[asdf(rename = "star")]
    Star,
    #[asdf(rename = "galaxy")]
    Galaxy,
}

fn tree() -> Tree {
    let mut tree = Tree::new();
    tree.set("", &sources()).unwrap();
    parse(&emit(&tree, EmitOptions::default()).unwrap()).unwrap()
}

fn sources() -> Vec<Source> {
    let source = |id: u32| Source {
        id,
        name: format!("source {id}"),
        position: Position { ra: f64::from(id) / 3.0, dec: -0.5 },
        flux: (id % 2 == 0).then_some(1.5),
        flags: vec![1, 2, 3],
        kind: if id % 3 == 0 { SourceKind::Star } else { SourceKind::Galaxy },
    };
    (0..10_000).map(source).collect()
}

/// Looks at everything in a node and discards it.
fn look(node: NodeRef<'_>) -> usize {
    match node.kind() {
        Kind::Int => node.as_i128().map_or(0, |_| 1),
        Kind::Float => node.as_f64().map_or(0, |_| 1),
        Kind::String => node.as_str().map_or(0, str::len),
        _ => node.own_tag().map_or(0, str::len),
    }
}

#[divan::bench]
fn walk_nodes(bencher: Bencher<'_, '_>) {
    let tree = tree();
    bencher.bench(|| tree.root().unwrap().walk().map(look).sum::<usize>());
}

#[divan::bench]
fn read_structs(bencher: Bencher<'_, '_>) {
    let tree = tree();
    bencher.bench(|| tree.get::<Vec<Source>>("").unwrap().len());
}

#[divan::bench]
fn emit_text(bencher: Bencher<'_, '_>) {
    let mut tree = Tree::new();
    tree.set("", &sources()).unwrap();
    bencher.bench(|| emit(&tree, EmitOptions::default()).unwrap());
}

#[divan::bench]
fn write_structs(bencher: Bencher<'_, '_>) {
    let sources = sources();
    bencher.bench(|| {
        let mut tree = Tree::new();
        tree.set("", &sources).unwrap();
        tree
    });
}
