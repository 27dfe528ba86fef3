use asdf_core::Asdf;

#[derive(Asdf)]
struct Name(#[asdf(rename = "name", default)] String);

fn main() {}
