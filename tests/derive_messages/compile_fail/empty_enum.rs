use asdf_core::Asdf;

#[derive(Asdf)]
enum Never {}

fn main() {}
