use asdf_core::Asdf;

#[derive(Asdf)]
enum Mode {
    #[asdf(rename = "Slow")]
    Fast,
    Slow,
}

fn main() {}
