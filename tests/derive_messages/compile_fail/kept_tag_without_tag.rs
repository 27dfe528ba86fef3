use asdf_core::Asdf;

use asdf_core::value::KeptTag;

#[derive(Asdf)]
struct Camera {
    name: String,
    #[asdf(tag)]
    version: KeptTag,
}

#[derive(Asdf)]
struct Name(String, #[asdf(tag)] KeptTag);

fn main() {}
