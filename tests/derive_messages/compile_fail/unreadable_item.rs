use asdf_core::Asdf;

struct Lens;

#[derive(Asdf)]
struct Pair(f64, Lens);

#[derive(Asdf)]
enum Part {
    Lens { lens: Lens },
}

fn main() {}
