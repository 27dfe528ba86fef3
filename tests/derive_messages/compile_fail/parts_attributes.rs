use asdf_core::Asdf;

#[derive(Asdf)]
struct Base {
    name: String,
}

#[derive(Asdf)]
struct Camera {
    #[asdf(flatten, rename = "b")]
    base: Base,
    #[asdf(flatten)]
    gain: f64,
    #[asdf(flatten)]
    names: Vec<std::string::String>,
    #[asdf(skip, alias = "c")]
    cache: Vec<u8>,
    #[asdf(skip = true)]
    other: u8,
    #[asdf(alias = "a", alias = "a")]
    first: u8,
    #[asdf(alias = "first")]
    second: u8,
    #[asdf(alias = 5)]
    third: u8,
}

fn main() {}
