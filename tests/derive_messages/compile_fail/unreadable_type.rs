use asdf_core::Asdf;

struct Lens;

#[derive(Asdf)]
struct Camera {
    lens: Lens,
    spare: Option<Lens>,
}

#[derive(Asdf)]
enum Part {
    Lens(Lens),
}

fn main() {}
