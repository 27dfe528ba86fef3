use asdf_core::Asdf;

use asdf_core::value::{Extra, KeptTag};

#[derive(Asdf)]
#[asdf(tag = "tag:example.org:camera-1.0.0")]
struct Camera {
    #[asdf(extra, rename = "others")]
    extra: Extra,
    #[asdf(default, tag)]
    version: KeptTag,
}

fn main() {}
