use asdf_core::Asdf;

use asdf_core::FromNode;

struct Lens;

#[derive(Asdf)]
struct Pair<T> {
    one: T,
    two: T,
}

fn read<T: FromNode>() {}

fn pair() {
    read::<Pair<u8>>();
    read::<Pair<Lens>>();
}

fn main() {}
