use asdf_core::{Asdf, NdArray, value::Extra};

#[derive(Asdf)]
#[asdf(schema = "schemas/exposure-1.0.0.yaml")]
struct Exposure {
    time: Option<f64>,
    reads: u32,
    filter: Option<asdf_core::Node>,
    mode: Option<String>,
    note: Option<Option<String>>,
    start: Option<asdf_core::value::Timestamp>,
    #[asdf(extra)]
    extra: Extra,
}

#[derive(Asdf)]
#[asdf(schema = "schemas/filter-1.0.0.yaml")]
struct Filter {
    wavelength: Option<f64>,
    data: Option<NdArray>,
}

fn main() {}
