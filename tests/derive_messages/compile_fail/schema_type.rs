use asdf_core::{Asdf, NdArray};

type Count = f64;

#[derive(Asdf)]
#[asdf(tag = "asdf://example.org/camera/tags/exposure-1.0.0", schema = "schemas/exposure-1.0.0.yaml")]
struct Exposure {
    time: String,
    reads: Option<Count>,
    data: NdArray,
    filter: Option<Vec<u8>>,
    mode: Option<Mode>,
    note: Option<u8>,
    start: Option<bool>,
}

#[derive(Asdf)]
struct Mode(u8);

fn main() {}
