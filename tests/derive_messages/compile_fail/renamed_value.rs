use asdf_core::Asdf;

#[derive(Asdf)]
enum Size {
    #[asdf(rename = "number")]
    Number(f64),
    Text(#[asdf(rename = "text")] String),
}

fn main() {}
