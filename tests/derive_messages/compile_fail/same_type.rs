use asdf_core::Asdf;

#[derive(Asdf)]
enum Size {
    Inches(f64),
    Unknown,
    Metres(f64),
}

fn main() {}
