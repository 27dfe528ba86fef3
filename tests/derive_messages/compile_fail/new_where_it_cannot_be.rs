use asdf_core::Asdf;

#[derive(Asdf)]
#[asdf(new)]
enum Mode {
    Fast,
}

#[derive(Asdf)]
#[asdf(new, check(minimum = 0))]
struct Percent(f64);

fn main() {}
