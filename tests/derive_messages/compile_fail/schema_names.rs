use asdf_core::{Asdf, NdArray};

#[derive(Asdf)]
#[asdf(tag = "asdf://example.org/camera/tags/exposure-1.0.0", schema = "schemas/exposure-1.0.0.yaml")]
struct Exposure {
    time: f64,
    read: Option<u32>,
    gain: Option<f64>,
    #[asdf(rename = "data")]
    pixels: NdArray,
    filter: Option<asdf_core::Node>,
    mode: Option<String>,
}

fn main() {}
