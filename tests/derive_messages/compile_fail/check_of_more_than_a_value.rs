use asdf_core::Asdf;

#[derive(Asdf)]
#[asdf(check(minimum = 0))]
struct Camera {
    gain: f64,
}

#[derive(Asdf)]
#[asdf(check(min_length = 1))]
enum Mode {
    Fast,
}

fn main() {}
