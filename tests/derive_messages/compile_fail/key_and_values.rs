use asdf_core::Asdf;

#[derive(Asdf)]
struct Circle {
    radius: f64,
}

#[derive(Asdf)]
#[asdf(key = "kind")]
enum Region {
    Circle(Circle),
    Pair(f64, f64),
}

fn main() {}
