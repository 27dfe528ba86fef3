use asdf_core::Asdf;

use asdf_core::value::{Extra, KeptTag};

#[derive(Asdf)]
#[asdf(tag = "tag:example.org:camera-1.0.0")]
struct Camera {
    #[asdf(extra)]
    one: Extra,
    #[asdf(extra)]
    two: Extra,
    #[asdf(tag)]
    three: KeptTag,
    #[asdf(tag)]
    four: KeptTag,
}

#[derive(Asdf)]
#[asdf(tag = "tag:example.org:name-1.0.0")]
struct Name(String, #[asdf(tag)] KeptTag, #[asdf(tag)] KeptTag);

fn main() {}
