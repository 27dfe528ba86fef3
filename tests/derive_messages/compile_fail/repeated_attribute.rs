use asdf_core::Asdf;

#[derive(Asdf)]
#[asdf(tag = "tag:example.org:a-1.0.0", new)]
#[asdf(tag = "tag:example.org:b-1.0.0")]
struct Camera {
    #[asdf(default, rename = "n", default = 5)]
    name: u8,
}

#[derive(Asdf)]
#[asdf(check(minimum = 0, minimum = 1))]
struct Percent(f64);

fn main() {}
