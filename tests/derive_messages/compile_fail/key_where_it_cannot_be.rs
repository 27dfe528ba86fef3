use asdf_core::Asdf;

#[derive(Asdf)]
#[asdf(key = "kind")]
struct Region {
    radius: f64,
}

#[derive(Asdf)]
#[asdf(key = kind)]
enum Unquoted {
    A { radius: f64 },
}

fn main() {}
