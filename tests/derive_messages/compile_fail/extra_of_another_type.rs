use asdf_core::Asdf;

use std::collections::BTreeMap;

#[derive(Asdf)]
#[asdf(tag = "tag:example.org:camera-1.0.0")]
struct Camera {
    #[asdf(extra)]
    others: BTreeMap<String, u8>,
    #[asdf(tag)]
    version: String,
}

fn main() {}
