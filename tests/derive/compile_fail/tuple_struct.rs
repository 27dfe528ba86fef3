use asdf_core::Asdf;

#[derive(Asdf)]
struct Position(f64, f64);

#[derive(Asdf)]
struct Nothing();

fn main() {}
