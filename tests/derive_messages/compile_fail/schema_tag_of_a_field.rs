use asdf_core::{Asdf, array::Complex};

#[derive(Asdf)]
#[asdf(schema = "schemas/exposure-1.0.0.yaml")]
struct Exposure {
    time: f64,
    data: Vec<f64>,
    reads: Option<u32>,
    filter: Option<Filter>,
    mode: Option<String>,
    note: Option<String>,
    start: Option<String>,
}

#[derive(Asdf)]
#[asdf(schema = "schemas/exposure-1.0.0.yaml")]
struct Other {
    time: f64,
    data: Complex,
    reads: Option<u32>,
    filter: Option<Filter>,
    mode: Option<String>,
    note: Option<String>,
    start: Option<String>,
}

#[derive(Asdf)]
struct Filter {
    name: String,
}

fn main() {}
