use asdf_core::array::Record;

#[derive(Record)]
struct Star {
    name: String,
    position: Vec<f64>,
    flux: Option<f32>,
    plain: Plain,
}

struct Plain {
    value: f64,
}

fn main() {}
