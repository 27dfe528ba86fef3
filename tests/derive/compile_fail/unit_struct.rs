use asdf_core::Asdf;

#[derive(Asdf)]
struct Auto;

fn main() {}
