use asdf_core::Asdf;

#[derive(Asdf)]
struct Row<'a> {
    name: &'a str,
    note: Option<&'a str>,
    values: Vec<f64>,
}

fn main() {}
